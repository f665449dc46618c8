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

/// The result of a step, and the amount by which the tangential force would exceed Coulomb's limit.
struct Stepped {
  Output<Interval> out;
  Interval beyond;
  bool open = false;  ///< the enclosures do not decide whether Coulomb's limit is reached
};

inline Stepped stepped(Input<double> const& in, mpfr_prec_t bits) {
  auto const number = [&](double x) { return Interval::exactly(x, bits); };
  Interval const zero = number(0), one = number(1);
  bool const hertz = in.law == ForceLaw::hertz, damped = in.law != ForceLaw::linear, is_new = !(in.uN_before < 0);
  auto const stiffer = [&](double uN) { return hertz ? square_root(magnitude(number(uN)) / number(in.radius)) : one; };
  IntervalVector const N = exactly(in.normal, bits), B = exactly(in.normal_before, bits);
  IntervalVector const n = (one / square_root(square(N))) * N, b = (one / square_root(square(B))) * B;
  Stepped result;
  Output<Interval>& out = result.out;
  result.beyond = zero;
  IntervalVector spring{zero, zero, zero}, force = spring;
  // The component of the given spring perpendicular to the old normal.
  IntervalVector tangential = spring;
  Interval const before = is_new ? zero : stiffer(in.uN_before), kt = number(in.tangential_stiffness);
  if (!is_new) {
    IntervalVector const given = exactly(in.spring, bits);
    tangential = given - dot(given, b) * b;
  }
  out.stored = zero;
  out.dissipated = scaled(kt * before * square(tangential), -1);
  out.status = Status::apart;
  if (in.uN < 0) {
    Interval const now = stiffer(in.uN), root = square_root(now), delta = number(-in.uN);
    Interval const kn_now = number(in.normal_stiffness) * now, kt_now = kt * now,
                   cn = damped ? number(in.normal_damping) * root : zero,
                   ct = damped ? number(in.tangential_damping) * root : zero, dt = number(in.dt);
    IntervalVector const v = exactly(in.velocity, bits), sum = n + b;
    Interval const along = dot(v, sum) / square(sum);  // v.(n + b) / |n + b|^2
    Interval const vn = dot(v, sum) / square_root(square(sum));
    Interval const push = kn_now * delta;  // force of the normal spring
    // If the force is not cut at 0, `more` is the damping force itself and not pull + push. Without damping it is then
    // exactly zero.
    Interval const damping = cn * vn;
    Interval pull = damping - push, more = damping;  // pull: total normal force; more: its difference from the spring's
                                                     // force
    if (in.tension == Tension::cut && !certainly_at_most(pull, zero)) {
      pull = minimum(pull, zero);
      more = pull + push;
    }
    Interval const limit = number(in.friction) * magnitude(pull);

    // Rotates the spring from the old normal to the new one, then twists it about the new one.
    Interval const half = scaled(dt * number(in.twist), -1), sine_of_half = sine(half);
    std::array<Interval, 4> const bend{one + dot(b, n), b[1] * n[2] - b[2] * n[1], b[2] * n[0] - b[0] * n[2],
                                       b[0] * n[1] - b[1] * n[0]},
        turn{cosine(half), sine_of_half * n[0], sine_of_half * n[1], sine_of_half * n[2]};
    IntervalVector const carried = turned(hamilton_product(turn, bend), tangential);
    // If the contact becomes stiffer, the spring is shortened so that its force does not change.
    bool const stiffens = hertz && !is_new && in.uN < in.uN_before;
    Interval const kept = is_new ? zero : stiffens ? before / now : one;
    Interval const lost = kt * square(tangential) * (before - now * demeter::square(kept));
    IntervalVector const in_plane = v - along * sum;
    IntervalVector const w = in_plane - dot(in_plane, n) * n;
    IntervalVector const trial = kept * carried + dt * w;
    Interval const elastic = kt_now * square_root(square(trial)), of_spring = share(limit, elastic);
    spring = of_spring * trial;
    IntervalVector const spring_force = kt_now * spring, damped_force = spring_force + ct * w;
    Interval const size = square_root(square(damped_force));
    bool const viscous = damped && in.tangential_damping > 0;
    Interval const of_sum = viscous ? share(limit, size) : one;
    bool const whole_damping = certainly_at_most(one, of_sum);
    IntervalVector const friction_force = viscous ? of_sum * damped_force : spring_force;
    IntervalVector const damped_part = whole_damping ? ct * w : friction_force - spring_force;
    force = pull * n + friction_force;
    auto const is_open = [&](Interval const& x) { return !certainly_at_most(x, limit) && !certainly_less(limit, x); };
    result.open = is_open(elastic) || (viscous && is_open(size));
    Interval const whole = maximum(elastic - limit, zero);
    out.stored =
        scaled(hertz ? scaled(kn_now * demeter::square(delta), 2) / number(5) : kn_now * demeter::square(delta), -1) +
        scaled(kt_now * square(spring), -1);
    Interval const slipped = in.tangential_stiffness > 0 ? limit * whole / kt_now : zero;
    out.dissipated = scaled(lost, -1) + (slipped + dt * (dot(damped_part, w) + more * vn));
    result.beyond = (viscous ? maximum(elastic, size) : elastic) - limit;
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
