// Regimes and laws of the distance of two segments.
#pragma once

#include "kernels/law.hpp"
#include "properties/core/allowance.hpp"
#include "properties/core/generators.hpp"
#include "properties/core/invariance.hpp"
#include "properties/family/capsule_segments.hpp"
#include "reference/spec/segment_distance.hpp"

#include <array>
#include <utility>

namespace demeter::segment_distance::properties {

using Case = Input<double>;
using Answer = Output<double>;
using Point = Vector3<double>;
using namespace capsule::segments;

// --------------------------------------------------------------------------------------------------------- regimes

inline Case draw_unequal(Random& random) {
  double const one = random.size(), other = random.size(), longer = std::max(one, other);
  return sized(unequal(random, std::min(one, other) / longer), random, longer);
}

// The list of regimes. Everyday and degenerate cases are `sized`, or `sized_exactly` if they are built of numbers with
// few bits.

inline std::span<Regime<Case> const> regimes() {
  static Regime<Case> const list[] = {
      {"typical", Profile::everyday, "ends uniform in a cube; sizes of 10 um to 10 m", sized<draw_typical>},
      {"crossing", Profile::everyday, "crossing inside both at a large angle, with a gap of .01 to 1 of the size",
       sized<draw_crossing>},
      {"near_parallel", Profile::degenerate, "angles log-uniform from 1e-16 to 1, generic offsets",
       sized<draw_near_parallel>},
      {"near_parallel_gap", Profile::degenerate, "nearly parallel, crossing inside both, with a gap of 1e-9 to 1e-3",
       sized<draw_near_parallel_gap>},
      {"near_parallel_crossing", Profile::degenerate,
       "nearly parallel, crossing inside both, with or without intersection", sized<draw_near_parallel_crossing>},
      {"parallel", Profile::degenerate, "exactly parallel, along axes or not, any overlap",
       sized_exactly<draw_parallel>},
      {"parallel_rounded", Profile::degenerate, "parallel segments after a random rotation: parallel up to rounding",
       sized<draw_parallel_rounded>},
      {"collinear", Profile::degenerate, "on one line, exactly or up to rounding: overlapping, touching or separated",
       either<sized_exactly<draw_collinear_exact>, sized<draw_collinear_rounded>>},
      {"degenerate", Profile::degenerate, "one or both segments have length zero or a few ulps",
       either<sized_exactly<draw_degenerate_exact>, sized<draw_degenerate_rounded>>},
      {"touching", Profile::degenerate, "intersecting inside or at an end, exactly or moved by a few ulps",
       either<sized_exactly<draw_touching_exact>, sized<draw_touching_rounded>>},
      {"lattice", Profile::degenerate, "coordinates of -3 to 3 units: all kinds of ties and degeneracies",
       sized_exactly<draw_lattice>},
      {"end_on", Profile::degenerate, "segments in a row, aligned, or slightly tilted or shifted", sized<draw_end_on>},
      {"mixed_scale", Profile::extreme, "each coordinate has its own magnitude from 1e-140 to 1e140", draw_mixed_scale},
      {"offset", Profile::extreme, "unit geometry up to 1e8 away from the origin", draw_offset},
      {"global_scale", Profile::extreme, "unit geometry times 2^-1040 to 2^1015: any unit of length",
       draw_global_scale},
      {"micro", Profile::extreme, "segments with sizes of 1e-8 to 1e-5, half of them crossing at large angles",
       draw_micro},
      {"long_thin", Profile::degenerate, "nearly parallel fibres, the gap about 1e-5 of the length",
       sized<draw_long_thin>},
      {"unequal", Profile::degenerate, "each segment has its own length of 10 um to 10 m: lengths differ by up to 1e6",
       draw_unequal},
      {"thresholds", Profile::degenerate, "sines, cosines and relative differences of length from 1e-12 to 1e-6",
       sized<draw_thresholds>},
      {"signed_zeros", Profile::degenerate, "some coordinates are -0",
       with_negative_zeros<Contract, sized_exactly<draw_lattice>>},
      {"subnormals", Profile::extreme, "subnormal and ordinary coordinates",
       with_subnormals<Contract, either<draw_typical, draw_lattice>>},
      {"feet_at_ends", Profile::degenerate,
       "the common perpendicular is at an end of one or both, exactly or up to 1e-15 to 1e-3 of the length",
       sized<draw_feet_at_ends>},
  };
  return list;
}

// ------------------------------------------------------------------------------------------------------------ laws

inline long double size_of(Case const& in) { return Contract::scale(in).distance; }

inline bool finite_case(Case const& in) {
  return all_finite(in.p0) && all_finite(in.p1) && all_finite(in.q0) && all_finite(in.q1);
}

/// Returns whether a case has everyday size, segments that are not short, and directions that are not nearly parallel.
/// Some laws shorten segments to points or make them parallel. They skip such a case, because the everyday case would
/// become degenerate.
inline bool is_generic(Case const& in, Sizes const& sizes = {}) {
  if (!has_everyday_size(in, sizes)) return false;
  Wide const along = wide(in.p1) - wide(in.p0), other = wide(in.q1) - wide(in.q0);
  long double const p = along.norm(), q = other.norm();
  return std::min(p, q) > 1e-3L * size_of_case(in) && along.cross(other).norm() > 1e-3L * (p * q);
}

/// Returns how laws judge distances that are not finite. NaN is always wrong. Infinity is wrong unless the distance can
/// overflow. The distance is at most 2 sqrt(3) S.
inline Unusable unusable(std::span<Case const> inputs, std::span<Answer const> outputs) {
  for (std::size_t i = 0; i < outputs.size(); ++i)
    if (std::isnan(outputs[i].distance)) return {true, infinite};
  for (std::size_t i = 0; i < outputs.size(); ++i)
    if (std::isinf(outputs[i].distance)) {
      if (outputs[i].distance > 0 && 4 * size_of(inputs[i]) > largest_double) return {true, std::nullopt};
      return {true, infinite};
    }
  return {};
}

/// Checks that every derived case has the same distance as the first case, within both budgets.
inline std::optional<double> same_distance(std::span<Case const> inputs, std::span<Answer const> outputs,
                                           Tolerance const& held) {
  if (auto const bad = unusable(inputs, outputs); bad.decided) return bad.verdict;
  double worst = 0;
  for (std::size_t i = 1; i < inputs.size(); ++i) {
    long double const change = std::fabs(static_cast<long double>(outputs[i].distance) - outputs[0].distance);
    worst = std::max(worst, in_tolerances(change, allowance<Contract>(held, inputs[0], outputs[0]).distance +
                                                      allowance<Contract>(held, inputs[i], outputs[i]).distance));
  }
  return worst;
}

struct Invariant {
  using Contract = segment_distance::Contract;
  static std::vector<std::string_view> outputs() { return {"distance"}; }  // s and t are not unique
  static constexpr auto unusable = properties::unusable;
  /// Returns whether no sum of coordinates is rounded in the subnormal range. In another unit of length, such a sum
  /// might not be rounded.
  static bool stays_normal(Case const& in) {
    double least = std::numeric_limits<double>::infinity(), most = 0;
    for (Point const* const point : {&in.p0, &in.p1, &in.q0, &in.q1})
      for (double const x : *point)
        if (x != 0) least = std::min(least, std::fabs(x)), most = std::max(most, std::fabs(x));
    return !(least < 0x1p-1000 * most) && !(least < 0x1p-1022);
  }
};
using Shared = Invariances<Invariant>;

inline void derive_swap(Case const& in, Random&, std::vector<Case>& inputs) {
  inputs.push_back(Case{in.q0, in.q1, in.p0, in.p1});
}

inline void derive_reversal(Case const& in, Random&, std::vector<Case>& inputs) {
  Case const original = in;  // `in` may be an element of `inputs`
  inputs.push_back(Case{original.p1, original.p0, original.q0, original.q1});
  inputs.push_back(Case{original.p0, original.p1, original.q1, original.q0});
  inputs.push_back(Case{original.p1, original.p0, original.q1, original.q0});
}

inline void derive_rotation(Case const& in, Random& random, std::vector<Case>& inputs) {
  if (size_of(in) > 0x1p1020L) return;
  Matrix3<long double> const turn = rotation(random);
  inputs.push_back(
      each_point(in, [&](Point const& point) -> Point { return Wide(turn * wide(point)).cast<double>(); }));
}

/// Checks the distance of rotated segments. The rounding of a coordinate moves an end by at most u |coordinate| +
/// 2^-1075. The distance changes by at most the sum, over both segments, of the larger motion of an end.
inline std::optional<double> rotated(std::span<Case const> inputs, std::span<Answer const> outputs,
                                     Tolerance const& held) {
  if (auto const bad = unusable(inputs, outputs); bad.decided) return bad.verdict;
  auto const moved = [&](Point const& a, Point const& b) {
    // One rounding of the rotated end.
    return roundings(1) * std::max(wide(a).norm(), wide(b).norm()) + 2 * half_least;
  };
  Case const& turned = inputs[1];
  // The rotation has more roundings, of 2^-64 each. Their sum is less than a tenth of u.
  long double const rotation = roundings(0.1L) * size_of(inputs[0]);
  long double const rounding = moved(turned.p0, turned.p1) + moved(turned.q0, turned.q1) + rotation;
  long double const change = std::fabs(static_cast<long double>(outputs[1].distance) - outputs[0].distance);
  return in_tolerances(change, allowance<Contract>(held, inputs, outputs).distance + rounding);
}

inline void derive_motion(Case const& in, Random& random, std::vector<Case>& inputs) {
  Case const original = in;
  auto const size = static_cast<double>(size_of(original));
  if (!(size > 0) || size > 0x1p1000) return;
  auto const add = [&](Case const& moved) {
    if (finite_case(moved)) inputs.push_back(moved);
  };
  auto const random_step = [&](double low, double high) -> Point {
    double const length = size * random.log_uniform(low, high);
    return length * cube_point(random);
  };
  // Moves by 1e-12 to 0.1 of the size. Either one segment is shifted, one segment is rotated about its middle, one end
  // moves, or all ends move.
  for (int repeat = 0; repeat < 2; ++repeat) {
    Case moved = original;
    Point const step = random_step(-12, -1);
    switch (random.integer(0, 3)) {
      case 0:
        moved.q0 += step, moved.q1 += step;
        break;
      case 1:
        moved.q0 += step, moved.q1 -= step;
        break;
      case 2:
        moved.p1 += step;
        break;
      default:
        moved = each_point(moved, [&](Point const& point) -> Point { return point + random_step(-12, -1); });
    }
    add(moved);
  }
  // Moves by a few ulps, to reach another branch of the code if one is near.
  add(each_point(original, [&](Point const& point) { return nudge(point, random, 2); }));
  if (is_generic(original, random.sizes())) return;
  // Rotates q about its middle until it is parallel or nearly parallel to p, because codes have branches there. If the
  // segments are nearly parallel, this is a small motion. Halves are computed first, so that nothing overflows.
  Point const axis_p = 0.5 * original.p1 - 0.5 * original.p0, axis_q = 0.5 * original.q1 - 0.5 * original.q0;
  double const length_p = wide_length(axis_p), length_q = wide_length(axis_q);
  if (length_p > 0 && length_q > 0) {
    Point const middle = 0.5 * original.q0 + 0.5 * original.q1;
    Point axis = (axis_p / length_p) * (axis_p.dot(axis_q) < 0 ? -length_q : length_q);
    if (random.chance(0.5)) axis += random.uniform(0, 2) * (axis_q - axis);
    Case moved = original;
    moved.q0 = middle - axis;
    moved.q1 = middle + axis;
    add(moved);
  }
}

/// Checks that the distance changes by at most the motion of the ends. A point of a segment moves at most as far as the
/// end that moves farther. The bound is therefore the sum, over both segments, of the motion of this end.
inline std::optional<double> moved(std::span<Case const> inputs, std::span<Answer const> outputs,
                                   Tolerance const& held) {
  if (auto const bad = unusable(inputs, outputs); bad.decided) return bad.verdict;
  double worst = 0;
  auto const motion = [](Point const& a0, Point const& a1, Point const& b0, Point const& b1) {
    return std::max((wide(b0) - wide(a0)).norm(), (wide(b1) - wide(a1)).norm());
  };
  for (std::size_t i = 0; i + 1 < inputs.size(); ++i)
    for (std::size_t j = i + 1; j < inputs.size(); ++j) {
      Case const &a = inputs[i], &b = inputs[j];
      long double const bound = (1 + 0x1p-60L) * (motion(a.p0, a.p1, b.p0, b.p1) + motion(a.q0, a.q1, b.q0, b.q1));
      long double const change = std::fabs(static_cast<long double>(outputs[i].distance) - outputs[j].distance);
      worst = std::max(worst, in_tolerances(change - bound, allowance<Contract>(held, a, outputs[i]).distance +
                                                                allowance<Contract>(held, b, outputs[j]).distance));
    }
  return worst;
}

inline std::optional<double> below_endpoint_distances(std::span<Case const> inputs, std::span<Answer const> outputs,
                                                      Tolerance const& held) {
  if (auto const bad = unusable(inputs.first(1), outputs.first(1)); bad.decided) return bad.verdict;
  Wide const p0 = wide(inputs[0].p0), p1 = wide(inputs[0].p1), q0 = wide(inputs[0].q0), q1 = wide(inputs[0].q1);
  long double const bound = std::min(std::min(point_segment(p0, q0, q1), point_segment(p1, q0, q1)),
                                     std::min(point_segment(q0, p0, p1), point_segment(q1, p0, p1)));
  // The term 2^-58 S covers the rounding of the bound.
  return in_tolerances(outputs[0].distance - bound,
                       allowance<Contract>(held, inputs[0], outputs[0]).distance + 0x1p-58L * size_of(inputs[0]));
}

inline std::optional<double> not_negative(std::span<Case const> inputs, std::span<Answer const> outputs,
                                          Tolerance const& held) {
  if (auto const bad = unusable(inputs.first(1), outputs.first(1)); bad.decided) return bad.verdict;
  if (outputs[0].distance >= 0) return 0;
  return in_tolerances_if_different(held, outputs[0].distance, std::max(size_of(inputs[0]), half_least),
                                    allowance<Contract>(held, inputs[0], outputs[0]).distance);
}

/// Checks that the points at s and t have the answered distance. The distance of these points may exceed the optimum by
/// their budget. The answered distance may be wrong by its own budget. A parameter outside [0, 1] is always a
/// violation, because it does not define a point of the segment.
inline std::optional<double> parameters_agree(std::span<Case const> inputs, std::span<Answer const> outputs,
                                              Tolerance const& held) {
  Case const& in = inputs[0];
  Answer const& out = outputs[0];
  if (std::isnan(out.s) || std::isnan(out.t)) return infinite;
  if (auto const bad = unusable(inputs.first(1), outputs.first(1)); bad.decided) return bad.verdict;
  for (double const parameter : {out.s, out.t}) {
    if (parameter < 0) return in_units_if_different(parameter, 1);
    if (parameter > 1) return in_units_if_different(parameter - 1, 1);
  }
  auto const may = allowance<Contract>(held, in, out);
  Wide const on_p = wide(in.p0) + out.s * (wide(in.p1) - wide(in.p0));
  Wide const on_q = wide(in.q0) + out.t * (wide(in.q1) - wide(in.q0));
  return in_tolerances(std::fabs((on_q - on_p).norm() - out.distance), may.distance + may.s);
}

inline void derive_points(Case const& in, Random& random, std::vector<Case>& inputs) {
  if (is_generic(in, random.sizes())) return;
  Case const original = in;
  auto const collapse = [&](Point const& a, Point const& b) -> Point {
    std::int64_t const kind = random.integer(0, 2);
    return kind == 0 ? a : kind == 1 ? b : Point(0.5 * a + 0.5 * b);
  };
  Point const p = collapse(original.p0, original.p1), q = collapse(original.q0, original.q1);
  inputs.push_back(Case{p, p, q, q});
  inputs.push_back(Case{p, p, original.q0, original.q1});
  inputs.push_back(Case{original.p0, original.p1, q, q});
}

/// Checks cases in which one or both segments are points. The distance must be the distance of a point from a segment.
inline std::optional<double> point_distances(std::span<Case const> inputs, std::span<Answer const> outputs,
                                             Tolerance const& held) {
  if (auto const bad = unusable(inputs.subspan(1), outputs.subspan(1)); bad.decided) return bad.verdict;
  double worst = 0;
  for (std::size_t i = 1; i < inputs.size(); ++i) {
    Case const& in = inputs[i];
    long double const truth = i == 3 ? point_segment(wide(in.q0), wide(in.p0), wide(in.p1))
                                     : point_segment(wide(in.p0), wide(in.q0), wide(in.q1));
    worst = std::max(worst, in_tolerances(std::fabs(outputs[i].distance - truth),
                                          allowance<Contract>(held, in, outputs[i]).distance + 0x1p-58L * size_of(in)));
  }
  return worst;
}

using Rule = Law<Case, Answer>;

inline std::vector<Rule> symmetries() {
  return {
      {.name = "swap",
       .doc = "an exchange of the segments does not change the distance",
       .tolerance = "both budgets",
       .uses = {"distance"},
       .derive = derive_swap,
       .violation = same_distance},
      {.name = "reversal",
       .doc = "an exchange of the ends of a segment does not change the distance",
       .tolerance = "both budgets",
       .uses = {"distance"},
       .derive = derive_reversal,
       .violation = same_distance},
      Shared::axis_permutation(),
  };
}

inline std::vector<Rule> motions() {
  return {
      Shared::translation(),
      {.name = "rotation",
       .doc = "a rotation changes the distance by at most its rounding errors at the ends",
       .tolerance = "both budgets + the motion of the ends by rounding",
       .uses = {"distance"},
       .derive = derive_rotation,
       .violation = rotated},
      Shared::scaling(),
      {.name = "motion",
       .doc = "no jumps: the distance changes by at most the motion of the segments",
       .tolerance = "both budgets + the motion",
       .uses = {"distance"},
       .derive = derive_motion,
       .violation = moved},
  };
}

inline std::vector<Rule> bounds() {
  return {
      {.name = "endpoint_bound",
       .doc = "the distance is at most that of each end from the other segment",
       .tolerance = "its budget",
       .uses = {"distance"},
       .violation = below_endpoint_distances},
      {.name = "nonnegative",
       .doc = "the distance is not NaN and not negative",
       .tolerance = "0 with tolerance strict, otherwise its budget",
       .uses = {"distance"},
       .violation = not_negative},
      {.name = "parameters",
       .doc = "s and t are in [0, 1], and their points have the returned distance",
       .tolerance = "its budget and that of the distance",
       .uses = {"distance", "s", "t"},
       .violation = parameters_agree},
      {.name = "points",
       .doc = "if a segment is shrunk to a point, the distance is that of the point",
       .tolerance = "its budget",
       .uses = {"distance"},
       .derive = derive_points,
       .violation = point_distances},
  };
}

inline std::span<Rule const> laws() {
  static std::vector<Rule> const list = joined<Rule>({symmetries(), motions(), bounds()});
  return list;
}

inline constexpr PropertiesHooks<Case> hooks{};

}  // namespace demeter::segment_distance::properties
