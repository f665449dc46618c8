// Reference: mass, centroid and inertia of a clump, in two passes, and its principal axes by Jacobi rotations.
// Source: docs/mathematics/clumps.md#clump_mass_properties.
#pragma once

#include "reference/core/scalars.hpp"
#include "reference/family/clump/principal_axes.hpp"
#include "reference/spec/clump_mass_properties.hpp"

namespace demeter::clump_mass_properties::reference {

/// Returns m = sum m_i, c = sum m_i x_i / m and, about c, I = sum R_i diag(I_i) R_i^T + m_i (d_i.d_i 1 - d_i d_i^T)
/// with d_i = x_i - c. The second pass subtracts c before it squares. Therefore no digits are lost far from the origin.
template <real_scalar Scalar>
Output<Scalar> evaluate(Input<Scalar> const& in) {
  Scalar mass(0);
  Vector3<Scalar> moment = Vector3<Scalar>::Zero();
  for (auto const& member : in.members) {
    mass += member.mass;
    moment += member.mass * member.position;
  }
  Vector3<Scalar> const centroid = moment / mass;
  Matrix3<Scalar> inertia = Matrix3<Scalar>::Zero();
  for (auto const& member : in.members) {
    Vector3<Scalar> const arm = member.position - centroid;
    inertia += turned<Scalar>(member.inertia, rotation<Scalar>(member.orientation));
    inertia += transferred<Scalar>(member.mass, arm);
  }
  return described<Scalar>(mass, centroid, inertia);
}

// These instances are compiled once, in the .cpp file of the same name: several files use them, and they compile
// slowly.
extern template Output<double> evaluate(Input<double> const&);
extern template Output<long double> evaluate(Input<long double> const&);
extern template Output<Multiprecision> evaluate(Input<Multiprecision> const&);

}  // namespace demeter::clump_mass_properties::reference
