// Formulas of the contact of two capsules, for any `Number`: a SIMD vector of doubles, or one double. The functions for
// both are in fast/core/lanes.hpp. Points on the axes are centre1 + X A and centre2 + Y B with the half-shafts A, B and
// X, Y in [-1, 1]. The length h = |A| is therefore not needed.
//
// Compiled once per Highway target, like fast/core/lanes.hpp.
#if defined(DEMETER_FAST_FAMILY_CAPSULE_CONTACT_FORMULA) == defined(HWY_TARGET_TOGGLE)
#ifdef DEMETER_FAST_FAMILY_CAPSULE_CONTACT_FORMULA
#undef DEMETER_FAST_FAMILY_CAPSULE_CONTACT_FORMULA
#else
#define DEMETER_FAST_FAMILY_CAPSULE_CONTACT_FORMULA
#endif

#include "fast/core/lanes.hpp"
#include "reference/spec/capsule_contact.hpp"

#include <limits>

HWY_BEFORE_NAMESPACE();
namespace demeter::capsule_contact::fast::HWY_NAMESPACE {

using namespace demeter::lanes::HWY_NAMESPACE;

constexpr double separated = static_cast<double>(Status::separated);
constexpr double overlapping = static_cast<double>(Status::overlapping);
constexpr double axes_intersect = static_cast<double>(Status::axes_intersect);

template <class Number>
struct Capsules {
  Triple<Number> centre1, half1;
  Number radius1;
  Triple<Number> centre2, half2;
  Number radius2;
};

/// Two capsules relative to the centre of the first; w is the vector to the centre of the second.
template <class Number>
struct Pair {
  Triple<Number> w, A, B;
  Number r1, r2;
};

template <class Number>
HWY_INLINE Pair<Number> pair_of(Capsules<Number> const& in) {
  return {in.centre2 - in.centre1, in.half1, in.half2, in.radius1, in.radius2};
}

/// Returns `extent`, a measure of the squared size S^2 of the pair: S^2 is 1 to 4 times `extent`.
template <class Number>
HWY_INLINE Number extent_of(Pair<Number> const& pair) {
  auto const R = pair.r1 + pair.r2;
  auto const shafts = dot(pair.A, pair.A) + dot(pair.B, pair.B);
  return fma(R, R, shafts + dot(pair.w, pair.w));
}

/// Returns whether the size of the pair allows the products below: overflow and underflow then have no effect.
template <class Number>
HWY_INLINE Mask<Number> in_range(Number extent) {
  return both(extent < 0x1p140, 0x1p-140 < extent);
}

/// Coefficients of the closest points. For a given Y, the point of axis 1 that is closest to Y is at X = p1 + k1 Y. For
/// a given X, the point of axis 2 that is closest to X is at Y = p2 + k2 X. The closest points of the infinite axes are
/// at X = q / sine2.
template <class Number>
struct Shadows {
  Number p1, p2;    ///< projections of the other centre onto the axes: w.A / A.A and -w.B / B.B
  Number k1, k2;    ///< half-lengths of the projections of the other shaft: A.B / A.A and A.B / B.B
  Number q, sine2;  ///< (w x B).N / (A.A B.B) and N.N / (A.A B.B) with N = A x B
  Number centring;  ///< cos^2 / (8 min(A.A, B.B)); centring (R^2 - d^2) is b / a of formula C
                    ///< (docs/mathematics/capsules.md)
  Number crossing;  ///< q / sine2, clamped to the shaft
};

template <class Number>
HWY_INLINE Number onto_shaft(Number position) {
  return clamp(position, -1.0, 1.0);
}

/// Returns the coefficients of a pair.
///
/// A half-shaft shorter than 2^-65 of the pair's size S is treated as 2^-65 S long. This moves the result by at most
/// 2^-65 S and avoids a division by zero for spheres. For the same reason the crossing is arbitrary if the angle is
/// below 2^-60.
///
/// N is computed with Kahan's products. It then has an accurate direction even for nearly parallel axes. (w x B).N =
/// w.(B x N) needs only plain products: B and N are perpendicular, and the error of B x N is therefore a few u of its
/// length. X A then errs by a few u |w| / sine, and by a few u |w| across the axes. This takes half the operations of
/// w x B with Kahan's products.
///
/// All pairs use this formula. The Gram equations with a check, as in segment_distance, would save only 18 of 240
/// operations, and only where they are accurate.
///
/// The crossing is computed as w.M / N.N instead of q / sine2, because w.M / N.N does not wait for the inverses. For a
/// single pair this shortens the dependency chain by 17 cycles (Zen 3 latencies).
template <class Number>
HWY_INLINE Shadows<Number> shadows_of(Pair<Number> const& pair, Number extent) {
  auto const least = 0x1p-130 * extent;
  auto const AA = maximum(dot(pair.A, pair.A), least);
  auto const BB = maximum(dot(pair.B, pair.B), least);
  auto const AB = dot(pair.A, pair.B);
  auto const squares = AA * BB;
  auto const inverses = 1.0 / squares;
  auto const inverse_AA = inverses * BB;
  auto const inverse_BB = inverses * AA;
  auto const N = cross(pair.A, pair.B);
  auto const M = plain_cross(pair.B, N);
  auto const wM = dot(pair.w, M);
  auto const NN = maximum(dot(N, N), 0x1p-120 * squares);
  auto const k1 = AB * inverse_AA;
  auto const k2 = AB * inverse_BB;
  auto const eighth = 0.125 * maximum(inverse_AA, inverse_BB);
  return {dot(pair.w, pair.A) * inverse_AA,
          negative_dot(pair.w, pair.B) * inverse_BB,
          k1,
          k2,
          wM * inverses,
          NN * inverses,
          eighth * (k1 * k2),
          onto_shaft(wM / NN)};
}

/// Points on both axes, in units of their half-shafts.
template <class Number>
struct Places {
  Number X, Y;
};

template <class Number>
HWY_INLINE Triple<Number> connection(Pair<Number> const& pair, Places<Number> const& at) {
  return subtract_product(fma(at.Y, pair.B, pair.w), at.X, pair.A);
}

/// Returns the closest points. Starts from the X of the closest points of the infinite axes. Then computes the Y that
/// is closest to this X, and the X that is closest to this Y. The result is exact, because there are only two
/// variables, each in an interval.
template <class Number>
HWY_INLINE Places<Number> closest(Shadows<Number> const& of) {
  auto const Y = onto_shaft(fma(of.k2, of.crossing, of.p2));
  return {onto_shaft(fma(of.k1, Y, of.p1)), Y};
}

/// Returns the middle of the overlap of the shaft and the projection of the other shaft. Without an overlap, returns
/// the end nearer to the projection.
template <class Number>
HWY_INLINE Number middle(Number p, Number k) {
  auto const reach = abs(k);
  auto const low = maximum(p - reach, -1.0);
  auto const high = minimum(p + reach, 1.0);
  return onto_shaft(0.5 * (low + high));
}

/// Returns the X and Y in [-1, 1] that minimise |v|^2 + ratio (|A|^2 (X - Xm)^2 + |B|^2 (Y - Ym)^2), with ratio = b / a
/// of formula C. At the onset of contact the ratio is 0, and X and Y are the closest points.
///
/// Only one operation of each coordinate waits for the other coordinate. For a single pair this takes 13 cycles less
/// than the form a (ratio m + k other + p). The cycles are a sum of latencies.
template <class Number>
HWY_INLINE Places<Number> centre(Shadows<Number> const& of, Number depth2) {
  auto const ratio = maximum(depth2 * of.centring, 0.0);
  auto const Xm = middle(of.p1, of.k1);
  auto const Ym = middle(of.p2, of.k2);
  auto const pull = fma(ratio, Xm, fma(of.k1, Ym, Xm + of.p1));
  auto const determinant = fma(ratio, ratio + 2.0, of.sine2);
  auto const X_of_lines = onto_shaft(fma(ratio, pull, of.q) / determinant);
  auto const a = 1.0 / (1.0 + ratio);
  auto const at = [&](Number p, Number k, Number other, Number m)
                      HWY_ATTR { return onto_shaft(fma(a * k, other, a * fma(ratio, m, p))); };
  auto const Y = at(of.p2, of.k2, X_of_lines, Ym);
  return {at(of.p1, of.k1, Y, Xm), Y};
}

/// Returns v / |v|. The length of the result is 1 within 3.8 u (largest error seen: 3.2 u).
template <class Number>
HWY_INLINE Triple<Number> normalised(Triple<Number> const& v) {
  auto const vv = dot(v, v);
  auto const inverse = 1.0 / sqrt(vv);
  return {v.x * inverse, v.y * inverse, v.z * inverse};
}

/// Returns twice the vector from the first centre to the contact point. The contact point is the middle of the overlap
/// of the spheres around the points X and Y, on the line through their centres. (Starting from the middle of both
/// centres would round large coordinates twice.)
template <class Number>
HWY_INLINE Triple<Number> twice_to_point(Pair<Number> const& pair, Places<Number> const& at,
                                         Triple<Number> const& normal) {
  auto const places = fma(at.X, pair.A, fma(at.Y, pair.B, pair.w));
  return fma(pair.r1 - pair.r2, normal, places);
}

/// True if the axes may intersect: squared < 2^-97 extent. The exact condition d <= 8 u S implies this one, because 64
/// u^2 S^2 <= 256 u^2 extent.
template <class Number>
HWY_INLINE Mask<Number> near(Number squared, Number extent) {
  return squared < 0x1p-97 * extent;
}

/// True if the distance is below 2^-90 of the pair's size and therefore set to 0. Without this rule the result would
/// depend on the unit of length where d^2 underflows.
template <class Number>
HWY_INLINE Mask<Number> vanishing(Number squared, Number extent) {
  return squared < 0x1p-180 * extent;
}

/// True if d > 8 u S, computed with roots and without the estimate of near().
template <class Number>
HWY_INLINE Mask<Number> apart(Pair<Number> const& pair, Number d) {
  auto const length = [](Triple<Number> const& a) HWY_ATTR { return sqrt(dot(a, a)); };
  auto const S = (length(pair.A) + length(pair.B)) + ((pair.r1 + pair.r2) + length(pair.w));
  return (Contract::intersecting * unit_roundoff) * S < d;
}

/// Returns a multiplied by a power of two. The largest coordinate of the result is between 2^249 and 2^250, as in
/// unit_of(). A zero vector stays zero.
template <class Number>
HWY_INLINE Triple<Number> of_unit_size(Triple<Number> const& a) {
  return set<Number>(0x1p248) * (twice_inverse(power_of_two(largest(a))) * a);
}

/// Returns the contract's normal for axes that intersect: along N with n.w >= 0; if N = 0, perpendicular to a shaft;
/// without shafts, (0, 0, 1).
template <class Number>
HWY_INLINE Triple<Number> conventional_normal(Pair<Number> const& pair) {
  auto const A = of_unit_size(pair.A);
  auto const B = of_unit_size(pair.B);
  auto const N = of_unit_size(cross(A, B));
  auto const crossing = 0.0 < dot(N, N);
  auto const opposed = dot(N, of_unit_size(pair.w)) < 0.0;
  auto const sign = select(opposed, -1.0, 1.0);

  auto const along = select(0.0 < dot(A, A), A, B);
  auto const square = dot(along, along);
  auto const x = abs(along.x);
  auto const y = abs(along.y);
  auto const is_z = abs(along.z) < minimum(y, x);
  auto const is_y = y < x;
  auto const least = select(is_z, along.z, select(is_y, along.y, along.x));
  auto const zero = set<Number>(0.0);
  auto const one = set<Number>(1.0);
  Triple<Number> const axis = {select(is_z, zero, select(is_y, zero, one)), select(is_z, zero, select(is_y, one, zero)),
                               select(is_z, one, zero)};
  auto const shaft = 0.0 < square;
  auto const part = select(shaft, least / square, 0.0);
  Triple<Number> const up = {zero, zero, one};
  auto const across = select(shaft, subtract_product(axis, part, along), up);
  return normalised(select(crossing, sign * N, across));
}

/// Pairs of this size or larger are scaled to the largest size that their products allow. For smaller pairs no power of
/// two is large enough, so they are scaled to about 1.
constexpr double least_enlarged = 0x1p-700;

/// Returns twice the new unit of length. In the new unit the largest coordinate is between 2^249 and 2^250, or between
/// 2 and 4 for the smallest pairs. The largest products, of four lengths, are then below 2^1004. The smallest products
/// of pairs of mixed scale are as far as possible from subnormal numbers. Subnormal numbers make every product slower
/// (mixed_scale with AVX2: 45 ns without them instead of 57), and their digits would depend on the unit of the input.
template <class Number>
HWY_INLINE Number unit_of(Number largest) {
  return select(least_enlarged < largest, 0x1p-248, set<Number>(1.0)) * power_of_two(largest);
}

/// Factors that change the unit of length of a pair out of range, as in unit_of(). A pair in range keeps its unit. The
/// results therefore do not depend on other rows. `factor` scales the difference of the centres, not the centres. If
/// this difference overflows, `before` scales the centres first. `unit` converts results back to the caller's unit.
template <class Number>
struct Scale {
  Number before, factor, unit;
};

template <class Number>
HWY_INLINE Scale<Number> scale_of(Capsules<Number> const& in) {
  auto const pair = pair_of(in);
  auto const finite = largest(pair.w) < std::numeric_limits<double>::infinity();
  auto const before = select(finite, 1.0, 0x1p-4);
  auto const w = before * in.centre2 - before * in.centre1;
  auto const shafts = larger_magnitude(largest(in.half1), largest(in.half2));
  auto const radii = larger_magnitude(in.radius1, in.radius2);
  auto const shapes = before * larger_magnitude(shafts, radii);
  auto const power = unit_of(larger_magnitude(shapes, largest(w)));
  auto const plain = in_range(extent_of(pair));
  auto const unit = 0.5 * power / before;
  return {before, select(plain, 1.0, twice_inverse(power)), select(plain, 1.0, unit)};
}

/// Returns the rounding error of w = a - b: a - b is exactly w plus this error.
template <class Number>
HWY_INLINE Triple<Number> difference_error(Triple<Number> const& a, Triple<Number> const& b) {
  auto const error = [](Number x, Number y) HWY_ATTR { return exact_sum(x, 0.0 - y).low; };
  return {error(a.x, b.x), error(a.y, b.y), error(a.z, b.z)};
}

/// Returns the pair in the new unit of length.
template <class Number>
HWY_INLINE Pair<Number> scaled_pair(Capsules<Number> const& in, Scale<Number> const& scale) {
  auto const w = scale.before * in.centre2 - scale.before * in.centre1;
  auto const factor = scale.before * scale.factor;
  return {scale.factor * w, factor * in.half1, factor * in.half2, factor * in.radius1, factor * in.radius2};
}

/// Returns the rounding error of w in scaled_pair().
template <class Number>
HWY_INLINE Triple<Number> scaled_error(Capsules<Number> const& in, Scale<Number> const& scale) {
  return scale.factor * difference_error(scale.before * in.centre2, scale.before * in.centre1);
}

/// The overlap, and the numbers that determine the contact point.
template <class Number>
struct Gap {
  Number uN, status;
  /// R^2 - d^2, computed from v.v with an error of 2 u d^2. The square of the rounded root would err by 4 u d^2. With
  /// v.v, the computation of the contact point does not wait for the root. Compared with (R - d)(R + d), a single pair
  /// takes 22 cycles less (a sum of latencies), and one operation instead of three.
  Number depth2;
};

template <class Number>
HWY_INLINE Gap<Number> gap_of(Pair<Number> const& pair, Shadows<Number> const& of, Number extent) {
  auto const v = connection(pair, closest(of));
  auto squared = dot(v, v);
  bool const any_near = HWY_UNLIKELY(!none(near(squared, extent)));
  if (any_near) squared = select(vanishing(squared, extent), 0.0, squared);
  auto const d = sqrt(squared);
  auto const R = pair.r1 + pair.r2;
  Gap<Number> gap;
  gap.uN = d - R;
  gap.status = select(gap.uN < 0.0, overlapping, separated);
  gap.depth2 = multiply_subtract(R, R, squared);
  if (any_near) gap.status = select(apart(pair, d), gap.status, axes_intersect);
  return gap;
}

/// Converts uN to the caller's unit of length and corrects the status. If uN underflows to 0 in this unit,
/// `overlapping` becomes `separated`.
template <class Number>
HWY_INLINE void change_unit(Gap<Number>& gap, Number unit) {
  gap.uN = gap.uN * unit;
  auto const touching = select(gap.status < axes_intersect, separated, gap.status);
  gap.status = select(gap.uN < 0.0, gap.status, touching);
}

/// True if the rounding error of R^2 - d^2, a few u S^2, could move the contact point by more than a fifth of its
/// budget. This happens near the onset of contact for half-shafts h below about S / 50. There X A and Y B move by h
/// while d changes by only h^2 / R. The error of the point would be 5 times its budget at h/S = 1e-3 and 40,000 times
/// its budget at h/S = 1e-8. The test costs 3 % of the time.
template <class Number>
HWY_INLINE Mask<Number> sensitive(Shadows<Number> const& of, Gap<Number> const& gap, Number extent) {
  auto const ratio = gap.depth2 * of.centring;
  auto const spread = fma(256.0 * ratio, ratio, 256.0);
  return spread < extent * of.centring;
}

/// Returns R^2 - d^2 within a few u^2 S^2, for w + `w_error` instead of w. The closest points `at` may be rounded,
/// because their error changes d only to second order.
template <class Number>
HWY_INLINE Number exact_depth2(Pair<Number> const& pair, Triple<Number> const& w_error, Places<Number> const& at) {
  auto const minus_X = 0.0 - at.X;
  auto const R = exact_sum(pair.r1, pair.r2);
  auto depth2 = exact_product(R.high, R.high);
  depth2.low = fma(R.high + R.high, R.low, depth2.low);
  auto const subtract_square = [&](Number w, Number error, Number a, Number b) HWY_ATTR {
    auto const along_b = exact_product(at.Y, b);
    auto const along_a = exact_product(minus_X, a);
    auto const part = exact_sum(w, along_b.high);
    auto const v = exact_sum(part.high, along_a.high);
    auto const v_low = ((error + along_b.low) + along_a.low) + (part.low + v.low);
    auto const square = exact_product(v.high, v.high);
    auto const rest = exact_sum(depth2.high, 0.0 - square.high);
    auto const low = subtract_product(rest.low - square.low, v.high + v.high, v_low);
    depth2 = {rest.high, depth2.low + low};
  };
  subtract_square(pair.w.x, w_error.x, pair.A.x, pair.B.x);
  subtract_square(pair.w.y, w_error.y, pair.A.y, pair.B.y);
  subtract_square(pair.w.z, w_error.z, pair.A.z, pair.B.z);
  return depth2.high + depth2.low;
}

template <class Number>
HWY_INLINE Triple<Number> normal_of(Pair<Number> const& pair, Places<Number> const& at, Number status) {
  auto const normal = normalised(connection(pair, at));
  auto const free = status < axes_intersect;
  return HWY_LIKELY(all(free)) ? normal : select(free, normal, conventional_normal(pair));
}

}  // namespace demeter::capsule_contact::fast::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
