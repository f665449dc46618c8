// JSON of names and messages that are others'.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace demeter {

/// The value as text; `indent` as nlohmann's dump has it. What is no UTF-8, as a path may be, becomes U+FFFD;
/// characters that a terminal or an editor would obey are escaped.
std::string json_text(nlohmann::ordered_json const& value, int indent = -1);

}  // namespace demeter
