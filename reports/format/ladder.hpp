// The precision ladder in the report: how many digits the reference loses in each arithmetic, by regime.
#pragma once

#include "properties/core/ladder.hpp"
#include "reports/format/model.hpp"

#include <string>

namespace demeter {

/// {"arithmetics":[{"name","digits"}],"rows":[{"regime","output","measure","lost":[...]}]}; `lost` in decimal digits,
/// "nan" where no case could be judged.
nlohmann::ordered_json describe(Kernel const& kernel, std::vector<LadderRow> const& rows);

namespace report {

/// The section of a kernel's page; nothing if the results have no ladder.
void add_ladder(std::string& html, Kernel const& kernel);

}  // namespace report
}  // namespace demeter
