// A certified real number: the form in which an oracle states the truth.
#pragma once

#include <cmath>
#include <limits>

namespace demeter {

/// The truth lies in [high + low - radius, high + low + radius]. With radius 0 it is exactly high + low.
/// Long double has two advantages. Its 15-bit exponent covers every intermediate value of a budget (2^-1075, products
/// of extreme doubles). The pair has 128 bits, so a radius is about 2^-120 |high|, far below any budget.
struct Enclosure {
  long double high = 0, low = 0, radius = 0;
};

/// Bounds of |x - truth| for an answer x of a subject in double.
struct ErrorBounds {
  long double lower, upper;
};

/// Returns bounds of |x - truth|. If x is not finite, both bounds are infinite.
inline ErrorBounds error_bounds(double x, Enclosure const& truth) {
  if (!std::isfinite(x)) {
    constexpr long double infinity = std::numeric_limits<long double>::infinity();
    return {infinity, infinity};
  }
  // Each difference and sum has a rounding error of at most 2^-64 of its result. 2^-62 of the total covers these
  // errors. If x is close to the truth, the first difference is exact. The error of a good answer is then known to
  // about 60 bits.
  long double const first = static_cast<long double>(x) - truth.high;
  long double const magnitude = std::fabs(first - truth.low);
  // If the truth is exactly one long double and the difference is exact, the error is exact. A tie with the budget is
  // then decided. The test adds and subtracts back. It detects a rounded difference: these operations are exact
  // (Sterbenz), or the test fails.
  bool const exact = truth.radius == 0 && truth.low == 0 && first + truth.high == static_cast<long double>(x) &&
                     static_cast<long double>(x) - first == truth.high;
  if (exact) return {magnitude, magnitude};
  long double const slack = (magnitude + std::fabs(first) + truth.radius) * 0x1p-62L + truth.radius;
  return {magnitude > slack ? magnitude - slack : 0, magnitude + slack};
}

}  // namespace demeter
