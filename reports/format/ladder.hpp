// The precision ladder in the report: how many digits the reference loses in each arithmetic, by regime.
#pragma once

#include "check/ladder.hpp"
#include "reports/format/model.hpp"

#include <string>

namespace demeter {

/// `lost` in decimal digits, NaN where no case could be judged.
report::Ladder describe(Kernel const& kernel, std::vector<LadderRow> const& rows);

namespace report {

/// The section of a kernel's page; nothing if the results have no ladder.
void add_ladder(std::string& html, Kernel const& kernel);

}  // namespace report
}  // namespace demeter
