// Characters that change the direction of writing.
#pragma once

#include <string_view>

namespace demeter {

/// Returns true if a text begins with a character that makes a terminal or editor show the following text in another
/// order: U+202A to U+202E, U+2066 to U+2069.
inline bool is_turning(std::string_view text) {
  auto const at = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0; };
  return at(0) == 0xE2 &&
         ((at(1) == 0x80 && at(2) >= 0xAA && at(2) <= 0xAE) || (at(1) == 0x81 && at(2) >= 0xA6 && at(2) <= 0xA9));
}

}  // namespace demeter
