// Safe display of foreign text: names, paths, messages and values from a file, a library or a user.
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
  unsigned long code = 0;  ///< Unicode code point; the byte itself if it is not valid UTF-8
};

/// Returns the first character of a text that is not empty.
FirstCharacter first_character(std::string_view text);

/// Largest number of bytes of foreign text that a message quotes.
inline constexpr std::size_t most_quoted = 200;

/// Returns foreign text for a message of one line: at most `most` bytes, with '?' for characters that a terminal or an
/// editor would interpret. Text that was cut is followed by its full length: "abc... (4,000 characters)".
std::string plain_text(std::string_view text, std::size_t most = most_quoted);

/// Returns a message that may quote foreign text. Works as `plain_text`, but cuts each word longer than `most_quoted`
/// on its own. If the message is still longer than `most`, its middle is left out.
std::string plain_message(std::string_view text, std::size_t most = 1000);

/// Replaces in place, byte by byte, the characters that `plain_text` replaces, except tabs and ends of lines.
void make_plain(char* text, std::size_t size);

/// Returns JSON text with the harmful characters in its strings written as \uXXXX. `json` must be valid UTF-8.
std::string escaped_json(std::string json);

/// Returns a whole number with its digits in groups of three: 4,000.
std::string grouped_digits(std::size_t number);

}  // namespace demeter
