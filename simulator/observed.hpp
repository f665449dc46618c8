// Observables by their names: kinetic, momentum[0], sphere.velocity[2].
#pragma once

#include "simulator/spec/simulation.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace demeter::simulations {

using Shown = simulator::Snapshot<simulator::Text>;

/// The names of what all bodies have together, in the order of their fields.
std::vector<std::string> common_observables(simulator::Dynamics dynamics = simulator::Dynamics::smooth);
/// The names of what a body has, without its own.
std::vector<std::string> body_observables(simulator::Dynamics dynamics = simulator::Dynamics::smooth);

/// The names of what a member of a clump has: clump.member0.force[2].
std::vector<std::string> member_observables();

/// Where an observable stands: the body, or its shape, or neither, and the index among its names.
struct Observed {
  std::optional<std::size_t> body, shape;
  std::size_t index = 0;
};
/// Nothing if there is none of that name.
std::optional<Observed> find_observable(simulator::Simulation const& simulation, std::string_view name);
simulator::Text const& value_of(Shown const& shown, Observed const& observed);

/// What is not finite among the observables of all bodies and of each body; nothing if all of them are.
std::optional<simulator::Trouble> not_finite(simulator::Simulation const& simulation, Shown const& shown);

}  // namespace demeter::simulations
