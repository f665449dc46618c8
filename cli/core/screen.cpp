#include "cli/core/screen.hpp"

#include <unistd.h>

#include <cstdlib>

namespace demeter::cli {
namespace {

bool has_colours() {
  static bool const has = [] {
    auto const set = [](char const* name) {
      char const* const value = std::getenv(name);
      return std::string_view(value == nullptr ? "" : value);
    };
    return ::isatty(STDOUT_FILENO) != 0 && set("NO_COLOR").empty() && !set("TERM").empty() && set("TERM") != "dumb";
  }();
  return has;
}

/// Returns whether the byte begins a character of UTF-8.
bool begins_character(char byte) { return (static_cast<unsigned char>(byte) & 0xc0) != 0x80; }

std::size_t columns_of(std::string_view text) {
  std::size_t columns = 0;
  for (char const byte : text) columns += begins_character(byte) ? 1 : 0;
  return columns;
}

}  // namespace

std::string painted(Colour colour, std::string_view text) {
  if (colour == Colour::plain || text.empty() || !has_colours()) return std::string(text);
  std::string_view const code = colour == Colour::good    ? "32"
                                : colour == Colour::bad   ? "31"
                                : colour == Colour::faint ? "2"
                                                          : "1";
  return "\033[" + std::string(code) + "m" + std::string(text) + "\033[0m";
}

std::string wrapped(std::string_view text, std::size_t indent) {
  std::string const margin(indent, ' ');
  std::string all, line;
  while (!text.empty()) {
    std::size_t const end = std::min(text.find(' '), text.size());
    std::string_view const word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!line.empty() && indent + columns_of(line) + 1 + columns_of(word) > screen_columns) {
      all += margin + line + "\n";
      line.clear();
    }
    line += (line.empty() ? "" : " ") + std::string(word);
  }
  return line.empty() ? all : all + margin + line + "\n";
}

std::string cut_to(std::string_view text, std::size_t columns) {
  if (columns_of(text) <= columns) return std::string(text);
  std::size_t end = 0, used = 0;
  while (end < text.size()) {
    if (begins_character(text[end]) && used++ + 3 >= columns) break;
    ++end;
  }
  return std::string(text.substr(0, end)) + "...";
}

}  // namespace demeter::cli
