// Oracle of wall_capsule_contact: the depths of the two ends in exact integers.
//
// All outputs are rational. Wall, centre and half-shaft (their components along the wall's axis) and radius are
// integers on a common grid. The depth t of the centre (radius minus height) and the rise h of the shaft are then
// integers. The depths of the ends are t - h and t + h, and -uN is the larger depth. If both ends overlap, the contact
// is at -h / t half-shafts from the centre: the mean of the ends, weighted by their depths. Otherwise it is at the
// deeper end.
#pragma once

#include "oracles/core/at_precision.hpp"
#include "oracles/core/dyadic.hpp"
#include "oracles/core/enclose.hpp"
#include "oracles/core/hooks.hpp"
#include "reference/spec/wall_capsule_contact.hpp"

#include <cmath>
#include <cstdint>
#include <limits>

namespace demeter::wall_capsule_contact::oracle {

namespace exact {

inline CommonGrid height_grid(Input<double> const& in) {
  CommonGrid grid;
  Index const k = axis_of(in);
  for (double const x : {in.wall, in.centre[k], in.half[k], in.radius}) grid.add(x);
  return grid;
}

/// The depths, in units of the grid. With WideInteger<L>, all numbers must be below 2^(64 L - 4). Then a depth is below
/// 2^(64 L - 2), and twice the wall plus a depth is below 2^(64 L - 1): 64 L - 1 bits and a sign.
template <class Integer>
struct Depths {
  Integer centre;  ///< radius minus the height of the centre above the wall
  Integer rise;    ///< height of end 1 above the centre; if > 0, end 0 is the deeper one
  Integer deeper, shallower;

  bool one_overlaps() const { return Integer(0) < deeper; }
  bool both_overlap() const { return Integer(0) < shallower; }
};

template <class Integer>
Depths<Integer> depths(Input<double> const& in, int exponent) {
  Index const k = axis_of(in);
  auto const integer = [exponent](double x) { return on_grid<Integer>(x, exponent); };
  Integer const height = integer(in.centre[k]) - integer(in.wall), half = integer(in.half[k]);
  Depths<Integer> of;
  of.centre = in.sense < 0 ? integer(in.radius) + height : integer(in.radius) - height;
  of.rise = in.sense < 0 ? -half : half;
  Integer const reach = is_negative(half) ? -half : half;
  of.deeper = of.centre + reach;
  of.shallower = of.centre - reach;
  return of;
}

template <class Integer>
Status status(Depths<Integer> const& of) {
  return of.both_overlap() ? Status::both_ends : of.one_overlaps() ? Status::one_end : Status::separated;
}

template <class Integer>
Integer magnitude(Integer const& x) {
  return is_negative(x) ? -x : x;
}

/// Computes the last step of the exact formula (quotient and sum) in long double.
struct InLongDouble {
  using Number = Enclosure;
  template <class Integer>
  Enclosure number(Integer const& x, int exponent) const {
    return enclose(x, exponent);
  }
  /// Returns x/y 2^exponent for x >= 0, y > 0.
  template <class Numerator, class Denominator>
  Enclosure ratio(Numerator const& x, Denominator const& y, int exponent) const {
    return root_of_ratio(x * x, y * y, exponent);
  }
  Enclosure exactly(double x) const { return {x, 0, 0}; }
  Enclosure minus(Enclosure const& x, Enclosure const& y) const { return difference(x, y); }
  Enclosure negative(Enclosure const& x) const { return {-x.high, -x.low, x.radius}; }
};

/// Computes the last step of the exact formula (quotient and sum) in intervals.
struct InIntervals {
  AtPrecision at;

