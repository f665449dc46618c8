// The Open Dynamics Engine, in double precision.
#include "reference/spec/capsule_mass_properties.hpp"
#include "reference/spec/clump_force_torque.hpp"
#include "reference/spec/segment_distance.hpp"
#include "subjects/core/prepared.hpp"

#include <ode/ode.h>
#include <ode/odemath.h>
#include <ode/version.h>

namespace demeter::peers {
namespace {

static_assert(sizeof(dReal) == sizeof(double), "the double precision ODE is meant");

Answering mass_properties() {
  using namespace capsule_mass_properties;
  return answer_with<Contract>("dMassSetCapsule along x (direction 1); it gives no volume",
                               [](Input<double> const& in, Output<double>& out) -> char const* {
                                 dMass mass;
                                 dMassSetCapsule(&mass, in.density, 1, in.radius, in.shaft);
                                 out.mass = mass.mass;
                                 out.ixx = mass.I[0];
                                 out.iyy = mass.I[5];
                                 return nullptr;
                               });
}

Answering distance() {
  using namespace segment_distance;
  struct Native {
    dVector3 p0, p1, q0, q1;
  };
  return answer_prepared<Contract>(
      "dClosestLineSegmentPoints, then dCalcPointsDistance3 of the two points; it gives no parameters",
      [](Input<double> const& in) -> Native {
        return {{in.p0[0], in.p0[1], in.p0[2]},
                {in.p1[0], in.p1[1], in.p1[2]},
                {in.q0[0], in.q0[1], in.q0[2]},
                {in.q1[0], in.q1[1], in.q1[2]}};
      },
      [](Native const& native, Output<double>& out) -> char const* {
        dVector3 on_p, on_q;
        dClosestLineSegmentPoints(native.p0, native.p1, native.q0, native.q1, on_p, on_q);
        out.distance = dCalcPointsDistance3(on_p, on_q);
        return nullptr;
      });
}

dBodyID body() {
  // On first use, and never closed: ODE's own clean-up at exit is not ours to order.
  static dBodyID const instance = [] {
    dInitODE2(0);
    return dBodyCreate(dWorldCreate());
  }();
  return instance;
}

Answering force_torque() {
  using namespace clump_force_torque;
  return answer_with<Contract>(
      "a body at the centre; dBodyAddForceAtPos and dBodyAddTorque of every member, then dBodyGetForce and "
      "dBodyGetTorque",
      [](Input<double> const& in, Output<double>& out) -> char const* {
        dBodyID const rigid = body();
        dBodySetPosition(rigid, in.centre[0], in.centre[1], in.centre[2]);
        dBodySetForce(rigid, 0, 0, 0);
        dBodySetTorque(rigid, 0, 0, 0);
        for (auto const& member : in.members) {
          dBodyAddForceAtPos(rigid, member.force[0], member.force[1], member.force[2], member.position[0],
                             member.position[1], member.position[2]);
          dBodyAddTorque(rigid, member.torque[0], member.torque[1], member.torque[2]);
        }
        dReal const* const force = dBodyGetForce(rigid);
        dReal const* const torque = dBodyGetTorque(rigid);
        out.force = {force[0], force[1], force[2]};
        out.torque = {torque[0], torque[1], torque[2]};
        return nullptr;
      });
}

}  // namespace

Subject ode();  // declared for others in a generated header

Subject ode() {
  return {.name = "ode",
          .doc = "Open Dynamics Engine, double precision",
          .version = dODE_VERSION,
          .ours = false,
          .answers = {mass_properties(), distance(), force_torque()}};
}

}  // namespace demeter::peers
