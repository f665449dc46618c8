// Balls as DEM codes exchange them: a file of positions and radii.
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

/// What a row of the file gives: its names in messages and in the picture.
inline constexpr std::array<std::string_view, 4> quantities = {"x", "y", "z", "radius"};

/// Appends the balls of `text` to `balls`, every length multiplied by `scale`. A line is a ball, x y z radius with
/// blanks or commas between them, unless the first line is a header that names other columns; #, ; and % begin a
/// comment. Returns what is wrong, with the number of the line, or nothing.
std::optional<std::string> read_balls(std::string_view text, double scale, std::vector<Ball>& balls);

}  // namespace demeter::clump_file
