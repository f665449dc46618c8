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
/// its answers to the wanted output columns. Only for kernels without output lists of their own length.
ColumnFunction over_columns(Answering const& answering, Kernel const& kernel);

/// Return the right implementation of the kernel as a function over columns, and versions of it with one defect each.
/// The kernel must outlive the results.
Subject right_over_columns(Mutants const& mutants, Kernel const& kernel);
std::vector<Mutants::Each> call_mutants(Mutants const& mutants, Kernel const& kernel);

}  // namespace demeter
