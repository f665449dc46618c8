// Reference: the box test of two superquadrics by the 15 possible separating axes of two boxes.
// Source: docs/mathematics/superquadrics.md#superquadric_box_test.
#pragma once

#include "reference/family/superquadric/gauge.hpp"
#include "reference/spec/superquadric_box_test.hpp"

namespace demeter::superquadric_box_test::reference {

using superquadric::reference::magnitude;
using superquadric::reference::rotation;

/// A box centred at the origin: half-lengths, and axes in the columns of R.
template <class Scalar>
struct Box {
  Matrix3<Scalar> R;
  Vector3<Scalar> half;

  Vector3<Scalar> axis(Index k) const { return R.col(k); }
};

/// Returns half of the extent of the box along L: the sum of half_k |L.e_k|.
template <class Scalar>
Scalar reach(Box<Scalar> const& box, Vector3<Scalar> const& L) {
  Scalar sum(0);
  for (Index k = 0; k < 3; ++k) sum += box.half[k] * magnitude<Scalar>(L.dot(box.axis(k)));
  return sum;
}

/// Returns the largest |L.d| / (r_i(L) + r_j(L)) over the axes L. These are the axes of both boxes and the cross
/// products of one axis of each box. r(L) is `reach`. Cross products that are exactly zero are skipped.
template <field_scalar Scalar>
Output<Scalar> evaluate(Input<Scalar> const& in) {
  Scalar const zero(0), one(1);
  Box<Scalar> const i{rotation<Scalar>(in.i.orientation), in.i.semi_axes},
      j{rotation<Scalar>(in.j.orientation), in.j.semi_axes};
  Vector3<Scalar> const d = in.j.position - in.i.position;
  Scalar sigma = zero;
  auto const consider = [&](Vector3<Scalar> const& L) {
    if (!(zero < L.dot(L))) return;
    Scalar const along = magnitude<Scalar>(L.dot(d)) / (reach(i, L) + reach(j, L));
    if (sigma < along) sigma = along;
  };
  for (Index k = 0; k < 3; ++k) consider(i.axis(k));
  for (Index l = 0; l < 3; ++l) consider(j.axis(l));
  for (Index k = 0; k < 3; ++k)
    for (Index l = 0; l < 3; ++l) consider(i.axis(k).cross(j.axis(l)));
  return {sigma, one < sigma ? Separated::yes : Separated::no};
}

}  // namespace demeter::superquadric_box_test::reference
