// Oracle of capsule_endpoints: Hamilton's product q i q* in exact integers.
//
// On a common grid the components of the quaternion are integers. The components of the rotated axis times |q|^2 are
// then integers as well. The half-shaft is the rotated axis times shaft / (2 |q|^2). Each of its components is a ratio
// of integers, which is enclosed once.
#pragma once

#include "oracles/core/at_precision.hpp"
#include "oracles/core/dyadic.hpp"
#include "oracles/core/enclose.hpp"
#include "oracles/core/hooks.hpp"
#include "oracles/core/quaternion.hpp"
#include "reference/spec/capsule_endpoints.hpp"

#include <array>
#include <cmath>
#include <cstdint>

namespace demeter::capsule_endpoints::oracle {

namespace exact {

inline CommonGrid quaternion_grid(Input<double> const& in) {
  CommonGrid grid;
  for (Index i = 0; i < 4; ++i) grid.add(in.orientation[i]);
  return grid;
}

/// Computes the last step of the exact formula (quotient and sums) in long double.
struct InLongDouble {
  using Number = Enclosure;
  /// Returns x/y 2^exponent for x >= 0, y > 0.
  template <class Numerator, class Denominator>
  Enclosure ratio(Numerator const& x, Denominator const& y, int exponent) const {
    return root_of_ratio(x * x, y * y, exponent);
  }
  Enclosure exactly(long double x) const { return {x, 0, 0}; }
  Enclosure negative(Enclosure const& x) const { return {-x.high, -x.low, x.radius}; }
  Enclosure minus(Enclosure const& x, Enclosure const& y) const { return difference(x, y); }
};

/// Computes the last step of the exact formula (quotient and sums) in intervals.
struct InIntervals {
  AtPrecision at;

  using Number = Interval;
  Interval ratio(BigInteger const& x, BigInteger const& y, int exponent) const {
    return at.root_of_ratio(x * x, y * y, exponent);
  }
  Interval exactly(long double x) const { return Interval::exactly(x, at.bits); }
  Interval negative(Interval const& x) const { return exactly(0) - x; }
  Interval minus(Interval const& x, Interval const& y) const { return x - y; }
};

/// Returns the outputs. With WideInteger<L>, the components of q must be below 2^(64 L - 3). Each component of q i is a
/// component of q or its negative, and needs L limbs. The components of q i q* are sums of four products below 2^(128 L
/// - 6). They are below 2^(128 L - 4), and need 2 L limbs. (Both types have one limb more, because the factor i has one
/// limb.)
template <class Integer, class Ending>
Output<typename Ending::Number> ends(Input<double> const& in, int exponent, Ending const& ending) {
  using Number = typename Ending::Number;
  using Small = std::conditional_t<std::is_same_v<Integer, BigInteger>, BigInteger, WideInteger<1>>;
  std::array<Integer, 4> q;
  for (std::size_t i = 0; i < 4; ++i) q[i] = on_grid<Integer>(in.orientation[static_cast<Index>(i)], exponent);
  std::array<Integer, 4> const conjugate{q[0], -q[1], -q[2], -q[3]};
  std::array<Small, 4> const local_x{Small(0), Small(1), Small(0), Small(0)};
  auto const image = hamilton_product(hamilton_product(q, local_x), conjugate);  // the rotated axis times |q|^2
  auto const square = hamilton_product(q, conjugate)[0];                         // |q|^2
  Dyadic const shaft = split(in.shaft);
  Small const length(static_cast<std::int64_t>(shaft.mantissa));

  auto const minus = [&](Number const& x, Number const& y) { return ending.minus(x, y); };
  auto const plus = [&](Number const& x, Number const& y) { return ending.minus(x, ending.negative(y)); };
  Number const radius = ending.exactly(in.radius);
  Output<Number> out;
  for (Index i = 0; i < 3; ++i) {
    auto const& component = image[static_cast<std::size_t>(i) + 1];
    bool const falling = is_negative(component);
    Number const reach = ending.ratio((falling ? -component : component) * length, square, shaft.exponent - 1);
    Number const position = ending.exactly(in.position[i]);
    out.half[i] = falling ? ending.negative(reach) : reach;
    out.end0[i] = minus(position, out.half[i]);
    out.end1[i] = plus(position, out.half[i]);
    // position - radius and position + radius are computed first: both terms are exact and may cancel without loss.
    out.box_low[i] = minus(minus(position, radius), reach);
    out.box_high[i] = plus(plus(position, radius), reach);
  }
  out.bounding_radius = plus(radius, ending.exactly(in.shaft / 2.0L));
  return out;
}

}  // namespace exact

/// Returns the certified ends, box and sphere. The enclosure of the half-shaft has a radius of at most 2^-122 of its
/// value. The other enclosures have radii of at most 2^-120 of the scales.
inline Output<Enclosure> truth(Input<double> const& in) {
  CommonGrid const grid = exact::quaternion_grid(in);
  if (grid.bits() <= 61) return exact::ends<WideInteger<1>>(in, grid.exponent(), exact::InLongDouble{});
  if (grid.bits() <= 125) return exact::ends<WideInteger<2>>(in, grid.exponent(), exact::InLongDouble{});
  return exact::ends<BigInteger>(in, grid.exponent(), exact::InLongDouble{});
}

/// Returns the truth, computed in integers of any size for every input. A test compares it with `truth`, which selects
/// the integer type by the number of bits.
inline Output<Enclosure> exact_truth(Input<double> const& in) {
  return exact::ends<BigInteger>(in, exact::quaternion_grid(in).exponent(), exact::InLongDouble{});
}

/// Returns the truth in intervals of `bits` bits, for cases that `truth` leaves undecided.
inline Output<Interval> refined_truth(Input<double> const& in, mpfr_prec_t bits) {
  return exact::ends<BigInteger>(in, exact::quaternion_grid(in).exponent(), exact::InIntervals{AtPrecision{bits}});
}

inline constexpr OracleHooks<Contract> hooks{};

}  // namespace demeter::capsule_endpoints::oracle
