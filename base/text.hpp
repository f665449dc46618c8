// Text of others: names, paths, messages and values that a file, a library or a user gave.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace demeter {

/// The first character of a text.
struct FirstCharacter {
  std::size_t bytes;       ///< at least 1, if the text is not empty
  bool is_harmless;        ///< false for control characters, C1, bidirectional marks, ends of lines, invalid UTF-8
  bool is_utf8 = true;     ///< false for a byte that is not valid UTF-8
  unsigned long code = 0;  ///< in Unicode; the byte itself if it is not valid UTF-8
};

/// The first character of a text that is not empty.
FirstCharacter first_character(std::string_view text);

/// The most characters of somebody else's text that a message quotes.
inline constexpr std::size_t most_quoted = 200;

/// A text of others for a message of one line: '?' for what a terminal or an editor would obey, at most `most` bytes.
/// States the full length behind a text that was cut: "abc... (4,000 characters)".
std::string plain_text(std::string_view text, std::size_t most = most_quoted);

/// A message that may quote texts of others: as `plain_text`, but every word longer than `most_quoted` is cut by
/// itself. The middle is left out if the message is still longer than `most`.
std::string plain_message(std::string_view text, std::size_t most = 1000);

/// Replaces in place, byte for byte, what `plain_text` replaces, except for tabs and ends of lines.
void make_plain(char* text, std::size_t size);

/// JSON text whose strings hold no harmful characters raw: they are written as \uXXXX. `json` must be valid UTF-8.
std::string escaped_json(std::string json);

/// A whole number with its digits in groups of three: 4,000.
std::string grouped_digits(std::size_t number);

}  // namespace demeter
