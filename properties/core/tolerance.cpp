#include "properties/core/tolerance.hpp"

#include <algorithm>
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

void judge_within(Kernel const& kernel, Table const& cases, Truths const& truths, std::size_t row,
                  Answers const& answers, std::size_t answer_row, std::vector<double> const& factors,
                  std::span<Judged> judged) {
  double const first = factors.empty() ? 1 : factors.front();
  kernel.judge(cases, truths, row, answers, answer_row, first, judged);
  // The kernel judges all outputs by one factor: those with another are judged again and picked out.
  std::vector<Judged> again;
  for (std::size_t k = 1; k < factors.size(); ++k) {
    if (factors[k] == first || std::find(factors.begin(), factors.begin() + static_cast<std::ptrdiff_t>(k),
                                         factors[k]) != factors.begin() + static_cast<std::ptrdiff_t>(k))
      continue;
    again.assign(judged.size(), {});
    kernel.judge(cases, truths, row, answers, answer_row, factors[k], again);
    for (std::size_t j = k; j < factors.size(); ++j)
      if (factors[j] == factors[k]) judged[j] = again[j];
  }
}

}  // namespace demeter
