// Reads balls from a file of positions and radii, a common format of DEM codes.
#pragma once

#include "reference/spec/core/fields.hpp"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace demeter::clump_file {

struct Ball {
  Vector3<double> centre;
  double radius;  ///< > 0
};

/// The names of the values in a row, for messages and the picture.
inline constexpr std::array<std::string_view, 4> quantities = {"x", "y", "z", "radius"};

/// Appends the balls of `text` to `balls`, with every length multiplied by `scale`. A line contains one ball: x, y, z
/// and radius, separated by blanks or commas. If the first line is a header, it names the columns. A comment begins
/// with #, ; or %. Returns the error with the number of the line, or nothing.
std::optional<std::string> read_balls(std::string_view text, double scale, std::vector<Ball>& balls);

}  // namespace demeter::clump_file
