// --budget: a user's own tolerance, for all outputs as a factor and for single outputs in the units of their measure.
#pragma once

#include "cli/core/command.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace demeter::cli {

struct UserBudget {
  double factor = 1;                                  ///< of every budget that is not named
  std::vector<std::pair<std::string, double>> units;  ///< of the outputs that are

  /// One a budget of the kernel, in multiples of the contract's.
  std::vector<double> factors(Kernel const& kernel) const;
};

/// --budget 4, --budget distance=100,s=1e6, or both.
void add_budget(Verb& verb, std::vector<std::string>& values);

/// What the values say, or nothing after a complaint: an output must be one of a kernel's that is checked.
std::optional<UserBudget> budget_or_complain(std::string_view verb, std::vector<std::string> const& values,
                                             std::vector<Kernel const*> const& kernels);

/// "8 u S", or "100 u S, the contract's is 8".
std::string tolerance_text(Kernel const& kernel, std::size_t k, std::vector<double> const& factors);

}  // namespace demeter::cli
