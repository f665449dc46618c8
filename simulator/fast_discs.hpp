// Uses the fast form of non-smooth dynamics for the steps of a scene.
#pragma once

#include "simulator/reference/simulation.hpp"

namespace demeter::simulations {

/// Returns a simulation of a valid non-smooth scene with the steps of `fast/`, in double. Otherwise sets `unfit`.
std::optional<simulator::Simulation> simulate_fast(simulator::Scene<simulator::Number> const& scene,
                                                   unsigned refinement, simulator::reference::Unfit& unfit);

}  // namespace demeter::simulations
