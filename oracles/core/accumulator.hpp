// Exact sums of doubles and of products of two doubles.
#pragma once

#include "oracles/core/at_precision.hpp"
#include "oracles/core/dyadic.hpp"
#include "oracles/core/enclose.hpp"
#include "oracles/core/integer.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace demeter {

/// An exact sum: a fixed-point number wide enough for any sum of products of two finite doubles (Kulisch). Each 64-bit
/// integer stores a digit of 32 bits. An addition therefore changes a few digits and needs no carry (Neal 2015,
/// arXiv:1505.05571).
class ExactSum {
 public:
  void add(double x) { add(split(x)); }
  void add(Dyadic const& x) { add(x.mantissa, x.exponent, x.negative); }

  void add_product(Dyadic const& x, Dyadic const& y) {
    add(static_cast<Unsigned128>(x.mantissa) * y.mantissa, x.exponent + y.exponent, x.negative != y.negative);
  }
  void subtract_product(Dyadic const& x, Dyadic const& y) {
    add(static_cast<Unsigned128>(x.mantissa) * y.mantissa, x.exponent + y.exponent, x.negative == y.negative);
  }

  /// Returns an enclosure of the sum. It is exact if the sum has at most 128 bits. Otherwise its relative radius is
  /// 2^-127.
  Enclosure enclosed() { return enclose(integer(), lowest_exponent); }

  /// Returns the sum as an interval of `at.bits` bits. The interval is exact if the sum has at most this number of
  /// bits.
  Interval enclosed(AtPrecision const& at) {
    auto const value = integer();
    auto const positive = is_negative(value) ? -value : value;
    BigInteger big;
    for (std::size_t i = limb_count(positive); i-- > 0;) big = (big << 64) + limb_at(positive, i);
    return at.number(is_negative(value) ? -big : big, lowest_exponent);
  }

 private:
  static constexpr int lowest_exponent = 2 * -1074;  // exponent of the product of two smallest subnormals
  // Number of digits. It is enough for the product of two largest doubles (2^2048), 2^64 terms and a sign.
  static constexpr std::size_t digits = (2 * 1074 + 2048 + 66 + 63) / 64 * 2;

  /// Returns the sum in units of 2^lowest_exponent.
  WideInteger<digits / 2> integer() {
    carry();
    WideInteger<digits / 2> value;
    for (std::size_t i = 0; i < digits / 2; ++i) {
      value.limb[i] = static_cast<std::uint64_t>(digit_[2 * i]) | static_cast<std::uint64_t>(digit_[2 * i + 1]) << 32;
    }
    return value;
  }

  /// Adds +-magnitude 2^exponent, magnitude < 2^107.
  void add(Unsigned128 magnitude, int exponent, bool negative) {
    if (++pending_ == most_pending) carry();
    auto const place = static_cast<unsigned>(exponent - lowest_exponent);
    std::size_t const first = place / 32;
    unsigned const shift = place % 32;
    // magnitude 2^shift has up to 138 bits, which is five digits.
    Unsigned128 const low = magnitude << shift;
    auto const top = shift == 0 ? 0 : static_cast<std::int64_t>(magnitude >> (128 - shift));
    std::int64_t const sign = negative ? -1 : 0;
    auto const put = [&](std::size_t i, std::int64_t part) { digit_[first + i] += (part ^ sign) - sign; };
    put(0, static_cast<std::uint32_t>(low));
    put(1, static_cast<std::uint32_t>(low >> 32));
    put(2, static_cast<std::uint32_t>(low >> 64));
    put(3, static_cast<std::uint32_t>(low >> 96));
    put(4, top);
  }

  /// Moves carries to higher digits. Every digit except the last is then in [0, 2^32). The last digit has the sign.
  void carry() {
    pending_ = 0;
    std::int64_t over = 0;
    for (std::size_t i = 0; i + 1 < digits; ++i) {
      std::int64_t const digit = digit_[i] + over;
      over = digit >> 32;
      digit_[i] = static_cast<std::int64_t>(static_cast<std::uint32_t>(digit));
    }
    digit_[digits - 1] += over;
  }

  // One addition changes a digit by less than 2^32. After 2^30 additions and a carry, a digit is far below 2^63.
  static constexpr std::uint32_t most_pending = 1u << 30;

  std::array<std::int64_t, digits> digit_{};
  std::uint32_t pending_ = 0;
};

}  // namespace demeter
