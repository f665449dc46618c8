// The source of randomness of generators: a counter-based stream, so that a case is a function of seed, regime and id.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

namespace demeter {

/// SplitMix64 (Steele, Lea, Flood 2014) seeded by hashing seed, stream and index. Every draw is reproducible on every
/// platform: no std:: distribution, whose results the standard leaves open.
class Random {
 public:
  Random(std::uint64_t seed, std::uint64_t stream, std::uint64_t index)
      : state_(mix(mix(mix(seed) ^ (stream + 0x632be59bd9b4e019)) ^ (index + 0x9e3779b97f4a7c15))) {}

  std::uint64_t bits() { return mix(state_ += 0x9e3779b97f4a7c15); }

  /// Uniform in [0, 1), all 2^53 multiples of 2^-53.
  double unit() { return static_cast<double>(bits() >> 11) * 0x1p-53; }
  double uniform(double low, double high) { return low + (high - low) * unit(); }
  /// Uniform integer in [low, high].
  std::int64_t integer(std::int64_t low, std::int64_t high) {
    // Unsigned, because the span of all integers is 2^64.
    auto const first = static_cast<std::uint64_t>(low), span = static_cast<std::uint64_t>(high) - first + 1;
    return static_cast<std::int64_t>(first + (span == 0 ? bits() : bits() % span));
  }
  bool chance(double probability) { return unit() < probability; }
  double sign() { return (bits() >> 63) != 0 ? -1.0 : 1.0; }
  /// Log-uniform magnitude between two powers of ten, e.g. (-6, 6); positive.
  double log_uniform(double low_exponent, double high_exponent) {
    return std::pow(10.0, uniform(low_exponent, high_exponent));
  }
  /// A positive finite double with uniformly random bits: every exponent, subnormals included, equally likely.
  double any_positive() {
    for (;;) {
      std::uint64_t const pattern = bits() >> 1;
      double value;
      static_assert(sizeof value == sizeof pattern);
      __builtin_memcpy(&value, &pattern, sizeof value);
      if (value > 0 && value <= std::numeric_limits<double>::max()) return value;
    }
  }
  /// Standard normal by the polar method (reproducible).
  double normal() {
    for (;;) {
      double const a = uniform(-1, 1), b = uniform(-1, 1), r = a * a + b * b;
      if (r > 0 && r < 1) return a * std::sqrt(-2 * std::log(r) / r);
    }
  }
  /// `value` moved by up to `k` units in the last place either way.
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
  std::uint64_t state_;
};

}  // namespace demeter
