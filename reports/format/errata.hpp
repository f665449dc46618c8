// The errata of a kernel with their figures computed, as records.
#pragma once

#include "kernels/errata.hpp"
#include "reports/format/records.hpp"

namespace demeter {

/// What cannot be computed has `computed` empty, and `agrees` false.
std::vector<report::Erratum> describe_errata(Kernel const& kernel);

}  // namespace demeter
