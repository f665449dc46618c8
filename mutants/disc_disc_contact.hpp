// Mutants of disc_disc_contact. Each mutant is `right()` with one defect.
#pragma once

#include "kernels/mutant.hpp"
#include "reference/spec/disc_disc_contact.hpp"

namespace demeter::disc_disc_contact::mutants {

using Case = Input<double>;
using Answer = Output<double>;
using Real = long double;

inline constexpr Defect defects[] = {
    {"centres_alone", "the distance of the centres without the radii", "a missing term"},
    {"radius_j_forgotten", "only one of the two radii", "a missing term"},
    {"radius_i_twice", "one radius is used twice", "right only for equal radii"},
    {"radii_subtracted", "r_i - r_j instead of r_i + r_j", "a wrong sign"},
    {"x_alone", "only the distance along x", "a missing term"},
    {"y_as_x", "x^2 + x^2 instead of x^2 + y^2", "exchanged indices"},
    {"manhattan", "|x| + |y| instead of the distance", "another norm"},
    {"squared", "the square of the distance", "a missing root"},
    {"expanded_square", "|a|^2 - 2 a.b + |b|^2 instead of |a - b|^2", "cancellation far from the origin"},
    {"clamped", "an overlap gives a gap of 0", "max(0, d) in the wrong place"},
    {"size_of_gap", "|d| instead of d", "sign of a result"},
    {"normal_swapped", "x and y of the normal are exchanged", "exchanged indices"},
    {"normal_not_divided", "x_i - x_j is not normalised", "a missing division"},
    {"normal_over_radii", "divided by the sum of the radii instead of the distance", "right only for touching discs"},
    {"normal_of_equal_centres", "equal centres have the normal (1, 0)", "a direction instead of null"},
    {"near_centres_null", "centres within 1e-6 radii have no normal", "a threshold"},
    {"near_centres_up", "centres within 1e-9 radii have the normal (0, 1)", "a threshold"},
    {"null_when_apart", "discs that do not overlap have no normal", "an early exit"},
    {"null_when_absent", "discs beyond the alert distance have no normal", "an early exit"},
    {"always_present", "every pair is reported as present", "a missing test"},
    {"never_present", "no pair is reported as present", "a missing test"},
    {"present_by_overlap", "only overlapping pairs are present", "a missing term"},
    {"present_by_centres", "the alert distance is compared with the distance of the centres", "the wrong distance"},
    {"present_within_micrometre", "pairs up to a micrometre beyond the alert distance are present",
     "absolute thresholds"},
    {"alert_twice", "the alert distance is doubled", "a factor applied twice"},
    {"alert_added_to_gap", "the gap is measured between discs grown by the alert distance", "an extra term"},
    {"absolute_epsilon", "a gap below 1e-10 m counts as 0", "absolute thresholds"},
    {"touching_is_zero", "a gap below 1e-6 radii counts as 0", "a threshold"},
    {"fast_root", "the root has an error of 1e-7", "an approximate root"},
    {"nearly_present", "pairs up to 1e-9 radii beyond the alert distance are present",
     "a tolerance around a threshold"},
    {"nearly_absent", "pairs up to 1e-11 radii below the alert distance are absent", "a tolerance around a threshold"},
    {"nearly_touching", "a gap below 1e-11 radii counts as 0", "a tolerance around a threshold"},
    {"nearly_along_an_axis", "an x below 1e-9 of y counts as 0", "a tolerance around a threshold"},
};
using Chosen = Choice<defects>;

inline Answer evaluate(Case const& in, Chosen const with) {
  Real ix = in.centre_i[0], iy = in.centre_i[1], jx = in.centre_j[0], jy = in.centre_j[1], ri = in.radius_i,
       rj = in.radius_j;
  Real const x = ix - jx;
  Real y = iy - jy;
  if (with("x_alone")) y = 0;
  if (with("y_as_x")) y = x;
  Real square = x * x + y * y;
  if (with("expanded_square")) {
    auto const f = [](Real a) { return static_cast<double>(a); };
    square = f(f(ix) * f(ix) + f(iy) * f(iy)) - 2 * f(f(ix) * f(jx) + f(iy) * f(jy)) + f(f(jx) * f(jx) + f(jy) * f(jy));
    square = std::max(square, Real(0));
  }
  Real d = std::sqrt(square);
  if (with("manhattan")) d = std::fabs(x) + std::fabs(y);
  if (with("squared")) d = square;
  if (with("fast_root")) d *= 1 + 1e-7L;
  Real radii = ri + rj;
  if (with("radius_j_forgotten")) radii = ri;
  if (with("radius_i_twice")) radii = 2 * ri;
  if (with("radii_subtracted")) radii = ri - rj;
  if (with("centres_alone")) radii = 0;
  Real gap = d - radii;
  if (with("clamped")) gap = std::max(gap, Real(0));
  if (with("size_of_gap")) gap = std::fabs(gap);
  if (with("absolute_epsilon") && std::fabs(gap) < 1e-10L) gap = 0;
  if (with("touching_is_zero") && std::fabs(gap) < 1e-6L * radii) gap = 0;
  Real const shown = with("alert_added_to_gap") ? gap - in.alert : gap;
  Answer out{static_cast<double>(shown), std::nullopt, gap < in.alert ? Present::yes : Present::no};
  if (with("nearly_touching") && std::fabs(gap) < 1e-11L * radii) out.gap = 0;
  Real const length = std::sqrt(x * x + y * y);
  bool null = !(length > 0);
  if (with("near_centres_null") && length < 1e-6L * radii) null = true;
  if (with("null_when_apart") && gap > 0) null = true;
  if (with("null_when_absent") && !(gap < in.alert)) null = true;
  if (!null) {
    Real nx = x / length, ny = y / length;
    if (with("normal_swapped")) std::swap(nx, ny);
    if (with("normal_not_divided")) nx = x, ny = y;
    if (with("normal_over_radii")) nx = x / radii, ny = y / radii;
    if (with("nearly_along_an_axis") && std::fabs(x) < 1e-9L * std::fabs(y)) nx = 0;
    if (with("near_centres_up") && length < 1e-9L * radii) nx = 0, ny = 1;
    out.normal = Vector2<double>(static_cast<double>(nx), static_cast<double>(ny));
  } else if (with("normal_of_equal_centres")) {
    out.normal = Vector2<double>(1, 0);
  }
  auto const label = [](bool yes) { return yes ? Present::yes : Present::no; };
  if (with("always_present")) out.present = Present::yes;
  if (with("never_present")) out.present = Present::no;
  if (with("present_by_overlap")) out.present = label(gap < 0);
  if (with("present_by_centres")) out.present = label(length < in.alert);
  if (with("present_within_micrometre")) out.present = label(gap < in.alert + 1e-6L);
  if (with("nearly_present")) out.present = label(gap < in.alert + 1e-9L * radii);
  if (with("nearly_absent")) out.present = label(gap < in.alert - 1e-11L * radii);
  if (with("alert_twice")) out.present = label(gap < 2 * static_cast<Real>(in.alert));
  return out;
}

inline Answer right(Case const& in) { return evaluate(in, {}); }

inline Mutants mutants() {
  Distortions const distortions{.read_as_float = "centre_i radius_i",
                                .shared_by_four = "alert",
                                .as_float = "gap normal",
                                .negated = "gap normal",
                                .just_over = "gap normal"};
  return make_mutants<Contract>(evaluate, distortions);
}

}  // namespace demeter::disc_disc_contact::mutants
