// Tests the baseline of accepted failures: which lines are valid, which failures they accept, and which lines are
// written.
#include "reports/known.hpp"

#include "check/tolerance.hpp"
#include "kernels/json_lines.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace demeter {
namespace known_test {

Kernel const& kernel() { return *find_kernel("capsule_mass_properties"); }

Table capsule(double radius) {
  Table cases(kernel().input);
  EXPECT_EQ(read_case(kernel(), fmt::format(R"({{"radius":{},"shaft":1,"density":1000}})", radius), cases),
            std::nullopt);
  return cases;
}

KnownFailures read(std::vector<std::string> const& lines) {
  KnownFailures known;
  std::uint64_t number = 0;
  for (auto const& line : lines) EXPECT_EQ(known.add_line(line, ++number), std::nullopt) << line;
  return known;
}

CheckOptions options(std::uint64_t cases, std::uint64_t laws) {
  CheckOptions result;
  result.cases = cases;
  result.law_cases = laws;
  result.shrink = false;
  return result;
}

/// Makes a check accept the known failures, as the verb `check` does.
void accept(CheckOptions& check_options, KnownFailures const& known, std::vector<std::string> const& names) {
  check_options.known = [&known, names](FailingCase const& failing) {
    return known.accepts({kernel(), names, kernel().regimes[failing.regime].name,
                          failing.budget ? kernel().budgets[*failing.budget].output : std::string_view(),
                          failing.law ? std::string_view(kernel().laws[*failing.law].name) : std::string_view(),
                          failing.cases, failing.row, failing.error});
  };
}

TEST(Known, ReportsEveryErrorOfALine) {
  std::string const start = R"({"kernel":"capsule_mass_properties","subject":"fast",)";
  struct Wrong {
    std::string line, reason;
  };
  for (auto const& [line, reason] : std::vector<Wrong>{
           {"nonsense", "expected a JSON object"},
           {"[]", "expected a JSON object"},
           {"{}", "missing key \"kernel\""},
           {R"({"kernel":"capsule_mass_properties"})", "missing key \"subject\""},
           {R"({"kernel":"nonsense","subject":"x","law":"y"})", "kernel: \"nonsense\", expected one of capsule"},
           {start + R"("regime":"typical"})", "expected one of the keys output, law and call"},
           {start + R"("regime":"typical","output":"mass","law":"z"})",
            "expected one of the keys output, law and call"},
           {start + R"("output":"mass"})", "missing key \"regime\""},
           {start + R"("regime":"nonsense","output":"mass"})", "regime: \"nonsense\", expected one of typical"},
           {start + R"("regime":"typical","output":"nonsense"})", "output: \"nonsense\", expected one of volume"},
           {start + R"("law":"nonsense"})", "law: \"nonsense\", expected one of "},
           {start + R"("law":""})", "law: expected a string that is not empty"},
           {start + R"("regime":3,"output":"mass"})", "regime: expected a string"},
           {start + R"("regime":"*","output":"mass","max_error":-1})", "max_error: expected a number"},
           {start + R"("regime":"*","output":"mass","max_error":"big"})", "max_error: expected a number"},
           {start + R"("regime":"*","output":"mass","failed":3})", "expected both \"failed\" and \"of\""},
           {start + R"("regime":"*","output":"mass","failed":3,"of":2})", "with failed <= of: got 3 of 2"},
           {start + R"("regime":"*","output":"mass","failed":0,"of":2})", "failed: expected a whole number above 0"},
           {start + R"("regime":"*","output":"mass","failed":1.5,"of":2})", "failed: expected a whole number above 0"},
           {start + R"("regime":"*","output":"mass","input":{"radius":1}})", "missing"},
           {start + R"("regime":"*","output":"mass","tolerance":1})", "unknown key \"tolerance\"; expected kernel"}}) {
    KnownFailures known;
    auto const wrong = known.add_line(line, 1);
    ASSERT_TRUE(wrong) << line;
    EXPECT_NE(wrong->find(reason), std::string::npos) << line << ": " << *wrong;
    EXPECT_TRUE(known.entries().empty());
  }
}

TEST(Known, OnlyFailuresThatMatchAnEntryAreAccepted) {
  auto const known = read(
      {R"({"kernel":"capsule_mass_properties","subject":"lib:./a b.so","regime":"typical","output":"mass","max_error":10})",
       R"({"kernel":"capsule_mass_properties","subject":"*","regime":"*","output":"ixx","max_error":"inf"})",
       R"({"kernel":"capsule_mass_properties","subject":"one","regime":"*","output":"volume","input":{"radius":0.1,"shaft":1,"density":1000}})",
       R"({"kernel":"capsule_mass_properties","subject":"two","law":")" + kernel().laws[0].name + R"("})"});
  Table const small = capsule(0.1), other = capsule(0.25);
  auto const accepts = [&](std::vector<std::string> subject, char const* regime, std::string_view output,
                           std::string_view law, Table const& cases, double error) {
    return known.accepts({kernel(), std::move(subject), regime, output, law, cases, 0, error});
  };
  EXPECT_FALSE(known.met(0));
  EXPECT_TRUE(accepts({"lib:./a b.so"}, "typical", "mass", "", other, 10));
  EXPECT_TRUE(known.met(0));
  EXPECT_FALSE(accepts({"lib:./a b.so"}, "typical", "mass", "", other, 10.001));
  EXPECT_FALSE(accepts({"lib:a b.so"}, "typical", "mass", "", other, 1));
  EXPECT_FALSE(accepts({"lib:./a b.so"}, "tiny", "mass", "", other, 1));
  EXPECT_FALSE(accepts({"lib:./a b.so"}, "typical", "volume", "", other, 1));
  EXPECT_TRUE(accepts({"fast", "fast@avx2"}, "tiny", "ixx", "", other, std::numeric_limits<double>::infinity()));
  EXPECT_TRUE(accepts({"typed", "one"}, "tiny", "volume", "", small, 1e9));
  EXPECT_FALSE(accepts({"typed", "one"}, "tiny", "volume", "", other, 1));
  EXPECT_TRUE(accepts({"two"}, "tiny", "", kernel().laws[0].name, other, 1e9));
  EXPECT_FALSE(accepts({"two"}, "tiny", "", kernel().laws[1].name, other, 1e9));
  EXPECT_FALSE(accepts({"two"}, "tiny", "volume", "", other, 1e9));
}

TEST(Known, AWrittenBaselineAcceptsTheSameResultsButNotWorseOnes) {
  Subject const& documented = *find_subject("documented");
  CheckOptions plain = options(400, 40);
  auto const before = check(kernel(), {&documented}, plain).front();
  ASSERT_FALSE(before.passed());

  std::vector<std::string> lines;
  for (auto const& entry : new_failures(kernel(), "documented", before)) lines.push_back(known_line(entry));
  auto const known = read(lines);
  CheckOptions with = plain;
  accept(with, known, {"documented", documented.name});
  auto const after = check(kernel(), {&documented}, with).front();
  EXPECT_TRUE(after.passed());
  EXPECT_TRUE(after.failures.empty());
  std::uint64_t failed = 0, accepted = 0;
  for (std::size_t i = 0; i < before.accuracy.size(); ++i) {
    failed += before.accuracy[i].failed;
    accepted += after.accuracy[i].known;
    EXPECT_EQ(before.accuracy[i].max_error, after.accuracy[i].max_error);
    EXPECT_EQ(before.accuracy[i].judged, after.accuracy[i].judged);
  }
  EXPECT_EQ(accepted, failed);
  EXPECT_GT(failed, 0u);
  for (std::size_t i = 0; i < before.laws.size(); ++i) {
    EXPECT_EQ(after.laws[i].known, before.laws[i].broken);
    EXPECT_EQ(after.laws[i].broken, 0u);
  }
  for (std::size_t i = 0; i < lines.size(); ++i) EXPECT_TRUE(known.met(i));
  EXPECT_EQ(updated(known, new_failures(kernel(), "documented", after)).size(), lines.size());

  // If each entry accepts only half of the measured error, the failures are new and have an example.
  std::vector<std::string> halves;
  for (auto entry : new_failures(kernel(), "documented", before)) {
    if (entry.max_error) *entry.max_error /= 2;
    halves.push_back(known_line(entry));
  }
  auto const half = read(halves);
  CheckOptions strict = plain;
  accept(strict, half, {"documented"});
  auto const worse = check(kernel(), {&documented}, strict).front();
  EXPECT_FALSE(worse.passed());
  ASSERT_FALSE(worse.failures.empty());
  for (auto const& cell : worse.accuracy)
    if (cell.failed > 0) {
      EXPECT_EQ(cell.worst_failure->error, cell.max_error);
    }
}

TEST(Known, MoreOftenMeansMoreThanByChance) {
  EXPECT_TRUE(more_often({558, 5000}, {154, 5000}));
  EXPECT_FALSE(more_often({154, 5000}, {154, 5000}));
  EXPECT_FALSE(more_often({160, 5000}, {154, 5000}));    // a check with another seed
  EXPECT_FALSE(more_often({1540, 50000}, {154, 5000}));  // a check with ten times as many cases
  EXPECT_TRUE(more_often({2500, 50000}, {154, 5000}));
  EXPECT_FALSE(more_often({100, 5000}, {154, 5000}));
  EXPECT_FALSE(more_often({7, 7}, {9, 9}));
  EXPECT_FALSE(more_often({2, 5000}, {1, 5000}));
}

TEST(Known, AFailureMuchMoreFrequentThanItsEntryIsNew) {
  Subject const& documented = *find_subject("documented");
  CheckOptions const plain = options(1000, 100);
  auto const before = check(kernel(), {&documented}, plain).front();
  auto entries = new_failures(kernel(), "documented", before);
  auto const checked_with = [&](std::vector<KnownFailure> const& baseline) {
    std::vector<std::string> lines;
    for (auto const& entry : baseline) lines.push_back(known_line(entry));
    auto const known = read(lines);
    CheckOptions with = plain;
    accept(with, known, {"documented"});
    auto after = check(kernel(), {&documented}, with).front();
    EXPECT_TRUE(after.passed());
    auto const found = unaccept_more_often(known, kernel(), {"documented"}, after);
    EXPECT_EQ(after.passed(), found.empty());
    std::vector<std::string> texts;
    for (auto const& each : found) texts.push_back(more_often_text(each));
    return texts;
  };
  EXPECT_TRUE(checked_with(entries).empty());
  // Each entry has a regime and a count. If one entry accepts only a tenth of its count, then only this entry is
  // exceeded.
  for (bool const of_law : {false, true}) {
    auto const some = std::find_if(entries.begin(), entries.end(), [&](KnownFailure const& each) {
      return each.law.empty() != of_law && each.count->failed > 30 && each.count->failed < each.count->of;
    });
    ASSERT_NE(some, entries.end()) << of_law;
    EXPECT_NE(some->regime, "*");
    auto fewer = entries;
    fewer[static_cast<std::size_t>(some - entries.begin())].count->failed /= 10;
    auto const found = checked_with(fewer);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].find(known_name(*some) + ": " + std::to_string(some->count->failed) + " of "), 0u) << found[0];
  }
}

