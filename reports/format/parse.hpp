// Reads the text of a results.json.
#pragma once

#include "reports/format/model.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace demeter::report {

/// The data of a results.json as `demeter report` writes it, its tables as the lists they stand for; otherwise nothing,
/// and `why` says in one line what was expected. What stands where in it is not looked at (read_results leaves empty
/// what it does not find); but it is not nested deeper than anything a report has, so that what recurses into it is
/// safe.
std::optional<Json> parse_results(std::string_view text, std::string& why);

}  // namespace demeter::report
