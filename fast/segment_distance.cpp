#include "fast/segment_distance.hpp"

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

// One translation unit holds both SIMD levels: Highway includes this file once per target. Everything else Highway
// could target is disabled, but what the compiler's own baseline gives must stay in the list.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fast/segment_distance.cpp"
#define HWY_COMPILE_ALL_ATTAINABLE
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4)
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include <hwy/cache_control.h>

HWY_BEFORE_NAMESPACE();
namespace demeter::segment_distance::fast::HWY_NAMESPACE {

// The algorithm, for any `Lanes`: a type with the arithmetic of one vector of doubles (or of one double).

template <class Lanes>
struct Triple {
  typename Lanes::Value x, y, z;
};

template <class Lanes>
struct Ends {
  Triple<Lanes> p0, p1, q0, q1;
};

template <class Lanes>
HWY_INLINE Triple<Lanes> difference(Triple<Lanes> const& a, Triple<Lanes> const& b) {
  return {Lanes::subtract(a.x, b.x), Lanes::subtract(a.y, b.y), Lanes::subtract(a.z, b.z)};
}

template <class Lanes>
HWY_INLINE typename Lanes::Value dot(Triple<Lanes> const& a, Triple<Lanes> const& b) {
  return Lanes::multiply_add(a.z, b.z, Lanes::multiply_add(a.y, b.y, Lanes::multiply(a.x, b.x)));
}

/// a + k b
template <class Lanes>
HWY_INLINE Triple<Lanes> add_multiple(Triple<Lanes> const& a, typename Lanes::Value k, Triple<Lanes> const& b) {
  return {Lanes::multiply_add(k, b.x, a.x), Lanes::multiply_add(k, b.y, a.y), Lanes::multiply_add(k, b.z, a.z)};
}

/// a - k b
template <class Lanes>
HWY_INLINE Triple<Lanes> subtract_multiple(Triple<Lanes> const& a, typename Lanes::Value k, Triple<Lanes> const& b) {
  return {Lanes::subtract_product(a.x, k, b.x), Lanes::subtract_product(a.y, k, b.y),
          Lanes::subtract_product(a.z, k, b.z)};
}

/// a b - c d to 1.5 ulp whatever cancels (Kahan).
template <class Lanes>
HWY_INLINE typename Lanes::Value product_difference(typename Lanes::Value a, typename Lanes::Value b,
                                                    typename Lanes::Value c, typename Lanes::Value d) {
  auto const rounded = Lanes::multiply(c, d);
  auto const error = Lanes::subtract_product(rounded, c, d);
  return Lanes::add(Lanes::multiply_subtract(a, b, rounded), error);
}

template <class Lanes>
HWY_INLINE Triple<Lanes> cross(Triple<Lanes> const& a, Triple<Lanes> const& b) {
  return {product_difference<Lanes>(a.y, b.z, a.z, b.y), product_difference<Lanes>(a.z, b.x, a.x, b.z),
          product_difference<Lanes>(a.x, b.y, a.y, b.x)};
}

/// Both bounds are the second operand, so that NaN (0/0 of a zero-length segment) gives `low`, as x86's max does.
template <class Lanes>
HWY_INLINE typename Lanes::Value clamp(typename Lanes::Value value, typename Lanes::Value low,
                                       typename Lanes::Value high) {
  return Lanes::minimum(Lanes::maximum(value, low), high);
}

/// (1-k) a + k b with two roundings. It costs six operations more a point than a + k (b-a), but is exact at both ends
/// and free of the rounding of b-a, which counts for almost half of the error otherwise: a hill climb reaches 10.7 uS
/// with w + t B - s A (8.8 with the nearer ends) and 7.4 uS with this.
template <class Lanes>
HWY_INLINE Triple<Lanes> interpolate(Triple<Lanes> const& a, Triple<Lanes> const& b, typename Lanes::Value k) {
  return add_multiple<Lanes>(subtract_multiple<Lanes>(a, k, a), k, b);
}

template <class Lanes>
HWY_INLINE Triple<Lanes> sum(Triple<Lanes> const& a, Triple<Lanes> const& b) {
  return {Lanes::add(a.x, b.x), Lanes::add(a.y, b.y), Lanes::add(a.z, b.z)};
}

/// Parameters of a closest pair, the connection v of its points, from p to q, and the rounding error of v.
template <class Lanes>
struct Solution {
  typename Lanes::Value s, t;
  Triple<Lanes> v, error;
};

/// The connection for given s and t. Its error is exact where both points are of about equal size, which is where it
/// counts, and elsewhere no worse than none.
template <class Lanes>
HWY_INLINE void connect(Ends<Lanes> const& ends, typename Lanes::Value s, typename Lanes::Value t, Triple<Lanes>& v,
                        Triple<Lanes>& error) {
  auto const P = interpolate<Lanes>(ends.p0, ends.p1, s);
  auto const Q = interpolate<Lanes>(ends.q0, ends.q1, t);
  v = difference<Lanes>(Q, P);
  error = difference<Lanes>(difference<Lanes>(Q, v), P);
}

/// |v + error|, with one rounding to speak of: the plain sqrt(v.v) is off by up to 4 uS, a half of the budget.
template <class Lanes>
HWY_INLINE typename Lanes::Value length(Triple<Lanes> const& v, Triple<Lanes> const& error) {
  auto const xx = Lanes::multiply(v.x, v.x);
  auto const xxyy = Lanes::multiply_add(v.y, v.y, xx);
  auto const squared = Lanes::multiply_add(v.z, v.z, xxyy);
  auto const root = Lanes::square_root(squared);
  // What v.v + 2 v.error exceeds root^2 by, to first order.
  auto const slope = dot<Lanes>(v, error);
  auto const zz_error = Lanes::multiply_add(v.z, v.z, Lanes::subtract(xxyy, squared));
  auto const yy_error = Lanes::multiply_add(v.y, v.y, Lanes::subtract(xx, xxyy));
  auto const xx_error = Lanes::multiply_subtract(v.x, v.x, xx);
  auto const before_root = Lanes::add(Lanes::add(xx_error, yy_error), Lanes::add(zz_error, Lanes::add(slope, slope)));
  auto const excess = Lanes::add(Lanes::subtract_product(squared, root, root), before_root);
  return Lanes::multiply_add(excess, Lanes::half_inverse(root), root);
}

/// The Gram (normal) equations, and whether rounding can have hurt.
///
/// Cancellation in the determinant makes s wrong by about u |w| / (|A| sin^2), and d, being least there, by the square of that:
/// (u |w|)^2 / (d sin^2). The check d sin^2 > 2^-43 extent keeps it below 0.1 uS, and keeps away from d = 0, where
/// errors of s and t count to first order. Unchecked the error reaches 1e8 uS. Both sides are homogeneous, so that the
/// decision does not depend on the unit of length.
template <class Lanes>
HWY_INLINE typename Lanes::Mask solve_gram(Ends<Lanes> const& ends, Solution<Lanes>& solution,
                                           typename Lanes::Value& squared_extent) {
  auto const zero = Lanes::set(0.0);
  auto const one = Lanes::set(1.0);
  auto const A = difference<Lanes>(ends.p1, ends.p0);
  auto const B = difference<Lanes>(ends.q1, ends.q0);
  auto const w = difference<Lanes>(ends.q0, ends.p0);
  auto const AA = dot<Lanes>(A, A);
  auto const BB = dot<Lanes>(B, B);
  auto const AB = dot<Lanes>(A, B);
  auto const Aw = dot<Lanes>(A, w);
  auto const Bw = dot<Lanes>(B, w);
  auto const product = Lanes::multiply(AA, BB);
  auto const determinant = Lanes::subtract_product(product, AB, AB);
  auto const numerator = Lanes::multiply_subtract(Aw, BB, Lanes::multiply(AB, Bw));
  // Divided ahead, off the critical path.
  auto const inverse_AA = Lanes::divide(one, AA);
  auto const inverse_BB = Lanes::divide(one, BB);
  // Best s on the line, best t for it, best s for that: exact for two variables in a box.
  auto s = clamp<Lanes>(Lanes::divide(numerator, determinant), zero, one);
  auto const t = clamp<Lanes>(Lanes::multiply(Lanes::multiply_subtract(AB, s, Bw), inverse_BB), zero, one);
  s = clamp<Lanes>(Lanes::multiply(Lanes::multiply_add(AB, t, Aw), inverse_AA), zero, one);
  solution.s = s;
  solution.t = t;
  connect<Lanes>(ends, s, t, solution.v, solution.error);

  auto const vv = dot<Lanes>(solution.v, solution.v);
  squared_extent = Lanes::add(Lanes::add(AA, BB), vv);
  auto const threshold = Lanes::multiply(Lanes::set(0x1p-86), squared_extent);
  auto const conditioning = Lanes::multiply(Lanes::multiply(determinant, determinant), vv);
  return Lanes::both(
      Lanes::less(threshold, Lanes::minimum(AA, BB)),
      Lanes::less(Lanes::multiply(threshold, Lanes::multiply(product, product)), conditioning));
}

/// The same by compensated cross products, which stay good however parallel the segments are, for what solve_gram
/// does not accept: about twice its operations.
template <class Lanes>
HWY_INLINE void solve_cross(Ends<Lanes> const& ends, Solution<Lanes>& solution) {
  auto const zero = Lanes::set(0.0);
  auto const one = Lanes::set(1.0);
  auto const A = difference<Lanes>(ends.p1, ends.p0);
  auto const B = difference<Lanes>(ends.q1, ends.q0);
  auto const w = difference<Lanes>(ends.q0, ends.p0);
  auto const N = cross<Lanes>(A, B);
  auto const wxB = cross<Lanes>(w, B);
  auto const AA = dot<Lanes>(A, A);
  auto const BB = dot<Lanes>(B, B);
  auto const AB = dot<Lanes>(A, B);
  auto const Aw = dot<Lanes>(A, w);
  auto const Bw = dot<Lanes>(B, w);
  auto const NN = dot<Lanes>(N, N);
  auto const inverse_AA = Lanes::divide(one, AA);
  auto const inverse_BB = Lanes::divide(one, BB);
  // Below an angle of 2^-100 any s will do, and NN may have underflowed.
  auto const skew = Lanes::less(Lanes::multiply(Lanes::set(0x1p-200), Lanes::multiply(AA, BB)), NN);
  auto s = clamp<Lanes>(Lanes::select(skew, Lanes::divide(dot<Lanes>(wxB, N), NN), zero), zero, one);
  auto t = clamp<Lanes>(Lanes::multiply(Lanes::multiply_subtract(AB, s, Bw), inverse_BB), zero, one);
  s = clamp<Lanes>(Lanes::multiply(Lanes::multiply_add(AB, t, Aw), inverse_AA), zero, one);
  Triple<Lanes> v, error;
  connect<Lanes>(ends, s, t, v, error);
  // s and t carry errors of a few u that count to first order where d is about 0: two steps of descent from the
  // computed v, unrounded, take them out again.
  auto const dt = clamp<Lanes>(Lanes::multiply(Lanes::subtract(zero, dot<Lanes>(B, v)), inverse_BB),
                               Lanes::subtract(zero, t), Lanes::subtract(one, t));
  auto const ds = clamp<Lanes>(Lanes::multiply(dot<Lanes>(A, add_multiple<Lanes>(v, dt, B)), inverse_AA),
                               Lanes::subtract(zero, s), Lanes::subtract(one, s));
  auto const shift = subtract_multiple<Lanes>(add_multiple<Lanes>(error, dt, B), ds, A);
  solution.s = Lanes::add(s, ds);
  solution.t = Lanes::add(t, dt);
  solution.v = sum<Lanes>(v, shift);
  solution.error = sum<Lanes>(difference<Lanes>(v, solution.v), shift);
}

template <class Lanes>
HWY_INLINE Triple<Lanes> select(typename Lanes::Mask mask, Triple<Lanes> const& yes, Triple<Lanes> const& no) {
  return {Lanes::select(mask, yes.x, no.x), Lanes::select(mask, yes.y, no.y), Lanes::select(mask, yes.z, no.z)};
}

/// True where no product of solve_gram or solve_cross over- or underflows to any effect. The largest has degree 10.
template <class Lanes>
HWY_INLINE typename Lanes::Mask in_range(typename Lanes::Value squared_extent) {
  return Lanes::both(Lanes::less(squared_extent, Lanes::set(0x1p100)),
                     Lanes::less(Lanes::set(0x1p-100), squared_extent));
}

template <class Lanes>
HWY_INLINE Triple<Lanes> scaled(Triple<Lanes> const& a, typename Lanes::Value factor) {
  return {Lanes::multiply(a.x, factor), Lanes::multiply(a.y, factor), Lanes::multiply(a.z, factor)};
}

template <class Lanes>
HWY_INLINE typename Lanes::Value largest(Triple<Lanes> const& a) {
  return Lanes::maximum(Lanes::maximum(Lanes::absolute(a.x), Lanes::absolute(a.y)), Lanes::absolute(a.z));
}

template <class Lanes>
struct Answer {
  typename Lanes::Value distance, s, t;
};

/// For the lanes that the plain attempt did not settle; the others hold anything. Lanes out of range are scaled by a
/// power of two to 2 <= S < 4 and solved afresh; lanes in range keep the factor 1, so that no result depends on its
/// neighbours.
template <class Lanes>
HWY_INLINE Answer<Lanes> answer_hard(Ends<Lanes> ends, typename Lanes::Mask plain) {
  Solution<Lanes> crossed;
  if (Lanes::all(plain)) {
    solve_cross<Lanes>(ends, crossed);
    return {length<Lanes>(crossed.v, crossed.error), crossed.s, crossed.t};
  }
  auto const one = Lanes::set(1.0);
  auto const size = Lanes::maximum(Lanes::maximum(largest<Lanes>(ends.p0), largest<Lanes>(ends.p1)),
                                   Lanes::maximum(largest<Lanes>(ends.q0), largest<Lanes>(ends.q1)));
  auto const power = Lanes::power_of_two(size);
  auto const factor = Lanes::select(plain, one, Lanes::twice_inverse(power));
  ends = {scaled<Lanes>(ends.p0, factor), scaled<Lanes>(ends.p1, factor), scaled<Lanes>(ends.q0, factor),
          scaled<Lanes>(ends.q1, factor)};
  Solution<Lanes> solution;
  typename Lanes::Value squared_extent;
  auto const sound = solve_gram<Lanes>(ends, solution, squared_extent);
  if (!Lanes::all(sound)) {
    solve_cross<Lanes>(ends, crossed);
    solution.s = Lanes::select(sound, solution.s, crossed.s);
    solution.t = Lanes::select(sound, solution.t, crossed.t);
    solution.v = select<Lanes>(sound, solution.v, crossed.v);
    solution.error = select<Lanes>(sound, solution.error, crossed.error);
  }
  // The inverse of `factor` may be subnormal: it is applied in two steps, of which only the last can round.
  auto const halved = Lanes::multiply(length<Lanes>(solution.v, solution.error),
                                      Lanes::select(plain, one, Lanes::set(0.5)));
  return {Lanes::multiply(halved, Lanes::select(plain, one, power)), solution.s, solution.t};
}

/// Minus the bits of a, these are the bits of 1/(2a) to 12 %: enough for a correction, and free.
constexpr std::uint64_t half_inverse_bits = 0x7fce623822fc16e6;

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3

namespace hn = hwy::HWY_NAMESPACE;

struct Simd {
  using Tag = hn::ScalableTag<double>;
  using Bits = hn::RebindToUnsigned<Tag>;
  using Value = hn::Vec<Tag>;
  using Mask = hn::Mask<Tag>;
  static constexpr std::size_t width = hn::MaxLanes(Tag());
  static HWY_INLINE Value load(double const* from) { return hn::LoadU(Tag(), from); }
  static HWY_INLINE void store(Value x, double* to) { hn::StoreU(x, Tag(), to); }
  static HWY_INLINE void store_mask(Mask x, double* to) { hn::StoreU(hn::VecFromMask(Tag(), x), Tag(), to); }
  static HWY_INLINE void prefetch(double const* from) { hwy::Prefetch(from); }

