// Reference: overlap of two spheres.
#pragma once

#include "reference/spec/sphere_sphere_overlap.hpp"

namespace demeter::sphere_sphere_overlap::reference {

/// Returns the status. It compares squares, so the decision is exact in exact arithmetic.
template <field_scalar Scalar>
Status status(Scalar const& radii, Scalar const& squared_distance) {
  Scalar const square = radii * radii;
  return squared_distance < square   ? Status::overlapping
         : square < squared_distance ? Status::separate
                                     : Status::touching;
}

template <real_scalar Scalar>
Output<Scalar> evaluate(Input<Scalar> const& in) {
  using std::sqrt;
  Vector3<Scalar> const between = in.b.centre - in.a.centre;
  Scalar const radii = in.a.radius + in.b.radius, squared = between.dot(between);
  Scalar const distance = sqrt(squared);  // has a name, because Boost computes a - temporary as -(temporary - a), which
                                          // gives -0
  return {radii - distance, status<Scalar>(radii, squared)};
}

}  // namespace demeter::sphere_sphere_overlap::reference
