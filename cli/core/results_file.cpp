#include "cli/core/results_file.hpp"

#include "cli/core/command.hpp"
#include "reports/format/gzip.hpp"

#include <fmt/format.h>

namespace demeter::cli {

int read_results_file(std::string_view verb, std::string const& path, std::string& text) {
  InputFile in;
  std::string why;
  if (!in.open_or_complain(verb, path)) return bad_usage;
  if (!in.read_or_complain(verb, text)) return broken;
  auto plain = report::unpacked(std::move(text), why);
  if (plain && plain->empty()) why = "empty file, expected results as JSON";
  if (!why.empty()) return complain(bad_data, verb, fmt::format("{}: {}", path, why));
  text = std::move(*plain);
  return held;
}

}  // namespace demeter::cli
