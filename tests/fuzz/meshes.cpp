// Fuzzes boundaries in files of gmsh 2.2. Reads a file, writes it and reads it again. Both readings must be equal.
#include "simulator/mesh.hpp"
#include "tests/fuzz/expect.hpp"

#include <cmath>

namespace demeter::fuzz::meshes {
namespace {

void check(std::string_view text) {
  if (text.size() > 20000) return;
  std::vector<std::array<Vector2<simulator::Number>, 2>> lines;
  if (auto const wrong = simulations::read_mesh(std::string(text), lines)) {
    expect(!wrong->empty() && wrong->front() >= '0' && wrong->front() <= '9', "what is wrong is said, with its line");
    return;
  }
  expect(!lines.empty(), "a mesh without lines is none");
  std::vector<simulator::Line> drawn;
  for (auto const& line : lines)
    drawn.push_back({{line[0][0].value, line[0][1].value}, {line[1][0].value, line[1][1].value}});
  for (auto const& line : drawn)
    if (line.from == line.to) return;  // the points of a line differ by less than the precision of a double
  std::vector<std::array<Vector2<simulator::Number>, 2>> again;
  expect(!simulations::read_mesh(simulations::mesh_text(drawn), again), "what is written is read");
  expect(again.size() == lines.size(), "and is as long");
  for (std::size_t k = 0; k < again.size(); ++k)
    for (std::size_t end = 0; end < 2; ++end)
      for (Index axis = 0; axis < 2; ++axis)
        expect(again[k][end][axis].value == lines[k][end][axis].value, "and is the same");
}

}  // namespace

void hold(std::string_view text) { check(text); }

}  // namespace demeter::fuzz::meshes
