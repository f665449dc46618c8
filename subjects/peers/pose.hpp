// A segment in the form of collision libraries: a centre, a rotation whose third column is the axis, and a length.
#pragma once

#include "reference/spec/core/fields.hpp"

#include <cmath>

namespace demeter::peers {

struct Pose {
  Vector3<double> centre;
  Matrix3<double> rotation;
  double length;
};

/// Returns the pose of a segment with this centre, axis and length. If the axis is 0, the rotation is the identity.
inline Pose pose_along(Vector3<long double> const& centre, Vector3<long double> const& axis, long double length) {
  using Vector = Vector3<long double>;
  Pose pose;
  pose.centre = centre.cast<double>();
  pose.length = static_cast<double>(length);
  pose.rotation.setIdentity();
  long double const norm = axis.norm();  // long double has enough exponent range for the squares
  if (norm > 0) {
    Vector const direction = axis / norm;
    // The unit vector that is least parallel to the axis gives the best conditioned frame.
    Index least = 0;
    direction.cwiseAbs().minCoeff(&least);
    Vector const side = Vector::Unit(least).cross(direction).normalized();
    pose.rotation.col(0) = side.cast<double>();
    pose.rotation.col(1) = direction.cross(side).cast<double>();
    pose.rotation.col(2) = direction.cast<double>();
  }
  return pose;
}

/// Returns the pose of a segment. Computes it in long double and rounds once. The ends of the pose then differ from the
/// given ends by about one rounding error. Larger errors in an answer are therefore errors of the library.
inline Pose segment_pose(Vector3<double> const& from, Vector3<double> const& to) {
  Vector3<long double> const start = from.cast<long double>(), end = to.cast<long double>();
  Vector3<long double> const difference = end - start;
  return pose_along((start + end) / 2, difference, difference.norm());
}

/// Returns the pose of a capsule with a centre and a half-shaft vector, also computed in long double.
inline Pose capsule_pose(Vector3<double> const& centre, Vector3<double> const& half) {
  Vector3<long double> const axis = half.cast<long double>();
  return pose_along(centre.cast<long double>(), axis, 2 * axis.norm());
}

}  // namespace demeter::peers
