// A user's own tolerance: budgets in multiples of the contract's, each output its own.
#pragma once

#include "kernels/kernel.hpp"

#include <vector>

namespace demeter {

/// The budget `k` of a kernel under `factors`, one a budget; none at all: the contract's.
Budget tolerated(Kernel const& kernel, std::size_t k, std::vector<double> const& factors);

/// The factor that makes `budget` one of `units`.
double factor_for(Budget const& budget, double units);

/// How this subject is held to them: in units of the format it computes in.
Tolerance tolerance_of(Subject const& subject, std::vector<double> const& factors = {});

/// The cases as this subject is judged at them: as they are, or rounded to binary32 if that is what it computes in.
Table judged_cases(Kernel const& kernel, Subject const& subject, Table const& cases);

}  // namespace demeter
