// Text for a terminal of 120 columns: colours where they are wanted, lines that end between words.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace demeter::cli {

inline constexpr std::size_t screen_columns = 120;

enum class Colour { plain, good, bad, faint, strong };

/// The text in a colour, if standard output is a terminal that has some; https://no-color.org is honoured.
std::string painted(Colour colour, std::string_view text);

/// The text in lines of at most 120 columns, every one after `indent` spaces and ended.
std::string wrapped(std::string_view text, std::size_t indent);

/// At most so many columns, cut between characters and ended with "...".
std::string cut_to(std::string_view text, std::size_t columns);

}  // namespace demeter::cli
