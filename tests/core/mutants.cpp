// Tests that every mutant is killed, that the implementation from which the mutants are made is right, and that the
// mutation score shows both.
#include "check/mutation.hpp"
#include "reports/format/describe.hpp"
#include "reports/format/mutation.hpp"
#include "tests/core/kernel_cases.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace demeter {
namespace mutants_test {

class MutantsOf : public testing::TestWithParam<std::string> {
 protected:
  Kernel const& kernel() const { return *find_kernel(GetParam()); }
  Mutants const& mutants() const { return *find_mutants(GetParam()); }
};
INSTANTIATE_TEST_SUITE_P(Mutants, MutantsOf, testing::ValuesIn(testing_kernels::kernel_names()),
                         [](auto const& kernel) { return kernel.param; });

TEST_P(MutantsOf, AllAreKilledAndEachLawIsBroken_long) {
  MutationOptions options;
  options.survey_cases = std::max<std::uint64_t>(testing_kernels::cases(64), 2);  // the survey takes most of the time
  // Drawn cases and laws must kill 97 % of the mutants. Recorded cases may be necessary for the others.
  options.drawn_only = true;
  auto score = mutation_score(kernel(), mutants(), options);
  ASSERT_EQ(score.mutants.size(), mutants().each.size());
  EXPECT_GE(score.killed() * 100, score.mutants.size() * 97);
  MutationOptions with_the_recorded;
  with_the_recorded.survey_cases = 2;
  for (std::size_t i = 0; i < score.mutants.size(); ++i) {
    if (score.mutants[i].kill) continue;
    Mutants survivor = mutants();
    survivor.each = {mutants().each[i]};
    std::cout << survivor.each[0].name << " is left to the recorded cases\n";
    score.mutants[i] = mutation_score(kernel(), survivor, with_the_recorded).mutants[0];
  }
  for (std::size_t i = 0; i < score.mutants.size(); ++i) {
    EXPECT_TRUE(score.mutants[i].kill) << mutants().each[i].name << " survives: " << mutants().each[i].change;
    if (score.mutants[i].kill) {
      EXPECT_GT(score.mutants[i].kill->size, 1);
      EXPECT_EQ(score.mutants[i].kill->cases, score.mutants[i].cases);
    }
  }
  EXPECT_TRUE(score.right_passes) << score.right_fails;
  for (std::size_t const law : score.idle_laws())
    ADD_FAILURE() << "no mutant and no implementation breaks law " << kernel().laws[law].name;
  EXPECT_TRUE(score.passed());
  // Some defects appear only at one length of a list. The survey has too few cases to show them.
  auto const seldom = static_cast<std::size_t>(std::count_if(mutants().each.begin(), mutants().each.end(),
                                                             [](auto const& each) { return !each.shows_in.empty(); }));
  EXPECT_GT(score.killed_by_laws(), (score.mutants.size() - seldom) * 9 / 10) << "laws find most without any truth";

  auto const described = describe(kernel(), mutants(), score);
  EXPECT_EQ(described.total, static_cast<std::int64_t>(mutants().each.size()));
  EXPECT_EQ(described.killed, described.total);
  EXPECT_EQ(described.mutants.size(), mutants().each.size());
  EXPECT_EQ(described.laws.size(), kernel().laws.size());
  EXPECT_NE(described.mutants[0].found_by(), "");
}

/// Mutants must also be killed with the tolerance for foreign code, unless they are declared to be within this
/// tolerance.
TEST_P(MutantsOf, AreKilledWithToleranceDoubleUnlessDeclaredWithinIt_long) {
  MutationOptions options;
  options.survey_cases = 2;  // the survey is not used here, and would take most of the time
  // A mutant within the tolerance runs through all rounds. Kernels with lists or slow truths therefore get fewer
  // rounds.
  options.rounds = {7, 257, 2049};
  bool const of_clumps = std::any_of(kernel().input.columns.begin(), kernel().input.columns.end(),
                                     [](auto const& each) { return each.kind == ColumnInfo::Kind::offsets; });
  if (of_clumps || kernel().case_divisor > 1) options.rounds = {7, 257};
  if (kernel().case_divisor >= 50) options.rounds = {7, 65};
  options.held = {Held::To::binary64};
  auto const score = mutation_score(kernel(), mutants(), options);
  for (std::size_t i = 0; i < score.mutants.size(); ++i) {
    auto const& mutant = mutants().each[i];
    EXPECT_EQ(score.mutants[i].may_survive, !mutant.within_double.empty());
    EXPECT_EQ(score.mutants[i].kill.has_value(), mutant.within_double.empty())
        << mutant.name
        << (score.mutants[i].kill ? " is killed by " + kill_text(kernel(), *score.mutants[i].kill)
                                  : " survives: " + mutant.change);
  }
  EXPECT_TRUE(score.right_passes) << score.right_fails;
}

TEST_P(MutantsOf, HaveUniqueNamesAndDescribeTheirDefectAndItsSource) {
  EXPECT_GE(mutants().each.size(), 20u);
  std::set<std::string> names, changes;
  for (auto const& mutant : mutants().each) {
    EXPECT_TRUE(names.insert(mutant.name).second) << mutant.name;
    EXPECT_TRUE(changes.insert(mutant.change).second) << mutant.change;
    EXPECT_FALSE(mutant.change.empty()) << mutant.name;
    EXPECT_FALSE(mutant.source.empty()) << mutant.name;
    EXPECT_TRUE(mutant.subject.ours() && mutant.subject.find(kernel().name) != nullptr) << mutant.name;
  }
}

TEST_P(MutantsOf, AreMadeFromACorrectImplementation) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    CheckOptions options;
    options.seed = seed;
    options.cases = testing_kernels::affordable(kernel(), testing_kernels::cases(1000));
    options.law_cases = testing_kernels::affordable(kernel(), testing_kernels::cases(100));
    options.shrink = false;
    options.held = Held{};
    auto const result = check(kernel(), {&mutants().right}, options).front();
    auto const failure = first_failure(result);
    EXPECT_TRUE(result.passed()) << "seed " << seed << ": " << (failure ? kill_text(kernel(), *failure) : "");
    EXPECT_EQ(result.undecided(), 0u);
  }
}

