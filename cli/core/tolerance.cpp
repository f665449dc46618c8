#include "cli/core/tolerance.hpp"

#include "reports/format/describe.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace demeter::cli {
namespace {

/// Returns what is wrong with the values of --budget, or nothing.
std::optional<std::string> read_budgets(std::vector<std::string> const& values,
                                        std::vector<Kernel const*> const& kernels, Held& own) {
  bool factor_given = false;
  for (auto const& text : values) {
    auto const equals = text.rfind('=');
    std::string const output = equals == std::string::npos ? "" : text.substr(0, equals);
    std::string const number = equals == std::string::npos ? text : text.substr(equals + 1);
    double value = 0;
    auto const [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
    if (error != std::errc{} || end != number.data() + number.size() || !std::isfinite(value) || !(value > 0))
      return fmt::format("{}got \"{}\", expected a number above 0{}", output.empty() ? "" : output + ": ", number,
                         equals == std::string::npos ? " or OUTPUT=UNITS" : "");
    if (equals == std::string::npos) {
      if (std::exchange(factor_given, true)) return fmt::format("got a second factor {}, expected one", number);
      own.factor = value;
      continue;
    }
    for (auto const& before : own.units)
      if (before.first == output) return fmt::format("\"{}\" is given twice", output);
    std::vector<std::string> outputs;
    bool found = false;
    for (auto const* kernel : kernels) {
      for (auto const& each : kernel->budgets) {
        found = found || each.output == output;
        if (std::find(outputs.begin(), outputs.end(), each.output) == outputs.end()) outputs.emplace_back(each.output);
      }
    }
    if (!found) return fmt::format("unknown output \"{}\"; expected one of {}", output, fmt::join(outputs, ", "));
    own.units.emplace_back(output, value);
  }
  return std::nullopt;
}

}  // namespace

void add_tolerance(Verb& verb, Common& options) {
  verb.option(
      "--tolerance", options.tolerance,
      "tolerance of outputs and laws: strict (the budgets), double (1024 u), float (1024 u of single precision), or a "
      "number such as 1e-9; if not given: strict for fast, float for single precision, double for all others");
  verb.list("--budget", options.budget,
            "for experts: NUMBER multiplies every tolerance (without --tolerance: every budget); OUTPUT=UNITS sets the "
            "tolerance of one output, in the units of its measure");
}

bool held_or_complain(std::string_view verb, Common const& options, std::vector<Kernel const*> const& kernels,
                      std::optional<Held>& held) {
  held.reset();
  if (!options.tolerance.empty()) {
    held = held_to(options.tolerance);
    if (!held) {
      complain(bad_usage, verb,
               fmt::format("--tolerance: got \"{}\", expected strict, double, float or a number above 0 (see --help)",
                           plain_text(options.tolerance, 40)));
      return false;
    }
  }
  if (options.budget.empty()) return true;
  if (!held) held.emplace();
  auto const wrong = read_budgets(options.budget, kernels, *held);
  if (wrong) complain(bad_usage, verb, "--budget: " + *wrong + " (see --help)");
  return !wrong;
}

std::string tolerance_text(Kernel const& kernel, std::size_t k, Tolerance const& tolerance) {
  Budget const own = tolerated(kernel, k, tolerance);
  std::string text = budget_text(own);
  if (own.units != kernel.budgets[k].units) text += fmt::format(", contract: {}", kernel.budgets[k].units);
  return text;
}

}  // namespace demeter::cli
