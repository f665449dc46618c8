// Mutants that every kernel has without a list of its own: its right implementation as a function over columns, wrong
// in how it is called. None of them need be wrong in a batch of the size that an ordinary check asks.
#pragma once

#include "kernels/kernel.hpp"
#include "kernels/mutant.hpp"
#include "subjects/columns.hpp"

#include <vector>

namespace demeter {

/// What answers tables as a function over columns: it reads its cases from them and writes its answers to those that
/// are wanted. For kernels without output lists of a length of their own.
ColumnFunction over_columns(Answering const& answering, Kernel const& kernel);

/// The kernel's right implementation as such a function, and versions of it with one defect each. The kernel must
/// outlive them.
Subject right_over_columns(Mutants const& mutants, Kernel const& kernel);
std::vector<Mutants::Each> call_mutants(Mutants const& mutants, Kernel const& kernel);

}  // namespace demeter
