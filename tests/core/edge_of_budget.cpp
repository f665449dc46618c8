// Tests the judge at the edge of every budget, for every kernel, output and component. The last double within the
// budget must pass, and the next one must fail. The test computes the edge from the digits of the truth.
#include "kernels/kernel.hpp"

#include <gtest/gtest.h>
#include <boost/multiprecision/cpp_bin_float.hpp>

#include <cmath>
#include <limits>

namespace demeter {
namespace edge_of_budget_test {

using Wide = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<60>, boost::multiprecision::et_off>;

constexpr double infinity = std::numeric_limits<double>::infinity();

std::size_t budget_count(Kernel const& kernel) { return kernel.budgets.size(); }

/// One case with its truth and an answer that tests can change.
struct Bench {
  Kernel const& kernel;
  Table cases;
  Truths truths;
  Answers answers;
  TextTable text;
  std::vector<Judged> judged;

  Bench(Kernel const& which, std::size_t regime, std::uint64_t id)
      : kernel(which), cases(which.input), judged(budget_count(which)) {
    kernel.generate(regime, 1, id, cases);
    truths = kernel.truths(cases);
    answers.clear(kernel.output);
    kernel.find("fast@scalar")->answer(cases, answers);
    text = empty_text(kernel.output);
    kernel.truth_text(truths, 0, text);
  }
  double& cell(std::size_t column) { return answers.output.columns[column][0]; }
  /// The tests stay at least this relative distance away from the edge, because the truth has a limited number of
  /// digits. Slow truths have only the digits of their first enclosure, about twenty.
  double nearest() const { return kernel.case_divisor < 10 ? 1e-12 : 0.08; }
  Judged const& judge(std::size_t budget) {
    kernel.judge(cases, truths, 0, answers, 0, {}, judged);
    return judged[budget];
  }
};

/// Returns the first column and the number of columns of an output. For a list, the test changes only its first
/// element.
std::pair<std::size_t, std::size_t> columns_of(Kernel const& kernel, Budget const& budget) {
  for (auto const& child : kernel.output.root.children)
    if (child.name == budget.output) {
      Node const& numbers = child.kind == Node::Kind::list ? child.children.front() : child;
      return {numbers.values(), std::max<std::size_t>(numbers.extent, 1)};
    }
  ADD_FAILURE() << budget.output;
  return {0, 0};
}

/// Goes from `truth` in the direction `side`. If `inside`, returns the last double that is at most `reach` away;
/// otherwise, returns the next double.
double at_edge(Wide const& truth, Wide const& reach, int side, bool inside) {
  Wide const edge = truth + side * reach;
  auto const outwards = side * infinity;
  auto x = static_cast<double>(edge);
  if (!std::isfinite(x)) return x;
  while (std::isfinite(x) && side * (Wide(x) - edge) <= 0) x = std::nextafter(x, outwards);
  while (std::isfinite(x) && side * (Wide(x) - edge) > 0) x = std::nextafter(x, -outwards);
  return inside ? x : std::nextafter(x, outwards);
}

struct Trials {
  std::uint64_t passed = 0, failed = 0;
};

/// For an output that is judged by its distance from the truth: moves each component to both sides of the edge, in both
/// directions.
void bend(Bench& bench, std::size_t k, Trials& trials) {
  Budget const& budget = bench.kernel.budgets[k];
  auto const [first, count] = columns_of(bench.kernel, budget);
  if (bench.answers.output.columns[first].empty()) return;  // the list is empty
  double largest = 0;
  for (std::size_t column = first; column < first + count; ++column) {
    bench.cell(column) = std::strtod(bench.text.columns[column][0].c_str(), nullptr);
    largest = std::max(largest, std::fabs(bench.cell(column)));
  }
  for (std::size_t column = first; column < first + count; ++column) {
    double const before = bench.cell(column);
    if (!std::isfinite(before)) return;
    Wide const truth(bench.text.columns[column][0]);
    Wide const u = ldexp(Wide(1), -53), least = ldexp(Wide(1), -1075);
    Wide base = abs(truth);
    if (budget.measure == Measure::scale) {
      // The kernel's interface does not give the scale, but the scale follows from the error of a very wrong answer.
      // This answer must be larger than the other components, because the judge reports the worst component. Its error
      // must be at least one unit, because a subnormal error would not give the scale exactly.
      double far = largest == 0 ? 1 : largest * 0x1p30 + (largest < 0x1p-900 ? 0x1p-800 : 0), error = 0;
      for (; std::isfinite(far); far *= 0x1p100) {
        bench.cell(column) = far;
        error = bench.judge(k).error;
        if (error > 1) break;
      }
      bench.cell(column) = before;
      if (!std::isfinite(far) || !std::isfinite(error) || !(error > 0)) continue;
      base = (abs(Wide(far) - truth) - least) / (Wide(error) * u);
    }
    Wide const budgeted = budget.units * u * base;
    // The error above is a double. The scale therefore has a relative error of 2^-52, which is below 1e-12.
    for (int const side : {-1, 1})
      for (double const share : {0.5, 0.9, 1 - bench.nearest()}) {
        double const x = at_edge(truth, share * budgeted + least, side, true);
        if (!std::isfinite(x) || abs(Wide(x) - truth) > share * budgeted + least) continue;
        bench.cell(column) = x;
        EXPECT_EQ(bench.judge(k).verdict, Verdict::pass)
            << bench.kernel.name << " " << budget.output << " " << x << " is " << share << " of the budget off";
        ++trials.passed;
      }
    for (int const side : {-1, 1})
      for (double const share : {1 + bench.nearest(), 1.1, 2.0}) {
        double const x = at_edge(truth, share * budgeted + least, side, false);
        if (!std::isfinite(x)) continue;
        bench.cell(column) = x;
        EXPECT_EQ(bench.judge(k).verdict, Verdict::fail)
            << bench.kernel.name << " " << budget.output << " " << x << " is " << share << " of the budget off";
        EXPECT_GT(bench.judge(k).error, budget.units * (1 - bench.nearest()));
        ++trials.failed;
      }
    bench.cell(column) = before;
  }
}

/// For an output that is judged by its distance from the optimum: moves the output from the best value towards both
/// ends, until it just fails. The distance is convex along the way, so there is one edge. Verdict and error must change
/// there together.
void move(Bench& bench, std::size_t k, Trials& trials) {
  Budget const& budget = bench.kernel.budgets[k];
  std::size_t const column = columns_of(bench.kernel, budget).first;
  if (bench.answers.output.columns[column].empty()) return;  // the list is empty
  double const best = bench.cell(column);
  for (double const end : {0.0, 1.0}) {
    double inside = best, outside = end;
    bench.cell(column) = end;
    if (bench.judge(k).verdict != Verdict::fail) {
      EXPECT_LE(bench.judge(k).error, budget.units * (1 + bench.nearest()));
      continue;
    }
    for (int step = 0; step < 2000; ++step) {
      double const middle = 0.5 * (inside + outside);
      if (middle == inside || middle == outside) break;
      bench.cell(column) = middle;
      (bench.judge(k).verdict == Verdict::pass ? inside : outside) = middle;
    }
    bench.cell(column) = inside;
    EXPECT_LE(bench.judge(k).error, budget.units * (1 + bench.nearest())) << bench.kernel.name << " " << budget.output;
    ++trials.passed;
    bench.cell(column) = outside;
    // Some truths need a search and are known only to 1e-6 u. Close to the edge, the verdict may then be undecided.
    if (bench.kernel.case_divisor < 100) {
      EXPECT_EQ(bench.judge(k).verdict, Verdict::fail);
    } else {
      EXPECT_NE(bench.judge(k).verdict, Verdict::pass);
    }
    EXPECT_GE(bench.judge(k).error, budget.units * (1 - bench.nearest())) << bench.kernel.name << " " << budget.output;
    ++trials.failed;
  }
  bench.cell(column) = best;
}

class EdgeOfBudget : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Kernels, EdgeOfBudget, testing::ValuesIn(testing_kernels::kernel_names()),
                         [](auto const& kernel) { return kernel.param; });

TEST_P(EdgeOfBudget, TheLargestErrorWithinTheBudgetPassesAndTheNextFails) {
  Kernel const& kernel = *find_kernel(GetParam());
  std::uint64_t const per_regime = kernel.case_divisor < 10 ? 20 : kernel.case_divisor < 50 ? 7 : 5;
  std::vector<Trials> trials(kernel.budgets.size());
  for (std::size_t regime = 0; regime < kernel.regimes.size(); ++regime)
    for (std::uint64_t id = 0; id < testing_kernels::cases(per_regime); ++id) {
      Bench bench(kernel, regime, id);
      for (std::size_t k = 0; k < kernel.budgets.size(); ++k)
        kernel.budgets[k].measure == Measure::optimality ? move(bench, k, trials[k]) : bend(bench, k, trials[k]);
    }
  for (std::size_t k = 0; k < kernel.budgets.size(); ++k) {
    EXPECT_GT(trials[k].passed, testing_kernels::cases(100)) << kernel.budgets[k].output;
    EXPECT_GT(trials[k].failed, testing_kernels::cases(100)) << kernel.budgets[k].output;
  }
}

}  // namespace edge_of_budget_test
}  // namespace demeter
