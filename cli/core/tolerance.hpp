// The options --tolerance and --budget, which set the tolerance of subjects.
#pragma once

#include "check/tolerance.hpp"
#include "cli/core/command.hpp"

#include <optional>
#include <string>
#include <vector>

namespace demeter::cli {

/// Adds --tolerance (such as 1e-9) and --budget (such as 4, or distance=100,s=1e6, or both).
void add_tolerance(Verb& verb, Common& options);

/// Sets `held` to the tolerance that the options give, or to nothing without options. If --budget is given without
/// --tolerance, outputs that --budget does not name keep their strict budgets. Returns false after an error message,
/// for example if --budget names an output that no checked kernel has.
bool held_or_complain(std::string_view verb, Common const& options, std::vector<Kernel const*> const& kernels,
                      std::optional<Held>& held);

/// Returns the tolerance as text: "8 u S", or "100 u S, contract: 8".
std::string tolerance_text(Kernel const& kernel, std::size_t k, Tolerance const&);

}  // namespace demeter::cli
