// Tests the comparison of two runs: the rules, the differences that each rule accepts, and the rates of false alarms
// and of missed slowdowns.
#include "tests/core/compare_samples.hpp"

#include "kernels/random.hpp"
#include "reports/site/compare_page.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

namespace demeter {
namespace compare_test {

/// Expects one regression with `text`. If the two runs are exchanged, expects no regression and `improvements`
/// improvements.
void expect_regression(Json const& before, Json const& after, std::string const& text, std::size_t improvements = 1) {
  auto const worse = compared(before, after), better = compared(after, before);
  EXPECT_EQ(worse.regressions(), 1u) << all_text(worse);
  EXPECT_NE(all_text(worse).find(text), std::string::npos) << "expected " << text << " in\n" << all_text(worse);
  EXPECT_EQ(better.count(Kind::regression), 0u) << all_text(better);
  EXPECT_EQ(better.count(Kind::improvement), improvements) << all_text(better);
}
void expect_nothing(Json const& before, Json const& after) {
  auto const there = compared(before, after), back = compared(after, before);
  EXPECT_EQ(there.regressions() + there.count(Kind::improvement), 0u) << all_text(there);
  EXPECT_EQ(back.regressions() + back.count(Kind::improvement), 0u) << all_text(back);
}

TEST(Compare, EqualRunsHaveNoFindings) {
  auto const same = compared(results(), results());
  EXPECT_TRUE(same.findings.empty()) << all_text(same);
  EXPECT_EQ(same.accuracy, 1u);
  EXPECT_EQ(same.laws, 1u);
  EXPECT_EQ(same.timings, 1u);
}

std::string page_of(Json const& before, Json const& after) {
  Recorded const was = recorded(before), is = recorded(after);
  return report::compare_page(was, is, compare(was, is, {}), {});
}

TEST(ComparePage, ThePageListsOnlyChangesGroupedByKernelAndSubject) {
  Json before = results(), after;
  kernel_of(before)["regimes"] = {{{"name", "typical"}, {"doc", ""}, {"profile", "everyday"}}};
  subject_of(before)["accuracy"][0]["cases"] = subject_of(before)["accuracy"][0]["judged"] = 1000;
  after = before;
  std::string page = page_of(before, after);
  EXPECT_NE(page.find("No regressions, no improvements, 0 gone, 0 new."), std::string::npos);
  EXPECT_NE(page.find("Unchanged: 1 implementation."), std::string::npos);
  EXPECT_EQ(page.find("→"), std::string::npos);
  EXPECT_EQ(page.find("href=\"index.html"), std::string::npos) << "it stands alone";

  subject_of(after)["verdict"] = "fail";
  row_of(after)["failed"] = 7;
  row_of(after)["max_error"] = 1e10;
  law_of(after)["broken"] = 2;
  law_of(after)["regimes"] = {{{"regime", "typical"}, {"broken", 2}, {"worst", 3}}};
  slow_down(timing_of(after), 2);
  timing_of(after)["nanoseconds"] = 20;
  after["kernels"][0]["subjects"].push_back(subject_of(after));
  after["kernels"][0]["subjects"][1]["name"] = "<b>new";
  page = page_of(before, after);
  EXPECT_NE(page.find("3 regressions, no improvements, 0 gone, 1 new."), std::string::npos);
  EXPECT_NE(page.find("<th scope=\"row\">fast<wbr>@avx2</th><td>pass → <b>fail</b></td>"
                      "<td>15.4 digits → <b>0 of 1, 5.9 digits, 1 law broken</b></td>"
                      "<td>all hold → <b>1 of 1 broken</b></td><td class=\"figure\">10.0 ns → <b>20.0 ns</b></td>"),
            std::string::npos)
      << page.substr(page.find("<h2 id=\"segment"), 900);
  EXPECT_NE(page.find("REGRESSION</span> accuracy typical distance: newly over budget"), std::string::npos);
  EXPECT_NE(page.find("REGRESSION</span> law swap"), std::string::npos);
  EXPECT_NE(page.find("100 % slower"), std::string::npos);
  EXPECT_EQ(page.find("<b>new"), std::string::npos) << "a name is text";
  EXPECT_NE(page.find("&lt;b&gt;new"), std::string::npos);
}

TEST(Compare, FindsALossOfAccuracy) {
  Json const before = results();
  Json after = before;
  row_of(after)["failed"] = 1;
  row_of(after)["max_error"] = 8.5;
  expect_regression(before, after, "accuracy typical distance: newly over budget: 1 of 1000 failed", 2);
  for (char const* count : {"crash", "timeout", "undecided"}) {
    after = before;
    row_of(after)[count] = 1;
    row_of(after)["judged"] = 999;
    if (count == std::string("undecided")) row_of(after)["judged"] = 1000;
    expect_regression(before, after, "0 -> 1");
  }
  after = before;
  row_of(after)["max_error"] = 4.6;
  expect_regression(before, after, "maximum error 3 u -> 4.6 u (budget 8 u)");
  after = before;
  row_of(after)["mean_error"] = 0.95;
  expect_regression(before, after, "mean error 0.6 u -> 0.95 u");
  after = before;
  row_of(after)["max_error"] = "inf";
  expect_regression(before, after, "maximum error 3 u -> inf u");
  after = before;
  row_of(after)["judged"] = 900;
  expect_regression(before, after, "answers fewer cases: 1000 -> 900");
  after = before;
  subject_of(after)["accuracy"].push_back(accuracy_row());
  subject_of(after)["accuracy"][1]["regime"] = "tiny";
  auto const added = compared(before, after);
  EXPECT_EQ(added.count(Kind::added), 1u);
  EXPECT_EQ(added.regressions(), 0u);
}

TEST(Compare, IgnoresSmallOrIncomparableChanges) {
  Json const before = results();
  Json after = before;
  row_of(after)["max_error"] = 4.4;  // less than 1.5 times the error before
  row_of(after)["mean_error"] = 0.89;
  expect_nothing(before, after);
  Json little = before;
  row_of(little)["max_error"] = 0.5;
  row_of(little)["mean_error"] = 0.1;
  after = little;
  row_of(after)["max_error"] = 1.9;  // still below a quarter of the budget
  row_of(after)["mean_error"] = 0.4;
  expect_nothing(little, after);
  // If the cases differ, sizes of errors are not compared, but new failures count.
  after = before;
  after["demeter"]["seed"] = 2;
  row_of(after)["max_error"] = 7.9;
  expect_nothing(before, after);
  EXPECT_NE(all_text(compared(before, after)).find("different seeds (1, 2)"), std::string::npos);
  row_of(after)["failed"] = 1;
  EXPECT_EQ(compared(before, after).regressions(), 1u);
  after = before;
  row_of(after)["cases"] = 2000;
  row_of(after)["judged"] = 2000;
  row_of(after)["max_error"] = 7.9;
  expect_nothing(before, after);
  EXPECT_NE(all_text(compared(before, after)).find("different numbers of cases per regime (1000, 2000)"),
            std::string::npos);
  EXPECT_NE(all_text(compared(before, after["kernels"])).find("one run has no seed"), std::string::npos);
}

TEST(Compare, OldFailuresCountOnlyIfTheyAreMuchMoreFrequent) {
  Json before = results(), after;
  row_of(before)["failed"] = 10;
  row_of(before)["max_error"] = 100;
  after = before;
  row_of(after)["failed"] = 15;
  expect_nothing(before, after);
  row_of(after)["failed"] = 16;
  expect_regression(before, after, "fails more often: 10 -> 16 of 1000");
  // Failures that a baseline accepts count like other failures of OLD or NEW.
  after = before;
  row_of(after)["failed"] = 0;
  row_of(after)["known"] = 10;
  expect_nothing(before, after);
  // A budget that became smaller is reported.
  after = results();
  row_of(after)["budget"] = 2;
  row_of(after)["failed"] = 3;
  auto const tighter = compared(results(), after);
  EXPECT_EQ(tighter.regressions(), 1u);
  EXPECT_NE(all_text(tighter).find("the budget of distance was 8 u and is 2 u"), std::string::npos)
      << all_text(tighter);
}

TEST(Compare, ReportsLawsThatAreNewlyBroken) {
  Json const before = results();
  Json after = before;
  law_of(after)["broken"] = 3;
  law_of(after)["worst"] = "inf";
  expect_regression(before, after, "law swap: newly broken in 3 of 180 cases (worst: inf tolerances)");
  // Broken laws also count if the cases differ.
  after["demeter"]["seed"] = 7;
  EXPECT_EQ(compared(before, after).regressions(), 1u);
  Json worse = before;
  law_of(worse)["broken"] = 100;
  after = before;
  law_of(after)["broken"] = 50;
  expect_regression(after, worse, "broken more often: 50 -> 100 of 180");
}

TEST(Compare, MissingResultsAreRegressionsUnlessAllowed) {
  CompareOptions allow;
  allow.allow_gone = true;
  Json const before = results();
  auto const expect_gone = [&](Json const& after, std::string const& text) {
    auto const gone = compared(before, after);
    EXPECT_EQ(gone.count(Kind::gone), 1u) << all_text(gone);
    EXPECT_EQ(gone.regressions(), 1u);
    EXPECT_NE(all_text(gone).find(text), std::string::npos) << all_text(gone);
    EXPECT_EQ(compared(before, after, allow).regressions(), 0u);
    EXPECT_EQ(compared(after, before).regressions(), 0u);
    EXPECT_EQ(compared(after, before).count(Kind::added), 1u) << all_text(compared(after, before));
  };
  Json after = before;
  subject_of(after)["accuracy"].clear();
  expect_gone(after, "accuracy typical distance: no longer answered");
  after = before;
  subject_of(after)["laws"].clear();
  expect_gone(after, "law swap: no longer");
  after = before;
  kernel_of(after)["name"] = "other";
  after["kernels"].push_back(before["kernels"][0]);
  EXPECT_EQ(compared(before, after).regressions(), 0u);
  after = before;
  kernel_of(after)["subjects"].push_back(subject_of(after));
  kernel_of(after)["subjects"][1]["name"] = "peer";
  auto const peer_gone = compared(after, before);
  EXPECT_EQ(peer_gone.regressions(), 1u);
  Json without = before;
  without["missing_peers"].push_back({{"name", "peer"}, {"why", "not installed"}});
  EXPECT_NE(all_text(compared(after, without)).find("peer: the subject is not in NEW: not installed"),
            std::string::npos);
  // If the CPU of NEW lacks the instructions for a subject, this is not a regression of the code.
  after = before;
  after["machine"]["levels"] = {"scalar"};
  kernel_of(after)["subjects"].clear();
  kernel_of(after)["speed"]["timings"].clear();
  kernel_of(after)["subjects"].push_back(before["kernels"][0]["subjects"][0]);
  kernel_of(after)["subjects"][0]["name"] = "fast@scalar";
  EXPECT_EQ(compared(before, after).regressions(), 0u) << all_text(compared(before, after));
}

TEST(Compare, FindsASlowdown) {
  Json const before = results();
  Json after = before;
  slow_down(timing_of(after), 1.12);
  expect_regression(before, after,
                    "speed cache typical all: 12 % slower (10.04 -> 11.24 ns per case as measured, p = 2.1e-05)");
  after = before;
  slow_down(timing_of(after), 1.09);  // significant, but below 10 %
  expect_nothing(before, after);
  // A slowdown above 10 % that is not significant: the samples of both runs overlap.
  Json noisy = before;
  after = before;
  for (std::size_t i = 0; i < 9; ++i) {
    timing_of(noisy)["samples"][i] = 10 + i;
    timing_of(after)["samples"][i] = 12 + i;
  }
  expect_nothing(noisy, after);
  // If the reference workload is slower by the same factor, the machine is slower and not the code.
  after = before;
  slow_down(timing_of(after), 2);
  for (auto& each : timing_of(after)["reference_workload"]) each = each.get<double>() * 2;
  expect_nothing(before, after);
  // If only the reference workload is faster, the machine is faster and the code is slower.
  after = before;
  for (auto& each : timing_of(after)["reference_workload"]) each = each.get<double>() / 2;
  expect_regression(before, after, "100 % slower");
}

TEST(Compare, DoesNotJudgeSpeedsThatCannotBeCompared) {
  Json const before = results();
  Json after = before;
  slow_down(timing_of(after), 2);
  timing_of(after)["samples"].erase(8);
  timing_of(after)["reference_workload"].erase(8);
  EXPECT_EQ(compared(before, after).regressions(), 0u);
  EXPECT_NE(all_text(compared(before, after)).find("speed of 1 timings not judged: needs nine repetitions (has 8)"),
            std::string::npos)
      << all_text(compared(before, after));
  after = before;
  slow_down(timing_of(after), 2);
  after["machine"]["cpu"] = "D";
  auto const other = compared(before, after);
  EXPECT_EQ(other.regressions(), 0u);
  EXPECT_EQ(other.timings, 0u);
  EXPECT_NE(all_text(other).find("speed is not compared across CPUs"), std::string::npos);
  CompareOptions options;
  options.speed = CompareOptions::Speed::always;
  EXPECT_EQ(compared(before, after, options).regressions(), 1u);
  after = before;
  slow_down(timing_of(after), 2);
  options.speed = CompareOptions::Speed::never;
  EXPECT_EQ(compared(before, after, options).regressions(), 0u);
  // With another compiler, the reference workload may have other machine code. Its times are then not used.
  after = before;
  after["machine"]["flags"] = "-O3";
  for (auto& each : timing_of(after)["reference_workload"]) each = each.get<double>() / 2;
  EXPECT_EQ(compared(before, after).regressions(), 0u);
  EXPECT_NE(all_text(compared(before, after)).find("timings are compared as measured"), std::string::npos);
  EXPECT_NE(all_text(compared(before, after)).find("different compilers or flags (G -O2; G -O3)"), std::string::npos);
  // A slower comparison routine is reported, but is not a regression.
  Json floor = before;
  timing_of(floor) = timing_row("baseline", "copy@avx2");
  after = floor;
  slow_down(timing_of(after), 1.5);
  EXPECT_EQ(compared(floor, after).regressions(), 0u);
  EXPECT_NE(all_text(compared(floor, after)).find("50 % slower"), std::string::npos);
}

// ------------------------------------------------------------------------------------------- how often it is wrong

/// Returns `count` timings with noise: a relative spread `sigma`, one sample in twenty up to twice as long, and a drift
/// of the machine. The drift also changes the times of the reference workload. These times have a noise of 2 %.
Recorded simulated(Random& random, std::size_t count, std::size_t repetitions, double sigma, double factor) {
  Recorded run;
  run.timed = true;
  run.cpu = run.compiler = run.reference_workload = "x";
  double const machine = 1 + 0.5 * random.unit();
  for (std::size_t k = 0; k < count; ++k) {
    Recorded::Of<report::Timing> timing;
    timing.kernel = "kernel";
    timing.subject = "subject " + std::to_string(k);
    timing.row.setting = timing.row.regime = timing.row.outputs = "x";
    for (std::size_t i = 0; i < repetitions; ++i) {
      double const drift = machine * (1 + 0.2 * std::sin(static_cast<double>(i)));
      double const outlier = random.chance(0.05) ? 1 + random.unit() : 1;
      timing.row.samples.push_back(10 * drift * factor * outlier * std::exp(sigma * random.normal()));
      timing.row.reference_workload.push_back(2e5 * drift * std::exp(0.02 * random.normal()));
    }
    run.pairs.emplace_back(timing.kernel, timing.subject);
    run.timings.push_back(std::move(timing));
  }
  return run;
}

TEST(CompareSpeed, FalseAlarmsAreRare) {
  // 1,000 comparisons of 100 timings of equal code. Half of them have the spread of a quiet machine (3 %), the other
  // half of a busy machine (15 %). The rule permits an alarm in at most one comparison of a hundred. With the spread of
  // 3 %, no comparison may have an alarm.
  for (double const sigma : {0.03, 0.15}) {
    for (std::size_t const repetitions : {std::size_t{9}, std::size_t{15}}) {
      Random random(11, repetitions, static_cast<std::uint64_t>(sigma * 100));
      int alarms = 0;
      for (int trial = 0; trial < 250; ++trial) {
        Recorded const before = simulated(random, 100, repetitions, sigma, 1),
                       after = simulated(random, 100, repetitions, sigma, 1);
        if (compare(before, after, {}).regressions() > 0) ++alarms;
      }
      RecordProperty(fmt::format("alarms_{}_{}", sigma * 100, repetitions), alarms);
      EXPECT_LE(alarms, sigma < 0.1 ? 0 : 6) << sigma << " " << repetitions;  // of 250 comparisons; 2.5 alarms are
                                                                              // expected
    }
  }
}

TEST(CompareSpeed, FindsASlowdownOfFifteenPerCent) {
  // One timing of a hundred is slower by 15 %. The spread is 2 %, with outliers. Nine repetitions find the slowdown in
  // 139 of 200 trials only, because an outlier makes the samples overlap. The fifteen repetitions of a report find it
  // in 178.
  for (std::size_t const repetitions : {std::size_t{9}, std::size_t{15}}) {
    Random random(12, repetitions, 0);
    int found = 0, others = 0;
    for (int trial = 0; trial < 200; ++trial) {
      Recorded const before = simulated(random, 100, repetitions, 0.02, 1);
      Recorded after = simulated(random, 100, repetitions, 0.02, 1);
      for (double& sample : after.timings[17].row.samples) sample *= 1.15;
      for (auto const& finding : compare(before, after, {}).findings) {
        if (finding.kind != Kind::regression) continue;
        (finding.subject == "subject 17" ? found : others) += 1;
      }
    }
    RecordProperty(fmt::format("found_{}", repetitions), found);
    EXPECT_EQ(others, 0);
    EXPECT_GE(found, repetitions == 9 ? 130 : 170) << repetitions;
  }
  // With few timings, the significance level of each timing is higher. Nine repetitions then suffice.
  Random random(13, 0, 0);
  int found = 0;
  for (int trial = 0; trial < 200; ++trial)
    if (compare(simulated(random, 3, 9, 0.02, 1), simulated(random, 3, 9, 0.02, 1.15), {}).regressions() > 0) ++found;
  EXPECT_GE(found, 195);
}

// --------------------------------------------------------------------------------------------------------- reading

TEST(Compare, ReadsTheOutputOfCheckAndBench) {
  Json const all = results();
  Json check = all["kernels"];
  check[0].erase("speed");
  check[0]["run"] = {{"version", "1"}, {"commit", "abc"},        {"seed", 1}, {"cpu", "C"}, {"compiler", "G"},
                     {"flags", "-O2"}, {"levels", Json::array()}};
  auto const of_check = recorded(check);
  EXPECT_EQ(of_check.seed, "1");
  EXPECT_EQ(of_check.cpu, "C");
  EXPECT_EQ(of_check.accuracy.size(), 1u);
  auto const mixed = compared(all, check);
  EXPECT_EQ(mixed.regressions(), 0u);
  EXPECT_NE(all_text(mixed).find("NEW has no timings"), std::string::npos);

  Json bench = {{"context", {{"demeter_cpu", "C"}, {"demeter_reference_workload", "1"}}},
                {"benchmarks", Json::array()}};
  for (int i = 0; i < 9; ++i)
    bench["benchmarks"].push_back(
        {{"name", "segment_distance/lib:./some/where.so/cache/typical/s,t/min_time:0.010/repeats:9"},
         {"run_type", "iteration"},
         {"items_per_second", 1e8 - i},
         {"reference_workload_nanoseconds", 2e5}});
  bench["benchmarks"].push_back(
      {{"name", "segment_distance/x/cache/typical/all/repeats:9_mean"}, {"run_type", "aggregate"}});
  // Three successive times of the reference workload may be equal. Their standard deviation is then 0.
  bench["benchmarks"].push_back({{"name", "segment_distance/x/cache/typical/all/repeats:9_stddev"},
                                 {"run_type", "aggregate"},
                                 {"items_per_second", 0},
                                 {"reference_workload_nanoseconds", 0}});
  auto const of_bench = recorded(bench);
  ASSERT_EQ(of_bench.timings.size(), 1u);
  EXPECT_EQ(of_bench.timings[0].subject, "lib:./some/where.so");
  EXPECT_EQ(of_bench.timings[0].row.outputs, "s,t");
  EXPECT_NEAR(of_bench.timings[0].row.samples[0], 10, 1e-12);
  EXPECT_EQ(of_bench.timings[0].row.reference_workload.size(), 9u);
  Json slower = bench;
  for (auto& row : slower["benchmarks"])
    if (row["run_type"] == "iteration") row["items_per_second"] = row["items_per_second"].get<double>() / 1.25;
  EXPECT_EQ(compared(bench, slower).regressions(), 1u);
  EXPECT_EQ(compared(slower, bench).regressions(), 0u);
  for (std::string const name : {"items_per_second", "reference_workload_nanoseconds"}) {
    Json still = bench;
    still["benchmarks"][3][name] = 0;
    Recorded into;
    auto const why = read_recorded(still, into);
    ASSERT_TRUE(why.has_value());
    EXPECT_EQ(*why, "benchmarks[3]." + name + ": expected a number above 0, found 0");
  }
}

TEST(Compare, AppendsSamplesOfFurtherRuns) {
  Recorded run = recorded(results());
  append_samples(run, recorded(results()));
  EXPECT_EQ(run.timings[0].row.samples.size(), 18u);
  EXPECT_EQ(run.timings[0].row.reference_workload.size(), 18u);
  Json plain = results();
  timing_of(plain).erase("reference_workload");
  append_samples(run, recorded(plain));
  EXPECT_EQ(run.timings[0].row.samples.size(), 27u);
  EXPECT_TRUE(run.timings[0].row.reference_workload.empty());
}

TEST(Compare, ReportsMalformedFilesWithThePlace) {
  struct Wrong {
    Json json;
    std::string reason;
  };
  std::vector<Wrong> wrong{
      {3, "the document: expected a results.json of demeter report, or the output of check --json or bench --json"},
      {Json::object(), "the document: expected a results.json"},
      {{{"kernels", 3}}, "schema: missing; expected a whole number"},
      {Json::array({Json::object()}), "[0].name: missing; expected a string"},
      {{{"benchmarks", Json::array()}}, "context: missing; expected an object"},
      {{{"context", Json::object()}, {"benchmarks", Json::array({{{"name", "a/b"}, {"run_type", "iteration"}}})}},
       "benchmarks[0].name: expected kernel/subject/setting/regime/outputs, found a/b"}};
  auto const add = [&](auto change, std::string reason) {
    wrong.push_back({results(), std::move(reason)});
    change(wrong.back().json);
  };
  add([](Json& all) { all["kernels"] = 3; }, "kernels: expected an array, found 3");
  add([](Json& all) { all["kernels"][0] = 3; }, "kernels[0]: expected an object, found 3");
  add([](Json& all) { kernel_of(all).erase("subjects"); }, "kernels[0].subjects: missing; expected an array");
  add([](Json& all) { row_of(all)["max_error"] = "large"; },
      "kernels[0].subjects[0].accuracy[0].max_error: expected a number, found \"large\"");
  add([](Json& all) { row_of(all)["max_error"] = nullptr; },
      "max_error: expected a number that is not negative, found null");
  add([](Json& all) { row_of(all)["failed"] = -1; },
      "kernels[0].subjects[0].accuracy[0].failed: expected a count, found -1");
  add([](Json& all) { row_of(all)["measure"] = "cubits"; },
      "measure: expected \"relative\" or \"scale\" or \"optimality\", found \"cubits\"");
  add([](Json& all) { law_of(all).erase("broken"); },
      "kernels[0].subjects[0].laws[0].broken: missing; expected a count");
  add([](Json& all) { timing_of(all)["samples"][3] = 0; },
      "kernels[0].speed.timings[0].samples[3]: expected a number above 0, found 0");
  add([](Json& all) { timing_of(all)["reference_workload"].erase(0); },
      "kernels[0].speed.timings[0].reference_workload: expected as many values as samples, found 8");
  add([](Json& all) { all["demeter"]["commit"] = Json::array(); }, "demeter.commit: expected a string, found an empty");
  add([](Json& all) { all["schema"] = 9; }, "schema: got 9, expected 1: results of another version of demeter");
  add([](Json& all) { all["schema"] = "results/1"; }, "schema: got \"results/1\", expected 1");
  for (auto const& each : wrong) {
    Recorded run;
    auto const said = read_recorded(each.json, run);
    ASSERT_TRUE(said) << each.json;
    EXPECT_NE(said->find(each.reason), std::string::npos) << *said << " for " << each.reason;
  }
}

TEST(Compare, JUnitHasACasePerResultAndFindingsAreOneLine) {
  Json const before = results();
  Json after = before;
  law_of(after)["broken"] = 3;
  slow_down(timing_of(after), 1.5);
  auto const comparison = compared(before, after);
  auto const suites = junit_suites(comparison);
  ASSERT_EQ(suites.size(), 1u);
  EXPECT_EQ(suites[0].name, "segment_distance x fast@avx2");
  ASSERT_EQ(suites[0].cases.size(), 3u);
  EXPECT_EQ(suites[0].cases[0].outcome, junit::Case::Outcome::passed);
  EXPECT_EQ(suites[0].cases[1].name, "law swap");
  EXPECT_EQ(suites[0].cases[1].outcome, junit::Case::Outcome::failed);
  EXPECT_EQ(suites[0].cases[2].outcome, junit::Case::Outcome::failed);
  after = before;
  kernel_of(after)["subjects"].clear();
  kernel_of(after)["speed"]["timings"].clear();
  auto const gone = junit_suites(compared(before, after));
  ASSERT_EQ(gone.size(), 1u);
  EXPECT_EQ(gone[0].cases[0].outcome, junit::Case::Outcome::failed);

  Json strange = results();
  subject_of(strange)["name"] = "two\nlines\x1b[31m";
  timing_of(strange)["subject"] = "two\nlines\x1b[31m";
  Json worse = strange;
  law_of(worse)["broken"] = 1;
  auto const text = finding_text(compared(strange, worse).findings[0]);
  EXPECT_EQ(text.find_first_of("\n\x1b"), std::string::npos) << text;
  auto const json = describe(comparison, recorded(before), recorded(after), {});
  EXPECT_EQ(json["regressions"], 2);
  EXPECT_EQ(json["findings"].size(), 2u);
  EXPECT_EQ(json["findings"][0]["kind"], "regression");
}

}  // namespace compare_test
}  // namespace demeter
