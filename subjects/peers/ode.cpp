// The Open Dynamics Engine (ODE) in double precision.
#include "reference/spec/capsule_contact.hpp"
#include "reference/spec/capsule_mass_properties.hpp"
#include "reference/spec/clump_force_torque.hpp"
#include "reference/spec/segment_distance.hpp"
#include "subjects/isolation/prepared.hpp"
#include "subjects/peers/peer.hpp"
#include "subjects/peers/pose.hpp"

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

/// Two capsules. They are made once and moved for each case, as in a user's program.
struct CapsulePair {
  dGeomID one, two;

  static CapsulePair const& instance() {
    static CapsulePair const pair = [] {
      dInitODE2(0);
      return CapsulePair{dCreateCapsule(nullptr, 1, 1), dCreateCapsule(nullptr, 1, 1)};
    }();
    return pair;
  }
};

Answering contact() {
  using namespace capsule_contact;
  struct Native {
    Pose one, two;
    double radius1, radius2;
  };
  auto answering = answer_prepared<Contract>(
      "dCollide of two capsules, the deepest contact: with its normal reversed (ODE's points into body 1), uN from its "
      "depth; unsupported where it reports none",
      [](Input<double> const& in) -> Native {
        return {capsule_pose(in.centre1, in.half1), capsule_pose(in.centre2, in.half2), in.radius1, in.radius2};
      },
      [](Native const& native, Output<double>& out) -> char const* {
        auto const place = [](dGeomID geom, Pose const& pose, double radius) {
          auto const& r = pose.rotation;
          dMatrix3 const rotation = {r(0, 0), r(0, 1), r(0, 2), 0,       r(1, 0), r(1, 1),
                                     r(1, 2), 0,       r(2, 0), r(2, 1), r(2, 2), 0};
          dGeomCapsuleSetParams(geom, radius, pose.length);
          dGeomSetPosition(geom, pose.centre[0], pose.centre[1], pose.centre[2]);
          dGeomSetRotation(geom, rotation);
        };
        CapsulePair const& pair = CapsulePair::instance();
        place(pair.one, native.one, native.radius1);
        place(pair.two, native.two, native.radius2);
        constexpr int most = 4;
        dContactGeom contacts[most];
        int const found = dCollide(pair.one, pair.two, most, contacts, sizeof(dContactGeom));
        if (found == 0) return "ODE reports no contact";
        int deepest = 0;
        for (int i = 1; i < found; ++i)
          if (contacts[i].depth > contacts[deepest].depth) deepest = i;
        dContactGeom const& contact = contacts[deepest];
        out.uN = -contact.depth;
        out.normal = {-contact.normal[0], -contact.normal[1], -contact.normal[2]};
        out.point = {contact.pos[0], contact.pos[1], contact.pos[2]};
        return nullptr;
      });
  answering.formula = "geometric";
  return without_output<Contract>(answering, "status");
}

dBodyID body() {
  // Made on first use and never closed, because ODE cleans up at exit in its own order.
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

Subject ode() {
  return {.name = "ode",
          .doc = "Open Dynamics Engine, double precision",
          .version = dODE_VERSION,
          .home = "https://ode.org",
          .origin = Origin::peer,
          .answers = {mass_properties(), distance(), contact(), force_torque()}};
}

}  // namespace
}  // namespace demeter::peers

void demeter_peer(demeter::Subject& made) { made = demeter::peers::ode(); }
