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

/// Bounds of |x - truth| for a subject's answer x in double.
struct ErrorBounds {
  long double lower, upper;
};

/// Returns bounds of |x - truth| for a finite x; infinity otherwise.
inline ErrorBounds error_bounds(double x, Enclosure const& truth) {
  if (!std::isfinite(x)) {
    constexpr long double infinity = std::numeric_limits<long double>::infinity();
    return {infinity, infinity};
  }
  // The sums x - high, minus low, and those below are each rounded by 2^-64 of their results; 2^-62 of the total covers
  // them. If x is close to the truth, the first difference is exact, so the error of a good answer is known to about 60
  // bits.
  long double const first = static_cast<long double>(x) - truth.high;
  long double const magnitude = std::fabs(first - truth.low);
  // If the truth is exact and a single long double, and the difference does not round, the error is exact and ties with
  // the budget are decided. The back-subtraction detects rounding (it is exact by Sterbenz, or it fails the test).
  bool const exact = truth.radius == 0 && truth.low == 0 && first + truth.high == static_cast<long double>(x) &&
                     static_cast<long double>(x) - first == truth.high;
  if (exact) return {magnitude, magnitude};
  long double const slack = (magnitude + std::fabs(first) + truth.radius) * 0x1p-62L + truth.radius;
  return {magnitude > slack ? magnitude - slack : 0, magnitude + slack};
}

}  // namespace demeter
