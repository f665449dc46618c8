// Building blocks for regimes and laws of contacts in the plane.
#pragma once

#include "properties/core/generators.hpp"
#include "reference/spec/family/nonsmooth.hpp"

#include <cmath>
#include <limits>

namespace demeter {

/// Returns a uniform point on the unit circle, by rejection.
inline Vector2<double> unit_direction_in_plane(Random& random) {
  for (;;) {
    double const x = random.uniform(-1, 1), y = random.uniform(-1, 1), square = x * x + y * y;
    if (square <= 1 && square > 0.01) return Vector2<double>(x, y) / std::sqrt(square);
  }
}
/// Returns a uniform point in the square [-1, 1]^2.
inline Vector2<double> square_point(Random& random) {
  double const x = random.uniform(-1, 1), y = random.uniform(-1, 1);
  return {x, y};
}

inline Vector2<long double> wide(Vector2<double> const& v) { return v.cast<long double>(); }

/// The mass of a wall.
inline constexpr double wall = std::numeric_limits<double>::infinity();

/// Draws a case of a kernel with masses. Multiplies its lengths by an everyday size, and its masses by the cube of this
/// factor. If `exactly` is true, the factor is a power of two.
template <auto draw, bool exactly = false>
auto of_everyday_size(Random& random) {
  auto const in = draw(random);
  double const size = random.size(), metre = exactly ? std::ldexp(1.0, std::ilogb(size)) : size;
  return scaled_by(in, metre, metre * metre * metre);
}

}  // namespace demeter
