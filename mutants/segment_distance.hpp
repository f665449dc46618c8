// Mutants of segment_distance. Each mutant is `right()` with one defect.
#pragma once

#include "kernels/mutant.hpp"
#include "reference/spec/segment_distance.hpp"

namespace demeter::segment_distance::mutants {

using Case = Input<double>;
using Answer = Output<double>;
using Real = long double;
using Point = Vector3<Real>;

inline constexpr Defect defects[] = {
    {"only_ends", "the pair of points inside both segments is not tried", "a missing case of the algorithm"},
    {"only_end_points", "end against end instead of end against segment", "a missing case of the algorithm"},
    {"only_lines", "the distance of the lines instead of the segments", "a missing clamp"},
    {"samples", "the least of five samples along p", "dart#3343"},
    {"first_end_forgotten", "p0 against q is not tried", "a missing end point"},
    {"last_end_forgotten", "q1 against p is not tried", "a missing end point"},
    {"wrong_candidate_kept", "the neighbour of a better candidate is kept", "copy and paste"},
    {"s_not_limited", "the inner pair is accepted with s beyond the segment", "a missing clamp"},
    {"t_not_limited", "the inner pair is accepted with t beyond the segment", "a missing clamp"},
    {"no_lower_clamp", "projections are not limited to 0", "a missing clamp"},
    {"no_upper_clamp", "projections are not limited to 1", "a missing clamp"},
    {"clamp_at_half", "projections are limited to 1/2", "half length and length exchanged"},
    {"clamp_beyond_one", "projections are limited to 1 + 1e-6", "a tolerance in the clamp"},
    {"perpendicular_below_1e8", "a cosine below 1e-8 counts as 0", "a tolerance wider than the budget"},
    {"perpendicular_below_1e11", "a cosine below 1e-11 counts as 0", "a tolerance wider than the budget"},
    {"parallel_takes_origin", "parallel segments get s = t = 0", "DEM yarn thread (geometry forum, 2014)"},
    {"parallel_below_1e8", "segments are parallel if |A x B|^2 < 1e-8", "Woo, Wm5: det >= 1e-8"},
    {"parallel_below_100_epsilon", "segments are parallel if |A x B|^2 < 100 epsilon", "coal, capsule_capsule"},
    {"parallel_below_one_degree", "segments are parallel below one degree",
     "a relative threshold wider than the budget"},
    {"parallel_divides_by_zero", "no test for parallel segments", "godot#55384, #55617: NaN"},
    {"parallel_takes_midpoints", "parallel segments get their midpoints", "a fallback that is not optimal"},
    {"determinant_cancels", "|A x B|^2 is computed as A.A B.B - (A.B)^2",
     "the textbook formula (Eberly, near parallel)"},
    {"denominator_with_epsilon", "1e-20 is added to |A x B|^2", "an absolute epsilon against division by zero"},
    {"parameters_apart", "t has its own quotient and is not computed from s",
     "correct in exact arithmetic, but both are inaccurate near parallel"},
    {"length_epsilon", "segments with a squared length below 1e-12 are treated as points",
     "RiSearcher/GeometRi.CSharp#23"},
    {"point_takes_other_start", "the distance of a point is measured from the first end of the other segment",
     "a missing end point"},
    {"projection_by_length", "a projection is divided by the length, not by its square",
     "unit and non-unit directions exchanged"},
    {"offset_sign", "the offset from p0 to q0 has the wrong sign", "sceneview#1139"},
    {"direction_reversed", "the direction of q is reversed", "sign of a direction"},
    {"centre_and_half", "q0 is replaced by the centre", "origin at the end instead of the centre: FCL#225, #436"},
    {"end_is_a_vector", "q1 is treated as relative to q0", "another convention"},
    {"y_twice", "y^2 + y^2 in the dot product", "godot#47284"},
    {"z_forgotten", "the dot product lacks z", "a 2D code used in 3D"},
    {"cross_product_sign", "y of the cross product has a plus instead of a minus", "sign of a term"},
    {"cross_product_in_float", "the cross product is rounded to float", "single precision in between"},
    {"direction_in_float", "the direction of p is rounded to float", "single precision in between"},
    {"double_throughout", "every intermediate result is a double", "plain double near the parallel case"},
    {"squares_in_double", "squares overflow and underflow", "intermediate results out of range"},
    {"squared", "the square of the distance is returned", "a missing root"},
    {"squared_below_one", "distances below 1e-3 are returned as squares", "an early return before the root"},
    {"root_as_float", "the root is taken in float", "sqrtf instead of sqrt"},
    {"root_with_epsilon", "the distance is sqrt(d^2 + 1e-20)", "an absolute epsilon against an infinite derivative"},
    {"signed_height", "the distance of the lines keeps its sign", "a missing absolute value"},
    {"touching_is_zero", "distances below 1e-12 m are zero", "absolute thresholds"},
    {"touching_tolerance", "distances below 1e-14 of the coordinates are zero", "a tolerance wider than the budget",
     "1e-14 is 90 u"},
    {"subnormal_is_zero", "subnormal coordinates are zero", "flush to zero"},
    {"large_is_infinite", "distances above 1e200 are infinite", "intermediate results out of range"},
    {"parameter_in_metres", "s is a length instead of a fraction", "another convention"},
    {"parameter_from_the_middle", "s runs from -1 to 1", "another convention"},
    {"s_of_one_is_zero", "s is 0 where it is exactly 1", "a periodic parameter"},
    {"s_just_outside", "s is 1 + 2^-52 where it is 1", "a clamp before the last rounding"},
    {"t_of_the_other_end", "t is measured from q1", "ends exchanged"},
    {"nearly_an_end", "a foot within 1e-9 of the length from an end is moved to the end",
     "a tolerance around a threshold"},
    {"nearly_inside", "a foot less than 1e-10 of the length beyond an end is accepted",
     "a tolerance around a threshold"},
};
using Chosen = Choice<defects>;

/// A pair of parameters, and the distance of the two points at these parameters.
struct Pair {
  Real distance, s, t;
};

/// Returns the answer from the best pair of points. `length` is the length of segment p, and `largest` is the largest
/// coordinate of the case.
inline Answer answered(Pair const& best, Real length, Real largest, Chosen const with) {
  Real distance = best.distance, s = best.s, t = best.t;
  if (with("squared")) distance = distance * distance;
  if (with("squared_below_one") && distance < 1e-3L) distance = distance * distance;
  if (with("root_as_float")) distance = std::sqrt(static_cast<float>(distance * distance));
  if (with("root_with_epsilon")) distance = std::sqrt(distance * distance + 1e-20L);
  if (with("touching_is_zero") && distance < 1e-12L) distance = 0;
  if (with("touching_tolerance") && distance < 1e-14L * largest) distance = 0;
  if (with("large_is_infinite") && distance > 1e200L) distance = std::numeric_limits<Real>::infinity();
  if (with("parameter_in_metres")) s = s * length;
  if (with("parameter_from_the_middle")) s = 2 * s - 1;
  if (with("s_of_one_is_zero") && s == 1) s = 0;
  if (with("nearly_an_end") && std::fabs(s) < 1e-9L) s = 0;
  if (with("s_just_outside") && s == 1) s = 1 + 0x1p-52L;
  if (with("t_of_the_other_end")) t = 1 - t;
  return {static_cast<double>(distance), static_cast<double>(s), static_cast<double>(t)};
}

/// Returns whether the lines are treated as crossing instead of parallel. NN is the squared length of the cross product
/// of the directions, AA and BB are their squared lengths.
inline bool crosses(Real NN, Real AA, Real BB, Chosen const with) {
  if (with("parallel_divides_by_zero")) return AA > 0 && BB > 0;
  if (with("parallel_below_one_degree")) return NN > 3e-4L * AA * BB;
  if (with("parallel_below_100_epsilon")) return NN > 100 * 0x1p-52L;
  return NN > (with("parallel_below_1e8") ? 1e-8L : 0.0L);
}

/// Subtracts from B its part along A if the cosine of the angle between A and B is below `least`.
template <class Dot>
void make_perpendicular(Point& B, Point const& A, Dot const& dot, Real least) {
  Real const square = dot(A, A), product = dot(A, B);
  if (square > 0 && std::fabs(product) < least * std::sqrt(square * dot(B, B))) B -= product / square * A;
}

/// Returns the parameter limited to the segment.
inline Real clamped(Real x, Chosen const with) {
  if (with("no_lower_clamp")) return std::min(x, 1.0L);
  if (with("no_upper_clamp")) return std::max(x, 0.0L);
  if (with("clamp_at_half")) return std::clamp(x, 0.0L, 0.5L);
  if (with("clamp_beyond_one")) return std::clamp(x, 0.0L, 1 + 1e-6L);
  return std::clamp(x, 0.0L, 1.0L);
}

/// Compares the distances of five pairs of points. One pair has both points inside the segments. The other four pairs
/// consist of an end and the closest point of the other segment. Long double is accurate enough: if nearly parallel
/// lines make the inner pair inaccurate, a pair with an end has nearly the same distance.
inline Answer evaluate(Case const& in, Chosen const with) {
  auto const read = [&](Vector3<double> const& x) -> Point {
    if (with("subnormal_is_zero"))
      return x.unaryExpr([](double each) { return std::isnormal(each) ? each : 0; }).template cast<Real>();
    return x.template cast<Real>();
  };
  // `double_throughout` rounds every intermediate result to a double; `squares_in_double` rounds only products.
  auto const kept = [&](Real x) -> Real { return with("double_throughout") ? static_cast<double>(x) : x; };
  auto const square = [&](Real x) -> Real {
    return with("double_throughout") || with("squares_in_double") ? static_cast<double>(x) : x;
  };
  auto const dot = [&](Point const& a, Point const& b) -> Real {
    if (with("y_twice")) return a[0] * b[0] + a[1] * b[1] + a[1] * b[1];
    if (with("z_forgotten")) return a[0] * b[0] + a[1] * b[1];
    return square(square(a[0] * b[0]) + square(a[1] * b[1]) + square(a[2] * b[2]));
  };
  auto const cross = [&](Point const& a, Point const& b) -> Point {
    Point c{square(a[1] * b[2]) - square(a[2] * b[1]), square(a[2] * b[0]) - square(a[0] * b[2]),
            square(a[0] * b[1]) - square(a[1] * b[0])};
    if (with("cross_product_sign")) c[1] = a[2] * b[0] + a[0] * b[2];
    if (with("cross_product_in_float")) return c.template cast<float>().template cast<Real>();
    return c;
  };

  Point p0 = read(in.p0), p1 = read(in.p1), q0 = read(in.q0), q1 = read(in.q1);
  if (with("centre_and_half")) q0 = (q0 + q1) / 2;
  if (with("end_is_a_vector")) q1 = q0 + q1;
  Point A = (p1 - p0).unaryExpr(kept), B = (q1 - q0).unaryExpr(kept), w = (q0 - p0).unaryExpr(kept);
  if (with("direction_reversed")) B = -B;
  if (with("offset_sign")) w = -w;
  if (with("direction_in_float")) A = A.template cast<float>().template cast<Real>();
  if (with("perpendicular_below_1e8")) make_perpendicular(B, A, dot, 1e-8L);
  if (with("perpendicular_below_1e11")) make_perpendicular(B, A, dot, 1e-11L);
  Real const AA = dot(A, A), BB = dot(B, B), AB = dot(A, B), Aw = dot(A, w), Bw = dot(B, w);

  auto const at = [&](Real s, Real t) -> Pair {
    Point const between = ((p0 + s * A) - (q0 + t * B)).unaryExpr(kept);
    Real const length = between.squaredNorm();
    return {std::sqrt(square(length)), s, t};
  };
  // Returns the parameter of a projection on a segment: the numerator over the squared length.
  auto const along = [&](Real numerator, Real squared) -> Real {
    if (with("length_epsilon") && squared < 1e-12L) return 0;
    if (!(squared > 0)) return 0;
    if (with("projection_by_length")) squared = std::sqrt(squared);
    return clamped(kept(numerator / squared), with);
  };

  Pair ends[] = {
      at(0, along(-Bw, BB)),
      at(1, along(dot(B, (A - w)), BB)),
      at(along(Aw, AA), 0),
      at(along(dot(A, (B + w)), AA), 1),
  };
  if (with("only_end_points")) ends[0] = at(0, 0), ends[1] = at(1, 0), ends[2] = at(0, 1), ends[3] = at(1, 1);
  if (with("point_takes_other_start") && (AA == 0 || BB == 0)) return {static_cast<double>(w.norm()), 0, 0};
  Pair best = ends[0];
  std::size_t const first = with("first_end_forgotten") ? 2 : 1, last = with("last_end_forgotten") ? 3 : 4;
  if (with("first_end_forgotten")) best = ends[1];
  for (std::size_t i = first; i < last; ++i)
    if (ends[i].distance < best.distance) best = with("wrong_candidate_kept") ? ends[i ^ 1] : ends[i];
  if (with("samples")) {
    for (int i = 0; i <= 4; ++i) {
      Pair const sample = at(i / 4.0L, along(dot(B, (i / 4.0L * A - w)), BB));
      if (i == 0 || sample.distance < best.distance) best = sample;
    }
  }

  Point const N = cross(A, B);
  Real NN = dot(N, N);
  if (with("determinant_cancels")) NN = AA * BB - AB * AB;
  bool const crossing = crosses(NN, AA, BB, with);
  if (!crossing && with("parallel_takes_origin")) best = at(0, 0);
  if (!crossing && with("parallel_takes_midpoints")) best = at(0.5L, 0.5L);
  if (with("denominator_with_epsilon")) NN = NN + 1e-20L;
  if (crossing && !with("only_ends") && !with("samples")) {
    Real const s = kept(dot(cross(w, B), N) / NN);
    // Computes t from s, so that the two points match. If both were quotients with the denominator NN, their errors
    // would be independent.
    Real t = kept(dot(B, (s * A - w)) / BB);
    if (with("parameters_apart")) t = dot(cross(w, A), N) / NN;
    Real const beyond = with("nearly_inside") ? 1e-10L : 0;
    bool const s_inside = with("only_lines") || with("s_not_limited") || (s >= -beyond && s <= 1 + beyond);
    bool const t_inside = with("only_lines") || with("t_not_limited") || (t >= -beyond && t <= 1 + beyond);
    if ((s_inside && t_inside) || std::isnan(s)) {
      Pair inner = at(s, t);
      if (with("signed_height")) inner.distance = dot(w, N) / std::sqrt(NN);
      if (with("only_lines") || std::isnan(s) || inner.distance < best.distance) best = inner;
    }
  }

  Real const largest = std::max(std::max(p0.cwiseAbs().maxCoeff(), p1.cwiseAbs().maxCoeff()),
                                std::max(q0.cwiseAbs().maxCoeff(), q1.cwiseAbs().maxCoeff()));
  return answered(best, std::sqrt(AA), largest, with);
}

inline Answer right(Case const& in) { return evaluate(in, {}); }

// ------------------------------------------------------------------------------------------------------ of batches

inline void seventh_lane(std::span<Case const> in, std::span<Answer> out) {
  answer_each<right>(in, out);
  for (std::size_t i = 7; i < in.size(); i += 8) out[i] = evaluate(in[i], "only_ends");
}
/// Answers all four cases of a block with the branch for parallel segments if the segments of one case are parallel.
inline void branch_of_the_block(std::span<Case const> in, std::span<Answer> out) {
  for (std::size_t block = 0; block < in.size(); block += 4) {
    bool parallel = false;
    std::size_t const end = std::min(block + 4, in.size());
    for (std::size_t i = block; i < end; ++i)
      parallel = parallel || (in[i].p1 - in[i].p0).cross(in[i].q1 - in[i].q0).isZero();
    for (std::size_t i = block; i < end; ++i) out[i] = parallel ? evaluate(in[i], "only_ends") : right(in[i]);
  }
}
/// Reuses the parameters of the previous case if the distance at these parameters exceeds the correct distance by less
/// than one part in 10^9.
inline void warm_start(std::span<Case const> in, std::span<Answer> out) {
  answer_each<right>(in, out);
  for (std::size_t i = 1; i < in.size(); ++i) {
    Case const& each = in[i];
    auto const s = static_cast<Real>(out[i - 1].s), t = static_cast<Real>(out[i - 1].t);
    auto const wide = [](Vector3<double> const& x) -> Point { return x.cast<Real>(); };
    Point const on_p = wide(each.p0) + s * (wide(each.p1) - wide(each.p0)),
                on_q = wide(each.q0) + t * (wide(each.q1) - wide(each.q0));
    Real const distance = (on_p - on_q).norm();
    if (distance < (1 + 1e-9L) * out[i].distance) out[i] = {static_cast<double>(distance), out[i - 1].s, out[i - 1].t};
  }
}

inline Mutants mutants() {
  std::vector<BatchDefect<Case, Answer>> const batches{
      {"seventh_lane", "every eighth case is computed without the inner pair",
       "a wrong constant in the mask of a SIMD lane", seventh_lane},
      {"branch_of_the_block", "four cases are computed without the inner pair if one of the four is parallel",
       "one branch for a whole SIMD vector", branch_of_the_block},
      {"warm_start", "the parameters of the case before are kept if they are within 1e-9",
       "cached features: the answer depends on the order", warm_start},
  };
  Distortions const distortions{.read_as_float = "p0", .as_float = "s", .exchanged = "s t", .just_over = "distance"};
  return make_mutants<Contract>(evaluate, distortions, batches);
}

}  // namespace demeter::segment_distance::mutants
