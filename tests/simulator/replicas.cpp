// Compares runs of the simulator with recorded runs of LAMMPS, LIGGGHTS and YADE (tests/replicas). The scenes make the
// choices of these codes. With one choice replaced, a run differs by about the size that tests/replicas/README.md
// states.
#include "tests/places.hpp"
#include "tests/simulator/scenes.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>

namespace demeter::simulations {
namespace {

std::filesystem::path folder() { return std::filesystem::path(DEMETER_SOURCE) / "tests" / "replicas"; }

std::string text_of(std::string const& file) {
  std::ifstream in(folder() / file);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Position, velocity and spin of a body.
using Row = std::array<double, 9>;

/// The recorded rows, by step and id.
std::map<std::pair<std::uint64_t, int>, Row> recorded(std::string const& name, double dt) {
  std::map<std::pair<std::uint64_t, int>, Row> rows;
  std::istringstream in(text_of(name + ".csv"));
  std::string line;
  std::getline(in, line);
  while (std::getline(in, line)) {
    std::istringstream cells(line);
    std::string cell;
    std::vector<double> numbers;
    while (std::getline(cells, cell, ',')) numbers.push_back(std::stod(cell));
    Row row;
    std::copy_n(numbers.begin() + 2, 9, row.begin());
    rows[{static_cast<std::uint64_t>(std::lround(numbers[0] / dt)), static_cast<int>(numbers[1])}] = row;
  }
  return rows;
}

/// Runs a scene and returns the largest difference from the recorded rows. Differences of positions, velocities and
/// spins are divided by the largest component of their kind.
double difference(std::string const& name, Sets const& sets = {}, std::string const& arithmetic = "reference@double") {
  SceneFile file{name, text_of(name + ".toml"), {}, {}};
  if (auto const wrong = read_scene(file, sets)) throw std::runtime_error(*wrong);
  auto const simulation = simulation_of(file, arithmetic);
  auto const rows = recorded(name, simulation.dt());
  if (rows.empty()) throw std::runtime_error("no rows of " + name);
  // The ids of the bodies: a clump has the last id. A wall has none.
  std::vector<int> ids;
  for (auto const& [key, row] : rows)
    if (key.first == 0) ids.push_back(key.second);
  std::array<double, 3> most{}, scale{};
  std::size_t compared = 0;
  auto const compare = [&] {
    auto const shown = simulation.snapshot();
    std::size_t next = file.scene.body.front().shape == simulator::Form::clump ? ids.size() - 1 : 0;
    for (std::size_t b = 0; b < shown.bodies.size(); ++b) {
      if (simulation.bodies[b].fixed) continue;
      auto const found = rows.find({simulation.step(), ids[next++]});
      if (found == rows.end()) continue;
      ++compared;
      auto const& body = shown.bodies[b];
      for (std::size_t k = 0; k < 9; ++k) {
        auto const& vector = k < 3 ? body.position : k < 6 ? body.velocity : body.spin;
        double const x = vector[static_cast<Index>(k % 3)].value, y = found->second[k];
        most[k / 3] = std::max(most[k / 3], std::fabs(x - y));
        scale[k / 3] = std::max(scale[k / 3], std::fabs(y));
      }
    }
  };
  compare();
  run_through(file, simulation, 0, [&](auto const&) { compare(); });
  std::size_t const moving = file.scene.body.front().shape == simulator::Form::clump ? 1 : ids.size();
  if (compared * ids.size() != rows.size() * moving) throw std::runtime_error("rows of " + name + " were not compared");
  double worst = 0;
  for (std::size_t k = 0; k < 3; ++k) worst = std::max(worst, most[k] / scale[k]);
  return worst;
}

constexpr std::string_view runs[] = {"lammps-hooke-pair",
                                     "lammps-hooke-wall",
                                     "lammps-hooke-touching",
                                     "lammps-hertz-pair",
                                     "lammps-hertz-wall",
                                     "lammps-granular-pair",
                                     "lammps-granular-force-pair",
                                     "liggghts-hooke-pair",
                                     "liggghts-hertz-pair",
                                     "liggghts-hertz-wall",
                                     "liggghts-hertz-touching",
                                     "yade-pair",
                                     "yade-touching",
                                     "yade-wall",
                                     "yade-clump",
                                     "yade-viscous-pair",
                                     "yade-hertz-pair"};

/// Returns whether several bounces multiply the rounding errors of a run.
bool bounces(std::string_view name) { return name.ends_with("wall") || name.ends_with("clump"); }

TEST(Replicas, EveryRecordedRunIsMetToRounding) {
  for (std::string_view const name : runs)
    EXPECT_LE(difference(std::string(name)), bounces(name) ? 1e-11 : 1e-13) << name;
}

/// Rounding errors of the recorded run and of this run, against 50 digits.
TEST(Replicas, TheDifferenceIsNotLargerThanRoundingExplains_long) {
  for (std::string const name : {"lammps-hertz-pair", "liggghts-hooke-pair", "yade-hertz-pair"})
    EXPECT_LE(difference(name, {}, "reference@mpfr:50"), 2e-13) << name;
}

/// One choice of a run is replaced by `set`. `cost` is the relative difference from the recorded run.
struct Wrong {
  std::string run, set;
  double cost = 0;
};

std::vector<Wrong> wrong_choices() {
  std::istringstream lines(text_of("wrong_choices.txt"));
  std::vector<Wrong> all;
  std::string line;
  while (std::getline(lines, line)) {
    if (line.starts_with('#')) continue;
    std::istringstream words(line);
    Wrong& each = all.emplace_back();
    words >> each.run >> each.set >> each.cost;
  }
  return all;
}

TEST(Replicas, OneWrongChoiceCostsWhatTheTableStates) {
  auto const all = wrong_choices();
  EXPECT_GE(all.size(), 200u);
  for (Wrong const& wrong : all) {
    double const cost = difference(wrong.run, {wrong.set});
    // The table has one digit, and changes the normal of the arms with the normal of the velocity.
    EXPECT_GT(cost, 0.6 * wrong.cost) << wrong.run << ' ' << wrong.set;
    EXPECT_LT(cost, 1.7 * wrong.cost) << wrong.run << ' ' << wrong.set;
  }
}

}  // namespace
}  // namespace demeter::simulations
