// Printed formulas of the overlap of two spheres.
#pragma once

#include "reference/spec/core/erratum.hpp"
#include "reference/spec/core/formula.hpp"
#include "reference/spec/sphere_sphere_overlap.hpp"

namespace demeter::sphere_sphere_overlap::printed {

/// |a|^2 + |b|^2 - 2 a.b: exact in exact arithmetic, but it loses the distance of close centres far from the origin.
template <real_scalar Scalar>
Output<Scalar> expanded(Input<Scalar> const& in) {
  using std::sqrt;
  Vector3<Scalar> const &a = in.a.centre, &b = in.b.centre;
  Scalar const zero(0), squared = a.dot(a) + b.dot(b) - 2 * a.dot(b);
  Scalar const overlap = in.a.radius + in.b.radius - sqrt(squared < zero ? zero : squared);
  return {overlap, zero < overlap ? Status::overlapping : overlap < zero ? Status::separate : Status::touching};
}

inline auto formulas() {
  return std::tuple{
      Formula{"expanded", "the squared distance multiplied out", FormulaKind::equal,
              []<class Scalar>(Input<Scalar> const& in) { return expanded(in); }},
  };
}

inline std::vector<Erratum> errata() { return {}; }

}  // namespace demeter::sphere_sphere_overlap::printed