  static HWY_INLINE Value set(double value) { return hn::Set(Tag(), value); }
  static HWY_INLINE Value add(Value a, Value b) { return hn::Add(a, b); }
  static HWY_INLINE Value subtract(Value a, Value b) { return hn::Sub(a, b); }
  static HWY_INLINE Value multiply(Value a, Value b) { return hn::Mul(a, b); }
  static HWY_INLINE Value multiply_add(Value a, Value b, Value c) { return hn::MulAdd(a, b, c); }
  static HWY_INLINE Value multiply_subtract(Value a, Value b, Value c) { return hn::MulSub(a, b, c); }
  static HWY_INLINE Value subtract_product(Value c, Value a, Value b) { return hn::NegMulAdd(a, b, c); }
  static HWY_INLINE Value divide(Value a, Value b) { return hn::Div(a, b); }
  static HWY_INLINE Value square_root(Value a) { return hn::Sqrt(a); }
  static HWY_INLINE Value minimum(Value a, Value b) { return hn::Min(a, b); }
  static HWY_INLINE Value maximum(Value a, Value b) { return hn::Max(a, b); }
  static HWY_INLINE Value absolute(Value a) { return hn::Abs(a); }
  static HWY_INLINE Mask less(Value a, Value b) { return hn::Lt(a, b); }
  static HWY_INLINE Mask both(Mask a, Mask b) { return hn::And(a, b); }
  static HWY_INLINE bool all(Mask a) { return hn::AllTrue(Tag(), a); }
  static HWY_INLINE Value select(Mask mask, Value yes, Value no) { return hn::IfThenElse(mask, yes, no); }

