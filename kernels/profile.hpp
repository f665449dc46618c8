// The profile of a regime, and the sizes of its cases.
#pragma once

#include <array>
#include <string_view>

namespace demeter {

/// The kind of cases in a regime. Every regime has one of three profiles.
enum class Profile : unsigned char {
  everyday,    ///< typical scenes in general position: sizes from `Sizes`, positions up to 1e3 sizes away
  degenerate,  ///< special positions and shapes at everyday sizes: parallel, touching, coincident, points and similar
  extreme,     ///< the whole range of numbers: subnormal and huge numbers, mixed scales, far offsets
};
constexpr std::array<std::string_view, 3> labels(Profile) { return {"everyday", "degenerate", "extreme"}; }

/// The sizes of everyday and degenerate cases. Each case has one size, log-uniform between these powers of ten of a
/// metre.
struct Sizes {
  double low_exponent = -5, high_exponent = 1;
  bool operator==(Sizes const&) const = default;
};

}  // namespace demeter
