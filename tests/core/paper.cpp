// Tests four parts of the report: its figures, on the pages and as files for a paper, its tables in LaTeX, and the page
// that states how to cite it.
#include "reports/format/members.hpp"
#include "reports/format/model.hpp"
#include "reports/site/html.hpp"
#include "reports/site/pages.hpp"
#include "reports/site/plots.hpp"
#include "reports/site/tables.hpp"
#include "tests/core/report_sample.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

namespace demeter {
namespace paper_test {

using report_test::accuracy;
using report_test::by_profile;
using report_test::hostile;
using report_test::Json;
using report_test::sample;

class Paper : public report_test::Report {
 protected:
  std::vector<fs::path> files_with(std::string const& extension) const {
    std::vector<fs::path> found;
    for (auto const& entry : fs::recursive_directory_iterator(folder / "site"))
      if (entry.path().extension() == extension) found.push_back(entry.path());
    return found;
  }
};

report::Results results_of(Json const& json) { return report::read_results(report::cleaned(json)); }

/// Returns the sample with twelve more implementations with long names. Its heat maps must be divided into parts.
Json wide() {
  Json results = by_profile();
  Json& kernel = results["kernels"][0];
  for (int i = 0; i < 12; ++i) {
    Json subject = kernel["subjects"][0], timing = kernel["speed"]["timings"][0];
    subject["name"] = timing["subject"] = "an_implementation_of_a_long_name@double" + std::to_string(i);
    timing["nanoseconds"] = 3 + 7 * i;
    subject["accuracy"][0]["max_error"] = 0.3 * i;
    kernel["subjects"].push_back(subject);
    kernel["speed"]["timings"].push_back(timing);
  }
  return results;
}

TEST_F(Paper, WithoutOptionPaperNoFigureIsAFile) {
  write(wide());
  for (char const* extension : {".pdf", ".svg", ".gp", ".dat", ".log"}) EXPECT_TRUE(files_with(extension).empty());
  EXPECT_FALSE(fs::exists(folder / "site/figures"));
  EXPECT_TRUE(contains(read("segment_distance.html"), "<svg class=\"plot\" role=\"img\" aria-label=\"Scatter plot"));
  EXPECT_TRUE(contains(read("cite.html"), "demeter report --from results.json.gz --paper --out ."));
}

TEST_F(Paper, FiguresArePdfFilesWithTheWidthInTheirName) {
  if (!report::can_draw_paper()) GTEST_SKIP() << "no gnuplot";
  auto const error = write_site(wide(), folder / "site", {.paper = true});
  ASSERT_FALSE(error) << error->what;
  std::size_t number = 0;
  for (fs::path const& path : files_with(".pdf")) {
    std::smatch name, box;
    std::string const stem = path.stem().string(), pdf = read_file(path);
    ASSERT_TRUE(std::regex_search(stem, name, std::regex("-(240|500)pt(-[0-9]+)?$"))) << stem;
    ASSERT_TRUE(std::regex_search(pdf, box, std::regex("/MediaBox \\[ 0 0 ([0-9]+) "))) << stem;
    EXPECT_EQ(box[1], name[1]) << stem;
    EXPECT_TRUE(contains(pdf, "/FontFile2")) << stem << ": the fonts are part of the file";
    std::string const page = contains(stem, "-codes-") ? "index.html" : "segment_distance.html";
    EXPECT_TRUE(contains(read(page), "href=\"figures/" + path.filename().string() + "\"")) << stem;
    ++number;
  }
  EXPECT_GE(number, 8u) << "three profiles and heat maps in parts, of two widths";
  EXPECT_TRUE(contains(read("cite.html"), fmt::format("there are {} files.", number)));
}

TEST_F(Paper, TextOnPaperIsEightPointsHigh) {
  report::Results const results = results_of(wide());
  for (report::Sheet const& sheet : {report::one_column, report::two_columns}) {
    auto const figures = report::figures(results.kernels[0], sheet);
    ASSERT_FALSE(figures.empty());
    for (report::Figure const& figure : figures) {
      double const points = report::paper_type_size / report::type_size;  // points per pixel
      EXPECT_NEAR(figure.drawing.width() * points, sheet.points, 1e-9) << figure.file;
      for (double const size : figure.drawing.type_sizes()) EXPECT_NEAR(size * points, 8, 1e-9) << figure.file;
      EXPECT_TRUE(contains(figure.drawing.script("x"), fmt::format("size {:.5f}in,", (sheet.points + .01) / 72)));
    }
  }
}

/// Returns the width of a text at 6 pixels per character. The real width depends on the fonts of the reader.
double least_length(std::string const& text) { return report::text_width(text, 6); }

TEST_F(Paper, NoTextIsOutsideAFigure) {
  Json json = wide();
  json["kernels"][0]["subjects"][0]["accuracy"][0]["max_error"] = "inf";
  report::Results const results = results_of(json);
  for (report::Sheet const& sheet : {report::screen, report::one_column, report::two_columns}) {
    bool infinite = false;
    for (report::Figure const& figure : report::figures(results.kernels[0], sheet)) {
      for (auto const& [place, text] : figure.drawing.texts()) {
        EXPECT_GE(place.x, 0) << text;
        EXPECT_LE(place.x, figure.drawing.width()) << text;
        EXPECT_GE(place.y, 6) << text;
        EXPECT_LE(place.y, figure.drawing.height() - 6) << text;
        EXPECT_LE(least_length(text), std::max(figure.drawing.width(), figure.drawing.height())) << text;
        infinite = infinite || text == "not finite";
      }
    }
    EXPECT_TRUE(infinite);
  }
}

TEST_F(Paper, EachImplementationIsInOnePartOfTheHeatMap) {
  report::Results const results = results_of(wide());
  for (report::Sheet const& sheet : {report::one_column, report::two_columns}) {
    std::size_t parts = 0, named = 0;
    std::vector<std::string> files;
    for (report::Figure const& figure : report::figures(results.kernels[0], sheet)) {
      if (figure.kind != report::Figure::Kind::regimes) continue;
      ++parts;
      files.push_back(figure.file);
      for (auto const& [place, text] : figure.drawing.texts())
        named += text.starts_with("an_implementation") || text == "fast" || text == "ode" ? 1 : 0;
    }
    EXPECT_GT(parts, 1u);
    EXPECT_EQ(named, 14u);
    std::ranges::sort(files);
    EXPECT_EQ(std::unique(files.begin(), files.end()), files.end()) << "each part is a file of its own";
  }
}

TEST_F(Paper, WithoutGnuplotThePagesAreWrittenAndTheReasonIsReported) {
  char const* const path = std::getenv("PATH");
  std::string const before = path ? path : "";
  setenv("PATH", folder.c_str(), 1);
  auto const error = write_site(sample("ode"), folder / "site", {.paper = true});
  bool const can_draw = report::can_draw_paper();
  setenv("PATH", before.c_str(), 1);
  EXPECT_FALSE(can_draw);
  ASSERT_TRUE(error);
  EXPECT_TRUE(error->pages_written);
  EXPECT_TRUE(contains(error->what, "gnuplot is not installed")) << error->what;
  EXPECT_TRUE(contains(read("segment_distance.html"), "</svg>"));
  EXPECT_FALSE(contains(read("segment_distance.html"), ".pdf"));
}

TEST_F(Paper, TextOfResultsIsNeverPartOfAGnuplotScript) {
  Json results = sample(hostile);
  for (report::Sheet const& sheet : {report::one_column, report::two_columns})
    for (report::Figure const& figure : report::figures(results_of(results).kernels[0], sheet)) {
      std::string const script = figure.drawing.script(figure.file);
      EXPECT_EQ(script.find_first_of("`\""), std::string::npos) << script;
      EXPECT_FALSE(contains(script, "pwned"));
      EXPECT_TRUE(contains(figure.drawing.data(), "`touch"));
      EXPECT_FALSE(contains(figure.drawing.data(), "\""));
    }
}

TEST_F(Paper, EqualErrorsAreAtEqualHeightsAndTheFrontierHasPassingSubjectsOnly) {
  Json json = sample("ode");
  Json& kernel = json["kernels"][0];
  Json const other = kernel["subjects"][1], timing = kernel["speed"]["timings"][1];
  // Adds three implementations: one as accurate as `fast` but with its own tolerance, one slower and more accurate, one
  // faster that fails.
  auto const contend = [&](std::string const& name, double ns, double error, int failed) {
    Json subject = other, timed = timing;
    subject["name"] = timed["subject"] = name;
    timed["nanoseconds"] = ns;
    subject["accuracy"] = Json::array({accuracy(error, failed)});
    subject["accuracy"][0]["budget"] = 1024;
    kernel["subjects"].push_back(subject);
    kernel["speed"]["timings"].push_back(timed);
    json["subjects"].push_back({{"name", name}, {"doc", ""}, {"version", ""}, {"ours", false}});
  };
  contend("equal", 30, 2.5, 0);
  contend("better", 50, 0.5, 0);
  contend("refuted", 1, 0.1, 5);
  kernel["formulas"] = Json::array();
  auto const figures = report::figures(results_of(json).kernels[0]);
  auto const speed = std::ranges::find(figures, report::Figure::Kind::speed, &report::Figure::kind);
  ASSERT_NE(speed, figures.end());
  report::Drawing const& drawing = speed->drawing;
  auto ours = drawing.marks(report::mark_of(report::Origin::own, true)),
       others = drawing.marks(report::mark_of(report::Origin::peer, true)),
       failing = drawing.marks(report::mark_of(report::Origin::peer, false));
  // The first mark is in the legend.
  ASSERT_EQ(ours.size(), 2u);
  ASSERT_EQ(others.size(), 3u);
  EXPECT_EQ(failing.size(), 3u) << "`ode` and `refuted`";
  EXPECT_EQ(ours[1].y, others[1].y) << "2.5 u by a budget of 8 and by a tolerance of 1024";
  auto const lines = drawing.lines(report::frontier_stroke);
  ASSERT_EQ(lines.size(), 2u) << "one in the legend";
  auto const& steps = lines[1];
  ASSERT_EQ(steps.size(), 6u) << "from the top, two points with a step before each, to the right end";
  EXPECT_EQ(steps[2].x, ours[1].x) << "`refuted` is faster and more accurate, and fails";
  EXPECT_EQ(steps[2].y, ours[1].y);
  EXPECT_EQ(steps[4].x, others[2].x);
  EXPECT_EQ(steps[4].y, others[2].y);
  std::vector<std::string> texts;
  for (auto const& [place, text] : drawing.texts()) texts.push_back(text);
  EXPECT_NE(std::ranges::find(texts, "budget 8 u"), texts.end());
  EXPECT_NE(std::ranges::find(texts, "tolerance 1024 u"), texts.end());
}

TEST_F(Paper, LinesOfAnSvgAreExactToATenthOfAPixel) {
  report::Drawing drawing(100, 50);
  drawing.line({"#123456", 2}, {{0, 0}, {10, 10}, {20, 20}, {20, 20}, {20, 5.04}, {0.06, 5.04}});
  std::string const svg = drawing.svg("a < b");
  EXPECT_TRUE(contains(svg, "d=\"M0 50l20-20 0 15-19.9 0\"")) << svg;
  EXPECT_TRUE(contains(svg, "aria-label=\"a &lt; b\"")) << svg;
  EXPECT_TRUE(contains(svg, "viewBox=\"0 0 100 50\"")) << svg;
}

TEST_F(Paper, AxisTicsAreRoundNumbers) {
  std::string texts;
  for (auto const& [low, high] : {std::pair{-0.13, 1.2}, std::pair{3e-7, 9e-7}, std::pair{-1.0, 1.0}})
    for (report::Tic const& tic : report::round_tics(low, high, 4)) texts += tic.text + " ";
  EXPECT_EQ(texts, "0 0.5 1 4e-07 6e-07 8e-07 -1 -0.5 0 0.5 1 ");
  EXPECT_TRUE(report::round_tics(1, 1, 4).empty());
}

// ---- LaTeX and citation ---------------------------------------------------------------------------------------------

/// Returns the cells of a row of a LaTeX table. The row begins with `name`.
std::vector<std::string> row_of(std::string const& latex, std::string const& name) {
  std::string const begin = "\n\\hspace{0pt}" + name + " & ";
  std::size_t const at = latex.find(begin);
  if (at == std::string::npos) return {};
  std::string const row = latex.substr(at + begin.size(), latex.find(" \\\\\n", at) - at - begin.size());
  std::vector<std::string> cells;
  std::regex const separator(" & ");
  for (std::sregex_token_iterator each(row.begin(), row.end(), separator, -1), end; each != end; ++each)
    cells.push_back(*each);
  return cells;
}

/// Returns the tables of the first kernel.
std::string latex_of(Json const& json) {
  report::Results const results = results_of(json);
  return report::latex_tables(results.kernels[0], report::provenance_of(results));
}

TEST_F(Paper, EachRowOfATableHasItsOwnBudget) {
  Json json = by_profile();
  json["kernels"][0]["subjects"][1]["accuracy"][0]["budget"] = 1024;
  json["subjects"][1]["version"] = "1.2_3";
  write(json);
  std::string const latex = latex_of(json), overview = read("tables/codes-by-kernels.tex");
  EXPECT_EQ(row_of(latex, "fast"), (std::vector<std::string>{"8", "$2.5$"})) << latex;
  EXPECT_EQ(row_of(latex, "ode"), (std::vector<std::string>{"1024", "{\\boldmath\\textbf{$1.5\\times 10^{8}$}}"}))
      << latex;
  EXPECT_TRUE(contains(latex, "Seed 1, commit ode.")) << latex;
  EXPECT_EQ(overview.find("\\begin{tabular}"), overview.rfind("\\begin{tabular}")) << "one table";
  EXPECT_TRUE(contains(overview,
                       "{\\textbf{ode}, 1.2\\_3} \\\\\n\\hspace{0pt}segment\\_\\hspace{0pt}distance & 1024 & "
                       "7.7 $\\times$ (0 of 1) & -- & $\\times$ \\\\\n"))
      << overview;
  EXPECT_TRUE(contains(overview,
                       "{\\textbf{fast}, ode} \\\\\n\\hspace{0pt}segment\\_\\hspace{0pt}distance & 8 & 15.5 "
                       "$\\surd$ & 15.5 $\\circ$ ($n=36$) & $\\times$ extreme \\\\\n"))
      << overview;
}

/// Expects that pdflatex sets a table without a line that is too wide.
void expect_fits(fs::path const& site, std::string const& table) {
  std::ofstream(site / "paper.tex") << "\\documentclass{article}\n\\begin{document}\n\\input{tables/" << table
                                    << "}\n\\end{document}\n";
  EXPECT_EQ(
      std::system(("cd '" + site.string() + "' && pdflatex -interaction=batchmode paper.tex > /dev/null").c_str()), 0);
  std::string const log = read_file(site / "paper.log");
  EXPECT_FALSE(contains(log, "Overfull \\hbox")) << log;
}

TEST_F(Paper, TablesOfLatexFitThePage) {
  Json json = wide();
  Json& kernel = json["kernels"][0];
  Json const row = kernel["subjects"][0]["accuracy"][0];
  for (int i = 0; i < 7; ++i) {
    std::string const regime = "a_regime_of_a_very_long_name_indeed_" + std::to_string(i);
    kernel["regimes"].push_back({{"name", regime}, {"doc", ""}, {"profile", "everyday"}});
    for (Json& subject : kernel["subjects"]) {
      subject["accuracy"].push_back(row);
      subject["accuracy"].back()["regime"] = regime;
      subject["accuracy"].back()["max_error"] = -1.23456e-250;
      subject["accuracy"].back()["failed"] = 1;
    }
  }
  write(json);
  EXPECT_FALSE(fs::exists(folder / "site/tables/segment_distance.tex")) << "only with --paper";
  std::string const latex = latex_of(json);
  EXPECT_TRUE(contains(latex, "everyday, part 2 of 2"));
  std::ofstream(folder / "site/tables/segment_distance.tex") << latex;
  if (std::system("command -v pdflatex > /dev/null") != 0) GTEST_SKIP() << "no pdflatex";
  expect_fits(folder / "site", "segment_distance");
  expect_fits(folder / "site", "codes-by-kernels");
}

TEST_F(Paper, TheBibtexEntryHasVersionCommitDateAndSeed) {
  Json json = sample("ode");
  json["demeter"] = {
      {"version", "0.1_0"}, {"commit", "abc123def456"}, {"seed", 7}, {"created", "2026-11-30T10:00:00Z"}};
  EXPECT_EQ(
      report::bibtex(results_of(json)),
      "@misc{demeter-0.10-abc123def456,\n  author = {{The Demeter authors}},\n  title = {{Demeter: the DEM meter, "
      "verification and benchmarking of discrete element contact code}},\n  year = {2026},\n  howpublished = "
      "{Software, version 0.1\\_0, commit abc123def456},\n  note = {Report of 2026-11-30, seed 7}\n}\n");
  write(json);
  EXPECT_TRUE(contains(read("cite.html"), "commit abc123def456}"));
  EXPECT_TRUE(contains(read("index.html"), "<footer>Demeter 0.1_0, commit <code>abc123def456</code>, seed 7"));
  EXPECT_TRUE(contains(read("index.html"), "href=\"cite.html\""));
  for (char const* head : {"<link rel=\"icon\" href=\"data:", "<meta name=\"description\" content=\"Demeter measures"})
    EXPECT_TRUE(contains(read("cite.html"), head)) << head;
}

TEST_F(Paper, TheTextAboutTheMethodStatesTheFiguresOfTheRun) {
  Json json = by_profile();
  json["demeter"] = {{"version", "0.1.0"}, {"commit", "abc"}, {"seed", 7}, {"created", "2026-11-30T10:00:00Z"}};
  json["kernels"][0]["cases_per_regime"] = 1234;
  json["kernels"][0]["subjects"][1]["accuracy"][0]["budget"] = 1024;
  json["machine"] = {{"cpu", "AMD EPYC"}, {"level", "avx2"}, {"compiler", "GCC 12"}, {"flags", "-O2"}};
  std::string const text = report::methods_text(results_of(json));
  EXPECT_EQ(
      text,
      "The implementations were measured by Demeter 0.1.0, commit abc, on 2026-11-30: 2 implementations of 1 kernel. "
      "Cases were generated with seed 7, 1234 per regime, in regimes of the profiles everyday, degenerate and "
      "extreme. The truth of each case was computed by a second algorithm that shares no code with the "
      "implementations, with integers or with intervals of growing precision; its error bound is proved. Errors are "
      "in units of u = 2^-53 of the measure in each kernel's contract. Demeter's own implementations pass within "
      "budgets of 8 u; other implementations pass within tolerances of 1024 u. The largest error over n cases is a "
      "lower bound of the true maximum. Times are medians per case, in cache, on the cases that every implementation "
      "answers, on AMD EPYC with avx2; the code was compiled by GCC 12 -O2.");
  EXPECT_TRUE(
      contains(report::methods_latex(results_of(json)), "u = $2^{-53}$ of the measure in each kernel\\char39{}s"));
  json["kernels"][0]["not_bounded_because"] = "rules are compared";
  EXPECT_TRUE(contains(report::methods_text(results_of(json)), "except for segment_distance, where it is estimated."));
}

// ---- the command ----------------------------------------------------------------------------------------------------

class PaperCommand : public CommandTest {};

TEST_F(PaperCommand, AReportIsSmallAndOptionPaperAddsPdfFiles) {
  Ran const made =
      run("demeter report --kernel segment_distance,capsule_mass_properties --count 20 --time 6 --out site");
  ASSERT_EQ(made.code, 0) << made.err;
  EXPECT_EQ(run("find site -name '*.pdf' -o -name figures | wc -l").out, "0\n");
  Ran const measured = run(fmt::format("{} {}/tests/site_size.py site", DEMETER_PYTHON, DEMETER_SOURCE));
  EXPECT_EQ(measured.code, 0) << measured.out << measured.err;
  EXPECT_TRUE(contains(measured.out, ", 2 kernels\n")) << measured.out;
  if (!report::can_draw_paper()) GTEST_SKIP() << "no gnuplot";
  // Runs the command that the page prints.
  EXPECT_TRUE(contains(get("site/cite.html"), "demeter report --from results.json.gz --paper --out .<"));
  Ran const drawn = run("cd site && demeter report --from results.json.gz --paper --out .");
  EXPECT_EQ(drawn.code, 0) << drawn.err;
  EXPECT_GT(std::stoi(run("ls site/figures/*-240pt*.pdf | wc -l").out), 10);
  EXPECT_TRUE(contains(get("site/tables/segment_distance.tex"), "\\begin{tabular}"));
  EXPECT_TRUE(contains(get("site/cite.html"), "href=\"tables/capsule_mass_properties.tex\""));
  EXPECT_GT(std::stoi(run("ls site/figures/*-500pt*.pdf | wc -l").out), 10);
  EXPECT_EQ(run("ls -A site/figures | grep -v 'pdf$' | wc -l").out, "0\n");
  EXPECT_EQ(run(fmt::format("{} {}/tests/site_size.py site", DEMETER_PYTHON, DEMETER_SOURCE)).code, 0);
}

TEST_F(PaperCommand, WithoutGnuplotOptionPaperIsRefusedBeforeAnythingIsMeasured) {
  Ran const ran = run(fmt::format("PATH=none {} report --paper --out site", DEMETER_COMMAND));
  EXPECT_EQ(ran.code, 2);
  EXPECT_TRUE(contains(ran.err, "report: --paper: gnuplot is not installed")) << ran.err;
}

}  // namespace paper_test
}  // namespace demeter
