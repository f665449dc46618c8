// Runs a scene into a folder: the loop that writes, keeps checkpoints, and goes on from them. It knows no scalar and no
// law: a simulation is advance, snapshot, save and load.
#pragma once

#include "simulator/files.hpp"
#include "simulator/manner.hpp"
#include "simulator/reference/simulation.hpp"
#include "simulator/scene_file.hpp"

#include <atomic>
#include <functional>

namespace demeter::simulations {

/// How long a scene lasts.
struct Length {
  std::optional<std::uint64_t> steps;  ///< of a scene with a fixed step
  double duration = 0;                 ///< of one whose step changes, if its steps are not given
  std::uint64_t about = 1;             ///< steps, for what is written how often
};
Length length_of(Scene const& scene, double dt, unsigned refinement);
bool at_end(Length const& length, simulator::Simulation const& simulation);

/// What the scene expects, and what came out.
struct Found {
  std::size_t expect;
  simulator::Text value;
  bool held;
};

struct Outcome {
  bool finished = false;
  std::uint64_t step = 0;
  std::vector<Found> found;
  std::optional<Shown> last;
  std::vector<std::string> warnings;
  double seconds = 0;
  std::uint64_t steps_done = 0;  ///< in this call, of `seconds`
};

using Progress = std::function<void(double share, std::string const& what)>;

/// A simulation of a valid scene, with its step halved `refinement` times. Returns why there is none.
std::optional<Failure> make_simulation(SceneFile const& file, Manner const& manner, unsigned refinement,
                                       std::optional<simulator::Simulation>& simulation);
/// Why a simulation cannot go on, or nothing: its own trouble, or an observable of `shown` that is not finite.
std::optional<Failure> trouble_of(SceneFile const& file, simulator::Simulation const& simulation,
                                  Shown const* shown = nullptr);
/// An expectation of an observable that there is none of, or nothing.
std::optional<Failure> unknown_observable(SceneFile const& file, simulator::Simulation const& simulation);

/// Runs a scene that is valid to its end, or until `stop`, into OUT.partial, which takes OUT's place at the end. With
/// `go_on` takes up the run that is there.
std::optional<Failure> run(SceneFile const& file, Manner const& manner, std::filesystem::path const& out, bool go_on,
                           std::string const& version, Progress const& progress, std::atomic<bool> const& stop,
                           Outcome& outcome);

/// Whether a value is as expected.
bool holds(simulator::Expect<Number> const& expect, simulator::Text const& value);

}  // namespace demeter::simulations
