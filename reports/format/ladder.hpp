// The precision ladder in the report: the number of digits that the reference loses in each arithmetic, per regime.
#pragma once

#include "check/ladder.hpp"
#include "reports/format/model.hpp"

#include <string>

namespace demeter {

/// Returns the ladder as a record. `lost` is in decimal digits, NaN where no case could be judged.
report::Ladder describe(Kernel const& kernel, std::vector<LadderRow> const& rows);

namespace report {

/// Adds the section of a kernel's page. Adds nothing if the results have no ladder.
void add_ladder(std::string& html, Kernel const& kernel);

}  // namespace report
}  // namespace demeter
