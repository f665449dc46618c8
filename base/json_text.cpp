#include "base/json_text.hpp"

#include "base/text.hpp"

#include <nlohmann/json.hpp>

namespace demeter {

std::string json_text(nlohmann::ordered_json const& value, int indent) {
  return escaped_json(value.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

}  // namespace demeter
