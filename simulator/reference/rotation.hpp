// Rotates a body for one step. Its angular momentum L about the centre of mass is constant in this step. Source:
// docs/mathematics/simulator.md#rotation.
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

/// Rotates a sphere, whose angular velocity is constant.
template <turning_scalar Scalar>
Rotated<Scalar> rotate_sphere(Quaternion<Scalar> const& q, Vector3<Scalar> const& spin, Scalar const& dt) {
  return {normalised<Scalar>(product<Scalar>(exponential<Scalar>(Vector3<Scalar>(dt * spin)), q)), spin};
}

/// Rotates about the axes of the body in turn: x for dt/2, y for dt/2, z for dt, y for dt/2, x for dt/2. Each of these
/// rotations is exact. Dullweber, Leimkuhler, McLachlan 1997, Symplectic splitting methods for rigid body molecular
/// dynamics.
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
    // The momentum is constant in the global frame. In the frame of the body it therefore rotates backwards.
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

/// Finds the angular velocity w in the middle of the step by fixed-point iteration. The orientation there is q_h = q
/// exp(dt w/2), and w = I^-1 R(q_h)^T L.
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
    // Stops when the change no longer decreases: only rounding errors remain.
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

/// Rotates with dq/dt in the middle of the step. The orientation in the middle comes from half a step with dq/dt at the
/// start. The angular velocity in the middle comes from this orientation and L. After Fincham 1992, Leapfrog rotational
/// algorithms.
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

/// Returns the angular momentum after a kick, by the method SPIRAL of Del Valle and others 2023. Euler's equations with
/// a constant torque change the spin in the frame of the body. A Runge-Kutta method of order 3 integrates them. `R`
/// does not change: L = R I w before and after the kick. `time` may be half a step, or negative.
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

/// Rotates by the method of Del Valle and others. The spin is constant in the frame of the body, so the momentum
/// rotates with the body. Stores the new momentum in `L`.
template <turning_scalar Scalar>
Rotated<Scalar> rotate_delvalle(Quaternion<Scalar> const& q, Matrix3<Scalar> const& R, Vector3<Scalar> const& moments,
                                Scalar const& dt, Vector3<Scalar>& L) {
  Vector3<Scalar> const of_body = R.transpose() * L, w = over_moments<Scalar>(of_body, moments);
  Vector3<Scalar> const turned = dt * w;
  Quaternion<Scalar> const next = normalised<Scalar>(product<Scalar>(q, exponential<Scalar>(turned)));
  L = rotation_matrix<Scalar>(next) * of_body;
  // The body rotates about this axis, so the angular velocity is constant in the global frame too.
  return {next, R * w};
}

/// Rotates as Woo does. The method has order 1, because it combines the momentum in the middle of the step with the
/// orientation at the start. The quaternion in the middle is not normalised. The angular velocity is transformed to the
/// global frame with the new quaternion before its normalisation. `L_now` is the momentum at the start.
template <turning_scalar Scalar>
Rotated<Scalar> rotate_woo(Quaternion<Scalar> const& q, Vector3<Scalar> const& moments, Vector3<Scalar> const& L_now,
                           Vector3<Scalar> const& L, Scalar const& dt) {
  Scalar const two(2), half_step = dt / two;
  Matrix3<Scalar> const R = rotation_matrix<Scalar>(q);
  Vector3<Scalar> const w_now = over_moments<Scalar>(R.transpose() * L_now, moments),
                        w = over_moments<Scalar>(R.transpose() * L, moments);
  Quaternion<Scalar> const middle = q + half_step * derivative<Scalar>(q, w_now);
  Quaternion<Scalar> const next = q + dt * derivative<Scalar>(middle, w);
  // Rotates w to the global frame: w + 2 q_0 (u x w) + 2 u x (u x w). The length of the quaternion (q_0, u) is not
  // exactly 1.
  Vector3<Scalar> const u(next[1], next[2], next[3]), twice = two * u.cross(w);
  Vector3<Scalar> const spin = w + next[0] * twice + u.cross(twice);
  return {normalised<Scalar>(next), spin};
}

}  // namespace demeter::simulator::reference