TEST(Known, AcceptedCrashesAreCountedAsKnown) {
  Subject crashing = *find_subject("fast");
  crashing.name = "crashing";
  for (auto& each : crashing.answers) {
    each.answer = [inner = each.answer](Table const& cases, Answers& answers) {
      inner(cases, answers);
      for (auto& status : answers.status) status = Status::crash;
    };
  }
  CheckOptions only = options(50, 0);
  only.regimes = {0};
  auto const before = check(kernel(), {&crashing}, only).front();
  EXPECT_EQ(before.accuracy[0].crash, 50u);
  std::vector<std::string> lines;
  for (auto const& entry : new_failures(kernel(), "*", before)) lines.push_back(known_line(entry));
  ASSERT_FALSE(lines.empty());
  EXPECT_NE(lines[0].find("\"max_error\":\"inf\""), std::string::npos) << lines[0];
  auto const known = read(lines);
  accept(only, known, {"crashing"});
  auto const after = check(kernel(), {&crashing}, only).front();
  EXPECT_TRUE(after.passed());
  EXPECT_EQ(after.accuracy[0].crash, 0u);
  EXPECT_EQ(after.accuracy[0].known, 50u);
}

TEST(Known, TheCaseOfAnEntryIsTriedAgain) {
  auto const known = read(
      {R"({"kernel":"capsule_mass_properties","subject":"*","regime":"*","output":"*","input":{"radius":0.3,"shaft":1,"density":1000}})"});
  EXPECT_EQ(still_fails(known.entries()[0], kernel(), *find_subject("fast"), {}), false);
  Subject wrong = *find_subject("fast");
  for (auto& each : wrong.answers) {
    each.answer = [inner = each.answer](Table const& cases, Answers& answers) {
      inner(cases, answers);
      for (double& cell : answers.output.columns[0]) cell *= 2;
    };
  }
  EXPECT_EQ(still_fails(known.entries()[0], kernel(), wrong, {}), true);
  Held const generous{Held::To::strict, 0, 1e30};
  EXPECT_EQ(still_fails(known.entries()[0], kernel(), wrong, generous), false);
}

