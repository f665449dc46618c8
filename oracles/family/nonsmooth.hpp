// What oracles of non-smooth contacts share: ratios of integers and their enclosures.
#pragma once

#include "oracles/core/at_precision.hpp"
#include "oracles/core/enclose.hpp"

namespace demeter::nonsmooth::oracle {

/// A ratio of integers times a power of two.
struct Ratio {
  BigInteger numerator;
  BigInteger denominator;  ///< > 0
  int exponent = 0;
};

/// Relative radius below 2^-120 of a ratio, exact where it is an integer times a power of two of 128 bits at most.
inline Enclosure enclosed(Ratio const& x) {
  if (is_zero(x.numerator)) return {};
  bool const negative = is_negative(x.numerator);
  BigInteger const size = negative ? -x.numerator : x.numerator;
  // The quotient to 2^-192 of itself, cut off: between it and the next integer.
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
