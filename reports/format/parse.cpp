#include "reports/format/parse.hpp"

#include "kernels/json_lines.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace demeter::report {
namespace {

constexpr std::size_t deepest = 100;  // maximum depth; a report has about a dozen levels

}  // namespace

std::optional<Json> parse_results(std::string_view text, std::string& why) {
  if (std::size_t const levels = json_depth(text); levels > deepest) {
    why = fmt::format("nested {} levels deep; expected a results.json of demeter report", levels);
    return std::nullopt;
  }
  try {
    Json parsed = Json::parse(text);
    if (parsed.is_object() && parsed.contains("kernels")) {
      auto const other = other_schema(parsed);
      if (!other) return parsed;
      why = *other;
      return std::nullopt;
    }
    why = "expected a results.json of demeter report, an object with the key \"kernels\"";
  } catch (Json::parse_error const& error) {
    why = fmt::format("not JSON at byte {}; expected a results.json of demeter report", error.byte);
  } catch (Json::exception const&) {  // a number outside the range of binary64
    why = "not JSON; expected a results.json of demeter report";
  }
  return std::nullopt;
}

}  // namespace demeter::report
