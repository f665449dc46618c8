// Mutants of capsule_endpoints. Each mutant is `right()` with one defect.
#pragma once

#include "kernels/mutant.hpp"
#include "reference/spec/capsule_endpoints.hpp"

#include <cmath>

namespace demeter::capsule_endpoints::mutants {

using Case = Input<double>;
using Answer = Output<double>;
using Real = long double;

inline constexpr Defect defects[] = {
    {"not_normalised", "the quaternion is assumed to have length 1", "FCL#567"},
    {"one_minus_squares", "x of the axis is 1 - 2(y^2 + z^2)", "FCL#567, in one component"},
    {"divided_by_length", "divided by |q| instead of |q|^2", "length and square exchanged"},
    {"normalised_if_far_off", "normalised only if the length differs from 1 by more than 1e-6",
     "a tolerance that saves nothing"},
    {"normalised_below_tolerance", "not normalised if |q|^2 < 1e-30", "an epsilon against division by zero"},
    {"scalar_last", "read as x, y, z, w instead of w, x, y, z", "order of the components"},
    {"conjugate", "rotates from global to local instead of local to global", "direction of a rotation"},
    {"local_y", "the axis is local y", "another library's capsule"},
    {"local_z", "the axis is local z", "FCL and others: capsules along z"},
    {"product_sign", "xz + wy instead of xz - wy", "sign of a term"},
    {"factor_two_forgotten", "xy + wz instead of 2(xy + wz)", "a missing factor"},
    {"w_forgotten", "w is treated as 0", "a missing component"},
    {"rotated_once", "q v instead of q v q*", "half of a rotation"},
    {"shaft_for_half", "half is the whole shaft", "half and whole exchanged"},
    {"radius_in_half", "half extends to the end of the cap", "length with caps instead of without"},
    {"end_from_end", "end 1 is position + 2 half", "origin at the end instead of the centre: FCL#225, #436"},
    {"one_end", "end 0 is the position", "origin at the end instead of the centre: FCL#225, #436"},
    {"box_without_radius", "the box of the axis", "a missing radius"},
    {"box_of_the_sphere", "the box of the bounding sphere", "a box that is safe but too large"},
    {"box_not_sorted", "the corners of the box are not sorted", "missing min and max"},
    {"box_of_the_cylinder", "the box of the cylinder about the shaft", "missing caps"},
    {"box_high_for_low", "the upper corner is returned twice", "copy and paste"},
    {"box_y_for_z", "y instead of z in the upper corner", "copy and paste"},
    {"bounding_whole_shaft", "the whole shaft in the bounding radius", "half and whole exchanged"},
    {"bounding_without_radius", "the bounding sphere of the axis", "a missing radius"},
    {"squares_in_double", "products of the quaternion in plain double", "overflow and underflow"},
    {"negative_zero_is_negative", "a shaft of -0 gives no bounding radius", "the sign bit is tested instead of < 0"},
    {"half_turn_as_none", "w = 0 is treated as no rotation", "a wrong special case"},
    {"aligned_below_tolerance", "nearly aligned is treated as aligned", "a tolerance wider than the budget"},
    {"small_quaternion_is_none", "|q| < 1e-12 is treated as no rotation", "absolute thresholds"},
    {"small_shaft_is_none", "a shaft below 1e-9 m counts as 0", "absolute thresholds"},
    {"subnormal_is_zero", "subnormal numbers are 0", "flush to zero"},
};
using Chosen = Choice<defects>;

/// Computes in long double. Its range contains the squares of all doubles.
inline Answer evaluate(Case const& in, Chosen const with) {
  auto const kept = [&](Real x) -> Real { return with("squares_in_double") ? static_cast<double>(x) : x; };
  auto const turn = [&](Index i) -> Real {
    double const each = in.orientation[with("scalar_last") ? (i + 3) % 4 : i];
    if (with("subnormal_is_zero")) return std::isnormal(each) ? each : 0;
    return each;
  };
  auto const length_of = [&](double x) -> Real {
    if (with("subnormal_is_zero")) return std::isnormal(x) ? x : 0;
    return x;
  };
  Real w = turn(0), x = turn(1), y = turn(2), z = turn(3);
  if (with("conjugate")) x = -x, y = -y, z = -z;
  if (with("w_forgotten")) w = 0;
  Real const ww = kept(w * w), xx = kept(x * x), yy = kept(y * y), zz = kept(z * z), whole = ww + xx + yy + zz;
  Real square = whole;
  if (with("divided_by_length")) square = std::sqrt(whole);
  if (with("not_normalised")) square = 1;
  if (with("normalised_if_far_off") && std::fabs(std::sqrt(whole) - 1) < 1e-6L) square = 1;
  if (with("normalised_below_tolerance") && whole < 1e-30L) square = 1;

  Vector3<Real> axis{(ww + xx - yy - zz) / square, 2 * (kept(x * y) + kept(w * z)) / square,
                     2 * (kept(x * z) - kept(w * y)) / square};
  if (with("one_minus_squares")) axis[0] = 1 - 2 * (yy + zz);
  if (with("local_y"))
    axis = {2 * (x * y - w * z) / square, (ww - xx + yy - zz) / square, 2 * (y * z + w * x) / square};
  if (with("local_z"))
    axis = {2 * (x * z + w * y) / square, 2 * (y * z - w * x) / square, (ww - xx - yy + zz) / square};
  if (with("product_sign")) axis[2] = 2 * (x * z + w * y) / square;
  if (with("factor_two_forgotten")) axis[1] /= 2, axis[2] /= 2;
  if (with("rotated_once")) axis = {w / std::sqrt(whole), z / std::sqrt(whole), -y / std::sqrt(whole)};
  if (with("half_turn_as_none") && w == 0) axis = {1, 0, 0};
  if (with("aligned_below_tolerance") && std::fabs(axis[0]) > 1 - 1e-12L) axis = {axis[0] > 0 ? 1.0L : -1.0L, 0, 0};
  if (with("small_quaternion_is_none") && whole < 1e-24L) axis = {1, 0, 0};
  Real const shaft = with("small_shaft_is_none") && in.shaft < 1e-9 ? 0 : length_of(in.shaft),
             radius = length_of(in.radius);
  Real reach = shaft / 2;
  if (with("shaft_for_half")) reach = shaft;
  if (with("radius_in_half")) reach = shaft / 2 + radius;

  Vector3<Real> half = reach * axis;
  Answer out;
  auto const rounded = [](Real value) { return static_cast<double>(value); };
  for (Index i = 0; i < 3; ++i) {
    Real const position = length_of(in.position[i]);
    Real const sideways = std::sqrt(std::max(0.0L, 1 - axis[i] * axis[i]));
    Real extent = with("box_not_sorted") ? half[i] : std::fabs(half[i]);
    if (with("box_of_the_sphere")) extent = shaft / 2;
    if (!with("box_without_radius")) extent += with("box_of_the_cylinder") ? radius * sideways : radius;
    out.half[i] = rounded(half[i]);
    out.end0[i] = rounded(with("one_end") ? position : position - half[i]);
    out.end1[i] = rounded(with("end_from_end") ? position + 2 * half[i] : position + half[i]);
    out.box_low[i] = rounded(with("box_high_for_low") ? position + extent : position - extent);
    out.box_high[i] = rounded(position + extent);
  }
  if (with("box_y_for_z")) out.box_high[2] = out.box_high[1];
  out.bounding_radius = rounded(radius + shaft / 2);
  if (with("bounding_whole_shaft")) out.bounding_radius = rounded(radius + shaft);
  if (with("negative_zero_is_negative") && std::signbit(in.shaft)) out.bounding_radius = 0;
  if (with("bounding_without_radius")) out.bounding_radius = rounded(shaft / 2);
  return out;
}

inline Answer right(Case const& in) { return evaluate(in, {}); }

// ------------------------------------------------------------------------------------------------------ of batches

/// Decides from the first of four quaternions whether all four are normalised.
inline void normalised_by_the_first(std::span<Case const> in, std::span<Answer> out) {
  for (std::size_t i = 0; i < in.size(); ++i) {
    bool const unit = std::fabs(in[i / 4 * 4].orientation.norm() - 1) < 1e-9;
    out[i] = unit ? evaluate(in[i], "not_normalised") : right(in[i]);
  }
}

inline Mutants mutants() {
  std::vector<BatchDefect<Case, Answer>> const batches{
      {"normalised_by_the_first", "four quaternions are normalised only if the first needs it",
       "a uniform branch in SIMD", normalised_by_the_first},
  };
  Distortions const distortions{.read_as_float = "orientation shaft", .exchanged = "end0 end1", .just_over = "half"};
  return make_mutants<Contract>(evaluate, distortions, batches);
}

}  // namespace demeter::capsule_endpoints::mutants
