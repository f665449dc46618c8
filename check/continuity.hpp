// The continuity search. It samples smooth paths through the inputs of a kernel and bisects every suspicious interval
// down to adjacent parameters. The change across adjacent parameters is classified as rounding, a steep slope or a
// jump. Jumps of Demeter's own formulas are certified: they are followed in 80 digits down to 1e-40 of the path. Each
// jump is named after the change of state that causes it, enlarged by hill climbing, and simplified.
#pragma once

#include "check/continuity_types.hpp"
#include "kernels/laboratory.hpp"
#include "subjects/subjects.hpp"

#include <optional>
#include <vector>

namespace demeter {

/// Searches the paths of a laboratory for jumps of a subject.
Continuity search_continuity(Kernel const& kernel, Laboratory const& laboratory, Subject const& subject,
                             ContinuityOptions const& options);

/// Searches the given paths only. Does not enlarge or simplify their jumps.
Continuity examine_path(Kernel const& kernel, Laboratory const& laboratory, Subject const& subject, Table const& paths);

/// Returns one observation per parameter, each of `laboratory.numbers` numbers.
std::vector<double> observe_path(Kernel const& kernel, Laboratory const& laboratory, Subject const& subject,
                                 Table const& path, std::vector<double> const& parameters);

/// Returns the index of the kernel's formula, if the subject is one of our own formulas in binary64. Otherwise returns
/// nothing.
std::optional<std::size_t> formula_of(Kernel const& kernel, Subject const& subject);

}  // namespace demeter
