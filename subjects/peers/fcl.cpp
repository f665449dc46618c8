// The Flexible Collision Library.
#include "reference/spec/capsule_mass_properties.hpp"
#include "reference/spec/segment_distance.hpp"
#include "subjects/core/prepared.hpp"
#include "subjects/peers/pose.hpp"

#include <fcl/config.h>
#include <fcl/geometry/shape/capsule.h>
#include <fcl/narrowphase/detail/primitive_shape_algorithm/capsule_capsule.h>

namespace demeter::peers {
namespace {

Answering mass_properties() {
  using namespace capsule_mass_properties;
  struct Native {
    fcl::Capsuled capsule;
    double density;
  };
  return answer_prepared<Contract>(
      "Capsule::computeVolume and computeMomentofInertia; the inertia is for density 1 and multiplied here, its axis "
      "is z",
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

Answering distance() {
  using namespace segment_distance;
  struct Native {
    fcl::Capsuled p, q;
    fcl::Transform3d pose_p, pose_q;
  };
  auto const transform = [](Pose const& pose) {
    fcl::Transform3d result = fcl::Transform3d::Identity();
    result.linear() = pose.rotation;
    result.translation() = pose.centre;
    return result;
  };
  return answer_prepared<Contract>(
      "fcl::detail::capsuleCapsuleDistance of capsules of radius 0; centre, rotation and length from the end points",
      [transform](Input<double> const& in) -> Native {
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

}  // namespace

Subject fcl();  // declared for others in a generated header

Subject fcl() {
  return {.name = "fcl",
          .doc = "Flexible Collision Library, double precision",
          .version = FCL_VERSION,
          .ours = false,
          .answers = {mass_properties(), distance()}};
}

}  // namespace demeter::peers
