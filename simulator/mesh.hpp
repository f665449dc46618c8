// Reads and writes the lines of a boundary as meshes: text files of gmsh 2.2.
#pragma once

#include "simulator/spec/simulation.hpp"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace demeter::simulations {

/// Reads the elements with two nodes and skips other elements. Coordinates are the exact decimal numbers of the file.
/// Returns what is wrong, with the line number: "12: got "x", expected a node: ...". If the text does not begin like a
/// mesh, the error does not quote the text.
std::optional<std::string> read_mesh(std::string const& text,
                                     std::vector<std::array<Vector2<simulator::Number>, 2>>& lines);

/// Returns a mesh of these lines. Lines that meet share a node.
std::string mesh_text(std::vector<simulator::Line> const& lines);

}  // namespace demeter::simulations
