// Runs a non-smooth scene with the fast form of its steps.
#pragma once

#include "simulator/reference/simulation.hpp"

namespace demeter::simulations {

/// Returns a simulation of a valid non-smooth scene in double. The code in simulator/fast/ does the steps. If this is
/// impossible, returns nothing and sets `unfit`.
std::optional<simulator::Simulation> simulate_fast(simulator::Scene<simulator::Number> const& scene,
                                                   unsigned refinement, simulator::reference::Unfit& unfit);

}  // namespace demeter::simulations
