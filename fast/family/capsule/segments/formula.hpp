// The closest points of two segments, for any `Number`: a vector of doubles, or one double. See fast/core/lanes.hpp for
// the words.
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

/// (1-k) a + k b with two roundings: exact at both ends and, unlike a + k (b-a), free of the rounding of b-a. It costs
/// three operations more. A hill climb on d reaches, with a plain root, 10.7 uS for w + t B - s A, 10.3 for the same
/// from the nearer ends, 9.9 for this.
template <class Number>
HWY_INLINE Triple<Number> interpolate(Triple<Number> const& a, Triple<Number> const& b, Number k) {
  return fma(k, b, subtract_product(a, k, a));
}

/// Where the closest points are on the two segments.
template <class Number>
struct Parameters {
  Number s, t;
};

/// From the point s of p to the point t of q, and the rounding error of that. The error is exact where both points are
/// of about equal size, which is where it counts, and elsewhere no worse than none.
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

/// |v + error|: the root of v.v, corrected to first order for the error of v, the last and largest rounding of v.v and
/// the rounding of the root. Hill climbs reach 9.9 uS with the plain root, 7.9 without `zz_error` and 6.5 with it, at
/// 1.0, 1.2 and 1.3 times the time; the other two roundings of v.v are not worth theirs.
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

/// p1 - p0, q1 - q0 and q0 - p0.
template <class Number>
struct Differences {
  Triple<Number> A, B, w;
};

template <class Number>
HWY_INLINE Differences<Number> differences(Ends<Number> const& ends) {
  return {ends.p1 - ends.p0, ends.q1 - ends.q0, ends.q0 - ends.p0};
}

/// Products of the differences, from which the solvers work.
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

/// Between these extents no product of the solvers over- or underflows to any effect.
constexpr double least_extent = 0x1p-140, largest_extent = 0x1p100;

template <class Number>
HWY_INLINE Mask<Number> in_range(Number extent) {
  return both(extent < largest_extent, least_extent < extent);
}

/// True where all four points are one: the distance is 0 in any unit of length.
template <class Number>
HWY_INLINE Mask<Number> coincident(Ends<Number> const& ends) {
  auto const same = [](Triple<Number> const& a, Triple<Number> const& b) {
    return both(a.x == b.x, both(a.y == b.y, a.z == b.z));
  };
  return both(same(ends.p0, ends.p1), both(same(ends.q0, ends.q1), same(ends.p0, ends.q0)));
}

/// The best t for s, then the best s for that t. If s is the best on the line, this is exact: two variables in a box.
template <class Number>
HWY_INLINE Parameters<Number> descend(Products<Number> const& of, Number inverse_AA, Number inverse_BB, Number s) {
  auto const t = clamp(multiply_subtract(of.AB, s, of.Bw) * inverse_BB, 0.0, 1.0);
  return {clamp(fma(of.AB, t, of.Aw) * inverse_AA, 0.0, 1.0), t};
}

/// The Gram (normal) equations, and how far they can be trusted: where extent < soundness d^2.
///
/// Cancellation in the determinant makes s wrong by about u |w| / (|A| sin^2), and d, being least there, by the square
/// of that: (u |w|)^2 / (d sin^2). The check d sin^2 > 2^-43 sqrt(extent) keeps it below 0.1 uS, and keeps away from d
/// = 0, where errors of s and t count to first order. Unchecked the error reaches 1e8 uS. Both sides are homogeneous,
/// so that the decision does not depend on the unit of length.
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

/// True where the equations may be sound for some d: d^2 is at most three times the extent.
template <class Number>
HWY_INLINE Mask<Number> may_be_sound(Number soundness) {
  return 0.25 < soundness;
}

template <class Number>
HWY_INLINE Mask<Number> sound(Number extent, Number soundness, Connection<Number> const& connection) {
  return extent < soundness * dot(connection.v, connection.v);
}

/// The result of solve_cross, which refine improves.
template <class Number>
struct Rough {
  Parameters<Number> at;
  Number inverse_AA, inverse_BB, inverse_NN, extent, AB, BB;
};

