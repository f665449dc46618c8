// Draws a clump of balls and its principal axes.
#pragma once

#include "reports/family/clump/balls.hpp"

namespace demeter::clump_file {

/// The mass properties that are drawn.
struct Body {
  double mass;
  Vector3<double> centroid, principal;
  Quaternion<double> orientation;  ///< w, x, y, z: rotates the frame of the principal axes into the global frame
};

/// Returns a matrix whose columns are the principal axes, in the order of the moments.
Matrix3<double> axes_of(Quaternion<double> const& orientation);

/// Returns an SVG picture with three views of shaded balls, and the principal axes through the centroid. Balls that are
/// farther away are drawn first, and hidden balls are not drawn. Each axis extends two radii of gyration to both sides
/// of the centroid.
std::string picture(std::vector<Ball> const& balls, std::vector<bool> const& hidden, Body const& body,
                    std::string_view name);

/// Writes the picture. If the path ends in .html, writes a page with the picture. Returns an error, or nothing.
std::optional<std::string> write_picture(std::string const& path, std::string const& svg);

}  // namespace demeter::clump_file