  using Number = Interval;
  Interval number(BigInteger const& x, int exponent) const { return at.number(x, exponent); }
  Interval ratio(BigInteger const& x, BigInteger const& y, int exponent) const {
    return at.root_of_ratio(x * x, y * y, exponent);
  }
  Interval exactly(double x) const { return Interval::exactly(x, at.bits); }
  Interval minus(Interval const& x, Interval const& y) const { return x - y; }
  Interval negative(Interval const& x) const { return Interval::exactly(0, at.bits) - x; }
};

template <class Integer, class Ending>
Output<typename Ending::Number> contact(Input<double> const& in, int exponent, Ending const& ending) {
  Depths<Integer> const of = depths<Integer>(in, exponent);
  Output<typename Ending::Number> out;
  out.status = status(of);
  out.uN = ending.number(-of.deeper, exponent);

  Index const k = axis_of(in);
  for (Index i = 0; i < 3; ++i) {
    out.normal[i] = ending.exactly(i == k ? in.sense : 0);
    if (i == k) {
      // The wall's coordinate plus uN / 2 towards the free side.
      Integer const wall = on_grid<Integer>(in.wall, exponent), twice = wall + wall;
      out.point[i] = ending.number(in.sense < 0 ? twice + of.deeper : twice - of.deeper, exponent - 1);
    } else if (is_zero(of.rise)) {
      out.point[i] = ending.exactly(in.centre[i]);
    } else {
      // Moves the point from the centre towards end 0 if rise > 0, and towards end 1 if rise < 0.
      double const step = is_negative(of.rise) ? -in.half[i] : in.half[i];
      Dyadic const part = split(std::fabs(in.half[i]));
      typename Ending::Number const along =
          of.both_overlap() ? ending.ratio(magnitude(of.rise) * Integer(static_cast<std::int64_t>(part.mantissa)),
                                           of.centre, part.exponent)
                            : ending.exactly(std::fabs(in.half[i]));
      out.point[i] = ending.minus(ending.exactly(in.centre[i]), step < 0 ? ending.negative(along) : along);
    }
  }
  return out;
}

/// Returns the smallest change of the gaps that makes the label right. The shallower end has the larger gap.
template <class Integer, class Ending>
typename Ending::Number excess(Input<double> const& in, int exponent, Status label, Ending const& ending) {
  Depths<Integer> const of = depths<Integer>(in, exponent);
  Integer change(0);
  auto const at_least = [&change](Integer const& x) {
    if (change < x) change = x;
  };
  switch (label) {
    case Status::separated:
      at_least(of.deeper);
      break;
    case Status::one_end:
      at_least(-of.deeper);
      at_least(of.shallower);
      break;
    case Status::both_ends:
      at_least(-of.shallower);
      break;
  }
  return ending.number(change, exponent);
}

}  // namespace exact

/// Returns the certified contact. uN and the point's coordinate along the wall's axis are exact if they have at most
/// 128 bits. The other coordinates are accurate to 2^-120 of the capsule's coordinates. The status is exact.
/// Source: docs/mathematics/capsules.md#wall_capsule_contact-oracle-and-its-proof.
inline Output<Enclosure> truth(Input<double> const& in) {
  CommonGrid const grid = exact::height_grid(in);
  if (grid.bits() <= 60) return exact::contact<WideInteger<1>>(in, grid.exponent(), exact::InLongDouble{});
  if (grid.bits() <= 124) return exact::contact<WideInteger<2>>(in, grid.exponent(), exact::InLongDouble{});
  return exact::contact<BigInteger>(in, grid.exponent(), exact::InLongDouble{});
}

/// Returns the truth, computed in integers of any size for every input. A test compares it with `truth`, which selects
/// the integer type by the number of bits.
inline Output<Enclosure> exact_truth(Input<double> const& in) {
  return exact::contact<BigInteger>(in, exact::height_grid(in).exponent(), exact::InLongDouble{});
}

/// Returns the truth in intervals of `bits` bits, for cases that `truth` leaves undecided.
inline Output<Interval> refined_truth(Input<double> const& in, mpfr_prec_t bits) {
  return exact::contact<BigInteger>(in, exact::height_grid(in).exponent(), exact::InIntervals{AtPrecision{bits}});
}

/// Returns the smallest change of the gaps that makes the answered status right. It is 0 for the right status. If an
/// end just touches, it is 0 for two statuses. It is infinite if the answer is not a status.
inline Enclosure excess(Input<double> const& in, Output<Enclosure> const&, Output<double> const& answer) {
  if (static_cast<unsigned>(answer.status) > 2) return {std::numeric_limits<long double>::infinity(), 0, 0};
  CommonGrid const grid = exact::height_grid(in);
  exact::InLongDouble const ending;
  if (grid.bits() <= 60) return exact::excess<WideInteger<1>>(in, grid.exponent(), answer.status, ending);
  if (grid.bits() <= 124) return exact::excess<WideInteger<2>>(in, grid.exponent(), answer.status, ending);
  return exact::excess<BigInteger>(in, grid.exponent(), answer.status, ending);
}

/// Returns the excess in intervals. The answer must be a status.
inline Interval refined_excess(Input<double> const& in, Output<Interval> const& truth, Output<double> const& answer) {
  return exact::excess<BigInteger>(in, exact::height_grid(in).exponent(), answer.status,
                                   exact::InIntervals{AtPrecision{truth.uN.precision()}});
}

inline constexpr OracleHooks<Contract> hooks{.excess = excess, .refined_excess = refined_excess};

}  // namespace demeter::wall_capsule_contact::oracle