MutationOptions short_search() {
  MutationOptions options;
  options.rounds = {7, 65};
  options.survey_cases = 16;
  return options;
}

/// The code of the mutation score is the same for all kernels. These kernels suffice: one with plain numbers, one with
/// a status, one with input lists, one of superquadrics, and one with output lists.
class ScoreOf : public MutantsOf {};
INSTANTIATE_TEST_SUITE_P(Mutants, ScoreOf,
                         testing::ValuesIn(testing_kernels::judged_among({"segment_distance", "capsule_contact",
                                                                          "clump_mass_properties",
                                                                          "superquadric_box_test", "nscd_solve"})),
                         [](auto const& kernel) { return kernel.param; });

TEST_P(ScoreOf, ACorrectImplementationIsNotKilled) {
  Mutants with_a_right_one = mutants();
  with_a_right_one.each = {mutants().each.front(), {"right", "nothing", "", mutants().right}};
  auto const score = mutation_score(kernel(), with_a_right_one, short_search());
  EXPECT_TRUE(score.mutants[0].kill);
  EXPECT_FALSE(score.mutants[1].kill) << kill_text(kernel(), *score.mutants[1].kill) << " by "
                                      << score.mutants[1].kill->size << " in " << score.mutants[1].kill->cases;
  EXPECT_FALSE(score.mutants[1].budget_exceeded);
  EXPECT_TRUE(score.mutants[1].laws.empty());
  EXPECT_GT(score.mutants[1].cases, 0u);
  EXPECT_EQ(score.killed(), 1u);
  EXPECT_TRUE(score.right_passes);
  EXPECT_FALSE(score.passed());
}

TEST_P(ScoreOf, AWrongBaseImplementationFailsTheScore) {
  Mutants on_a_wrong_base = mutants();
  on_a_wrong_base.each.resize(1);
  on_a_wrong_base.right = mutants().each.front().subject;
  auto const score = mutation_score(kernel(), on_a_wrong_base, short_search());
  EXPECT_FALSE(score.right_passes);
  EXPECT_NE(score.right_fails, "");
  EXPECT_FALSE(score.passed());
}

TEST_P(ScoreOf, ResultDoesNotDependOnTheNumberOfThreads) {
  Mutants few = mutants();
  few.each.resize(6);
  auto options = short_search();
  auto const one = mutation_score(kernel(), few, options);
  options.jobs = 3;
  auto const three = mutation_score(kernel(), few, options);
  for (std::size_t i = 0; i < few.each.size(); ++i) {
    ASSERT_TRUE(one.mutants[i].kill && three.mutants[i].kill) << few.each[i].name;
    EXPECT_EQ(kill_text(kernel(), *one.mutants[i].kill), kill_text(kernel(), *three.mutants[i].kill));
    EXPECT_EQ(one.mutants[i].kill->size, three.mutants[i].kill->size);
    EXPECT_EQ(one.mutants[i].cases, three.mutants[i].cases);
    EXPECT_EQ(one.mutants[i].laws, three.mutants[i].laws);
  }
}

TEST(MutationScore, HasAtLeastSixtyMutants) {
  std::size_t all = 0;
  for (auto const& set : mutants()) {
    EXPECT_NE(find_kernel(set.kernel), nullptr);
    all += set.each.size();
  }
  EXPECT_EQ(mutants().size(), kernels().size());
  EXPECT_GE(all, 60u);
  EXPECT_EQ(find_mutants("nonsense"), nullptr);
}

TEST(MutationScore, StopsOnRequest) {
  std::atomic<bool> const stop = true;
  MutationOptions options;
  options.stop = &stop;
  auto const& kernel = kernels().front();
  auto const score = mutation_score(kernel, *find_mutants(kernel.name), options);
  EXPECT_EQ(score.killed(), 0u);
  for (auto const& mutant : score.mutants) EXPECT_EQ(mutant.cases, 0u);
}

