// Writes film.html, a page that plays a run. The page is made from the files of the run.
#pragma once

#include "simulator/scene_file.hpp"
#include "simulator/spec/simulation.hpp"

#include <filesystem>

namespace demeter::simulations {

/// Writes film.html from trajectory.dump, contacts.csv and observables.csv. Returns what is wrong, or nothing.
std::optional<std::string> write_film(SceneFile const& file, simulator::Simulation const& simulation,
                                      std::filesystem::path const& folder);

}  // namespace demeter::simulations
