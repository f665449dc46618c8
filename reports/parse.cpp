#include "reports/parse.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace demeter::report {
namespace {

constexpr int deepest = 100;  // a report has about a dozen levels

/// Counts brackets outside strings. Nothing else of the text is looked at.
int depth(std::string_view text) {
  int now = 0, most = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    char const c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '[' || c == '{') {
      most = std::max(most, ++now);
    } else if (c == ']' || c == '}') {
      --now;
    }
  }
  return most;
}

}  // namespace

std::optional<Json> parse_results(std::string_view text, std::string& why) {
  if (int const levels = depth(text); levels > deepest) {
    why = fmt::format("nested {} levels deep; expected a results.json of demeter report", levels);
    return std::nullopt;
  }
  try {
    Json parsed = Json::parse(text);
    if (parsed.is_object() && parsed.contains("kernels")) return parsed;
    why = "expected a results.json of demeter report, an object with the key \"kernels\"";
  } catch (Json::parse_error const& error) {
    why = fmt::format("not JSON at byte {}; expected a results.json of demeter report", error.byte);
  } catch (Json::exception const&) {  // a number beyond binary64
    why = "not JSON; expected a results.json of demeter report";
  }
  return std::nullopt;
}

}  // namespace demeter::report