  /// The power of two at or below a, but at least the smallest normal number.
  static HWY_INLINE Value power_of_two(Value a) {
    auto const normal = hn::Max(a, set(0x1p-1022));
    return hn::BitCast(Tag(), hn::And(hn::BitCast(Bits(), normal), hn::Set(Bits(), std::uint64_t{0x7ff} << 52)));
  }
  static HWY_INLINE Value half_inverse(Value a) {
    return hn::BitCast(Tag(), hn::Sub(hn::Set(Bits(), half_inverse_bits), hn::BitCast(Bits(), a)));
  }
  static HWY_INLINE Value twice_inverse(Value power) {
    return hn::BitCast(Tag(),
                       hn::Sub(hn::Set(Bits(), std::uint64_t{2047} << 52), hn::BitCast(Bits(), power)));
  }
};

/// Two of `Half` side by side: independent instructions stand next to each other, and the processor's window holds both
/// chains of three dependent divisions and a root.
template <class Half>
struct Pair {
  struct Value {
    typename Half::Value a, b;
  };
  struct Mask {
    typename Half::Mask a, b;
  };

  static HWY_INLINE Value set(double value) { return {Half::set(value), Half::set(value)}; }
  static HWY_INLINE Value add(Value x, Value y) { return {Half::add(x.a, y.a), Half::add(x.b, y.b)}; }
  static HWY_INLINE Value subtract(Value x, Value y) { return {Half::subtract(x.a, y.a), Half::subtract(x.b, y.b)}; }
  static HWY_INLINE Value multiply(Value x, Value y) { return {Half::multiply(x.a, y.a), Half::multiply(x.b, y.b)}; }
  static HWY_INLINE Value multiply_add(Value x, Value y, Value z) {
    return {Half::multiply_add(x.a, y.a, z.a), Half::multiply_add(x.b, y.b, z.b)};
  }
  static HWY_INLINE Value multiply_subtract(Value x, Value y, Value z) {
    return {Half::multiply_subtract(x.a, y.a, z.a), Half::multiply_subtract(x.b, y.b, z.b)};
  }
  static HWY_INLINE Value subtract_product(Value x, Value y, Value z) {
    return {Half::subtract_product(x.a, y.a, z.a), Half::subtract_product(x.b, y.b, z.b)};
  }
  static HWY_INLINE Value divide(Value x, Value y) { return {Half::divide(x.a, y.a), Half::divide(x.b, y.b)}; }
  static HWY_INLINE Value square_root(Value x) { return {Half::square_root(x.a), Half::square_root(x.b)}; }
  static HWY_INLINE Value minimum(Value x, Value y) { return {Half::minimum(x.a, y.a), Half::minimum(x.b, y.b)}; }
  static HWY_INLINE Value maximum(Value x, Value y) { return {Half::maximum(x.a, y.a), Half::maximum(x.b, y.b)}; }
  static HWY_INLINE Mask less(Value x, Value y) { return {Half::less(x.a, y.a), Half::less(x.b, y.b)}; }
  static HWY_INLINE Mask both(Mask x, Mask y) { return {Half::both(x.a, y.a), Half::both(x.b, y.b)}; }
  static HWY_INLINE bool all(Mask x) { return Half::all(Half::both(x.a, x.b)); }
  static HWY_INLINE Value half_inverse(Value x) { return {Half::half_inverse(x.a), Half::half_inverse(x.b)}; }

