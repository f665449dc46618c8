#include "fast/wall_capsule_contact.hpp"

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

// One translation unit holds both SIMD levels: Highway includes this file once per target. Everything else Highway
// could target is disabled, but what the compiler's own baseline gives must stay in the list.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fast/wall_capsule_contact.cpp"
#define HWY_COMPILE_ALL_ATTAINABLE
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4)
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace demeter::wall_capsule_contact::fast::HWY_NAMESPACE {

// The algorithm, for any `Lanes`: a type with the arithmetic of one vector of doubles (or of one double).

template <class Lanes>
struct Triple {
  typename Lanes::Value x, y, z;
};

template <class Lanes>
struct Capsule {
  typename Lanes::Value wall, axis, sense;
  Triple<Lanes> centre, half;
  typename Lanes::Value radius;
};

template <class Lanes>
struct Contact {
  typename Lanes::Value uN;
  Triple<Lanes> normal, point;
  typename Lanes::Value status;
};

/// a + b and its rounding error, exactly (Knuth).
template <class Lanes>
HWY_INLINE void two_sum(typename Lanes::Value a, typename Lanes::Value b, typename Lanes::Value& sum,
                        typename Lanes::Value& error) {
  sum = Lanes::add(a, b);
  auto const part = Lanes::subtract(sum, a);
  error = Lanes::add(Lanes::subtract(a, Lanes::subtract(sum, part)), Lanes::subtract(b, part));
}

/// With t = radius - sense (centre - wall), how deep the centre is, and h = half along the axis, the gaps are
/// -t -+ sense h: the least one is -(t + |h|), both ends overlap where |h| < t, and there (a1 - a0)/(a0 + a1) is
/// -sense h / t. t keeps the rounding errors of its two sums: without them a capsule that lies flat and just touches
/// would be given a point anywhere along it.
template <class Lanes>
HWY_INLINE Contact<Lanes> contact(Capsule<Lanes> const& in) {
  auto const zero = Lanes::set(0.0);
  auto const one = Lanes::set(1.0);
  auto const is_x = Lanes::equal(in.axis, zero);
  auto const is_y = Lanes::equal(in.axis, one);
  auto const is_z = Lanes::equal(in.axis, Lanes::set(2.0));
  // A blend costs AVX2 twice an and: this is exact too, as two of the three terms are 0.
  auto const along = [&](Triple<Lanes> const& a) HWY_ATTR {
    return Lanes::add(Lanes::add(Lanes::keep(is_x, a.x), Lanes::keep(is_y, a.y)), Lanes::keep(is_z, a.z));
  };
  auto const half = along(in.half);

  // A quarter of numbers so large that their sums could overflow. What underflows by that is beyond all rounding.
  auto const size = Lanes::maximum(Lanes::maximum(Lanes::absolute(in.wall), Lanes::absolute(along(in.centre))),
                                   Lanes::maximum(Lanes::absolute(half), in.radius));
  auto const large = Lanes::less(Lanes::set(0x1p1020), size);
  auto const factor = Lanes::select(large, Lanes::set(0.25), one);
  auto const unit = Lanes::select(large, Lanes::set(4.0), one);
  auto const wall = Lanes::multiply(in.wall, factor);
  auto const reach = Lanes::multiply(Lanes::absolute(half), factor);

  typename Lanes::Value from_wall, from_wall_error, sum, sum_error, depth, depth_error, deepest, deepest_error;
  two_sum<Lanes>(Lanes::multiply(along(in.centre), factor), Lanes::subtract(zero, wall), from_wall, from_wall_error);
  two_sum<Lanes>(Lanes::multiply(in.radius, factor), Lanes::subtract(zero, Lanes::multiply(in.sense, from_wall)), sum,
                 sum_error);
  two_sum<Lanes>(sum, Lanes::subtract(sum_error, Lanes::multiply(in.sense, from_wall_error)), depth, depth_error);
  two_sum<Lanes>(depth, reach, deepest, deepest_error);
  auto const uN = Lanes::subtract(zero, Lanes::add(deepest, Lanes::add(deepest_error, depth_error)));

  auto const both = Lanes::less(reach, depth);
  auto const overlapping = Lanes::less(uN, zero);
  // Which end is nearer, and whether any is, by the sign of `half` itself: by `factor` it may become 0.
  auto const rise = Lanes::multiply(in.sense, half);
  auto const share = Lanes::select(both, Lanes::divide(reach, depth), one);
  auto const lambda = Lanes::keep(Lanes::not_equal(half, zero), Lanes::with_opposite_sign(share, rise));

  auto const middle = Lanes::multiply_add(Lanes::multiply(Lanes::set(0.5), in.sense), uN, wall);
  auto const height = Lanes::multiply(middle, unit);
  auto const beside = [&](typename Lanes::Value centre, typename Lanes::Value half_)
                          HWY_ATTR { return Lanes::multiply_add(lambda, half_, centre); };
  Contact<Lanes> result;
  result.uN = Lanes::multiply(uN, unit);
  result.normal.x = Lanes::keep(is_x, in.sense);
  result.normal.y = Lanes::keep(is_y, in.sense);
  result.normal.z = Lanes::keep(is_z, in.sense);
  result.point.x = Lanes::select(is_x, height, beside(in.centre.x, in.half.x));
  result.point.y = Lanes::select(is_y, height, beside(in.centre.y, in.half.y));
  result.point.z = Lanes::select(is_z, height, beside(in.centre.z, in.half.z));
  // Where both overlap one does.
  result.status = Lanes::add(Lanes::keep(overlapping, one), Lanes::keep(both, one));
  return result;
}

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3

namespace hn = hwy::HWY_NAMESPACE;

struct Simd {
  using Tag = hn::ScalableTag<double>;
  using Value = hn::Vec<Tag>;
  using Mask = hn::Mask<Tag>;
  static constexpr std::size_t width = hn::MaxLanes(Tag());
  static HWY_INLINE Value load(double const* from) { return hn::LoadU(Tag(), from); }
  static HWY_INLINE void store(Value x, double* to) { hn::StoreU(x, Tag(), to); }

  static HWY_INLINE Value set(double value) { return hn::Set(Tag(), value); }
  static HWY_INLINE Value add(Value a, Value b) { return hn::Add(a, b); }
  static HWY_INLINE Value subtract(Value a, Value b) { return hn::Sub(a, b); }
  static HWY_INLINE Value multiply(Value a, Value b) { return hn::Mul(a, b); }
  static HWY_INLINE Value multiply_add(Value a, Value b, Value c) { return hn::MulAdd(a, b, c); }
  static HWY_INLINE Value divide(Value a, Value b) { return hn::Div(a, b); }
  static HWY_INLINE Value maximum(Value a, Value b) { return hn::Max(a, b); }
  static HWY_INLINE Value absolute(Value a) { return hn::Abs(a); }
  static HWY_INLINE Mask less(Value a, Value b) { return hn::Lt(a, b); }
  static HWY_INLINE Mask equal(Value a, Value b) { return hn::Eq(a, b); }
  static HWY_INLINE Mask not_equal(Value a, Value b) { return hn::Ne(a, b); }
  /// 0 where the mask is not set.
  static HWY_INLINE Value keep(Mask mask, Value a) { return hn::IfThenElseZero(mask, a); }
  /// a >= 0 with the sign that b has not.
  static HWY_INLINE Value with_opposite_sign(Value a, Value b) { return hn::Or(a, hn::AndNot(b, set(-0.0))); }
  static HWY_INLINE Value select(Mask mask, Value yes, Value no) { return hn::IfThenElse(mask, yes, no); }
};

HWY_INLINE void evaluate_vector(double const* const in[], double* const out[], std::size_t i) {
  auto const column = [in, i](std::size_t k) HWY_ATTR { return Simd::load(in[k] + i); };
  auto const result = contact<Simd>({column(0),
                                     column(1),
                                     column(2),
                                     {column(3), column(4), column(5)},
                                     {column(6), column(7), column(8)},
                                     column(9)});
  auto const put = [out, i](std::size_t k, Simd::Value x) HWY_ATTR {
    if (out[k] != nullptr) Simd::store(x, out[k] + i);
  };
  put(0, result.uN);
  put(1, result.normal.x);
  put(2, result.normal.y);
  put(3, result.normal.z);
  put(4, result.point.x);
  put(5, result.point.y);
  put(6, result.point.z);
  put(7, result.status);
}

void evaluate(std::size_t n, double const* const in[], double* const out[]) {
  // Copies that no store can change: otherwise every vector would load the pointers again.
  double const* from[10];
  double* to[8];
  for (std::size_t k = 0; k < 10; ++k) from[k] = in[k];
  for (std::size_t k = 0; k < 8; ++k) to[k] = out[k];
  std::size_t const full = n - n % Simd::width;
  for (std::size_t i = 0; i < full; i += Simd::width) evaluate_vector(from, to, i);
  if (full == n) return;
  // The rest, in a vector of its own, filled up with the last row.
  double rows[10][Simd::width];
  double results[8][Simd::width];
  for (std::size_t k = 0; k < 10; ++k) {
    for (std::size_t j = 0; j < Simd::width; ++j) rows[k][j] = in[k][full + j < n ? full + j : n - 1];
    from[k] = rows[k];
  }
  for (std::size_t k = 0; k < 8; ++k) to[k] = results[k];
  evaluate_vector(from, to, 0);
  for (std::size_t k = 0; k < 8; ++k) {
    if (out[k] == nullptr) continue;
    for (std::size_t j = 0; full + j < n; ++j) out[k][full + j] = results[k][j];
  }
}

#endif

#if HWY_ONCE

/// Masks of bits, as SIMD has them: the axis and the status of a capsule are nothing a branch predictor could know.
struct Scalar {
  using Value = double;
  using Mask = std::uint64_t;
  static HWY_INLINE Mask mask(bool set) { return std::uint64_t{0} - static_cast<std::uint64_t>(set); }
  static HWY_INLINE std::uint64_t bits(double a) { return std::bit_cast<std::uint64_t>(a); }

  static HWY_INLINE double set(double value) { return value; }
  static HWY_INLINE double add(double a, double b) { return a + b; }
  static HWY_INLINE double subtract(double a, double b) { return a - b; }
  static HWY_INLINE double multiply(double a, double b) { return a * b; }
  static HWY_INLINE double multiply_add(double a, double b, double c) { return std::fma(a, b, c); }
  static HWY_INLINE double divide(double a, double b) { return a / b; }
  static HWY_INLINE double maximum(double a, double b) { return a > b ? a : b; }
  static HWY_INLINE double absolute(double a) { return std::fabs(a); }
  static HWY_INLINE Mask less(double a, double b) { return mask(a < b); }
  static HWY_INLINE Mask equal(double a, double b) { return mask(a == b); }
  static HWY_INLINE Mask not_equal(double a, double b) { return mask(a != b); }
  static HWY_INLINE double keep(Mask mask, double a) { return std::bit_cast<double>(bits(a) & mask); }
  static HWY_INLINE double with_opposite_sign(double a, double b) { return std::copysign(a, -b); }
  static HWY_INLINE double select(Mask mask, double yes, double no) {
    return std::bit_cast<double>((bits(yes) & mask) | (bits(no) & ~mask));
  }
};

Contact<Scalar> contact_portable(Capsule<Scalar> const& in) { return contact<Scalar>(in); }

/// The same code where the CPU has FMA: the baseline would call the library.
__attribute__((target("fma"))) Contact<Scalar> contact_fma(Capsule<Scalar> const& in) { return contact<Scalar>(in); }

#endif

}  // namespace demeter::wall_capsule_contact::fast::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace demeter::wall_capsule_contact::fast {

