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
      Erratum{
          .where = "normal n",
          .documented = "n = s - s_t, a length and not a unit vector",
          .implemented = "v_n is multiplied by the distance of the centre from the segment; for touching bodies, the "
                         "change of velocity is multiplied by the square of this distance",
          .codes = {published::course},
          .recommended =
              "n = (s - s_t)/|s - s_t|, from the segment to the centre; not defined if the centre is on the segment",
          .figures = {{.what = "a disc of radius 1 whose centre is 3/4 above the segment",
                       .input = R"({"centre":[0.5,0.75],"radius":1,"p0":[0,0],"p1":[1,0],"alert":0})",
                       .column = "normal[1]",
                       .values = {{"documented", "0.75"}, {"reference", "1"}}}}},
      Erratum{.where = "sides of a segment",
              .documented = "not stated",
              .implemented = "n points towards the centre. A disc whose centre has passed the segment is pushed out on "
                             "the other side.",
              .codes = {published::course},
              .recommended = "as implemented, because a segment has two sides. The alert distance must be at least "
                             "speed times time step; then no centre passes the segment within a step.",
              .figures = {{.what = "a disc whose centre is 1/4 above the segment",
                           .input = R"({"centre":[0.5,0.25],"radius":1,"p0":[0,0],"p1":[1,0],"alert":0})",
                           .column = "normal[1]",
                           .values = {{"documented", "0.25"}, {"reference", "1"}}},
                          {.what = "a disc whose centre is 1/4 below the segment",
                           .input = R"({"centre":[0.5,-0.25],"radius":1,"p0":[0,0],"p1":[1,0],"alert":0})",
                           .column = "normal[1]",
                           .values = {{"documented", "-0.25"}, {"reference", "-1"}}}}},
      Erratum{
          .where = "s_t",
          .documented = "s_t = (s.t/|t|^2) t = s_t t: s_t is a vector and also a number; 0 <= s_t <= 1 is the test of "
                        "\"the projection\"",
          .recommended =
              "s_t is the number s.t/|t|^2. The foot is on the segment if 0 < s.t < |t|^2, a test without division."},
      Erratum{.where = "range of the discs at the ends",
              .documented = "-r/|t| <= s_t < 0 and 1 < s_t <= 1 + r/|t|",
              .implemented = "a disc that moves along the segment towards an end becomes a contact only when it "
                             "touches the end; the alert distance has no effect",
              .codes = {published::course},
              .recommended = "-(r + alert)/|t| <= s_t < 0, or no range: the gap decides alone",
              .figures = {{.what = "a disc of radius 1 on the line of the segment, 5/4 from its end, with an alert "
                                   "distance of 1/2 (0: no contact, 1: contact)",
                           .input = R"({"centre":[-1.25,0],"radius":1,"p0":[0,0],"p1":[1,0],"alert":0.5})",
                           .column = "present",
                           .values = {{"documented", "0"}, {"documented_disks", "0"}, {"reference", "1"}}}}},
      Erratum{
          .where = "the range 0 <= s_t <= 1 includes both ends",
          .documented = "a contact for s_t = 0 and s_t = 1, and also a disc at each end",
          .implemented = "above a joint, the same contact is found three times: for both segments and for the disc",
          .codes = {published::course},
          .recommended = "one contact per joint: of the contacts whose feature is the same end, keep one",
          .figures = {{.what = "a disc above the joint of two segments: contact with the first segment (0: no, 1: yes)",
                       .input = R"({"centre":[0,1],"radius":1,"p0":[-4,0],"p1":[0,0],"alert":0.5})",
                       .column = "present",
                       .values = {{"documented", "1"}, {"reference", "1"}}},
                      {.what = "the same disc: contact with the second segment",
                       .input = R"({"centre":[0,1],"radius":1,"p0":[0,0],"p1":[5,0],"alert":0.5})",
                       .column = "present",
                       .values = {{"documented", "1"}, {"reference", "1"}}},
                      {.what = "nearest feature of the first segment (2: end1)",
                       .input = R"({"centre":[0,1],"radius":1,"p0":[-4,0],"p1":[0,0],"alert":0.5})",
                       .column = "feature",
                       .values = {{"reference", "2"}}},
                      {.what = "nearest feature of the second segment (1: end0)",
                       .input = R"({"centre":[0,1],"radius":1,"p0":[0,0],"p1":[5,0],"alert":0.5})",
                       .column = "feature",
                       .values = {{"reference", "1"}}}}},
      Erratum{
          .where = "a disc at a joint that is flat or convex: ghost collision",
          .documented = "discs at the ends of all segments",
          .implemented =
              "A disc that slides along a floor of two segments collides with their joint. Example: radius 1, 3/4 "
              "before the joint, velocity (1, 0), time step 1/2. The velocity changes by 1/10, to (47/50, 2/25). At a "
              "distance l before the joint and with the gap d, this happens for u dt > d (d + r)/l, here 5/12.",
          .codes = {published::course},
          .recommended = "a contact with an end only if s_t is outside [0, 1] for every segment that ends there",
          .figures = {{.what = "gap to the segment on which the disc rests",
                       .input = behind,
                       .column = "gap",
                       .values = {{"documented", "0"}, {"reference", "0"}}},
                      {.what = "gap to the next segment, whose nearest point is the joint",
                       .input = ahead,
                       .column = "gap",
                       .values = {{"documented", "0"}, {"documented_disks", "0.25"}, {"reference", "0.25"}}},
                      {.what = "the normal of the next segment has a component against the motion",
                       .input = ahead,
                       .column = "normal[0]",
                       .values = {{"documented_disks", "-0.6"}, {"reference", "-0.6"}}},
                      {.what = "contact with the next segment (0: no, 1: yes)",
                       .input = ahead,
                       .column = "present",
                       .values = {{"documented", "0"}, {"documented_disks", "1"}, {"reference", "1"}}}}},
  };
}

}  // namespace demeter::disc_segment_contact::printed
