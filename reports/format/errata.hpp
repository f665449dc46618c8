// The errata of a kernel as records, with their computed figures.
#pragma once

#include "kernels/errata.hpp"
#include "reports/format/records.hpp"

namespace demeter {

/// Returns the errata. A figure that cannot be computed has an empty `computed`, and `agrees` is false.
std::vector<report::Erratum> describe_errata(Kernel const& kernel);

}  // namespace demeter
