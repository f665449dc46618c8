// Contact of a capsule with a wall by formulas of other sources.
#pragma once

#include "reference/spec/core/erratum.hpp"
#include "reference/spec/core/formula.hpp"
#include "reference/spec/wall_capsule_contact.hpp"

#include <array>

namespace demeter::wall_capsule_contact::printed {

template <class Scalar>
std::array<Scalar, 2> gaps(Input<Scalar> const& in) {
  Index const k = axis_of(in);
  return {in.sense * (in.centre[k] - in.half[k] - in.wall) - in.radius,
          in.sense * (in.centre[k] + in.half[k] - in.wall) - in.radius};
}

/// Returns the contact with these uN and lambda. The contact point is centre + lambda half, moved along the axis of the
/// wall to the height `middle` above the wall.
template <class Scalar>
Output<Scalar> contact(Input<Scalar> const& in, Scalar const& uN, Scalar const& lambda, Scalar const& middle) {
  Index const k = axis_of(in);
  Scalar const zero(0);
  auto const [g0, g1] = gaps(in);
  Vector3<Scalar> normal(zero, zero, zero), point = in.centre + lambda * in.half;
  normal[k] = in.sense;
  point[k] = in.wall + in.sense * middle;
  int const overlapping = (g0 < zero ? 1 : 0) + (g1 < zero ? 1 : 0);
  return {uN, normal, point, static_cast<Status>(overlapping)};
}

/// Woo's formula. If the gaps have opposite signs, the overlapping end has the weight 1. Otherwise the weights of the
/// ends are g_i / (g0 + g1), exchanged if g0 > 0. uN and the point use these weights.
/// - If both ends overlap, uN is -(a0^2 + a1^2)/(a0 + a1) with the overlaps a_i. The overlap shrinks when the second
///   end begins to overlap.
/// - If neither end overlaps, uN is the harmonic mean of the gaps.
/// - If g0 is exactly 0, the weights are not exchanged: the other end has the weight 1.
/// - Two gaps of 0 give a division by 0.
template <real_scalar Scalar>
Output<Scalar> woo(Input<Scalar> const& in) {
  auto const [g0, g1] = gaps(in);
  Scalar const zero(0);
  Scalar w0, w1;
  if ((g0 < zero && zero < g1) || (zero < g0 && g1 < zero)) {
    w0 = Scalar(g0 < zero ? 1 : 0);
    w1 = Scalar(g1 < zero ? 1 : 0);
  } else {
    Scalar const sum = g0 + g1;
    w0 = g0 / sum;
    w1 = g1 / sum;
    if (zero < g0) std::swap(w0, w1);
  }
  Scalar const uN = w0 * g0 + w1 * g1, lambda = w1 - w0;
  return contact<Scalar>(in, uN, lambda, uN / 2);
}

/// A spring at each end. The total force is F = k (a0 + a1) with the overlaps a_i, the gradient of k (a0^2 + a1^2)/2.
/// The overlap is a0 + a1. The point is the same as in the recommended formula.
template <real_scalar Scalar>
Output<Scalar> conservative(Input<Scalar> const& in) {
  auto const [g0, g1] = gaps(in);
  Scalar const zero(0), least = g1 < g0 ? g1 : g0, middle = least / 2;
  Scalar const a0 = g0 < zero ? Scalar(-g0) : zero, a1 = g1 < zero ? Scalar(-g1) : zero;
  if (zero < a0 + a1) {
    Scalar const both = a0 + a1;
    return contact<Scalar>(in, -both, Scalar((a1 - a0) / both), middle);
  }
  Scalar const lambda(g0 < g1 ? -1 : g1 < g0 ? 1 : 0);
  return contact<Scalar>(in, least, lambda, middle);
}

inline auto formulas() {
  return std::tuple{
      Formula{"woo", "Woo's weights of the two ends", FormulaKind::model,
              []<class Scalar>(Input<Scalar> const& in) { return woo(in); }},
      Formula{"conservative", "a spring at each end: the force has a potential", FormulaKind::model,
              []<class Scalar>(Input<Scalar> const& in) { return conservative(in); }},
  };
}

inline std::vector<Erratum> errata() {
  return {
      Erratum{
          .where = "both ends overlap",
          .documented = "not stated",
          .implemented =
              "uN = -(a0^2 + a1^2)/(a0 + a1): the overlap -uN decreases when the second end is pushed into the wall",
          .codes = {published::woo_capsules},
          .recommended = "uN = -max(a0, a1)",
          .figures =
              {{.what = "depths of the ends: 1 and sqrt(2) - 1",
                .input =
                    R"({"wall":0,"axis":2,"sense":1,"centre":[0,0,1.2928932188134525],"half":[1,0,0.29289321881345254],"radius":2})",
                .column = "uN",
                .values = {{"woo", "-0.828427"}, {"reference", "-1"}}}}},
  };
}

}  // namespace demeter::wall_capsule_contact::printed
