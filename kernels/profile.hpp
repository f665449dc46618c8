// What kind of cases a regime has, and of which sizes.
#pragma once

#include <array>
#include <string_view>

namespace demeter {

/// Every regime belongs to one of three.
enum class Profile : unsigned char {
  everyday,    ///< what scenes contain: sizes of `Sizes`, positions up to 1e3 sizes away, generic
  degenerate,  ///< parallel, touching, coincident, points and the like, at everyday sizes
  extreme,     ///< the range of numbers: subnormal and huge ones, mixed scales, far offsets
};
constexpr std::array<std::string_view, 3> labels(Profile) { return {"everyday", "degenerate", "extreme"}; }

/// The sizes of everyday and degenerate cases: of each case one, log-uniform between these powers of ten of a metre.
struct Sizes {
  double low_exponent = -5, high_exponent = 1;
  bool operator==(Sizes const&) const = default;
};

}  // namespace demeter
