// Moves an orientation through a step in which the angular momentum L about the centre of mass is constant.
// Source: docs/mathematics/simulator.md#rotation.
#pragma once

#include "simulator/reference/quaternion.hpp"
#include "simulator/spec/scene.hpp"

namespace demeter::simulator::reference {

/// Returns I^-1 v in the principal axes.
template <turning_scalar Scalar>
Vector3<Scalar> over_moments(Vector3<Scalar> const& v, Vector3<Scalar> const& moments) {
  return {v[0] / moments[0], v[1] / moments[1], v[2] / moments[2]};
}

/// Returns the angular velocity R I^-1 R^T L in the global frame.
template <turning_scalar Scalar>
Vector3<Scalar> spin_of(Matrix3<Scalar> const& R, Vector3<Scalar> const& moments, Vector3<Scalar> const& L) {
  return R * over_moments<Scalar>(R.transpose() * L, moments);
}

/// The orientation after a step and the angular velocity in the middle of the step.
template <class Scalar>
struct Rotated {
  Quaternion<Scalar> orientation;
  Vector3<Scalar> spin;
};

/// Rotates a sphere about a fixed axis.
template <turning_scalar Scalar>
Rotated<Scalar> rotate_sphere(Quaternion<Scalar> const& q, Vector3<Scalar> const& spin, Scalar const& dt) {
  return {normalised<Scalar>(product<Scalar>(exponential<Scalar>(Vector3<Scalar>(dt * spin)), q)), spin};
}

/// Rotates about one axis of the body after the other: x dt/2, y dt/2, z dt, y dt/2, x dt/2. Each rotation is exact.
/// Dullweber, Leimkuhler, McLachlan 1997, Symplectic splitting methods for rigid body molecular dynamics.
template <turning_scalar Scalar>
Rotated<Scalar> rotate_dlm(Quaternion<Scalar> const& q, Matrix3<Scalar> const& R, Vector3<Scalar> const& moments,
                           Vector3<Scalar> const& L, Scalar const& dt) {
  Scalar const zero(0), one(1), two(2);
  Vector3<Scalar> of_body = R.transpose() * L;
  Quaternion<Scalar> turned = q;
  auto const about = [&](Index k, Scalar const& time) {
    auto const [s, c] = half_turn<Scalar>(Scalar(time * of_body[k] / moments[k] / two));
    Quaternion<Scalar> by(c, zero, zero, zero);
    by[k + 1] = s;
    turned = product<Scalar>(turned, by);
    // The momentum is constant in the global frame, so that it turns backwards in the frame of the body.
    Scalar const sine = two * s * c, cosine = one - two * s * s;
    Index const i = (k + 1) % 3, j = (k + 2) % 3;
    Scalar const Li = of_body[i], Lj = of_body[j];
    of_body[i] = cosine * Li + sine * Lj;
    of_body[j] = cosine * Lj - sine * Li;
  };
  Scalar const half_step = dt / two;
  about(0, half_step);
  about(1, half_step);
  about(2, dt);
  about(1, half_step);
  about(0, half_step);
  turned = normalised<Scalar>(turned);
  return {turned,
          spin_of<Scalar>(rotation_matrix<Scalar>(normalised<Scalar>(Quaternion<Scalar>(q + turned))), moments, L)};
}

/// Solves w = I^-1 q_h* L at the orientation q_h = q exp(dt w/2) in the middle of the step by fixed-point iteration.
template <turning_scalar Scalar>
Rotated<Scalar> rotate_midpoint(Quaternion<Scalar> const& q, Vector3<Scalar> const& moments, Vector3<Scalar> const& L,
                                Scalar const& dt) {
  Scalar const half_step = dt / Scalar(2);
  auto const spin_at = [&](Quaternion<Scalar> const& orientation) {
    return over_moments<Scalar>(rotation_matrix<Scalar>(orientation).transpose() * L, moments);
  };
  Vector3<Scalar> w = spin_at(q);
  Quaternion<Scalar> middle = q;
  Scalar change_before(-1);
  for (int iteration = 0; iteration < 10000; ++iteration) {
    middle = normalised<Scalar>(product<Scalar>(q, exponential<Scalar>(Vector3<Scalar>(half_step * w))));
    Vector3<Scalar> const next = spin_at(middle), difference = next - w;
    Scalar const change = difference.dot(difference);
    w = next;
    // The change shrinks until only rounding errors remain.
    if (!(Scalar(0) < change) || (!(change_before < Scalar(0)) && !(change < change_before))) break;
    change_before = change;
  }
  return {normalised<Scalar>(product<Scalar>(q, exponential<Scalar>(Vector3<Scalar>(dt * w)))),
          rotation_matrix<Scalar>(middle) * w};
}

/// Returns dq/dt = q (0, w) / 2, with w in the frame of the body.
template <turning_scalar Scalar>
Quaternion<Scalar> derivative(Quaternion<Scalar> const& q, Vector3<Scalar> const& w) {
  Scalar const zero(0), two(2);
  return product<Scalar>(q, Quaternion<Scalar>(zero, w[0], w[1], w[2])) / two;
}

/// Uses momentum and derivative at the orientation in the middle of the step, which comes from a first half step. After
/// Fincham 1992, Leapfrog rotational algorithms.
template <turning_scalar Scalar>
Rotated<Scalar> rotate_fincham(Quaternion<Scalar> const& q, Vector3<Scalar> const& moments, Vector3<Scalar> const& L,
                               Scalar const& dt) {
  Scalar const half_step = dt / Scalar(2);
  auto const spin_at = [&](Quaternion<Scalar> const& orientation) {
    return over_moments<Scalar>(rotation_matrix<Scalar>(orientation).transpose() * L, moments);
  };
  Quaternion<Scalar> const middle =
      normalised<Scalar>(Quaternion<Scalar>(q + half_step * derivative<Scalar>(q, spin_at(q))));
  Vector3<Scalar> const w = spin_at(middle);
  return {normalised<Scalar>(Quaternion<Scalar>(q + dt * derivative<Scalar>(middle, w))),
          rotation_matrix<Scalar>(middle) * w};
}

/// Returns the angular momentum after a kick by the method of Del Valle and others 2023, SPIRAL. The spin in the frame
/// of the body changes by Euler's equations with the torque of the step. The equations are integrated by a Runge-Kutta
/// method of order 3. `L` is R I w, with R at the step, before and after. `time` may be half a step, or negative.
template <turning_scalar Scalar>
Vector3<Scalar> kick_delvalle(Matrix3<Scalar> const& R, Vector3<Scalar> const& moments, Vector3<Scalar> const& torque,
                              Scalar const& time, Vector3<Scalar> const& L) {
  Scalar const four(4), six(6);
  Vector3<Scalar> const own_torque = R.transpose() * torque;
  auto const change = [&](Vector3<Scalar> const& w) {
    Vector3<Scalar> by;
    for (Index k = 0; k < 3; ++k) {
      Index const i = (k + 1) % 3, j = (k + 2) % 3;
      by[k] = time * (own_torque[k] + (moments[i] - moments[j]) * w[i] * w[j]) / moments[k];
    }
    return by;
  };
  Vector3<Scalar> const w = over_moments<Scalar>(R.transpose() * L, moments);
  Vector3<Scalar> const first = change(w), second = change(Vector3<Scalar>(w + first)),
                        third = change(Vector3<Scalar>(w + (first + second) / four));
  Vector3<Scalar> after = w + (first + second + four * third) / six;
  for (Index k = 0; k < 3; ++k) after[k] = after[k] * moments[k];
  return R * after;
}

/// Drift of the same method: the spin is constant in the frame of the body. The momentum turns with the body. The new
/// momentum is stored in `L`.
template <turning_scalar Scalar>
Rotated<Scalar> rotate_delvalle(Quaternion<Scalar> const& q, Matrix3<Scalar> const& R, Vector3<Scalar> const& moments,
                                Scalar const& dt, Vector3<Scalar>& L) {
  Vector3<Scalar> const of_body = R.transpose() * L, w = over_moments<Scalar>(of_body, moments);
  Vector3<Scalar> const turned = dt * w;
  Quaternion<Scalar> const next = normalised<Scalar>(product<Scalar>(q, exponential<Scalar>(turned)));
  L = rotation_matrix<Scalar>(next) * of_body;
  // The angular velocity is the same in both halves of the step, because the body turns about this axis.
  return {next, R * w};
}

/// Rotates as Woo does. The momentum in the middle of the step is used in the frame at the beginning of the step, so
/// that the method has order 1. The quaternion in the middle is not normalised. The angular velocity is in the frame of
/// the new quaternion before its normalisation. `L_now` is the momentum at the beginning.
template <turning_scalar Scalar>
Rotated<Scalar> rotate_woo(Quaternion<Scalar> const& q, Vector3<Scalar> const& moments, Vector3<Scalar> const& L_now,
                           Vector3<Scalar> const& L, Scalar const& dt) {
  Scalar const two(2), half_step = dt / two;
  Matrix3<Scalar> const R = rotation_matrix<Scalar>(q);
  Vector3<Scalar> const w_now = over_moments<Scalar>(R.transpose() * L_now, moments),
                        w = over_moments<Scalar>(R.transpose() * L, moments);
  Quaternion<Scalar> const middle = q + half_step * derivative<Scalar>(q, w_now);
  Quaternion<Scalar> const next = q + dt * derivative<Scalar>(middle, w);
  // v + 2 w (u x v) + 2 u x (u x v), where the length of the quaternion (w, u) is not exactly 1.
  Vector3<Scalar> const u(next[1], next[2], next[3]), twice = two * u.cross(w);
  Vector3<Scalar> const spin = w + next[0] * twice + u.cross(twice);
  return {normalised<Scalar>(next), spin};
}

}  // namespace demeter::simulator::reference
