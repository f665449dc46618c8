// Tests that the call pattern does not change the answers of Demeter's batch forms. Also tests, for every kernel, that
// all mutants of call patterns are killed.
#include "check/calling.hpp"
#include "check/call_mutants.hpp"
#include "check/mutation.hpp"
#include "tests/core/kernel_cases.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <new>
#include <numeric>
#include <set>

namespace demeter {
namespace calling_test {

class BatchCallsOf : public testing::TestWithParam<std::string> {
 protected:
  Kernel const& kernel() const { return *find_batch_kernel(GetParam()); }
  Table cases(std::uint64_t seed = 1) const {
    std::vector<std::size_t> regimes(kernel().regimes.size());
    std::iota(regimes.begin(), regimes.end(), std::size_t{0});
    return cases_to_call_with(kernel(), regimes, seed, {});
  }
};
INSTANTIATE_TEST_SUITE_P(Calls, BatchCallsOf, testing::ValuesIn(testing_kernels::batch_kernel_names()),
                         [](auto const& kernel) { return kernel.param; });

/// Tests that need mutants of the kernel.
class CallsOf : public BatchCallsOf {};
INSTANTIATE_TEST_SUITE_P(Calls, CallsOf, testing::ValuesIn(testing_kernels::kernel_names()),
                         [](auto const& kernel) { return kernel.param; });

std::string text(CallCheck const& check) {
  std::string all;
  for (CallFinding const& each : check.findings) all += std::string(way_name(each.way)) + ": " + each.text + "\n";
  return all;
}

TEST_P(BatchCallsOf, FormsOfDemeterPassEveryCallPattern) {
  CallOptions options;
  options.seconds = 0.5;  // large batches of slow forms do not fit into this time
  for (auto const& each : kernel().implementations) {
    Subject const subject = make_subject(each.name, each.answering, each.origin);
    EXPECT_EQ(text(call_in_every_way(kernel(), subject, cases(), options)), "") << each.name;
  }
}

TEST_P(CallsOf, TheRightBaseOfTheMutantsPassesEveryCallPattern) {
  CallOptions options;
  options.seconds = 0.5;
  Subject const right = right_over_columns(*find_mutants(GetParam()), kernel());
  CallCheck const check = call_in_every_way(kernel(), right, cases(2), options);
  EXPECT_EQ(text(check), "");
  EXPECT_GT(check.cases, 40u);
  EXPECT_GT(check.calls, 80u);
}

TEST_P(CallsOf, AfterAStopNoCallIsMadeAndNoFailureReported) {
  std::atomic<bool> const stop = true;
  CallOptions options;
  options.stop = &stop;
  for (auto const& each : call_mutants(*find_mutants(GetParam()), kernel())) {
    CallCheck const check = call_in_every_way(kernel(), each.subject, cases(), options);
    EXPECT_EQ(text(check), "") << each.name;
    EXPECT_EQ(check.calls, 0u) << each.name;
    EXPECT_TRUE(check.tried.empty()) << each.name;
  }
}

TEST_P(CallsOf, AllMutantsAreKilled) {
  CallOptions options;
  options.seconds = 600;  // long enough to kill all mutants
  options.shrink = false;
  options.first_only = true;
  auto const mutants = call_mutants(*find_mutants(GetParam()), kernel());
  std::set<std::string> names;
  for (auto const& each : mutants) {
    EXPECT_TRUE(names.insert(each.name).second) << each.name;
    EXPECT_FALSE(each.change.empty() || each.source.empty()) << each.name;
    CallCheck const check = call_in_every_way(kernel(), each.subject, cases(), options);
    EXPECT_EQ(check.findings.size(), 1u) << each.name << " survives: " << each.change;
  }
  EXPECT_GE(mutants.size(), 26u);
}

TEST_P(BatchCallsOf, LackOfMemoryThrowsAndIsNotAFinding) {
  Answering wants_memory = kernel().implementations.front().answering;
  if (!wants_memory.columns) GTEST_SKIP() << "no function over columns";
  wants_memory.columns = [right = wants_memory.columns](std::size_t n, double const* const* in, double* const* out) {
    if (n > 8) throw std::bad_alloc();
    right(n, in, out);
  };
  Subject subject = make_subject("wants_memory", wants_memory);
  CallOptions options;
  options.first_only = true;
  EXPECT_THROW(call_in_every_way(kernel(), subject, cases(), options), std::bad_alloc);
  subject.origin = Origin::peer;
  EXPECT_EQ(call_in_every_way(kernel(), subject, cases(), options).findings.size(), 1u);
}

TEST(MutantsOfCalls, CountInTheMutationScoreAndAreKilledByTheirCallPattern) {
  Kernel const& kernel = *find_kernel("capsule_mass_properties");
  Mutants few = *find_mutants(kernel.name);
  few.each.resize(2);
  MutationOptions options;
  options.rounds = {7};
  options.survey_cases = 4;
  EXPECT_TRUE(mutation_score(kernel, few, options).calls.empty());
  options.calls = true;
  auto const score = mutation_score(kernel, few, options);
  EXPECT_EQ(score.all(), 2 + call_mutants(few, kernel).size());
  EXPECT_EQ(score.killed(), score.all());
  EXPECT_TRUE(score.passed());
  for (auto const& each : score.calls) ASSERT_TRUE(each.kill) << each.name;
  // Each mutant is killed by the call pattern that triggers its defect.
  for (auto const& [name, way] : std::vector<std::pair<std::string, Way>>{{"call_row_63", Way::batch},
                                                                          {"call_state_kept", Way::again},
                                                                          {"call_none_asked", Way::no_rows},
                                                                          {"call_unwanted_written", Way::unwanted},
                                                                          {"call_input_used", Way::memory},
                                                                          {"call_late", Way::again},
                                                                          {"call_dies_2", Way::again},
                                                                          {"call_dies_11", Way::again},
                                                                          {"call_rest_5", Way::batch},
                                                                          {"call_rest_unrolled", Way::batch},
                                                                          {"call_aligned", Way::alignment}})
    for (auto const& each : score.calls)
      if (each.name == name) {
        EXPECT_EQ(way_name(each.kill->way), way_name(way)) << each.kill->text;
      }
  // A base implementation that is wrong itself is reported.
  few.right = few.each.front().subject;
  few.right.answers.front().answer = [answer = few.right.answers.front().answer](Table const& cases, Answers& answers) {
    answer(cases, answers);
    if (cases.rows == 9) answers.output.columns[0][3] = 0;
  };
  auto const wrong = mutation_score(kernel, few, options);
  EXPECT_FALSE(wrong.right_passes);
}

}  // namespace calling_test
}  // namespace demeter
