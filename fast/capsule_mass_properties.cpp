#include "fast/capsule_mass_properties.hpp"

#include "fast/core/forms.hpp"
#include "fast/core/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fast/capsule_mass_properties.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <hwy/cache_control.h>

#include "fast/core/lanes.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

// Code that both the scalar form and the SIMD forms use. This file is included once per target, but this part is
// compiled only once.
#ifndef DEMETER_FAST_CAPSULE_MASS_PROPERTIES_COMMON
#define DEMETER_FAST_CAPSULE_MASS_PROPERTIES_COMMON
namespace demeter::capsule_mass_properties::fast {
namespace {

// 4 pi/30. Its rounding error is 0.44u, half of the rounding error of pi/3. With this factor, all other coefficients
// are exact.
constexpr double volume_factor = 0x1.acee9f37bebd6p-2;

// If r, rho and 4r + a are within these bounds, no product of the formulas overflows. Only a product with a tiny a can
// underflow. It is then added to a much larger term, and its lost bits do not matter.
constexpr double least_plain = 0x1p-128;
constexpr double beyond_plain = 0x1p+128;

// Lower limit of the exponents of r and a, relative to the larger exponent of the two. If the smaller length is 2^-200
// times the larger one, it is below every bit of the sums. Raising its exponent to this limit does not change the
// result.
constexpr double least_shift = -200;

// An exponent beyond +-2000 gives 0 or infinity, because every number that is scaled is between 2^-10 and 2^10.
constexpr double largest_shift = 2000;

// For integers |x| <= 1022, the last bits of x + round_to_integer are the biased exponent of 2^x.
constexpr double round_to_integer = 0x1p+52 + 1023;

// Number of rows from which on streaming stores are used. Seven columns of this length take 29 MB and do not fit into
// the cache.
constexpr std::size_t rows_past_the_cache = std::size_t(1) << 19;

constexpr std::size_t not_alignable = std::numeric_limits<std::size_t>::max();

// Returns the first row that starts at a boundary of `size` bytes in each of the first four columns, or not_alignable.
inline std::size_t rows_to_alignment(double* const out[], std::size_t size) {
  std::size_t const past = reinterpret_cast<std::uintptr_t>(out[0]) % size;
  for (std::size_t k = 1; k < 4; ++k) {
    if (reinterpret_cast<std::uintptr_t>(out[k]) % size != past) return not_alignable;
  }
  if (past % sizeof(double) != 0) return not_alignable;
  return past == 0 ? 0 : (size - past) / sizeof(double);
}

}  // namespace
}  // namespace demeter::capsule_mass_properties::fast
#endif

