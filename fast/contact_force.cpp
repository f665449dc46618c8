#include "fast/contact_force.hpp"

#include "fast/core/forms.hpp"
#include "fast/core/one_row.hpp"
#include "fast/core/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fast/contact_force.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "fast/core/batch.hpp"

HWY_BEFORE_NAMESPACE();
namespace demeter::contact_force::fast::HWY_NAMESPACE {

using namespace demeter::lanes::HWY_NAMESPACE;

// The algorithm, for any `Number`: a SIMD vector of doubles, or one double. The functions for both are in
// fast/core/lanes.hpp. keep() and blend() avoid branches: whether a contact slides, stiffens or is new is random, and
// branches would often be mispredicted.

template <class Number>
struct Contact {
  Number law, normal_stiffness, tangential_stiffness, normal_damping, tangential_damping, friction, tension;
  Number radius, dt, uN, uN_before;
  Triple<Number> normal, normal_before, velocity;
  Number twist;
  Triple<Number> spring;
};

template <class Number>
struct Answer {
  Triple<Number> force, spring;
  Number stored, dissipated, status;
};

/// Returns |v|. A power of two scales the largest component between 1 and 2. No square that matters then
/// overflows or underflows, even if the factors of a force are near both ends of the domain.
template <class Number>
HWY_INLINE Number length(Triple<Number> const& v) {
  auto const unit = power_of_two(largest(v));
  auto const part = inverse(unit) * v;
  return sqrt(dot(part, part)) * unit;
}

template <class Number>
HWY_INLINE Triple<Number> unit_vector(Triple<Number> const& v) {
  auto const part = inverse(power_of_two(largest(v))) * v;
  return (1.0 / sqrt(dot(part, part))) * part;
}

/// Returns v without its component along the unit vector n.
template <class Number>
HWY_INLINE Triple<Number> across(Triple<Number> const& v, Triple<Number> const& n) {
  return subtract_product(v, dot(v, n), n);
}

template <class Number>
struct Turn {
  Number cosine, sine;
};
/// Returns cosine and sine for |angle| <= 1 by Taylor series. No argument reduction and no tables are needed. The first
/// omitted term is below 2^-60 of the sum.
template <class Number>
HWY_INLINE Turn<Number> turn_by(Number angle) {
  auto const x = angle * angle;
  auto s = fma(x, -1.0 / 121645100408832000.0, set<Number>(1.0 / 355687428096000.0));
  s = fma(x, s, set<Number>(-1.0 / 1307674368000.0));
  s = fma(x, s, set<Number>(1.0 / 6227020800.0));
  s = fma(x, s, set<Number>(-1.0 / 39916800.0));
  s = fma(x, s, set<Number>(1.0 / 362880.0));
  s = fma(x, s, set<Number>(-1.0 / 5040.0));
  s = fma(x, s, set<Number>(1.0 / 120.0));
  s = fma(x, s, set<Number>(-1.0 / 6.0));
  auto c = fma(x, -1.0 / 6402373705728000.0, set<Number>(1.0 / 20922789888000.0));
  c = fma(x, c, set<Number>(-1.0 / 87178291200.0));
  c = fma(x, c, set<Number>(1.0 / 479001600.0));
  c = fma(x, c, set<Number>(-1.0 / 3628800.0));
  c = fma(x, c, set<Number>(1.0 / 40320.0));
  c = fma(x, c, set<Number>(-1.0 / 720.0));
  c = fma(x, c, set<Number>(1.0 / 24.0));
  c = fma(x, c, set<Number>(-0.5));
  return {fma(x, c, set<Number>(1.0)), fma(angle * x, s, angle)};
}

/// Returns the factor by which the contact is stiffer than at an overlap of one radius. It is 1 for all laws except
/// Hertz. Separated bodies have overlap 0.
template <class Number>
HWY_INLINE Number stiffening(Mask<Number> hertz, Number uN, Number radius) {
  return blend(hertz, sqrt(maximum(0.0 - uN, set<Number>(0.0)) / radius), set<Number>(1.0));
}

template <class Number>
HWY_INLINE Answer<Number> step(Contact<Number> const& in) {
  auto const zero = set<Number>(0.0);
  auto const overlaps = in.uN < 0.0;
  auto const old = in.uN_before < 0.0;
  auto const hertz = in.law == 2.0;
  auto const damped = 0.0 < in.law;
  auto const n = unit_vector(in.normal);
  auto const before = unit_vector(in.normal_before);
  auto const sum = n + before;

  auto const stiffer_before = keep(old, stiffening<Number>(hertz, in.uN_before, in.radius));
  auto const stiffer = keep(overlaps, stiffening<Number>(hertz, in.uN, in.radius));
  auto const softer = sqrt(stiffer);
  auto const kn = in.normal_stiffness * stiffer;
  auto const kt = in.tangential_stiffness * stiffer;
  auto const cn = keep(damped, in.normal_damping * softer);
  auto const ct = keep(damped, in.tangential_damping * softer);

  // The motion along the normal. `sum` is the sum of both normals, and |sum| is at least sqrt(2).
  auto const along = dot(in.velocity, sum) / dot(sum, sum);
  auto const vn = dot(in.velocity, sum) / sqrt(dot(sum, sum));
  auto const elastic_force = kn * in.uN;
  auto const pull = fma(cn, vn, elastic_force);
  auto const normal_force = keep(overlaps, blend(in.tension == 0.0, minimum(pull, zero), pull));
  auto const limit = in.friction * abs(normal_force);

  // The spring is rotated from the old normal to the new one, then twisted about the new one.
  Triple<Number> given;
  given.x = keep(old, in.spring.x);
  given.y = keep(old, in.spring.y);
  given.z = keep(old, in.spring.z);
  auto const had = across(given, before);
  auto const had_square = dot(had, had);
  auto const bent = subtract_product(had, dot(had, n) / (1.0 + dot(n, before)), sum);
  auto const turn = turn_by<Number>(in.dt * in.twist);
  auto const turned = fma(turn.sine, plain_cross(n, bent), turn.cosine * bent);
  // If the contact becomes stiffer, the spring is shortened so that its force stays the same. If the contact becomes
  // softer, the spring keeps its length.
  auto const kept = blend(stiffer_before < stiffer, stiffer_before / stiffer, set<Number>(1.0));
  auto const lost = subtract_product(stiffer_before, stiffer * kept, kept);

  auto const w = across(subtract_product(in.velocity, along, sum), n);
  auto const trial = fma(in.dt, w, kept * turned);
  auto const elastic = kt * length(trial);
  auto const slides = limit < elastic;
  auto const share = blend(slides, limit / elastic, set<Number>(1.0));
  auto const slipped = keep(slides, (limit / kt) * (elastic - limit));
  Answer<Number> out;
  out.spring.x = keep(overlaps, share * trial.x);
  out.spring.y = keep(overlaps, share * trial.y);
  out.spring.z = keep(overlaps, share * trial.z);

  auto const spring_force = kt * out.spring;
  auto const damped_force = fma(ct, w, spring_force);
  auto const size = length(damped_force);
  auto const limited = both(limit < size, 0.0 < ct);
  auto const friction_share = blend(limited, limit / size, set<Number>(1.0));
  auto const friction = friction_share * damped_force;
  out.force = fma(normal_force, n, friction);

  auto const shape = blend(hertz, set<Number>(0.4), set<Number>(0.5));
  out.stored = fma(0.5 * kt, dot(out.spring, out.spring), shape * (elastic_force * in.uN));
  out.stored = keep(overlaps, out.stored);
  auto const worked = fma(normal_force - elastic_force, vn, dot(friction - spring_force, w));
  auto const moved = keep(overlaps, fma(in.dt, worked, slipped));
  out.dissipated = fma(0.5 * in.tangential_stiffness * lost, had_square, moved);
  out.status = keep(overlaps, set<Number>(1.0)) + keep(both(overlaps, either(slides, limited)), set<Number>(1.0));
  return out;
}

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3

void evaluate(std::size_t n, double const* const in[], double* const out[]) {
  solve_vectors<Contact, step<Register>>(n, in, out);
}

#endif

#if HWY_ONCE

void evaluate_rows(std::size_t n, double const* const in[], double* const out[]) {
  fast_core::call_fused<solve_rows<Contact, step<double>>>(n, in, out);
}

#endif

}  // namespace demeter::contact_force::fast::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace demeter::contact_force::fast {

Output<double> evaluate(Input<double> const& in) noexcept {
  return fast_core::answer_one<HWY_NAMESPACE::evaluate_rows, Output<double>>(in);
}

void evaluate(Level level, std::size_t n, double const* const in[], double* const out[]) noexcept {
  constexpr fast_core::Forms forms{HWY_NAMESPACE::evaluate_rows, N_AVX2::evaluate, N_AVX3::evaluate};
  forms.at(level)(n, in, out);
}

}  // namespace demeter::contact_force::fast

#endif
