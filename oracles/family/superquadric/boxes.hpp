// The growth distance of the boxes of two superquadrics, as an interval.
// Source: docs/mathematics/superquadrics.md#superquadric_contact-oracle-and-its-proof.
#pragma once

#include "oracles/family/superquadric/placed.hpp"

namespace demeter::superquadric::oracle {

/// Returns a bound on the number of bits of a quaternion: for some e, all components are multiples of 2^e and below
/// 2^(e + bits).
inline int bits_of(Quaternion<double> const& q) {
  int low = 4000, high = -4000;
  for (Index k = 0; k < 4; ++k) {
    if (q[k] == 0) continue;
    int exponent = 0;
    double const mantissa = std::frexp(q[k], &exponent);
    auto const digits = static_cast<std::uint64_t>(std::ldexp(std::fabs(mantissa), 53));
    low = std::min(low, exponent - 53 + __builtin_ctzll(digits));
    high = std::max(high, exponent);
  }
  return high - low;
}

/// Returns the largest |L.d| / (r_i(L) + r_j(L)) over the 15 axes L. Skips an axis L that is exactly 0. With
/// quaternions in integers of bits_i and bits_j bits, each component of L is an integer divided by |q_i|^2 |q_j|^2 <
/// 2^(2 bits_i + 2 bits_j + 4). A component smaller than the inverse of this bound is therefore exactly 0. Intervals
/// with enough bits decide this.
inline Interval growth_of_boxes(Superquadric<double> const& i, Superquadric<double> const& j, mpfr_prec_t bits) {
  int const smallest = 2 * (bits_of(i.orientation) + bits_of(j.orientation)) + 8;
  bits = std::max<mpfr_prec_t>(bits, smallest + 128);
  IntervalMatrix const I = rotation(i.orientation, bits), J = rotation(j.orientation, bits);
  IntervalVector const d = difference(j.position, i.position, bits);
  auto const column = [](IntervalMatrix const& R, std::size_t k) -> IntervalVector {
    return {R[0][k], R[1][k], R[2][k]};
  };
  Interval largest = Interval::exactly(0, bits);
  auto const consider = [&](IntervalVector const& axis) {
    Interval reach = Interval::exactly(0, bits);
    for (std::size_t k = 0; k < 3; ++k) {
      auto const at = static_cast<Index>(k);
      reach = reach + Interval::exactly(i.semi_axes[at]) * magnitude(dot(axis, column(I, k))) +
              Interval::exactly(j.semi_axes[at]) * magnitude(dot(axis, column(J, k)));
    }
    largest = maximum(largest, magnitude(dot(axis, d)) / reach);
  };
  Interval const least = scaled(Interval::exactly(1, bits), -smallest);
  for (std::size_t k = 0; k < 3; ++k) {
    consider(column(I, k));
    consider(column(J, k));
    for (std::size_t l = 0; l < 3; ++l) {
      IntervalVector const axis = cross(column(I, k), column(J, l));
      bool zero = true;
      for (Interval const& each : axis) zero = zero && certainly_less(magnitude(each), least);
      if (!zero) consider(axis);
    }
  }
  return largest;
}

}  // namespace demeter::superquadric::oracle
