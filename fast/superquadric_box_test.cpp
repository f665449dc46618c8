#include "fast/superquadric_box_test.hpp"

#include <cstddef>
#include <limits>

#include "fast/core/forms.hpp"
#include "fast/core/one_row.hpp"
#include "fast/core/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fast/superquadric_box_test.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "fast/core/batch.hpp"

HWY_BEFORE_NAMESPACE();
namespace demeter::superquadric_box_test::fast::HWY_NAMESPACE {

using namespace demeter::lanes::HWY_NAMESPACE;
// The operators defined below would hide these operators.
using demeter::lanes::HWY_NAMESPACE::operator+;
using demeter::lanes::HWY_NAMESPACE::operator-;
using demeter::lanes::HWY_NAMESPACE::operator*;

// The algorithm, for any `Number`: a SIMD vector of doubles, or one double. The functions for both are in
// fast/core/lanes.hpp.

// --------------------------------------------------------------------------------------- sums of two or three numbers

template <class Number>
HWY_INLINE Double<Number> operator-(Double<Number> const& x) {
  return {0.0 - x.high, 0.0 - x.low};
}
/// The error is at most 2^-104 of the terms. If the terms cancel, the bits of the two numbers of the sum may overlap.
template <class Number>
HWY_INLINE Double<Number> operator+(Double<Number> const& x, Double<Number> const& y) {
  auto const high = exact_sum(x.high, y.high);
  return {high.high, high.low + (x.low + y.low)};
}
template <class Number>
HWY_INLINE Double<Number> operator*(Double<Number> const& x, Double<Number> const& y) {
  auto const high = exact_product(x.high, y.high);
  return {high.high, high.low + fma(x.high, y.low, x.low * y.high)};
}
template <class Number>
HWY_INLINE Double<Number> operator-(Double<Number> const& x, Double<Number> const& y) {
  return x + -y;
}
template <class Number>
HWY_INLINE Double<Number> square(Double<Number> const& x) {
  auto const high = exact_product(x.high, x.high);
  return {high.high, fma(x.high + x.high, x.low, high.low)};
}
template <class Number>
HWY_INLINE Number rounded(Double<Number> const& x) {
  return x.high + x.low;
}
template <class Number>
HWY_INLINE Double<Number> two_words(Double<Number> const& x) {
  return exact_sum(x.high, x.low);
}

/// A number as the sum of three numbers. Each is about a rounding error of the previous one.
template <class Number>
struct Words {
  Number high, middle, low;
};

template <class Number>
HWY_INLINE Words<Number> operator+(Words<Number> const& x, Words<Number> const& y) {
  auto const high = exact_sum(x.high, y.high);
  auto const part = exact_sum(x.middle, y.middle);
  auto const middle = exact_sum(part.high, high.low);
  return {high.high, middle.high, (x.low + y.low) + (part.low + middle.low)};
}
template <class Number>
HWY_INLINE Words<Number> operator-(Words<Number> const& x, Words<Number> const& y) {
  return x + Words<Number>{0.0 - y.high, 0.0 - y.middle, 0.0 - y.low};
}
template <class Number>
HWY_INLINE Words<Number> operator*(Words<Number> const& x, Words<Number> const& y) {
  auto const high = exact_product(x.high, y.high);
  auto const one = exact_product(x.high, y.middle);
  auto const other = exact_product(x.middle, y.high);
  auto const part = exact_sum(one.high, other.high);
  auto const middle = exact_sum(part.high, high.low);
  auto const low = fma(x.high, y.low, fma(x.low, y.high, x.middle * y.middle)) + (one.low + other.low);
  return {high.high, middle.high, low + (part.low + middle.low)};
}
template <class Number>
HWY_INLINE Words<Number> square(Words<Number> const& x) {
  auto const high = exact_product(x.high, x.high);
  auto const cross = exact_product(x.high + x.high, x.middle);
  auto const middle = exact_sum(cross.high, high.low);
  auto const low = fma(x.high + x.high, x.low, x.middle * x.middle) + cross.low;
  return {high.high, middle.high, low + middle.low};
}
/// Returns x as the sum of two numbers. The second is at most a rounding error of the first, even if x.high and
/// x.middle cancel.
template <class Number>
HWY_INLINE Double<Number> two_words(Words<Number> const& x) {
  auto const high = exact_sum(x.high, x.middle);
  auto const rest = exact_sum(high.low, x.low);
  auto const sum = exact_sum(high.high, rest.high);
  return {sum.high, sum.low + rest.low};
}

/// Returns the sum p0 + p1 + p2 + p3 of exact products. `Digits` is the type of the result. The error is 2^-103 of the
/// largest product for a result of two numbers, and 2^-155 for a result of three.
template <template <class> class Digits, class Number>
requires std::same_as<Digits<Number>, Double<Number>> HWY_INLINE Double<Number> sum(Double<Number> const& p0,
                                                                                    Double<Number> const& p1,
                                                                                    Double<Number> const& p2,
                                                                                    Double<Number> const& p3) {
  return (p0 + p1) + (p2 + p3);
}
template <template <class> class Digits, class Number>
requires std::same_as<Digits<Number>, Words<Number>> HWY_INLINE Words<Number> sum(Double<Number> const& p0,
                                                                                  Double<Number> const& p1,
                                                                                  Double<Number> const& p2,
                                                                                  Double<Number> const& p3) {
  auto const s0 = exact_sum(p0.high, p1.high);
  auto const s1 = exact_sum(p2.high, p3.high);
  auto const high = exact_sum(s0.high, s1.high);
  auto const m0 = exact_sum(p0.low, p1.low);
  auto const m1 = exact_sum(p2.low, p3.low);
  auto const m2 = exact_sum(s0.low, s1.low);
  auto const m3 = exact_sum(m0.high, m1.high);
  auto const m4 = exact_sum(m2.high, high.low);
  auto const middle = exact_sum(m3.high, m4.high);
  return {high.high, middle.high, ((m0.low + m1.low) + (m2.low + m3.low)) + (m4.low + middle.low)};
}

// --------------------------------------------------------------------------------------------------------------- boxes

template <class Number>
struct Turn {
  Number w, x, y, z;
};

/// Returns the quaternion scaled so that its largest component is in [2, 4). (If all components are subnormal, the
/// largest one is above 2^-52.) The rotation does not change. Overflow or underflow of products has no effect, and 2^k
/// q gives the same bits.
template <class Number>
HWY_INLINE Turn<Number> of_unit_size(Turn<Number> const& q) {
  auto const greatest = maximum(maximum(abs(q.w), abs(q.x)), maximum(abs(q.y), abs(q.z)));
  auto const factor = twice_inverse(power_of_two(greatest));
  return {q.w * factor, q.x * factor, q.y * factor, q.z * factor};
}

/// Rows of a rotation times `square`. `square` is half the squared length of the quaternion, so that no entry has a
/// factor of 2.
template <class Value>
struct Rotation {
  Value xx, xy, xz, yx, yy, yz, zx, zy, zz, square;
};

/// Returns the rotation of an exact quaternion in double-double, within 2^-103 of |q|^2.
template <class Number>
HWY_INLINE Rotation<Double<Number>> rotation(Turn<Number> const& q) {
  auto const ww = exact_product(q.w, q.w);
  auto const xx = exact_product(q.x, q.x);
  auto const yy = exact_product(q.y, q.y);
  auto const zz = exact_product(q.z, q.z);
  auto const xy = exact_product(q.x, q.y);
  auto const xz = exact_product(q.x, q.z);
  auto const yz = exact_product(q.y, q.z);
  auto const wx = exact_product(q.w, q.x);
  auto const wy = exact_product(q.w, q.y);
  auto const wz = exact_product(q.w, q.z);
  auto const half = [](Double<Number> const& x) HWY_ATTR { return Double<Number>{0.5 * x.high, 0.5 * x.low}; };
  auto const one = ww + -zz;
  auto const two = xx + -yy;
  auto const three = ww + zz;
  auto const four = xx + yy;
  Rotation<Double<Number>> R;
  R.xx = half(one + two);
  R.yy = half(one + -two);
  R.zz = half(three + -four);
  R.square = half(three + four);
  R.xy = xy + -wz;
  R.yx = xy + wz;
  R.xz = xz + wy;
  R.zx = xz + -wy;
  R.yz = yz + -wx;
  R.zy = yz + wx;
  return R;
}

/// Returns the rotation of the quaternion p = conj(q_i) q_j. `Digits` is the type of intermediate results: two or three
/// numbers. The error of every entry is 2^-102 |p|^2 with two numbers and 2^-153 |p|^2 with three.
template <template <class> class Digits, class Number>
HWY_INLINE Rotation<Double<Number>> relative_rotation(Turn<Number> const& i, Turn<Number> const& j) {
  auto const product = [](Number a, Number b) HWY_ATTR { return exact_product(a, b); };
  auto const w = sum<Digits, Number>(product(i.w, j.w), product(i.x, j.x), product(i.y, j.y), product(i.z, j.z));
  auto const x = sum<Digits, Number>(product(i.w, j.x), -product(i.x, j.w), -product(i.y, j.z), product(i.z, j.y));
  auto const y = sum<Digits, Number>(product(i.w, j.y), -product(i.y, j.w), -product(i.z, j.x), product(i.x, j.z));
  auto const z = sum<Digits, Number>(product(i.w, j.z), -product(i.z, j.w), -product(i.x, j.y), product(i.y, j.x));
  auto const half = [](Double<Number> const& a) HWY_ATTR { return Double<Number>{0.5 * a.high, 0.5 * a.low}; };
  auto const ww = square(w);
  auto const xx = square(x);
  auto const yy = square(y);
  auto const zz = square(z);
  auto const one = ww - zz;
  auto const two = xx - yy;
  auto const three = ww + zz;
  auto const four = xx + yy;
  Rotation<Double<Number>> R;
  R.xx = half(two_words(one + two));
  R.yy = half(two_words(one - two));
  R.zz = half(two_words(three - four));
  R.square = half(two_words(three + four));
  auto const xy = x * y;
  auto const wz = w * z;
  R.xy = two_words(xy - wz);
  R.yx = two_words(xy + wz);
  auto const xz = x * z;
  auto const wy = w * y;
  R.xz = two_words(xz + wy);
  R.zx = two_words(xz - wy);
  auto const yz = y * z;
  auto const wx = w * x;
  R.yz = two_words(yz - wx);
  R.zy = two_words(yz + wx);
  return R;
}

template <class Number>
HWY_INLINE Number largest_entry(Rotation<Double<Number>> const& R) {
  auto const row = [](Double<Number> const& x, Double<Number> const& y, Double<Number> const& z)
                       HWY_ATTR { return raise(larger_magnitude(x.high, y.high), z.high); };
  return maximum(maximum(row(R.xx, R.xy, R.xz), row(R.yx, R.yy, R.yz)), row(R.zx, R.zy, R.zz));
}

/// Returns the relative rotation. Uses three numbers if a pair of edges is parallel within about 2^-20. The cross
/// product of the edges then consists of four entries that are small by cancellation. At an angle of 1e-16, entries
/// computed with two numbers would contain only rounding errors.
template <class Number>
HWY_INLINE Rotation<Double<Number>> relative_rotation(Turn<Number> const& i, Turn<Number> const& j) {
  auto R = relative_rotation<Double>(i, j);
  auto const generic = largest_entry(R) < (1 - 0x1p-40) * R.square.high;
  if (HWY_LIKELY(all(generic))) return R;
  auto const close = relative_rotation<Words>(i, j);
  auto const put = [&generic](Double<Number>& to, Double<Number> const& from) HWY_ATTR {
    to = {select(generic, to.high, from.high), select(generic, to.low, from.low)};
  };
  put(R.xx, close.xx);
  put(R.xy, close.xy);
  put(R.xz, close.xz);
  put(R.yx, close.yx);
  put(R.yy, close.yy);
  put(R.yz, close.yz);
  put(R.zx, close.zx);
  put(R.zy, close.zy);
  put(R.zz, close.zz);
  put(R.square, close.square);
  return R;
}

/// The ratio of |L.d| (`above`) and r_i(L) + r_j(L) (`below`) for an axis L, before the division.
template <class Number>
struct Ratio {
  Number above, below;
};

/// Returns the larger ratio. Compares two products, because a division takes longer. If rounding changes the result,
/// the ratios are equal within 2 u.
template <class Number>
HWY_INLINE Ratio<Number> larger(Ratio<Number> const& x, Ratio<Number> const& y) {
  auto const second = x.above * y.below < y.above * x.below;
  return {blend(second, y.above, x.above), blend(second, y.below, x.below)};
}

template <class Number>
struct Pair {
  Triple<Number> position_i;
  Turn<Number> turn_i;
  Triple<Number> axes_i;
  Triple<Number> position_j;
  Turn<Number> turn_j;
  Triple<Number> axes_j;
};

/// Returns the growth distance. The denominators are sums of products of positive numbers and need no special care. The
/// numerators are computed in double-double.
template <class Number>
HWY_INLINE Number growth_distance(Pair<Number> const& in) {
  // d and the semi-axes are scaled by powers of two. Overflow or underflow of products then has no effect. Positions
  // whose difference overflows are first divided by 4.
  auto const far = largest(in.position_j - in.position_i);
  auto const before = select(far < std::numeric_limits<double>::infinity(), set<Number>(1.0), 0.25);
  auto const from = before * in.position_i;
  auto const to = before * in.position_j;
  auto const unit_d = power_of_two(largest(to - from));
  auto const factor_d = twice_inverse(unit_d);
  auto const difference = [&](Number x, Number y) HWY_ATTR {
    auto const exact = exact_sum(x, 0.0 - y);
    return Double<Number>{factor_d * exact.high, factor_d * exact.low};
  };
  auto const dx = difference(to.x, from.x);
  auto const dy = difference(to.y, from.y);
  auto const dz = difference(to.z, from.z);
  auto const unit = power_of_two(maximum(largest(in.axes_i), largest(in.axes_j)));
  auto const factor = twice_inverse(unit);
  // A semi-axis below 2^-400 of the largest is treated as 2^-400 of the largest. No denominator is then 0.
  auto const scaled = [&](Number axis) HWY_ATTR { return maximum(factor * axis, 0x1p-400); };
  Triple<Number> const a = {scaled(in.axes_i.x), scaled(in.axes_i.y), scaled(in.axes_i.z)};
  Triple<Number> const b = {scaled(in.axes_j.x), scaled(in.axes_j.y), scaled(in.axes_j.z)};

  auto const i = of_unit_size(in.turn_i);
  auto const j = of_unit_size(in.turn_j);
  auto const own = rotation(i);
  auto const R = relative_rotation(i, j);
  auto const length = rounded(R.square);

  // d in the frame of i, multiplied by own.square.
  auto const tx = (own.xx * dx + own.yx * dy) + own.zx * dz;
  auto const ty = (own.xy * dx + own.yy * dy) + own.zy * dz;
  auto const tz = (own.xz * dx + own.yz * dy) + own.zz * dz;

  auto const xx = abs(R.xx.high);
  auto const xy = abs(R.xy.high);
  auto const xz = abs(R.xz.high);
  auto const yx = abs(R.yx.high);
  auto const yy = abs(R.yy.high);
  auto const yz = abs(R.yz.high);
  auto const zx = abs(R.zx.high);
  auto const zy = abs(R.zy.high);
  auto const zz = abs(R.zz.high);

  auto const face_of_i = [&](Double<Number> const& t, Number half, Number r0, Number r1, Number r2) HWY_ATTR {
    return Ratio<Number>{abs(rounded(t)) * length, fma(r2, b.z, fma(r1, b.y, fma(r0, b.x, half * length)))};
  };
  auto const face_of_j = [&](Double<Number> const& r0, Double<Number> const& r1, Double<Number> const& r2,
                             Number half) HWY_ATTR {
    auto const along = (tx * r0 + ty * r1) + tz * r2;
    auto const reach = fma(abs(r2.high), a.z, fma(abs(r1.high), a.y, fma(abs(r0.high), a.x, half * length)));
    return Ratio<Number>{abs(rounded(along)), reach};
  };
  // Returns the ratio for the cross product of axis k of i and axis l of j, in the frame of i. r1, r2 are the entries
  // of its nonzero coordinates. q1, q2 are the entries of row k for the other axes of j. The product of an axis with a
  // perpendicular axis is omitted: it is exactly 0, but a rounded product would be as large as the other terms. Edges
  // that are parallel within 2^-75 are treated as parallel: their entries would be rounding errors.
  auto const least = 0x1p-75 * length;
  auto const edges = [&](Double<Number> const& t1, Double<Number> const& t2, Double<Number> const& r1,
                         Double<Number> const& r2, Number a1, Number a2, Number q1, Number q2, Number b1,
                         Number b2) HWY_ATTR {
    auto const along = abs(rounded(t2 * r1 + -(t1 * r2)));
    auto const m1 = abs(r1.high);
    auto const m2 = abs(r2.high);
    auto const reach = fma(a1, m2, a2 * m1) + fma(b1, q2, b2 * q1);
    auto const parallel = maximum(m1, m2) < least;
    return Ratio<Number>{blend(parallel, set<Number>(0.0), along), blend(parallel, set<Number>(1.0), reach)};
  };

  auto const i01 = larger(face_of_i(tx, a.x, xx, xy, xz), face_of_i(ty, a.y, yx, yy, yz));
  auto const i2 = face_of_i(tz, a.z, zx, zy, zz);
  auto const j01 = larger(face_of_j(R.xx, R.yx, R.zx, b.x), face_of_j(R.xy, R.yy, R.zy, b.y));
  auto const j2 = face_of_j(R.xz, R.yz, R.zz, b.z);
  auto best = larger(larger(i01, j01), larger(i2, j2));
  auto const x0 = edges(ty, tz, R.yx, R.zx, a.y, a.z, xy, xz, b.y, b.z);
  auto const x1 = edges(ty, tz, R.yy, R.zy, a.y, a.z, xz, xx, b.z, b.x);
  auto const x2 = edges(ty, tz, R.yz, R.zz, a.y, a.z, xx, xy, b.x, b.y);
  best = larger(best, larger(larger(x0, x1), x2));
  auto const y0 = edges(tz, tx, R.zx, R.xx, a.z, a.x, yy, yz, b.y, b.z);
  auto const y1 = edges(tz, tx, R.zy, R.xy, a.z, a.x, yz, yx, b.z, b.x);
  auto const y2 = edges(tz, tx, R.zz, R.xz, a.z, a.x, yx, yy, b.x, b.y);
  best = larger(best, larger(larger(y0, y1), y2));
  auto const z0 = edges(tx, ty, R.xx, R.yx, a.x, a.y, zy, zz, b.y, b.z);
  auto const z1 = edges(tx, ty, R.xy, R.yy, a.x, a.y, zz, zx, b.z, b.x);
  auto const z2 = edges(tx, ty, R.xz, R.yz, a.x, a.y, zx, zy, b.x, b.y);
  best = larger(best, larger(larger(z0, z1), z2));
  auto const ratio = best.above / (best.below * rounded(own.square)) / before;

  // Multiplies by unit_d / unit. This quotient may leave the range of doubles even if the result does not. It is
  // therefore moved by 2^50 towards 1, and the ratio compensates. Only the last product rounds.
  auto const twice_per_unit = twice_inverse(unit);
  auto const shrinks = unit_d < unit;
  auto const nearer = select(shrinks, set<Number>(0x1p50), 0x1p-50);
  auto const back = select(shrinks, set<Number>(0x1p-51), 0x1p49);
  auto const small = unit < 1.0;
  auto const one = select(small, unit_d * nearer, unit_d);
  auto const other = select(small, twice_per_unit, twice_per_unit * nearer);
  return (ratio * back) * (one * other);
}

constexpr std::size_t columns_of_body = 12;

/// Computes both outputs. load(k) returns input column k; put(k, value) stores output column k.
template <class Number>
HWY_INLINE void test(LoadColumn<Number> const& load, StoreColumn<Number> const& put) {
  auto const triple = [&](std::size_t k) HWY_ATTR { return Triple<Number>{load(k), load(k + 1), load(k + 2)}; };
  auto const turn = [&](std::size_t k) HWY_ATTR {
    return Turn<Number>{load(k), load(k + 1), load(k + 2), load(k + 3)};
  };
  constexpr std::size_t j = columns_of_body;
  auto const sigma =
      growth_distance(Pair<Number>{triple(0), turn(3), triple(7), triple(j), turn(j + 3), triple(j + 7)});
  put(0, sigma);
  put(1, select(1.0 < sigma, set<Number>(1.0), 0.0));
}

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3

void evaluate(std::size_t n, double const* const in[], double* const out[]) {
  solve_vectors<2 * columns_of_body, 2, test<Register>>(n, in, out);
}

#endif

#if HWY_ONCE

void evaluate_rows(std::size_t n, double const* const in[], double* const out[]) {
  fast_core::call_fused<solve_rows<test<double>>>(n, in, out);
}

#endif

}  // namespace demeter::superquadric_box_test::fast::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace demeter::superquadric_box_test::fast {

Output<double> evaluate(Input<double> const& in) noexcept {
  return fast_core::answer_one<HWY_NAMESPACE::evaluate_rows, Output<double>>(in);
}

void evaluate(Level level, std::size_t n, double const* const in[], double* const out[]) noexcept {
  constexpr fast_core::Forms forms{HWY_NAMESPACE::evaluate_rows, N_AVX2::evaluate, N_AVX3::evaluate};
  forms.at(level)(n, in, out);
}

}  // namespace demeter::superquadric_box_test::fast

#endif
