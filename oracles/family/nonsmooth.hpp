// Ratios of integers and their enclosures. The oracles of non-smooth contacts use them.
#pragma once

#include "oracles/core/at_precision.hpp"
#include "oracles/core/enclose.hpp"

namespace demeter::nonsmooth::oracle {

/// A ratio of integers multiplied by a power of two.
struct Ratio {
  BigInteger numerator;
  BigInteger denominator;  ///< > 0
  int exponent = 0;
};

/// Returns an enclosure with a relative radius below 2^-120. Exact if the ratio is an integer of at most 128 bits times
/// a power of two.
inline Enclosure enclosed(Ratio const& x) {
  if (is_zero(x.numerator)) return {};
  bool const negative = is_negative(x.numerator);
  BigInteger const size = negative ? -x.numerator : x.numerator;
  // The quotient has at least about 192 bits and is rounded down. The exact value is between the quotient and the next
  // integer.
  auto const bits = [](BigInteger const& value) { return leading(value).exponent + 128; };
  int const shift = std::max(0, 192 + bits(x.denominator) - bits(size));
  BigInteger const quotient = (size << shift) / x.denominator;
  bool const whole = quotient * x.denominator == size << shift;
  Enclosure result = enclose(quotient, x.exponent - shift);
  if (!whole) result.radius += std::fabs(result.high) * 0x1p-120L;
  if (negative) {
    result.high = -result.high;
    result.low = -result.low;
  }
  return result;
}

inline Interval enclosed(Ratio const& x, mpfr_prec_t bits) {
  AtPrecision const at{bits};
  return at.number(x.numerator, x.exponent) / at.number(x.denominator, 0);
}

}  // namespace demeter::nonsmooth::oracle
