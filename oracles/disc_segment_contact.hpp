// Oracle of disc_segment_contact: exact integers on a common grid of all inputs, and one square root.
#pragma once

#include "oracles/core/at_precision.hpp"
#include "oracles/core/dyadic.hpp"
#include "oracles/core/enclose.hpp"
#include "oracles/core/hooks.hpp"
#include "reference/spec/core/table.hpp"
#include "reference/spec/disc_segment_contact.hpp"

#include <algorithm>
#include <array>

namespace demeter::disc_segment_contact::oracle {

/// The exact result. Lengths are integers times 2^exponent. The squared distance is `squared` / `over`. The normal is
/// `towards` divided by the square root of `towards_squared`.
struct Exact {
  BigInteger along, length_squared;  ///< s.t and |t|^2, with s = centre - p0 and t = p1 - p0
  BigInteger squared, over, radius, reach;
  std::array<BigInteger, 2> towards;
  BigInteger towards_squared;
  int exponent;
  Feature feature;
  Present present;
};

inline Exact exact(Input<double> const& in) {
  CommonGrid grid;
  for (Index k = 0; k < 2; ++k)
    for (double const x : {in.centre[k], in.p0[k], in.p1[k]}) grid.add(x);
  for (double const x : {in.radius, in.alert}) grid.add(x);
  using Pair = std::array<BigInteger, 2>;
  auto const integer = [&](double x) { return on_grid<BigInteger>(x, grid.exponent()); };
  auto const between = [&](Vector2<double> const& a, Vector2<double> const& b) {
    return Pair{integer(a[0]) - integer(b[0]), integer(a[1]) - integer(b[1])};
  };
  auto const dot = [](Pair const& a, Pair const& b) { return a[0] * b[0] + a[1] * b[1]; };
  Pair const t = between(in.p1, in.p0), s = between(in.centre, in.p0), q = between(in.centre, in.p1);
  Exact is;
  is.exponent = grid.exponent();
  is.along = dot(s, t);
  is.length_squared = dot(t, t);
  is.radius = integer(in.radius);
  is.reach = is.radius + integer(in.alert);
  // The nearest point is an end if the angle between the segment and the direction to the centre is not acute there.
  bool const at_end0 = !(0 < dot(s, t)), at_end1 = !(dot(q, t) < 0);
  is.feature = at_end0 ? Feature::end0 : at_end1 ? Feature::end1 : Feature::interior;
  if (is.feature == Feature::interior) {
    BigInteger const area = t[0] * s[1] - t[1] * s[0];
    bool const right = is_negative(area);
    is.squared = area * area;
    is.over = is.length_squared;
    is.towards = {right ? t[1] : -t[1], right ? -t[0] : t[0]};
    is.towards_squared = is.length_squared;
  } else {
    is.towards = at_end0 ? s : q;
    is.towards_squared = is.squared = dot(is.towards, is.towards);
    is.over = 1;
  }
  is.present = is.squared < is.reach * is.reach * is.over ? Present::yes : Present::no;
  return is;
}

inline Enclosure negated(Enclosure const& x) { return {-x.high, -x.low, x.radius}; }

/// Returns the truth. The distance and the components of the normal are roots of ratios of integers, with a relative
/// radius of 2^-122. The labels are exact.
/// Source: docs/mathematics/nonsmooth.md#disc_segment_contact-oracle-and-its-proof.
inline Output<Enclosure> truth(Input<double> const& in) {
  Exact const is = exact(in);
  Output<Enclosure> out{difference(root_of_ratio(is.squared, is.over, is.exponent), enclose(is.radius, is.exponent)),
                        std::nullopt, is.feature, is.present};
  if (is_zero(is.squared)) return out;
  out.normal.emplace();
  for (std::size_t k = 0; k < 2; ++k) {
    Enclosure const size = root_of_ratio(is.towards[k] * is.towards[k], is.towards_squared, 0);
    (*out.normal)[static_cast<Index>(k)] = is_negative(is.towards[k]) ? negated(size) : size;
  }
  return out;
}

inline Output<Interval> refined_truth(Input<double> const& in, mpfr_prec_t bits) {
  Exact const is = exact(in);
  AtPrecision const at{bits};
  Output<Interval> out{at.root_of_ratio(is.squared, is.over, is.exponent) - at.number(is.radius, is.exponent),
                       std::nullopt, is.feature, is.present};
  if (is_zero(is.squared)) return out;
  out.normal.emplace();
  for (std::size_t k = 0; k < 2; ++k) {
    Interval const size = at.root_of_ratio(is.towards[k] * is.towards[k], is.towards_squared, 0);
    (*out.normal)[static_cast<Index>(k)] = is_negative(is.towards[k]) ? -size : size;
  }
  return out;
}

/// Returns how far the foot of the centre on the line of the segment would have to move along this line to make the
/// answered feature right. The result is the numerator (>= 0) of this distance. The denominator is the length of the
/// segment.
inline BigInteger feature_is_off_by(Exact const& is, Feature feature) {
  BigInteger off = 0;
  if (feature == Feature::end0) off = is.along;
  if (feature == Feature::end1) off = is.length_squared - is.along;
  if (feature == Feature::interior) off = is_negative(is.along) ? -is.along : BigInteger(is.along - is.length_squared);
  return is_negative(off) ? BigInteger(0) : off;
}

inline Enclosure larger(Enclosure const& a, Enclosure const& b) {
  bool const second = a.high < b.high || (a.high == b.high && a.low < b.low);
  Enclosure result = second ? b : a;
  result.radius = std::max(a.radius, b.radius);
  return result;
}

/// Returns the error of the answered labels as a length. For the feature: the distance of the foot from the answered
/// part. For `present`: the difference between gap and alert distance. If both are wrong: the larger one.
inline Enclosure excess(Input<double> const& in, Output<Enclosure> const& truth, Output<double> const& answer) {
  Enclosure worst;
  if (is_computed(answer.feature) && answer.feature != truth.feature) {
    Exact const is = exact(in);
    BigInteger const off = feature_is_off_by(is, answer.feature);
    worst = root_of_ratio(off * off, is.length_squared, is.exponent);
  }
  if (is_computed(answer.present) && answer.present != truth.present) {
    Enclosure const beyond = difference(truth.gap, {static_cast<long double>(in.alert), 0, 0});
    Enclosure const size = truth.present == Present::no ? beyond : negated(beyond);
    worst = larger(worst, size);
  }
  return worst;
}
inline Interval refined_excess(Input<double> const& in, Output<Interval> const& truth, Output<double> const& answer) {
  mpfr_prec_t const bits = truth.gap.precision();
  Interval worst = Interval::exactly(0, bits);
  if (is_computed(answer.feature) && answer.feature != truth.feature) {
    Exact const is = exact(in);
    BigInteger const off = feature_is_off_by(is, answer.feature);
    worst = AtPrecision{bits}.root_of_ratio(off * off, is.length_squared, is.exponent);
  }
  if (is_computed(answer.present) && answer.present != truth.present)
    worst = maximum(worst, magnitude(truth.gap - Interval::exactly(in.alert, bits)));
  return worst;
}

inline constexpr OracleHooks<Contract> hooks{.excess = excess, .refined_excess = refined_excess};

}  // namespace demeter::disc_segment_contact::oracle
