// --tolerance and --budget: what subjects are held to.
#pragma once

#include "check/tolerance.hpp"
#include "cli/core/command.hpp"

#include <optional>
#include <string>
#include <vector>

namespace demeter::cli {

/// --tolerance 1e-9; --budget 4, --budget distance=100,s=1e6, or both.
void add_tolerance(Verb& verb, Common& options);

/// What the options say, nothing if they say nothing; false after a complaint: an output of --budget must be one of a
/// kernel's that is checked. With --budget alone the rest is strict.
bool held_or_complain(std::string_view verb, Common const& options, std::vector<Kernel const*> const& kernels,
                      std::optional<Held>& held);

/// "8 u S", or "100 u S, the contract's is 8".
std::string tolerance_text(Kernel const& kernel, std::size_t k, Tolerance const&);

}  // namespace demeter::cli
