// Limits on the text of a scene. They are checked before the TOML reader reads the text. The reader is recursive in the
// parts of a key and in the levels of a list, and its stack is limited.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace demeter::simulations {

/// Largest number of parts of a key. A key of a scene has at most four: body.mass.orientation.axis.
constexpr std::size_t most_key_parts = 16;
/// Largest number of nested lists and tables in brackets or braces. A scene has at most three levels: the points of a
/// body in a list of bodies.
constexpr std::size_t most_levels = 16;
/// Largest number of bytes in a key or a value.
constexpr std::size_t most_of_a_word = 1'000'000;

struct BeyondLimits {
  std::size_t line;
  std::string what;
};

/// Returns the first place where the text exceeds a limit, or nothing.
std::optional<BeyondLimits> beyond_toml_limits(std::string_view text);

}  // namespace demeter::simulations
