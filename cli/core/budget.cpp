#include "cli/core/budget.hpp"

#include "properties/core/tolerance.hpp"
#include "reports/format/describe.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace demeter::cli {

std::vector<double> UserBudget::factors(Kernel const& kernel) const {
  std::vector<double> result(kernel.budgets.size(), factor);
  for (auto const& own : units)
    for (std::size_t k = 0; k < result.size(); ++k)
      if (kernel.budgets[k].output == own.first) result[k] = factor_for(kernel.budgets[k], own.second);
  return result;
}

void add_budget(Verb& verb, std::vector<std::string>& values) {
  verb.list(
      "--budget", values,
      "your own tolerance: a number multiplies every budget, OUTPUT=UNITS sets one output's in its measure's units");
}

std::optional<UserBudget> budget_or_complain(std::string_view verb, std::vector<std::string> const& values,
                                             std::vector<Kernel const*> const& kernels) {
  UserBudget budget;
  bool factor_given = false;
  auto const wrong = [&](std::string const& why) {
    complain(bad_usage, verb, "--budget: " + why + " (see --help)");
    return std::nullopt;
  };
  for (auto const& text : values) {
    auto const equals = text.rfind('=');
    std::string const output = equals == std::string::npos ? "" : text.substr(0, equals);
    std::string const number = equals == std::string::npos ? text : text.substr(equals + 1);
    double value = 0;
    auto const [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
    if (error != std::errc{} || end != number.data() + number.size() || !std::isfinite(value) || !(value > 0))
      return wrong(fmt::format("expected a number above 0, got \"{}\"{}", number,
                               equals == std::string::npos ? ", or OUTPUT=UNITS" : " for " + output));
    if (equals == std::string::npos) {
      if (std::exchange(factor_given, true)) return wrong(fmt::format("two factors, the second is {}", number));
      budget.factor = value;
      continue;
    }
    for (auto const& before : budget.units)
      if (before.first == output) return wrong(fmt::format("\"{}\" is given twice", output));
    std::vector<std::string> outputs;
    bool found = false;
    for (auto const* kernel : kernels) {
      for (auto const& each : kernel->budgets) {
        found = found || each.output == output;
        if (std::find(outputs.begin(), outputs.end(), each.output) == outputs.end()) outputs.emplace_back(each.output);
      }
    }
    if (!found) return wrong(fmt::format("no output \"{}\"; expected one of {}", output, fmt::join(outputs, ", ")));
    budget.units.emplace_back(output, value);
  }
  return budget;
}

std::string tolerance_text(Kernel const& kernel, std::size_t k, std::vector<double> const& factors) {
  Budget const own = tolerated(kernel, k, factors);
  std::string text = budget_text(own);
  if (own.units != kernel.budgets[k].units) text += fmt::format(", the contract's is {}", kernel.budgets[k].units);
  return text;
}

}  // namespace demeter::cli
