// Pieces that regimes and laws of several kernels are built from: directions, exact dyadic numbers, rotations, exact
// scalings, and the arithmetic of "how far is this law from holding".
#pragma once

#include "properties/core/random.hpp"
#include "reference/spec/core/contract.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

namespace demeter {

// ---------------------------------------------------------------------------------------------------------- drawing

/// Uniform in the cube [-1, 1]^3.
inline Vector3<double> cube_point(Random& random) {
  double const x = random.uniform(-1, 1), y = random.uniform(-1, 1), z = random.uniform(-1, 1);
  return {x, y, z};
}

/// Uniform on the unit sphere (by rejection: no transcendental function, so the same on every platform).
inline Vector3<double> unit_direction(Random& random) {
  for (;;) {
    Vector3<double> const point = cube_point(random);
    double const square = point.squaredNorm();
    if (square <= 1 && square > 0.01) return point / std::sqrt(square);
  }
}

/// A unit vector perpendicular to `axis` (itself a unit vector), as well as doubles can.
inline Vector3<double> unit_perpendicular(Vector3<double> const& axis, Random& random) {
  for (;;) {
    Vector3<double> const point = cube_point(random);
    Vector3<double> const normal = point - axis * axis.dot(point);
    double const square = normal.squaredNorm();
    if (square > 0.01) return normal / std::sqrt(square);
  }
}

/// A uniformly random rotation, orthogonal to within a few 2^-64.
inline Eigen::Matrix<long double, 3, 3> rotation(Random& random) {
  for (;;) {
    long double const w = random.uniform(-1, 1), x = random.uniform(-1, 1), y = random.uniform(-1, 1),
                      z = random.uniform(-1, 1);
    long double const square = w * w + x * x + y * y + z * z;
    if (square > 1 || square < 0.01L) continue;
    long double const f = 2 / square;
    Eigen::Matrix<long double, 3, 3> matrix;
    matrix << 1 - f * (y * y + z * z), f * (x * y - w * z), f * (x * z + w * y),  //
        f * (x * y + w * z), 1 - f * (x * x + z * z), f * (y * z - w * x),        //
        f * (x * z - w * y), f * (y * z + w * x), 1 - f * (x * x + y * y);
    return matrix;
  }
}

/// A multiple of 2^exponent with at most `bits` significant bits and either sign: sums and products of few such numbers
/// are exact, which is how exactly degenerate cases are built.
inline double few_bits(Random& random, int bits, int exponent) {
  std::int64_t const limit = (std::int64_t{1} << bits) - 1;
  return std::ldexp(static_cast<double>(random.integer(-limit, limit)), exponent);
}
inline Vector3<double> few_bits_vector(Random& random, int bits, int exponent) {
  double const x = few_bits(random, bits, exponent), y = few_bits(random, bits, exponent),
               z = few_bits(random, bits, exponent);
  return {x, y, z};
}

/// Each coordinate moved by up to `k` units in its last place.
inline Vector3<double> nudge(Vector3<double> const& point, Random& random, int k) {
  double const x = random.nudge(point[0], k), y = random.nudge(point[1], k), z = random.nudge(point[2], k);
  return {x, y, z};
}

// ------------------------------------------------------------------------------------------------- exact operations

inline bool all_finite(Vector3<double> const& point) { return point.allFinite(); }

/// Whether a + b is a double (no rounding, no overflow).
inline bool adds_exactly(double a, double b) {
  double const sum = a + b;
  if (!std::isfinite(sum)) return false;
  double const part = sum - a;
  return (a - (sum - part)) + (b - part) == 0;
}

/// The exponents k for which values may be multiplied by 2^k; empty if low > high.
struct ExponentRange {
  int low = -4000, high = 4000;

  /// Keeps x 2^k exact and below 2^1020 (x a double; zero sets no limit).
  void keep_exact(double x) {
    if (x == 0) return;
    int exponent;
    double const mantissa = std::frexp(x, &exponent);
    auto const digits = static_cast<std::uint64_t>(std::ldexp(std::fabs(mantissa), 53));
    low = std::max(low, -1074 - (exponent - 53 + __builtin_ctzll(digits)));
    high = std::min(high, 1020 - exponent);
  }
  /// Keeps |x| 2^(degree k) in [2^lowest, 2^1020] (zero sets no limit, degree >= 1).
  void keep_within(long double x, int degree, int lowest) {
    if (!(std::fabs(x) > 0)) return;
    int const exponent = std::ilogb(x);
    low = std::max(low, ceiling_quotient(lowest - exponent, degree));
    high = std::min(high, -ceiling_quotient(exponent + 1 - 1020, degree));
  }
  /// A non-zero exponent of the range, 0 if there is none. Ordinary changes of unit are as likely as extreme ones.
  int draw(Random& random) const {
    if (low > high) return 0;
    int const near_low = std::max(low, -40), near_high = std::min(high, 40);
    bool const near = random.chance(0.5) && near_low <= near_high;
    return static_cast<int>(near ? random.integer(near_low, near_high) : random.integer(low, high));
  }

 private:
  static int ceiling_quotient(int numerator, int denominator) {
    int const quotient = numerator / denominator;
    return quotient * denominator < numerator ? quotient + 1 : quotient;
  }
};

// ------------------------------------------------------------------------------------------------- laws' arithmetic

inline constexpr double infinite = std::numeric_limits<double>::infinity();
/// Half the least subnormal: what every budget has added, see `Budget`.
inline constexpr long double half_least = 0x1p-1075L;
inline constexpr long double largest_double = std::numeric_limits<double>::max();

/// error / tolerance, both >= 0; infinity when the error is not a number.
inline double in_tolerances(long double error, long double tolerance) {
  if (std::isnan(error)) return infinite;
  if (!(error > 0)) return 0;
  return static_cast<double>(error / tolerance);
}

/// For laws without tolerance: 0 if equal, otherwise above 1 by the error in units of u `scale`.
inline double in_units_if_different(long double error, long double scale) {
  if (error == 0) return 0;
  return 1 + in_tolerances(std::fabs(error), static_cast<long double>(unit_roundoff) * scale);
}

/// A number that depends on all the bits given to it: a law that needs an arbitrary but reproducible choice in
/// `violation`, where no source of randomness is passed, seeds one with it.
inline std::uint64_t mix_in(std::uint64_t seed, double value) {
  std::uint64_t pattern;
  static_assert(sizeof pattern == sizeof value);
  __builtin_memcpy(&pattern, &value, sizeof pattern);
  return (seed ^ pattern) * 0x9e3779b97f4a7c15 + (seed >> 29);
}

}  // namespace demeter
