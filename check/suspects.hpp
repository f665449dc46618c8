// Samples paths and selects suspicious intervals.
#pragma once

#include "check/bisection.hpp"

namespace demeter::path_search {

/// Returns the samples of each path, ordered by parameter: the grid, and more samples where a quantity changes much
/// faster than in the neighbouring intervals.
std::vector<std::vector<Sample>> sampled(Probe& probe, Table const& paths);

/// Returns the suspicious intervals of a path. An interval with a change of state is suspicious. For each quantity that
/// is not derived, two more intervals are suspicious: the interval with its largest change, and the interval with its
/// largest change relative to the neighbours. If `quantity` is given, only this quantity is used.
std::vector<Bisection> suspects(Laboratory const& lab, std::size_t path, std::span<Sample const> samples,
                                std::optional<std::size_t> quantity);

}  // namespace demeter::path_search
