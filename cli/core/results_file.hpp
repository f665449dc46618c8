// Reads files of results that another run wrote.
#pragma once

#include <string>
#include <string_view>

namespace demeter::cli {

/// Reads a results.json.gz, or plain JSON, from `report`, `check --json` or `bench --json`. Returns `held` (success)
/// and the uncompressed text, or the exit code after an error message.
int read_results_file(std::string_view verb, std::string const& path, std::string& text);

}  // namespace demeter::cli
