// Which intervals of a path are suspicious: sampled, refined where a quantity changes fast, and chosen.
#pragma once

#include "check/bisection.hpp"

namespace demeter::path_search {

/// The samples of each path, by parameter: the grid, and more where a quantity changes much faster than beside it.
std::vector<std::vector<Sample>> sampled(Probe& probe, Table const& paths);

/// The intervals of a path in which the state changes, and for each quantity the one with the largest change and the
/// one that is roughest for its neighbours. Of one quantity alone, if one is named.
std::vector<Bisection> suspects(Laboratory const& lab, std::size_t path, std::span<Sample const> samples,
                                std::optional<std::size_t> quantity);

}  // namespace demeter::path_search