namespace {

namespace row = HWY_NAMESPACE;

row::Contact<row::Scalar> contact_of(row::Capsule<row::Scalar> const& in) {
  static bool const fused = available(Level::avx2);
  return fused ? row::contact_fma(in) : row::contact_portable(in);
}

}  // namespace

Output<double> evaluate(Input<double> const& in) noexcept {
  auto const triple = [](Vector3<double> const& a) { return row::Triple<row::Scalar>{a[0], a[1], a[2]}; };
  auto const answer = contact_of({in.wall, in.axis, in.sense, triple(in.centre), triple(in.half), in.radius});
  return {answer.uN,
          {answer.normal.x, answer.normal.y, answer.normal.z},
          {answer.point.x, answer.point.y, answer.point.z},
          static_cast<Status>(answer.status)};
}

void evaluate(Level level, std::size_t n, double const* const in[], double* const out[]) noexcept {
  switch (level) {
    case Level::avx512:
      return N_AVX3::evaluate(n, in, out);
    case Level::avx2:
      return N_AVX2::evaluate(n, in, out);
    case Level::scalar:
      for (std::size_t i = 0; i < n; ++i) {
        auto const answer = contact_of(
            {in[0][i], in[1][i], in[2][i], {in[3][i], in[4][i], in[5][i]}, {in[6][i], in[7][i], in[8][i]}, in[9][i]});
        double const results[] = {answer.uN,      answer.normal.x, answer.normal.y, answer.normal.z,
                                  answer.point.x, answer.point.y,  answer.point.z,  answer.status};
        for (std::size_t k = 0; k < 8; ++k)
          if (out[k] != nullptr) out[k][i] = results[k];
      }
      return;
  }
}

}  // namespace demeter::wall_capsule_contact::fast

#endif
