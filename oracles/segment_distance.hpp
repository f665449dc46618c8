// Oracle of segment_distance: the exact formula in rational arithmetic on the given doubles.
#pragma once

#include "oracles/core/at_precision.hpp"
#include "oracles/core/dyadic.hpp"
#include "oracles/core/enclose.hpp"
#include "oracles/core/enclosure.hpp"
#include "oracles/core/hooks.hpp"
#include "oracles/family/capsule/segments.hpp"
#include "reference/spec/segment_distance.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>

namespace demeter::segment_distance::oracle {

namespace exact {

using namespace capsule::oracle;

template <class Integer>
std::array<IntegerVector<Integer>, 4> points(Input<double> const& in, int exponent) {
  return {vector_on_grid<Integer>(in.p0, exponent), vector_on_grid<Integer>(in.p1, exponent),
          vector_on_grid<Integer>(in.q0, exponent), vector_on_grid<Integer>(in.q1, exponent)};
}

template <class Integer, class Root>
auto distance(Input<double> const& in, int exponent, Root const& root) {
  return capsule::oracle::distance<Integer>(points<Integer>(in, exponent), exponent, root);
}

/// Returns |v(s,t)| for v = w + t B - s A. s, t and 1 are on a grid of 2^unit. With WideInteger<L>, coordinates and
/// parameters must be below 2^(64 L - 3). Then v is below 3 2^(64 L - 2) 2^(64 L - 3) and fits into 2 L limbs, and
/// |v|^2 fits into 4 L limbs.
template <class Integer, class Root>
auto length(Input<double> const& in, int exponent, double s, double t, int unit, Root const& root) {
  auto const [p0, p1, q0, q1] = points<Integer>(in, exponent);
  IntegerVector<Integer> const A = p1 - p0, B = q1 - q0, w = q0 - p0;
  auto const one = on_grid<Integer>(1.0, unit), S = on_grid<Integer>(s, unit), T = on_grid<Integer>(t, unit);
  auto const component = [&](std::size_t i) { return one * w[i] + T * B[i] - S * A[i]; };
  auto const v = IntegerVector<decltype(component(0))>{component(0), component(1), component(2)};
  return root(dot(v, v), Integer(1), exponent + unit);
}

/// The parameter of a closest point: numerator / denominator, in [0, 1]. If `unique` is false, all parameters of a
/// range are equally close.
struct Parameter {
  BigInteger numerator = 0, denominator = 1;
  bool unique = true;

