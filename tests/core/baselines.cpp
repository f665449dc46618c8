// What is timed beside the subjects and not judged: that the verdict which the report shows in its place is its own.
#include "kernels/kernel.hpp"
#include "kernels/lists.hpp"
#include "subjects/subjects.hpp"
#include "tests/core/kernel_cases.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace demeter {
namespace baselines_test {

constexpr std::uint64_t seed = 20'261'128;

bool runs_here(bench::Baseline const& baseline) {
  auto const levels = testing_kernels::levels();
  return std::any_of(levels.begin(), levels.end(), [&](Level level) {
    return labels(level)[static_cast<std::size_t>(level)] == baseline.level;
  });
}

/// What the routine writes; what it leaves alone is "not computed".
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

Table typical_cases(Kernel const& kernel, std::uint64_t count) {
  Table cases(kernel.input);
  for (std::uint64_t id = 0; id < count; ++id) kernel.generate(0, seed, id, cases);
  return cases;
}

class BaselinesOf : public testing::TestWithParam<std::string> {
 protected:
  Kernel const& kernel() const { return *find_kernel(GetParam()); }
};

TEST_P(BaselinesOf, SayWhyTheyMayBeAhead) {
  for (auto const& baseline : kernel().baselines)
    EXPECT_FALSE(baseline.judged_as.empty() && baseline.leaves_out.empty()) << baseline.name;
}

// Some verdicts may differ: of errors near the tolerance.
TEST_P(BaselinesOf, AreAsRightAsWhatTheyAreJudgedAs) {
  Table const cases = typical_cases(kernel(), testing_kernels::affordable(kernel(), 400));
  Truths const truths = kernel().truths(cases);
  Tolerance const of_double{.units = std::vector<double>(kernel().budgets.size(), 1024)};
  for (auto const& baseline : kernel().baselines) {
    if (baseline.judged_as.empty() || !runs_here(baseline)) continue;
    Subject const* const subject = find_subject(baseline.judged_as);
    Answering const* const answering = subject == nullptr ? nullptr : subject->find(kernel().name);
    ASSERT_NE(answering, nullptr) << baseline.name << " is judged as " << baseline.judged_as;
    Answers mine, theirs;
    mine.output = answers_of(kernel(), baseline, cases);
    theirs.clear(kernel().output);
    answering->answer(cases, theirs);
    std::size_t judged = 0, apart = 0;
    std::vector<Judged> of_mine(kernel().budgets.size()), of_theirs(kernel().budgets.size());
    for (std::size_t row = 0; row < cases.rows; ++row) {
      kernel().judge(cases, truths, row, mine, row, of_double, of_mine);
      kernel().judge(cases, truths, row, theirs, row, of_double, of_theirs);
      for (std::size_t k = 0; k < of_mine.size(); ++k) {
        if (!of_mine[k].computed || !of_theirs[k].computed) continue;
        ++judged;
        if (of_mine[k].verdict != of_theirs[k].verdict) ++apart;
      }
    }
    EXPECT_GE(judged, cases.rows) << baseline.name;
    EXPECT_LE(apart, judged / 50) << baseline.name << " beside " << baseline.judged_as << ", of " << judged;
  }
}

INSTANTIATE_TEST_SUITE_P(Every, BaselinesOf, testing::ValuesIn(testing_kernels::kernel_names()),
                         [](auto const& named) { return named.param; });

}  // namespace baselines_test
}  // namespace demeter
