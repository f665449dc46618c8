#include "simulator/toml_limits.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace demeter::simulations {
namespace {

/// Returns the position after the closing quote of the string that begins at `at`. If the closing quote is missing,
/// returns the end of the line, or the end of the text for a string of several lines.
std::size_t end_of_string(std::string_view text, std::size_t at) {
  char const quote = text[at];
  std::string const three(3, quote);
  bool const is_long = text.substr(at, 3) == three;
  for (at += is_long ? 3 : 1; at < text.size(); ++at) {
    if (quote == '"' && text[at] == '\\') {
      ++at;
    } else if (!is_long && (text[at] == quote || text[at] == '\n')) {
      return text[at] == quote ? at + 1 : at;
    } else if (is_long && text.substr(at, 3) == three) {
      // Up to two quotes directly before the last three belong to the string.
      std::size_t const more = text.find_first_not_of(quote, at);
      return at + std::min<std::size_t>(5, std::min(more, text.size()) - at);
    }
  }
  return text.size();
}

}  // namespace

std::optional<BeyondLimits> beyond_toml_limits(std::string_view text) {
  std::size_t line = 1, parts = 1, levels = 0, word = 0;
  auto const beyond = [&](std::string_view what, std::size_t most) {
    return BeyondLimits{line, fmt::format("{}: expected at most {}", what, most)};
  };
  for (std::size_t at = 0; at < text.size();) {
    char const c = text[at];
    std::size_t end = at + 1;
    if (c == '"' || c == '\'') {
      end = end_of_string(text, at);
      word += end - at;
    } else if (c == '#') {
      end = std::min(text.find('\n', at), text.size());
    } else if (c == '.') {
      if (++parts > most_key_parts) return beyond("parts of a key", most_key_parts);
    } else if (c == '[' || c == '{') {
      if (++levels > most_levels) return beyond("levels of lists and tables", most_levels);
      parts = 1, word = 0;
    } else if (std::string_view("=,]}\n").find(c) != std::string_view::npos) {
      if ((c == ']' || c == '}') && levels > 0) --levels;
      parts = 1, word = 0;
    } else {
      ++word;
    }
    if (word > most_of_a_word) return beyond("bytes of a key or value", most_of_a_word);
    line += static_cast<std::size_t>(std::count(text.begin() + static_cast<std::ptrdiff_t>(at),
                                                text.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
    at = end;
  }
  return std::nullopt;
}

}  // namespace demeter::simulations
