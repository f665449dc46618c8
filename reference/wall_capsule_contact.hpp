// Reference: contact of a capsule with a wall, monotone form.
// Source: docs/mathematics/capsules.md#wall_capsule_contact.
#pragma once

#include "reference/spec/wall_capsule_contact.hpp"

#include <array>

namespace demeter::wall_capsule_contact::reference {

/// Returns the signed gaps of end 0 and end 1; negative if the end overlaps.
template <field_scalar Scalar>
std::array<Scalar, 2> gaps(Input<Scalar> const& in) {
  Index const k = axis_of(in);
  Scalar const end0 = in.centre[k] - in.half[k], end1 = in.centre[k] + in.half[k];
  return {in.sense * (end0 - in.wall) - in.radius, in.sense * (end1 - in.wall) - in.radius};
}

/// Returns the contact. It is exact for exact scalars, because all outputs are rational functions of the input.
template <field_scalar Scalar>
Output<Scalar> evaluate(Input<Scalar> const& in) {
  auto const [g0, g1] = gaps(in);
  Scalar const zero(0), one(1);
  Scalar const a0 = g0 < zero ? Scalar(-g0) : zero, a1 = g1 < zero ? Scalar(-g1) : zero;  // overlaps
  Scalar const uN = g1 < g0 ? g1 : g0;

  Index const k = axis_of(in);
  Scalar const rise = in.sense * in.half[k];  // > 0: end 0 is nearer, although the gaps may be equal after rounding
  Scalar lambda = zero < rise ? Scalar(-one) : rise < zero ? one : zero;
  if (zero < a0 + a1) lambda = (a1 - a0) / (a0 + a1);

  Vector3<Scalar> normal(zero, zero, zero), point = in.centre + lambda * in.half;
  normal[k] = in.sense;
  point[k] = in.wall + in.sense * uN / 2;
  Status const status = zero < a0 && zero < a1   ? Status::both_ends
                        : zero < a0 || zero < a1 ? Status::one_end
                                                 : Status::separated;
  return {uN, normal, point, status};
}

}  // namespace demeter::wall_capsule_contact::reference
