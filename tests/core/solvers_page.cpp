// Tests the comparison of solvers of many contacts in the report: the measured study, the recorded study, and their
// page.
#include "reports/family/nonsmooth/solver_studies.hpp"
#include "reports/format/gzip.hpp"
#include "reports/format/members.hpp"
#include "reports/format/model.hpp"
#include "reports/format/parse.hpp"
#include "reports/format/results.hpp"
#include "reports/site/html.hpp"
#include "reports/site/plots.hpp"
#include "reports/site/site.hpp"
#include "tests/core/command.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

namespace demeter {
namespace solvers_page_test {

using Json = nlohmann::ordered_json;
using report::SolverCurve;
using report::SolverStudy;

/// Returns a small study, with 20 discs.
SolverStudy small() {
  static SolverStudy const made = nonsmooth::describe(nonsmooth::bench::study(20, 200, 20, {256, 0}));
  return made;
}

SolverCurve const* find_curve(SolverStudy const& study, std::string_view state, std::string_view start,
                              std::string_view method) {
  for (auto const& each : study.curves)
    if (each.state == state && each.start == start && each.method == method) return &each;
  return nullptr;
}

TEST(SolverStudies, EveryMethodHasAColdCurveAndSolversAlsoAWarmOne) {
  SolverStudy const study = small();
  EXPECT_EQ(study.discs, 20);
  std::size_t curves = 0;
  for (std::string_view const state : {"static", "flowing"})
    for (auto const method : nonsmooth::fast::methods)
      for (std::string_view const start : {"cold", "warm"}) {
        auto const* const curve = find_curve(study, state, start, nonsmooth::bench::name(method));
        ASSERT_EQ(curve != nullptr, start == "cold" || solves(method)) << state << nonsmooth::bench::name(method);
        if (curve == nullptr) continue;
        ++curves;
        EXPECT_EQ(curve->solves, solves(method));
        EXPECT_GT(curve->contacts, 0);
        EXPECT_EQ(curve->asked, 256);
        ASSERT_FALSE(curve->points.empty());
        EXPECT_LE(curve->points.back().sweeps, 256);
        for (std::size_t i = 1; i < curve->points.size(); ++i)
          EXPECT_GT(curve->points[i].sweeps, curve->points[i - 1].sweeps);
        ASSERT_EQ(curve->reached.size(), nonsmooth::bench::tolerances.size());
        for (auto const& reached : curve->reached) {
          EXPECT_EQ(reached.sweeps.has_value(), reached.residual.has_value());
          if (!reached.sweeps) continue;
          EXPECT_LE(*reached.sweeps, 256);
          EXPECT_TRUE(!curve->solves || *reached.residual <= *reached.tolerance) << *reached.residual;
        }
      }
  EXPECT_EQ(study.curves.size(), curves);
  auto const* const best = find_curve(study, "flowing", "cold", "apgd");
  EXPECT_TRUE(best->reached.back().sweeps) << "20 discs are few enough for 1e-6 g dt";
}

TEST(SolverStudies, RunsThatExceedTheTimeLimitEndAfter64Sweeps) {
  // The first 64 sweeps exceed the time limit, so the runs end after 64 sweeps.
  auto const study = nonsmooth::bench::study(20, 200, 0, {100'000, 1e-9});
  for (auto const& curve : study.curves) {
    if (curve.points.back().outcome.sweeps < 64) continue;
    EXPECT_EQ(curve.asked, 64) << nonsmooth::bench::name(curve.method);
    EXPECT_EQ(curve.points.back().outcome.sweeps, 64);
  }
}

TEST(SolverStudies, AStoppedStudyHasNoCurves) {
  std::atomic<bool> const stop{true};
  EXPECT_TRUE(nonsmooth::measured_study(0, &stop).curves.empty());
}

TEST(SolverStudies, TheRecordedStudyStatesMachineAndDateAndHasAllCurves) {
  SolverStudy const study = nonsmooth::recorded_study();
  EXPECT_EQ(study.discs, 5000);
  EXPECT_TRUE(study.recorded);
  for (auto const* said : {&study.commit, &study.created, &study.cpu, &study.level, &study.command})
    EXPECT_FALSE(said->empty());
  ASSERT_EQ(study.curves.size(), 24U);
  for (auto const& curve : study.curves) {
    EXPECT_GT(curve.contacts, 10'000);
    EXPECT_EQ(curve.asked, 50'000);
    EXPECT_FALSE(curve.points.empty());
    EXPECT_EQ(curve.reached.size(), 3U);
  }
  // Checks two figures of the committed study.
  auto const* const best = find_curve(study, "flowing", "cold", "apgd");
  auto const* const sequential = find_curve(study, "flowing", "warm", "nlgs");
  ASSERT_TRUE(best != nullptr && sequential != nullptr);
  ASSERT_TRUE(best->reached[2].sweeps && sequential->reached[2].sweeps);
  EXPECT_LE(*best->reached[2].sweeps, 2500);
  EXPECT_GE(*sequential->reached[2].seconds, 10 * *best->reached[2].seconds);
}

TEST(SolverStudies, InvalidLinesAreSkipped) {
  std::string_view const curves =
      "# commit: abc\n# cpu: a: b\nstate,contacts,start,method,sweeps,seconds,residual_over_g_dt\n"
      "static,7,cold,apgd,1,1e-5,0.5\nstatic,7,cold,apgd,2,2e-5,inf\nstatic,7,cold,unknown,2,2e-5,0.1\n"
      "static,7,cold,apgd,many,2e-5,0.1\nstatic,7,cold\n\n";
  std::string_view const solvers =
      "state,contacts,start,method,sweeps_asked,tolerance_over_g_dt,sweeps,seconds,residual_over_g_dt\n"
      "static,7,cold,apgd,100,0.01,3,1e-5,0.005\nstatic,7,cold,apgd,100,0.0001,,,\n";
  SolverStudy const study = nonsmooth::recorded_study(30, curves, solvers);
  EXPECT_EQ(study.commit, "abc");
  EXPECT_EQ(study.cpu, "a: b");
  ASSERT_EQ(study.curves.size(), 1U);
  SolverCurve const& curve = study.curves.front();
  ASSERT_EQ(curve.points.size(), 2U);
  EXPECT_EQ(curve.points[0].residual, 0.5);
  EXPECT_TRUE(std::isinf(*curve.points[1].residual));
  ASSERT_EQ(curve.reached.size(), 2U);
  EXPECT_EQ(curve.reached[0].sweeps, 3);
  EXPECT_EQ(curve.asked, 100);
  EXPECT_FALSE(curve.reached[1].sweeps);
  EXPECT_TRUE(nonsmooth::recorded_study(30, "", "").curves.empty());
}

// ---------------------------------------------------------------------------------------------------------------- page

class SolversPage : public FolderTest {
 protected:
  std::string read(std::string const& name) const {
    EXPECT_TRUE(fs::exists(folder / "site" / name)) << name;
    return read_file(folder / "site" / name);
  }
  void write(report::Results const& results) const {
    auto const error = write_site(report::write(results), folder / "site");
    EXPECT_FALSE(error) << error->what;
  }
};

SolverCurve curve_to(std::string const& state, std::string const& method, bool solves, std::int64_t sweeps,
                     double seconds, double residual) {
  SolverCurve curve{state, "cold", method, solves, 40, 1000};
  curve.points = {{1, seconds / 10, 0.5}, {2, seconds / 5, 0.25}, {4, seconds, residual}};
  curve.reached = {{1e-2, sweeps, seconds, residual}, {1e-6, std::nullopt, std::nullopt, std::nullopt}};
  return curve;
}

report::Results sample() {
  report::Results results;
  results.kernels.resize(1);
  results.kernels[0].name = "many";
  SolverStudy study;
  study.kernel = "many";
  study.discs = 30;
  study.commit = "abc";
  study.created = "today";
  study.compared_with = "slow";
  study.methods = {{"slow", "one by one"}, {"swift", "all at once"}};
  study.curves = {curve_to("flowing", "slow", true, 500, 0.02, 5e-3),
                  curve_to("flowing", "swift", true, 40, 0.002, 5e-3),
                  curve_to("flowing", "other", false, 3, 0.001, 0.7)};
  results.solvers = {study};
  return results;
}

TEST_F(SolversPage, BeginsWithASentenceAboutTheFastestSolver) {
  report::Results results = sample();
  write(results);
  std::string const text =
      "Flowing, 30 discs: <b>swift</b> reaches a residual of 0.01 g dt in 40 sweeps and 2.00 ms, 10.0 times faster "
      "than slow (500 sweeps, 20.0 ms).";
  EXPECT_TRUE(contains(read("solvers.html"), "<p class=\"lead\">" + text)) << read("solvers.html");
  EXPECT_TRUE(contains(read("index.html"), text + " <a href=\"solvers.html\">"));
  EXPECT_TRUE(contains(read("many.html"), "<a href=\"solvers.html\">"));

  // If a solver reaches the tighter tolerance, the sentence uses this tolerance.
  results.solvers[0].curves[1].reached[1] = {1e-6, 400, 0.02, 5e-7};
  write(results);
  EXPECT_TRUE(contains(read("solvers.html"),
                       "<b>swift</b> reaches a residual of 10⁻⁶ g dt in 400 sweeps and 20.0 ms; slow does not reach "
                       "it in 1,000 sweeps."));

  results.solvers[0].recorded = true;
  write(results);
  EXPECT_TRUE(contains(read("solvers.html"), "<p class=\"lead\">Flowing, 30 discs (recorded): "));
  EXPECT_TRUE(contains(read("solvers.html"), "Measured earlier (today), not in this run"));
}

TEST_F(SolversPage, TheTableHasADashIfTheToleranceIsNotReached) {
  write(sample());
  std::string const page = read("solvers.html");
  EXPECT_TRUE(contains(page, "residual 0.005\">40<small>2.00 ms</small></td>")) << page;
  EXPECT_TRUE(contains(page, "data-label=\"flowing, 10⁻⁶\">–<small>not in 1,000</small></td>"));
  // If a solver only becomes feasible, it has not reached the solution.
  EXPECT_TRUE(contains(page, ">–<small>feasible: 3</small><small>1.00 ms</small><small>residual 0.700</small></td>"));
  EXPECT_TRUE(contains(page, "<dt>swift</dt><dd>all at once</dd>"));
  EXPECT_TRUE(contains(page, "<dd>commit abc</dd>"));
}

TEST_F(SolversPage, TheDataAreInResultsJsonAndInCsvFiles) {
  report::Results const results = sample();
  write(results);
  std::string why;
  auto const again = report::parse_results(report::unpacked(read("results.json.gz"), why).value_or(""), why);
  ASSERT_TRUE(again) << why;
  EXPECT_EQ((*again)["solvers"], report::write(results)["solvers"]);
  std::string const curves = read("data/solvers-curves.csv"), tolerances = read("data/solvers-tolerances.csv");
  EXPECT_TRUE(contains(curves, "\nabc,today,,,many,,30,no,flowing,40,cold,slow,4,0.02,0.005\n")) << curves;
  EXPECT_TRUE(contains(tolerances, "\nabc,today,,,many,,30,no,flowing,40,cold,swift,1000,0.01,40,0.002,0.005\n"))
      << tolerances;
  EXPECT_TRUE(contains(tolerances, ",swift,1000,1e-06,,,\n")) << tolerances;
}

TEST_F(SolversPage, FiguresOfEachStateAreOnThePage) {
  report::Results results = sample();
  results.solvers[0] = small();
  results.solvers.push_back(results.solvers[0]);  // the number of discs is equal, so the files need other names
  write(results);
  std::string const page = read("solvers.html");
  std::size_t drawn = 0;
  for (std::size_t at = page.find("<svg"); at != std::string::npos; at = page.find("<svg", at + 1), ++drawn)
    EXPECT_TRUE(contains(page.substr(at, page.find("</svg>", at) - at), "mass_splitting_jacobi"));
  EXPECT_EQ(drawn, 4u);
  std::vector<std::string> files;
  for (auto const& figure : report::solver_figures(results, report::one_column)) files.push_back(figure.file);
  EXPECT_EQ(files, (std::vector<std::string>{"solvers-20-static-240pt", "solvers-20-flowing-240pt",
                                             "solvers-20-static-2-240pt", "solvers-20-flowing-2-240pt"}));
  write(results);
  EXPECT_EQ(read("solvers.html"), page);
}

TEST_F(SolversPage, HostileTextIsNotExecutedAsCode) {
  std::string const hostile = "<script>`touch pwned`</script> \"q\" $x {~^}\t@'\n";
  report::Results results = sample();
  SolverStudy& study = results.solvers[0];
  for (auto* text : {&study.kernel, &study.scene, &study.commit, &study.created, &study.cpu, &study.level,
                     &study.command, &study.compared_with, &study.curves[0].method})
    *text = hostile;
  study.methods = {{hostile, hostile}};
  study.curves[1].points[0].residual = std::nan("");
  study.curves[1].points[1].seconds = -1;
  study.curves[2].points[0].sweeps = -5;
  study.discs = -3;
  write(results);
  EXPECT_FALSE(contains(read("solvers.html"), "<script>`"));
  EXPECT_FALSE(contains(read("index.html"), "<script>`"));
  for (auto const& figure : report::solver_figures(report::read_results(report::write(results)), report::two_columns)) {
    std::string const script = figure.drawing.script(figure.file);
    EXPECT_EQ(script.find_first_of("`\""), std::string::npos) << script;
    EXPECT_FALSE(contains(script, "pwned"));
  }
}

/// Replaces each value in turn by null and by a value of a wrong type. The page must be written each time.
TEST_F(SolversPage, AnyEntryMayBeNullOrOfTheWrongType) {
  report::Results few = sample();
  few.solvers[0].curves.erase(few.solvers[0].curves.begin());
  Json const whole = report::write(few), flat = whole["solvers"].flatten();
  Json const wrong = {"inf", "nan", -1e300, {1}, Json::object(), 1'000'000'000'000};
  std::size_t next = 0;
  for (auto const& [pointer, value] : flat.items()) {
    for (Json const& instead : {Json(nullptr), wrong[next++ % wrong.size()]}) {
      Json results = whole;
      results["solvers"][Json::json_pointer(pointer)] = instead;
      auto const error = write_site(results, folder / "site");
      ASSERT_FALSE(error) << pointer << " = " << instead << ": " << error->what;
    }
  }
}

TEST_F(SolversPage, WithoutCurvesThereIsNoPage) {
  report::Results results = sample();
  results.solvers[0].curves.clear();
  write(results);
  EXPECT_FALSE(fs::exists(folder / "site/solvers.html"));
  EXPECT_FALSE(contains(read("index.html"), "solvers.html"));
  EXPECT_FALSE(contains(read("many.html"), "solvers.html"));
}

}  // namespace solvers_page_test
}  // namespace demeter
