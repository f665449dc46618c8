// A scene to be run: the reference simulator in an arithmetic, as data and functions that name none.
#pragma once

#include "simulator/reference/simulation_types.hpp"
#include "simulator/spec/simulation.hpp"

#include <optional>

namespace demeter::simulator::reference {

/// A simulation of a valid scene, with its step halved `refinement` times. `unfit` says why there is none.
std::optional<Simulation> simulate(Scene<Number> const& scene, InArithmetic arithmetic, unsigned refinement,
                                   Unfit& unfit);

}  // namespace demeter::simulator::reference
