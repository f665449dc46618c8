#include "base/shell.hpp"

#include "base/text.hpp"

#include <fmt/format.h>

namespace demeter {
namespace {

constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-";

bool needs_quotes(std::string_view text) {
  return text.empty() || text.find_first_not_of(plain) != std::string_view::npos;
}

bool is_harmless(std::string_view text) {
  while (!text.empty()) {
    auto const next = first_character(text);
    if (!next.is_harmless) return false;
    text.remove_prefix(next.bytes);
  }
  return true;
}

/// Returns the position of the closing quote, or npos. The search begins at `at`, directly after the opening quote.
std::size_t end_of_quotes(std::string_view text, std::size_t at, bool has_escapes) {
  for (; at < text.size(); ++at) {
    if (has_escapes && text[at] == '\\') {
      ++at;
    } else if (text[at] == '\'') {
      return at;
    }
  }
  return std::string_view::npos;
}

}  // namespace

std::string sh_quoted(std::string_view text) {
  if (!needs_quotes(text)) return std::string(text);
  std::string result = "'";
  for (char const c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

std::string shell_quoted(std::string_view text) {
  if (is_harmless(text)) return sh_quoted(text);
  std::string result = "$'";
  while (!text.empty()) {
    auto const next = first_character(text);
    for (char const c : text.substr(0, next.bytes)) {
      if (c == '\n') {
        result += "\\n";
      } else if (!next.is_harmless) {
        result += fmt::format("\\{:03o}", static_cast<unsigned>(static_cast<unsigned char>(c)));
      } else {
        if (c == '\'' || c == '\\') result += '\\';
        result += c;
      }
    }
    text.remove_prefix(next.bytes);
  }
  return result + "'";
}

bool is_plain_command(std::string_view text) {
  if (!text.starts_with("demeter ") || !is_harmless(text)) return false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    char const c = text[at];
    bool const has_escapes = text.substr(at).starts_with("$'");
    if (c == '\'' || has_escapes) {
      at = end_of_quotes(text, at + (has_escapes ? 2 : 1), has_escapes);
      if (at == std::string_view::npos) return false;
    } else if (text.substr(at).starts_with("\\'")) {
      ++at;
    } else if (c != ' ' && plain.find(c) == std::string_view::npos) {
      return false;
    }
  }
  return true;
}

}  // namespace demeter
