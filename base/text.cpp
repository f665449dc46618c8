#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace demeter {
namespace {

/// Returns whether a character changes how text is displayed: it reorders text, breaks the line or controls a terminal.
bool is_harmful(unsigned long code) {
  auto const within = [code](unsigned long low, unsigned long high) { return low <= code && code <= high; };
  return code < 0x20 || within(0x7F, 0x9F) || code == 0x61C || within(0x200E, 0x200F) || within(0x2028, 0x202E) ||
         within(0x2066, 0x2069) || code == 0xFEFF;
}

/// Returns the length of the longest prefix that has at most `most` bytes and does not split a character.
std::size_t end_of_cut(std::string_view text, std::size_t most) {
  std::size_t end = std::min(text.size(), most);
  while (end > 0 && end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return end;
}

std::string without_harm(std::string_view text) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    auto const next = first_character(text.substr(at));
    result += next.is_harmless ? text.substr(at, next.bytes) : std::string_view("?");
    at += next.bytes;
  }
  return result;
}

std::size_t characters_of(std::string_view text) {
  auto const begins = [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0) != 0x80; };
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), begins));
}

}  // namespace

FirstCharacter first_character(std::string_view text) {
  auto const byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  unsigned const first = byte(0);
  if (first < 0x80) return {1, !is_harmful(first), true, first};
  std::size_t const bytes = first < 0xC2 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 1;
  FirstCharacter const invalid{1, false, false, first};
  if (bytes == 1) return invalid;
  unsigned long code = first & (0x7FU >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return invalid;
    code = code << 6 | (byte(i) & 0x3FU);
  }
  constexpr unsigned long least[] = {0, 0, 0x80, 0x800, 0x10000};
  bool const surrogate = 0xD800 <= code && code <= 0xDFFF;
  if (code < least[bytes] || code > 0x10FFFF || surrogate) return invalid;
  return {bytes, !is_harmful(code), true, code};
}

std::string grouped_digits(std::size_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return digits;
}

std::string plain_text(std::string_view text, std::size_t most) {
  std::size_t const end = end_of_cut(text, most);
  std::string const shown = without_harm(text.substr(0, end));
  return end < text.size() ? fmt::format("{}... ({} characters)", shown, grouped_digits(characters_of(text))) : shown;
}

std::string plain_message(std::string_view text, std::size_t most) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t const end = std::min(text.find_first_of(" \t\n", at), text.size());
    // Our messages put quotes and punctuation around quoted text. These marks are not part of the word.
    constexpr std::string_view marks = "\"':;,()";
    std::string_view const word = text.substr(at, end - at);
    std::size_t const begin = std::min(word.find_first_not_of(marks), word.size());
    std::size_t const behind = begin == word.size() ? begin : word.find_last_not_of(marks) + 1;
    result += without_harm(word.substr(0, begin)) + plain_text(word.substr(begin, behind - begin)) +
              without_harm(word.substr(behind));
    if (end < text.size()) result += ' ';
    at = end + 1;
  }
  if (result.size() <= most) return result;
  std::size_t const head = end_of_cut(result, most / 2), tail = end_of_cut(result, result.size() - most / 2);
  return fmt::format("{}... ({} characters) ...{}", result.substr(0, head), grouped_digits(characters_of(text)),
                     result.substr(tail));
}

void make_plain(char* text, std::size_t size) {
  std::string_view const all(text, size);
  for (std::size_t at = 0; at < size;) {
    auto const next = first_character(all.substr(at));
    bool const blank = all[at] == '\n' || all[at] == '\t';
    if (!next.is_harmless && !blank) std::fill_n(text + at, next.bytes, '?');
    at += next.bytes;
  }
}

std::string escaped_json(std::string json) {
  std::string result;
  std::size_t done = 0;
  for (std::size_t at = 0; at < json.size();) {
    auto const next = first_character(std::string_view(json).substr(at));
    // JSON allows white space between values, such as an end of line. Within strings JSON allows no control character.
    if (!next.is_harmless && next.code >= 0x20) {
      result.append(json, done, at - done);
      result += fmt::format("\\u{:04x}", next.is_utf8 ? next.code : 0xFFFDUL);
      done = at + next.bytes;
    }
    at += next.bytes;
  }
  if (done == 0) return json;
  return result.append(json, done);
}

}  // namespace demeter
