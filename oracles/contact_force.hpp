// Oracle of contact_force: force, spring and energies of one step in intervals. One quaternion rotates the spring.
// Coulomb's limit is a minimum of two intervals, so no decision between sticking and sliding is necessary.
// Source: docs/mathematics/forces.md#contact_force-oracle-and-its-proof.
#pragma once

#include "oracles/core/hooks.hpp"
#include "oracles/core/interval.hpp"
#include "oracles/core/quaternion.hpp"
#include "reference/spec/contact_force.hpp"

#include <array>
#include <limits>

namespace demeter::contact_force::oracle {

using IntervalVector = std::array<Interval, 3>;

inline IntervalVector exactly(Vector3<double> const& x, mpfr_prec_t bits) {
  return {Interval::exactly(x[0], bits), Interval::exactly(x[1], bits), Interval::exactly(x[2], bits)};
}
inline IntervalVector operator+(IntervalVector const& a, IntervalVector const& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}
inline IntervalVector operator-(IntervalVector const& a, IntervalVector const& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
inline IntervalVector operator*(Interval const& k, IntervalVector const& a) { return {k * a[0], k * a[1], k * a[2]}; }
inline Interval dot(IntervalVector const& a, IntervalVector const& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
inline Interval square(IntervalVector const& a) {
  return demeter::square(a[0]) + demeter::square(a[1]) + demeter::square(a[2]);
}

/// Returns q v q* / |q|^2 for a quaternion q of any length except 0.
inline IntervalVector turned(std::array<Interval, 4> const& q, IntervalVector const& v) {
  Interval const zero = Interval::exactly(0, v[0].precision());
  std::array<Interval, 4> const pure{zero, v[0], v[1], v[2]}, back{q[0], -q[1], -q[2], -q[3]};
  auto const product = hamilton_product(hamilton_product(q, pure), back);
  Interval const one = Interval::exactly(1, v[0].precision()),
                 size = demeter::square(q[0]) + demeter::square(q[1]) + demeter::square(q[2]) + demeter::square(q[3]);
  return (one / size) * IntervalVector{product[1], product[2], product[3]};
}

/// Returns min(1, limit / size), the factor that shortens a vector of this size to the limit. If the size may be 0 and
/// may exceed the limit, returns [0, 1].
inline Interval share(Interval const& limit, Interval const& size) {
  mpfr_prec_t const bits = size.precision();
  Interval const one = Interval::exactly(1, bits);
  if (certainly_at_most(size, limit)) return one;
  if (mpfr_zero_p(limit.high()) != 0) return Interval::exactly(0, bits);
  if (mpfr_sgn(size.low()) <= 0) return hull(Interval::exactly(0, bits), one);
  return minimum(one, limit / size);
}

/// Returns v without its component along the unit vector n.
inline IntervalVector across(IntervalVector const& v, IntervalVector const& n) { return v - dot(v, n) * n; }
inline IntervalVector cross(IntervalVector const& a, IntervalVector const& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
inline IntervalVector hull(IntervalVector const& a, IntervalVector const& b) {
  return {demeter::hull(a[0], b[0]), demeter::hull(a[1], b[1]), demeter::hull(a[2], b[2])};
}

/// The directions of a step: the unit normals now and a step ago, their sum, and dt times the twist.
struct Directions {
  IntervalVector n, b, sum;
  Interval angle;
};

/// Rotates t about r = b x n + angle n by the angle whose sine is |r|. If |r| is 1 or more, the cosine is 0.
inline IntervalVector in_woos_axes(Directions const& of, IntervalVector const& t) {
  mpfr_prec_t const bits = t[0].precision();
  Interval const one = Interval::exactly(1, bits), zero = Interval::exactly(0, bits);
  IntervalVector const r = cross(of.b, of.n) + of.angle * of.n;
  Interval const cosine = square_root(maximum(one - square(r), zero));
  return cosine * t + cross(r, t) + (dot(r, t) / (one + cosine)) * r;
}

/// Returns the spring after the rotation of the contact. `tangential` is the given spring without its component along
/// the old normal.
inline IntervalVector carried(Transport transport, Directions const& of, IntervalVector const& given,
                              IntervalVector const& tangential) {
  mpfr_prec_t const bits = given[0].precision();
  Interval const one = Interval::exactly(1, bits), zero = Interval::exactly(0, bits);
  switch (transport) {
    case Transport::exact: {
      // One quaternion rotates from the old normal to the new one and then about the new one.
      Interval const half = scaled(of.angle, -1), sine_of_half = sine(half);
      IntervalVector const axis = cross(of.b, of.n);
      std::array<Interval, 4> const bend{one + dot(of.b, of.n), axis[0], axis[1], axis[2]},
          turn{cosine(half), sine_of_half * of.n[0], sine_of_half * of.n[1], sine_of_half * of.n[2]};
      return turned(hamilton_product(turn, bend), tangential);
    }
    case Transport::old_normal: {
      IntervalVector const t = given - cross(given, cross(of.b, of.n));
      return t - cross(t, of.angle * of.b);
    }
    case Transport::woo:
      return in_woos_axes(of, tangential);
    case Transport::project:
      return across(given, of.n);
    case Transport::restore: {
      IntervalVector const flat = across(given, of.n);
      Interval const length = square_root(square(flat)), whole = square_root(square(given));
      if (mpfr_sgn(length.low()) > 0) return (whole / length) * flat;
      // The direction is unknown: every component is at most the length.
      if (mpfr_zero_p(length.high()) != 0) return flat;
      Interval const any = demeter::hull(-whole, whole);
      return {any, any, any};
    }
    case Transport::none:
      break;
  }
  return given;
}

/// Returns the velocity with which the spring moves.
inline IntervalVector slip_velocity(Slip slip, Directions const& of, IntervalVector const& v) {
  Interval const along = dot(v, of.sum) / square(of.sum);  // v.(n + b) / |n + b|^2
  IntervalVector const in_plane = v - along * of.sum;
  switch (slip) {
    case Slip::both:
      return across(in_plane, of.n);
    case Slip::current:
      return across(v, of.n);
    case Slip::mean:
      return in_plane;
    case Slip::woo:
      break;
  }
  IntervalVector const r = cross(of.b, of.n) + of.angle * of.n, twice = cross(v, r);
  Interval const half = scaled(Interval::exactly(1, v[0].precision()), -1);
  return in_woos_axes(of, across(v + half * twice, of.b));
}

/// Returns the factor by which a change of the stiffness factor from `before` to `now` multiplies the spring of a
/// Hertzian contact.
inline Interval remembered(Memory memory, Input<double> const& in, Interval const& before, Interval const& now) {
  Interval const one = Interval::exactly(1, now.precision());
  bool const stiffens = in.uN < in.uN_before;
  switch (memory) {
    case Memory::rescaled:
      return stiffens ? before / now : one;
    case Memory::total:
      return one;
    case Memory::increment:
      return before / now;
    case Memory::shortened:
      break;
  }
  return stiffens ? one : now / before;
}

/// Returns the factor of the damping coefficients of a Hertzian contact. `now` is the factor of its stiffness.
inline Interval damping_factor(Damping damping, Interval const& now) {
  switch (damping) {
    case Damping::tsuji:
      return square_root(now);
    case Damping::constant:
      return Interval::exactly(1, now.precision());
    case Damping::viscoelastic:
      return now;
    case Damping::overlap:
      break;
  }
  return demeter::square(now);
}

/// The tangential force and the spring after Coulomb's limit, and the force of the spring before it.
struct Friction {
  IntervalVector force, spring, viscous;  ///< viscous: the force without that of the spring
  Interval elastic, size;                 ///< the two forces that the limit is compared with; size: spring and damping
  bool compares_spring, compares_sum;
};

/// Returns the friction where Coulomb's limit shortens only the spring. If it is unknown whether the limit is reached,
/// the result encloses both sides.
inline Friction of_spring_alone(Limit rule, Interval const& limit, Interval const& kt, IntervalVector const& damping,
                                IntervalVector const& trial) {
  Interval const elastic = kt * square_root(square(trial)), of_spring = share(limit, elastic);
  Friction is{trial, of_spring * trial, damping, elastic, elastic, true, false};
  IntervalVector const spring_force = kt * is.spring;
  Interval const zero = Interval::exactly(0, kt.precision());
  IntervalVector const nothing{zero, zero, zero};
  bool const sticks = certainly_at_most(elastic, limit), slides = certainly_less(limit, elastic);
  if (rule == Limit::spring || slides) {
    is.viscous = nothing;
  } else if (!sticks) {
    is.viscous = hull(nothing, damping);
  }
  is.force = spring_force + is.viscous;
  return is;
}

/// Returns the friction where Coulomb's limit shortens the sum of spring and damping.
inline Friction of_sum(Limit rule, Interval const& limit, Interval const& kt, IntervalVector const& damping,
                       bool is_damped, IntervalVector const& trial) {
  mpfr_prec_t const bits = kt.precision();
  Interval const one = Interval::exactly(1, bits);
  bool const spring_first = rule == Limit::spring_then_sum;
  Interval const elastic = kt * square_root(square(trial));
  Friction is{trial, trial, damping, elastic, elastic, spring_first, is_damped || !spring_first};
  if (spring_first) is.spring = share(limit, elastic) * trial;
  IntervalVector const spring_force = kt * is.spring, damped_force = spring_force + damping;
  is.size = square_root(square(damped_force));
  Interval const part = is.compares_sum ? share(limit, is.size) : one;
  is.force = is.compares_sum ? part * damped_force : spring_force;
  if (!certainly_at_most(one, part)) is.viscous = is.force - spring_force;
  if (spring_first || mpfr_sgn(kt.low()) <= 0 || certainly_at_most(is.size, limit)) return is;
  IntervalVector const cut = (one / kt) * (rule == Limit::sum ? is.force - damping : is.force);
  is.spring = certainly_less(limit, is.size) ? cut : hull(cut, trial);
  return is;
}

/// The result of a step, and the amount by which the tangential force would exceed Coulomb's limit.
struct Stepped {
  Output<Interval> out;
  Interval beyond;
  bool open = false;  ///< the enclosures do not decide whether Coulomb's limit is reached
};

/// Returns one step of the law that consists of these choices, in intervals of `bits` bits.
inline Stepped stepped(Input<double> const& in, mpfr_prec_t bits, Choices const& by = {}) {
  auto const number = [&](double x) { return Interval::exactly(x, bits); };
  Interval const zero = number(0), one = number(1), dt = number(in.dt);
  bool const hertz = in.law == ForceLaw::hertz, damped = in.law != ForceLaw::linear, is_new = !(in.uN_before < 0);
  auto const stiffer = [&](double uN) { return hertz ? square_root(magnitude(number(uN)) / number(in.radius)) : one; };
  IntervalVector const N = exactly(in.normal, bits), B = exactly(in.normal_before, bits);
  IntervalVector const n = (one / square_root(square(N))) * N, b = (one / square_root(square(B))) * B;
  Directions const of{n, b, n + b, dt * number(in.twist)};
  Stepped result;
  Output<Interval>& out = result.out;
  result.beyond = zero;
  IntervalVector spring{zero, zero, zero}, force = spring;
  // The component of the given spring perpendicular to the old normal.
  IntervalVector tangential = spring, given = spring;
  Interval const before = is_new ? zero : stiffer(in.uN_before), kt = number(in.tangential_stiffness);
  if (!is_new) {
    given = exactly(in.spring, bits);
    tangential = across(given, of.b);
  }
  out.stored = zero;
  out.dissipated = scaled(kt * before * square(tangential), -1);
  out.status = Status::apart;
  if (in.uN < 0) {
    Interval const now = stiffer(in.uN), delta = number(-in.uN);
    Interval const kn_now = number(in.normal_stiffness) * now, kt_now = kt * now,
                   factor = hertz ? damping_factor(by.damping, now) : one,
                   cn = damped ? number(in.normal_damping) * factor : zero,
                   ct = damped ? number(in.tangential_damping) * factor : zero;
    IntervalVector const v = exactly(in.velocity, bits);
    Interval const vn =
        by.normal_velocity == NormalVelocity::mean ? dot(v, of.sum) / square_root(square(of.sum)) : dot(v, of.n);
    Interval const push = kn_now * delta;  // force of the normal spring
    // If the force is not cut at 0, `more` is the damping force itself and not pull + push. Without damping it is then
    // exactly zero.
    Interval const damping = cn * vn;
    Interval pull = damping - push, more = damping;  // pull: total normal force; more: its difference from the spring's
                                                     // force
    bool const cut = by.tension == Pull::given ? in.tension == Tension::cut : by.tension == Pull::cut;
    if (cut && !certainly_at_most(pull, zero)) {
      pull = minimum(pull, zero);
      more = pull + push;
    }
    Interval const limit = number(in.friction) * magnitude(pull);

    Interval const kept = is_new ? zero : hertz ? remembered(by.memory, in, before, now) : one;
    IntervalVector const moved = is_new ? spring : kept * carried(by.transport, of, given, tangential);
    // With the exact rotation, |moved| is kept |tangential|. This form is exactly 0 if nothing is lost.
    Interval const softer = in.uN == in.uN_before ? zero : before - now * demeter::square(kept);
    Interval const lost = by.transport == Transport::exact ? kt * square(tangential) * softer
                                                           : kt * (before * square(tangential) - now * square(moved));
    IntervalVector const w = slip_velocity(by.slip, of, v);
    IntervalVector const trial = !is_new || slips(by.first_step) ? moved + dt * w : moved;
    bool const viscous = damped && in.tangential_damping > 0 && (!is_new || damps(by.first_step));
    IntervalVector const damping_force = (viscous ? ct : zero) * w;
    bool const sum = by.limit == Limit::spring_then_sum || shortens_only_sum(by.limit);
    Friction const friction = sum ? of_sum(by.limit, limit, kt_now, damping_force, viscous, trial)
                                  : of_spring_alone(by.limit, limit, kt_now, damping_force, trial);
    spring = friction.spring;
    force = pull * of.n + friction.force;
    auto const is_open = [&](Interval const& x) { return !certainly_at_most(x, limit) && !certainly_less(limit, x); };
    result.open =
        (friction.compares_spring && is_open(friction.elastic)) || (friction.compares_sum && is_open(friction.size));
    Interval const whole = friction.compares_spring ? maximum(friction.elastic - limit, zero) : zero;
    out.stored =
        scaled(hertz ? scaled(kn_now * demeter::square(delta), 2) / number(5) : kn_now * demeter::square(delta), -1) +
        scaled(kt_now * square(spring), -1);
    Interval const slipped = in.tangential_stiffness > 0 ? limit * whole / kt_now : zero;
    out.dissipated = scaled(lost, -1) + (slipped + dt * (dot(friction.viscous, w) + more * vn));
    Interval const compared = !friction.compares_sum      ? friction.elastic
                              : !friction.compares_spring ? friction.size
                                                          : maximum(friction.elastic, friction.size);
    result.beyond = compared - limit;
    out.status = certainly_less(zero, result.beyond) ? Status::slide : Status::stick;
  }
  for (std::size_t k = 0; k < 3; ++k) {
    auto const at = static_cast<Index>(k);
    out.force[at] = force[k];
    out.spring[at] = spring[k];
  }
  return result;
}

/// Returns the truth in intervals of `bits` bits.
inline Output<Interval> refined_truth(Input<double> const& in, mpfr_prec_t bits) { return stepped(in, bits).out; }

/// Returns the truth, computed with 192 bits. If 192 bits do not decide whether Coulomb's limit is reached, computes
/// with 1024 bits. In this case a quantity whose exact value is 0 may have a wide enclosure. Products with large
/// quantities make the enclosure wider.
inline Output<Enclosure> truth(Input<double> const& in) {
  Stepped const first = stepped(in, 192);
  Output<Interval> const intervals = first.open ? refined_truth(in, 1024) : first.out;
  Output<Enclosure> out;
  for (Index k = 0; k < 3; ++k) {
    out.force[k] = enclosure_of(intervals.force[k]);
    out.spring[k] = enclosure_of(intervals.spring[k]);
  }
  out.stored = enclosure_of(intervals.stored);
  out.dissipated = enclosure_of(intervals.dissipated);
  out.status = intervals.status;
  return out;
}

/// Returns the difference between the tangential force and Coulomb's limit if the answered status is wrong, otherwise
/// 0. Whether "apart" is right depends only on the sign of uN. If this is wrong, the difference is infinite.
inline Interval refined_excess(Input<double> const& in, Output<Interval> const& truth, Output<double> const& answer) {
  Interval const beyond = stepped(in, truth.stored.precision()).beyond, zero = Interval::exactly(0, beyond.precision()),
                 wrong = Interval::exactly(std::numeric_limits<double>::infinity(), beyond.precision());
  if (static_cast<unsigned>(answer.status) > 2) return wrong;
  if ((answer.status == Status::apart) != !(in.uN < 0)) return wrong;
  if (answer.status == Status::apart) return zero;
  return maximum(zero, answer.status == Status::stick ? beyond : -beyond);
}

inline Enclosure excess(Input<double> const& in, Output<Enclosure> const&, Output<double> const& answer) {
  Output<Interval> truth;
  truth.stored = Interval(192);
  Interval const wrong = refined_excess(in, truth, answer);
  if (mpfr_inf_p(wrong.high()) != 0) return {std::numeric_limits<long double>::infinity(), 0, 0};
  return enclosure_of(wrong);
}

inline constexpr OracleHooks<Contract> hooks{.excess = excess, .refined_excess = refined_excess};

}  // namespace demeter::contact_force::oracle