  Enclosure enclosed() const {
    if (!unique) return {0, 0, std::numeric_limits<long double>::infinity()};
    return root_of_ratio(numerator * numerator, denominator * denominator, 0);
  }
};

/// Returns the parameter of the point nearest to the origin on the segment from w to w + B. B is not zero.
inline Parameter projection(IntegerVector<BigInteger> const& w, IntegerVector<BigInteger> const& B) {
  BigInteger const BB = dot(B, B), k = -dot(w, B);
  if (!(0 < k)) return {0, 1};
  if (!(k < BB)) return {1, 1};
  return {k, BB};
}

/// Returns s and t of the closest pair. The squared distance is convex in (s, t), and strictly convex unless A x B = 0.
/// The parameter of a segment without length is arbitrary. For parallel segments every pair of opposite points is
/// equally close. The pair is unique only if the projections of the segments on their direction have at most one point
/// in common.
inline std::array<Parameter, 2> closest_parameters(Input<double> const& in, int exponent) {
  auto const [p0, p1, q0, q1] = points<BigInteger>(in, exponent);
  IntegerVector<BigInteger> const A = p1 - p0, B = q1 - q0, w = q0 - p0;
  Parameter const any{0, 1, false};
  if (is_zero_vector(A)) return {any, is_zero_vector(B) ? any : projection(w, B)};
  if (is_zero_vector(B)) return {projection(p0 - q0, A), any};

  auto const N = cross(A, B);
  if (is_zero_vector(N)) {
    BigInteger const begin = dot(w, A), end = begin + dot(B, A), length = dot(A, A);
    if (std::max(BigInteger(0), std::min(begin, end)) < std::min(length, std::max(begin, end))) return {any, any};
  } else {
    BigInteger const NN = dot(N, N), s = dot(cross(w, B), N), t = dot(cross(w, A), N);
    if (in_unit_interval(s, NN) && in_unit_interval(t, NN)) return {Parameter{s, NN}, Parameter{t, NN}};
  }
  // The closest pair is on the boundary of the parameter square. Candidates with equal distances are the same pair.
  auto least = point_segment(w, B);
  std::array<Parameter, 2> best{Parameter{0, 1}, projection(w, B)};
  auto const consider = [&](auto const& squared, Parameter const& s, Parameter const& t) {
    if (!(squared < least)) return;
    least = squared;
    best = {s, t};
  };
  consider(point_segment(q0 - p1, B), {1, 1}, projection(q0 - p1, B));
  consider(point_segment(p0 - q0, A), projection(p0 - q0, A), {0, 1});
  consider(point_segment(p0 - q1, A), projection(p0 - q1, A), {1, 1});
  return best;
}

inline CommonGrid coordinate_grid(Input<double> const& in) {
  CommonGrid grid;
  for (auto const* point : {&in.p0, &in.p1, &in.q0, &in.q1}) {
    for (double const coordinate : *point) grid.add(coordinate);
  }
  return grid;
}

inline CommonGrid parameter_grid(double s, double t) {
  CommonGrid grid;
  for (double const parameter : {1.0, s, t}) grid.add(parameter);
  return grid;
}

inline constexpr auto in_long_double = [](auto const& numerator, auto const& denominator, int exponent) {
  return root_of_ratio(numerator, denominator, exponent);
};
inline auto at_precision(mpfr_prec_t bits) {
  return [at = AtPrecision{bits}](BigInteger const& numerator, BigInteger const& denominator, int exponent) {
    return at.root_of_ratio(numerator, denominator, exponent);
  };
}

inline Output<Enclosure> output(Enclosure const& distance) {
  Enclosure const anything{0, 0, std::numeric_limits<long double>::infinity()};
  return {distance, anything, anything};
}

}  // namespace exact

/// Returns the certified distance, with a relative radius of 2^-122. It is exact (radius 0) if the distance is a binary
/// number of at most 116 bits. s and t may not be unique. Therefore their radius is infinite. The input may be any
/// finite doubles.
/// Source: docs/mathematics/capsules.md#segment_distance-oracle-and-its-proof.
inline Output<Enclosure> truth(Input<double> const& in) {
  CommonGrid const grid = exact::coordinate_grid(in);
  // Doubles of similar size usually share a grid of 61 or of 125 bits. Mixed sizes need more.
  if (grid.bits() <= 61)
    return exact::output(exact::distance<WideInteger<1>>(in, grid.exponent(), exact::in_long_double));
  if (grid.bits() <= 125)
    return exact::output(exact::distance<WideInteger<2>>(in, grid.exponent(), exact::in_long_double));
  return exact::output(exact::distance<BigInteger>(in, grid.exponent(), exact::in_long_double));
}

/// Returns the truth for test vectors (oracles/vectors/). If the closest pair is unique, s and t are included, also
/// with a relative radius of 2^-122.
inline Output<Enclosure> recorded_truth(Input<double> const& in) {
  auto const parameters = exact::closest_parameters(in, exact::coordinate_grid(in).exponent());
  return {truth(in).distance, parameters[0].enclosed(), parameters[1].enclosed()};
}

/// Returns the truth, computed in integers of any size for every input. A test compares it with `truth`, which selects
/// the integer type by the number of bits.
inline Output<Enclosure> exact_truth(Input<double> const& in) {
  return exact::output(exact::distance<BigInteger>(in, exact::coordinate_grid(in).exponent(), exact::in_long_double));
}

/// Returns the truth in intervals of `bits` bits, for cases that `truth` leaves undecided.
inline Output<Interval> refined_truth(Input<double> const& in, mpfr_prec_t bits) {
  int const exponent = exact::coordinate_grid(in).exponent();
  return {exact::distance<BigInteger>(in, exponent, exact::at_precision(bits)), Interval::anything(),
          Interval::anything()};
}

/// Returns |v(s,t)| - d: the distance of the answer's two points minus the optimum, from the exact v. The radius is
/// below 2^-120 |v|. The lower bound may therefore be slightly below 0. The result is infinite if s or t is not in
/// [0,1]. The answer's distance is not used.
inline Enclosure excess(Input<double> const& in, Output<Enclosure> const& truth, Output<double> const& answer) {
  double const s = answer.s, t = answer.t;
  if (!(s >= 0 && s <= 1 && t >= 0 && t <= 1))
    return {std::numeric_limits<long double>::infinity(), 0, 0};  // also if NaN
  CommonGrid const grid = exact::coordinate_grid(in);
  CommonGrid const parameters = exact::parameter_grid(s, t);
  int const bits = std::max(grid.bits(), parameters.bits());
  auto const evaluate = [&]<class Integer>() {
    return exact::length<Integer>(in, grid.exponent(), s, t, parameters.exponent(), exact::in_long_double);
  };
  Enclosure const length = bits <= 61    ? evaluate.template operator()<WideInteger<1>>()
                           : bits <= 125 ? evaluate.template operator()<WideInteger<2>>()
                                         : evaluate.template operator()<BigInteger>();
  return difference(length, truth.distance);
}

/// Returns the excess in intervals. s and t must be in [0,1].
inline Interval refined_excess(Input<double> const& in, Output<Interval> const& truth, Output<double> const& answer) {
  CommonGrid const parameters = exact::parameter_grid(answer.s, answer.t);
  return exact::length<BigInteger>(in, exact::coordinate_grid(in).exponent(), answer.s, answer.t, parameters.exponent(),
                                   exact::at_precision(truth.distance.precision())) -
         truth.distance;
}

inline constexpr OracleHooks<Contract> hooks{
    .excess = excess, .refined_excess = refined_excess, .recorded_truth = recorded_truth};

}  // namespace demeter::segment_distance::oracle
