// Reads and writes boundaries as text files of gmsh 2.2: the lines of a mesh.
#pragma once

#include "simulator/spec/simulation.hpp"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace demeter::simulations {

/// Reads the elements with two nodes and skips other elements. Coordinates are exact, as the file writes them. Returns
/// what is wrong, with the line number: "12: "x", expected a node: ...". If the file does not begin like a mesh, the
/// error does not quote it.
std::optional<std::string> read_mesh(std::string const& text,
                                     std::vector<std::array<Vector2<simulator::Number>, 2>>& lines);

/// Returns a mesh of these lines. Lines that meet share a node.
std::string mesh_text(std::vector<simulator::Line> const& lines);

}  // namespace demeter::simulations
