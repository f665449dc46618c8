// Finds observables by name: kinetic, momentum[0], sphere.velocity[2].
#pragma once

#include "simulator/spec/simulation.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace demeter::simulations {

using Shown = simulator::Snapshot<simulator::Text>;

/// Returns the names of the observables that belong to all bodies together, in the order of their fields.
std::vector<std::string> common_observables(simulator::Dynamics dynamics = simulator::Dynamics::smooth);
/// Returns the names of the observables of a body, without the name of the body.
std::vector<std::string> body_observables(simulator::Dynamics dynamics = simulator::Dynamics::smooth);

/// Returns the names of the observables of a member of a clump, without the name of the clump and the member.
std::vector<std::string> member_observables();

/// Identifies an observable. `body` is the index of its body. `shape` is the index of its shape, for a member of a
/// clump. Both are empty for an observable of all bodies together. `index` is its index in the list of names.
struct Observed {
  std::optional<std::size_t> body, shape;
  std::size_t index = 0;
};
/// Returns the observable of this name, or nothing.
std::optional<Observed> find_observable(simulator::Simulation const& simulation, std::string_view name);
simulator::Text const& value_of(Shown const& shown, Observed const& observed);

/// Returns the first observable that is not finite, or nothing. Checks the observables of all bodies together, then of
/// each body.
std::optional<simulator::Trouble> not_finite(simulator::Simulation const& simulation, Shown const& shown);

}  // namespace demeter::simulations
