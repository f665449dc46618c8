// Reference: mass properties of a capsule.
// Source: docs/mathematics/capsules.md#capsule_mass_properties.
#pragma once

#include "reference/core/scalars.hpp"
#include "reference/spec/capsule_mass_properties.hpp"

namespace demeter::capsule_mass_properties::reference {

/// Returns the properties divided by pi. Only the bounding radius is not divided. All are polynomials and therefore
/// exact for exact scalars.
template <field_scalar Scalar>
Output<Scalar> over_pi(Input<Scalar> const& in) {
  Scalar const r = in.radius, a = in.shaft, rho = in.density;
  Scalar const r2 = r * r, r4 = r2 * r2, a2 = a * a;
  Scalar const volume = r2 * (4 * r + 3 * a) / 3;
  return {
      volume,
      rho * volume,
      rho * r4 * (16 * r + 15 * a) / 30,
      rho * r2 * (32 * r2 * r + 45 * r2 * a + 20 * r * a2 + 5 * a2 * a) / 60,
      r + a / 2,
  };
}

template <real_scalar Scalar>
Output<Scalar> evaluate(Input<Scalar> const& in) {
  Output<Scalar> out = over_pi(in);
  for (Scalar* property : {&out.volume, &out.mass, &out.ixx, &out.iyy}) *property = *property * pi<Scalar>();
  return out;
}

}  // namespace demeter::capsule_mass_properties::reference
