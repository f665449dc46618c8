// Tests the comparison routines, which are timed and not judged. For each routine, the report shows the verdict of a
// subject. The routine must therefore be as accurate as this subject.
#include "bench/core/timings.hpp"
#include "kernels/kernel.hpp"
#include "kernels/lists.hpp"
#include "tests/core/kernel_cases.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace demeter {
namespace baselines_test {

constexpr std::uint64_t seed = 20'261'128;

/// Returns the answers of the routine. Outputs that it does not write are "not computed".
Table answers_of(Kernel const& kernel, bench::Baseline const& baseline, Table cases) {
  Table answers = blank_outputs(kernel.input, kernel.output, cases, 0);
  std::vector<double*> prepared, out;
  for (auto& column : cases.columns) prepared.push_back(column.data());
  for (auto& column : answers.columns) out.push_back(column.data());
  if (baseline.prepare != nullptr) baseline.prepare(cases.rows, prepared.data());
  std::vector<double const*> const in(prepared.begin(), prepared.end());
  baseline.run(cases.rows, in.data(), out.data());
  return answers;
}

class BaselinesOf : public testing::TestWithParam<std::string> {
 protected:
  Kernel const& kernel() const { return *find_kernel(GetParam()); }
};

TEST_P(BaselinesOf, EachRoutineStatesItsJudgedSubjectOrWhatItLeavesOut) {
  for (auto const& baseline : kernel().baselines)
    EXPECT_FALSE(baseline.judged_as.empty() && baseline.leaves_out.empty()) << baseline.name;
}

// Up to a tenth of the verdicts may differ, because some errors are near the tolerance. Extreme regimes are left out:
// there, the order of two products decides whether they overflow. A routine that leaves something out may be worse than
// the subject, but not better.
TEST_P(BaselinesOf, EachRoutinePassesAsOftenAsItsJudgedSubject) {
  Tolerance const of_double{.units = std::vector<double>(kernel().budgets.size(), 1024)};
  std::vector<Judged> of_mine(kernel().budgets.size()), of_theirs(kernel().budgets.size());
  for (std::size_t regime = 0; regime < kernel().regimes.size(); ++regime) {
    if (kernel().regimes[regime].profile == Profile::extreme) continue;
    Table cases(kernel().input);
    std::uint64_t const size = kernel().regimes[regime].size, wanted = testing_kernels::affordable(kernel(), 100);
    for (std::uint64_t id = 0; id < (size == 0 ? wanted : std::min(size, wanted)); ++id)
      kernel().generate(regime, seed, id, cases);
    Truths const truths = kernel().truths(cases);
    for (auto const& baseline : kernel().baselines) {
      if (baseline.judged_as.empty() || !bench::runs_here(baseline)) continue;
      Answering const* const subject = kernel().find(baseline.judged_as);
      ASSERT_NE(subject, nullptr) << baseline.name << " is judged as " << baseline.judged_as;
      Answers mine, theirs;
      mine.output = answers_of(kernel(), baseline, cases);
      theirs.clear(kernel().output);
      subject->answer(cases, theirs);
      std::size_t judged = 0, better = 0, worse = 0;
      for (std::size_t row = 0; row < cases.rows; ++row) {
        kernel().judge(cases, truths, row, mine, row, of_double, of_mine);
        kernel().judge(cases, truths, row, theirs, row, of_double, of_theirs);
        for (std::size_t k = 0; k < of_mine.size(); ++k) {
          if (!of_mine[k].computed || !of_theirs[k].computed) continue;
          ++judged;
          bool const right = of_mine[k].verdict == Verdict::pass, is_theirs = of_theirs[k].verdict == Verdict::pass;
          if (right && !is_theirs) ++better;
          if (!right && is_theirs) ++worse;
        }
      }
      std::string const where = std::string(baseline.name) + " beside " + std::string(baseline.judged_as) + " in " +
                                kernel().regimes[regime].name + ", of " + std::to_string(judged);
      EXPECT_GE(judged, cases.rows) << where;
      EXPECT_LE(better, judged / 10) << where;
      if (baseline.leaves_out.empty()) {
        EXPECT_LE(worse, judged / 10) << where;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Every, BaselinesOf, testing::ValuesIn(testing_kernels::kernel_names()),
                         [](auto const& named) { return named.param; });

}  // namespace baselines_test
}  // namespace demeter
