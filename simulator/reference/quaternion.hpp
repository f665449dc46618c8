// Unit quaternions (w, x, y, z). They rotate from the frame of a body to the global frame. Source:
// docs/mathematics/simulator.md#rotation.
#pragma once

#include "reference/core/scalars.hpp"
#include "reference/spec/core/contract.hpp"

namespace demeter::simulator::reference {

template <turning_scalar Scalar>
Quaternion<Scalar> product(Quaternion<Scalar> const& p, Quaternion<Scalar> const& q) {
  return {p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3], p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
          p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1], p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0]};
}

template <turning_scalar Scalar>
Quaternion<Scalar> normalised(Quaternion<Scalar> const& q) {
  return q / q.norm();
}

/// Sine and cosine of half an angle. If half the angle is between -1 and 1, the cosine is computed from the sine by a
/// square root. With many digits, the square root takes a fraction of the time of a second series and is equally
/// accurate.
template <class Scalar>
struct Half {
  Scalar sine, cosine;
};
template <turning_scalar Scalar>
Half<Scalar> half_turn(Scalar const& half) {
  using std::cos;
  using std::sin;
  using std::sqrt;
  Scalar const one(1), s = sin(half);
  if (half < one && -one < half) return {s, Scalar(sqrt(Scalar((one - s) * (one + s))))};
  return {s, Scalar(cos(half))};
}

/// Returns the rotation by the angle |turn| about the axis `turn`.
template <turning_scalar Scalar>
Quaternion<Scalar> exponential(Vector3<Scalar> const& turn) {
  Scalar const zero(0), angle = turn.norm();
  if (!(zero < angle)) return {Scalar(1), zero, zero, zero};
  Half<Scalar> const half = half_turn<Scalar>(Scalar(angle / Scalar(2)));
  Scalar const share = half.sine / angle;
  return {half.cosine, share * turn[0], share * turn[1], share * turn[2]};
}

/// Returns the rotation matrix of a unit quaternion.
template <turning_scalar Scalar>
Matrix3<Scalar> rotation_matrix(Quaternion<Scalar> const& q) {
  Scalar const one(1), two(2), w = q[0], x = q[1], y = q[2], z = q[3];
  Scalar const xx = x * x, yy = y * y, zz = z * z, xy = x * y, xz = x * z, yz = y * z, wx = w * x, wy = w * y,
               wz = w * z;
  return {one - two * (yy + zz), two * (xy - wz), two * (xz + wy), two * (xy + wz),      one - two * (xx + zz),
          two * (yz - wx),       two * (xz - wy), two * (yz + wx), one - two * (xx + yy)};
}

}  // namespace demeter::simulator::reference
