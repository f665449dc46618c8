// Kinks and cusps along paths.
#pragma once

#include "check/continuity_types.hpp"
#include "check/probe.hpp"

namespace demeter::path_search {

/// Adds what the paths show to the kinks and cusps (`steep`) of a result.
void search_kinks(Probe& probe, Table const& paths, Continuity& result);

}  // namespace demeter::path_search
