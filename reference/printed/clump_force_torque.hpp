// Force and torque of a clump by formulas of other sources and codes.
#pragma once

#include "reference/spec/clump_force_torque.hpp"
#include "reference/spec/core/erratum.hpp"
#include "reference/spec/core/formula.hpp"

namespace demeter::clump_force_torque::printed {

/// Woo's documented formula for forceTorqueFromMembers: one plain sum.
template <field_scalar Scalar>
Output<Scalar> documented(Input<Scalar> const& in) {
  Output<Scalar> out{{Scalar(0), Scalar(0), Scalar(0)}, {Scalar(0), Scalar(0), Scalar(0)}};
  for (auto const& member : in.members) {
    out.force += member.force;
    out.torque += member.torque + Vector3<Scalar>(member.position - in.centre).cross(member.force);
  }
  return out;
}

/// Sums the torque about the global origin, then moves it to the centre. Far from the origin, digits are lost.
template <field_scalar Scalar>
Output<Scalar> via_origin(Input<Scalar> const& in) {
  Output<Scalar> out{{Scalar(0), Scalar(0), Scalar(0)}, {Scalar(0), Scalar(0), Scalar(0)}};
  for (auto const& member : in.members) {
    out.force += member.force;
    out.torque += member.torque + member.position.cross(member.force);
  }
  out.torque -= in.centre.cross(out.force);
  return out;
}

inline auto formulas() {
  return std::tuple{
      Formula{"documented", "the documentation's sums (Woo), in the order of the members", FormulaKind::equal,
              []<class Scalar>(Input<Scalar> const& in) { return documented(in); }},
      Formula{"via_origin", "torque about the global origin, then transferred to the centre", FormulaKind::equal,
              []<class Scalar>(Input<Scalar> const& in) { return via_origin(in); }},
  };
}

inline std::vector<Erratum> errata() {
  return {
      Erratum{.where = "example",
              .documented = "the printed resultant is the second of the three printed forces; the third force is 0, "
                            "and the first is not the reaction to the second",
              .recommended = "the resultant is the sum over all members"},
  };
}

}  // namespace demeter::clump_force_torque::printed
