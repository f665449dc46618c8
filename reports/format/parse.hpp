// Reads the text of a results.json.
#pragma once

#include "reports/format/model.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace demeter::report {

/// Returns the JSON of a results.json. If it is none, or of another version of the schema, returns nothing and puts the
/// problem into `why`, in one line. Only the version and the depth are examined: read_results() reports missing parts,
/// and functions that recurse into the JSON are safe.
std::optional<Json> parse_results(std::string_view text, std::string& why);

}  // namespace demeter::report
