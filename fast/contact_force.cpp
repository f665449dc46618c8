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

/// The same record for laws that are not known at compile time. It is a type of its own, so that the functions that
/// store it are instantiated again. If both laws shared them, the compiler would no longer inline them, and the
/// recommended law would take 8 to 11 % longer with AVX-512.
template <class Number>
struct AnswerOfAnyLaw {
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

/// The directions of a step: the unit normals now and a step ago, their sum, and the twist in radians.
template <class Number>
struct Directions {
  Triple<Number> n, before, sum;
  Number angle;
};

/// Rotates t as Woo's axes of the contact: about r = before x n + angle n, by the angle whose sine is |r|.
template <class Number>
HWY_INLINE Triple<Number> in_woos_axes(Directions<Number> const& of, Triple<Number> const& t) {
  auto const r = fma(of.angle, of.n, plain_cross(of.before, of.n));
  auto const cosine = sqrt(maximum(1.0 - dot(r, r), set<Number>(0.0)));
  return fma(dot(r, t) / (1.0 + cosine), r, fma(cosine, t, plain_cross(r, t)));
}

/// Returns the spring after the rotation of the contact, if the rotation is not the exact one. `had` is the given
/// spring without its component along the old normal.
template <class Number>
HWY_INLINE Triple<Number> carried(Choices const& by, Directions<Number> const& of, Triple<Number> const& given,
                                  Triple<Number> const& had) {
  switch (by.transport) {
    case Transport::old_normal: {
      auto const bent = given - plain_cross(given, plain_cross(of.before, of.n));
      return bent - of.angle * plain_cross(bent, of.before);
    }
    case Transport::woo:
      return in_woos_axes(of, had);
    case Transport::project:
      return across(given, of.n);
    case Transport::restore: {
      auto const flat = across(given, of.n);
      auto const size = length(flat);
      return blend(0.0 < size, length(given) / size, set<Number>(0.0)) * flat;
    }
    case Transport::exact:
    case Transport::none:
      break;
  }
  return given;
}

/// Returns the velocity with which the spring moves, if it is not across both normals. `along` is v.sum / |sum|^2.
template <class Number>
HWY_INLINE Triple<Number> slip_velocity(Choices const& by, Directions<Number> const& of, Triple<Number> const& v,
                                        Number along) {
  switch (by.slip) {
    case Slip::both:
    case Slip::current:
      return across(v, of.n);
    case Slip::mean:
      return subtract_product(v, along, of.sum);
    case Slip::woo:
      break;
  }
  auto const r = fma(of.angle, of.n, plain_cross(of.before, of.n));
  return in_woos_axes(of, across(fma(set<Number>(0.5), plain_cross(v, r), v), of.before));
}

/// Returns the factor by which a change of stiffness multiplies the spring. Contacts without overlap get 1, so that
/// their whole energy is lost.
template <class Number>
HWY_INLINE Number remembered(Choices const& by, Mask<Number> overlaps, Number before, Number now) {
  auto const one = set<Number>(1.0);
  switch (by.memory) {
    case Memory::rescaled:
      // If the contact becomes stiffer, the spring is shortened so that its force stays the same. If the contact
      // becomes softer, the spring keeps its length.
      return blend(before < now, before / now, one);
    case Memory::total:
      break;
    case Memory::increment:
      return blend(overlaps, before / now, one);
    case Memory::shortened:
      return blend(both(overlaps, now < before), now / before, one);
  }
  return one;
}

/// Returns the factor of the damping coefficients of a Hertzian contact. For other contacts `stiffer` is 1.
template <class Number>
HWY_INLINE Number damping_factor(Choices const& by, Number stiffer) {
  switch (by.damping) {
    case Damping::tsuji:
      return sqrt(stiffer);
    case Damping::constant:
      return set<Number>(1.0);
    case Damping::viscoelastic:
      return stiffer;
    case Damping::overlap:
      break;
  }
  return stiffer * stiffer;
}

/// Returns one step of a law. If `by` is a constant, the compiler leaves out the code of the other choices. Otherwise
/// all lanes make the same choices, so the branches on them are always predicted.
template <class Number>
HWY_INLINE Answer<Number> step(Contact<Number> const& in, Choices const by) {
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
  auto const softer = damping_factor(by, stiffer);
  auto const kn = in.normal_stiffness * stiffer;
  auto const kt = in.tangential_stiffness * stiffer;
  auto const cn = keep(damped, in.normal_damping * softer);
  auto ct = keep(damped, in.tangential_damping * softer);

  // The motion along the normal. `sum` is the sum of both normals, and |sum| is at least sqrt(2).
  auto const along = dot(in.velocity, sum) / dot(sum, sum);
  auto const vn =
      by.normal_velocity == NormalVelocity::mean ? dot(in.velocity, sum) / sqrt(dot(sum, sum)) : dot(in.velocity, n);
  auto const elastic_force = kn * in.uN;
  auto const pull = fma(cn, vn, elastic_force);
  auto const without_pull = minimum(pull, zero);
  auto const normal_force = keep(overlaps, by.tension == Pull::given ? blend(in.tension == 0.0, without_pull, pull)
                                           : by.tension == Pull::cut ? without_pull
                                                                     : pull);
  auto const limit = in.friction * abs(normal_force);

  // The spring is rotated with the contact, shortened if the stiffness changes, and moved.
  Triple<Number> given;
  given.x = keep(old, in.spring.x);
  given.y = keep(old, in.spring.y);
  given.z = keep(old, in.spring.z);
  auto const had = across(given, before);
  auto const had_square = dot(had, had);
  auto const bent = subtract_product(had, dot(had, n) / (1.0 + dot(n, before)), sum);
  auto const turn = turn_by<Number>(in.dt * in.twist);
  auto turned = fma(turn.sine, plain_cross(n, bent), turn.cosine * bent);
  if (by.transport != Transport::exact) turned = carried<Number>(by, {n, before, sum, in.dt * in.twist}, given, had);
  auto const kept = remembered<Number>(by, overlaps, stiffer_before, stiffer);
  auto const lost = subtract_product(stiffer_before, stiffer * kept, kept);
  auto w = across(subtract_product(in.velocity, along, sum), n);
  if (by.slip != Slip::both) w = slip_velocity<Number>(by, {n, before, sum, in.dt * in.twist}, in.velocity, along);
  if (!damps(by.first_step)) ct = keep(old, ct);
  auto const moved = slips(by.first_step) ? in.dt : keep(old, in.dt);
  auto const trial = fma(moved, w, kept * turned);

  // Coulomb's limit shortens the spring, or the sum of spring and damping, or both.
  auto const one = set<Number>(1.0);
  auto const never = zero < 0.0;
  bool const of_sum = shortens_only_sum(by.limit);
  auto const elastic = kt * length(trial);
  auto const slides = of_sum ? never : limit < elastic;
  auto const share = blend(slides, limit / elastic, one);
  auto const slipped = keep(slides, (limit / kt) * (elastic - limit));
  Answer<Number> out;
  out.spring.x = keep(overlaps, share * trial.x);
  out.spring.y = keep(overlaps, share * trial.y);
  out.spring.z = keep(overlaps, share * trial.z);
  auto const spring_force = kt * out.spring;
  auto const damped_force = fma(ct, w, spring_force);
  auto const size = length(damped_force);
  auto const limited = of_sum ? limit < size : both(limit < size, 0.0 < ct);
  auto friction = blend(limited, limit / size, one) * damped_force;
  auto sliding = either(slides, limited);
  if (by.limit == Limit::spring || by.limit == Limit::spring_damped_if_stuck) {
    friction = by.limit == Limit::spring ? spring_force : select<Number>(slides, spring_force, damped_force);
    sliding = slides;
  }
  if (by.limit == Limit::sum)
    out.spring = select<Number>(both(limited, 0.0 < kt), (1.0 / kt) * subtract_product(friction, ct, w), out.spring);
  if (by.limit == Limit::sum_without_memory)
    out.spring = select<Number>(both(limited, 0.0 < kt), (1.0 / kt) * friction, out.spring);
  out.force = fma(normal_force, n, friction);

  auto const shape = blend(hertz, set<Number>(0.4), set<Number>(0.5));
  out.stored = fma(0.5 * kt, dot(out.spring, out.spring), shape * (elastic_force * in.uN));
  out.stored = keep(overlaps, out.stored);
  auto const worked = fma(normal_force - elastic_force, vn, dot(friction - spring_force, w));
  auto const spent = keep(overlaps, fma(in.dt, worked, slipped));
  out.dissipated = fma(0.5 * in.tangential_stiffness * lost, had_square, spent);
  out.status = keep(overlaps, set<Number>(1.0)) + keep(both(overlaps, sliding), set<Number>(1.0));
  return out;
}

template <class Number>
HWY_INLINE AnswerOfAnyLaw<Number> any_law(Contact<Number> const& in, Choices const& by) {
  auto const answer = step<Number>(in, by);
  return {answer.force, answer.spring, answer.stored, answer.dissipated, answer.status};
}
template <class Number>
HWY_INLINE Answer<Number> recommended(Contact<Number> const& in) {
  return step<Number>(in, laws::demeter);
}

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3

void evaluate(std::size_t n, double const* const in[], double* const out[]) {
  solve_vectors<Contact, recommended<Register>>(n, in, out);
}
void evaluate_by(Choices const& by, std::size_t n, double const* const in[], double* const out[]) {
  auto const answer = [&by](double const* const* from, double* const* to, std::size_t j) HWY_ATTR {
    store_columns(any_law<Register>(load_columns<Register, Contact>(from, j), by), to, j);
  };
  for_each_vector<sizeof(Contact<Register>) / sizeof(Register), sizeof(Answer<Register>) / sizeof(Register)>(n, in, out,
                                                                                                             answer);
}

#endif

#if HWY_ONCE

HWY_INLINE void solve_rows_by(Choices const& by, std::size_t n, double const* const in[], double* const out[]) {
  for (std::size_t i = 0; i < n; ++i) store_columns(any_law<double>(load_columns<double, Contact>(in, i), by), out, i);
}

void evaluate_rows(std::size_t n, double const* const in[], double* const out[]) {
  fast_core::call_fused<solve_rows<Contact, recommended<double>>>(n, in, out);
}
void evaluate_rows_by(Choices const& by, std::size_t n, double const* const in[], double* const out[]) {
  fast_core::call_fused<solve_rows_by>(by, n, in, out);
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

void evaluate(Choices const& by, Level level, std::size_t n, double const* const in[], double* const out[]) noexcept {
  if (by == Choices{}) return evaluate(level, n, in, out);
  switch (level) {
    case Level::avx512:
      return N_AVX3::evaluate_by(by, n, in, out);
    case Level::avx2:
      return N_AVX2::evaluate_by(by, n, in, out);
    case Level::scalar:
      break;
  }
  HWY_NAMESPACE::evaluate_rows_by(by, n, in, out);
}

}  // namespace demeter::contact_force::fast

#endif
