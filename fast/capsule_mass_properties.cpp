#include "fast/capsule_mass_properties.hpp"

// Below AVX2 Highway's MulAdd rounds twice: only the two levels with FMA are built.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fast/capsule_mass_properties.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <hwy/cache_control.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

// What the scalar and the SIMD form share; included once a target, compiled once.
#ifndef DEMETER_FAST_CAPSULE_MASS_PROPERTIES_COMMON
#define DEMETER_FAST_CAPSULE_MASS_PROPERTIES_COMMON
namespace demeter::capsule_mass_properties::fast {
namespace {

// pi/30 times 4: error 0.44u, half of what pi/3 rounds with, and with it every other coefficient is exact.
constexpr double volume_factor = 0x1.acee9f37bebd6p-2;

// Between these bounds for r, rho and 4r + a no product of the formulas overflows or loses bits to underflow, unless it
// is so small beside another that only its presence counts.
constexpr double least_plain = 0x1p-128;
constexpr double beyond_plain = 0x1p+128;

// A part 2^-200 times the larger one is below every bit of the products it is added to; a smaller one does the same.
constexpr double least_shift = -200;

// Beyond +-2000 every result has become 0 or infinite: its significand lies between 2^-10 and 2^10.
constexpr double largest_shift = 2000;

// x + round_to_integer holds the biased exponent of 2^x in its last bits for integers |x| <= 1022.
constexpr double round_to_integer = 0x1p+52 + 1023;

// From here on the rows of seven columns no longer fit a cache (29 MB).
constexpr std::size_t rows_past_the_cache = std::size_t(1) << 19;

constexpr std::size_t not_alignable = std::numeric_limits<std::size_t>::max();

// The first row that starts at a boundary of `size` bytes in each of the first four columns.
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
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::ScalableTag<double>;
using Vector = hn::Vec<Tag>;
using Mask = hn::Mask<Tag>;

struct Results {
  Vector volume, mass, ixx, iyy;
};

// See the scalar form of the same name.
HWY_INLINE Results products(Vector outer_radius, Vector radius, Vector shaft, Vector density) {
  Tag const d;
  Vector const outer_square = hn::Mul(outer_radius, outer_radius);
  Vector const square = hn::Mul(radius, radius);
  Vector const twice = hn::Add(radius, radius);
  Vector const four_times = hn::Add(twice, twice);
  Vector const axial = hn::MulAdd(hn::Set(d, 3.75), shaft, four_times);
  Vector const length = hn::Add(axial, radius);
  Vector const area = hn::Mul(hn::Set(d, volume_factor), outer_square);
  Vector const volume = hn::Mul(area, hn::Add(length, length));
  Vector const line_mass = hn::Mul(density, area);
  Vector const triple_square = hn::Mul(hn::Set(d, 3.0), square);
  Vector const bending = hn::MulAdd(shaft, hn::Add(shaft, four_times), triple_square);
  Vector const transverse = hn::MulAdd(hn::Mul(hn::Set(d, 0.625), shaft), bending, hn::Mul(square, axial));
  return {volume, hn::Mul(density, volume), hn::Mul(line_mass, hn::Mul(outer_square, axial)),
          hn::Mul(line_mass, transverse)};
}

using Bits = hn::VFromD<hn::RebindToUnsigned<Tag>>;

struct Rows {
  Vector radius, shaft, density;
};

// Bits of `outside` are set in out_of_range() where the plain form is not safe for one of two vectors of capsules.
//
// A double's bits order as the double, so that x is in [2^-128, 2^128) if and only if the difference of its bits and
// those of 2^-128 lies in [0, 2^60): the differences of all numbers to test are or-ed and tested once. r + a stands for
// a, which may be 0, and then only the sign of a is left to test. In integers, because comparisons, minima and maxima
// run on the units that multiply: with three comparisons, a minimum and a maximum AVX2 takes 1.08x the time.
constexpr std::uint64_t outside = 0xF000000000000000;

HWY_INLINE Bits distance_from_least(Vector x) {
  hn::RebindToUnsigned<Tag> const bits;
  return hn::Sub(hn::BitCast(bits, x), hn::BitCast(bits, hn::Set(Tag(), least_plain)));
}

HWY_INLINE Bits out_of_range(Rows const& rows) {
  Vector const twice = hn::Add(rows.radius, rows.radius);
  Vector const total = hn::Add(rows.shaft, hn::Add(twice, twice));  // a + 4r, which products() needs anyway
  return hn::Or3(distance_from_least(rows.radius), distance_from_least(rows.density), distance_from_least(total));
}

HWY_INLINE bool plain_is_safe(Rows const& a, Rows const& b) {
  hn::RebindToUnsigned<Tag> const bits;
  Bits const sign = hn::And(hn::BitCast(bits, hn::Or(a.shaft, b.shaft)), hn::Set(bits, 0x8000000000000000));
  Bits const all = hn::Or3(out_of_range(a), out_of_range(b), sign);
#if HWY_TARGET == HWY_AVX2
  // One instruction where Highway's And, Eq and AllTrue are three, which take 1.05x the time.
  return _mm256_testz_si256(all.raw, hn::Set(bits, outside).raw) != 0;
#else
  return hn::AllTrue(bits, hn::Eq(hn::And(all, hn::Set(bits, outside)), hn::Zero(bits)));
#endif
}

// x = significand 2^exponent, 1 <= significand < 2; for x = 0 the exponent is below that of any other.
struct Split {
  Vector significand, exponent;
};

// 2^x for integers |x| <= 1022 of which round_to_integer has been added.
HWY_INLINE Vector power_of_two(Vector biased) {
  hn::RebindToUnsigned<Tag> const bits;
  return hn::BitCast(Tag(), hn::ShiftLeft<52>(hn::BitCast(bits, biased)));
}

#if HWY_TARGET == HWY_AVX3
// One instruction each, which Highway does not offer; with the AVX2 form extreme inputs take 1.8 to 4.5 times the time.
HWY_INLINE Split split(Vector x) {
  return {Vector{_mm512_getmant_pd(x.raw, _MM_MANT_NORM_1_2, _MM_MANT_SIGN_zero)}, Vector{_mm512_getexp_pd(x.raw)}};
}
HWY_INLINE Vector scale(Vector x, Vector exponent) { return Vector{_mm512_scalef_pd(x.raw, exponent.raw)}; }
HWY_INLINE Vector scale_down(Vector x, Vector exponent) { return scale(x, exponent); }
HWY_INLINE Results scale(Results const& x, Results const& exponent) {
  return {scale(x.volume, exponent.volume), scale(x.mass, exponent.mass), scale(x.ixx, exponent.ixx),
          scale(x.iyy, exponent.iyy)};
}
#else
// Exponents are kept as doubles: AVX2 has neither minimum nor arithmetic shift for 64-bit integers.
HWY_INLINE Split split(Vector x) {
  Tag const d;
  hn::RebindToUnsigned<Tag> const bits;
  Mask const is_subnormal = hn::Lt(x, hn::Set(d, 0x1p-1022));
  Vector const normal = hn::IfThenElse(is_subnormal, hn::Mul(x, hn::Set(d, 0x1p+64)), x);
  Vector const bias = hn::IfThenElse(is_subnormal, hn::Set(d, 0x1p+52 + 1023 + 64), hn::Set(d, 0x1p+52 + 1023));
  Bits const all = hn::BitCast(bits, normal);
  Bits const field = hn::Or(hn::ShiftRight<52>(all), hn::BitCast(bits, hn::Set(d, 0x1p+52)));
  Bits const significand = hn::Or(hn::And(all, hn::Set(bits, 0xFFFFFFFFFFFFF)), hn::BitCast(bits, hn::Set(d, 1.0)));
  return {hn::BitCast(d, significand), hn::Sub(hn::BitCast(d, field), bias)};
}

// x 2^exponent for -1022 <= exponent <= 0.
HWY_INLINE Vector scale_down(Vector x, Vector exponent) {
  return hn::Mul(x, power_of_two(hn::Add(exponent, hn::Set(Tag(), round_to_integer))));
}

// x 2^exponent with one rounding: the first factor leaves x in the normal range.
HWY_INLINE Vector scale(Vector x, Vector exponent) {
  Tag const d;
  Vector const shift = hn::Set(d, round_to_integer);
  Vector const clamped = hn::Max(hn::Min(exponent, hn::Set(d, largest_shift)), hn::Set(d, -largest_shift));
  Vector const first = hn::MulAdd(clamped, hn::Set(d, 0.5), shift);
  Vector const second = hn::Add(hn::Sub(clamped, hn::Sub(first, shift)), shift);
  return hn::Mul(hn::Mul(x, power_of_two(first)), power_of_two(second));
}

// The same where the result is in the normal range: adds to the exponent field.
HWY_INLINE Vector scale_in_range(Vector x, Vector exponent) {
  Tag const d;
  hn::RebindToUnsigned<Tag> const bits;
  Vector const integer = hn::Add(exponent, hn::Set(d, 0x1.8p+52));  // the exponent in its last bits, two's complement
  return hn::BitCast(d, hn::Add(hn::BitCast(bits, x), hn::ShiftLeft<52>(hn::BitCast(bits, integer))));
}

HWY_INLINE Results scale(Results const& x, Results const& exponent) {
  Tag const d;
  Vector const least = hn::Min(hn::Min(exponent.volume, exponent.mass), hn::Min(exponent.ixx, exponent.iyy));
  Vector const most = hn::Max(hn::Max(exponent.volume, exponent.mass), hn::Max(exponent.ixx, exponent.iyy));
  if (hn::AllTrue(d, hn::And(hn::Gt(least, hn::Set(d, -1000)), hn::Lt(most, hn::Set(d, 1000))))) {
    return {scale_in_range(x.volume, exponent.volume), scale_in_range(x.mass, exponent.mass),
            scale_in_range(x.ixx, exponent.ixx), scale_in_range(x.iyy, exponent.iyy)};
  }
  return {scale(x.volume, exponent.volume), scale(x.mass, exponent.mass), scale(x.ixx, exponent.ixx),
          scale(x.iyy, exponent.iyy)};
}
#endif

HWY_INLINE Results guarded(Rows const& rows) {
  Tag const d;
  Vector const zero = hn::Zero(d);
  Split const r = split(rows.radius);
  Split const a = split(hn::Abs(rows.shaft));  // -0 is in the domain
  Split const rho = split(rows.density);
  Vector const most = hn::Max(r.exponent, a.exponent);
  Vector const least = hn::Set(d, least_shift);
  Vector const r_part = scale_down(r.significand, hn::Max(hn::Sub(r.exponent, most), least));
  Vector const a_part = hn::IfThenElseZero(hn::Gt(rows.shaft, zero),
                                           scale_down(a.significand, hn::Max(hn::Sub(a.exponent, most), least)));
  Vector const two_r = hn::Add(r.exponent, r.exponent);
  Vector const volume_exponent = hn::Add(two_r, most);
  Vector const mass_exponent = hn::Add(volume_exponent, rho.exponent);
  Results const x = scale(
      products(r.significand, r_part, a_part, rho.significand),
      {volume_exponent, mass_exponent, hn::Add(mass_exponent, two_r), hn::Add(mass_exponent, hn::Add(most, most))});
  // 0 for finite numbers, NaN for others.
  Vector const none = hn::MulAdd(rows.radius, zero, hn::MulAdd(rows.shaft, zero, hn::Mul(rows.density, zero)));
  Mask const positive = hn::And(hn::Gt(rows.radius, zero), hn::Gt(rows.density, zero));
  Mask const is_valid = hn::And(hn::And(positive, hn::Ge(rows.shaft, zero)), hn::Eq(none, zero));
  Vector const invalid = hn::Set(d, std::numeric_limits<double>::quiet_NaN());
  return {hn::IfThenElse(is_valid, x.volume, invalid), hn::IfThenElse(is_valid, x.mass, invalid),
          hn::IfThenElse(is_valid, x.ixx, invalid), hn::IfThenElse(is_valid, x.iyy, invalid)};
}

HWY_INLINE Vector half_length(Vector radius, Vector shaft) { return hn::MulAdd(hn::Set(Tag(), 0.5), shaft, radius); }

// Copies of the columns' addresses, which the compiler may then keep in registers while columns are written.
struct Inputs {
  double const *radius, *shaft, *density;
};

struct Outputs {
  double *volume, *mass, *ixx, *iyy, *bounding_radius;
};

HWY_INLINE Rows load(Inputs const& in, std::size_t i) {
  Tag const d;
  return {hn::LoadU(d, in.radius + i), hn::LoadU(d, in.shaft + i), hn::LoadU(d, in.density + i)};
}

// Which of the columns a loop writes, known at compile time where it matters for speed.
enum class Columns { any, first_four, first_four_past_the_cache };

template <Columns columns>
HWY_INLINE void store(Results const& x, Rows const& rows, Outputs const& out, std::size_t i) {
  Tag const d;
  if constexpr (columns == Columns::first_four) {
    hn::StoreU(x.volume, d, out.volume + i);
    hn::StoreU(x.mass, d, out.mass + i);
    hn::StoreU(x.ixx, d, out.ixx + i);
    hn::StoreU(x.iyy, d, out.iyy + i);
  } else if constexpr (columns == Columns::first_four_past_the_cache) {
    hn::Stream(x.volume, d, out.volume + i);
    hn::Stream(x.mass, d, out.mass + i);
    hn::Stream(x.ixx, d, out.ixx + i);
    hn::Stream(x.iyy, d, out.iyy + i);
  } else {
    if (out.volume != nullptr) hn::StoreU(x.volume, d, out.volume + i);
    if (out.mass != nullptr) hn::StoreU(x.mass, d, out.mass + i);
    if (out.ixx != nullptr) hn::StoreU(x.ixx, d, out.ixx + i);
    if (out.iyy != nullptr) hn::StoreU(x.iyy, d, out.iyy + i);
    if (out.bounding_radius != nullptr) {
      // NaN where the guarded form has put it; any output carries it.
      Vector const length = half_length(rows.radius, rows.shaft);
      hn::StoreU(hn::IfThenElse(hn::IsNaN(x.iyy), x.iyy, length), d, out.bounding_radius + i);
    }
  }
}

template <Columns columns>
HWY_NOINLINE void store_guarded_pair(Inputs const& in, Outputs const& out, std::size_t i) {
  constexpr std::size_t lanes = hn::MaxLanes(Tag());
  Rows const a = load(in, i);
  Rows const b = load(in, i + lanes);
  store<columns>(guarded(a), a, out, i);
  store<columns>(guarded(b), b, out, i + lanes);
}

// A whole number of pairs of vectors. One test and one branch for two vectors: with a branch each AVX2 takes 1.04x the
// time.
template <Columns columns>
HWY_INLINE void run_pairs(std::size_t first, std::size_t n, double const* const in[], double* const out[]) {
  constexpr std::size_t lanes = hn::MaxLanes(Tag());
  Inputs const inputs{in[0], in[1], in[2]};
  Outputs const outputs{out[0], out[1], out[2], out[3], out[4]};
  for (std::size_t i = first; i + 2 * lanes <= n; i += 2 * lanes) {
    Rows const a = load(inputs, i);
    Rows const b = load(inputs, i + lanes);
    if (HWY_LIKELY(plain_is_safe(a, b))) {
      store<columns>(products(a.radius, a.radius, a.shaft, a.density), a, outputs, i);
      store<columns>(products(b.radius, b.radius, b.shaft, b.density), b, outputs, i + lanes);
    } else {
      store_guarded_pair<columns>(inputs, outputs, i);
    }
  }
}

// Fewer rows than a pair of vectors: through a buffer filled up with a harmless capsule.
HWY_NOINLINE void run_few(std::size_t count, double const* const in[], double* const out[]) {
  constexpr std::size_t size = 2 * hn::MaxLanes(Tag());
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

}  // namespace

void run(std::size_t n, double const* const in[], double* const out[]) noexcept {
  constexpr std::size_t pair = 2 * hn::MaxLanes(Tag());
  if (n < pair) return run_few(n, in, out);
  bool const first_four =
      out[0] != nullptr && out[1] != nullptr && out[2] != nullptr && out[3] != nullptr && out[4] == nullptr;
  if (!first_four) {
    run_pairs<Columns::any>(0, n, in, out);
    run_pairs<Columns::any>(n - pair, n, in, out);
    return;
  }
  // Rows before the first aligned one and after the last pair are done by unaligned pairs, some of them twice;
  // stores past the cache must be aligned.
  std::size_t const start = rows_to_alignment(out, sizeof(double) * hn::MaxLanes(Tag()));
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

struct Products {
  double volume, mass, ixx, iyy;
};

// The formulas with all coefficients but pi/30 exact, and no subtraction. `outer_radius` and `radius` are the same
// number but for a power of two, so that r^2 before the bracket can keep its significand where r beside a is tiny.
//
//   volume = pi/30 4r^2 2 (axial + r),    axial = 4r + 3.75a, which is a quarter of 16r + 15a
//   ixx    = pi/30 4r^2 rho r^2 axial
//   iyy    = pi/30 4r^2 rho (r^2 axial + 0.625a bending),    bending = a (a + 4r) + 3r^2
//
// Taking ixx out of iyy saves multiplications, which bound AVX2: thirteen with fma, where Horner's rule needs
// seventeen. To first order the relative error is below 5.3u (volume), 6.3u (mass), 7.1u (ixx) and 8u (iyy; 7.97 over
// 3e7 r, a, rho when each operation errs by half a unit in the last place of its result, all in the same
// direction; 7.12 is the largest that hill climbing found in 7e7 steps).
[[gnu::always_inline]] inline Products products(double outer_radius, double radius, double shaft, double density) {
  double const outer_square = outer_radius * outer_radius;
  double const square = radius * radius;
  double const four_times = 4 * radius;
  double const axial = __builtin_fma(3.75, shaft, four_times);
  double const length = axial + radius;
  double const area = volume_factor * outer_square;
  double const volume = area * (length + length);
  double const line_mass = density * area;
  double const triple_square = 3 * square;
  double const bending = __builtin_fma(shaft, shaft + four_times, triple_square);
  double const transverse = __builtin_fma(0.625 * shaft, bending, square * axial);
  return {volume, density * volume, line_mass * (outer_square * axial), line_mass * transverse};
}

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

[[gnu::always_inline]] inline Output<double> evaluate_here(Input<double> const& in) {
  auto const [radius, shaft, density] = in;
  if (shaft >= 0 && radius >= least_plain && density >= least_plain && shaft + 4 * radius < beyond_plain &&
      density < beyond_plain) {
    Products const x = products(radius, radius, shaft, density);
    return {x.volume, x.mass, x.ixx, x.iyy, __builtin_fma(0.5, shaft, radius)};
  }
  if (!is_valid(in)) return invalid();
  Split const r = split(radius);
  Split const a = shaft == 0 ? Split{0, r.exponent} : split(shaft);
  Split const rho = split(density);
  int const most = std::max(r.exponent, a.exponent);
  constexpr int least = static_cast<int>(least_shift);
  Products const x = products(r.significand, std::ldexp(r.significand, std::max(r.exponent - most, least)),
                              std::ldexp(a.significand, std::max(a.exponent - most, least)), rho.significand);
  int const volume_exponent = 2 * r.exponent + most;
  int const mass_exponent = volume_exponent + rho.exponent;
  return {std::ldexp(x.volume, volume_exponent), std::ldexp(x.mass, mass_exponent),
          std::ldexp(x.ixx, mass_exponent + 2 * r.exponent), std::ldexp(x.iyy, mass_exponent + 2 * most),
          __builtin_fma(0.5, shaft, radius)};
}

[[gnu::always_inline]] inline void evaluate_rows(std::size_t n, double const* const in[], double* const out[]) {
  for (std::size_t i = 0; i < n; ++i) {
    Output<double> const x = evaluate_here({in[0][i], in[1][i], in[2][i]});
    if (out[0] != nullptr) out[0][i] = x.volume;
    if (out[1] != nullptr) out[1][i] = x.mass;
    if (out[2] != nullptr) out[2][i] = x.ixx;
    if (out[3] != nullptr) out[3][i] = x.iyy;
    if (out[4] != nullptr) out[4][i] = x.bounding_radius;
  }
}

// The same source with the fma instruction and with the C library's function: a call of the latter costs more than all
// the rest of the plain form.
[[gnu::target("fma")]] Output<double> evaluate_with_fma(Input<double> const& in) { return evaluate_here(in); }
[[gnu::target("fma")]] void evaluate_rows_with_fma(std::size_t n, double const* const in[], double* const out[]) {
  evaluate_rows(n, in, out);
}

}  // namespace

Output<double> evaluate(Input<double> const& in) noexcept {
  return __builtin_cpu_supports("fma") ? evaluate_with_fma(in) : evaluate_here(in);
}

void evaluate(demeter::Level level, std::size_t n, double const* const in[], double* const out[]) noexcept {
  switch (level) {
#if HWY_TARGETS & HWY_AVX3
    case Level::avx512:
      return N_AVX3::run(n, in, out);
#endif
#if HWY_TARGETS & HWY_AVX2
    case Level::avx2:
      return N_AVX2::run(n, in, out);
#endif
    default:
      return __builtin_cpu_supports("fma") ? evaluate_rows_with_fma(n, in, out) : evaluate_rows(n, in, out);
  }
}

// ---- Correctly rounded ----

namespace {

__extension__ using Wide = unsigned __int128;

constexpr Wide wide(std::uint64_t high, std::uint64_t low) { return (Wide(high) << 64) | low; }

// A lower bound bits 2^exponent of a positive number, the highest bit set (or all clear: zero). Every operation rounds
// towards zero and adds less than 2^-126 to the relative distance of the number above its bound. Integers rather than
// double-double: one-sided errors, no overflow or underflow, no need of fma, and 128 bits instead of 106.
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

// pi/3 and pi/30, first 128 bits.
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

// No result above has more than 20 roundings and truncated constants behind it: it lies less than 20 2^-126 2^128 < 2^7
// units above its bound. Twice that is allowed for.
constexpr unsigned uncertainty = 256;

// The exponent of the last bit of the double nearest to a number in [2^exponent, 2^(exponent+1)).
int last_exponent(int exponent) { return std::max(exponent - 52, -1074); }

struct Rounded {
  double value;
  bool certain;
};

// The double nearest to every number strictly between the bound and the bound + `uncertainty` units. No result is a
// tie, because pi is irrational: a bound that is one lies below the result, and rounds up.
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

// ---- Integers of any length, for the results the bounds above cannot decide ----

using Natural = std::vector<std::uint32_t>;  // least significant first; zero may have any number of limbs

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

// a - b for a >= b.
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

// 2^bits atan(1/k) by its series; at most two units off for each of fewer than `bits` terms.
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

// An integer at most 2 below 2^bits pi, and below it (Machin: pi = 16 atan(1/5) - 4 atan(1/239)), for bits < 2^20.
Natural scaled_pi(int bits) {
  constexpr int guard = 64;  // the error is below 20 * 2 * 2^20 units, and 2^32 of them are taken off
  Natural const minuend = shifted_left(arctangent_of_inverse(5, bits + guard), 4);
  Natural const subtrahend =
      shifted_left(arctangent_of_inverse(239, bits + guard), 2) + natural(std::uint64_t(1) << 32);
  Natural const pi = minuend - subtrahend;
  return Natural(pi.begin() + guard / 32, pi.end());
}

// The double nearest to x 2^exponent (never a tie) for an x that stands for a number in [x, x+1).
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

// The double nearest to pi n 2^exponent / divisor.
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
