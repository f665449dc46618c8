// Bullet in double precision (libBullet*-float64). Calls only functions that a user of the library would call.
#include "reference/spec/capsule_contact.hpp"
#include "reference/spec/capsule_mass_properties.hpp"
#include "reference/spec/clump_force_torque.hpp"
#include "reference/spec/segment_distance.hpp"
#include "reference/spec/superquadric_depth.hpp"
#include "subjects/isolation/prepared.hpp"
#include "subjects/peers/peer.hpp"
#include "subjects/peers/pose.hpp"
#include "subjects/peers/superquadric_support.hpp"

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
  auto answering = answer_prepared<Contract>(
      "btCapsuleShapeX::calculateLocalInertia; its input mass is density times volume, computed in the adapter",
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
  answering.declared = {{"the inertia of a box around the capsule",
                         {"ixx", "iyy"},
                         "comment in btCapsuleShape::calculateLocalInertia, Bullet 3"}};
  return answering;
}

/// The shapes and poses of two bodies as Bullet's types. Both bodies have the same kind of shape.
template <class Shape>
struct Bodies {
  mutable Shape shape_a, shape_b;  // mutable because Bullet takes shapes that it may change
  btTransform pose_a, pose_b;
};

/// Two collision objects and a collision world. They are made once and moved for each case, as in a user's program.
class Pair {
 public:
  Pair() { result_.m_closestDistanceThreshold = std::numeric_limits<btScalar>::infinity(); }

  struct Contact {
    btVector3 on_a, on_b, normal_on_b;
    double distance;
  };

  /// Returns the deepest contact, or null if Bullet reports none.
  template <class Shape>
  Contact const* deepest(Bodies<Shape> const& native) {
    object_a_.setCollisionShape(&native.shape_a);
    object_b_.setCollisionShape(&native.shape_b);
    object_a_.setWorldTransform(native.pose_a);
    object_b_.setWorldTransform(native.pose_b);
    result_.found = false;
    world_.contactPairTest(&object_a_, &object_b_, result_);
    return result_.found ? &result_.contact : nullptr;
  }

  static Pair& instance() {
    static Pair pair;
    return pair;
  }

 private:
  /// Returns a configuration with memory for one pair. Bullet's default pools are for 4096 objects: every child process
  /// would write 5 MB.
  static btDefaultCollisionConstructionInfo small_pools() {
    btDefaultCollisionConstructionInfo info;
    info.m_defaultMaxPersistentManifoldPoolSize = info.m_defaultMaxCollisionAlgorithmPoolSize = 4;
    return info;
  }

  struct Result : btCollisionWorld::ContactResultCallback {
    bool found = false;
    Contact contact;
    btScalar addSingleResult(btManifoldPoint& point, btCollisionObjectWrapper const*, int, int,
                             btCollisionObjectWrapper const*, int, int) override {
      if (found && contact.distance <= point.getDistance()) return 0;
      found = true;
      contact = {point.getPositionWorldOnA(), point.getPositionWorldOnB(), point.m_normalWorldOnB, point.getDistance()};
      return 0;
    }
  };

  btDefaultCollisionConfiguration configuration_{small_pools()};
  btCollisionDispatcher dispatcher_{&configuration_};
  btDbvtBroadphase broadphase_;
  btCollisionWorld world_{&dispatcher_, &broadphase_, &configuration_};
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
      "btCollisionWorld::contactPairTest of two btCapsuleShapeZ of radius 0 (then the distance of the surfaces needs "
      "no correction), without a limit on the distance; centre, rotation and length from the end points",
      [](Input<double> const& in) -> Bodies<btCapsuleShapeZ> {
        Pose const p = segment_pose(in.p0, in.p1), q = segment_pose(in.q0, in.q1);
        return {btCapsuleShapeZ(0, p.length), btCapsuleShapeZ(0, q.length), to_bullet(p), to_bullet(q)};
      },
      [](Bodies<btCapsuleShapeZ> const& native, Output<double>& out) -> char const* {
        auto const* const contact = Pair::instance().deepest(native);
        if (contact == nullptr) return "Bullet reports no contact point";
        out.distance = contact->distance;
        return nullptr;
      });
}

