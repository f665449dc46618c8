// Runs a scene and writes its files into a folder. Saves checkpoints and continues from them. The loop over the steps
// does not depend on the arithmetic or the force law.
#pragma once

#include "simulator/files.hpp"
#include "simulator/manner.hpp"
#include "simulator/reference/simulation.hpp"
#include "simulator/scene_file.hpp"

#include <atomic>
#include <functional>

namespace demeter::simulations {

/// The length of a run.
struct Length {
  std::optional<std::uint64_t> steps;  ///< number of steps; empty if `duration` ends the run
  double duration = 0;                 ///< s; ends the run if `steps` is empty, because the time step changes during
                                       ///< the run
  std::uint64_t about = 1;             ///< approximate number of steps, which determines the usual output intervals
};
Length length_of(Scene const& scene, double dt, unsigned refinement);
bool at_end(Length const& length, simulator::Simulation const& simulation);

/// The value of an observable for which the scene has an expectation. `expect` is the index of the expectation. `held`
/// is true if the value is within the tolerance.
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
  std::uint64_t steps_done = 0;  ///< number of steps during `seconds`
};

using Progress = std::function<void(double share, std::string const& what)>;

/// Creates a simulation of a valid scene, with dt / 2^refinement. Returns the reason if that is impossible.
std::optional<Failure> make_simulation(SceneFile const& file, Manner const& manner, unsigned refinement,
                                       std::optional<simulator::Simulation>& simulation);
/// Returns the reason why a simulation cannot continue, or nothing. The reason is a trouble of the simulation, or an
/// observable of `shown` that is not finite.
std::optional<Failure> trouble_of(SceneFile const& file, simulator::Simulation const& simulation,
                                  Shown const* shown = nullptr);
/// Returns a failure if the scene expects an observable that does not exist.
std::optional<Failure> unknown_observable(SceneFile const& file, simulator::Simulation const& simulation);

/// Runs a valid scene in OUT.partial, to its end or until `stop`. A complete run then replaces OUT. With `go_on`,
/// continues the existing run.
std::optional<Failure> run(SceneFile const& file, Manner const& manner, std::filesystem::path const& out, bool go_on,
                           std::string const& version, Progress const& progress, std::atomic<bool> const& stop,
                           Outcome& outcome);

/// Returns whether a value is within the tolerance of the expectation.
bool holds(simulator::Expect<Number> const& expect, simulator::Text const& value);

}  // namespace demeter::simulations
