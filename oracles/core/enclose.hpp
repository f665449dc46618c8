// Exact integers and roots of their ratios, enclosed: from exact arithmetic to a statement in long double.
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
/// high + low with |low| <= half a unit in the last place of high, exactly (Dekker; |high| >= |low|).
inline Enclosure normalised(long double high, long double low, long double radius) {
  long double const sum = high + low;
  return {sum, low - (sum - high), radius};
}

/// 2^exponent for |exponent| <= 16382, by the bits of the x87 format: several times faster than std::ldexp.
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

/// +-bits 2^exponent, exactly; with `exact` false the truth may be up to 2^exponent larger in magnitude.
inline Enclosure enclose(Leading const& x, bool negative = false) {
  long double const high = detail::scaled(static_cast<std::uint64_t>(x.bits >> 64), x.exponent + 64);
  long double const low = detail::scaled(static_cast<std::uint64_t>(x.bits), x.exponent);
  return detail::normalised(negative ? -high : high, negative ? -low : low,
                            x.exact ? 0.0L : detail::power_of_two(x.exponent));
}

/// x 2^exponent, relative radius at most 2^-127; exact if |x| has at most 128 bits between its first and last one.
template <class Integer>
Enclosure enclose(Integer const& x, int exponent) {
  if (is_zero(x)) return {};
  bool const negative = is_negative(x);
  Leading top = leading(negative ? -x : x);
  top.exponent += exponent;
  return enclose(top, negative);
}

namespace detail {
/// Whether root^2 denominator 2^(2 exponent) is the numerator exactly.
template <class Numerator, class Denominator>
bool is_root(Unsigned128 root, int exponent, Numerator const& numerator, Denominator const& denominator) {
  while ((root & 1) == 0) {
    root >>= 1;
    ++exponent;
  }
  if (trailing_zeros(numerator) != trailing_zeros(denominator) + 2 * exponent) return false;
  Numerator const odd_numerator = odd_part(numerator);
  Denominator const odd_denominator = odd_part(denominator);
  // Modulo 2^64 first, which turns away nearly every root that is not exact.
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

/// sqrt(numerator / denominator) 2^exponent for numerator >= 0, denominator > 0: relative radius 2^-122, and exact
/// (radius 0) if the root is a binary number of at most 116 bits.
///
/// One Newton step from the root in long double, with an exact residual. Of numerator and denominator the leading 128
/// bits n and m are used, scaled so that n / m is in [1, 4). With D about 2^63 sqrt(n/m) and R = 2^126 n - D^2 m, an
/// exact integer, the root is D sqrt(1 + e), e = R / (D^2 m), so D + R / (2 D m) errs by less than D e^2 / 8 and a
/// little. Relative to the root and in units of v^2, v = 2^-64:
///   n and m cut off            1/2 each, halved by the root                                            1 in all
///   D                          n, m, n/m and the root rounded, 1 more where it was 2: |e| <= 7 v       e^2 / 8 < 7
///   R, m, 2 D m, the quotient  four roundings of |e| / 2                                               14
/// which together stay below 32 v^2 = 2^-123.
template <class Numerator, class Denominator>
Enclosure root_of_ratio(Numerator const& numerator, Denominator const& denominator, int exponent) {
  if (is_zero(numerator)) return {};
  Leading const n = leading(numerator), m = leading(denominator);

  // n.bits / m.bits is in (1/2, 2); times 2^power it is in [1, 4), and an even exponent is left.
  int power = (n.exponent - m.exponent) & 1;
  if (power == 0 && n.bits < m.bits) power = 2;
  int const root_exponent = (n.exponent - m.exponent - power) / 2 - 63;  // of the unit of D

  long double const divisor = static_cast<long double>(m.bits);
  long double const root = std::sqrt(static_cast<long double>(n.bits) * static_cast<long double>(1 << power) / divisor);
  // Rounding up to 2 is possible, and one unit less is as good a start.
  std::uint64_t const D =
      root < 2 ? static_cast<std::uint64_t>(root * 0x1p63L) : std::numeric_limits<std::uint64_t>::max();

  // R; the target is put into limbs by hand, from the second one up.
  int const shift = 62 + power;  // 126 + power in all
  Unsigned128 const low = n.bits << shift;
  WideInteger<5> target;
  target.limb[1] = static_cast<std::uint64_t>(low);
  target.limb[2] = static_cast<std::uint64_t>(low >> 64);
  target.limb[3] = static_cast<std::uint64_t>(n.bits >> (128 - shift));
  auto const residual = target - wide(static_cast<Unsigned128>(D) * D) * wide(m.bits);

  long double correction = 0;  // in units of D
  if (!is_zero(residual)) {
    bool const negative = is_negative(residual);
    Leading const top = leading(negative ? -residual : residual);
    long double const quotient = static_cast<long double>(top.bits) * detail::power_of_two(top.exponent) /
                                 (2 * static_cast<long double>(D) * divisor);
    correction = negative ? -quotient : quotient;
  }

  // A root of few bits is exact: round to units of 2^-53 D, which keeps 117 bits, and try it.
  long double const high = detail::scaled(D, root_exponent + exponent);
  long double const unit = detail::power_of_two(root_exponent + exponent);
  auto const fraction = static_cast<std::int64_t>(std::llrint(correction * 0x1p53L));
  Unsigned128 const candidate = (static_cast<Unsigned128>(D) << 53) + static_cast<Unsigned128>(fraction);
  if (detail::is_root(candidate, root_exponent - 53, numerator, denominator)) {
    return detail::normalised(high, static_cast<long double>(fraction) * 0x1p-53L * unit, 0);
  }
  return detail::normalised(high, correction * unit, high * 0x1p-122L);
}

/// x - y. The high parts are subtracted exactly (Knuth's two-sum), so only the low ones round.
inline Enclosure difference(Enclosure const& x, Enclosure const& y) {
  long double const high = x.high - y.high, part = high - x.high;
  long double const error = (x.high - (high - part)) + (-y.high - part);
  long double const lows = x.low - y.low, low = lows + error;
  // Three roundings (two here, one of the radius), each of 2^-64.
  long double const rounding = (std::fabs(lows) + std::fabs(low) + x.radius + y.radius) * 0x1p-62L;
  return {high, low, x.radius + y.radius + rounding};
}

}  // namespace demeter
