// Reference: one step of a force law at one contact. Source: docs/mathematics/forces.md#contact_force.
#pragma once

#include "reference/spec/contact_force.hpp"

namespace demeter::contact_force::reference {

/// Returns the factor by which the overlap multiplies the stiffnesses.
template <turning_scalar Scalar>
Scalar stiffening(Input<Scalar> const& in, Scalar const& overlap) {
  using std::sqrt;
  return in.law == ForceLaw::hertz ? Scalar(sqrt(Scalar(overlap / in.radius))) : Scalar(1);
}

/// The quantities of a step that change the spring: the motion of the bodies, and the change of stiffness. Formulas of
/// other codes differ only in how they use these quantities.
template <class Scalar>
struct Step {
  Vector3<Scalar> n, before, mean;  ///< unit normals: now, a step ago, and their normalised mean
  Scalar angle;                     ///< twist during the step, rad
  Scalar stiffer_before, stiffer;   ///< stiffness factors a step ago and now
  bool is_new;
};

/// Returns the spring after two rotations: first with the normal, then by the twist about the new normal.
template <turning_scalar Scalar>
Vector3<Scalar> turned(Step<Scalar> const& step, Vector3<Scalar> const& spring) {
  using std::cos;
  using std::sin;
  Scalar const one(1), along = spring.dot(step.before);
  Vector3<Scalar> t = spring - along * step.before;
  t = t - Scalar(t.dot(step.n) / (one + step.n.dot(step.before))) * (step.n + step.before);
  Vector3<Scalar> const across = step.n.cross(t);
  return Scalar(cos(step.angle)) * t + Scalar(sin(step.angle)) * across;
}

/// Returns the spring after a change of stiffness. If the contact becomes stiffer, the force is kept. If it becomes
/// softer, the spring is kept.
template <turning_scalar Scalar>
Vector3<Scalar> rescaled(Step<Scalar> const& step, Vector3<Scalar> const& spring) {
  if (!(step.stiffer_before < step.stiffer)) return spring;
  return Scalar(step.stiffer_before / step.stiffer) * spring;
}

/// Returns the part of a velocity perpendicular to a unit vector.
template <turning_scalar Scalar>
Vector3<Scalar> across(Vector3<Scalar> const& velocity, Vector3<Scalar> const& n) {
  return velocity - Scalar(velocity.dot(n)) * n;
}

/// Says which quantities Coulomb's limit shortens. spring_first: first the spring, then the sum of the spring force and
/// the damping force. sum: only this sum. The spring is then computed from the shortened sum minus the damping force.
enum class Cut { spring_first, sum };

/// Returns one step with given rules for the spring. `carry(step, spring)` returns the rotated spring, `rescale(step,
/// spring)` the spring after the change of stiffness, and `slip_velocity(step, velocity)` the rate of change of the
/// spring.
template <turning_scalar Scalar, class Carry, class Rescale, class Slip>
Output<Scalar> evaluate_with(Input<Scalar> const& in, Carry const& carry, Rescale const& rescale,
                             Slip const& slip_velocity, Cut cut = Cut::spring_first) {
  using std::sqrt;
  Scalar const zero(0), one(1), two(2);
  bool const hertz = in.law == ForceLaw::hertz, damped = in.law != ForceLaw::linear;
  Step<Scalar> step;
  step.n = in.normal / in.normal.norm();
  step.before = in.normal_before / in.normal_before.norm();
  Vector3<Scalar> const sum = step.n + step.before;
  step.mean = sum / sum.norm();
  step.angle = in.dt * in.twist;
  step.is_new = !(in.uN_before < zero);
  step.stiffer_before = step.is_new ? zero : stiffening<Scalar>(in, -in.uN_before);
  Vector3<Scalar> const given = step.is_new ? Vector3<Scalar>(Vector3<Scalar>::Zero()) : in.spring;
  Vector3<Scalar> const tangential = across<Scalar>(given, step.before);
  auto const energy = [&](Scalar const& stiffer, Vector3<Scalar> const& spring) {
    return Scalar(in.tangential_stiffness * stiffer * spring.dot(spring) / two);
  };
  Output<Scalar> out{Vector3<Scalar>::Zero(), Vector3<Scalar>::Zero(), zero, energy(step.stiffer_before, tangential),
                     Status::apart};
  if (!(in.uN < zero)) return out;

  step.stiffer = stiffening<Scalar>(in, -in.uN);
  Scalar const softer = hertz ? Scalar(sqrt(step.stiffer)) : one;
  Scalar const kn = in.normal_stiffness * step.stiffer, kt = in.tangential_stiffness * step.stiffer;
  Scalar const cn = damped ? Scalar(in.normal_damping * softer) : zero,
               ct = damped ? Scalar(in.tangential_damping * softer) : zero;

  // The force along the normal.
  Scalar const vn = in.velocity.dot(step.mean), elastic = kn * in.uN;
  Scalar normal_force = elastic + cn * vn;
  if (in.tension == Tension::cut && zero < normal_force) normal_force = zero;
  Scalar const limit = in.friction * (normal_force < zero ? Scalar(-normal_force) : normal_force);

  // The tangential spring.
  Vector3<Scalar> const carried = rescale(step, Vector3<Scalar>(carry(step, given)));
  out.dissipated = out.dissipated - energy(step.stiffer, carried);
  Vector3<Scalar> const velocity = slip_velocity(step, in.velocity);
  out.spring = carried + in.dt * velocity;
  Scalar const trial = kt * out.spring.norm();
  out.status = Status::stick;
  if (cut == Cut::spring_first && limit < trial) {
    out.status = Status::slide;
    out.dissipated = out.dissipated + limit / kt * (trial - limit);
    out.spring = Scalar(limit / trial) * out.spring;
  }

  // The tangential force.
  Vector3<Scalar> const spring_force = kt * out.spring;
  Vector3<Scalar> tangential_force = spring_force + ct * velocity;
  Scalar const size = tangential_force.norm();
  if (limit < size) {
    // Without damping, the force exceeds the limit here only by rounding.
    if (zero < ct || cut == Cut::sum) out.status = Status::slide;
    tangential_force = Scalar(limit / size) * tangential_force;
    if (cut == Cut::sum && zero < kt) out.spring = (tangential_force - ct * velocity) / kt;
  }
  out.force = normal_force * step.n + tangential_force;
  out.stored =
      (hertz ? Scalar(Scalar(4) / Scalar(5)) : one) * kn * in.uN * in.uN / two + energy(step.stiffer, out.spring);
  Vector3<Scalar> const viscous = tangential_force - spring_force;
  out.dissipated = out.dissipated + in.dt * (viscous.dot(velocity) + (normal_force - elastic) * vn);
  return out;
}

template <turning_scalar Scalar>
Output<Scalar> evaluate(Input<Scalar> const& in) {
  return evaluate_with<Scalar>(in, turned<Scalar>, rescaled<Scalar>,
                               [](Step<Scalar> const& step, Vector3<Scalar> const& velocity) {
                                 return across<Scalar>(across<Scalar>(velocity, step.mean), step.n);
                               });
}

}  // namespace demeter::contact_force::reference
