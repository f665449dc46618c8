// Mutants of wall_capsule_contact. Each mutant is `right()` with one defect.
#pragma once

#include "kernels/mutant.hpp"
#include "reference/spec/wall_capsule_contact.hpp"

#include <cmath>

namespace demeter::wall_capsule_contact::mutants {

using Case = Input<double>;
using Answer = Output<double>;
using Real = long double;

inline constexpr Defect defects[] = {
    {"sum_of_overlaps", "uN is the sum of both overlaps", "two contacts added"},
    {"woo_weights", "uN = -(a0^2 + a1^2)/(a0 + a1)", "Woo, wall and capsule"},
    {"mean_gap", "uN is the mean gap of two overlapping ends", "averaged contacts"},
    {"only_first_end", "the second end is ignored", "a missing end point"},
    {"centre_gap", "the gap is that of the centre", "origin at the end instead of the centre: FCL#225, #436"},
    {"radius_forgotten", "the gap is that of the axis", "distance of axes instead of surfaces"},
    {"diameter", "the diameter instead of the radius", "half and whole exchanged"},
    {"half_is_whole_shaft", "half is treated as the whole shaft", "half and whole exchanged"},
    {"shaft_by_length", "the length of half instead of its component", "a capsule assumed to be upright"},
    {"ends_exchanged", "the point is at the other end", "sign of a direction"},
    {"sense_ignored", "the free side of every wall is above", "a missing sign"},
    {"absolute_distance", "the distance behind the wall is positive", "a capsule that has passed the wall is released"},
    {"normal_from_centre", "the normal points to the side of the centre", "Woo, sense 0"},
    {"normal_not_unit", "the length of the normal is 1 plus an ulp", "a normalised axis", "an ulp is 2 u"},
    {"axis_y_for_z", "axis 2 is treated as axis 1", "copy and paste"},
    {"axis_always_z", "every wall is treated as a floor", "a special case used for all walls"},
    {"weights_of_gaps", "without overlap, each end is weighted by the gap of the other", "Woo, wall and capsule"},
    {"lambda_linear_in_radius", "lambda is -rise / radius", "a wrong denominator"},
    {"lambda_cancels", "the depth of the centre is computed in plain double", "cancellation"},
    {"lambda_without_errors", "the distance of the centre is rounded to double", "cancellation"},
    {"lambda_not_limited", "lambda is not limited to the ends", "a missing clamp"},
    {"level_below_tolerance", "a rise below 1e-10 m counts as 0", "absolute thresholds"},
    {"equal_takes_first_end", "a level capsule touches with its first end", "< instead of <="},
    {"apart_takes_centre", "without overlap, the point is below the centre", "a missing case"},
    {"point_at_deeper_end", "the point is always at the deeper end", "a jump when a level capsule tilts"},
    {"point_on_wall", "the point is on the wall", "another convention"},
    {"point_at_surface", "the point is on the surface of the capsule", "another convention"},
    {"point_on_axis", "the point is on the axis", "a missing projection"},
    {"point_twice_too_deep", "the point is on the free side of an overlap", "sign of a term"},
    {"status_of_centre", "the status is that of the centre", "only one test for both ends"},
    {"status_counts_touching", "ends closer than 1e-6 radii are treated as overlapping", "a tolerance in a decision"},
    {"status_one_is_both", "one overlapping end is reported as both", "and instead of or"},
    {"touching_tolerance", "an overlap below 1e-12 m counts as 0", "absolute thresholds"},
    {"far_tolerance", "an overlap below 1e-14 of the wall's coordinate counts as 0",
     "a relative threshold of the wrong size", "1e-14 is 90 u"},
    {"nearly_touching", "a gap or an overlap below 1e-10 radii counts as 0", "a tolerance around a threshold"},
    {"status_nearly_overlapping", "ends closer than 1e-10 radii are treated as overlapping",
     "a tolerance around a threshold"},
    {"status_nearly_apart", "overlaps of less than 1e-9 radii are not counted", "a tolerance around a threshold"},
    {"subnormal_is_zero", "subnormal numbers are 0", "flush to zero"},
    {"large_is_infinite", "a gap above 1e200 is infinite", "overflow of squares"},
};
using Chosen = Choice<defects>;

/// Computes in long double. The depth of the centre may be a small difference of large numbers. Its sums therefore
/// include their rounding errors.
inline Answer evaluate(Case const& in, Chosen const with) {
  auto const read = [&](double x) -> Real {
    if (with("subnormal_is_zero")) return std::isnormal(x) ? x : 0;
    return x;
  };
  struct Sum {
    Real high, low;
  };
  auto const two_sum = [](Real a, Real b) -> Sum {
    Real const sum = a + b, part = sum - a;
    return {sum, (a - (sum - part)) + (b - part)};
  };

  Index k = axis_of(in);
  if (with("axis_y_for_z") && k == 2) k = 1;
  if (with("axis_always_z")) k = 2;
  Real const wall = read(in.wall), centre = read(in.centre[k]), sense = with("sense_ignored") ? 1 : in.sense;
  Real radius = read(in.radius), rise = sense * read(in.half[k]);
  if (with("radius_forgotten")) radius = 0;
  if (with("diameter")) radius = 2 * radius;
  if (with("half_is_whole_shaft")) rise = rise / 2;
  if (with("shaft_by_length")) rise = in.half.cast<Real>().norm() * (rise < 0 ? -1 : 1);
  if (with("ends_exchanged")) rise = -rise;

  Sum const from_wall = two_sum(centre, -wall), sum = two_sum(radius, -sense * from_wall.high);
  Real depth = sum.high + (sum.low - sense * from_wall.low);
  if (with("lambda_cancels")) {
    double const height = static_cast<double>(sense) * (in.centre[k] - in.wall);
    depth = in.radius - height;
  }
  if (with("lambda_without_errors")) depth = radius - static_cast<double>(sense * (centre - wall));
  if (with("absolute_distance")) depth = radius - std::fabs(from_wall.high + from_wall.low);
  Real g0 = -depth - rise, g1 = -depth + rise;
  Real const a0 = std::max(0.0L, -g0), a1 = std::max(0.0L, -g1), reach = std::fabs(rise);

  Real uN = std::min(g0, g1);
  if (with("sum_of_overlaps") && uN < 0) uN = -(a0 + a1);
  if (with("woo_weights") && a0 > 0 && a1 > 0) uN = -(a0 * a0 + a1 * a1) / (a0 + a1);
  if (with("mean_gap") && a0 > 0 && a1 > 0) uN = (g0 + g1) / 2;
  if (with("only_first_end")) uN = g0;
  if (with("centre_gap")) uN = -depth;
  if (with("touching_tolerance") && std::fabs(uN) < 1e-12L) uN = 0;
  if (with("nearly_touching") && std::fabs(uN) < 1e-10L * radius) uN = 0;
  if (with("far_tolerance") && std::fabs(uN) < 1e-14L * std::fabs(wall)) uN = 0;
  if (with("large_is_infinite") && std::fabs(uN) > 1e200L)
    uN = std::copysign(std::numeric_limits<Real>::infinity(), uN);

  // lambda is the position of the contact point on the axis: -1 or 1 at an end, and between -1 and 1 inside.
  Real lambda = rise > 0 ? -1 : rise < 0 ? 1 : 0;
  bool const both = reach < depth;
  if (with("equal_takes_first_end") && rise == 0) lambda = -1;
  if (with("apart_takes_centre") && uN >= 0) lambda = 0;
  if (both && !with("point_at_deeper_end")) lambda = -rise / depth;
  if (both && with("equal_takes_first_end") && rise == 0) lambda = -1;
  if (with("lambda_not_limited") && uN < 0 && depth != 0) lambda = -rise / depth;
  if (with("weights_of_gaps") && uN >= 0 && g0 + g1 > 0) lambda = (g0 - g1) / (g0 + g1);
  if (with("lambda_linear_in_radius") && both) lambda = std::clamp(-rise / radius, -1.0L, 1.0L);
  if (with("level_below_tolerance") && reach < 1e-10L) lambda = 0;

  Vector3<Real> point;
  for (Index i = 0; i < 3; ++i) point[i] = read(in.centre[i]) + lambda * read(in.half[i]);
  Real middle = uN / 2;
  if (with("point_on_wall")) middle = 0;
  if (with("point_at_surface")) middle = uN;
  if (with("point_twice_too_deep")) middle = -uN / 2;
  if (!with("point_on_axis")) point[k] = wall + sense * middle;

  Answer out;
  out.normal.setZero();
  out.normal[k] = static_cast<double>(sense);
  if (with("normal_from_centre")) out.normal[k] = from_wall.high < 0 ? -1 : 1;
  if (with("normal_not_unit")) out.normal[k] = static_cast<double>(sense * (1 + 0x1p-52L));
  out.uN = static_cast<double>(uN);
  out.point = point.template cast<double>();
  int count = (g0 < 0 ? 1 : 0) + (g1 < 0 ? 1 : 0);
  if (with("status_of_centre")) count = depth > 0 ? 2 : 0;
  auto const nearer_than = [&](Real gap) { return (g0 < gap ? 1 : 0) + (g1 < gap ? 1 : 0); };
  if (with("status_counts_touching")) count = nearer_than(1e-6L * radius);
  if (with("status_nearly_overlapping")) count = nearer_than(1e-10L * radius);
  if (with("status_nearly_apart")) count = nearer_than(-1e-9L * radius);
  if (with("status_one_is_both") && count == 1) count = 2;
  out.status = static_cast<Status>(count);
  return out;
}

inline Answer right(Case const& in) { return evaluate(in, {}); }

// ------------------------------------------------------------------------------------------------------ of batches

/// Reuses the side of the wall on which the previous capsule was, like Woo for a wall of sense 0.
inline void sense_remembered(std::span<Case const> in, std::span<Answer> out) {
  answer_each<right>(in, out);
  for (std::size_t i = 1; i < in.size(); ++i) {
    Case each = in[i];
    if (each.axis == in[i - 1].axis && each.wall == in[i - 1].wall) each.sense = in[i - 1].sense;
    out[i] = right(each);
  }
}

inline Mutants mutants() {
  std::vector<BatchDefect<Case, Answer>> const batches{
      {"sense_remembered", "the sense is that of the capsule before at the same wall", "Woo, sense 0: hysteresis",
       sense_remembered},
  };
  Distortions const distortions{
      .read_as_float = "centre", .shared_by_four = "axis", .as_float = "uN", .negated = "uN normal", .just_over = "uN"};
  return make_mutants<Contract>(evaluate, distortions, batches);
}

}  // namespace demeter::wall_capsule_contact::mutants