  static HWY_INLINE Value load(double const* from) { return {Half::load(from), Half::load(from + Half::width)}; }
  static HWY_INLINE void store(Value x, double* to) { Half::store(x.a, to); Half::store(x.b, to + Half::width); }
  static HWY_INLINE void store_mask(Mask x, double* to) { Half::store_mask(x.a, to); Half::store_mask(x.b, to + Half::width); }
  static HWY_INLINE void prefetch(double const* from) { Half::prefetch(from); if (Half::width == 8) Half::prefetch(from + Half::width); }
  static constexpr std::size_t width = 2 * Half::width;
};

template <class Lanes, bool prefetch>
HWY_INLINE Ends<Lanes> load_ends(double const* const in[], std::size_t i) {
  auto const column = [in, i](std::size_t k) HWY_ATTR {
    // The hardware does not keep twelve streams going: 3.3 ns a pair without, 2.8 with.
    if constexpr (prefetch) Lanes::prefetch(in[k] + i + 64);
    return Lanes::load(in[k] + i);
  };
  return {{column(0), column(1), column(2)},
          {column(3), column(4), column(5)},
          {column(6), column(7), column(8)},
          {column(9), column(10), column(11)}};
}

template <class Lanes, bool distance_only>
HWY_INLINE void store(typename Lanes::Value distance, typename Lanes::Value s, typename Lanes::Value t, double* const out[], std::size_t i) {
  if (distance_only || out[0] != nullptr) Lanes::store(distance, out[0] + i);
  if (!distance_only && out[1] != nullptr) Lanes::store(s, out[1] + i);
  if (!distance_only && out[2] != nullptr) Lanes::store(t, out[2] + i);
}

/// What the plain attempt hands over, in memory.
template <std::size_t width>
struct HandOver {
  HWY_ALIGN double settled[width], squared_extent[width], distance[width], s[width], t[width];
};

template <std::size_t width, bool distance_only>
HWY_NOINLINE void evaluate_hard(HandOver<width> const& easy, double const* const in[], double* const out[], std::size_t i) {
  Simd::Tag const tag;
  for (std::size_t k = 0; k < width; k += Simd::width) {
    auto const settled = hn::MaskFromVec(hn::Load(tag, easy.settled + k));
    auto distance = Simd::load(easy.distance + k);
    auto s = distance;
    auto t = distance;
    if constexpr (!distance_only) {
      s = Simd::load(easy.s + k);
      t = Simd::load(easy.t + k);
    }
    if (!Simd::all(settled)) {
      auto const plain = in_range<Simd>(hn::Load(tag, easy.squared_extent + k));
      auto const hard = answer_hard<Simd>(load_ends<Simd, false>(in, i + k), plain);
      distance = Simd::select(settled, distance, hard.distance);
      s = Simd::select(settled, s, hard.s);
      t = Simd::select(settled, t, hard.t);
    }
    store<Simd, distance_only>(distance, s, t, out, i + k);
  }
}

template <class Lanes, bool distance_only>
HWY_INLINE void evaluate_group(double const* const in[], double* const out[], std::size_t i) {
  Solution<Lanes> solution;
  typename Lanes::Value squared_extent;
  auto const sound = solve_gram<Lanes>(load_ends<Lanes, true>(in, i), solution, squared_extent);
  auto const settled = Lanes::both(sound, in_range<Lanes>(squared_extent));
  auto const distance = length<Lanes>(solution.v, solution.error);
  if (HWY_LIKELY(Lanes::all(settled))) {
    store<Lanes, distance_only>(distance, solution.s, solution.t, out, i);
    return;
  }
  // Out of line and through memory: inline, or with vectors as arguments, g++ keeps a copy of everything in memory
  // for the rare call, and the plain loop takes twice as long.
  HandOver<Lanes::width> easy;
  Lanes::store_mask(settled, easy.settled);
  Lanes::store(squared_extent, easy.squared_extent);
  Lanes::store(distance, easy.distance);
  if constexpr (!distance_only) {
    Lanes::store(solution.s, easy.s);
    Lanes::store(solution.t, easy.t);
  }
  evaluate_hard<Lanes::width, distance_only>(easy, in, out, i);
}

#ifndef GROUP
#define GROUP Pair<Simd>
#endif
template <bool distance_only>
HWY_NOINLINE void evaluate_columns(std::size_t n, double const* const in[], double* const out[]) {
  using Group = GROUP;
  constexpr std::size_t width = Group::width;
  std::size_t i = 0;
  for (; i + width <= n; i += width) evaluate_group<Group, distance_only>(in, out, i);
  if (i == n) return;
  // The tail, in a block of its own, filled up with its last row.
  double rows[12][width];
  double results[3][width];
  double const* rows_in[12];
  for (std::size_t k = 0; k < 12; ++k) {
    for (std::size_t j = 0; j < width; ++j) rows[k][j] = in[k][i + j < n ? i + j : n - 1];
    rows_in[k] = rows[k];
  }
  double* const results_out[3] = {results[0], results[1], results[2]};
  evaluate_group<Group, distance_only>(rows_in, results_out, 0);
  for (std::size_t k = 0; k < (distance_only ? 1 : 3); ++k) {
    if (out[k] == nullptr) continue;
    for (std::size_t j = 0; i + j < n; ++j) out[k][i + j] = results[k][j];
  }
}

void evaluate(std::size_t n, double const* const in[], double* const out[]) {
  if (out[1] == nullptr && out[2] == nullptr) {
    if (out[0] != nullptr) evaluate_columns<true>(n, in, out);
  } else {
    evaluate_columns<false>(n, in, out);
  }
}

#endif

#if HWY_ONCE

struct Scalar {
  using Value = double;
  using Mask = bool;

