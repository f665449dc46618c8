// The mutation score as a record, for `demeter check --mutants --json` and results.json.
#pragma once

#include "check/mutation.hpp"
#include "reports/format/describe.hpp"

namespace demeter {

report::Mutation describe(Kernel const& kernel, Mutants const& mutants, MutationScore const& score);

}  // namespace demeter
