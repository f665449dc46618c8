// Answers of the Flexible Collision Library (FCL), for the peers fcl and fcl_tight.
#pragma once

#include "reference/spec/capsule_contact.hpp"
#include "reference/spec/capsule_mass_properties.hpp"
#include "reference/spec/segment_distance.hpp"
#include "subjects/isolation/prepared.hpp"
#include "subjects/peers/peer.hpp"
#include "subjects/peers/pose.hpp"

#include <fcl/config.h>
#include <fcl/geometry/shape/capsule.h>
#include <fcl/narrowphase/collision.h>
#include <fcl/narrowphase/detail/primitive_shape_algorithm/capsule_capsule.h>

#include <algorithm>
#include <string>
#include <utility>

namespace demeter::peers {

inline Answering mass_properties() {
  using namespace capsule_mass_properties;
  struct Native {
    fcl::Capsuled capsule;
    double density;
  };
  return answer_prepared<Contract>(
      "Capsule::computeVolume and computeMomentofInertia; the inertia is for density 1 and is multiplied in the "
      "adapter; the axis is z",
      [](Input<double> const& in) -> Native {
        return {fcl::Capsuled(in.radius, in.shaft), in.density};
      },
      [](Native const& native, Output<double>& out) -> char const* {
        out.volume = native.capsule.computeVolume();
        fcl::Matrix3d const inertia = native.capsule.computeMomentofInertia();
        out.ixx = native.density * inertia(2, 2);
        out.iyy = native.density * inertia(0, 0);
        return nullptr;
      });
}

fcl::Transform3d transform(Pose const& pose) {
  fcl::Transform3d result = fcl::Transform3d::Identity();
  result.linear() = Eigen::Map<fcl::Matrix3d const>(pose.rotation.data());
  result.translation() = Eigen::Map<fcl::Vector3d const>(pose.centre.data());
  return result;
}

inline Answering distance() {
  using namespace segment_distance;
  struct Native {
    fcl::Capsuled p, q;
    fcl::Transform3d pose_p, pose_q;
  };
  return answer_prepared<Contract>(
      "fcl::detail::capsuleCapsuleDistance of capsules of radius 0; centre, rotation and length from the end points",
      [](Input<double> const& in) -> Native {
        Pose const p = segment_pose(in.p0, in.p1), q = segment_pose(in.q0, in.q1);
        return {fcl::Capsuled(0, p.length), fcl::Capsuled(0, q.length), transform(p), transform(q)};
      },
      [](Native const& native, Output<double>& out) -> char const* {
        fcl::Vector3d on_p, on_q;
        fcl::detail::capsuleCapsuleDistance<double>(native.p, native.pose_p, native.q, native.pose_q, &out.distance,
                                                    &on_p, &on_q);
        return nullptr;
      });
}

/// `gjk_tolerance` is the setting of FCL's search for the closest points, an absolute length.
inline Answering contact(double gjk_tolerance, std::string settings) {
  using namespace capsule_contact;
  struct Native {
    fcl::Capsuled one, two;
    fcl::Transform3d pose1, pose2;
  };
  auto answering = answer_prepared<Contract>(
      "fcl::collide with contacts: uN from the penetration depth of the deepest; unsupported where it reports none",
      [](Input<double> const& in) -> Native {
        Pose const one = capsule_pose(in.centre1, in.half1), two = capsule_pose(in.centre2, in.half2);
        return {fcl::Capsuled(in.radius1, one.length), fcl::Capsuled(in.radius2, two.length), transform(one),
                transform(two)};
      },
      [gjk_tolerance](Native const& native, Output<double>& out) -> char const* {
        fcl::CollisionRequestd request(4, true);
        request.gjk_tolerance = gjk_tolerance;
        fcl::CollisionResultd result;
        fcl::collide(&native.one, native.pose1, &native.two, native.pose2, request, result);
        if (result.numContacts() == 0) return "FCL reports no contact";
        std::size_t deepest = 0;
        for (std::size_t i = 1; i < result.numContacts(); ++i)
          if (result.getContact(i).penetration_depth > result.getContact(deepest).penetration_depth) deepest = i;
        fcl::Contactd const& contact = result.getContact(deepest);
        out.uN = -contact.penetration_depth;
        std::copy_n(contact.normal.data(), 3, out.normal.data());
        std::copy_n(contact.pos.data(), 3, out.point.data());
        return nullptr;
      });
  answering.formula = "geometric";
  answering.settings = std::move(settings);
  return without_output<Contract>(answering, "status");
}

}  // namespace demeter::peers