TEST(Known, UpdatedBaselinesKeepUsedEntriesAndDropUnusedOnes) {
  std::string const start = R"({"kernel":"capsule_mass_properties","subject":"x","regime":"typical","output":)";
  auto const known = read({start + R"("mass","max_error":1,"comment":"see issue 12"})", start + R"("volume"})",
                           start + R"("ixx","comment":"kept"})"});
  Table const cases = capsule(1);
  EXPECT_TRUE(known.accepts({kernel(), {"x"}, "typical", "ixx", "", cases, 0, 5}));
  KnownFailure worse;
  worse.kernel = kernel().name;
  worse.subject = "x";
  worse.regime = "typical";
  worse.output = "mass";
  worse.max_error = 7;
  auto const written = updated(known, {worse});
  ASSERT_EQ(written.size(), 2u);
  EXPECT_EQ(known_line(written[0]), start + R"("ixx","comment":"kept"})");
  EXPECT_EQ(known_line(written[1]), start + R"("mass","max_error":7.0,"comment":"see issue 12"})");
}

TEST(Tolerance, EachOutputHasItsOwnTolerance) {
  // Judging with all tolerances together must give the same verdicts as judging with each tolerance alone.
  Subject const& documented = *find_subject("documented");
  Table cases(kernel().input);
  for (std::uint64_t id = 0; id < 200; ++id) kernel().generate(id % kernel().regimes.size(), 3, id, cases);
  Answers answers;
  answers.clear(kernel().output);
  answer(documented, kernel(), cases, answers);
  Truths const truths = kernel().truths(cases);
  std::size_t const count = kernel().budgets.size();
  ASSERT_GE(count, 3u);
  std::vector<double> units(count, 32);
  units[0] = 0x1p-60;
  units[1] = 0x1p60;
  std::set<Verdict> seen;
  for (std::size_t row = 0; row < cases.rows; ++row) {
    std::vector<Judged> judged(count), alone(count);
    kernel().judge(cases, truths, row, answers, row, {units}, judged);
    for (std::size_t k = 0; k < count; ++k) {
      kernel().judge(cases, truths, row, answers, row, {std::vector<double>(count, units[k])}, alone);
      EXPECT_EQ(judged[k].verdict, alone[k].verdict);
      EXPECT_EQ(judged[k].error, alone[k].error);
      EXPECT_EQ(judged[k].computed, alone[k].computed);
      if (judged[k].computed) seen.insert(judged[k].verdict);
    }
  }
  EXPECT_EQ(seen.size(), 2u);
}

}  // namespace known_test
}  // namespace demeter
