#include "check/ladder.hpp"

#include "check/threads.hpp"

#include <algorithm>
#include <cmath>

namespace demeter {

double digits_lost(LadderRow const& row, std::size_t rung) {
  return std::isnan(row.right[rung]) ? row.right[rung] : std::max(0.0, ladder[rung].digits - row.right[rung]);
}

std::vector<LadderRow> climb_ladder(Kernel const& kernel, std::uint64_t seed, std::uint64_t cases, unsigned jobs,
                                    std::atomic<bool> const* stop) {
  std::size_t const budgets = kernel.budgets.size();
  std::vector<std::vector<LadderRow>> of_regime(kernel.regimes.size());
  for_each_in_threads(jobs, of_regime.size(), stop, [&](std::size_t regime) {
    std::vector<double> right(ladder.size() * budgets);
    auto& rows = of_regime[regime];
    for (std::size_t k = 0; k < budgets; ++k) {
      if (kernel.budgets[k].measure == Measure::optimality) continue;
      rows.push_back({regime, k, {}});
      rows.back().right.fill(std::numeric_limits<double>::quiet_NaN());
    }
    // Cases with long lists take longer. So fewer cases are used if they have more than 128 numbers on average.
    std::size_t numbers = 0;
    for (std::uint64_t id = 0; id < cases && numbers < 128 * cases; ++id) {
      if (stop != nullptr && stop->load()) return;
      Table one(kernel.input);
      kernel.generate(regime, seed, id, one);
      for (auto const& column : one.columns) numbers += column.size();
      climb(kernel, one, 0, right);
      for (auto& row : rows)
        for (std::size_t rung = 0; rung < ladder.size(); ++rung)
          row.right[rung] = std::fmin(row.right[rung], right[rung * budgets + row.budget]);
    }
  });
  std::vector<LadderRow> rows;
  for (auto const& some : of_regime) rows.insert(rows.end(), some.begin(), some.end());
  return rows;
}

}  // namespace demeter
