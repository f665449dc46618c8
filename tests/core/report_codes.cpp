// Tests the tables of codes at the top of the report: which codes are rows, and how far each code can be trusted in
// each situation.
#include "reports/format/codes.hpp"
#include "reports/site/pages.hpp"
#include "reports/site/plots.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>

namespace demeter::report {
namespace codes_test {

bool contains(std::string const& text, std::string const& part) { return text.find(part) != std::string::npos; }

Accuracy accuracy(std::string const& regime, std::int64_t judged, std::int64_t failed, double error) {
  Accuracy row;
  row.regime = regime;
  row.output = "distance";
  row.measure = "relative";
  row.budget = 1024;
  row.cases = row.judged = judged;
  row.failed = failed;
  row.max_error = error;
  return row;
}

Contender contender(std::string const& name, Origin origin) {
  Contender result;
  result.name = name;
  result.origin = origin;
  return result;
}

/// Returns results of one kernel with five subjects: two equal levels of fast, a printed formula, a peer that fails,
/// and an exercise.
Results sample() {
  Results results;
  results.run.created = "2026-11-30T12:00:00Z";
  results.subjects = {{"fast@scalar", "", "", true, false},
                      {"fast@avx2", "", "", true, false},
                      {"ode", "", "0.16", false, false},
                      {"homework_jacobi", "", "1", false, false},
                      {"fcl", "", "0.7", false, false}};
  Kernel& kernel = results.kernels.emplace_back();
  kernel.name = kernel.slug = "segment_distance";
  kernel.budgets = {{"distance", "relative", 8}};
  kernel.regimes = {{"typical", "", "everyday", 0}, {"nearly_parallel", "", "degenerate", 0}};
  kernel.subjects = {contender("ode", Origin::peer), contender("homework_jacobi", Origin::peer),
                     contender("fast@scalar", Origin::own), contender("fast@avx2", Origin::own),
                     contender("textbook@double", Origin::formula)};
  for (Contender& each : kernel.subjects) each.accuracy = {accuracy("typical", 1000, 0, 2)};
  kernel.subjects[0].accuracy = {accuracy("typical", 1000, 0, 2), accuracy("nearly_parallel", 1000, 20, 1e12)};
  kernel.subjects[0].sizes = {{"everyday", 0x1p-14, 400, 0, 0x1p13},
                              {"everyday", 0x1p-13, 100, 30, 0x1p50},
                              {"everyday", 0x1p-3, 400, 0, 2},
                              {"degenerate", 0x1p-3, 400, 400, 0x1p53}};
  return results;
}

TEST(Codes, AreTheFastFormAndForeignCodesThatAnswer) {
  auto const results = sample();
  auto const all = codes(results);
  ASSERT_EQ(all.size(), 2u) << "no formula, no exercise, no code without answers";
  EXPECT_EQ(all[0].name, "fast");
  EXPECT_TRUE(all[0].ours);
  EXPECT_EQ(all[0].results.size(), 1u) << "equal levels are one result";
  EXPECT_EQ(all[1].name, "ode");
  EXPECT_EQ(all[1].version, "0.16");
  EXPECT_EQ(all[1].of(results.kernels[0]), &results.kernels[0].subjects[0]);
}

TEST(Codes, ErrorsByDecadeOfSizeCountEverydayCasesOnly) {
  auto const results = sample();
  auto const of = by_decade(results.kernels[0].subjects[0]);
  EXPECT_EQ(of[0].judged, 500) << "bins from 30 to 122 um, whose middles are below 0.1 mm";
  EXPECT_EQ(of[0].failed, 30);
  EXPECT_EQ(of[0].error, 0.125) << "2^50 u";
  EXPECT_EQ(of[3].judged, 400);
  EXPECT_EQ(of[3].failed, 0) << "degenerate cases do not count";
  EXPECT_EQ(of[1].judged + of[2].judged + of[4].judged + of[5].judged, 0);
}

TEST(Codes, TrustDependsOnTheNumberOfCasesFailuresAndDigits) {
  EXPECT_EQ(trust_in(0, 0, 0), Trust::untested);
  EXPECT_EQ(trust_in(298, 0, 1e-15), Trust::few);
  EXPECT_EQ(trust_in(299, 0, 1e-15), Trust::twelve_digits);
  EXPECT_EQ(trust_in(299, 0, 1.1e-12), Trust::six_digits);
  EXPECT_EQ(trust_in(3, 1, 1.1e-6), Trust::wrong) << "one wrong answer is enough";
  EXPECT_EQ(trust_in(1000, 0, std::numeric_limits<double>::quiet_NaN()), Trust::wrong);
}

TEST(Codes, TablesShowDigitsVersionDateAndSizes) {
  auto const results = sample();
  auto const all = codes(results);
  std::string const table = codes_table(results, all), trust = trust_table(all);
  EXPECT_TRUE(contains(table, "<tr id=\"code-ode\">"));
  EXPECT_TRUE(contains(table, "<small>0.16, 2026-11-30</small>"));
  EXPECT_TRUE(contains(table, "href=\"segment_distance.html#fails-ode\""));
  EXPECT_TRUE(contains(table, ">15.6</span>")) << "2 u";
  EXPECT_TRUE(contains(table, ">✗ 3.9</span>")) << "1e12 u";
  EXPECT_FALSE(contains(table, "homework"));
  EXPECT_TRUE(contains(trust, "<td class=\"exceeded\" data-label=\"below 0.1 mm\">no digit<small>6.0 % wrong</small>"))
      << trust;
  EXPECT_TRUE(contains(trust, "<td class=\"held\" data-label=\"1 to 10 cm\">")) << trust;
  EXPECT_TRUE(contains(trust, ">not tested</td>"));
  EXPECT_TRUE(contains(trust, "<b>wrong:</b> nearly parallel (20 of 1,000)")) << trust;
  EXPECT_FALSE(contains(trust, "fast"));
}

/// Returns the sample. ODE has declared that its distances are approximate.
Results sample_with_a_declaration() {
  Results results = sample();
  results.kernels[0].laws = {{"scaling", "", "", {"distance"}}, {"swap", "", "", {"distance", "side"}}};
  results.kernels[0].subjects[0].declared = {{"<distances> to 6 digits", "ODE manual", {"distance"}}};
  return results;
}

TEST(Codes, AFailureWithinADeclaredApproximationIsNotADefect) {
  Results const results = sample_with_a_declaration();
  Kernel const& kernel = results.kernels[0];
  EXPECT_TRUE(fails_as_declared(kernel, kernel.subjects[0]));
  EXPECT_FALSE(fails_as_declared(kernel, kernel.subjects[1])) << "passes";
  EXPECT_TRUE(
      contains(codes_table(results, codes(results)), "class=\"few\" title=\"degenerate: 0 of 1 regimes pass\">≈ 3.9"));
  std::string const page = overview_page(results, {{}});
  EXPECT_TRUE(contains(page, "None in everyday and degenerate cases."));
  EXPECT_TRUE(contains(page, "distance: &lt;distances&gt; to 6 digits (ODE manual)"));
}

TEST(Codes, ADeclarationExcusesNeitherCrashesNorOtherOutputsNorLawsOfOtherOutputs) {
  Results results = sample_with_a_declaration();
  Kernel& kernel = results.kernels[0];
  Contender const declared = kernel.subjects[0];
  Contender& ode = kernel.subjects[0];
  ode.accuracy[1].crash = 1;
  EXPECT_FALSE(fails_as_declared(kernel, ode));
  ode = declared;
  ode.accuracy[1].output = "side";
  EXPECT_FALSE(fails_as_declared(kernel, ode));
  ode = declared;
  LawResult& law = ode.laws.emplace_back();
  law.law = "scaling";
  LawRegime& regime = law.regimes.emplace_back();
  regime.regime = "typical";
  regime.broken = 1;
  EXPECT_TRUE(fails_as_declared(kernel, ode)) << "the law is about distances";
  kernel.laws[0].uses = {"side"};
  EXPECT_FALSE(fails_as_declared(kernel, ode));
}

TEST(CodesFigure, ShowsSingleCallsOfTheFastFormAndDoesNotRankTimesUnderLoad) {
  Results results = sample();
  Kernel& kernel = results.kernels[0];
  auto const time = [&](std::string const& subject, double nanoseconds, double reference_workload) {
    kernel.speed.timings.push_back(
        {subject, "subject", "cache", "typical", "all", nanoseconds, {}, {reference_workload}, 100});
  };
  time("fast@avx2", 5, 1.3);
  time("fast@single", 30, 1);
  time("textbook@double", 60, 1.1);
  EXPECT_TRUE(timed_under_load(kernel.speed.timings[0], least_workload(kernel)))
      << "the reference workload took 1.3 times its least time";
  EXPECT_FALSE(timed_under_load(kernel.speed.timings[2], least_workload(kernel)));
  auto const figure = codes_figure(kernel);
  ASSERT_TRUE(figure);
  auto const texts = figure->drawing.texts();
  EXPECT_TRUE(std::ranges::any_of(texts, [](auto const& each) { return each.second == "fast, single calls"; }));
  auto const ours = figure->drawing.marks(mark_of(Origin::own, true));
  ASSERT_EQ(ours.size(), 3u) << "one in the legend";
  double const least = std::min(ours[1].x, ours[2].x), single = std::max(ours[1].x, ours[2].x);
  EXPECT_LT(least, single);
  auto const frontier = figure->drawing.lines(frontier_stroke);
  ASSERT_EQ(frontier.size(), 2u) << "one in the legend";
  EXPECT_EQ(frontier[1][2].x, single) << "the fastest time was measured under load";
}

TEST(SpeedSection, SaysHowManyCasesACallAnswersAndMarksTimesUnderLoad) {
  Results results = sample();
  Kernel& kernel = results.kernels[0];
  kernel.speed.used = kernel.speed.total = 100;
  auto const time = [&](std::string const& subject, double nanoseconds, double reference_workload, char const* call) {
    kernel.speed.timings.push_back(
        {subject, "subject", "cache", "typical", "all", nanoseconds, {nanoseconds}, {reference_workload}, 100, call});
  };
  time("fast@avx2", 5, 1, "batch");
  time("fast@scalar", 2, 2, "batch");
  time("fast@single", 30, 1, "single");
  time("ode", 60, 1, "single");
  std::string const html = speed_section(kernel);
  EXPECT_TRUE(contains(html, ">fast<wbr>@single</th><td>all</td><td>one case</td>")) << html;
  EXPECT_TRUE(contains(html, "5.00 ★")) << html;
  EXPECT_TRUE(contains(html, "2.00 †")) << html;
  EXPECT_TRUE(contains(html, "30.0 ★")) << "a single call is compared with single calls" << html;
  EXPECT_TRUE(contains(html, "2.0× the fastest")) << html;
}

TEST(CodesFigure, ACodeWithoutATimeIsAtTheRightEdge) {
  auto results = sample();
  Kernel& kernel = results.kernels[0];
  auto const time = [&](std::string const& subject, double nanoseconds) {
    kernel.speed.timings.push_back({subject, "subject", "cache", "typical", "all", nanoseconds, {}, {}, 100});
  };
  time("fast@scalar", 20);
  time("fast@avx2", 5);
  time("textbook@double", 30);
  auto const figure = codes_figure(kernel);
  ASSERT_TRUE(figure);
  // The first mark is in the legend.
  auto const ours = figure->drawing.marks(mark_of(Origin::own, true)),
             others = figure->drawing.marks(mark_of(Origin::peer, true)),
             formulas = figure->drawing.marks(mark_of(Origin::formula, true));
  ASSERT_EQ(ours.size(), 2u) << "equal levels are one point, at the smallest time";
  ASSERT_EQ(others.size(), 2u) << "no exercise";
  ASSERT_EQ(formulas.size(), 2u);
  EXPECT_LT(ours[1].x, formulas[1].x);
  EXPECT_GT(others[1].x, formulas[1].x + 40);
  EXPECT_EQ(others[1].y, ours[1].y) << "equal errors have equal heights";
  auto const texts = figure->drawing.texts();
  EXPECT_TRUE(std::ranges::any_of(texts, [](auto const& each) { return each.second == "not timed"; }));
  EXPECT_TRUE(std::ranges::none_of(texts, [](auto const& each) { return contains(each.second, "homework"); }));
  auto const frontier = figure->drawing.lines(frontier_stroke);
  ASSERT_EQ(frontier.size(), 2u) << "one in the legend";
  EXPECT_EQ(frontier[1][2].x, ours[1].x);
  EXPECT_EQ(frontier[1].size(), 4u) << "only the fastest point: the others have equal errors";
}

TEST(CodesFigure, TheOverviewHasAMenuThatBeginsWithSegmentDistance) {
  auto results = sample();
  results.kernels.push_back(results.kernels[0]);
  results.kernels[0].name = results.kernels[0].slug = "capsule_contact";
  std::vector<std::vector<Figure>> all;
  for (Kernel const& kernel : results.kernels) all.push_back(figures(kernel));
  std::string const page = overview_page(results, all);
  std::size_t const first = page.find("id=\"choose-segment_distance\" checked>"),
                    second = page.find("id=\"choose-capsule_contact\">");
  ASSERT_NE(first, std::string::npos);
  ASSERT_NE(second, std::string::npos);
  EXPECT_LT(first, second);
  EXPECT_TRUE(contains(page, "#choose-capsule_contact:checked ~ #figure-capsule_contact { display: block; }"));
}

TEST(SizesFigure, HasALinePerCodeOverTheSizesOfEverydayCases) {
  auto const results = sample();
  auto const figure = sizes_figure(results.kernels[0]);
  ASSERT_TRUE(figure) << "one code has sizes";
  auto const lines = figure->drawing.lines({"#D55E00", 1.8});
  ASSERT_EQ(lines.size(), 2u) << "one in the legend";
  auto const& line = lines[0];
  ASSERT_EQ(line.size(), 3u) << "degenerate cases are not drawn";
  EXPECT_LT(line[0].x, line[1].x);
  EXPECT_LT(line[1].x, line[2].x);
  EXPECT_GT(line[1].y, line[0].y) << "2^50 u is above 2^13 u";
  auto const texts = figure->drawing.texts();
  EXPECT_TRUE(std::ranges::any_of(texts, [](auto const& each) { return each.second == "ode (fails)"; }));
  EXPECT_TRUE(std::ranges::any_of(texts, [](auto const& each) { return each.second == "1 cm"; }));
  Kernel const without;
  EXPECT_FALSE(sizes_figure(without));
}

}  // namespace codes_test
}  // namespace demeter::report
