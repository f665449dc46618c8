// Contact of a disc and a segment by formulas of other sources.
#pragma once

#include "reference/spec/core/erratum.hpp"
#include "reference/spec/core/formula.hpp"
#include "reference/spec/disc_segment_contact.hpp"

namespace demeter::disc_segment_contact::printed {

/// Returns the contact with the infinite line. s_t is the position of the foot as a share of the segment; `along`
/// receives it. The normal is n = s - s_t t as printed: it is in metres, and its length is not 1. The gap is |n| - r.
/// There is a contact if 0 <= s_t <= 1 and the gap is less than the alert distance.
template <real_scalar Scalar>
Output<Scalar> line(Input<Scalar> const& in, Scalar& along) {
  using std::sqrt;
  Scalar const zero(0), one(1);
  Vector2<Scalar> const t = in.p1 - in.p0, s = in.centre - in.p0;
  along = (s[0] * t[0] + s[1] * t[1]) / (t[0] * t[0] + t[1] * t[1]);
  Vector2<Scalar> const n = s - along * t;
  Scalar const gap = sqrt(Scalar(n[0] * n[0] + n[1] * n[1])) - in.radius;
  bool const within = !(along < zero) && !(one < along);
  return {gap, n, Feature::interior, within && gap < in.alert ? Present::yes : Present::no};
}

template <real_scalar Scalar>
Output<Scalar> documented(Input<Scalar> const& in) {
  Scalar along;
  return line(in, along);
}

/// Adds the "boundary disks" of radius 0 at the ends. They are used only in the printed ranges of s_t outside [0, 1].
/// Beyond these ranges there is no contact.
template <real_scalar Scalar>
Output<Scalar> documented_disks(Input<Scalar> const& in) {
  using std::sqrt;
  Scalar along;
  Output<Scalar> out = line(in, along);
  Scalar const zero(0), one(1);
  bool const before = along < zero;
  if (!before && !(one < along)) return out;
  Vector2<Scalar> const t = in.p1 - in.p0, from = in.centre - (before ? in.p0 : in.p1);
  Scalar const distance = sqrt(Scalar(from[0] * from[0] + from[1] * from[1])),
               beyond = in.radius / sqrt(Scalar(t[0] * t[0] + t[1] * t[1]));
  bool const within = before ? !(along < -beyond) : !(one + beyond < along);
  out.gap = distance - in.radius;
  out.normal = Vector2<Scalar>(from[0] / distance, from[1] / distance);
  out.feature = before ? Feature::end0 : Feature::end1;
  out.present = within && out.gap < in.alert ? Present::yes : Present::no;
  return out;
}

inline auto formulas() {
  return std::tuple{
      Formula{
          "documented",
          "distance from the infinite line, a contact where 0 <= s_t <= 1; the normal as printed, not divided by its "
          "length",
          FormulaKind::mistake,
          []<class Scalar>(Input<Scalar> const& in) { return documented(in); },
          {"feature"}},
      Formula{"documented_disks", "the same, with discs of radius 0 at the ends in the ranges that are printed of them",
              FormulaKind::mistake, []<class Scalar>(Input<Scalar> const& in) { return documented_disks(in); }},
  };
}

inline std::vector<Erratum> errata() {
  // A disc of radius 1 that rests on y = 0. The two segments meet at x = 3/4.
  constexpr std::string_view behind = R"({"centre":[0,1],"radius":1,"p0":[-4,0],"p1":[0.75,0],"alert":0.5})",
                             ahead = R"({"centre":[0,1],"radius":1,"p0":[0.75,0],"p1":[5,0],"alert":0.5})";
  return {
      Erratum{.where = "normal n",
              .documented = "n = s - s_t, in metres",
              .implemented = "v_n comes out times the distance of the centre, and of touching bodies what the velocity "
                             "changes by times its square",
              .recommended = "n = (s - s_t)/|s - s_t|, from the segment to the centre; none where the centre is on it",
              .figures = {{.what = "a disc of radius 1, its centre 3/4 above the segment",
                           .input = R"({"centre":[0.5,0.75],"radius":1,"p0":[0,0],"p1":[1,0],"alert":0})",
                           .column = "normal[1]",
                           .values = {{"documented", "0.75"}, {"reference", "1"}}}}},
      Erratum{.where = "sides of a segment",
              .documented = "not stated",
              .implemented = "n points to where the centre is: once it has passed the segment, out on the other side",
              .recommended =
                  "the same: a segment has two sides. A step in which no centre passes it, by an alert distance "
                  "of at least the speed times the step",
              .figures = {{.what = "the centre 1/4 above the segment",
                           .input = R"({"centre":[0.5,0.25],"radius":1,"p0":[0,0],"p1":[1,0],"alert":0})",
                           .column = "normal[1]",
                           .values = {{"documented", "0.25"}, {"reference", "1"}}},
                          {.what = "1/4 below it",
                           .input = R"({"centre":[0.5,-0.25],"radius":1,"p0":[0,0],"p1":[1,0],"alert":0})",
                           .column = "normal[1]",
                           .values = {{"documented", "-0.25"}, {"reference", "-1"}}}}},
      Erratum{
          .where = "s_t",
          .documented = "s_t = (s.t/|t|^2) t = s_t t, a vector and a number at once; \"the projection\" is checked by "
                        "0 <= s_t <= 1",
          .recommended = "the number is s.t/|t|^2; whether the foot is within is 0 < s.t < |t|^2, without a division"},
      Erratum{
          .where = "range of the disks at the ends",
          .documented = "-r/|t| <= s_t < 0 and 1 < s_t <= 1 + r/|t|",
          .implemented = "what comes to an end along the segment is no contact before it touches, whatever the alert "
                         "distance",
          .recommended = "-(r + alert)/|t| <= s_t < 0, or no range at all: the gap decides",
          .figures = {{.what = "a disc of radius 1 at 5/4 from an end, on the line, alert distance 1/2 (0 no, 1 yes)",
                       .input = R"({"centre":[-1.25,0],"radius":1,"p0":[0,0],"p1":[1,0],"alert":0.5})",
                       .column = "present",
                       .values = {{"documented", "0"}, {"documented_disks", "0"}, {"reference", "1"}}}}},
      Erratum{.where = "closed range 0 <= s_t <= 1",
              .documented = "a contact at s_t = 0 and at s_t = 1, and a disk at each end",
              .implemented = "above a joint three contacts are the same: both segments and the disk",
              .recommended = "a joint once: of contacts whose feature is the same end of the boundary, one",
              .figures = {{.what = "a disc above the joint of two segments, the first of them (0 no, 1 yes)",
                           .input = R"({"centre":[0,1],"radius":1,"p0":[-4,0],"p1":[0,0],"alert":0.5})",
                           .column = "present",
                           .values = {{"documented", "1"}, {"reference", "1"}}},
                          {.what = "the second",
                           .input = R"({"centre":[0,1],"radius":1,"p0":[0,0],"p1":[5,0],"alert":0.5})",
                           .column = "present",
                           .values = {{"documented", "1"}, {"reference", "1"}}},
                          {.what = "of the first the nearest is (2: end1)",
                           .input = R"({"centre":[0,1],"radius":1,"p0":[-4,0],"p1":[0,0],"alert":0.5})",
                           .column = "feature",
                           .values = {{"reference", "2"}}},
                          {.what = "of the second (1: end0)",
                           .input = R"({"centre":[0,1],"radius":1,"p0":[0,0],"p1":[5,0],"alert":0.5})",
                           .column = "feature",
                           .values = {{"reference", "1"}}}}},
      Erratum{.where = "a disk at a joint that is flat or turns away: ghost collision",
              .documented = "disks at the ends of all segments",
              .implemented =
                  "a disc that slides along a floor of two segments hits their joint: of radius 1, 3/4 before it, "
                  "at the speed (1, 0) and with a step of 1/2 it is corrected by 1/10, to (47/50, 2/25). "
                  "At the distance l before the joint, with the gap d, that is so for u dt > d (d + r)/l = 5/12",
              .recommended = "an end's contact only if s_t is outside [0, 1] for every segment that ends there",
              .figures = {{.what = "the segment behind, on which it rests",
                           .input = behind,
                           .column = "gap",
                           .values = {{"documented", "0"}, {"reference", "0"}}},
                          {.what = "the segment ahead, of which the joint is nearest",
                           .input = ahead,
                           .column = "gap",
                           .values = {{"documented", "0"}, {"documented_disks", "0.25"}, {"reference", "0.25"}}},
                          {.what = "the normal there has a component against the motion",
                           .input = ahead,
                           .column = "normal[0]",
                           .values = {{"documented_disks", "-0.6"}, {"reference", "-0.6"}}},
                          {.what = "and it is present (0 no, 1 yes)",
                           .input = ahead,
                           .column = "present",
                           .values = {{"documented", "0"}, {"documented_disks", "1"}, {"reference", "1"}}}}},
  };
}

}  // namespace demeter::disc_segment_contact::printed
