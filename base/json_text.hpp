// JSON text that is safe to print.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace demeter {

/// Returns the value as JSON text. `indent` means the same as in nlohmann's dump. Invalid UTF-8, for example in a path,
/// becomes U+FFFD. Characters that a terminal or an editor would interpret are escaped.
std::string json_text(nlohmann::ordered_json const& value, int indent = -1);

}  // namespace demeter
