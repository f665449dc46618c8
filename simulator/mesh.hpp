// Boundaries in files of gmsh 2.2, as text: the lines of a mesh.
#pragma once

#include "simulator/spec/simulation.hpp"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace demeter::simulations {

/// The elements of two nodes; others are left out. Coordinates are exact, as they are written. Returns what is wrong,
/// with the number of the line: "12: "x", expected a node: ...". Quotes no file that does not begin as a mesh does.
std::optional<std::string> read_mesh(std::string const& text,
                                     std::vector<std::array<Vector2<simulator::Number>, 2>>& lines);

/// A mesh of these lines, of which those that meet share a node.
std::string mesh_text(std::vector<simulator::Line> const& lines);

}  // namespace demeter::simulations
