// Kinks and cusps along paths.
#pragma once

#include "check/continuity_types.hpp"
#include "check/probe.hpp"

namespace demeter::path_search {

/// Adds the kinks and cusps (`steep`) of these paths to a result.
void search_kinks(Probe& probe, Table const& paths, Continuity& result);

}  // namespace demeter::path_search
