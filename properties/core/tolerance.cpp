#include "properties/core/tolerance.hpp"

#include "subjects/outside/outside.hpp"

#include <cmath>

namespace demeter {

Budget tolerated(Kernel const& kernel, std::size_t k, std::vector<double> const& factors) {
  Budget budget = kernel.budgets[k];
  if (!factors.empty()) budget.units *= factors[k];
  return budget;
}

double factor_for(Budget const& budget, double units) {
  double const factor = units / budget.units;
  // The quotient may be off by a rounding; mostly a neighbour gives the units back.
  for (double const each : {std::nextafter(factor, 0.0), std::nextafter(factor, HUGE_VAL)})
    if (budget.units * factor != units && budget.units * each == units) return each;
  return factor;
}

Tolerance tolerance_of(Subject const& subject, std::vector<double> const& factors) {
  return Tolerance(factors, subject.binary32 ? binary32 : binary64);
}

Table judged_cases(Kernel const& kernel, Subject const& subject, Table const& cases) {
  return subject.binary32 ? judged_in_binary32(kernel, cases) : cases;
}

}  // namespace demeter
