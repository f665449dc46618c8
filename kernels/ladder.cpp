#include "kernels/ladder.hpp"

namespace demeter::detail {
namespace {

/// -log10 of the error over the base: the digits that are right.
double digits_right(Multiprecision const& value, Multiprecision const& truth, Multiprecision const& base) {
  if (!isfinite(value)) return 0;
  Multiprecision const error = abs(value - truth);
  if (error == 0) return std::numeric_limits<double>::infinity();
  if (base == 0) return 0;
  return std::max(0.0, -static_cast<double>(log10(error / base)));
}

}  // namespace

void rate(std::span<Budget const> budgets, Schema const& output, NumbersByColumn const& answer,
          NumbersByColumn const& truth, NumbersByColumn const& scale, std::span<double> right) {
  for (std::size_t k = 0; k < budgets.size(); ++k) {
    Budget const& budget = budgets[k];
    if (budget.measure == Measure::optimality) continue;
    for (auto const& child : output.root.children) {
      if (child.name != budget.output) continue;
      for (std::size_t i = 0; i < answer.all.size(); ++i) {
        std::size_t const column = answer.all[i].first;
        if (column < child.column || column >= child.column + child.columns) continue;
        double digits = 0;
        if (i < truth.all.size() && truth.all[i].first == column && i < scale.all.size())
          digits = digits_right(answer.all[i].second, truth.all[i].second,
                                budget.measure == Measure::relative ? abs(truth.all[i].second) : scale.all[i].second);
        right[k] = std::isnan(right[k]) ? digits : std::min(right[k], digits);
      }
    }
  }
}

}  // namespace demeter::detail
