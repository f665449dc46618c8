// A picture of a clump of balls and of its principal axes.
#pragma once

#include "reports/family/clump/balls.hpp"

namespace demeter::clump_file {

/// What is drawn of a clump's mass properties.
struct Body {
  double mass;
  Vector3<double> centroid, principal;
  Quaternion<double> orientation;  ///< w, x, y, z: turns the frame of the principal axes into the global one
};

/// The columns are the principal axes, in the order of the moments.
Matrix3<double> axes_of(Quaternion<double> const& orientation);

/// Three views of shaded balls as SVG, farther ones first, without those that are hidden, and the principal axes
/// through the centroid. An axis reaches two radii of gyration about it to either side of the centroid.
std::string picture(std::vector<Ball> const& balls, std::vector<bool> const& hidden, Body const& body,
                    std::string_view name);

/// Why the picture could not be written, or nothing. A path that ends in .html gets a page around the picture.
std::optional<std::string> write_picture(std::string const& path, std::string const& svg);

}  // namespace demeter::clump_file
