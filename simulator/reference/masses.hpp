// Masses and moments of bodies, computed by the formulas of the kernels. Only masses.cpp compiles these formulas, in
// every arithmetic.
#pragma once

#include "simulator/reference/quaternion.hpp"
#include "simulator/spec/scene.hpp"

#include <optional>
#include <vector>

namespace demeter::simulator::reference {

template <turning_scalar Scalar>
Quaternion<Scalar> quaternion_of(Orientation<Scalar> const& orientation) {
  if (!orientation.axis) return normalised<Scalar>(orientation.quaternion);
  return exponential<Scalar>(Vector3<Scalar>(Scalar(orientation.angle / orientation.axis->norm()) * *orientation.axis));
}

/// Mass, centre of mass, principal moments and principal axes of a body, in the frame of its members.
template <class Scalar>
struct Inertia {
  Scalar mass;
  Vector3<Scalar> centroid, moments;
  Quaternion<Scalar> axes;
};

/// Returns the inertia by the mass rule of the body: given values, sum of the members, or union of the members.
/// `members` are all members of the body. `density` is the density of its material.
template <turning_scalar Scalar>
Inertia<Scalar> inertia_of(Body<Scalar> const& body, std::vector<Member<Scalar>> const& members,
                           std::optional<Scalar> const& density);

}  // namespace demeter::simulator::reference
