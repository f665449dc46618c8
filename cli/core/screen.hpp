// Formats text for a terminal of 120 columns: optional colours, and lines that break between words.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace demeter::cli {

inline constexpr std::size_t screen_columns = 120;

enum class Colour { plain, good, bad, faint, strong };

/// Returns the text in a colour if standard output is a terminal with colours. Respects https://no-color.org.
std::string painted(Colour colour, std::string_view text);

/// Returns the text in lines of at most 120 columns. Every line begins with `indent` spaces and ends with a newline.
std::string wrapped(std::string_view text, std::size_t indent);

/// Returns at most `columns` columns of the text. A longer text is cut between two characters and ends with "...".
std::string cut_to(std::string_view text, std::size_t columns);

}  // namespace demeter::cli