/// For what the Gram equations do not settle: s by compensated cross products, good however parallel the segments are.
///
/// Scaling makes differences of 2^-147 of the extent vanish, and underflow those of 2^-400. So that the result does not
/// depend on the unit of length all the same, a segment below 2^-100 of the extent is a point, and a distance below
/// 2^-90 of it is 0.
template <class Number>
HWY_INLINE Rough<Number> solve_cross(Differences<Number> const& differences, Products<Number> const& of) {
  auto const& [A, B, w] = differences;
  auto const N = cross(A, B);
  auto const wxB = cross(w, B);
  auto const NN = dot(N, N);
  auto const least = 0x1p-200 * of.extent;
  auto const inverse_AA = zero_unless(least < of.AA, 1.0 / of.AA);
  auto const inverse_BB = zero_unless(least < of.BB, 1.0 / of.BB);
  // Below an angle of 2^-100 any s will do; below 2^-20 the rough s is so good across the segments, where it matters,
  // that refining it would only bring in noise along them.
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

/// Parameters and the connection of their points.
template <class Number>
struct Refined {
  Parameters<Number> at;
  Connection<Number> connection;
};

/// The rough s and t carry errors of a few u, which count to first order where d is about 0. There the least squares
/// problem is solved again for the computed connection in place of w, and its small solution dt, ds added to the
/// connection unrounded (touching segments: 6.6 uS without, 2.3 with; a hill climb: over 12 and 5).
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

/// The length of a refined connection; see solve_cross for the zero.
template <class Number>
HWY_INLINE Number refined_length(Connection<Number> const& connection, Number extent) {
  return zero_unless(0x1p-180 * extent < dot(connection.v, connection.v), length(connection));
}

/// The largest coordinate of either segment.
template <class Number>
struct Largest {
  Number p, q;
};

template <class Number>
HWY_INLINE Largest<Number> largest_coordinates(Ends<Number> const& ends) {
  return {maximum(largest(ends.p0), largest(ends.p1)), maximum(largest(ends.q0), largest(ends.q1))};
}

/// A row's largest coordinate is below this in every row in range, except for some rows far from the origin.
constexpr double least_huge = 0x1p55;

/// The change of the unit of length that brings the largest coordinate to between 2 and 4, a power of two: no square of
/// a difference that counts beside it can then over- or underflow.
///
/// Huge coordinates come to between 2^249 and 2^250: the largest products, of four lengths, are then below 2^1008, and
/// the least of rows of mixed scale are as far as can be from subnormal numbers, which cost more in every product
/// (mixed_scale at AVX2: 16 ns for 25.5).
template <class Number>
HWY_INLINE Number unit_factor(Number largest_coordinate) {
  // At most 2^1022, as the inverse of 2^1023 is no normal number.
  auto const factor = twice_inverse(power_of_two(maximum(largest_coordinate, 0x1p-1021)));
  return select(largest_coordinate < least_huge, 1.0, set<Number>(0x1p248)) * factor;
}

constexpr double least_coordinate = 0x1p-74, farthest_coordinates = 0x1p52;

/// True for all rows in range and few others. In range no difference reaches 2^50, so that the largest coordinates of
/// the segments differ by less than 3 times that, and some difference exceeds 2^-72. No products: those of rows out of
/// range may be subnormal.
template <class Number>
HWY_INLINE Mask<Number> may_be_in_range(Number larger, Number smaller) {
  return both(least_coordinate < larger, larger - smaller < farthest_coordinates);
}

/// unit_factor(), but 1 for rows in range: these are solved in the caller's unit whatever rows are beside them. In
/// another one, products of subnormal differences keep bits that they lose here (s = 1e-310 for 0), and differences far
/// below a coordinate that all ends share vanish. With the extent of every vector instead of a branch, global_scale at
/// AVX2 takes 22.1 ns for 18.6 (17.7 without any such question), mixed_scale 21.0 for 19.3 (18.6).
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

/// The way back.
template <class Number>
HWY_INLINE Number unscaled(Number distance, Number factor) {
  return distance * inverse(factor);
}

}  // namespace demeter::segment_distance::fast::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
