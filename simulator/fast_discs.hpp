// The fast form of non-smooth dynamics as an implementation of a scene's steps.
#pragma once

#include "simulator/reference/simulation.hpp"

namespace demeter::simulations {

/// A simulation of a valid non-smooth scene by `fast/`, in double.
std::optional<simulator::Simulation> simulate_fast(simulator::Scene<simulator::Number> const& scene,
                                                   unsigned refinement, simulator::reference::Unfit& unfit);

}  // namespace demeter::simulations
