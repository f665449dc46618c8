// Mutants for tests of call patterns. They exist for every kernel. Each is the right implementation as a function over
// columns, with one defect that depends on the call pattern. The batches of an ordinary check may not show such a
// defect.
#pragma once

#include "kernels/kernel.hpp"
#include "kernels/mutant.hpp"
#include "subjects/columns.hpp"

#include <vector>

namespace demeter {

/// Returns a function over columns that answers like `answering`: it reads its cases from the input columns and writes
/// its answers to the wanted output columns. The kernel must not have an output list whose length the answer
/// determines.
ColumnFunction over_columns(Answering const& answering, Kernel const& kernel);

/// Returns the right implementation of the kernel as a function over columns. The kernel must outlive the result.
Subject right_over_columns(Mutants const& mutants, Kernel const& kernel);
/// Returns versions of the right implementation with one defect each. The kernel must outlive the result.
std::vector<Mutants::Each> call_mutants(Mutants const& mutants, Kernel const& kernel);

}  // namespace demeter
