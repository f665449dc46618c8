// Formulas of the closest points of two segments, for any `Number`: a SIMD vector of doubles, or one double. The
// functions for both are in fast/core/lanes.hpp.
//
// Compiled once per Highway target, like fast/core/lanes.hpp.
#if defined(DEMETER_FAST_FAMILY_CAPSULE_SEGMENTS_FORMULA) == defined(HWY_TARGET_TOGGLE)
#ifdef DEMETER_FAST_FAMILY_CAPSULE_SEGMENTS_FORMULA
#undef DEMETER_FAST_FAMILY_CAPSULE_SEGMENTS_FORMULA
#else
#define DEMETER_FAST_FAMILY_CAPSULE_SEGMENTS_FORMULA
#endif

#include "fast/core/lanes.hpp"

HWY_BEFORE_NAMESPACE();
namespace demeter::segment_distance::fast::HWY_NAMESPACE {

using namespace demeter::lanes::HWY_NAMESPACE;

template <class Number>
struct Ends {
  Triple<Number> p0, p1, q0, q1;
};

/// Returns (1-k) a + k b with two roundings. The result is exact at both ends and, unlike a + k (b-a), does not contain
/// the rounding error of b-a. It costs three more operations. A hill climb searched for the largest error of the
/// distance, with a plain root. It found 10.7 uS for |w + t B - s A|, 10.3 uS for this formula from the nearer ends,
/// and 9.9 uS with interpolate().
template <class Number>
HWY_INLINE Triple<Number> interpolate(Triple<Number> const& a, Triple<Number> const& b, Number k) {
  return fma(k, b, subtract_product(a, k, a));
}

/// Positions of the closest points on the two segments.
template <class Number>
struct Parameters {
  Number s, t;
};

/// The vector from point s of segment p to point t of segment q, and its rounding error. `error` is exact if both
/// points have about the same size, where the error matters most. Elsewhere v + error is at least as accurate as v.
template <class Number>
struct Connection {
  Triple<Number> v, error;
};

template <class Number>
HWY_INLINE Connection<Number> connect(Ends<Number> const& ends, Parameters<Number> const& at) {
  auto const P = interpolate(ends.p0, ends.p1, at.s);
  auto const Q = interpolate(ends.q0, ends.q1, at.t);
  Connection<Number> result;
  result.v = Q - P;
  result.error = (Q - result.v) - P;
  return result;
}

/// Returns |v + error|. This is the root of v.v with three corrections to first order: for the error of v, for the last
/// and largest rounding error of v.v (`zz_error`), and for the rounding error of the root.
///
/// The largest errors found by hill climbing, and the times relative to a plain root, are: plain root 9.9 uS (1.0),
/// without `zz_error` 7.9 uS (1.2), with `zz_error` 6.5 uS (1.3). Correcting the other two roundings of v.v is not
/// worth the time.
template <class Number>
HWY_INLINE Number length(Connection<Number> const& connection) {
  auto const& [v, error] = connection;
  auto const xx = v.x * v.x;
  auto const xxyy = fma(v.y, v.y, xx);
  auto const squared = fma(v.z, v.z, xxyy);
  auto const slope = dot(v, error);
  auto const root = sqrt(squared);
  auto const zz_error = fma(v.z, v.z, xxyy - squared);
  auto const before_root = (slope + slope) + zz_error;
  auto const excess = subtract_product(squared, root, root) + before_root;
  return fma(excess, half_inverse(root), root);
}

/// The differences A = p1 - p0, B = q1 - q0 and w = q0 - p0.
template <class Number>
struct Differences {
  Triple<Number> A, B, w;
};

template <class Number>
HWY_INLINE Differences<Number> differences(Ends<Number> const& ends) {
  return {ends.p1 - ends.p0, ends.q1 - ends.q0, ends.q0 - ends.p0};
}

/// Dot products of the differences, used by the solvers.
template <class Number>
struct Products {
  Number AA, BB, AB, Aw, Bw;
  Number extent;  ///< AA + BB + ww
};

template <class Number>
HWY_INLINE Products<Number> products(Differences<Number> const& differences) {
  auto const& [A, B, w] = differences;
  auto const AA = dot(A, A);
  auto const BB = dot(B, B);
  return {AA, BB, dot(A, B), dot(A, w), dot(B, w), AA + BB + dot(w, w)};
}

/// If the extent is between these limits, overflow or underflow of the solvers' products has no effect.
constexpr double least_extent = 0x1p-140, largest_extent = 0x1p100;

template <class Number>
HWY_INLINE Mask<Number> in_range(Number extent) {
  return both(extent < largest_extent, least_extent < extent);
}

/// Returns whether all four points are equal. The distance is then 0 in any unit of length.
template <class Number>
HWY_INLINE Mask<Number> coincident(Ends<Number> const& ends) {
  auto const same = [](Triple<Number> const& a, Triple<Number> const& b) {
    return both(a.x == b.x, both(a.y == b.y, a.z == b.z));
  };
  return both(same(ends.p0, ends.p1), both(same(ends.q0, ends.q1), same(ends.p0, ends.q0)));
}

/// Returns the t that is closest to the given s, and then the s that is closest to this t. The result is exact (two
/// variables in a box) if the given s is the s of the closest points of the infinite lines, limited to [0, 1].
template <class Number>
HWY_INLINE Parameters<Number> descend(Products<Number> const& of, Number inverse_AA, Number inverse_BB, Number s) {
  auto const t = clamp(multiply_subtract(of.AB, s, of.Bw) * inverse_BB, 0.0, 1.0);
  return {clamp(fma(of.AB, t, of.Aw) * inverse_AA, 0.0, 1.0), t};
}

/// The Gram (normal) equations, and their soundness. They are accurate enough ("sound") where extent < soundness d^2.
///
/// Cancellation in the determinant changes s by about u |w| / (|A| sin^2). Because d has its minimum there, d changes
/// by the square of this: (u |w|)^2 / (d sin^2). The check d sin^2 > 2^-43 sqrt(extent) keeps this error below 0.1 uS.
/// It also excludes d = 0, where errors of s and t count to first order. Without the check the error reaches 1e8 uS.
/// Both sides of the check are homogeneous, so the decision does not depend on the unit of length.
template <class Number>
struct Gram {
  Number determinant, inverse_AA, inverse_BB, soundness;
};

template <class Number>
HWY_INLINE Gram<Number> gram(Products<Number> const& of) {
  auto const inverse_AA = 1.0 / of.AA;
  auto const inverse_BB = 1.0 / of.BB;
  auto const determinant = subtract_product(of.AA * of.BB, of.AB, of.AB);
  auto const sine = (determinant * inverse_AA) * (0x1p43 * inverse_BB);
  auto const shorter = 0x1p86 * minimum(of.AA, of.BB);
  auto const soundness = zero_unless(of.extent < shorter, sine * sine);
  return {determinant, inverse_AA, inverse_BB, soundness};
}

template <class Number>
HWY_INLINE Parameters<Number> solve_gram(Products<Number> const& of, Gram<Number> const& gram) {
  auto const numerator = multiply_subtract(of.Aw, of.BB, of.AB * of.Bw);
  auto const s = clamp(numerator / gram.determinant, 0.0, 1.0);
  return descend(of, gram.inverse_AA, gram.inverse_BB, s);
}

/// Returns whether the equations can be sound for any d. d^2 is at most three times the extent.
template <class Number>
HWY_INLINE Mask<Number> may_be_sound(Number soundness) {
  return 0.25 < soundness;
}

template <class Number>
HWY_INLINE Mask<Number> sound(Number extent, Number soundness, Connection<Number> const& connection) {
  return extent < soundness * dot(connection.v, connection.v);
}

/// The result of solve_cross, which refine() improves.
template <class Number>
struct Rough {
  Parameters<Number> at;
  Number inverse_AA, inverse_BB, inverse_NN, extent, AB, BB;
};

/// Solves rows where the Gram equations are not sound. Computes s by compensated cross products, which are accurate for
/// nearly parallel segments.
///
/// Scaling removes differences of 2^-147 of the extent, and underflow removes differences of 2^-400. To make the result
/// independent of the unit of length nevertheless, a segment shorter than 2^-100 of the extent is treated as a point,
/// and a distance below 2^-90 of the extent is returned as 0.
template <class Number>
HWY_INLINE Rough<Number> solve_cross(Differences<Number> const& differences, Products<Number> const& of) {
  auto const& [A, B, w] = differences;
  auto const N = cross(A, B);
  auto const wxB = cross(w, B);
  auto const NN = dot(N, N);
  auto const least = 0x1p-200 * of.extent;
  auto const inverse_AA = zero_unless(least < of.AA, 1.0 / of.AA);
  auto const inverse_BB = zero_unless(least < of.BB, 1.0 / of.BB);
  // If the angle is below 2^-100, s is arbitrary. If the angle is below 2^-20, s is not refined: its effect across the
  // segments, where accuracy matters, is already accurate. Refinement would only add errors along the segments.
  auto const full_NN = of.AA * of.BB;
  auto const inverse_NN = 1.0 / NN;
  auto const best_s = dot(wxB, N) * inverse_NN;
  auto const s = clamp(zero_unless(0x1p-200 * full_NN < NN, best_s), 0.0, 1.0);
  return {descend(of, inverse_AA, inverse_BB, s),
          inverse_AA,
          inverse_BB,
          zero_unless(0x1p-40 * full_NN < NN, inverse_NN),
          of.extent,
          of.AB,
          of.BB};
}

/// Improved parameters s and t, and the vector between their points.
template <class Number>
struct Refined {
  Parameters<Number> at;
  Connection<Number> connection;
};

/// Improves rough parameters where d is about 0. There the errors of s and t, a few u, change d to first order. The
/// least squares problem is solved again with the computed vector v instead of w. Its small solution dt, ds is added to
/// v without rounding. Largest errors for touching segments: 6.6 uS without this step and 2.3 uS with it. In a hill
/// climb: over 12 uS without it and 5 uS with it.
template <class Number>
HWY_INLINE Refined<Number> refine(Ends<Number> const& ends, Rough<Number> const& rough) {
  Refined<Number> refined = {rough.at, connect(ends, rough.at)};
  auto& [s, t] = refined.at;
  auto& [v, error] = refined.connection;
  auto const far = 0x1p-70 * rough.extent < dot(v, v);
  if (all(far)) return refined;

  auto const low_s = 0.0 - s;
  auto const low_t = 0.0 - t;
  auto const high_s = 1.0 - s;
  auto const high_t = 1.0 - t;
  auto const A = ends.p1 - ends.p0;
  auto const B = ends.q1 - ends.q0;
  auto const AB = rough.AB;
  auto const Av = dot(A, v);
  auto const Bv = dot(B, v);
  auto const numerator = multiply_subtract(Av, rough.BB, AB * Bv);
  auto const best_ds = clamp(numerator * rough.inverse_NN, low_s, high_s);
  auto const dt = clamp(multiply_subtract(AB, best_ds, Bv) * rough.inverse_BB, low_t, high_t);
  auto const ds = clamp(fma(AB, dt, Av) * rough.inverse_AA, low_s, high_s);
  auto const shift = subtract_product(fma(dt, B, error), ds, A);
  auto const near = v + shift;
  auto const near_error = (v - near) + shift;
  s = select(far, s, s + ds);
  t = select(far, t, t + dt);
  v = select(far, v, near);
  error = select(far, error, near_error);
  return refined;
}

/// Returns the length of a refined connection. Very small distances become 0; see solve_cross.
template <class Number>
HWY_INLINE Number refined_length(Connection<Number> const& connection, Number extent) {
  return zero_unless(0x1p-180 * extent < dot(connection.v, connection.v), length(connection));
}

/// The largest magnitude of a coordinate, for each segment.
template <class Number>
struct Largest {
  Number p, q;
};

template <class Number>
HWY_INLINE Largest<Number> largest_coordinates(Ends<Number> const& ends) {
  return {maximum(largest(ends.p0), largest(ends.p1)), maximum(largest(ends.q0), largest(ends.q1))};
}

/// The largest coordinate of a row in range is below this limit, except for some rows far from the origin.
constexpr double least_huge = 0x1p55;

/// Returns the power of two that brings the largest coordinate between 2 and 4. No significant square of a difference
/// can then overflow or underflow.
///
/// Huge coordinates are brought between 2^249 and 2^250. The largest products, of four lengths, are then below 2^1008.
/// The smallest products of rows of mixed scale are as far as possible from subnormal numbers, which make every product
/// slower (mixed_scale with AVX2: 16 ns without them instead of 25.5).
template <class Number>
HWY_INLINE Number unit_factor(Number largest_coordinate) {
  // At most 2^1022, because the inverse of 2^1023 is not a normal number.
  auto const factor = twice_inverse(power_of_two(maximum(largest_coordinate, 0x1p-1021)));
  return select(largest_coordinate < least_huge, 1.0, set<Number>(0x1p248)) * factor;
}

constexpr double least_coordinate = 0x1p-74, farthest_coordinates = 0x1p52;

/// Returns true for all rows in range, and for few rows out of range. In range no difference reaches 2^50. The largest
/// coordinates of the two segments then differ by less than 3 * 2^50. One of the differences exceeds 2^-72. The test
/// uses no products, because products of rows out of range may be subnormal.
template <class Number>
HWY_INLINE Mask<Number> may_be_in_range(Number larger, Number smaller) {
  return both(least_coordinate < larger, larger - smaller < farthest_coordinates);
}

/// Returns unit_factor() for a row out of range and 1 for a row in range. Rows in range are always solved in the
/// caller's unit, whatever the other rows of the vector are. In another unit, products of subnormal differences would
/// keep bits that are lost here (s = 1e-310 instead of 0), and differences far below a coordinate that all ends share
/// would vanish.
///
/// The branch avoids computing the extent of every vector: 18.6 ns instead of 22.1 in global_scale, 19.3 ns instead of
/// 21.0 in mixed_scale (AVX2; without any check 17.7 and 18.6 ns).
template <class Number>
HWY_INLINE Number factor_out_of_range(Ends<Number> const& ends) {
  auto const of = largest_coordinates(ends);
  auto const larger = maximum(of.p, of.q);
  auto const factor = unit_factor(larger);
  if (HWY_LIKELY(none(may_be_in_range(larger, minimum(of.p, of.q))))) return factor;
  return select(in_range(products(differences(ends)).extent), 1.0, factor);
}

template <class Number>
HWY_INLINE Ends<Number> scaled(Ends<Number> const& ends, Number factor) {
  return {factor * ends.p0, factor * ends.p1, factor * ends.q0, factor * ends.q1};
}

/// Returns the distance in the caller's unit of length.
template <class Number>
HWY_INLINE Number unscaled(Number distance, Number factor) {
  return distance * inverse(factor);
}

}  // namespace demeter::segment_distance::fast::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