  static HWY_INLINE double set(double value) { return value; }
  static HWY_INLINE double add(double a, double b) { return a + b; }
  static HWY_INLINE double subtract(double a, double b) { return a - b; }
  static HWY_INLINE double multiply(double a, double b) { return a * b; }
  static HWY_INLINE double multiply_add(double a, double b, double c) { return std::fma(a, b, c); }
  static HWY_INLINE double multiply_subtract(double a, double b, double c) { return std::fma(a, b, -c); }
  static HWY_INLINE double subtract_product(double c, double a, double b) { return std::fma(-a, b, c); }
  static HWY_INLINE double divide(double a, double b) { return a / b; }
  static HWY_INLINE double square_root(double a) { return std::sqrt(a); }
  static HWY_INLINE double minimum(double a, double b) { return a < b ? a : b; }
  static HWY_INLINE double maximum(double a, double b) { return a > b ? a : b; }
  static HWY_INLINE double absolute(double a) { return std::fabs(a); }
  static HWY_INLINE bool less(double a, double b) { return a < b; }
  static HWY_INLINE bool both(bool a, bool b) { return a && b; }
  static HWY_INLINE bool all(bool a) { return a; }
  static HWY_INLINE double select(bool mask, double yes, double no) { return mask ? yes : no; }
  static HWY_INLINE double power_of_two(double a) {
    return std::bit_cast<double>(std::bit_cast<std::uint64_t>(maximum(a, 0x1p-1022)) & std::uint64_t{0x7ff} << 52);
  }
  static HWY_INLINE double half_inverse(double a) {
    return std::bit_cast<double>(half_inverse_bits - std::bit_cast<std::uint64_t>(a));
  }
  static HWY_INLINE double twice_inverse(double power) {
    return std::bit_cast<double>((std::uint64_t{2047} << 52) - std::bit_cast<std::uint64_t>(power));
  }
};

HWY_INLINE Answer<Scalar> answer_row(Ends<Scalar> const& ends) {
  Solution<Scalar> solution;
  double squared_extent;
  bool const sound = solve_gram<Scalar>(ends, solution, squared_extent);
  bool const plain = in_range<Scalar>(squared_extent);
  if (!(sound && plain)) return answer_hard<Scalar>(ends, plain);
  return {length<Scalar>(solution.v, solution.error), solution.s, solution.t};
}

Answer<Scalar> answer_row_portable(Ends<Scalar> const& ends) { return answer_row(ends); }

/// The same code where the CPU has FMA: the baseline would call the library's 130 times a pair.
__attribute__((target("fma"))) Answer<Scalar> answer_row_fma(Ends<Scalar> const& ends) { return answer_row(ends); }

#endif

}  // namespace demeter::segment_distance::fast::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace demeter::segment_distance::fast {

