// Reference: ends, box and sphere of a capsule, from the first column of the Euler-Rodrigues matrix divided by |q|^2.
#pragma once

#include "reference/spec/capsule_endpoints.hpp"

namespace demeter::capsule_endpoints::reference {

/// Returns the direction of the local x axis in the global frame, a rational function of the quaternion.
template <field_scalar Scalar>
Vector3<Scalar> axis(Quaternion<Scalar> const& q) {
  Scalar const w = q[0], x = q[1], y = q[2], z = q[3];
  Scalar const square = w * w + x * x + y * y + z * z;
  return {(w * w + x * x - y * y - z * z) / square, 2 * (x * y + w * z) / square, 2 * (x * z - w * y) / square};
}

template <field_scalar Scalar>
Output<Scalar> evaluate(Input<Scalar> const& in) {
  Scalar const zero(0);
  Output<Scalar> out;
  out.half = axis<Scalar>(in.orientation) * (in.shaft / 2);
  out.end0 = in.position - out.half;
  out.end1 = in.position + out.half;
  for (Index i = 0; i < 3; ++i) {
    bool const rising = zero < out.half[i];
    out.box_low[i] = (rising ? out.end0[i] : out.end1[i]) - in.radius;
    out.box_high[i] = (rising ? out.end1[i] : out.end0[i]) + in.radius;
  }
  out.bounding_radius = in.radius + in.shaft / 2;
  return out;
}

}  // namespace demeter::capsule_endpoints::reference
