// The random numbers of generators: a counter-based stream, so that a case depends only on seed, regime and id.
#pragma once

#include "kernels/profile.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace demeter {

/// Returns 10^x for |x| <= 307, within 2 ulps. std::pow differs between machines; sums, products and scalings by powers
/// of two are the same everywhere.
inline double power_of_ten(double x) {
  // 10^x = 2^n e^t. Adding to_integer rounds n to an integer. The high part of log10(2) has 42 bits, so that its
  // product with n is exact.
  constexpr double log2_10 = 0x1.a934f0979a371p1, ln_10 = 0x1.26bb1bbb55516p1, to_integer = 0x1.8p52;
  constexpr double log10_2_high = 0x1.34413509f78p-2, log10_2_low = 0x1.fef311f12b358p-46;
  double const n = (x * log2_10 + to_integer) - to_integer;
  double const t = ((x - n * log10_2_high) - n * log10_2_low) * ln_10, s = t * t;
  // |t| <= ln(2) / 2: the series of cosh t - 1 and sinh t up to t^13.
  double const even =
      s *
      (1.0 / 2 + s * (1.0 / 24 + s * (1.0 / 720 + s * (1.0 / 40320 + s * (1.0 / 3628800 + s * (1.0 / 479001600))))));
  double const odd =
      t *
      (1 + s * (1.0 / 6 + s * (1.0 / 120 +
                               s * (1.0 / 5040 + s * (1.0 / 362880 + s * (1.0 / 39916800 + s * (1.0 / 6227020800)))))));
  double const scale = std::bit_cast<double>((static_cast<std::int64_t>(n) + 1023) << 52);
  return (1 + (odd + even)) * scale;
}

/// SplitMix64 (Steele, Lea, Flood 2014), seeded by a hash of seed, stream and index. Every number is the same on every
/// machine and with every compiler. Therefore no std:: distribution is used: the standard does not define its results.
/// For the same reason no function of the mathematical library is used that is not correctly rounded.
class Random {
 public:
  Random(std::uint64_t seed, std::uint64_t stream, std::uint64_t index, Sizes sizes = {})
      : state_(mix(mix(mix(seed) ^ (stream + 0x632be59bd9b4e019)) ^ (index + 0x9e3779b97f4a7c15))),
        index_(index),
        sizes_(sizes) {}

  /// Returns the id of the case. Use it for features that must occur regularly, for example each length of a list.
  std::uint64_t index() const { return index_; }

  /// Returns the size of an everyday or degenerate case in metres. Uses the sizes of the user, if given.
  double size() { return log_uniform(sizes_.low_exponent, sizes_.high_exponent); }
  Sizes const& sizes() const { return sizes_; }

  std::uint64_t bits() { return mix(state_ += 0x9e3779b97f4a7c15); }

  /// Returns a uniform number in [0, 1), one of the 2^53 multiples of 2^-53.
  double unit() { return static_cast<double>(bits() >> 11) * 0x1p-53; }
  double uniform(double low, double high) { return low + (high - low) * unit(); }
  /// Returns a uniform integer in [low, high].
  std::int64_t integer(std::int64_t low, std::int64_t high) {
    // Computed in unsigned integers, because the range of all 64-bit integers has 2^64 numbers.
    auto const first = static_cast<std::uint64_t>(low), span = static_cast<std::uint64_t>(high) - first + 1;
    return static_cast<std::int64_t>(first + (span == 0 ? bits() : bits() % span));
  }
  bool chance(double probability) { return unit() < probability; }
  double sign() { return (bits() >> 63) != 0 ? -1.0 : 1.0; }
  /// Returns a positive log-uniform number between two powers of ten, for example (-6, 6).
  double log_uniform(double low_exponent, double high_exponent) {
    return power_of_ten(uniform(low_exponent, high_exponent));
  }
  /// Returns a positive finite double with uniformly random bits. Every exponent, subnormals included, is equally
  /// likely.
  double any_positive() {
    for (;;) {
      double const value = std::bit_cast<double>(bits() >> 1);
      if (value > 0 && value <= std::numeric_limits<double>::max()) return value;
    }
  }
  /// Returns a standard normal number by a ratio of uniform numbers (Kinderman, Monahan 1977): v / u, where u <=
  /// exp(-(v / u)^2 / 4).
  double normal() {
    for (;;) {
      constexpr double widest = 0x1.b72cd3f331398p-1, log10_e = 0x1.bcb7b1526e50ep-2;  // sqrt(2 / e)
      double const u = 1 - unit(), ratio = uniform(-widest, widest) / u, quarter = ratio * ratio / 4;
      if (quarter < 40 && u <= power_of_ten(-quarter * log10_e)) return ratio;
    }
  }
  /// Returns `value` moved by up to `k` units in the last place in either direction.
  double nudge(double value, int k) {
    auto steps = integer(-k, k);
    for (; steps > 0; --steps) value = std::nextafter(value, std::numeric_limits<double>::infinity());
    for (; steps < 0; ++steps) value = std::nextafter(value, -std::numeric_limits<double>::infinity());
    return value;
  }

 private:
  static std::uint64_t mix(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  std::uint64_t state_, index_;
  Sizes sizes_;
};

}  // namespace demeter
