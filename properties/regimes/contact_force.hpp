// Regimes of one step of a force law at one contact.
#pragma once

#include "kernels/law.hpp"
#include "properties/core/generators.hpp"
#include "reference/spec/contact_force.hpp"

namespace demeter::contact_force::properties {

using Case = Input<double>;
using Direction = Vector3<double>;

/// Ranges of the quantities that `contact` draws. The numbers are exponents of ten.
struct Ranges {
  double turn_low = -6, turn_high = -1;        ///< rotation of the normal and twist about it in one step, in radians
  double slip_low = -4, slip_high = -0.5;      ///< velocity times dt, divided by the overlap
  double spring_low = -2, spring_high = -0.1;  ///< length of the spring, divided by its length at Coulomb's bound
  double damping_low = -3, damping_high = 0;   ///< damping force, divided by the elastic force
};

inline ForceLaw any_law(Random& random) { return static_cast<ForceLaw>(random.integer(0, 2)); }

/// Returns a contact with a radius of 0.2 to 1. `sized` scales it to an everyday size later.
inline Case contact(Random& random, ForceLaw law, Ranges const& of) {
  Case in;
  in.law = law;
  in.normal_stiffness = random.log_uniform(2, 8);
  in.tangential_stiffness = in.normal_stiffness * random.uniform(0.1, 1);
  in.friction = random.log_uniform(-1, 0.2);
  in.tension = random.chance(0.5) ? Tension::cut : Tension::allowed;
  in.radius = random.uniform(0.2, 1);
  in.dt = random.log_uniform(-7, -4);
  double const overlap = in.radius * random.log_uniform(-6, -1);
  in.uN = -overlap;
  in.uN_before = -overlap * random.uniform(0.6, 1.4);
  in.normal_before = unit_direction(random);
  double const turn = random.log_uniform(of.turn_low, of.turn_high);
  Direction const aside = turn * unit_perpendicular(in.normal_before, random);
  Direction const turned = in.normal_before + aside;
  double const length = turned.norm();
  in.normal = turned / length;
  double const speed = overlap * random.log_uniform(of.slip_low, of.slip_high) / in.dt;
  in.velocity = speed * unit_direction(random);
  double const angle = random.log_uniform(of.turn_low, of.turn_high), sense = random.sign();
  in.twist = sense * angle / in.dt;
  double const at_bound = in.friction * in.normal_stiffness * overlap / in.tangential_stiffness;
  double const spring = at_bound * random.log_uniform(of.spring_low, of.spring_high);
  in.spring = spring * unit_perpendicular(in.normal_before, random);
  double const force = in.normal_stiffness * overlap;
  in.normal_damping = force / speed * random.log_uniform(of.damping_low, of.damping_high);
  in.tangential_damping = force / speed * random.log_uniform(of.damping_low, of.damping_high);
  return in;
}

inline Case draw_typical(Random& random) {
  ForceLaw const law = any_law(random);
  return contact(random, law, {});
}
/// Draws sliding contacts. The spring is 0.5 to 30 times as long as friction allows. A shorter spring may become too
/// long in this step.
inline Case draw_sliding(Random& random) {
  ForceLaw const law = any_law(random);
  return contact(random, law, {.slip_low = -1, .slip_high = 0.5, .spring_low = -0.3, .spring_high = 1.5});
}
inline Case draw_rolling(Random& random) {
  ForceLaw const law = any_law(random);
  return contact(random, law, {.turn_low = -3, .turn_high = -0.2});
}
/// Draws damping forces that are about as large as the elastic forces, so that the normal force can change its sign.
inline Case draw_damped(Random& random) {
  ForceLaw const law = random.chance(0.5) ? ForceLaw::dashpot : ForceLaw::hertz;
  return contact(random, law, {.damping_low = -0.7, .damping_high = 1});
}

inline Case draw_first_touch(Random& random) {
  Case in = draw_typical(random);
  double const before = random.chance(0.5) ? random.uniform(0, 2) : off_a_threshold(random);
  in.uN_before = before * -in.uN;
  if (random.chance(0.5)) in.spring.setZero();
  in.normal_before = in.normal;
  return in;
}
/// Draws contacts that end or nearly end in this step: the bodies separate, touch, or still overlap slightly. If they
/// do not overlap, the spring must be released.
inline Case draw_parting(Random& random) {
  Case in = draw_typical(random);
  double const off = random.chance(0.2) ? random.log_uniform(-16, 0) : off_a_threshold(random);
  in.uN *= -off;
  return in;
}
/// Draws damping forces that nearly cancel the elastic forces, so that the normal force may have either sign. The
/// normal does not rotate.
inline Case draw_just_pulling(Random& random) {
  Case in = draw_damped(random);
  in.normal_before = in.normal;
  double const along = in.velocity.dot(in.normal), off = off_a_threshold(random);
  if (along < 0) in.velocity = -in.velocity;
  // In Hertz's law, the factor of the stiffness is s and the factor of the damping is sqrt(s).
  double const s = in.law == ForceLaw::hertz ? std::sqrt(-in.uN / in.radius) : 1;
  if (along != 0) in.normal_damping = in.normal_stiffness * std::sqrt(s) * -in.uN / std::fabs(along) * (1 + off);
  return in;
}
/// Draws contacts along the axes with numbers of few bits. The tangential force is exactly at Coulomb's bound. It is
/// the force of the spring alone, or half of it is damping. In some cases the friction is then changed by a relative
/// 1e-15 to 1e-3, or the spring and the overlap by ulps.
inline Case draw_at_the_bound(Random& random) {
  Case in;
  in.law = random.chance(0.5) ? ForceLaw::linear : ForceLaw::dashpot;
  in.normal_stiffness = static_cast<double>(random.integer(1, 8));
  in.tangential_stiffness = static_cast<double>(random.integer(1, 8));
  in.normal_damping = 0;
  in.tangential_damping = random.chance(0.5) ? 0 : 1;
  in.friction = 0.5;
  in.tension = Tension::cut;
  in.radius = 1;
  in.dt = 0x1p-10;
  std::int64_t const axis = random.integer(0, 2), size = random.integer(1, 8);
  double const sense = random.sign();
  in.normal.setZero();
  in.normal[axis] = sense;
  in.normal_before = in.normal;
  in.twist = 0;
  // The spring has the components 3 and 4 and the length 5 in units of `length`, so that kt |spring| = mu kn overlap.
  double const length = static_cast<double>(size) / 16, one = random.sign(), other = random.sign();
  in.uN = in.uN_before = -10 * length * in.tangential_stiffness / in.normal_stiffness;
  in.spring.setZero();
  in.spring[(axis + 1) % 3] = 3 * one * length;
  in.spring[(axis + 2) % 3] = 4 * other * length;
  in.velocity.setZero();
  if (random.chance(0.3)) in.velocity[axis] = 1;
  if (in.tangential_damping > 0 && random.chance(0.5)) {
    Direction const half = in.spring / 2, slip = in.tangential_stiffness * half;
    in.spring = half - in.dt * slip;
    in.velocity += slip;
  }
  in.friction *= 1 + (random.chance(0.3) ? 0 : off_a_threshold(random));
  if (random.chance(0.3)) {
    in.spring = nudge(in.spring, random, 2);
    in.uN = random.nudge(in.uN, 2);
  }
  return in;
}
/// Draws contacts in which some quantities are zero or nearly zero: friction, tangential stiffness, damping, velocity,
/// twist, spring, or the rotation of the normal.
inline Case draw_without(Random& random) {
  Case in = draw_typical(random);
  auto const little = [&] { return random.chance(0.5) ? 0 : std::fabs(off_a_threshold(random)); };
  for (auto const member :
       {&Case::friction, &Case::tangential_stiffness, &Case::normal_damping, &Case::tangential_damping, &Case::twist})
    if (random.chance(0.3)) in.*member *= little();
  if (random.chance(0.3)) in.velocity *= little();
  if (random.chance(0.3)) in.spring *= little();
  if (random.chance(0.3)) {
    double const turn = little();
    in.normal_before = in.normal + turn * unit_perpendicular(in.normal, random);
  }
  return in;
}
inline Case draw_head_on(Random& random) {
  Case in = draw_damped(random);
  double const speed = in.velocity.norm(), sign = random.sign();
  in.normal_before = in.normal;
  in.velocity = sign * speed * in.normal;
  return in;
}
/// Draws springs nearly along the normal, although a spring should be tangential. The tangential part is 1e-16 to 0.01
/// of the length of the spring.
inline Case draw_misled(Random& random) {
  Case in = draw_typical(random);
  double const size = in.spring.norm(), along = size * random.sign(), left = random.log_uniform(-16, -2);
  Direction const across = left * in.spring;
  in.spring = along * in.normal_before + across;
  return in;
}
inline Case draw_lattice(Random& random) {
  auto const whole = [&](std::int64_t low, std::int64_t high) {
    return static_cast<double>(random.integer(low, high));
  };
  auto const point = [&] {
    double const x = whole(-2, 2), y = whole(-2, 2), z = whole(-2, 2);
    return Direction(x, y, z);
  };
  Case in;
  in.law = any_law(random);
  in.normal_stiffness = whole(1, 3);
  in.tangential_stiffness = whole(0, 3);
  in.normal_damping = whole(0, 3);
  in.tangential_damping = whole(0, 3);
  in.friction = whole(0, 2) / 2;
  in.tension = random.chance(0.5) ? Tension::cut : Tension::allowed;
  in.radius = whole(1, 4);
  in.dt = 0.25;
  in.uN = whole(-4, 0);
  in.uN_before = whole(-4, 0);
  do {
    in.normal = point();
    in.normal_before = point();
  } while (!(in.normal.dot(in.normal_before) > 0));
  in.velocity = point();
  in.twist = whole(-3, 3);
  in.spring = point();
  return in;
}
/// Draws large rotations: the normal rotates by 0.1 to 1 radian per step, and the twist about the normal is also 0.1 to
/// 1 radian.
inline Case draw_wide_turns(Random& random) {
  ForceLaw const law = any_law(random);
  return contact(random, law, {.turn_low = -1, .turn_high = 0});
}
/// Draws contacts whose normal and overlap do not change. The four draws below isolate one part of a law each.
inline Case at_rest(Random& random, ForceLaw law, Ranges const& of) {
  Case in = contact(random, law, of);
  in.normal = in.normal_before;
  in.uN_before = in.uN;
  in.twist = 0;
  in.velocity.setZero();
  return in;
}
inline Case draw_pure_twist(Random& random) {
  ForceLaw const law = any_law(random);
  Case in = at_rest(random, law, {});
  double const angle = random.log_uniform(-3, -0.3), sense = random.sign();
  in.twist = sense * angle / in.dt;
  return in;
}
inline Case draw_pure_roll(Random& random) {
  ForceLaw const law = any_law(random);
  Case in = at_rest(random, law, {});
  double const turn = random.log_uniform(-3, -0.3);
  Direction const turned = in.normal_before + turn * unit_perpendicular(in.normal_before, random);
  in.normal = turned / turned.norm();
  return in;
}
inline Case draw_loading(Random& random) {
  Case in = at_rest(random, ForceLaw::hertz, {});
  in.uN_before = in.uN * random.uniform(0.25, 4);
  return in;
}
/// Draws contacts without a spring, with damping forces of 0.2 to 10 times the elastic force. In half of the cases the
/// friction is too large to matter.
inline Case draw_damping_alone(Random& random) {
  ForceLaw const law = random.chance(0.5) ? ForceLaw::dashpot : ForceLaw::hertz;
  Case in = at_rest(random, law, {.damping_low = -0.7, .damping_high = 1});
  double const speed = in.normal_stiffness * -in.uN / in.normal_damping * random.log_uniform(-0.7, 1);
  in.velocity = speed * unit_direction(random);
  in.spring.setZero();
  if (random.chance(0.5)) in.friction = 1000;
  return in;
}
inline Case draw_global_scale(Random& random) {
  Case const in = random.chance(0.5) ? draw_typical(random) : draw_sliding(random);
  auto const power = [&] { return std::ldexp(1.0, static_cast<int>(random.integer(-30, 30))); };
  double const metre = power(), kilogram = power(), second = power();
  return scaled_by(in, metre, kilogram, second);
}
/// Draws cases in which each number has its own magnitude. The components of a vector share one factor.
inline Case draw_mixed_scale(Random& random) {
  Case in = draw_lattice(random);
  auto const factor = [&] { return random.log_uniform(-50, 50); };
  in.normal_stiffness *= factor();
  in.tangential_stiffness *= factor();
  in.normal_damping *= factor();
  in.tangential_damping *= factor();
  in.friction *= factor();
  in.radius *= factor();
  in.uN *= factor();
  in.uN_before *= factor();
  in.velocity *= factor();
  in.spring *= factor();
  double const dt = factor();
  in.dt *= dt;
  in.twist /= dt;
  return in;
}

inline std::span<Regime<Case> const> regimes() {
  static Regime<Case> const list[] = {
      {"typical", Profile::everyday,
       "overlaps of 1e-6 to 0.1 radii, any law, the spring below Coulomb's bound; radii of 10 um to 10 m",
       sized<draw_typical>},
      {"sliding", Profile::everyday, "the spring, or its growth in the step, is up to thirty times Coulomb's bound",
       sized<draw_sliding>},
      {"rolling", Profile::everyday, "the normal rotates by 1e-3 to 0.6 rad per step", sized<draw_rolling>},
      {"damped", Profile::everyday, "damping forces of 0.2 to 10 times the elastic force", sized<draw_damped>},
      {"first_touch", Profile::degenerate,
       "in the step before, the bodies were separated, touching or overlapping by 1e-15 to 1e-3 of the present overlap",
       sized<draw_first_touch>},
      {"parting", Profile::degenerate, "separated, touching or overlapping by 1e-15 to 1e-3 of the previous overlap",
       sized<draw_parting>},
      {"at_the_bound", Profile::degenerate,
       "small integers: the tangential force is Coulomb's bound, exactly or up to some ulps or 1e-15 to 1e-3",
       sized_exactly<draw_at_the_bound>},
      {"without", Profile::degenerate,
       "friction, stiffness, damping, velocity, twist, spring or rotation is 0, or 1e-15 to 1e-3 times as large",
       sized<draw_without>},
      {"head_on", Profile::degenerate, "the velocity is along the normal, which does not rotate", sized<draw_head_on>},
      {"misled", Profile::degenerate, "the spring is along the normal up to 1e-16 to 1e-2", sized<draw_misled>},
      {"lattice", Profile::degenerate, "small whole numbers: ties and zeros of every kind",
       sized_exactly<draw_lattice>},
      {"wide_turns", Profile::extreme, "rotations of 0.1 to 1 rad per step", draw_wide_turns},
      {"global_scale", Profile::extreme, "metre, kilogram and second times 2^-30 to 2^30", draw_global_scale},
      {"mixed_scale", Profile::extreme, "each quantity has its own magnitude, 1e-50 to 1e50", draw_mixed_scale},
      {"signed_zeros", Profile::degenerate, "some numbers are -0",
       with_negative_zeros<Contract, sized_exactly<draw_lattice>>},
      {"just_pulling", Profile::degenerate,
       "the damping force equals the elastic force, exactly or up to 1e-15 to 1e-3", sized<draw_just_pulling>},
      {"pure_twist", Profile::everyday, "the contact only twists about its normal, by 1e-3 to 0.5 rad per step",
       sized<draw_pure_twist>},
      {"pure_roll", Profile::everyday, "only the normal rotates, by 1e-3 to 0.5 rad per step", sized<draw_pure_roll>},
      {"loading", Profile::everyday, "law hertz: only the overlap changes, by a factor of 0.25 to 4",
       sized<draw_loading>},
      {"damping_alone", Profile::everyday, "no spring, and damping forces of 0.2 to 10 times the elastic force",
       sized<draw_damping_alone>},
  };
  return list;
}

}  // namespace demeter::contact_force::properties
