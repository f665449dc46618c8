// Runs a scene into a folder: writes files, saves checkpoints and continues from them. The loop does not depend on the
// scalar or the force law: it only calls advance, snapshot, save and load.
#pragma once

#include "simulator/files.hpp"
#include "simulator/manner.hpp"
#include "simulator/reference/simulation.hpp"
#include "simulator/scene_file.hpp"

#include <atomic>
#include <functional>

namespace demeter::simulations {

/// The length of a scene.
struct Length {
  std::optional<std::uint64_t> steps;  ///< of a scene with a fixed step
  double duration = 0;                 ///< of a scene whose step changes, if the number of steps is not given
  std::uint64_t about = 1;             ///< approximate number of steps, from which the output intervals follow
};
Length length_of(Scene const& scene, double dt, unsigned refinement);
bool at_end(Length const& length, simulator::Simulation const& simulation);

/// An expectation of the scene and the value that was found.
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
  std::uint64_t steps_done = 0;  ///< in this call, during `seconds`
};

using Progress = std::function<void(double share, std::string const& what)>;

/// Creates a simulation of a valid scene, with dt halved `refinement` times. Otherwise returns the reason.
std::optional<Failure> make_simulation(SceneFile const& file, Manner const& manner, unsigned refinement,
                                       std::optional<simulator::Simulation>& simulation);
/// Returns why a simulation cannot continue: its own trouble, or an observable of `shown` that is not finite. Returns
/// nothing if it can continue.
std::optional<Failure> trouble_of(SceneFile const& file, simulator::Simulation const& simulation,
                                  Shown const* shown = nullptr);
/// Returns a failure if the scene expects an observable that does not exist.
std::optional<Failure> unknown_observable(SceneFile const& file, simulator::Simulation const& simulation);

/// Runs a valid scene to its end, or until `stop`, in OUT.partial. At the end OUT.partial replaces OUT. With `go_on`,
/// continues the existing run.
std::optional<Failure> run(SceneFile const& file, Manner const& manner, std::filesystem::path const& out, bool go_on,
                           std::string const& version, Progress const& progress, std::atomic<bool> const& stop,
                           Outcome& outcome);

/// Returns whether a value is within the tolerance of the expectation.
bool holds(simulator::Expect<Number> const& expect, simulator::Text const& value);

}  // namespace demeter::simulations
