// Contact of two capsules by formulas of other sources and codes: D (Woo's documentation), W (Woo's code), G
// (geometric), and W with a less accurate distance.
// Source: docs/mathematics/capsules.md#capsule_contact-formulas-as-printed.
#pragma once

#include "reference/printed/segment_distance.hpp"
#include "reference/segment_distance.hpp"
#include "reference/spec/capsule_contact.hpp"
#include "reference/spec/core/erratum.hpp"
#include "reference/spec/core/formula.hpp"

#include <array>

namespace demeter::capsule_contact::printed {

/// A point P1 of axis 1, a point P2 of axis 2, the vector v from P1 to P2, and its length d.
template <class Scalar>
struct Pair {
  Vector3<Scalar> P1, P2, v;
  Scalar d;
};

template <real_scalar Scalar>
Pair<Scalar> pair_of(Vector3<Scalar> const& P1, Vector3<Scalar> const& P2) {
  using std::sqrt;
  Vector3<Scalar> const v = P2 - P1;
  return {P1, P2, v, sqrt(v.dot(v))};
}

/// Returns the capsules' axes as segments: p for capsule 1, q for capsule 2.
template <class Scalar>
segment_distance::Input<Scalar> axes(Input<Scalar> const& in) {
  return {in.centre1 - in.half1, in.centre1 + in.half1, in.centre2 - in.half2, in.centre2 + in.half2};
}

template <real_scalar Scalar>
Pair<Scalar> pair_at(Input<Scalar> const& in, Scalar const& s, Scalar const& t) {
  Scalar const one(1), two(2);
  return pair_of<Scalar>(in.centre1 + in.half1 * (two * s - one), in.centre2 + in.half2 * (two * t - one));
}

template <real_scalar Scalar>
Pair<Scalar> closest_pair(Input<Scalar> const& in) {
  segment_distance::reference::Pair<Scalar> const closest = segment_distance::reference::closest_pair(axes(in));
  return pair_at<Scalar>(in, closest.s, closest.t);
}

/// Returns the closest pair of each of the four ends (1-, 1+, 2-, 2+) with the other axis.
template <real_scalar Scalar>
std::array<Pair<Scalar>, 4> end_pairs(Input<Scalar> const& in) {
  segment_distance::Input<Scalar> const ends = axes(in);
  Vector3<Scalar> const A = ends.p1 - ends.p0, B = ends.q1 - ends.q0;
  auto const on_axis = [](Vector3<Scalar> const& end, Vector3<Scalar> const& from, Vector3<Scalar> const& along) {
    return Vector3<Scalar>(from + along * segment_distance::reference::point_segment<Scalar>(end, from, along).second);
  };
  return {
      pair_of<Scalar>(ends.p0, on_axis(ends.p0, ends.q0, B)), pair_of<Scalar>(ends.p1, on_axis(ends.p1, ends.q0, B)),
      pair_of<Scalar>(on_axis(ends.q0, ends.p0, A), ends.q0), pair_of<Scalar>(on_axis(ends.q1, ends.p0, A), ends.q1)};
}

/// Returns a bit mask. Bit i is set if the distance of end i (in the order 1-, 1+, 2-, 2+) from the other axis is less
/// than R.
template <class Scalar>
unsigned overlapping_ends(std::array<Pair<Scalar>, 4> const& ends, Scalar const& R) {
  unsigned mask = 0;
  for (std::size_t i = 0; i < 4; ++i)
    if (ends[i].d < R) mask |= 1U << i;
  return mask;
}

inline unsigned count(unsigned mask) { return (mask & 1) + (mask >> 1 & 1) + (mask >> 2 & 1) + (mask >> 3 & 1); }

/// Returns the middle of the overlap of the spheres about P1 and P2.
template <class Scalar>
Vector3<Scalar> lens_point(Input<Scalar> const& in, Pair<Scalar> const& pair) {
  Scalar const two(2);
  return (pair.P1 + pair.P2) / two + pair.v * ((in.radius1 - in.radius2) / (two * pair.d));
}

template <class Scalar>
Status status_of(Scalar const& uN) {
  return uN < Scalar(0) ? Status::overlapping : Status::separated;
}

/// Formula G: the contact is computed from the closest pair; the point is the middle of the overlap of the spheres
/// about this pair. The force is the gradient of k uN^2 / 2. The torque jumps when the axes pass through the parallel
/// position.
template <real_scalar Scalar>
Output<Scalar> geometric(Input<Scalar> const& in) {
  Pair<Scalar> const closest = closest_pair(in);
  Scalar const uN = closest.d - (in.radius1 + in.radius2);
  return {uN, closest.v / closest.d, lens_point(in, closest), status_of(uN)};
}

/// Formula D: if two or more ends overlap, the point and the normal are weighted means over the overlapping ends. The
/// weights are R - d_i. If `normalised` is false, the mean normal keeps its length, which is less than 1.
template <real_scalar Scalar>
Output<Scalar> interpolated(Input<Scalar> const& in, bool normalised) {
  using std::sqrt;
  Output<Scalar> out = geometric(in);
  Scalar const zero(0), R = in.radius1 + in.radius2;
  std::array<Pair<Scalar>, 4> const ends = end_pairs(in);
  unsigned const mask = overlapping_ends(ends, R);
  if (count(mask) < 2) return out;
  Scalar sum(0);
  out.point = out.normal = Vector3<Scalar>(zero, zero, zero);
  for (std::size_t i = 0; i < 4; ++i) {
    if ((mask >> i & 1) == 0) continue;
    Scalar const weight = R - ends[i].d;
    sum += weight;
    out.point += lens_point(in, ends[i]) * weight;
    out.normal += ends[i].v * (weight / ends[i].d);
  }
  out.point /= sum;
  out.normal /= normalised ? Scalar(sqrt(out.normal.dot(out.normal))) : sum;
  return out;
}

/// Formula W: the overlap and the normal are those of the given closest pair. The point is a weighted mean over the
/// overlapping ends. Each end contributes the point P1 + (r1 / R) v of its pair. If three ends overlap, a table selects
/// two of them.
template <real_scalar Scalar>
Output<Scalar> woo(Input<Scalar> const& in, Pair<Scalar> const& closest) {
  constexpr std::array<unsigned, 16> chosen{0, 0,     0,     1 + 2, 0,     1 + 4, 2 + 4, 1 + 2,
                                            0, 1 + 8, 2 + 8, 1 + 2, 4 + 8, 4 + 8, 4 + 8, 15};
  Scalar const R = in.radius1 + in.radius2, uN = closest.d - R;
  Vector3<Scalar> const normal = closest.v / closest.d;
  std::array<Pair<Scalar>, 4> const ends = end_pairs(in);
  unsigned const mask = overlapping_ends(ends, R), used = chosen[mask];
  Vector3<Scalar> point = closest.P1 + normal * (in.radius1 + uN / Scalar(2));
  if (used != 0) {
    Scalar sum(0);
    point = Vector3<Scalar>(Scalar(0), Scalar(0), Scalar(0));
    for (std::size_t i = 0; i < 4; ++i) {
      if ((used >> i & 1) == 0) continue;
      Scalar const weight = R - ends[i].d;
      sum += weight;
      point += (ends[i].P1 + ends[i].v * (in.radius1 / R)) * weight;
    }
    point /= sum;
  }
  return {uN, normal, point, status_of(uN)};
}

inline auto formulas() {
  return std::tuple{
      Formula{"documented", "D: point and normal weighted over the overlapping ends (Woo's documentation)",
              FormulaKind::model, []<class Scalar>(Input<Scalar> const& in) { return interpolated(in, true); }},
      Formula{"documented_raw", "D with its normal as interpolated, not normalised (the text of Woo's documentation)",
              FormulaKind::mistake, []<class Scalar>(Input<Scalar> const& in) { return interpolated(in, false); }},
      Formula{"woo", "W: point weighted over two or four ends, overlap and normal of the closest pair (Woo's code)",
              FormulaKind::model, []<class Scalar>(Input<Scalar> const& in) { return woo(in, closest_pair(in)); }},
      Formula{"geometric", "G: closest pair and lens point; conserves energy", FormulaKind::model,
              []<class Scalar>(Input<Scalar> const& in) { return geometric(in); }},
      Formula{"threshold", "W on the closest pair of Wild Magic 5, parallel if 1 - cos^2 < 1e-8 (Woo as it runs)",
              FormulaKind::mistake,
              []<class Scalar>(Input<Scalar> const& in) {
                segment_distance::Output<Scalar> const pair = segment_distance::printed::threshold(axes(in));
                return woo(in, pair_at<Scalar>(in, pair.s, pair.t));
              }},
  };
}

inline std::vector<Erratum> errata() {
  return {
      Erratum{.where = "why the contact point jumps",
              .documented = "because the shaft is not convex",
              .recommended = "A cylinder is convex, but not strictly convex. Parallel axes have many closest pairs, so "
                             "the point can jump."},
      Erratum{.where = "weights",
              .documented = "d_i - R, which is negative for every end that overlaps",
              .implemented = "R - d_i",
              .codes = {published::woo_capsules},
              .recommended = "R - d_i for ends that overlap, and 0 for the others"},
      Erratum{.where = "normal",
              .documented = "the weighted mean of unit normals, which is shorter than 1",
              .implemented = "the normal of the closest pair",
              .codes = {published::woo_capsules},
              .recommended = "a normal of length 1"},
      Erratum{.where = "crossing shafts",
              .documented = "not stated for the case that no end overlaps",
              .implemented = "the closest pair",
              .codes = {published::woo_capsules},
              .recommended = "the closest pair"},
      Erratum{.where = "continuity",
              .documented = "“the result is continuous”",
              .implemented = "the contact point jumps when another end begins to overlap",
              .codes = {published::woo_capsules},
              .recommended = "formula C: its point is continuous as long as the capsules overlap"},
      Erratum{.where = "middle of the intersection",
              .documented = "the middle of the segment in the intersection volume",
              .implemented = "P1 + (r1/R) v, which divides the distance in proportion to the radii",
              .codes = {published::woo_capsules},
              .recommended = "the middle of the lens; it differs from the implemented point by |uN| |r1/R - 1/2|"},
      Erratum{.where = "uN",
              .documented = "uN is called the overlap",
              .implemented = "the overlap is -uN",
              .codes = {published::woo_capsules},
              .recommended = "the overlap is -uN"},
      Erratum{.where = "axes that touch or coincide",
              .documented = "the sign of n is not stated, and n is not defined for d = 0",
              .recommended = "n is defined for d = 0 too"},
  };
}

}  // namespace demeter::capsule_contact::printed
