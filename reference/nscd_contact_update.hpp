// Reference: one update of a contact. Source: docs/mathematics/nonsmooth.md#nscd_contact_update.
#pragma once

#include "reference/spec/nscd_contact_update.hpp"

namespace demeter::nscd_contact_update::reference {

/// Returns 1/(W m) with W = 1/m_i + 1/m_j and m = `mass`. This is the other mass divided by the sum of both.
template <field_scalar Scalar>
Scalar share(Scalar const& mass, Scalar const& other) {
  if (is_infinite(mass)) return Scalar(0);
  if (is_infinite(other)) return Scalar(1);
  return other / (mass + other);
}

/// Returns the update. It is exact for exact scalars, because all outputs are rational functions of the input.
template <field_scalar Scalar>
Output<Scalar> evaluate(Input<Scalar> const& in) {
  Scalar const zero(0);
  Scalar const vn =
      (in.velocity_i[0] - in.velocity_j[0]) * in.normal[0] + (in.velocity_i[1] - in.velocity_j[1]) * in.normal[1];
  // The speed of approach at which the surfaces touch exactly at the end of the step.
  Scalar const meeting = zero < in.gap ? Scalar(in.gap / in.dt) : zero;
  Scalar const wanting = -(vn + meeting), D = zero < wanting ? wanting : zero;
  Scalar const of_i = D * share(in.mass_i, in.mass_j), of_j = D * share(in.mass_j, in.mass_i);
  return {vn,
          D,
          {in.velocity_i[0] + of_i * in.normal[0], in.velocity_i[1] + of_i * in.normal[1]},
          {in.velocity_j[0] - of_j * in.normal[0], in.velocity_j[1] - of_j * in.normal[1]}};
}

}  // namespace demeter::nscd_contact_update::reference