TEST(MutationScore, DefectsInTheTailOfABatchOrBesideANeighbourAreFound) {
  // Some defects appear only in the tail of a batch or beside a neighbour. The check must find them although its
  // batches have round sizes.
  for (auto const& [kernel, name] :
       std::vector<std::pair<std::string, std::string>>{{"capsule_mass_properties", "tail_shifted"},
                                                        {"segment_distance", "tail_shifted"},
                                                        {"segment_distance", "warm_start"},
                                                        {"clump_force_torque", "tail_shifted"}}) {
    auto const& all = find_mutants(kernel)->each;
    auto const found =
        std::find_if(all.begin(), all.end(), [&wanted = name](auto const& each) { return each.name == wanted; });
    ASSERT_NE(found, all.end()) << name;
    CheckOptions options;
    options.cases = 2048;
    options.law_cases = 205;
    options.shrink = false;
    options.held = Held{};
    EXPECT_FALSE(check(*find_kernel(kernel), {&found->subject}, options).front().passed()) << name;
  }
}

/// Returns the answers of a mutant of `segment_distance` in three columns: distance, s and t.
std::vector<std::vector<double>> answers_of(Subject const& subject, Table const& cases) {
  Answers answers;
  answers.clear(find_kernel("segment_distance")->output);
  subject.find("segment_distance")->answer(cases, answers);
  return answers.output.columns;
}
Subject const& mutant_of_segments(std::string const& name) {
  auto const& all = find_mutants("segment_distance")->each;
  auto const found = std::find_if(all.begin(), all.end(), [&](auto const& each) { return each.name == name; });
  if (found == all.end()) throw std::logic_error("no mutant " + name);
  return found->subject;
}

TEST(Distortions, EachDistortionChangesOnlyItsFields) {
  Kernel const& kernel = *find_kernel("segment_distance");
  Table cases(kernel.input);
  for (std::uint64_t id = 0; id < 10; ++id) kernel.generate(0, 1, id, cases);
  auto const right = answers_of(find_mutants(kernel.name)->right, cases);

  auto wanted = right;
  for (double& s : wanted[1]) s = static_cast<float>(s);
  EXPECT_EQ(answers_of(mutant_of_segments("s_as_float"), cases), wanted);

  wanted = right;
  std::swap(wanted[1], wanted[2]);
  EXPECT_EQ(answers_of(mutant_of_segments("s_and_t_exchanged"), cases), wanted);

  wanted = right;
  for (auto& column : wanted) column[9] = column[8], column[8] = column[7];
  EXPECT_EQ(answers_of(mutant_of_segments("tail_shifted"), cases), wanted);

  Table rounded = cases;
  for (std::size_t k = 0; k < 3; ++k)
    for (double& coordinate : rounded.columns[k]) coordinate = static_cast<float>(coordinate);
  EXPECT_EQ(answers_of(mutant_of_segments("p0_read_as_float"), cases),
            answers_of(find_mutants(kernel.name)->right, rounded));
}

TEST(Distortions, DistortionJustOverExceedsTheBudgetByAQuarter) {
  Kernel const& kernel = *find_kernel("segment_distance");
  Table cases(kernel.input);
  kernel.generate(0, 1, 0, cases);
  Answers answers;
  answers.clear(kernel.output);
  mutant_of_segments("distance_just_over").find(kernel.name)->answer(cases, answers);
  std::vector<Judged> judged(kernel.budgets.size());
  kernel.judge(cases, kernel.truths(cases), 0, answers, 0, {}, judged);
  EXPECT_EQ(judged[0].verdict, Verdict::fail);
  EXPECT_NEAR(judged[0].error, 1.25 * kernel.budgets[0].units + 1, 1);
}

TEST(Distortions, AnUnknownFieldThrowsALogicError) {
  Kernel const& kernel = *find_kernel("segment_distance");
  Answering const& right = find_mutants(kernel.name)->right.answers.front();
  for (Distortions const& wanted : {Distortions{.negated = "gap"}, Distortions{.read_as_float = "distance"},
                                    Distortions{.read_as_float = "p0.x"}, Distortions{.just_over = "speed"}})
    EXPECT_THROW(distorted(right, kernel.input, kernel.output, kernel.budgets, nullptr, wanted), std::logic_error);
}

TEST(Mutants, AMutantThatMissesContactsIsReportedAsSuch) {
  Kernel const& kernel = *find_kernel("capsule_contact");
  auto const& all = find_mutants(kernel.name)->each;
  auto const chrono =
      std::find_if(all.begin(), all.end(), [](auto const& each) { return each.name == "place_across_if_parallel"; });
  ASSERT_NE(chrono, all.end());
  CheckOptions options;
  options.cases = 500;
  options.law_cases = 50;
  options.shrink = false;
  options.deciding = {Profile::everyday, Profile::degenerate};
  options.held = held_to("double");
  auto const found = check(kernel, {&chrono->subject}, options).front();
  EXPECT_FALSE(found.passed());
  auto const sentence = describe(kernel, chrono->subject, found, options).sentence;
  EXPECT_NE(sentence.find("misses contacts ("), std::string::npos) << sentence;
}

}  // namespace mutants_test
}  // namespace demeter
