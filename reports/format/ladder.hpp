// The precision ladder in the report: the number of digits that the reference loses in each arithmetic, per regime.
#pragma once

#include "check/ladder.hpp"
#include "reports/format/model.hpp"

#include <string>

namespace demeter {

/// Returns the ladder as a record. `lost` is the number of lost decimal digits. It is NaN if no case could be judged.
report::Ladder describe(Kernel const& kernel, std::vector<LadderRow> const& rows);

namespace report {

/// Adds the section about the ladder to a kernel's page. Adds nothing if the results have no ladder.
void add_ladder(std::string& html, Kernel const& kernel);

}  // namespace report
}  // namespace demeter
