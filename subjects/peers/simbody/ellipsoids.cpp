#include "subjects/peers/simbody/ellipsoids.hpp"

#include <SimTKmath.h>

namespace demeter::peers::simbody_ellipsoids {
namespace {

using SimTK::ContactGeometry;

/// A shape and its pose.
struct Placed {
  ContactGeometry::Ellipsoid shape;
  SimTK::Transform pose;

  explicit Placed(Body const& body)
      : shape({body.semi_axes[0], body.semi_axes[1], body.semi_axes[2]}),
        pose(SimTK::Rotation(
                 SimTK::Quaternion(body.quaternion[0], body.quaternion[1], body.quaternion[2], body.quaternion[3])),
             {body.position[0], body.position[1], body.position[2]}) {}
};

}  // namespace

struct Pair::Native {
  Placed first, second;
};

Pair::Pair(Body const& first, Body const& second)
    : native_(std::make_shared<Native const>(Native{Placed(first), Placed(second)})) {}

std::optional<Contact> Pair::contact() const {
  static auto const type = ContactGeometry::Ellipsoid::classTypeId();
  static SimTK::ContactTracker::ConvexImplicitPair const tracker(type, type);
  static SimTK::UntrackedContact const before(SimTK::ContactSurfaceIndex(0), SimTK::ContactSurfaceIndex(1));
  Placed const &first = native_->first, &second = native_->second;
  SimTK::Contact now;
  tracker.trackContact(before, first.pose, first.shape, second.pose, second.shape, 0, now);
  if (now.isEmpty()) return std::nullopt;
  auto const& found = SimTK::EllipticalPointContact::getAs(now);
  SimTK::Vec3 const normal = first.pose.R() * SimTK::Vec3(found.getContactFrame().z());
  return Contact{found.getDepth(), {normal[0], normal[1], normal[2]}};
}

std::string version() {
  int major = 0, minor = 0, build = 0;
  SimTK_version_SimTKcommon(&major, &minor, &build);
  return std::to_string(major) + "." + std::to_string(minor);
}

}  // namespace demeter::peers::simbody_ellipsoids
