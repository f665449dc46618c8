// Masses and moments of bodies, from the kernels' formulas. Compiled in masses.cpp alone, in every arithmetic.
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

/// Mass, centre and axes of a body in the frame that its members stand in.
template <class Scalar>
struct Inertia {
  Scalar mass;
  Vector3<Scalar> centroid, moments;
  Quaternion<Scalar> axes;
};

/// As the body's rule says: given, of its members, or of their union. `members` are those it has, `density` its
/// material's.
template <turning_scalar Scalar>
Inertia<Scalar> inertia_of(Body<Scalar> const& body, std::vector<Member<Scalar>> const& members,
                           std::optional<Scalar> const& density);

}  // namespace demeter::simulator::reference
