// Helpers for the tests of the simulator. They read built-in scenes, with changes as --set makes them, and run the
// scenes without files.
#pragma once

#include "reference/core/multiprecision.hpp"
#include "simulator/reference/exact_number.hpp"
#include "simulator/refine.hpp"
#include "simulator/run.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace demeter::simulations {

/// Returns a built-in scene to which the changes `sets` are applied.
inline SceneFile scene_of(std::string const& name, Sets const& sets = {}) {
  SceneFile file{name, {}, {}, {}};
  for (auto const& each : built_in_scenes())
    if (each.name == name) file.text = each.text;
  if (auto const wrong = read_scene(file, sets)) throw std::runtime_error(*wrong);
  return file;
}

/// Returns the scene that a text describes.
inline SceneFile read(std::string const& text) {
  SceneFile file{"test", text, {}, {}};
  if (auto const wrong = read_scene(file, {})) throw std::runtime_error(*wrong);
  return file;
}

inline Manner manner_of(std::string const& implementation) {
  Manner manner;
  if (!read_implementation(implementation, manner)) throw std::runtime_error(implementation);
  return manner;
}

inline simulator::Simulation simulation_of(SceneFile const& file, std::string const& implementation,
                                           unsigned refinement = 0) {
  simulator::reference::Unfit unfit;
  auto made = simulator::reference::simulate(file.scene, manner_of(implementation).arithmetic, refinement, unfit);
  if (!made) throw std::runtime_error(unfit.key);
  return std::move(*made);
}

/// Runs the simulation to the end and returns its last state. Calls `look(simulation)` after each step.
template <class Look>
Shown run_through(SceneFile const& file, simulator::Simulation const& simulation, unsigned refinement,
                  Look const& look) {
  Length const length = length_of(file.scene, simulation.dt(), refinement);
  while (!at_end(length, simulation)) {
    simulation.advance();
    if (auto const trouble = simulation.trouble()) throw std::runtime_error(trouble->text);
    look(simulation);
  }
  return simulation.snapshot();
}
inline Shown run_through(SceneFile const& file, simulator::Simulation const& simulation, unsigned refinement = 0) {
  return run_through(file, simulation, refinement, [](auto const&) {});
}

/// Runs a scene at dt, dt/2, ..., as --refine does, and returns the errors and slopes.
inline Refinement refined(std::string const& name, unsigned levels, Sets const& sets = {},
                          std::string const& implementation = "reference@double") {
  Refinement refinement;
  std::atomic<bool> const never{false};
  if (auto const failure = refine(
          scene_of(name, sets), manner_of(implementation), levels, [](double, auto const&) {}, never, refinement))
    throw std::runtime_error(failure->message);
  return refinement;
}

inline Refined const& observable(Refinement const& refinement, std::string const& name) {
  for (auto const& each : refinement.observables)
    if (each.observable == name) return each;
  throw std::runtime_error("no " + name);
}

inline Multiprecision number(simulator::Text const& text) {
  Multiprecision value;
  simulator::read_exact_text(text.digits, value);
  return value;
}

}  // namespace demeter::simulations
