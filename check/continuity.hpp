// The continuity search: smooth paths through a kernel's inputs are sampled, every suspicious interval is bisected down
// to adjacent parameters, and what is left there is told apart into rounding, steep slopes and jumps. A jump of one of
// Demeter's own formulas is followed on in 80 digits down to 1e-40 of the path, so that it is certain; each is named
// after the change of state that causes it, enlarged by hill climbing and then made small and readable.
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

/// One path: its jumps as they are, neither enlarged nor simplified.
Continuity examine_path(Kernel const& kernel, Laboratory const& laboratory, Subject const& subject, Table const& paths);

/// Subject against path: one observation a parameter, `laboratory.numbers` each.
std::vector<double> observe_path(Kernel const& kernel, Laboratory const& laboratory, Subject const& subject,
                                 Table const& path, std::vector<double> const& parameters);

/// The formula of the kernel that a subject evaluates in binary64, if it is one of ours.
std::optional<std::size_t> formula_of(Kernel const& kernel, Subject const& subject);

}  // namespace demeter
