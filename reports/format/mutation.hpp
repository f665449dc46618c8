// The mutation score as JSON: what `demeter check --mutants --json` and results.json share.
#pragma once

#include "properties/core/mutation.hpp"
#include "reports/format/describe.hpp"

namespace demeter {

nlohmann::ordered_json describe(Kernel const& kernel, Mutants const& mutants, MutationScore const& score);

}  // namespace demeter
