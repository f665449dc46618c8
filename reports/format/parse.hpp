// Reads the text of a results.json.
#pragma once

#include "reports/format/model.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace demeter::report {

/// Returns the JSON of a results.json. If the text is not a results.json of this schema version, returns nothing and
/// puts the problem into `why`, in one line. Checks only the version and the depth: read_results() reports missing
/// parts. The depth is limited, so functions may recurse into the JSON.
std::optional<Json> parse_results(std::string_view text, std::string& why);

}  // namespace demeter::report
