// Reference: contact of a disc and a segment. Source: docs/mathematics/nonsmooth.md#disc_segment_contact.
#pragma once

#include "reference/spec/disc_segment_contact.hpp"

namespace demeter::disc_segment_contact::reference {

template <real_scalar Scalar>
Output<Scalar> evaluate(Input<Scalar> const& in) {
  using std::sqrt;
  auto const dot = [](Vector2<Scalar> const& a, Vector2<Scalar> const& b) { return Scalar(a[0] * b[0] + a[1] * b[1]); };
  Scalar const zero(0), reach = in.radius + in.alert;
  Vector2<Scalar> const t = in.p1 - in.p0, s = in.centre - in.p0, q = in.centre - in.p1;
  Output<Scalar> out;
  out.feature = !(zero < dot(s, t)) ? Feature::end0 : !(dot(q, t) < zero) ? Feature::end1 : Feature::interior;
  // The position of the centre is measured from the nearer end. Therefore a long segment causes no loss of digits.
  bool const second = out.feature == Feature::end1 || (out.feature == Feature::interior && dot(q, q) < dot(s, s));
  Vector2<Scalar> const from = second ? q : s;
  if (out.feature == Feature::interior) {
    // Twice the area of the triangle of the segment and the centre. The code below divides it by the length of the
    // segment. It is > 0 if the centre is to the left of t.
    Scalar const area = t[0] * from[1] - t[1] * from[0], tt = dot(t, t), length = sqrt(tt);
    Scalar const distance = (area < zero ? -area : area) / length;
    out.gap = distance - in.radius;
    out.present = area * (area / tt) < reach * reach ? Present::yes : Present::no;
    if (zero < area) out.normal = Vector2<Scalar>(-t[1] / length, t[0] / length);
    if (area < zero) out.normal = Vector2<Scalar>(t[1] / length, -t[0] / length);
    return out;
  }
  Scalar const squared = dot(from, from), distance = sqrt(squared);
  out.gap = distance - in.radius;
  out.present = squared < reach * reach ? Present::yes : Present::no;
  if (zero < squared) out.normal = Vector2<Scalar>(from[0] / distance, from[1] / distance);
  return out;
}

}  // namespace demeter::disc_segment_contact::reference
