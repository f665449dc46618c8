// Bullet, in double precision (libBullet*-float64). Everything here is what a user of the library calls.
#include "reference/spec/capsule_mass_properties.hpp"
#include "reference/spec/clump_force_torque.hpp"
#include "reference/spec/segment_distance.hpp"
#include "subjects/core/prepared.hpp"
#include "subjects/peers/pose.hpp"

#include <btBulletDynamicsCommon.h>

#include <limits>
#include <numbers>

#ifndef BT_USE_DOUBLE_PRECISION
#error "the double precision Bullet is meant: its float libraries have the same names and another layout"
#endif

namespace demeter::peers {
namespace {

btVector3 to_bullet(Vector3<double> const& vector) { return {vector[0], vector[1], vector[2]}; }
Vector3<double> from_bullet(btVector3 const& vector) { return {vector[0], vector[1], vector[2]}; }

Answering mass_properties() {
  using namespace capsule_mass_properties;
  struct Native {
    btCapsuleShapeX shape;
    double mass;
  };
  return answer_prepared<Contract>(
      "btCapsuleShapeX::calculateLocalInertia; the mass it takes is density times the volume, computed here",
      [](Input<double> const& in) -> Native {
        double const volume = std::numbers::pi * in.radius * in.radius * (4 * in.radius + 3 * in.shaft) / 3;
        return {btCapsuleShapeX(in.radius, in.shaft), in.density * volume};
      },
      [](Native const& native, Output<double>& out) -> char const* {
        btVector3 inertia;
        native.shape.calculateLocalInertia(native.mass, inertia);
        out.ixx = inertia.x();
        out.iyy = inertia.y();
        return nullptr;
      });
}

/// One pair of capsules and what Bullet needs to test them: made once, as a user's bodies are, and moved for each case.
class CapsulePair {
 public:
  CapsulePair() {
    object_a_.setCollisionShape(&shape_a_);
    object_b_.setCollisionShape(&shape_b_);
    result_.m_closestDistanceThreshold = std::numeric_limits<btScalar>::infinity();
  }

  struct Native {
    btTransform pose_a, pose_b;
    btScalar half_a, half_b;
  };

  /// NaN if Bullet reports nothing.
  double distance(Native const& native) {
    // A capsule is radius, radius and half its height along its axis, z; the radius stays 0.
    shape_a_.setImplicitShapeDimensions(btVector3(0, 0, native.half_a));
    shape_b_.setImplicitShapeDimensions(btVector3(0, 0, native.half_b));
    object_a_.setWorldTransform(native.pose_a);
    object_b_.setWorldTransform(native.pose_b);
    result_.distance = std::numeric_limits<double>::quiet_NaN();
    world_.contactPairTest(&object_a_, &object_b_, result_);
    return result_.distance;
  }

  static CapsulePair& instance() {
    static CapsulePair pair;  // on first use: Bullet's pools take megabytes
    return pair;
  }

 private:
  struct Result : btCollisionWorld::ContactResultCallback {
    double distance = 0;
    btScalar addSingleResult(btManifoldPoint& point, btCollisionObjectWrapper const*, int, int,
                             btCollisionObjectWrapper const*, int, int) override {
      double const found = point.getDistance();
      if (!(distance <= found)) distance = found;
      return 0;
    }
  };

  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_{&configuration_};
  btDbvtBroadphase broadphase_;
  btCollisionWorld world_{&dispatcher_, &broadphase_, &configuration_};
  btCapsuleShapeZ shape_a_{0, 1}, shape_b_{0, 1};
  btCollisionObject object_a_, object_b_;
  Result result_;
};

btTransform to_bullet(Pose const& pose) {
  auto const& r = pose.rotation;
  return btTransform(btMatrix3x3(r(0, 0), r(0, 1), r(0, 2), r(1, 0), r(1, 1), r(1, 2), r(2, 0), r(2, 1), r(2, 2)),
                     to_bullet(pose.centre));
}

Answering distance() {
  using namespace segment_distance;
  return answer_prepared<Contract>(
      "btCollisionWorld::contactPairTest of two btCapsuleShapeZ of radius 0 (so that nothing has to be added to the "
      "distance of their surfaces), with no limit on the distance; centre, rotation and length from the end points",
      [](Input<double> const& in) -> CapsulePair::Native {
        Pose const p = segment_pose(in.p0, in.p1), q = segment_pose(in.q0, in.q1);
        return {to_bullet(p), to_bullet(q), p.length / 2, q.length / 2};
      },
      [](CapsulePair::Native const& native, Output<double>& out) -> char const* {
        out.distance = CapsulePair::instance().distance(native);
        return out.distance != out.distance ? "Bullet reports no contact point" : nullptr;
      });
}

Answering force_torque() {
  using namespace clump_force_torque;
  auto const body = []() -> btRigidBody& {
    static btRigidBody instance(btRigidBody::btRigidBodyConstructionInfo(1, nullptr, nullptr, btVector3(1, 1, 1)));
    return instance;
  };
  return answer_with<Contract>(
      "btRigidBody::applyForce(force, position - centre) and applyTorque of every member, then getTotalForce and "
      "getTotalTorque",
      [body](Input<double> const& in, Output<double>& out) -> char const* {
        btRigidBody& rigid = body();
        rigid.clearForces();
        for (auto const& member : in.members) {
          rigid.applyForce(to_bullet(member.force), to_bullet(member.position) - to_bullet(in.centre));
          rigid.applyTorque(to_bullet(member.torque));
        }
        out.force = from_bullet(rigid.getTotalForce());
        out.torque = from_bullet(rigid.getTotalTorque());
        return nullptr;
      });
}

}  // namespace

Subject bullet();  // declared for others in a generated header

Subject bullet() {
  int const version = btGetVersion();
  return {.name = "bullet",
          .doc = "Bullet Physics, double precision",
          .version = std::to_string(version / 100) + "." + std::to_string(version % 100),
          .ours = false,
          .answers = {mass_properties(), distance(), force_torque()}};
}

}  // namespace demeter::peers