Answering contact() {
  using namespace capsule_contact;
  auto answering = answer_prepared<Contract>(
      "btCollisionWorld::contactPairTest of two btCapsuleShapeZ, the deepest point: with its normal reversed (Bullet's "
      "points from B to A), the middle between its positions on A and B",
      [](Input<double> const& in) -> Bodies<btCapsuleShapeZ> {
        Pose const one = capsule_pose(in.centre1, in.half1), two = capsule_pose(in.centre2, in.half2);
        return {btCapsuleShapeZ(in.radius1, one.length), btCapsuleShapeZ(in.radius2, two.length), to_bullet(one),
                to_bullet(two)};
      },
      [](Bodies<btCapsuleShapeZ> const& native, Output<double>& out) -> char const* {
        auto const* const found = Pair::instance().deepest(native);
        if (found == nullptr) return "Bullet reports no contact point";
        out.uN = found->distance;
        out.normal = -from_bullet(found->normal_on_b);
        out.point = (from_bullet(found->on_a) + from_bullet(found->on_b)) / 2;
        return nullptr;
      });
  answering.formula = "geometric";
  return without_output<Contract>(answering, "status");
}

/// A superquadric as a user-defined convex shape of Bullet.
class SuperquadricShape : public btConvexInternalShape {
 public:
  explicit SuperquadricShape(Superquadric<double> const& body) : body_(body) {
    m_shapeType = CUSTOM_CONVEX_SHAPE_TYPE;
    setMargin(0);
  }
  btVector3 localGetSupportingVertexWithoutMargin(btVector3 const& direction) const override {
    return to_bullet(body_.support(from_bullet(direction)));
  }
  void batchedUnitVectorGetSupportingVertexWithoutMargin(btVector3 const* directions, btVector3* points,
                                                         int count) const override {
    for (int i = 0; i < count; ++i) points[i] = localGetSupportingVertexWithoutMargin(directions[i]);
  }
  void calculateLocalInertia(btScalar, btVector3& inertia) const override { inertia.setZero(); }
  char const* getName() const override { return "superquadric"; }
  btTransform pose() const {
    Pose pose{};
    pose.centre = body_.position;
    pose.rotation = body_.rotation;
    return to_bullet(pose);
  }

 private:
  SupportedSuperquadric body_;
};

Answering depth() {
  using namespace superquadric_depth;
  return answer_prepared<Contract>(
      "btCollisionWorld::contactPairTest of two convex shapes with the support function of a superquadric and no "
      "margin: minus the distance of the deepest point, with its normal reversed",
      [](Input<double> const& in) -> Bodies<SuperquadricShape> {
        SuperquadricShape const i(in.i), j(in.j);
        return {i, j, i.pose(), j.pose()};
      },
      [](Bodies<SuperquadricShape> const& native, Output<double>& out) -> char const* {
        auto const* const found = Pair::instance().deepest(native);
        if (found == nullptr) return "Bullet reports no contact point";
        out.depth = -found->distance;
        out.direction = -from_bullet(found->normal_on_b);
        return nullptr;
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

Subject bullet() {
  int const version = btGetVersion();
  return {.name = "bullet",
          .doc = "Bullet Physics, double precision",
          .version = std::to_string(version / 100) + "." + std::to_string(version % 100),
          .home = "https://github.com/bulletphysics/bullet3",
          .origin = Origin::peer,
          .answers = {mass_properties(), distance(), contact(), depth(), force_torque()}};
}

}  // namespace
}  // namespace demeter::peers

void demeter_peer(demeter::Subject& made) { made = demeter::peers::bullet(); }
