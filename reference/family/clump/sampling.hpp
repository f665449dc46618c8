// Converts sums over cells or points of a union of balls into mass, centroid and inertia. Shared by the reference and
// the printed formulas of clump_grid_mass_properties.
#pragma once

#include "reference/spec/clump_grid_mass_properties.hpp"

#include <cstdint>

namespace demeter::clump_grid_mass_properties::reference {

/// Returns an integer as a scalar. The integer must fit in a long double.
template <class Scalar>
Scalar number(std::int64_t x) {
  return static_cast<Scalar>(static_cast<long double>(x));
}

/// Volume V, first moments int x, and second moments int x x^T (xx, yy, zz, xy, xz, yz) about some origin.
template <class Scalar>
struct Moments {
  Scalar volume;
  Vector3<Scalar> first;
  Tensor<Scalar> second;
};
template <class Scalar>
Moments<Scalar> no_moments() {
  Scalar const zero(0);
  Moments<Scalar> sums{zero, {zero, zero, zero}, {}};
  for (Index k = 0; k < 6; ++k) sums.second[k] = zero;
  return sums;
}

/// Row and column of xx, yy, zz, xy, xz, yz in a matrix.
inline constexpr Index places[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};

/// Returns mass, centroid c = origin + S/V and inertia I = rho (tr C 1 - C) about c, with C = P - S S^T / V.
template <field_scalar Scalar>
Output<Scalar> described(Scalar const& density, Vector3<Scalar> const& origin, Moments<Scalar> const& sums) {
  Output<Scalar> out;
  out.volume = sums.volume;
  out.mass = density * sums.volume;
  Tensor<Scalar> central;
  for (Index k = 0; k < 6; ++k)
    central[k] = sums.second[k] - sums.first[places[k][0]] * sums.first[places[k][1]] / sums.volume;
  for (Index i = 0; i < 3; ++i) {
    out.centroid[i] = origin[i] + sums.first[i] / sums.volume;
    out.inertia[i] = density * (central[(i + 1) % 3] + central[(i + 2) % 3]);
  }
  for (Index k = 3; k < 6; ++k) out.inertia[k] = -density * central[k];
  return out;
}

/// The bounding box of all balls, and the smallest radius.
template <class Scalar>
struct Box {
  Vector3<Scalar> low, high;
  Scalar smallest;
};
template <field_scalar Scalar>
Box<Scalar> box_of(std::vector<Ball<Scalar>> const& balls) {
  Box<Scalar> box{balls.front().centre, balls.front().centre, balls.front().radius};
  bool first = true;
  for (auto const& ball : balls) {
    if (ball.radius < box.smallest) box.smallest = ball.radius;
    for (Index axis = 0; axis < 3; ++axis) {
      Scalar const below = ball.centre[axis] - ball.radius, above = ball.centre[axis] + ball.radius;
      if (first || below < box.low[axis]) box.low[axis] = below;
      if (first || box.high[axis] < above) box.high[axis] = above;
    }
    first = false;
  }
  return box;
}

}  // namespace demeter::clump_grid_mass_properties::reference
