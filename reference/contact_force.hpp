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

/// The quantities of a step that change the spring: the motion of the bodies, and the change of stiffness.
template <class Scalar>
struct Step {
  Vector3<Scalar> n, before, mean;  ///< unit normals: now, a step ago, and their normalised mean
  Scalar angle;                     ///< twist during the step, rad
  Scalar stiffer_before, stiffer;   ///< stiffness factors a step ago and now
  bool is_new;
};

/// Returns the part of a vector perpendicular to a unit vector.
template <turning_scalar Scalar>
Vector3<Scalar> across(Vector3<Scalar> const& v, Vector3<Scalar> const& n) {
  return v - Scalar(v.dot(n)) * n;
}

/// Returns the spring after two rotations: first with the normal, then by the twist about the new normal.
template <turning_scalar Scalar>
Vector3<Scalar> turned(Step<Scalar> const& step, Vector3<Scalar> const& spring) {
  using std::cos;
  using std::sin;
  Scalar const one(1);
  Vector3<Scalar> t = across<Scalar>(spring, step.before);
  t = t - Scalar(t.dot(step.n) / (one + step.n.dot(step.before))) * (step.n + step.before);
  Vector3<Scalar> const ahead = step.n.cross(t);
  return Scalar(cos(step.angle)) * t + Scalar(sin(step.angle)) * ahead;
}

/// Returns Woo's rotation vector r = n_before x n + angle n. Woo stores the force in axes of the contact, which rotate
/// about r by the angle whose sine is |r|.
template <turning_scalar Scalar>
Vector3<Scalar> axes_rotation(Step<Scalar> const& step) {
  return step.before.cross(step.n) + step.angle * step.n;
}
template <turning_scalar Scalar>
Vector3<Scalar> with_the_axes(Step<Scalar> const& step, Vector3<Scalar> const& t) {
  using std::sqrt;
  Vector3<Scalar> const r = axes_rotation<Scalar>(step);
  Scalar const one(1), square = r.dot(r);
  Scalar const cosine = square < one ? Scalar(sqrt(Scalar(one - square))) : Scalar(0);
  return cosine * t + r.cross(t) + Scalar(r.dot(t) / (one + cosine)) * r;
}

/// Returns the spring after the rotation of the contact.
template <turning_scalar Scalar>
Vector3<Scalar> carried(Transport transport, Step<Scalar> const& step, Vector3<Scalar> const& spring) {
  switch (transport) {
    case Transport::exact:
      return turned<Scalar>(step, spring);
    case Transport::old_normal: {
      // YADE rotates by cross products, which lengthens the spring. The twist is about the old normal.
      Vector3<Scalar> const bend = step.before.cross(step.n), twist = step.angle * step.before;
      Vector3<Scalar> const t = spring - spring.cross(bend);
      return t - t.cross(twist);
    }
    case Transport::woo:
      return with_the_axes<Scalar>(step, across<Scalar>(spring, step.before));
    case Transport::project:
      return across<Scalar>(spring, step.n);
    case Transport::restore: {
      Vector3<Scalar> const flat = across<Scalar>(spring, step.n);
      Scalar const length = flat.norm();
      return Scalar(0) < length ? Vector3<Scalar>(Scalar(spring.norm() / length) * flat) : flat;
    }
    case Transport::none:
      break;
  }
  return spring;
}

/// Returns the factor by which a change of stiffness multiplies the spring. Only Hertzian contacts change their
/// stiffness.
template <turning_scalar Scalar>
Scalar remembered(Memory memory, Step<Scalar> const& step) {
  Scalar const one(1);
  bool const loads = step.stiffer_before < step.stiffer;
  switch (memory) {
    case Memory::rescaled:
      return loads ? Scalar(step.stiffer_before / step.stiffer) : one;
    case Memory::total:
      return one;
    case Memory::increment:
      return step.stiffer_before / step.stiffer;
    case Memory::shortened:
      break;
  }
  return loads ? one : Scalar(step.stiffer / step.stiffer_before);
}

/// Returns the velocity with which the spring moves.
template <turning_scalar Scalar>
Vector3<Scalar> slip_velocity(Slip slip, Step<Scalar> const& step, Vector3<Scalar> const& velocity) {
  switch (slip) {
    case Slip::both:
      return across<Scalar>(across<Scalar>(velocity, step.mean), step.n);
    case Slip::current:
      return across<Scalar>(velocity, step.n);
    case Slip::mean:
      return across<Scalar>(velocity, step.mean);
    case Slip::woo:
      break;
  }
  // The velocity is measured in axes rotated by half of the step. These axes are a_k + r/2 x a_k. They are correct to
  // first order only and are not normalised.
  Vector3<Scalar> const r = axes_rotation<Scalar>(step), half = velocity.cross(r) / Scalar(2);
  return with_the_axes<Scalar>(step, across<Scalar>(Vector3<Scalar>(velocity + half), step.before));
}

