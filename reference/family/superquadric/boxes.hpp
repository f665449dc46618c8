// The growth distance of the boxes of two superquadrics.
// Source: docs/mathematics/superquadrics.md#superquadric_contact-recommended-formula.
#pragma once

#include "reference/family/superquadric/gauge.hpp"

namespace demeter::superquadric::reference {

/// Returns the largest |L.d| / (r_i(L) + r_j(L)) over the 15 axes L of two boxes. r(L) is half of a box's extent along
/// L. For any vector L, the quotient is at most the growth distance. An inaccurate L close to 0 is therefore harmless.
template <power_scalar Scalar>
Scalar growth_of_boxes(Body<Scalar> const& i, Body<Scalar> const& j) {
  Scalar const zero(0);
  Vector3<Scalar> const d = j.centre - i.centre;
  Scalar largest(0);
  auto const consider = [&](Vector3<Scalar> const& axis) {
    Scalar reach(0);
    for (Index k = 0; k < 3; ++k)
      reach += i.shape.semi_axes[k] * magnitude<Scalar>(axis.dot(i.R.col(k))) +
               j.shape.semi_axes[k] * magnitude<Scalar>(axis.dot(j.R.col(k)));
    if (!(zero < reach)) return;
    Scalar const growth = magnitude<Scalar>(axis.dot(d)) / reach;
    if (largest < growth) largest = growth;
  };
  for (Index k = 0; k < 3; ++k) {
    consider(i.R.col(k));
    consider(j.R.col(k));
    for (Index l = 0; l < 3; ++l) consider(i.R.col(k).cross(j.R.col(l)));
  }
  return largest;
}

}  // namespace demeter::superquadric::reference
