// Limits of the text of a scene that hold before the reader of TOML sees the text: the reader calls itself for each
// part of a key and each level of a list, and has a stack that ends.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace demeter::simulations {

/// A key of a scene has at most four parts: body.mass.orientation.axis.
constexpr std::size_t most_key_parts = 16;
/// A list in a scene has at most three levels: points of a body in a list of bodies.
constexpr std::size_t most_levels = 16;
/// The most bytes in a key or a bare value.
constexpr std::size_t most_of_a_word = 1'000'000;

struct BeyondLimits {
  std::size_t line;
  std::string what;
};

/// Where a text goes beyond these limits; nothing if it does not.
std::optional<BeyondLimits> beyond_toml_limits(std::string_view text);

}  // namespace demeter::simulations