HWY_BEFORE_NAMESPACE();
namespace demeter::capsule_mass_properties::fast {
namespace HWY_NAMESPACE {
namespace {

using namespace demeter::lanes::HWY_NAMESPACE;

template <class Number>
struct Products {
  Number volume, mass, ixx, iyy;
};

// Returns the products without scaling. All coefficients except pi/30 are exact, and there is no subtraction.
// `outer_radius` is the r of the factors r^2 outside the brackets. It differs from `radius` only by a power of two. It
// keeps all its bits even where r is tiny beside a.
//
//   volume = pi/30 4r^2 2 (axial + r),    axial = 4r + 3.75a, which is a quarter of 16r + 15a
//   ixx    = pi/30 4r^2 rho r^2 axial
//   iyy    = pi/30 4r^2 rho (r^2 axial + 0.625a bending),    bending = a (a + 4r) + 3r^2
//
// The bracket of iyy contains the term r^2 axial of ixx. This saves multiplications, which limit the speed on AVX2:
// thirteen with fma instead of seventeen with Horner's rule.
//
// To first order the relative error is below 5.3u (volume), 6.3u (mass), 7.1u (ixx) and 8u (iyy). The worst case for
// iyy is that each operation errs by half a unit in the last place of its result, and that all errors have the same
// direction. The error would then be at most 7.97u (largest of 3e7 values of r, a, rho). The largest actual error is
// 7.12u, found by hill climbing in 7e7 steps.
template <class Number>
HWY_INLINE Products<Number> products(Number outer_radius, Number radius, Number shaft, Number density) {
  auto const outer_square = outer_radius * outer_radius;
  auto const square = radius * radius;
  auto const twice = radius + radius;
  auto const four_times = twice + twice;
  auto const axial = fma(3.75, shaft, four_times);
  auto const length = axial + radius;
  auto const area = volume_factor * outer_square;
  auto const volume = area * (length + length);
  auto const line_mass = density * area;
  auto const bending = fma(shaft, shaft + four_times, 3.0 * square);
  auto const transverse = fma(0.625 * shaft, bending, square * axial);
  return {volume, density * volume, line_mass * (outer_square * axial), line_mass * transverse};
}

template <class Number>
HWY_INLINE Number half_length(Number radius, Number shaft) {
  return fma(0.5, shaft, radius);
}

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3

using BitVector = hn::VFromD<Bits>;

struct Rows {
  Register radius, shaft, density;
};

// out_of_range() sets at least one of these bits in the lane of a capsule for which the plain form is not safe.
//
// The bits of positive doubles are ordered like the doubles. Therefore x is in [2^-128, 2^128) if and only if the bits
// of x minus the bits of 2^-128 are in [0, 2^60). The differences of all numbers are combined by OR and tested once.
// The test uses a + 4r instead of a, because a may be 0. It must then also test the sign of a.
//
// The test uses integers, because comparisons, minima and maxima run on the units that multiply. With three
// comparisons, a minimum and a maximum, AVX2 takes 1.08 times as long.
constexpr std::uint64_t outside = 0xF000000000000000;

HWY_INLINE BitVector bits_in(Register x) { return hn::BitCast(Bits(), x); }
HWY_INLINE BitVector repeated(std::uint64_t x) { return hn::Set(Bits(), x); }
HWY_INLINE Register from_bits(BitVector x) { return hn::BitCast(Tag(), x); }

HWY_INLINE BitVector distance_from_least(Register x) { return bits_in(x) - bits_in(lanes_of(least_plain)); }

HWY_INLINE BitVector out_of_range(Rows const& rows) {
  auto const twice = rows.radius + rows.radius;
  auto const total = rows.shaft + (twice + twice);  // a + 4r; products() uses this sum too
  return hn::Or3(distance_from_least(rows.radius), distance_from_least(rows.density), distance_from_least(total));
}

HWY_INLINE bool plain_is_safe(Rows const& a, Rows const& b) {
  auto const sign = bits_in(a.shaft | b.shaft) & repeated(0x8000000000000000);
  auto const all_bits = hn::Or3(out_of_range(a), out_of_range(b), sign);
#if HWY_TARGET == HWY_AVX2
  // This is one instruction. Highway's And, Eq and AllTrue are three, and the loop takes 1.05 times as long.
  return _mm256_testz_si256(all_bits.raw, repeated(outside).raw) != 0;
#else
  return hn::AllTrue(Bits(), (all_bits & repeated(outside)) == hn::Zero(Bits()));
#endif
}

// x = significand 2^exponent, 1 <= significand < 2. The exponent of x = 0 is below all other exponents.
struct Split {
  Register significand, exponent;
};

// Returns 2^k for an integer |k| <= 1022. The argument is k + round_to_integer.
HWY_INLINE Register power_of_biased(Register x) { return from_bits(hn::ShiftLeft<52>(bits_in(x))); }

#if HWY_TARGET == HWY_AVX3
// These functions use instructions of AVX-512 that Highway does not provide. With the AVX2 form, extreme inputs take
// 1.8 to 4.5 times as long.
HWY_INLINE Split split(Register x) {
  return {Register{_mm512_getmant_pd(x.raw, _MM_MANT_NORM_1_2, _MM_MANT_SIGN_zero)}, Register{_mm512_getexp_pd(x.raw)}};
}
HWY_INLINE Register scale(Register x, Register exponent) { return Register{_mm512_scalef_pd(x.raw, exponent.raw)}; }
HWY_INLINE Register scale_down(Register x, Register exponent) { return scale(x, exponent); }
HWY_INLINE Products<Register> scale(Products<Register> const& x, Products<Register> const& exponent) {
  return {scale(x.volume, exponent.volume), scale(x.mass, exponent.mass), scale(x.ixx, exponent.ixx),
          scale(x.iyy, exponent.iyy)};
}
#else
// Exponents are doubles, because AVX2 has neither a minimum nor an arithmetic shift of 64-bit integers.
HWY_INLINE Split split(Register x) {
  auto const is_subnormal = x < 0x1p-1022;
  auto const normal = bits_in(select(is_subnormal, x * 0x1p+64, x));
  auto const bias = select(is_subnormal, 0x1p+52 + 1023 + 64, 0x1p+52 + 1023);
  auto const field = hn::ShiftRight<52>(normal) | bits_in(lanes_of(0x1p+52));
  auto const significand = (normal & repeated(0xFFFFFFFFFFFFF)) | bits_in(lanes_of(1.0));
  return {from_bits(significand), from_bits(field) - bias};
}

// Returns x 2^exponent for -1022 <= exponent <= 0.
HWY_INLINE Register scale_down(Register x, Register exponent) {
  return x * power_of_biased(exponent + round_to_integer);
}

// Returns x 2^exponent. The result is rounded only once, because x is still in the normal range after the first factor.
HWY_INLINE Register scale(Register x, Register exponent) {
  auto const clamped = maximum(minimum(exponent, largest_shift), -largest_shift);
  auto const first = fma(clamped, 0.5, round_to_integer);
  auto const second = (clamped - (first - round_to_integer)) + round_to_integer;
  return (x * power_of_biased(first)) * power_of_biased(second);
}

// Returns x 2^exponent by adding to the exponent field of x. The result must be in the normal range.
HWY_INLINE Register scale_in_range(Register x, Register exponent) {
  auto const integer = exponent + 0x1.8p+52;  // the last bits contain the exponent in two's complement
  return from_bits(bits_in(x) + hn::ShiftLeft<52>(bits_in(integer)));
}

HWY_INLINE Products<Register> scale(Products<Register> const& x, Products<Register> const& exponent) {
  auto const least = minimum(minimum(exponent.volume, exponent.mass), minimum(exponent.ixx, exponent.iyy));
  auto const most = maximum(maximum(exponent.volume, exponent.mass), maximum(exponent.ixx, exponent.iyy));
  if (all(both(-1000.0 < least, most < 1000.0))) {
    return {scale_in_range(x.volume, exponent.volume), scale_in_range(x.mass, exponent.mass),
            scale_in_range(x.ixx, exponent.ixx), scale_in_range(x.iyy, exponent.iyy)};
  }
  return {scale(x.volume, exponent.volume), scale(x.mass, exponent.mass), scale(x.ixx, exponent.ixx),
          scale(x.iyy, exponent.iyy)};
}
#endif

HWY_INLINE Products<Register> guarded(Rows const& rows) {
  auto const r = split(rows.radius);
  auto const a = split(abs(rows.shaft));  // abs, because -0 is in the domain
  auto const rho = split(rows.density);
  auto const most = maximum(r.exponent, a.exponent);
  auto const r_part = scale_down(r.significand, maximum(r.exponent - most, least_shift));
  auto const a_part = zero_unless(0.0 < rows.shaft, scale_down(a.significand, maximum(a.exponent - most, least_shift)));
  auto const two_r = r.exponent + r.exponent;
  auto const volume_exponent = two_r + most;
  auto const mass_exponent = volume_exponent + rho.exponent;
  auto const x = scale(products(r.significand, r_part, a_part, rho.significand),
                       {volume_exponent, mass_exponent, mass_exponent + two_r, mass_exponent + (most + most)});
  // Is 0 if all three numbers are finite, otherwise NaN.
  auto const none_of_three = fma(rows.radius, 0.0, fma(rows.shaft, 0.0, rows.density * 0.0));
  auto const positive = both(0.0 < rows.radius, 0.0 < rows.density);
  auto const is_valid = both(both(positive, rows.shaft >= lanes_of(0.0)), none_of_three == 0.0);
  constexpr double invalid = std::numeric_limits<double>::quiet_NaN();
  return {select(is_valid, x.volume, invalid), select(is_valid, x.mass, invalid), select(is_valid, x.ixx, invalid),
          select(is_valid, x.iyy, invalid)};
}

// Copies of the column addresses. The compiler can keep them in registers while columns are written.
struct Inputs {
  double const *radius, *shaft, *density;
};

struct Outputs {
  double *volume, *mass, *ixx, *iyy, *bounding_radius;
};

HWY_INLINE Rows load_rows(Inputs const& in, std::size_t i) {
  return {load(in.radius + i), load(in.shaft + i), load(in.density + i)};
}

// The set of output columns that a loop writes. It is a template argument, because the compiler then generates a faster
// loop.
enum class Columns { any, first_four, first_four_past_the_cache };

template <Columns columns>
HWY_INLINE void store_results(Products<Register> const& x, Rows const& rows, Outputs const& out, std::size_t i) {
  if constexpr (columns == Columns::first_four) {
    store(x.volume, out.volume + i);
    store(x.mass, out.mass + i);
    store(x.ixx, out.ixx + i);
    store(x.iyy, out.iyy + i);
  } else if constexpr (columns == Columns::first_four_past_the_cache) {
    hn::Stream(x.volume, Tag(), out.volume + i);
    hn::Stream(x.mass, Tag(), out.mass + i);
    hn::Stream(x.ixx, Tag(), out.ixx + i);
    hn::Stream(x.iyy, Tag(), out.iyy + i);
  } else {
    if (out.volume != nullptr) store(x.volume, out.volume + i);
    if (out.mass != nullptr) store(x.mass, out.mass + i);
    if (out.ixx != nullptr) store(x.ixx, out.ixx + i);
    if (out.iyy != nullptr) store(x.iyy, out.iyy + i);
    if (out.bounding_radius != nullptr) {
      // The guarded form returns NaN either in all outputs or in none. If it has returned NaN, the bounding radius must
      // be NaN too.
      auto const length = half_length(rows.radius, rows.shaft);
      store(select(hn::IsNaN(x.iyy), x.iyy, length), out.bounding_radius + i);
    }
  }
}

template <Columns columns>
HWY_NOINLINE void store_guarded_pair(Inputs const& in, Outputs const& out, std::size_t i) {
  Rows const a = load_rows(in, i);
  Rows const b = load_rows(in, i + width);
  store_results<columns>(guarded(a), a, out, i);
  store_results<columns>(guarded(b), b, out, i + width);
}

// Solves a whole number of pairs of SIMD vectors. Each pair has one test and one branch. With one branch per vector,
// AVX2 takes 1.04 times as long.
template <Columns columns>
HWY_INLINE void run_pairs(std::size_t first, std::size_t n, double const* const in[], double* const out[]) {
  Inputs const inputs{in[0], in[1], in[2]};
  Outputs const outputs{out[0], out[1], out[2], out[3], out[4]};
  for (std::size_t i = first; i + 2 * width <= n; i += 2 * width) {
    Rows const a = load_rows(inputs, i);
    Rows const b = load_rows(inputs, i + width);
    if (HWY_LIKELY(plain_is_safe(a, b))) {
      store_results<columns>(products(a.radius, a.radius, a.shaft, a.density), a, outputs, i);
      store_results<columns>(products(b.radius, b.radius, b.shaft, b.density), b, outputs, i + width);
    } else {
      store_guarded_pair<columns>(inputs, outputs, i);
    }
  }
}

// Solves fewer rows than a pair of vectors. Uses a buffer that is padded with capsules of radius, shaft and density 1.
HWY_NOINLINE void run_few(std::size_t count, double const* const in[], double* const out[]) {
  constexpr std::size_t size = 2 * width;
  double values[8][size];
  double const* const inputs[3] = {values[0], values[1], values[2]};
  double* const outputs[5] = {values[3], values[4], values[5], values[6], values[7]};
  for (std::size_t k = 0; k < 3; ++k) {
    for (std::size_t i = 0; i < size; ++i) values[k][i] = i < count ? in[k][i] : 1.0;
  }
  run_pairs<Columns::any>(0, size, inputs, outputs);
  for (std::size_t k = 0; k < 5; ++k) {
    if (out[k] == nullptr) continue;
    for (std::size_t i = 0; i < count; ++i) out[k][i] = values[3 + k][i];
  }
}

#endif

}  // namespace

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3

void evaluate(std::size_t n, double const* const in[], double* const out[]) {
  constexpr std::size_t pair = 2 * width;
  if (n < pair) return run_few(n, in, out);
  bool const first_four =
      out[0] != nullptr && out[1] != nullptr && out[2] != nullptr && out[3] != nullptr && out[4] == nullptr;
  if (!first_four) {
    run_pairs<Columns::any>(0, n, in, out);
    run_pairs<Columns::any>(n - pair, n, in, out);
    return;
  }
  // Streaming stores must be aligned. Therefore unaligned pairs compute the rows before the first aligned row and the
  // rows after the last whole pair. Some of these rows are computed twice.
  std::size_t const start = rows_to_alignment(out, sizeof(double) * width);
  run_pairs<Columns::first_four>(0, pair, in, out);
  if (n >= rows_past_the_cache && start != not_alignable) {
    run_pairs<Columns::first_four_past_the_cache>(start, n, in, out);
    hwy::FlushStream();
  } else {
    run_pairs<Columns::first_four>(start != not_alignable ? start : pair, n, in, out);
  }
  run_pairs<Columns::first_four>(n - pair, n, in, out);
}
#endif
}  // namespace HWY_NAMESPACE
}  // namespace demeter::capsule_mass_properties::fast
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace demeter::capsule_mass_properties::fast {
namespace {

using namespace demeter::fast_core;
namespace row = HWY_NAMESPACE;

struct Split {
  double significand;
  int exponent;
};

Split split(double x) {
  int exponent = 0;
  double const half = std::frexp(x, &exponent);
  return {2 * half, exponent - 1};
}

bool is_valid(Input<double> const& in) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  return in.radius > 0 && in.radius < infinity && in.shaft >= 0 && in.shaft < infinity && in.density > 0 &&
         in.density < infinity;
}

Output<double> invalid() {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  return {nan, nan, nan, nan, nan};
}

HWY_INLINE Output<double> evaluate_here(Input<double> const& in) {
  auto const [radius, shaft, density] = in;
  if (shaft >= 0 && radius >= least_plain && density >= least_plain && shaft + 4 * radius < beyond_plain &&
      density < beyond_plain) {
    auto const x = row::products(radius, radius, shaft, density);
    return {x.volume, x.mass, x.ixx, x.iyy, row::half_length(radius, shaft)};
  }
  if (!is_valid(in)) return invalid();
  Split const r = split(radius);
  Split const a = shaft == 0 ? Split{0, r.exponent} : split(shaft);
  Split const rho = split(density);
  int const most = std::max(r.exponent, a.exponent);
  constexpr int least = static_cast<int>(least_shift);
  auto const x = row::products(r.significand, std::ldexp(r.significand, std::max(r.exponent - most, least)),
                               std::ldexp(a.significand, std::max(a.exponent - most, least)), rho.significand);
  int const volume_exponent = 2 * r.exponent + most;
  int const mass_exponent = volume_exponent + rho.exponent;
  return {std::ldexp(x.volume, volume_exponent), std::ldexp(x.mass, mass_exponent),
          std::ldexp(x.ixx, mass_exponent + 2 * r.exponent), std::ldexp(x.iyy, mass_exponent + 2 * most),
          row::half_length(radius, shaft)};
}

HWY_INLINE void answer_rows(std::size_t n, double const* const in[], double* const out[]) {
  for (std::size_t i = 0; i < n; ++i) {
    Output<double> const x = evaluate_here({in[0][i], in[1][i], in[2][i]});
    if (out[0] != nullptr) out[0][i] = x.volume;
    if (out[1] != nullptr) out[1][i] = x.mass;
    if (out[2] != nullptr) out[2][i] = x.ixx;
    if (out[3] != nullptr) out[3][i] = x.iyy;
    if (out[4] != nullptr) out[4][i] = x.bounding_radius;
  }
}

void evaluate_rows(std::size_t n, double const* const in[], double* const out[]) {
  call_fused<answer_rows>(n, in, out);
}

}  // namespace

