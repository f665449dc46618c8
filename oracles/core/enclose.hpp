// Enclosures in long double of exact integers and of square roots of their ratios.
#pragma once

#include "oracles/core/enclosure.hpp"
#include "oracles/core/integer.hpp"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

namespace demeter {

static_assert(std::numeric_limits<long double>::digits == 64, "enclosures rest on x87 extended precision");

namespace detail {
/// Returns high + low, exactly, with |low| at most half an ulp of high (Dekker; requires |high| >= |low|).
inline Enclosure normalised(long double high, long double low, long double radius) {
  long double const sum = high + low;
  return {sum, low - (sum - high), radius};
}

/// Returns 2^exponent for |exponent| <= 16382, from the bits of the x87 format: several times faster than std::ldexp.
inline long double power_of_two(int exponent) {
  std::uint64_t const leading_one = std::uint64_t{1} << 63;
  auto const biased = static_cast<std::uint16_t>(exponent + 16383);
  long double power = 0;
  std::memcpy(&power, &leading_one, sizeof leading_one);
  std::memcpy(reinterpret_cast<unsigned char*>(&power) + sizeof leading_one, &biased, sizeof biased);
  return power;
}

inline long double scaled(std::uint64_t bits, int exponent) {
  return static_cast<long double>(bits) * power_of_two(exponent);
}
}  // namespace detail

/// Returns +-bits 2^exponent. If `x.exact` is false, the truth may be larger in magnitude by up to 2^exponent.
inline Enclosure enclose(Leading const& x, bool negative = false) {
  long double const high = detail::scaled(static_cast<std::uint64_t>(x.bits >> 64), x.exponent + 64);
  long double const low = detail::scaled(static_cast<std::uint64_t>(x.bits), x.exponent);
  return detail::normalised(negative ? -high : high, negative ? -low : low,
                            x.exact ? 0.0L : detail::power_of_two(x.exponent));
}

/// Returns x 2^exponent with a relative radius of at most 2^-127. Exact if |x| has at most 128 bits from the first to
/// the last set bit.
template <class Integer>
Enclosure enclose(Integer const& x, int exponent) {
  if (is_zero(x)) return {};
  bool const negative = is_negative(x);
  Leading top = leading(negative ? -x : x);
  top.exponent += exponent;
  return enclose(top, negative);
}

namespace detail {
/// Returns whether root^2 denominator 2^(2 exponent) equals the numerator exactly.
template <class Numerator, class Denominator>
bool is_root(Unsigned128 root, int exponent, Numerator const& numerator, Denominator const& denominator) {
  while ((root & 1) == 0) {
    root >>= 1;
    ++exponent;
  }
  if (trailing_zeros(numerator) != trailing_zeros(denominator) + 2 * exponent) return false;
  Numerator const odd_numerator = odd_part(numerator);
  Denominator const odd_denominator = odd_part(denominator);
  // The comparison modulo 2^64 rejects nearly every inexact root.
  auto const low = static_cast<std::uint64_t>(root);
  if (low * low * limb_at(odd_denominator, 0) != limb_at(odd_numerator, 0)) return false;
  auto const big = [](auto const& x) {
    BigInteger value;
    for (std::size_t i = limb_count(x); i-- > 0;) value = (value << 64) + limb_at(x, i);
    return value;
  };
  BigInteger const whole = (BigInteger(static_cast<std::uint64_t>(root >> 64)) << 64) + low;
  return whole * whole * big(odd_denominator) == big(odd_numerator);
}
}  // namespace detail

/// Returns sqrt(numerator / denominator) 2^exponent for numerator >= 0, denominator > 0, with a relative radius of
/// 2^-122. Exact (radius 0) if the root is a binary number of at most 116 bits.
///
/// Computes one Newton step from the root in long double, with an exact residual. n and m are the leading 128 bits of
/// numerator and denominator, scaled so that n / m is in [1, 4). D is about 2^63 sqrt(n/m), and R = 2^126 n - D^2 m is
/// an exact integer. The root is D sqrt(1 + e) with e = R / (D^2 m). The error of D + R / (2 D m) is therefore little
/// more than D e^2 / 8. Errors relative to the root, in units of v^2 with v = 2^-64:
/// - truncation of n and m: at most 2 each, with opposite effects; the root halves them; 1 in total
/// - D: n, m, n/m and the root are rounded, plus 1 if the root was 2; |e| <= 7 v, so e^2 / 8 < 7
/// - R, m, 2 D m and the quotient: four roundings of |e| / 2; 14 in total
/// The sum is below 32 v^2 = 2^-123.
template <class Numerator, class Denominator>
Enclosure root_of_ratio(Numerator const& numerator, Denominator const& denominator, int exponent) {
  if (is_zero(numerator)) return {};
  Leading const n = leading(numerator), m = leading(denominator);

  // n.bits / m.bits is in (1/2, 2). Multiplied by 2^power it is in [1, 4), and the remaining exponent is even.
  int power = (n.exponent - m.exponent) & 1;
  if (power == 0 && n.bits < m.bits) power = 2;
  int const root_exponent = (n.exponent - m.exponent - power) / 2 - 63;  // exponent of the last bit of D

  long double const divisor = static_cast<long double>(m.bits);
  long double const root = std::sqrt(static_cast<long double>(n.bits) * static_cast<long double>(1 << power) / divisor);
  // The root may be rounded up to 2, which does not fit. One unit less is an equally good start.
  std::uint64_t const D =
      root < 2 ? static_cast<std::uint64_t>(root * 0x1p63L) : std::numeric_limits<std::uint64_t>::max();

  // Computes R. `target` is n.bits 2^(126 + power), filled limb by limb from the second limb.
  int const shift = 62 + power;  // `target` begins at the second limb, so that this shift and 64 bits are together 126
                                 // + power
  Unsigned128 const low = n.bits << shift;
  WideInteger<5> target;
  target.limb[1] = static_cast<std::uint64_t>(low);
  target.limb[2] = static_cast<std::uint64_t>(low >> 64);
  target.limb[3] = static_cast<std::uint64_t>(n.bits >> (128 - shift));
  auto const residual = target - wide(static_cast<Unsigned128>(D) * D) * wide(m.bits);

  long double correction = 0;  // in units of the last bit of D
  if (!is_zero(residual)) {
    bool const negative = is_negative(residual);
    Leading const top = leading(negative ? -residual : residual);
    long double const quotient = static_cast<long double>(top.bits) * detail::power_of_two(top.exponent) /
                                 (2 * static_cast<long double>(D) * divisor);
    correction = negative ? -quotient : quotient;
  }

  // A root with few bits may be exact. The correction is rounded to 2^-53 of the last bit of D. The candidate therefore
  // has 117 bits. It is then tested.
  long double const high = detail::scaled(D, root_exponent + exponent);
  long double const unit = detail::power_of_two(root_exponent + exponent);
  auto const fraction = static_cast<std::int64_t>(std::llrint(correction * 0x1p53L));
  Unsigned128 const candidate = (static_cast<Unsigned128>(D) << 53) + static_cast<Unsigned128>(fraction);
  if (detail::is_root(candidate, root_exponent - 53, numerator, denominator)) {
    return detail::normalised(high, static_cast<long double>(fraction) * 0x1p-53L * unit, 0);
  }
  return detail::normalised(high, correction * unit, high * 0x1p-122L);
}

/// Returns x - y. The high parts are subtracted exactly (Knuth's two-sum), so only the low parts are rounded.
inline Enclosure difference(Enclosure const& x, Enclosure const& y) {
  long double const high = x.high - y.high, part = high - x.high;
  long double const error = (x.high - (high - part)) + (-y.high - part);
  long double const lows = x.low - y.low, low = lows + error;
  // Covers three roundings of 2^-64 each: the two sums above, and the sum of the radius.
  long double const rounding = (std::fabs(lows) + std::fabs(low) + x.radius + y.radius) * 0x1p-62L;
  return {high, low, x.radius + y.radius + rounding};
}

}  // namespace demeter
