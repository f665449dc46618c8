#include "check/check.hpp"
#include "check/enough.hpp"

#include "fast/segment_distance.hpp"
#include "reference/spec/segment_distance.hpp"
#include "reports/format/describe.hpp"
#include "tests/core/kernel_cases.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <bit>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <utility>

namespace demeter {
namespace check_test {

using segment_distance::Contract;
using Case = segment_distance::Input<double>;
using Answer = segment_distance::Output<double>;

Kernel const& kernel() { return *find_kernel("segment_distance"); }

template <class Function>
Subject subject(Function function, Origin origin = Origin::mutant) {
  return make_subject("planted", answer_with<Contract>("", function), origin);
}
char const* const answered = nullptr;

CheckOptions options(std::uint64_t cases = 2000, std::uint64_t law_cases = 100) {
  CheckOptions result;
  result.cases = cases;
  result.law_cases = law_cases;
  return result;
}

bool same(Table const& a, Table const& b) {
  if (a.rows != b.rows || a.columns.size() != b.columns.size()) return false;
  for (std::size_t i = 0; i < a.columns.size(); ++i) {
    if (a.columns[i].size() != b.columns[i].size()) return false;
    for (std::size_t k = 0; k < a.columns[i].size(); ++k)
      if (std::bit_cast<std::uint64_t>(a.columns[i][k]) != std::bit_cast<std::uint64_t>(b.columns[i][k])) return false;
  }
  return true;
}

void expect_same(SubjectCheck const& a, SubjectCheck const& b) {
  ASSERT_EQ(a.accuracy.size(), b.accuracy.size());
  for (std::size_t i = 0; i < a.accuracy.size(); ++i) {
    auto const &x = a.accuracy[i], &y = b.accuracy[i];
    EXPECT_EQ(x.cases, y.cases);
    EXPECT_EQ(x.judged, y.judged);
    EXPECT_EQ(x.failed, y.failed);
    EXPECT_EQ(x.crash, y.crash);
    EXPECT_EQ(x.labels, y.labels);
    EXPECT_EQ(x.undecided, y.undecided);
    EXPECT_EQ(x.max_error, y.max_error);
    EXPECT_TRUE(x.errors == y.errors);
    ASSERT_EQ(x.worst.has_value(), y.worst.has_value());
    if (x.worst) {
      EXPECT_EQ(x.worst->id, y.worst->id);
      EXPECT_TRUE(same(x.worst->input, y.worst->input));
    }
  }
  EXPECT_EQ(a.sizes, b.sizes);
  ASSERT_EQ(a.laws.size(), b.laws.size());
  for (std::size_t i = 0; i < a.laws.size(); ++i) {
    EXPECT_EQ(a.laws[i].broken, b.laws[i].broken);
    EXPECT_EQ(a.laws[i].applicable, b.laws[i].applicable);
    EXPECT_EQ(a.laws[i].worst, b.laws[i].worst);
    ASSERT_EQ(a.laws[i].counterexample.has_value(), b.laws[i].counterexample.has_value());
    if (a.laws[i].counterexample) {
      EXPECT_TRUE(same(a.laws[i].counterexample->inputs, b.laws[i].counterexample->inputs));
    }
  }
  ASSERT_EQ(a.failures.size(), b.failures.size());
  for (std::size_t i = 0; i < a.failures.size(); ++i) {
    EXPECT_EQ(a.failures[i].budget, b.failures[i].budget);
    EXPECT_TRUE(same(a.failures[i].example.input, b.failures[i].example.input));
  }
}

/// Returns the average count of numbers in a case of a regime, over a few cases.
std::size_t numbers_a_case(Kernel const& kernel, std::size_t regime) {
  constexpr std::uint64_t drawn = 32;
  Table cases(kernel.input);
  for (std::uint64_t id = 0; id < drawn; ++id) kernel.generate(regime, options(1, 1).seed, id, cases);
  std::size_t numbers = 0;
  for (auto const& column : cases.columns) numbers += column.size();
  return numbers / drawn;
}

TEST(Check, FastPasses_long) {
  Subject const* const fast = find_subject("fast");
  ASSERT_NE(fast, nullptr);
  for (Kernel const& each : kernels()) {
    std::uint64_t const asked = testing_kernels::affordable(each, 1000);
    auto const result = check(each, {fast}, options(asked, testing_kernels::affordable(each, 50)));
    EXPECT_TRUE(result[0].passed()) << each.name;
    EXPECT_EQ(result[0].undecided(), 0u) << each.name;
    for (auto const& cell : result[0].accuracy) {
      // A regime of very long lists gets fewer cases.
      std::string const& regime = each.regimes[cell.regime].name;
      bool const long_lists = numbers_a_case(each, cell.regime) > 128;
      if (std::uint64_t const size = each.regimes[cell.regime].size; size > 0) {
        EXPECT_EQ(cell.cases, std::min(size, asked)) << "every recorded case";
        continue;
      }
      EXPECT_TRUE(long_lists ? cell.cases > 0 && cell.cases < asked : cell.cases == asked) << cell.cases;
      // If errors are relative to a scale, ill-conditioned cases are not judged.
      if (each.budgets[cell.budget].measure == Measure::scale) {
        EXPECT_GE(cell.judged * 10, cell.cases) << each.name << " " << regime;
      } else {
        EXPECT_EQ(cell.judged, cell.cases) << each.name << " " << regime;
      }
      EXPECT_LE(cell.max_error, each.budgets[cell.budget].units);
      EXPECT_LE(cell.errors.mean(), cell.max_error);
      EXPECT_LE(cell.errors.quantile(0.5), cell.errors.quantile(0.99));
      EXPECT_GE(cell.errors.quantile(1), cell.max_error);
      EXPECT_LE(cell.errors.quantile(1), cell.max_error * (1 + 0x1p-10));
      EXPECT_EQ(cell.errors.count(), cell.judged);
    }
    for (auto const& law : result[0].laws) EXPECT_GT(law.applicable, 0u) << each.name << " " << each.laws[law.law].name;
  }
}

/// Returns a subject with a defect: if x of p0 is above 1/2, its distance is 1 too large. Otherwise it is right.
Subject defective() {
  return subject([](Case const& in, Answer& out) {
    out = segment_distance::fast::evaluate(in);
    if (in.p0[0] > 0.5) out.distance += 1;
    return answered;
  });
}

TEST(Check, APlantedDefectIsFoundAndShrunk) {
  Subject const wrong = defective();
  CheckOptions only = options();
  only.regimes = {0};
  auto const result = check(kernel(), {&wrong}, only);
  EXPECT_FALSE(result[0].passed());
  ASSERT_EQ(result[0].failures.size(), 1u);
  auto const& failure = result[0].failures[0];
  EXPECT_EQ(kernel().budgets[failure.budget].output, "distance");
  auto const in = load<Case>(failure.example.input, 0);
  EXPECT_EQ(in.p0, Vector3<double>(1, 0, 0));
  EXPECT_EQ(in.p1, Vector3<double>(0, 0, 0));
  EXPECT_EQ(in.q0, Vector3<double>(0, 0, 0));
  EXPECT_EQ(in.q1, Vector3<double>(0, 0, 0));
  EXPECT_EQ(load<Answer>(failure.example.answer, 0).distance, 1);
  EXPECT_NEAR(failure.example.error, 0x1p53, 1e3);
  auto const& cell = result[0].accuracy[failure.budget];
  std::uint64_t beyond = 0;
  for (std::uint64_t id = 0; id < only.cases; ++id) {
    Table one(kernel().input);
    kernel().generate(0, only.seed, id, one);
    if (load<Case>(one, 0).p0[0] > 0.5) ++beyond;
  }
  EXPECT_GT(beyond, 100u);
  EXPECT_EQ(cell.failed, beyond);
  ASSERT_TRUE(cell.worst);
  EXPECT_EQ(cell.worst->error, cell.max_error);
  // `worst` holds case `id` of its regime, before shrinking.
  Table drawn(kernel().input);
  kernel().generate(0, only.seed, cell.worst->id, drawn);
  EXPECT_TRUE(same(drawn, cell.worst->input));
}

TEST(Check, TheCounterexampleOfABrokenLawBreaksItAgain) {
  Subject const wrong = defective();
  CheckOptions only = options(200, 200);
  only.regimes = {0};
  auto const result = check(kernel(), {&wrong}, only);
  bool seen = false;
  for (auto const& law : result[0].laws) {
    EXPECT_EQ(law.broken > 0, law.counterexample.has_value()) << kernel().laws[law.law].name;
    EXPECT_EQ(law.broken > 0, law.worst > 1);
    EXPECT_EQ(law.broken, law.regimes[0].broken);
    if (!law.counterexample) continue;
    seen = true;
    auto const& found = *law.counterexample;
    EXPECT_GT(found.violation, 1);
    EXPECT_EQ(found.inputs.rows, found.outputs.rows);
    Table inputs(kernel().input);
    Answers answers;
    auto const again = law_violation(kernel(), wrong, law.law, found.inputs, 0, found.salt, inputs, answers);
    ASSERT_TRUE(again);
    EXPECT_EQ(*again, found.violation) << kernel().laws[law.law].name;
    EXPECT_TRUE(same(inputs, found.inputs));
  }
  EXPECT_TRUE(seen);
  EXPECT_GT(result[0].laws[0].broken, 0u) << "swap";
}

TEST(Check, TheNumberOfThreadsDoesNotChangeTheResult) {
  Subject const wrong = defective();
  Subject const* const textbook = find_subject("textbook");
  ASSERT_NE(textbook, nullptr);
  CheckOptions one = options(9000, 300), two = one;
  one.regimes = two.regimes = {1, 4, 9};
  two.jobs = 2;
  auto const a = check(kernel(), {&wrong, textbook}, one), b = check(kernel(), {&wrong, textbook}, two);
  ASSERT_EQ(a.size(), 2u);
  for (std::size_t s = 0; s < 2; ++s) expect_same(a[s], b[s]);
  EXPECT_FALSE(a[1].passed()) << "the textbook routine fails near parallel";
}

TEST(Check, TheSeedChangesTheCases) {
  Subject const wrong = defective();
  CheckOptions first = options(300, 0), second = first;
  second.seed = 2;
  first.shrink = second.shrink = false;
  auto const a = check(kernel(), {&wrong}, first), b = check(kernel(), {&wrong}, second);
  EXPECT_FALSE(same(a[0].accuracy[0].worst->input, b[0].accuracy[0].worst->input));
  auto const again = check(kernel(), {&wrong}, first);
  expect_same(a[0], again[0]);
}

TEST(Check, UnsupportedCasesAreNotJudged) {
  Subject const partial = subject([](Case const& in, Answer& out) -> char const* {
    if (in.p0[0] < 0) return "negative";
    out.distance = segment_distance::fast::evaluate(in).distance;
    return nullptr;
  });
  CheckOptions only = options(1000, 100);
  only.regimes = {0};
  auto const result = check(kernel(), {&partial}, only);
  EXPECT_TRUE(result[0].passed());
  auto const& distance = result[0].accuracy[0];
  EXPECT_EQ(distance.cases, 1000u);
  EXPECT_EQ(distance.judged + distance.unsupported, 1000u);
  EXPECT_NEAR(static_cast<double>(distance.unsupported), 500, 100);
  EXPECT_EQ(result[0].accuracy[1].judged, 0u) << "s was not computed";
  for (auto const& law : result[0].laws)
    if (kernel().laws[law.law].name == "parameters") {
      EXPECT_EQ(law.applicable, 0u);
    }
}

TEST(Check, NoAnswersGiveNoVerdict) {
  Subject const silent = subject([](Case const&, Answer&) -> char const* { return "never"; });
  auto const checked = check(kernel(), {&silent, find_subject("fast")}, options(50, 10));
  EXPECT_TRUE(checked[0].answered_nothing());
  EXPECT_EQ(describe(kernel(), silent, checked[0], options(50, 10)).verdict, "no answers");
  EXPECT_FALSE(checked[1].answered_nothing());
}

TEST(Check, TooFewCasesGiveNoVerdict) {
  Subject const* const fast = find_subject("fast");
  auto const result_of = [&](CheckOptions only) {
    only.regimes = {0};
    only.for_a_verdict = true;
    return check(kernel(), {fast}, only).front();
  };
  for (std::uint64_t const cases : {1U, 44U, 298U}) {
    auto const few = result_of(options(cases, 10));
    EXPECT_TRUE(few.passed());
    EXPECT_EQ(few.not_a_verdict, fmt::format("not refuted in {} everyday cases (expected 299)", cases));
    EXPECT_EQ(describe(kernel(), *fast, few, options(cases, 10)).verdict, "not refuted");
  }
  auto const enough = result_of(options(299, 10));
  EXPECT_EQ(enough.not_a_verdict, "");
  EXPECT_EQ(describe(kernel(), *fast, enough, options(299, 10)).verdict, "pass");
  EXPECT_EQ(result_of(options(300, 0)).not_a_verdict, "not refuted, not tried: laws");
  // With 299 cases, a subject that fails in 1 % of all cases fails at least once with 95 % probability.
  EXPECT_LT(std::pow(0.99, enough_cases), 0.05);
  EXPECT_GT(std::pow(0.99, enough_cases - 1), 0.05);
}

TEST(Check, ACheckForAVerdictContinuesAfterTheTimeLimitUntilItHasEnoughCases) {
  Subject const* const fast = find_subject("fast");
  CheckOptions hurried = options(20'000);
  hurried.seconds = 0.001;
  hurried.deciding = {Profile::everyday, Profile::degenerate};
  EXPECT_NE(check(kernel(), {fast}, hurried).front().not_a_verdict, "");
  hurried.for_a_verdict = hurried.until_enough = true;
  hurried.seconds = 0.5;
  auto const whole = check(kernel(), {fast}, hurried).front();
  EXPECT_EQ(whole.not_a_verdict, "");
  for (Profile const profile : {Profile::everyday, Profile::degenerate})
    EXPECT_GE(judged_cases_of(kernel(), whole, profile), enough_cases);
}

TEST(Check, NaNIsAFailureThatIsShrunk) {
  Subject const wrong = subject([](Case const& in, Answer& out) {
    out = segment_distance::fast::evaluate(in);
    if (in.q1[2] < -0.25) out.distance = std::nan("");
    return answered;
  });
  CheckOptions only = options(300, 20);
  only.regimes = {0};
  auto const result = check(kernel(), {&wrong}, only);
  EXPECT_FALSE(result[0].passed());
  ASSERT_FALSE(result[0].failures.empty());
  auto const in = load<Case>(result[0].failures[0].example.input, 0);
  for (auto const* point : {&in.p0, &in.p1, &in.q0}) EXPECT_EQ(*point, Vector3<double>(0, 0, 0));
  EXPECT_EQ(in.q1, Vector3<double>(0, 0, -1));
  EXPECT_TRUE(std::isinf(result[0].failures[0].example.error));
}

TEST(Check, TheBudgetOfTheUserReplacesTheBudgetOfTheContract) {
  Subject const rough = subject([](Case const& in, Answer& out) {
    out.distance = static_cast<float>(segment_distance::fast::evaluate(in).distance);
    return answered;
  });
  CheckOptions only = options(500, 0);
  only.regimes = {0};
  only.held = Held{};
  EXPECT_FALSE(check(kernel(), {&rough}, only)[0].passed());
  only.held = Held{Held::To::strict, 0, 0x1p30};
  EXPECT_TRUE(check(kernel(), {&rough}, only)[0].passed());
}

TEST(Check, StopsOnRequest) {
  std::atomic<bool> stop = true;
  CheckOptions only = options(100'000, 0);
  only.stop = &stop;
  auto const result = check(kernel(), {find_subject("fast")}, only);
  for (auto const& cell : result[0].accuracy) EXPECT_EQ(cell.cases, 0u);
  EXPECT_TRUE(result[0].passed());
}

TEST(Check, EveryRegimeIsTriedEvenIfTheTimeIsUp) {
  Subject const* const fast = find_subject("fast");
  CheckOptions hurried = options(1'000'000);
  hurried.seconds = 1e-9;  // the time is up before the first block of cases
  auto const checked = check(kernel(), {fast}, hurried).front();
  EXPECT_TRUE(checked.passed());
  for (auto const& cell : checked.accuracy) {
    EXPECT_GT(cell.cases, 0u) << kernel().regimes[cell.regime].name;
    EXPECT_LT(cell.cases, 100u) << kernel().regimes[cell.regime].name;
  }
}

TEST(Check, SlowSubjectsGetFewerCases) {
  Subject const slow = subject([](Case const& in, Answer& out) {
    auto const until = std::chrono::steady_clock::now() + std::chrono::milliseconds(2);
    while (std::chrono::steady_clock::now() < until) {
    }
    out = segment_distance::fast::evaluate(in);
    return answered;
  });
  CheckOptions hurried = options(500, 0);  // few cases, so that truths take little time
  hurried.seconds = 4;                     // the slow subject may use 2 s and would need 17 s
  auto const checked = check(kernel(), {&slow, find_subject("fast")}, hurried);
  std::uint64_t asked[2] = {0, 0};
  for (std::size_t s = 0; s < 2; ++s)
    for (auto const& cell : checked[s].accuracy) {
      EXPECT_GT(cell.cases, 0u) << kernel().regimes[cell.regime].name;
      asked[s] += cell.cases;
    }
  EXPECT_LT(asked[0], asked[1]);
}

TEST(Check, ProgressReachesOne) {
  CheckOptions only = options(20'000, 10);
  only.regimes = {0, 9};
  only.jobs = 2;
  double last = 0;
  int calls = 0;
  only.progress = [&](double done, std::string const& what) {
    EXPECT_GT(done, last);
    EXPECT_EQ(what.substr(0, 16), "segment_distance");
    last = done;
    ++calls;
  };
  check(kernel(), {find_subject("fast")}, only);
  EXPECT_EQ(last, 1);
  EXPECT_GT(calls, 2);
}

TEST(Check, ACrashOfAnIsolatedSubjectIsAFailure) {
  Subject const crashing = subject(
      [](Case const& in, Answer& out) {
        if (in.p0[0] > 0 && in.p0[0] == -in.q1[2]) {
          std::signal(SIGABRT, SIG_DFL);
          std::abort();
        }
        out = segment_distance::fast::evaluate(in);
        return answered;
      },
      Origin::peer);
  // Cases with whole numbers need few shrinking steps. Each crash costs a process.
  CheckOptions only = options(200, 5);
  for (std::size_t i = 0; i < kernel().regimes.size(); ++i)
    if (kernel().regimes[i].name == "lattice") only.regimes = {i};
  ASSERT_EQ(only.regimes.size(), 1u);
  auto const result = check(kernel(), {&crashing}, only);
  EXPECT_FALSE(result[0].passed());
  auto const& distance = result[0].accuracy[0];
  EXPECT_GT(distance.crash, 0u);
  EXPECT_LT(distance.crash, 30u);
  EXPECT_EQ(distance.judged + distance.crash, 200u) << "all other cases are answered";
  EXPECT_EQ(distance.failed, 0u);
  ASSERT_FALSE(result[0].failures.empty());
  auto const in = load<Case>(result[0].failures[0].example.input, 0);
  EXPECT_EQ(in.p0, Vector3<double>(in.p0[0], 0, 0)) << "and the case is shrunk";
  EXPECT_EQ(in.q1, Vector3<double>(0, 0, -in.p0[0]));
}

TEST(Check, RandomNumbersOfALawDependOnLawAndSaltOnly) {
  EXPECT_EQ(law_random(3, 5).bits(), law_random(3, 5).bits());
  EXPECT_NE(law_random(3, 5).bits(), law_random(3, 6).bits());
  EXPECT_NE(law_random(3, 5).bits(), law_random(4, 5).bits());
}

TEST(Accuracy, AnEmptyCellHasQuantilesOfZero) {
  AccuracyCell const empty;
  EXPECT_EQ(empty.errors.quantile(0.5), 0);
  EXPECT_EQ(empty.errors.mean(), 0);
}

/// A law asks the subject for the cases that the law derives from a case. It does not ask for the case itself, whose
/// answer is already known. The findings must be equal to those of a check that asks for every row, also for lists and
/// for cases outside the domain.
TEST(Check, LawsUseTheKnownAnswerToTheCaseItself) {
  for (auto const& [name, formula] :
       {std::pair("segment_distance", "textbook@double"), std::pair("clump_mass_properties", "documented@double")}) {
    Kernel const& kernel = *find_kernel(name);
    std::atomic<std::size_t> rows = 0;
    Answering counted = *kernel.find(formula);
    counted.answer = [&rows, whole = counted.answer](Table const& cases, Answers& answers) {
      rows += cases.rows;
      whole(cases, answers);
    };
    Subject const by_case = make_subject("planted", counted);
    counted.columns = [](std::size_t, double const* const*, double* const*) { FAIL() << "a check without calls"; };
    Subject const in_batches = make_subject("planted", counted);
    CheckOptions how = options(60, 60);
    how.shrink = false;
    SubjectCheck const fewer = check(kernel, {&by_case}, how).front();
    std::size_t const asked = rows.exchange(0);
    SubjectCheck const all = check(kernel, {&in_batches}, how).front();
    expect_same(fewer, all);
    EXPECT_FALSE(all.passed()) << "breaches are compared too";
    EXPECT_LT(asked, rows * 2 / 3) << name;
    EXPECT_GT(asked, rows / 3) << name;
  }
}

}  // namespace check_test
}  // namespace demeter
