// A segment as collision libraries take it: a centre, a rotation whose third column is the axis, and a length.
#pragma once

#include "reference/spec/core/fields.hpp"

#include <cmath>

namespace demeter::peers {

struct Pose {
  Vector3<double> centre;
  Eigen::Matrix3d rotation;
  double length;
};

/// Computed in long double and rounded once, so that the errors seen are the library's: the ends of the pose lie within
/// about a rounding error of the ends given. A point has the identity rotation.
inline Pose segment_pose(Vector3<double> const& from, Vector3<double> const& to) {
  using Vector = Vector3<long double>;
  Vector const start = from.cast<long double>(), end = to.cast<long double>();
  Vector const difference = end - start;
  long double const length = difference.norm();  // the exponent range of long double leaves room for the squares
  Pose pose;
  pose.centre = ((start + end) / 2).cast<double>();
  pose.length = static_cast<double>(length);
  pose.rotation.setIdentity();
  if (length > 0) {
    Vector const axis = difference / length;
    // The unit vector least along the axis makes the best conditioned frame.
    Eigen::Index least = 0;
    axis.cwiseAbs().minCoeff(&least);
    Vector const side = Vector::Unit(least).cross(axis).normalized();
    pose.rotation.col(0) = side.cast<double>();
    pose.rotation.col(1) = axis.cross(side).cast<double>();
    pose.rotation.col(2) = axis.cast<double>();
  }
  return pose;
}

}  // namespace demeter::peers
