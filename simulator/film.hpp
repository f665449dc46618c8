// Writes the film of a run: one page that plays the run from its files.
#pragma once

#include "simulator/scene_file.hpp"
#include "simulator/spec/simulation.hpp"

#include <filesystem>

namespace demeter::simulations {

/// Writes film.html from trajectory.dump, contacts.csv and observables.csv. Returns what is wrong, or nothing.
std::optional<std::string> write_film(SceneFile const& file, simulator::Simulation const& simulation,
                                      std::filesystem::path const& folder);

}  // namespace demeter::simulations