/// Returns the factor by which the overlap multiplies the damping coefficients.
template <turning_scalar Scalar>
Scalar damping_factor(Damping damping, Input<Scalar> const& in, Scalar const& stiffer) {
  using std::sqrt;
  if (in.law != ForceLaw::hertz) return Scalar(1);
  switch (damping) {
    case Damping::tsuji:
      return sqrt(stiffer);
    case Damping::constant:
      return Scalar(1);
    case Damping::viscoelastic:
      return stiffer;
    case Damping::overlap:
      break;
  }
  return stiffer * stiffer;
}

/// The tangential force, and what Coulomb's limit does to the spring.
template <class Scalar>
struct Friction {
  Vector3<Scalar> force;  ///< spring and damping
  Scalar slid;            ///< energy that the shortening of the spring dissipates
  bool limited;
};

/// Shortens the spring and the tangential force to Coulomb's limit.
template <turning_scalar Scalar>
Friction<Scalar> limited(Limit rule, Scalar const& limit, Scalar const& kt, Vector3<Scalar> const& damping,
                         bool is_damped, Vector3<Scalar>& spring) {
  Scalar const zero(0), elastic = kt * spring.norm();
  bool const of_sum = shortens_only_sum(rule);
  Friction<Scalar> is{Vector3<Scalar>::Zero(), zero, false};
  if (!of_sum && limit < elastic) {
    is.limited = true;
    is.slid = limit / kt * (elastic - limit);
    spring = Scalar(limit / elastic) * spring;
  }
  is.force = kt * spring;
  if (rule == Limit::spring || (rule == Limit::spring_damped_if_stuck && is.limited)) return is;
  is.force = is.force + damping;
  if (rule == Limit::spring_damped_if_stuck) return is;
  Scalar const size = is.force.norm();
  if (!(limit < size)) return is;
  // Without damping, the sum exceeds the limit here only by rounding.
  if (is_damped || of_sum) is.limited = true;
  is.force = Scalar(limit / size) * is.force;
  if (rule == Limit::sum && zero < kt) spring = (is.force - damping) / kt;
  if (rule == Limit::sum_without_memory && zero < kt) spring = is.force / kt;
  return is;
}

/// Returns one step of the force law that consists of these choices.
template <turning_scalar Scalar>
Output<Scalar> evaluate(Input<Scalar> const& in, Choices const& by) {
  Scalar const zero(0), two(2);
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
  Scalar const kn = in.normal_stiffness * step.stiffer, kt = in.tangential_stiffness * step.stiffer;
  Scalar const factor = damping_factor<Scalar>(by.damping, in, step.stiffer);
  Scalar const cn = damped ? Scalar(in.normal_damping * factor) : zero,
               ct = damped ? Scalar(in.tangential_damping * factor) : zero;

  // The force along the normal.
  Scalar const vn = in.velocity.dot(by.normal_velocity == NormalVelocity::mean ? step.mean : step.n),
               elastic = kn * in.uN;
  Scalar normal_force = elastic + cn * vn;
  bool const cut = by.tension == Pull::given ? in.tension == Tension::cut : by.tension == Pull::cut;
  if (cut && zero < normal_force) normal_force = zero;
  Scalar const limit = in.friction * (normal_force < zero ? Scalar(-normal_force) : normal_force);

  // The tangential spring. A new contact has a spring of length 0.
  if (!step.is_new) out.spring = carried<Scalar>(by.transport, step, given);
  if (!step.is_new && hertz) out.spring = remembered<Scalar>(by.memory, step) * out.spring;
  out.dissipated = out.dissipated - energy(step.stiffer, out.spring);
  Vector3<Scalar> const velocity = slip_velocity<Scalar>(by.slip, step, in.velocity);
  if (!step.is_new || slips(by.first_step)) out.spring = out.spring + in.dt * velocity;
  Scalar const of_slip = step.is_new && !damps(by.first_step) ? zero : ct;

  Friction<Scalar> const friction =
      limited<Scalar>(by.limit, limit, kt, Vector3<Scalar>(of_slip * velocity), zero < of_slip, out.spring);
  out.status = friction.limited ? Status::slide : Status::stick;
  out.force = normal_force * step.n + friction.force;
  out.stored =
      (hertz ? Scalar(Scalar(4) / Scalar(5)) : Scalar(1)) * kn * in.uN * in.uN / two + energy(step.stiffer, out.spring);
  Vector3<Scalar> const viscous = friction.force - kt * out.spring;
  out.dissipated = out.dissipated + friction.slid + in.dt * (viscous.dot(velocity) + (normal_force - elastic) * vn);
  return out;
}

/// The recommended law.
template <turning_scalar Scalar>
Output<Scalar> evaluate(Input<Scalar> const& in) {
  return evaluate<Scalar>(in, laws::demeter);
}

}  // namespace demeter::contact_force::reference
