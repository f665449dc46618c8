// Creates simulations of the reference simulator in any arithmetic. The interface does not depend on the arithmetic.
#pragma once

#include "simulator/reference/simulation_types.hpp"
#include "simulator/spec/simulation.hpp"

#include <optional>

namespace demeter::simulator::reference {

/// Returns a simulation of a valid scene, with dt / 2^refinement. If that is impossible, returns nothing and sets
/// `unfit` to the reason.
std::optional<Simulation> simulate(Scene<Number> const& scene, InArithmetic arithmetic, unsigned refinement,
                                   Unfit& unfit);

}  // namespace demeter::simulator::reference
