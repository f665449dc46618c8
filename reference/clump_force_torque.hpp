// Reference: resultant of the members' forces and torques.
// Source: docs/mathematics/clumps.md#clump_force_torque.
#pragma once

#include "reference/spec/clump_force_torque.hpp"

namespace demeter::clump_force_torque::reference {

/// Returns F = sum F_i and T = sum T_i + (x_i - c) x F_i. Exact for exact scalars.
template <field_scalar Scalar>
Output<Scalar> evaluate(Input<Scalar> const& in) {
  Output<Scalar> out{{Scalar(0), Scalar(0), Scalar(0)}, {Scalar(0), Scalar(0), Scalar(0)}};
  for (auto const& member : in.members) {
    Vector3<Scalar> const arm = member.position - in.centre;
    out.force += member.force;
    out.torque += member.torque + arm.cross(member.force);
  }
  return out;
}

}  // namespace demeter::clump_force_torque::reference