namespace {

namespace row = HWY_NAMESPACE;

row::Answer<row::Scalar> answer_row(row::Ends<row::Scalar> const& ends) {
  static bool const fused = available(Level::avx2);
  return fused ? row::answer_row_fma(ends) : row::answer_row_portable(ends);
}

}  // namespace

Output<double> evaluate(Input<double> const& in) noexcept {
  auto const triple = [](Vector3<double> const& a) { return row::Triple<row::Scalar>{a[0], a[1], a[2]}; };
  auto const answer = answer_row({triple(in.p0), triple(in.p1), triple(in.q0), triple(in.q1)});
  return {answer.distance, answer.s, answer.t};
}

void evaluate(Level level, std::size_t n, double const* const in[], double* const out[]) noexcept {
  switch (level) {
    case Level::avx512:
      return N_AVX3::evaluate(n, in, out);
    case Level::avx2:
      return N_AVX2::evaluate(n, in, out);
    case Level::scalar:
      for (std::size_t i = 0; i < n; ++i) {
        auto const answer = answer_row({{in[0][i], in[1][i], in[2][i]},
                                        {in[3][i], in[4][i], in[5][i]},
                                        {in[6][i], in[7][i], in[8][i]},
                                        {in[9][i], in[10][i], in[11][i]}});
        if (out[0] != nullptr) out[0][i] = answer.distance;
        if (out[1] != nullptr) out[1][i] = answer.s;
        if (out[2] != nullptr) out[2][i] = answer.t;
      }
      return;
  }
}

}  // namespace demeter::segment_distance::fast

#endif
