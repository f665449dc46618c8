// Wrong contacts of two discs, each one change away from `right()`.
#pragma once

#include "kernels/mutant.hpp"
#include "reference/spec/disc_disc_contact.hpp"
#include "mutants/core/batches.hpp"

namespace demeter::disc_disc_contact::mutants {

using Case = Input<double>;
using Answer = Output<double>;
using Real = long double;

enum class Defect {
  none,
  overlap_for_gap,
  centres_alone,
  radius_j_forgotten,
  radius_i_twice,
  radii_subtracted,
  x_alone,
  y_as_x,
  manhattan,
  squared,
  expanded_square,
  clamped,
  size_of_gap,
  from_i_to_j,
  normal_swapped,
  normal_not_divided,
  normal_over_radii,
  normal_of_equal_centres,
  near_centres_null,
  near_centres_up,
  null_when_apart,
  null_when_absent,
  always_present,
  never_present,
  present_by_overlap,
  present_by_centres,
  present_within_micrometre,
  alert_twice,
  alert_added_to_gap,
  float_centres,
  float_radii,
  float_gap,
  float_normal,
  absolute_epsilon,
  touching_is_zero,
  fast_root,
  gap_just_over,
  normal_just_over,
};

inline Answer evaluate(Case const& in, Defect const defect) {
  using enum Defect;
  auto const with = [&](Defect wanted) { return defect == wanted; };
  auto const narrowed = [](Real x) { return static_cast<Real>(static_cast<float>(x)); };
  Real ix = in.centre_i[0], iy = in.centre_i[1], jx = in.centre_j[0], jy = in.centre_j[1], ri = in.radius_i,
       rj = in.radius_j;
  if (with(float_centres)) ix = narrowed(ix), iy = narrowed(iy), jx = narrowed(jx), jy = narrowed(jy);
  if (with(float_radii)) ri = narrowed(ri);
  Real const x = ix - jx;
  Real y = iy - jy;
  if (with(x_alone)) y = 0;
  if (with(y_as_x)) y = x;
  Real square = x * x + y * y;
  if (with(expanded_square)) {
    auto const f = [](Real a) { return static_cast<double>(a); };
    square = f(f(ix) * f(ix) + f(iy) * f(iy)) - 2 * f(f(ix) * f(jx) + f(iy) * f(jy)) + f(f(jx) * f(jx) + f(jy) * f(jy));
    square = std::max(square, Real(0));
  }
  Real d = std::sqrt(square);
  if (with(manhattan)) d = std::fabs(x) + std::fabs(y);
  if (with(squared)) d = square;
  if (with(fast_root)) d *= 1 + 1e-7L;
  Real radii = ri + rj;
  if (with(radius_j_forgotten)) radii = ri;
  if (with(radius_i_twice)) radii = 2 * ri;
  if (with(radii_subtracted)) radii = ri - rj;
  if (with(centres_alone)) radii = 0;
  Real gap = d - radii;
  if (with(clamped)) gap = std::max(gap, Real(0));
  if (with(size_of_gap)) gap = std::fabs(gap);
  if (with(absolute_epsilon) && std::fabs(gap) < 1e-10L) gap = 0;
  if (with(touching_is_zero) && std::fabs(gap) < 1e-6L * radii) gap = 0;
  Real shown = with(overlap_for_gap) ? -gap : gap;
  if (with(float_gap)) shown = narrowed(shown);
  if (with(alert_added_to_gap)) shown -= in.alert;
  Answer out{static_cast<double>(shown), std::nullopt, gap < in.alert ? Present::yes : Present::no};
  Real const length = std::sqrt(x * x + y * y);
  bool null = !(length > 0);
  if (with(near_centres_null) && length < 1e-6L * radii) null = true;
  if (with(null_when_apart) && gap > 0) null = true;
  if (with(null_when_absent) && !(gap < in.alert)) null = true;
  if (!null) {
    Real nx = x / length, ny = y / length;
    if (with(from_i_to_j)) nx = -nx, ny = -ny;
    if (with(normal_swapped)) std::swap(nx, ny);
    if (with(normal_not_divided)) nx = x, ny = y;
    if (with(normal_over_radii)) nx = x / radii, ny = y / radii;
    if (with(near_centres_up) && length < 1e-9L * radii) nx = 0, ny = 1;
    if (with(float_normal)) nx = narrowed(nx), ny = narrowed(ny);
    out.normal = Vector2<double>(static_cast<double>(nx), static_cast<double>(ny));
  } else if (with(normal_of_equal_centres)) {
    out.normal = Vector2<double>(1, 0);
  }
  auto const label = [](bool yes) { return yes ? Present::yes : Present::no; };
  if (with(always_present)) out.present = Present::yes;
  if (with(never_present)) out.present = Present::no;
  if (with(present_by_overlap)) out.present = label(gap < 0);
  if (with(present_by_centres)) out.present = label(length < in.alert);
  if (with(present_within_micrometre)) out.present = label(gap < in.alert + 1e-6L);
  if (with(alert_twice)) out.present = label(gap < 2 * static_cast<Real>(in.alert));
  auto const scale = Contract::scale(in);
  Real const over = 24 * static_cast<Real>(unit_roundoff);
  if (with(gap_just_over)) out.gap = static_cast<double>(out.gap + over * scale.gap);
  if (with(normal_just_over) && out.normal) (*out.normal)[0] = static_cast<double>((*out.normal)[0] + over);
  return out;
}

inline Answer right(Case const& in) { return evaluate(in, Defect::none); }

inline void in_pairs(std::span<Case const> in, std::span<Answer> out) {
  for (std::size_t i = 0; i < in.size(); ++i)
    out[i] = i + 1 == in.size() && i % 2 == 0 ? Answer{0, std::nullopt, Present::no} : right(in[i]);
}

inline std::span<Mutant<Defect, Case, Answer> const> mutants() {
  using enum Defect;
  static Mutant<Defect, Case, Answer> const list[] = {
      {"overlap_for_gap", "the overlap for the gap", "sign of a result", overlap_for_gap},
      {"centres_alone", "the distance of the centres", "a term left out", centres_alone},
      {"radius_j_forgotten", "one radius of the two", "a term left out", radius_j_forgotten},
      {"radius_i_twice", "one radius twice", "equal radii alone", radius_i_twice},
      {"radii_subtracted", "r_i - r_j for r_i + r_j", "a sign", radii_subtracted},
      {"x_alone", "the distance along x", "a term left out", x_alone},
      {"y_as_x", "x^2 + x^2 for x^2 + y^2", "indices", y_as_x},
      {"manhattan", "|x| + |y|", "another norm", manhattan},
      {"squared", "the square of the distance", "a forgotten root", squared},
      {"expanded_square", "|a|^2 - 2 a.b + |b|^2 for |a - b|^2", "cancellation far from the origin", expanded_square},
      {"clamped", "an overlap is a gap of 0", "max(0, d) in the wrong place", clamped},
      {"size_of_gap", "|d| for d", "sign of a result", size_of_gap},
      {"from_i_to_j", "the normal points from i to j", "an unstated direction", from_i_to_j},
      {"normal_swapped", "x and y of the normal exchanged", "indices", normal_swapped},
      {"normal_not_divided", "x_i - x_j as it is", "a division left out", normal_not_divided},
      {"normal_over_radii", "over the radii in place of the distance", "touching discs alone", normal_over_radii},
      {"normal_of_equal_centres", "equal centres have the normal (1, 0)", "a convention for a null",
       normal_of_equal_centres},
      {"near_centres_null", "centres within 1e-6 radii have no normal", "thresholds", near_centres_null},
      {"near_centres_up", "centres within 1e-9 radii have the normal (0, 1)", "thresholds", near_centres_up},
      {"null_when_apart", "discs that do not overlap have no normal", "an early exit", null_when_apart},
      {"null_when_absent", "discs beyond the alert distance have no normal", "an early exit", null_when_absent},
      {"always_present", "every pair is present", "a test left out", always_present},
      {"never_present", "no pair is present", "a test left out", never_present},
      {"present_by_overlap", "present is an overlap", "a term left out", present_by_overlap},
      {"present_by_centres", "the alert distance is that of the centres", "the wrong distance", present_by_centres},
      {"present_within_micrometre", "a micrometre beyond is present", "absolute thresholds", present_within_micrometre},
      {"alert_twice", "twice the alert distance", "a factor twice", alert_twice},
      {"alert_added_to_gap", "the gap is that of the grown discs", "a term too many", alert_added_to_gap},
      {"float_centres", "the centres are rounded to float", "single precision storage", float_centres},
      {"float_radii", "the radius of i is rounded to float", "single precision storage", float_radii},
      {"float_gap", "the gap is rounded to float", "single precision storage", float_gap},
      {"float_normal", "the normal is rounded to float", "single precision storage", float_normal},
      {"absolute_epsilon", "a gap below 1e-10 m is none", "absolute thresholds", absolute_epsilon},
      {"touching_is_zero", "a gap below 1e-6 radii is none", "thresholds", touching_is_zero},
      {"fast_root", "the root errs by 1e-7", "an approximate root", fast_root},
      {"gap_just_over", "the gap is off by 24 u of its scale", "a budget without teeth", gap_just_over, nullptr,
       "24 u are less than 1024"},
      {"normal_just_over", "the normal is off by 24 u", "a budget without teeth", normal_just_over, nullptr,
       "24 u are less than 1024"},
      {"alert_of_the_vector", "four pairs share the alert distance of the first", "a uniform in SIMD", none,
       field_of_the_first<right, &Case::alert>},
      {"in_pairs", "the last of an odd number is left out", "a SIMD loop without its tail", none, in_pairs},
  };
  return list;
}

}  // namespace demeter::disc_disc_contact::mutants
