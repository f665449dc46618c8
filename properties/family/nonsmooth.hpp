// What regimes and laws of contacts in the plane are made of.
#pragma once

#include "properties/core/generators.hpp"
#include "reference/spec/family/nonsmooth.hpp"

namespace demeter {

/// Uniform on the unit circle, by rejection.
inline Vector2<double> unit_direction_in_plane(Random& random) {
  for (;;) {
    double const x = random.uniform(-1, 1), y = random.uniform(-1, 1), square = x * x + y * y;
    if (square <= 1 && square > 0.01) return Vector2<double>(x, y) / std::sqrt(square);
  }
}
/// Uniform in the square [-1, 1]^2.
inline Vector2<double> square_point(Random& random) {
  double const x = random.uniform(-1, 1), y = random.uniform(-1, 1);
  return {x, y};
}

}  // namespace demeter
