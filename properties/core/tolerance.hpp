// A user's own tolerance: budgets in multiples of the contract's, each output its own.
#pragma once

#include "subjects/core/kernel.hpp"

#include <span>
#include <vector>

namespace demeter {

/// The budget `k` of a kernel under `factors`, one a budget; none at all: the contract's.
Budget tolerated(Kernel const& kernel, std::size_t k, std::vector<double> const& factors);

/// The factor that makes `budget` one of `units`.
double factor_for(Budget const& budget, double units);

/// As `Kernel::judge`, with a factor a budget.
void judge_within(Kernel const& kernel, Table const& cases, Truths const& truths, std::size_t row,
                  Answers const& answers, std::size_t answer_row, std::vector<double> const& factors,
                  std::span<Judged> judged);

}  // namespace demeter
