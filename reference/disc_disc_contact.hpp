// Reference: contact of two discs. Source: docs/mathematics/nonsmooth.md#disc_disc_contact.
#pragma once

#include "reference/spec/disc_disc_contact.hpp"

namespace demeter::disc_disc_contact::reference {

template <real_scalar Scalar>
Output<Scalar> evaluate(Input<Scalar> const& in) {
  using std::sqrt;
  Scalar const zero(0), x = in.centre_i[0] - in.centre_j[0], y = in.centre_i[1] - in.centre_j[1];
  Scalar const squared = x * x + y * y, radii = in.radius_i + in.radius_j, reach = radii + in.alert;
  Scalar const distance = sqrt(squared);
  Output<Scalar> out{distance - radii, std::nullopt, squared < reach * reach ? Present::yes : Present::no};
  if (zero < squared) out.normal = Vector2<Scalar>(x / distance, y / distance);
  return out;
}

}  // namespace demeter::disc_disc_contact::reference
