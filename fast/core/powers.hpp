// Logarithms, exponentials and powers of one SIMD vector of doubles or of one double. Both give the same bits.
//
// Highway's contrib/math has Exp and Log too, but x^n computed with them has a relative error of n |ln x| u. The
// logarithm here has 15 more bits and takes 1.5 times as long per element.
//
// Compiled once per Highway target, like lanes.hpp.
#if defined(DEMETER_FAST_CORE_POWERS) == defined(HWY_TARGET_TOGGLE)
#ifdef DEMETER_FAST_CORE_POWERS
#undef DEMETER_FAST_CORE_POWERS
#else
#define DEMETER_FAST_CORE_POWERS
#endif

#include "fast/core/lanes.hpp"

HWY_BEFORE_NAMESPACE();
namespace demeter::lanes::HWY_NAMESPACE {

/// A normal x > 0 as significand * 2^exponent, with 1 <= significand < 2.
template <class Number>
struct Parts {
  Number significand, exponent;
};

// Adding this constant to an integer i puts i + 1023, the exponent field of 2^i, into the lowest bits of the sum.
constexpr double biased_integer = 0x1p52 + 1023;

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3

HWY_INLINE Parts<Register> parts_of(Register x) {
  auto const bits = hn::BitCast(Bits(), x);
  auto const field = hn::Or(hn::ShiftRight<52>(bits), hn::BitCast(Bits(), lanes_of(0x1p52)));
  auto const significand = hn::Or(hn::And(bits, hn::Set(Bits(), 0xFFFFFFFFFFFFF)), hn::BitCast(Bits(), lanes_of(1.0)));
  return {hn::BitCast(Tag(), significand), hn::BitCast(Tag(), field) - biased_integer};
}
/// Returns 2^k for an integer |k| <= 1022. The argument is k + biased_integer.
HWY_INLINE Register power_of_biased(Register i) {
  return hn::BitCast(Tag(), hn::ShiftLeft<52>(hn::BitCast(Bits(), i)));
}

#endif

#if HWY_ONCE

HWY_INLINE Parts<double> parts_of(double x) {
  auto const bits = std::bit_cast<std::uint64_t>(x);
  auto const field = bits >> 52 | std::bit_cast<std::uint64_t>(0x1p52);
  auto const significand = (bits & 0xFFFFFFFFFFFFF) | std::bit_cast<std::uint64_t>(1.0);
  return {std::bit_cast<double>(significand), std::bit_cast<double>(field) - biased_integer};
}
HWY_INLINE double power_of_biased(double i) { return std::bit_cast<double>(std::bit_cast<std::uint64_t>(i) << 52); }

#endif

// The upper 42 bits of ln 2, and the rest. Products of the upper bits with exponents are exact.
constexpr double ln2_high = 0x1.62e42fefa38p-1, ln2_low = 0x1.ef35793c7673p-45;

/// Returns ln x of a normal x > 0, as the sum of two numbers with a relative error of 2^-63. Let x = m 2^e with m
/// within a factor sqrt 2 of 1. If e != 0, |low| is at most 2^-44 |e|.
///
/// The formula for ln m is 2 atanh z with z = (m - 1)/(m + 1). The first two terms of its series are computed in two
/// doubles each, the other terms in one.
template <class Number>
HWY_INLINE Double<Number> logarithm(Number x) {
  auto const parts = parts_of(x);
  auto const upper = 0x1.6a09e667f3bcdp0 < parts.significand;
  auto const m = select(upper, parts.significand * 0.5, parts.significand);
  auto const e = select(upper, parts.exponent + 1.0, parts.exponent);

  auto const sum = m + 1.0;
  auto const rest_of_sum = m - (sum - 1.0);
  auto const inverse_sum = 1.0 / sum;
  auto const difference = m - 1.0;
  auto const z = difference * inverse_sum;
  auto const z_low = (subtract_product(difference, z, sum) - z * rest_of_sum) * inverse_sum;

  auto const w = z * z;
  auto const w_low = multiply_subtract(z, z, w);
  auto const cube = w * z;
  auto const cube_low = fma(3.0 * w, z_low, fma(w_low, z, multiply_subtract(w, z, cube)));
  constexpr double third = 0x1.5555555555555p-1, third_low = 0x1.5555555555555p-55;  // 2/3
  auto const second = cube * third;
  auto const second_low = fma(cube_low, third, fma(cube, third_low, multiply_subtract(cube, third, second)));
  auto const w2 = w * w;
  auto const w4 = w2 * w2;
  auto const a = fma(fma(w, 2.0 / 11, 2.0 / 9), w2, fma(w, 2.0 / 7, 2.0 / 5));
  auto const b = fma(fma(w, 2.0 / 19, 2.0 / 17), w2, fma(w, 2.0 / 15, 2.0 / 13));
  auto const c = fma(w, 2.0 / 23, 2.0 / 21);
  auto const others = (cube * w) * fma(fma(c, w4, b), w4, a);

  auto const first = z + z;
  auto const head = first + second;
  auto const tail = (second - (head - first)) + ((second_low + (z_low + z_low)) + others);
  auto const whole = e * ln2_high;
  auto const high = whole + head;
  return {high, (head - (high - whole)) + fma(e, ln2_low, tail)};
}

/// Returns e^(high + low) for a small low, with an error of at most 1 u. A result below the normal range is rounded
/// once more. The result is infinite from e^709.7 on.
template <class Number>
HWY_INLINE Number exponential(Double<Number> const& x) {
  auto const high = minimum(maximum(x.high, -800.0), 800.0);
  constexpr double to_integer = 0x1.8p52;
  auto const n = fma(high, 0x1.71547652b82fep0, to_integer) - to_integer;
  auto const r = subtract_product(high, n, ln2_high);
  auto const r_low = subtract_product(x.low, n, ln2_low);
  auto const t = r + r_low;
  auto const t_low = r_low - (t - r);
  // The series of (e^t - 1 - t)/t^2 up to t^11, for |t| <= ln(2)/2. The omitted terms are below 2^-58.
  auto const t2 = t * t;
  auto const t4 = t2 * t2;
  auto const a = fma(fma(t, 1.0 / 120, 1.0 / 24), t2, fma(t, 1.0 / 6, 0.5));
  auto const b = fma(fma(t, 1.0 / 362880, 1.0 / 40320), t2, fma(t, 1.0 / 5040, 1.0 / 720));
  auto const c = fma(fma(t, 1.0 / 6227020800, 1.0 / 479001600), t2, fma(t, 1.0 / 39916800, 1.0 / 3628800));
  auto const series = fma(fma(c, t4, b), t4, a);
  auto const near_1 = 1.0 + (t + fma(t2, series, t_low));
  auto const half = fma(n, 0.5, biased_integer);
  auto const other_half = (n - (half - biased_integer)) + biased_integer;
  return (near_1 * power_of_biased(half)) * power_of_biased(other_half);
}

/// Returns x^n for x >= 0 and n >= 0, with 0^0 = 1. The relative error is at most 1.2 u + 2^-62 |n ln x|. A subnormal x
/// is treated as 0.
template <class Number>
HWY_INLINE Number power(Number x, Number n) {
  constexpr double largest_subnormal = 0x0.fffffffffffffp-1022;
  auto const positive = largest_subnormal < x;
  auto const base = select(positive, x, 1.0);
  auto const ln = logarithm(base);
  auto const high = n * ln.high;
  auto const result = exponential(Double<Number>{high, fma(n, ln.low, multiply_subtract(n, ln.high, high))});
  return select(positive, result, select(n == 0.0, set<Number>(1.0), set<Number>(0.0)));
}

/// Returns x^(1/n) for 1 <= x <= 2 and n >= 1, with an error of at most 1.6 u.
template <class Number>
HWY_INLINE Number root_near_1(Number x, Number n) {
  auto const ln = logarithm(x);
  return exponential(Double<Number>{(ln.high + ln.low) / n, set<Number>(0.0)});
}

}  // namespace demeter::lanes::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
