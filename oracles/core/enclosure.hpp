// A certified real number, the form in which an oracle states the truth.
#pragma once

#include <cmath>
#include <limits>

namespace demeter {

/// The truth lies in [high + low - radius, high + low + radius]; radius 0 means that it is exactly high + low.
/// Long double, because its 15-bit exponent holds every intermediate a budget needs (2^-1075, products of extreme
/// doubles) and the pair has 128 bits, so that a radius is about 2^-120 |high|, far below any budget.
struct Enclosure {
  long double high = 0, low = 0, radius = 0;
};

/// Bounds of |x - truth| for a subject's double x.
struct ErrorBounds {
  long double lower, upper;
};

/// |x - truth| for a finite x; infinite for any other.
inline ErrorBounds error_bounds(double x, Enclosure const& truth) {
  if (!std::isfinite(x)) {
    constexpr long double infinity = std::numeric_limits<long double>::infinity();
    return {infinity, infinity};
  }
  // x - high, minus low, and the sums below round by 2^-64 of their results each; 2^-62 of them all is plenty. Where x
  // is near the truth the first difference is exact, so the error of a good answer is known to about 60 bits.
  long double const first = static_cast<long double>(x) - truth.high;
  long double const magnitude = std::fabs(first - truth.low);
  // An exact truth that is one long double gives an exact error where the difference does not round: ties with a budget
  // are decided. The back-subtraction tells (exact by Sterbenz or not at all).
  bool const exact = truth.radius == 0 && truth.low == 0 && first + truth.high == static_cast<long double>(x) &&
                     static_cast<long double>(x) - first == truth.high;
  if (exact) return {magnitude, magnitude};
  long double const slack = (magnitude + std::fabs(first) + truth.radius) * 0x1p-62L + truth.radius;
  return {magnitude > slack ? magnitude - slack : 0, magnitude + slack};
}

}  // namespace demeter