Output<double> evaluate(Input<double> const& in) noexcept { return call_fused<evaluate_here>(in); }

void evaluate(demeter::Level level, std::size_t n, double const* const in[], double* const out[]) noexcept {
  constexpr Forms forms{evaluate_rows, N_AVX2::evaluate, N_AVX3::evaluate};
  forms.at(level)(n, in, out);
}

// ---- Correctly rounded ----

namespace {

__extension__ using Wide = unsigned __int128;

constexpr Wide wide(std::uint64_t high, std::uint64_t low) { return (Wide(high) << 64) | low; }

// A lower bound of a positive number: bits * 2^exponent. The highest bit of `bits` is 1; for the number 0, all bits are
// 0. Every operation rounds towards zero. It adds less than 2^-126 to the relative distance of the number from its
// bound. Integers have advantages over double-double: one-sided errors, no overflow or underflow, no need for fma, and
// 128 bits instead of 106.
struct Bound {
  Wide bits;
  int exponent;
};

constexpr int exponent_of_zero = -100000;

Bound bound(double x) {
  if (x == 0) return {0, exponent_of_zero};
  int exponent = 0;
  double const fraction = std::frexp(x, &exponent);
  return {Wide(static_cast<std::uint64_t>(fraction * 0x1p+64)) << 64, exponent - 128};
}

Bound operator*(Bound a, Bound b) {
  auto const a_high = static_cast<std::uint64_t>(a.bits >> 64), a_low = static_cast<std::uint64_t>(a.bits);
  auto const b_high = static_cast<std::uint64_t>(b.bits >> 64), b_low = static_cast<std::uint64_t>(b.bits);
  Wide const cross = Wide(a_high) * b_low, other_cross = Wide(a_low) * b_high;
  Wide const carry = (Wide(static_cast<std::uint64_t>(cross)) + static_cast<std::uint64_t>(other_cross) +
                      ((Wide(a_low) * b_low) >> 64)) >>
                     64;
  Wide const high = Wide(a_high) * b_high + (cross >> 64) + (other_cross >> 64) + carry;
  int const exponent = a.exponent + b.exponent + 128;
  return (high >> 127) != 0 ? Bound{high, exponent} : Bound{high << 1, exponent - 1};
}

Bound operator+(Bound a, Bound b) {
  if (a.exponent < b.exponent) std::swap(a, b);
  int const shift = a.exponent - b.exponent;
  Wide const sum = a.bits + (shift < 128 ? b.bits >> shift : 0);
  if (sum >= a.bits) return {sum, a.exponent};
  return {(sum >> 1) | (Wide(1) << 127), a.exponent + 1};
}

Bound times_power_of_two(Bound a, int exponent) { return {a.bits, a.exponent + exponent}; }

// The first 128 bits of pi/3 and pi/30.
constexpr Bound third_of_pi{wide(0x860A91C16B9B2C23, 0x2DD99707AB3D688B), -127};
constexpr Bound thirtieth_of_pi{wide(0xD6774F9BDF5EAD05, 0x1628F1A5DEC8A745), -131};

struct Bounds {
  Bound volume, mass, ixx, iyy;
};

Bounds bounds(Input<double> const& in) {
  Bound const r = bound(in.radius), a = bound(in.shaft), rho = bound(in.density);
  Bound const r_squared = r * r;
  Bound const volume = third_of_pi * (r_squared * (times_power_of_two(r, 2) + bound(3) * a));
  Bound const factor = thirtieth_of_pi * (rho * r_squared);
  Bound const axial = times_power_of_two(r, 4) + bound(15) * a;
  Bound const quadratic = bound(45) * r_squared + a * (bound(20) * r + bound(5) * a);
  Bound const transverse = times_power_of_two(r * r_squared, 5) + a * quadratic;
  return {volume, rho * volume, factor * (r_squared * axial), times_power_of_two(factor * transverse, -1)};
}

// Each bound above is computed with at most 20 roundings and truncated constants. The exact result is therefore above
// its bound by less than 20 * 2^-126 * 2^128 < 2^7 units of the last bit. Twice this amount is allowed.
constexpr unsigned uncertainty = 256;

// Returns the exponent of the last bit of the double nearest to a number in [2^exponent, 2^(exponent+1)).
int last_exponent(int exponent) { return std::max(exponent - 52, -1074); }

struct Rounded {
  double value;
  bool certain;
};

// Returns the double nearest to the exact result, which is between the bound and the bound + `uncertainty` units.
// `certain` is true if all numbers between these two have the same nearest double. No result is a tie, because pi is
// irrational. If the bound itself is a tie, the exact result is above the bound and rounds up.
Rounded nearest(Bound x) {
  int const exponent = x.exponent + 127;
  if (exponent > 1023) return {std::numeric_limits<double>::infinity(), true};
  Wide const most = x.bits + (uncertainty - 1);
  if (most < x.bits) return {0, false};
  int const last = last_exponent(exponent);
  int const dropped = last - x.exponent;
  if (dropped > 128) return {0, true};
  auto const round = [dropped](Wide bits) {
    Wide const whole = dropped < 128 ? bits >> dropped : 0;
    return static_cast<std::uint64_t>(whole + ((bits >> (dropped - 1)) & 1));
  };
  std::uint64_t const rounded = round(x.bits);
  return {std::ldexp(static_cast<double>(rounded), last), rounded == round(most)};
}

// ---- Integers of any length, for results that the bounds above cannot decide ----

using Natural = std::vector<std::uint32_t>;  // least significant limb first; zero may have any number of limbs

void trim(Natural& a) {
  while (!a.empty() && a.back() == 0) a.pop_back();
}

int bit_length(Natural const& a) {
  return a.empty() ? 0 : static_cast<int>(32 * (a.size() - 1)) + static_cast<int>(std::bit_width(a.back()));
}

Natural natural(std::uint64_t x) {
  Natural a{static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(x >> 32)};
  trim(a);
  return a;
}

Natural shifted_left(Natural const& a, int count) {
  auto const limbs = static_cast<std::size_t>(count / 32);
  int const bits = count % 32;
  Natural result(a.size() + limbs + 1, 0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::uint64_t const x = std::uint64_t(a[i]) << bits;
    result[i + limbs] |= static_cast<std::uint32_t>(x);
    result[i + limbs + 1] = static_cast<std::uint32_t>(x >> 32);
  }
  trim(result);
  return result;
}

bool bit(Natural const& a, int index) {
  auto const limb = static_cast<std::size_t>(index / 32);
  return index >= 0 && limb < a.size() && ((a[limb] >> (index % 32)) & 1) != 0;
}

Natural operator+(Natural const& a, Natural const& b) {
  Natural result(std::max(a.size(), b.size()) + 1, 0);
  std::uint64_t carry = 0;
  for (std::size_t i = 0; i < result.size(); ++i) {
    carry += (i < a.size() ? a[i] : 0u);
    carry += (i < b.size() ? b[i] : 0u);
    result[i] = static_cast<std::uint32_t>(carry);
    carry >>= 32;
  }
  trim(result);
  return result;
}

// Returns a - b for a >= b.
Natural operator-(Natural const& a, Natural const& b) {
  Natural result = a;
  std::uint64_t borrow = 0;
  for (std::size_t i = 0; i < result.size(); ++i) {
    std::uint64_t const difference = std::uint64_t(a[i]) - (i < b.size() ? b[i] : 0u) - borrow;
    result[i] = static_cast<std::uint32_t>(difference);
    borrow = (difference >> 32) & 1;
  }
  trim(result);
  return result;
}

Natural operator*(Natural const& a, Natural const& b) {
  Natural result(a.size() + b.size(), 0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::uint64_t carry = 0;
    for (std::size_t k = 0; k < b.size(); ++k) {
      carry += std::uint64_t(a[i]) * b[k] + result[i + k];
      result[i + k] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    result[i + b.size()] = static_cast<std::uint32_t>(carry);
  }
  trim(result);
  return result;
}

Natural operator/(Natural const& a, std::uint32_t divisor) {
  Natural result = a;
  std::uint64_t remainder = 0;
  for (std::size_t i = result.size(); i-- > 0;) {
    remainder = (remainder << 32) | result[i];
    result[i] = static_cast<std::uint32_t>(remainder / divisor);
    remainder %= divisor;
  }
  trim(result);
  return result;
}

// Returns 2^bits atan(1/k) by its series. The series has fewer than `bits` terms. Each term errs by at most two units.
Natural arctangent_of_inverse(std::uint32_t k, int bits) {
  Natural power = shifted_left(natural(1), bits) / k;
  Natural added = power, subtracted;
  for (std::uint32_t n = 3; !power.empty(); n += 2) {
    power = power / (k * k);
    Natural& sum = n % 4 == 3 ? subtracted : added;
    sum = sum + power / n;
  }
  return added - subtracted;
}

// Returns an integer that is below 2^bits pi by at most 2, for bits < 2^20. Machin's formula is
// pi = 16 atan(1/5) - 4 atan(1/239).
Natural scaled_pi(int bits) {
  constexpr int guard = 64;  // the error is below 20 * 2 * 2^20 units; 2^32 units are subtracted to get a lower bound
  Natural const minuend = shifted_left(arctangent_of_inverse(5, bits + guard), 4);
  Natural const subtrahend =
      shifted_left(arctangent_of_inverse(239, bits + guard), 2) + natural(std::uint64_t(1) << 32);
  Natural const pi = minuend - subtrahend;
  return Natural(pi.begin() + guard / 32, pi.end());
}

// Returns the double nearest to y 2^exponent, where x is the integer part of y. There must be no tie.
double nearest(Natural const& x, int exponent) {
  int const length = bit_length(x);
  if (length + exponent > 1024) return std::numeric_limits<double>::infinity();
  int const last = last_exponent(length - 1 + exponent);
  int const dropped = last - exponent;
  std::uint64_t rounded = 0;
  for (int i = length - 1; i >= dropped; --i) rounded = 2 * rounded + (bit(x, i) ? 1 : 0);
  if (bit(x, dropped - 1)) ++rounded;
  return std::ldexp(static_cast<double>(rounded), last);
}

// Returns the double nearest to pi n 2^exponent / divisor.
double nearest_of_pi_times(Natural const& n, int exponent, std::uint32_t divisor) {
  for (int bits = 256;; bits *= 2) {
    Natural const pi = scaled_pi(bits);
    double const least = nearest(pi * n / divisor, exponent - bits);
    double const most = nearest((pi + natural(2)) * n / divisor, exponent - bits);
    if (least == most) return least;
  }
}

struct Integer {
  std::uint64_t significand;
  int exponent;
};

Integer integer(double x) {
  int exponent = 0;
  double const fraction = std::frexp(x, &exponent);
  return {static_cast<std::uint64_t>(std::ldexp(fraction, 53)), exponent - 53};
}

enum class Quantity { volume, mass, ixx, iyy };

double evaluate_in_integers(Input<double> const& in, Quantity quantity) {
  Integer const radius = integer(in.radius), density = integer(in.density);
  Integer const shaft = in.shaft == 0 ? Integer{0, radius.exponent} : integer(in.shaft);
  int const least = std::min(radius.exponent, shaft.exponent);
  Natural const r = shifted_left(natural(radius.significand), radius.exponent - least);
  Natural const a = shifted_left(natural(shaft.significand), shaft.exponent - least);
  Natural const square = natural(radius.significand) * natural(radius.significand);
  Natural const rho = natural(density.significand);
  int const square_exponent = 2 * radius.exponent;
  switch (quantity) {
    case Quantity::volume:
    case Quantity::mass: {
      Natural const volume = square * (natural(4) * r + natural(3) * a);
      if (quantity == Quantity::volume) return nearest_of_pi_times(volume, square_exponent + least, 3);
      return nearest_of_pi_times(rho * volume, density.exponent + square_exponent + least, 3);
    }
    case Quantity::ixx:
      return nearest_of_pi_times(rho * (square * square) * (natural(16) * r + natural(15) * a),
                                 density.exponent + 2 * square_exponent + least, 30);
    case Quantity::iyy:
      break;
  }
  Natural const bracket = natural(32) * r * r * r + a * (natural(45) * r * r + a * (natural(20) * r + natural(5) * a));
  return nearest_of_pi_times(rho * square * bracket, density.exponent + square_exponent + 3 * least, 60);
}

}  // namespace

Output<double> evaluate_in_integers(Input<double> const& in) noexcept {
  if (!is_valid(in)) return invalid();
  return {evaluate_in_integers(in, Quantity::volume), evaluate_in_integers(in, Quantity::mass),
          evaluate_in_integers(in, Quantity::ixx), evaluate_in_integers(in, Quantity::iyy),
          std::fma(0.5, in.shaft, in.radius)};
}

Output<double> evaluate_correctly_rounded(Input<double> const& in) noexcept {
  if (!is_valid(in)) return invalid();
  Bounds const x = bounds(in);
  auto const decide = [&in](Bound bound, Quantity quantity) {
    Rounded const rounded = nearest(bound);
    return rounded.certain ? rounded.value : evaluate_in_integers(in, quantity);
  };
  return {decide(x.volume, Quantity::volume), decide(x.mass, Quantity::mass), decide(x.ixx, Quantity::ixx),
          decide(x.iyy, Quantity::iyy), std::fma(0.5, in.shaft, in.radius)};
}

}  // namespace demeter::capsule_mass_properties::fast
#endif
