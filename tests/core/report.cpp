// Tests the report: every file is written, hostile text is not executed as code, and missing data does not break a
// page.
#include "reports/site/site.hpp"

#include "reports/format/gzip.hpp"
#include "reports/format/members.hpp"
#include "reports/format/model.hpp"
#include "reports/format/parse.hpp"
#include "reports/site/html.hpp"
#include "reports/site/pages.hpp"
#include "reports/site/plots.hpp"
#include "reports/site/tables.hpp"
#include "tests/core/report_sample.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>
#include <thread>

namespace demeter {
namespace report_test {

TEST_F(Report, WritesEveryFileAndLeavesNoDraft) {
  write(sample("ode"));
  for (char const* name : {"index.html", "segment_distance.html", "cite.html", "results.json.gz",
                           "data/accuracy.csv.gz", "data/laws.csv.gz", "data/speed.csv.gz", "data/mutants.csv.gz",
                           "tables/methods.tex", "tables/codes-by-kernels.tex"}) {
    EXPECT_GT(read(name).size(), 50U) << name;
  }
  for (auto const& entry : fs::recursive_directory_iterator(folder / "site")) {
    EXPECT_NE(entry.path().extension(), ".part") << entry.path();
  }
}

TEST_F(Report, WorkloadsAreInTheirOwnTable) {
  Json results = sample("ode");
  Json& kernel = results["kernels"][0];
  kernel["workloads"] = {{{"name", "heap"}, {"doc", "many <balls>"}}};
  Json row = kernel["speed"]["timings"][0];
  row["setting"] = "workload";
  row["regime"] = "heap";
  row["nanoseconds"] = 123456.0;
  kernel["speed"]["timings"].push_back(row);
  write(results);
  std::string const page = read("segment_distance.html");
  EXPECT_NE(page.find("id=\"workloads\""), std::string::npos);
  EXPECT_NE(page.find("<th scope=\"row\">heap<small>many &lt;balls&gt;</small></th>"), std::string::npos);
  EXPECT_NE(page.find("<th scope=\"col\" class=\"figure\">fast, µs</th>"), std::string::npos);
  EXPECT_NE(page.find(">123<small>"), std::string::npos) << page.substr(page.find("id=\"workloads\""), 600);
  EXPECT_EQ(page.find("hardest regime"), std::string::npos) << "a workload is no regime";
  EXPECT_EQ(read("index.html").find("heap"), std::string::npos);
}

TEST_F(Report, ShowsFasterSubjectsAndTheirDrawbacks) {
  Json results = sample("ode");
  Json& kernel = results["kernels"][0];
  Json const timing = kernel["speed"]["timings"][0];
  auto const timed = [&](std::string const& subject, char const* kind, double ns, char const* setting = "cache") {
    Json row = timing;
    row["subject"] = subject;
    row["kind"] = kind;
    row["setting"] = setting;
    row["nanoseconds"] = ns;
    row["samples"] = {ns, ns * 1.01};
    kernel["speed"]["timings"].push_back(row);
  };
  auto const contender = [&](std::string const& name, double error, std::string const& sentence) {
    Json subject = kernel["subjects"][0];
    subject["name"] = name;
    subject["sentence"] = sentence;
    subject["accuracy"] = Json::array({accuracy(error, 0)});
    kernel["subjects"].push_back(subject);
  };
  kernel["speed"]["timings"] = Json::array();
  timed("fast@scalar", "subject", 20);
  timed("fast@avx2", "subject", 5);
  timed("fast@avx2", "subject", 9, "streaming");
  timed("textbook@double", "subject", 12);
  timed("twin@double", "subject", 19);
  timed("level@double", "subject", 19.9);
  timed("slow@double", "subject", 21);
  timed("copy@avx2", "baseline", 1);
  timed("plain@scalar", "baseline", 7, "streaming");
  timed("oracle", "baseline", 3);
  contender("fast@scalar", 2.5, "right to 15 digits");
  contender("fast@avx2", 2.5, "right to 15 digits");
  contender("textbook@double", 2.5e8, "to 7 < 8 digits");
  for (char const* name : {"twin@double", "level@double", "slow@double"}) contender(name, 2.5, "right to 15 digits");
  kernel["speed"]["baselines"] = {
      {{"name", "copy@avx2"}, {"doc", ""}, {"leaves_out", "it computes nothing"}},
      {{"name", "plain@scalar"}, {"doc", ""}, {"leaves_out", "without s"}, {"judged_as", "textbook@double"}}};
  write(results);
  std::string page = read("segment_distance.html");
  std::string section = page.substr(page.find("<h3 id=\"ahead\">"));
  section = section.substr(0, section.find("</ul>"));
  EXPECT_EQ(
      section,
      "<h3 id=\"ahead\">Ahead of fast</h3>\n<p>Regime typical: these routines take less time than <code>fast</code> "
      "for the same outputs. Each routine is compared with <code>fast</code> at its own and at wider instruction "
      "sets. The intervals of the two times do not overlap. Each line also shows what the routine gives up. "
      "<code>fast</code> itself: right to 15 digits.</p>\n"
      "<ul>\n<li><b>textbook@double</b>, in cache 12.0 ns (fast@scalar: 20.0 ns): to 7 &lt; 8 digits.</li>\n"
      "<li><b>twin@double</b>, in cache 19.0 ns (fast@scalar: 20.0 ns): right to 15 digits. <b>As accurate as "
      "fast</b>: the reason for the difference in time is not known.</li>\n"
      "<li><b>copy@avx2</b>, in cache 1.00 ns (fast@avx2: 5.00 ns): it computes nothing.</li>\n"
      "<li><b>plain@scalar</b>, streaming 7.00 ns (fast@avx2: 9.00 ns): without s; the same values as "
      "textbook@double, except for extreme numbers; its verdict: to 7 &lt; 8 digits.</li>\n");

  kernel["speed"]["timings"] = Json::array();
  timed("fast@avx2", "subject", 5);
  timed("slow@double", "subject", 21);
  write(results);
  EXPECT_NE(read("segment_distance.html")
                .find("<p>Regime typical: no routine takes significantly less time than <code>fast</code>"),
            std::string::npos);
}

TEST_F(Report, ShowsFailuresWithTheirCommand) {
  Json results = sample("ode");
  results["kernels"][0]["formulas"] = Json::array();  // the failing subject is foreign code, not a printed formula
  write(results);
  std::string const index = read("index.html"), page = read("segment_distance.html");
  EXPECT_NE(index.find("<a href=\"segment_distance.html#fails-ode\"><b>ode</b> in segment_distance</a>; all regimes: "
                       "fails in 1 of 1 regime, worst answer: 7.7 digits, 1 law broken"),
            std::string::npos);
  EXPECT_NE(page.find("The error exceeds the budget in 1 of 1 regime: <b>typical</b>"), std::string::npos);
  EXPECT_NE(page.find("Breaks 1 of 1 law: <b>scaling</b> (3 of 90, worst 123 times its tolerance)"), std::string::npos);
  EXPECT_NE(page.find("<code>demeter explain segment_distance &#39;{}&#39; --subject ode</code>"), std::string::npos);
  EXPECT_NE(index.find("demeter report --seed 1"), std::string::npos);
  EXPECT_NE(page.find("✗ 7.7 digits <span>(0.250 u)</span><small>failed 310 of 1,000</small></td>"), std::string::npos);
  EXPECT_NE(page.find("<b>4,000 of 4,096</b>"), std::string::npos);
}

TEST_F(Report, ThePageShowsTheCommandThatRepeatsTheRun) {
  Json results = sample("ode");
  write(results);
  EXPECT_NE(read("index.html").find("1,000 cases per regime."), std::string::npos);
  results["kernels"][0]["cases_per_regime"] = 250;
  results["kernels"].push_back(results["kernels"][0]);
  results["kernels"][1]["name"] = "capsule_contact";
  results["demeter"]["time_limit_seconds"] = 190;
  write(results);
  EXPECT_NE(read("index.html")
                .find("<code>demeter report --seed 1 --count segment_distance=250,capsule_contact=250"
                      "</code>"),
            std::string::npos);
}

TEST_F(Report, EachCellShowsDigitsAndNumberOfCasesOfAProfile) {
  write(by_profile());
  std::string const index = read("index.html"), page = read("segment_distance.html");
  EXPECT_NE(index.find("<td class=\"held\" data-label=\"everyday\"><b>✓ 15.5 digits</b><small>n = 1,000</small></td>"),
            std::string::npos);
  EXPECT_NE(index.find("<td class=\"few\" data-label=\"degenerate\"><b>✓ no failure in 36 (≤ 8 % "
                       "fail)</b><small>15.5 digits · n = 36</small>"),
            std::string::npos)
      << "36 cases are no reason for blue";
  EXPECT_NE(index.find("<b>✗ 0 of 1</b><small>worst: wrong (not finite) · n = 1,000</small>"), std::string::npos);
  EXPECT_NE(page.find("<li><b>fast</b> everyday: right to &lt;15&gt; digits.</li>"), std::string::npos);
  EXPECT_NE(page.find("<small>no failure in 36 (≤ 8 % fail)</small></td>"), std::string::npos);
  EXPECT_LT(index.find("id=\"code-ode\""), index.find(">fast</th>")) << "codes of others first";
  for (char const* profile : {"everyday", "degenerate", "extreme"})
    EXPECT_TRUE(contains(page, fmt::format("<b>Accuracy against speed, distance, {}.</b>", profile)));
}

TEST(ReportText, FewCasesShowTheBoundOfTheFailureRate) {
  EXPECT_EQ(report::few_text(36), "no failure in 36 (≤ 8 % fail)");
  EXPECT_EQ(report::few_text(298), "no failure in 298 (≤ 2 % fail)");
  EXPECT_EQ(report::few_text(2000), "no failure in 2,000 (≤ 0.2 % fail)");
  EXPECT_NEAR(report::overlooked(1), 0.95, 1e-15);
  EXPECT_EQ(report::overlooked(0), 1);
}

TEST_F(Report, LevelsShareALineOnlyIfTheirResultsAreEqual) {
  Json results = by_profile();
  Json& kernel = results["kernels"][0];
  Json const fast = kernel["subjects"][0];
  kernel["subjects"] = Json::array();
  for (char const* level : {"scalar", "avx2", "avx512"}) {
    kernel["subjects"].push_back(fast);
    kernel["subjects"].back()["name"] = std::string("fast@") + level;
    results["subjects"].push_back({{"name", std::string("fast@") + level}, {"ours", true}});
  }
  write(results);
  EXPECT_NE(read("index.html").find("<th scope=\"row\">fast<small>scalar = avx2 = avx512</small></th>"),
            std::string::npos);
  kernel["subjects"][1]["accuracy"][0]["failed"] = 1;
  write(results);
  EXPECT_NE(read("index.html").find("<th scope=\"row\">fast<small>scalar = avx512</small></th>"), std::string::npos);
  EXPECT_NE(read("index.html").find("<th scope=\"row\">fast<wbr>@avx2</th>"), std::string::npos);
}

TEST_F(Report, MissingTimingsAreShownAsNotTimed) {
  Json results = sample("ode");
  Json& kernel = results["kernels"][0];
  kernel["formulas"] = Json::array();
  Json other = kernel["speed"]["timings"][0];
  other["regime"] = "parallel";
  other["nanoseconds"] = 3;
  kernel["speed"]["timings"].push_back(other);
  kernel["speed"]["timings"][0]["samples"] = {2.0, 2.2, 1.9, 2.1, 2.0, 2.3, 1.8, 2.0, 2.1};
  write(results);
  std::string const page = read("segment_distance.html");
  EXPECT_NE(page.find("1.50×<small>parallel, 3.00 ns</small>"), std::string::npos) << "fast, in both regimes";
  EXPECT_EQ(page.find("1.00×<small>typical"), std::string::npos) << "ode was timed in one of two regimes";
  EXPECT_NE(page.find("<small>1.90 to 2.20</small>"), std::string::npos) << "the interval of the median";
  EXPECT_NE(page.find("<summary>Every regime (2)</summary>"), std::string::npos);
  EXPECT_NE(page.find("ode!<small>comparison routine, not judged</small>"), std::string::npos);
  EXPECT_NE(read_csv("speed").find(",nanoseconds,low,high,n,samples\n"), std::string::npos);
  kernel["speed"]["timings"].erase(1);
  write(results);
  EXPECT_NE(read("segment_distance.html").find("data-label=\"ns per case\" data-value=\"\">not timed</td>"),
            std::string::npos);
}

TEST(ReportText, TheConfidenceIntervalOfAMedianHasTheBinomialRanks) {
  auto const of = [](int count) {
    std::vector<double> samples;
    for (int i = count; i > 0; --i) samples.push_back(i);
    auto const interval = *report::median_interval(samples);
    return std::pair(interval.low, interval.high);
  };
  // The ranks of the ends of the interval follow from the binomial distribution.
  EXPECT_EQ(of(5), std::pair(1.0, 5.0));
  EXPECT_EQ(of(9), std::pair(2.0, 8.0));
  EXPECT_EQ(of(15), std::pair(4.0, 12.0));
  EXPECT_FALSE(report::median_interval({}));
}

/// Returns the JSON of a results.json.gz as `demeter report --from` reads it.
Json parsed(std::string const& file) {
  std::string why;
  auto const results = report::parse_results(report::unpacked(file, why).value_or(""), why);
  EXPECT_TRUE(results) << why;
  return results.value_or(Json());
}

TEST_F(Report, DrawingTheSiteAgainGivesTheSameFiles) {
  Json results = by_profile();
  results["kernels"][0]["subjects"][0]["accuracy"][0]["worst"] = {
      {"id", 3}, {"input", {{"p0", {1, 2, 3}}}}, {"error", 2}};
  bool const paper = report::can_draw_paper();
  EXPECT_FALSE(write_site(results, folder / "site", {.paper = paper}));
  Json const whole = parsed(read("results.json.gz"));
  EXPECT_EQ(whole["kernels"][0]["subjects"][0]["accuracy"][0]["worst"]["input"]["p0"], Json({1, 2, 3}));
  std::this_thread::sleep_for(std::chrono::milliseconds(1100));  // the date in a PDF has a resolution of one second
  write_site(whole, folder / "again", {.paper = paper});
  int compared = 0;
  for (auto const& entry : fs::recursive_directory_iterator(folder / "site")) {
    fs::path const name = fs::relative(entry.path(), folder / "site");
    if (!entry.is_regular_file()) continue;
    EXPECT_TRUE(read_file(entry.path()) == read_file(folder / "again" / name)) << name;
    ++compared;
  }
  EXPECT_GT(compared, 20);
}

TEST_F(Report, PagesShowAFewFailuresOfEachSubjectWithTheirCommands) {
  Json results = sample("ode");
  Json& kernel = results["kernels"][0];
  Json& subject = kernel["subjects"][1];
  kernel["regimes"].push_back({{"name", "huge"}, {"doc", "of an extreme size"}, {"profile", "extreme"}});
  for (char const* regime : {"a", "huge", "b", "c", "d", "huge"})
    subject["failures"].push_back(
        {{"id", 1}, {"regime", regime}, {"input", {{"p0", {1, 2, 3}}}}, {"output", "distance"}});
  subject["failures"][2]["input"]["p0"] = Json(3000, 7);
  Json& law = subject["laws"][0];  // a reference: adding a key to the subject would invalidate it
  std::string const input = law["counterexample"]["inputs"][0].dump();
  std::string const command = "demeter explain segment_distance '" + input + "' --subject ode --law scaling --salt 5";
  law["counterexample"]["salt"] = 5;
  law["counterexample"]["command"] = "rm -r x; true";
  subject["accuracy"][0]["failed"] = 0;
  auto const kept = [&] { return report::shortened_for_pages(results)["kernels"][0]["subjects"][1]; };
  Json const few = kept();
  ASSERT_EQ(few["failures"].size(), 4u) << "three, and one of extreme regimes";
  EXPECT_EQ(few["failures"][1]["regime"], "huge");
  EXPECT_EQ(few["failures"][3]["regime"], "c");
  EXPECT_TRUE(few["failures"][0].contains("input"));
  EXPECT_FALSE(few["failures"][2].contains("input")) << "a very long list";
  EXPECT_FALSE(few["accuracy"][0]["worst"].contains("input")) << "the worst case of results that pass";
  EXPECT_EQ(few["accuracy"][0]["worst"]["id"], 7);

  report::Results const read = report::read_results(results);
  auto const ode = std::ranges::find(read.kernels[0].subjects, "ode", &report::Contender::name);
  ASSERT_NE(ode, read.kernels[0].subjects.end());
  EXPECT_EQ(ode->laws[0].counterexample->command, command) << "only calls of demeter are offered";

  results["subjects"][1]["approximate"] = true;
  EXPECT_EQ(kept()["failures"].size(), 2u) << "the error of an approximation is what it costs";

  Json other = law;
  other["law"] = "swap";
  for (Json* of : {&law, &other}) (*of)["regimes"][0]["regime"] = "huge";
  subject["laws"].push_back(other);
  Json const laws = kept()["laws"];
  EXPECT_TRUE(laws[0]["counterexample"].is_object());
  EXPECT_TRUE(laws[1]["counterexample"].is_null()) << "one of those broken in extreme regimes alone";
}

TEST_F(Report, AForeignCommandOfACaseWithoutAnInputIsReplaced) {
  Json results = sample("ode");
  results["demeter"]["seed"] = 5;
  Json& subject = results["kernels"][0]["subjects"][1];
  subject["accuracy"][0]["worst"] = {{"id", 7}, {"command", "rm -r x; true"}};
  subject["failures"] = {{{"id", 8}, {"regime", "typical"}, {"output", "distance"}, {"command", "rm -r x"}},
                         {{"id", 9}, {"output", "distance"}, {"command", "rm -r x"}}};
  report::Results const read = report::read_results(results);
  auto const ode = std::ranges::find(read.kernels[0].subjects, "ode", &report::Contender::name);
  ASSERT_NE(ode, read.kernels[0].subjects.end());
  std::string const begin = "demeter explain segment_distance ", end = " --regime typical --seed 5 --subject ode";
  EXPECT_EQ(ode->accuracy[0].worst->command, begin + "7" + end);
  EXPECT_EQ(ode->failures[0].example.command, begin + "8" + end);
  EXPECT_EQ(ode->failures[1].example.command, "") << "without its regime, a case cannot be drawn";
}

TEST_F(Report, RowsOfCsvStateSeedCommitAndSubject) {
  Json results = by_profile();
  results["demeter"]["commit"] = "abc";
  write(results);
  EXPECT_EQ(read_csv("accuracy").find("seed,commit,kernel,subject,profile,regime,output,measure,budget,cases,n,"), 0u);
  EXPECT_NE(read_csv("accuracy").find("\n1,abc,segment_distance,fast,degenerate,parallel,distance,scale,8,36,36,"),
            std::string::npos);
  EXPECT_NE(read_csv("laws").find("\n1,abc,segment_distance,ode,scaling,everyday,typical,"), std::string::npos);
  EXPECT_NE(read_csv("speed").find("\n1,abc,segment_distance,fast,subject,cache,everyday,typical,"), std::string::npos);
}

TEST_F(Report, StatesWhetherTheTruthIsCertifiedOrEstimated) {
  Json results = sample("ode");
  write(results);
  EXPECT_NE(read("index.html").find("outputs judged against certified truth"), std::string::npos);
  EXPECT_EQ(read("index.html").find("estimated truth"), std::string::npos);
  EXPECT_EQ(read("segment_distance.html").find("not bounded"), std::string::npos);
  results["kernels"][0]["not_bounded_because"] = "rules are compared";
  write(results);
  EXPECT_NE(read("index.html").find("outputs judged against estimated truth"), std::string::npos);
  EXPECT_NE(read("index.html").find("<span>truth estimated"), std::string::npos);
  EXPECT_NE(read("segment_distance.html")
                .find("The truth behind these verdicts is estimated, not bounded: rules are compared."),
            std::string::npos);
}

TEST_F(Report, HostileTextIsNotExecutedAsCode) {
  fs::current_path(folder);  // if a command runs by mistake, it writes its file here
  write(sample(hostile));
  for (char const* name : {"index.html", "segment_distance.html", "cite.html"}) {
    std::string const html = read(name);
    EXPECT_EQ(html.find("<script>`"), std::string::npos) << name;
    EXPECT_EQ(html.find("\"q\""), std::string::npos) << name << ": a quote ends an attribute";
    EXPECT_NE(html.find("&lt;script&gt;`touch pwned`&lt;/script&gt; &quot;q&quot; $x &amp; _%#"), std::string::npos)
        << name;
  }
  for (auto const& entry : fs::recursive_directory_iterator(folder)) {
    EXPECT_NE(entry.path().filename(), "pwned");
  }
  std::string const page = read("segment_distance.html"), picture = page.substr(page.find("<svg"));
  EXPECT_TRUE(contains(picture.substr(0, picture.find("</svg>")), "&lt;script&gt;`touch"));
  EXPECT_EQ(read("tables/codes-by-kernels.tex").find("<script>"), std::string::npos);
  fs::current_path("/");
}

TEST(ReportText, FieldsOfGnuplotDataContainNoSeparators) {
  EXPECT_EQ(report::plot_field("a\tb\nc\"d\\n"), "a b c”d＼n");
  EXPECT_EQ(report::plot_field(""), "(no name)");
  EXPECT_EQ(report::plot_field("?"), "(?)");
}

TEST(ReportText, SpecialCharactersOfLatexAreEscaped) {
  EXPECT_EQ(report::latex_escaped("a_b & 5% #1 $x {y} ~ ^ \\"),
            "a\\_b \\& 5\\% \\#1 \\$x \\{y\\} \\textasciitilde{} \\textasciicircum{} \\textbackslash{}");
  EXPECT_EQ(report::latex_escaped("<é>"), "\\textless{}{[}U+00E9{]}\\textgreater{}");
}

TEST(ReportText, NumbersAreRoundedToAFewDigits) {
  EXPECT_EQ(report::readable(9.999), "10.0");
  EXPECT_EQ(report::readable(0.25678), "0.257");
  EXPECT_EQ(report::readable(1234.4), "1234");
  EXPECT_EQ(report::readable(1.5e8), "1.50×10⁸");
  EXPECT_EQ(report::readable(-2.5e-7, 2), "−2.5×10⁻⁷");
  EXPECT_EQ(report::readable(0.0), "0");
  EXPECT_EQ(report::readable(std::nullopt), "–");
  EXPECT_EQ(report::readable(std::numeric_limits<double>::infinity()), "∞");
  EXPECT_EQ(report::readable(std::numeric_limits<double>::quiet_NaN()), "NaN");
  EXPECT_EQ(report::exact(0.1), "0.1");
  EXPECT_EQ(report::grouped(1234567), "1,234,567");
  EXPECT_EQ(report::grouped(999), "999");
}

TEST_F(Report, CsvFieldsWithSeparatorsAreQuoted) {
  write(sample("a,\"b\"\nc"));
  EXPECT_NE(read_csv("accuracy").find("segment_distance,\"a,\"\"b\"\"\nc\",,typical,distance"), std::string::npos);
}

TEST_F(Report, WrittenResultsReadBackToTheBit) {
  Json results = sample("ode");
  results["kernels"][0]["subjects"][0]["accuracy"][0]["max_error"] = 0.1 + 0.2;
  results["kernels"][0]["subjects"][0]["accuracy"][0]["mean_error"] = std::numeric_limits<double>::infinity();
  results["machine"]["cpu"] = "bad \xff utf-8";
  write(results);
  Json const again = parsed(read("results.json.gz"));
  Json const& row = again["kernels"][0]["subjects"][0]["accuracy"][0];
  EXPECT_EQ(row["max_error"].get<double>(), 0.1 + 0.2);
  EXPECT_EQ(row["mean_error"], "inf");
  EXPECT_EQ(again["machine"]["cpu"], "bad \uFFFD utf-8");
}

TEST_F(Report, PagesNeedNoNetwork) {
  Json results = sample("ode");
  results["kernels"][0]["formulas"] = Json::array();
  results["subjects"][1]["home"] = "https://ode.example/\"x";
  write(results);
  std::string const link = "<a class=\"outside\" href=\"https://ode.example/&quot;x\">home page</a>";
  EXPECT_TRUE(contains(read("index.html"), link));
  for (char const* name : {"index.html", "segment_distance.html", "cite.html"}) {
    std::string html = read(name);
    // Links to other sites are only followed by the reader.
    if (std::size_t const at = html.find(link); at != std::string::npos) html.erase(at, link.size());
    EXPECT_EQ(html.find("http://"), std::string::npos) << name;
    EXPECT_EQ(html.find("https://"), std::string::npos) << name;
    EXPECT_EQ(html.find("<script src"), std::string::npos) << name;
    EXPECT_EQ(html.find("<link rel=\"stylesheet"), std::string::npos) << name;
    EXPECT_EQ(html.find("@import"), std::string::npos) << name;
  }
}

TEST_F(Report, OnlyAWebAddressBecomesALink) {
  Json results = sample("ode");
  results["kernels"][0]["formulas"] = Json::array();
  results["subjects"][1]["home"] = "javascript:alert(1)";
  results["kernels"][0]["errata"] = {{{"where", "(1)"},
                                      {"documented", ""},
                                      {"implemented", "half"},
                                      {"codes",
                                       {{{"name", "Woo <1>"}, {"address", "https://woo.example/a"}},
                                        {{"name", "mine"}, {"address", "file:///etc/passwd"}}}},
                                      {"recommended", "whole"},
                                      {"figures", Json::array()}}};
  write(results);
  std::string const index = read("index.html"), errata = read("errata.html");
  EXPECT_FALSE(contains(index, "javascript:"));
  EXPECT_TRUE(contains(index, ", home page</small>"));
  EXPECT_TRUE(contains(errata,
                       "<td>half<small><a class=\"outside\" href=\"https://woo.example/a\">Woo &lt;1&gt;</a>; "
                       "mine</small></td>"))
      << errata;
}

TEST_F(Report, EveryLinkHasATarget) {
  write(sample("ode"));
  std::vector<std::string> names{"index.html", "segment_distance.html", "cite.html"};
  for (auto const& document : report::documents()) names.emplace_back(document.file);
  for (std::string const& name : names) {
    std::string const html = read(name);
    for (std::string const attribute : {"href=\"", "src=\""}) {
      for (std::size_t at = html.find(attribute); at != std::string::npos; at = html.find(attribute, at + 1)) {
        std::size_t const begin = at + attribute.size();
        std::string const link = html.substr(begin, html.find('"', begin) - begin);
        if (link.starts_with("data:") || link.starts_with("https://doi.org/")) continue;
        std::string const target = link.starts_with('#') ? name : link.substr(0, link.find('#'));
        ASSERT_TRUE(fs::exists(folder / "site" / target)) << name << " links to " << target;
        if (std::size_t const hash = link.find('#'); hash != std::string::npos) {
          EXPECT_NE(read(target).find("id=\"" + link.substr(hash + 1) + "\""), std::string::npos) << link;
        }
      }
    }
  }
}

TEST_F(Report, SourcesLinkToTheMathematics) {
  Json results = sample("ode");
  std::string const pages = "docs/mathematics/", known = pages + "capsules.md#segment_distance-fast-form",
                    unknown = pages + "capsules.md#nowhere, " + pages + "unknown.md#x, " + pages + "capsules.md#";
  results["kernels"][0]["source"] = "Lumelsky <1985>; " + known + ", " + unknown;
  write(results);
  EXPECT_NE(read("segment_distance.html")
                .find("<dd>Lumelsky &lt;1985&gt;; <a href=\"mathematics-capsules.html#segment_distance-fast-form\">" +
                      known + "</a>, " + unknown + "</dd>"),
            std::string::npos);
  std::string const page = read("mathematics-capsules.html");
  EXPECT_TRUE(contains(page, "<h3 id=\"segment_distance-fast-form\">segment_distance: fast form</h3>"));
  EXPECT_EQ(page.find("http://"), std::string::npos);
  EXPECT_TRUE(fs::exists(folder / "site" / "mathematics-README.html"));
  EXPECT_TRUE(contains(read("index.html"), "href=\"how-to-read.html\""));
  EXPECT_TRUE(contains(read("how-to-read.html"), "id=\"the-sentence\""));
}

TEST_F(Report, DocumentsAreRenderedCompletely) {
  write(sample("ode"));
  std::regex const code("<pre>[^]*?</pre>|<code>[^]*?</code>");
  for (auto const& document : report::documents()) {
    std::string const text = std::regex_replace(read(std::string(document.file)), code, "");
    EXPECT_NE(document.title, "") << document.file;
    for (auto const* mark : {"$", "|---", "](", "**", "x-equation"})
      EXPECT_FALSE(contains(text, mark)) << document.file << ": " << mark;
  }
  EXPECT_TRUE(contains(read("mathematics-capsules.html"), "<mfrac>"));
}

TEST_F(Report, PagesAreWrittenForEmptyResults) {
  write(Json::object());
  EXPECT_NE(read("index.html").find("No code was measured"), std::string::npos);
  write({{"kernels", Json::array()}});
  write({{"kernels",
          {Json::object(), nullptr, {{"name", "../../escape"}}, {{"name", "index"}, {"subjects", {nullptr}}}}}});
  EXPECT_TRUE(fs::exists(folder / "site" / "index-2.html"));
  EXPECT_TRUE(fs::exists(folder / "site" / "------escape.html"));
  EXPECT_NE(read("index.html").find("Codes by kernels"), std::string::npos);
}

/// Replaces each value in turn by null and by a value of a wrong type. The site must be written each time.
TEST_F(Report, AnyEntryMayBeNullOrOfTheWrongType) {
  Json const flat = sample("ode").flatten();
  Json const wrong = {nullptr, "inf", "nan", -1e300, {1}, Json::object()};
  std::size_t next = 0;
  for (auto const& [pointer, value] : flat.items()) {
    for (Json const& instead : {Json(nullptr), wrong[next++ % wrong.size()]}) {
      Json results = sample("ode");
      results[Json::json_pointer(pointer)] = instead;
      auto const error = write_site(results, folder / "site");
      ASSERT_FALSE(error) << pointer << " = " << instead << ": " << error->what;
    }
  }
}

TEST_F(Report, AnUnwritableFolderIsReportedInOneLine) {
  std::ofstream(folder / "file") << "in the way";
  auto const error = write_site(sample("ode"), folder / "file");
  ASSERT_TRUE(error);
  EXPECT_FALSE(error->pages_written);
  EXPECT_NE(error->what.find((folder / "file").string()), std::string::npos) << error->what;
  EXPECT_EQ(error->what.find('\n'), std::string::npos);

  fs::create_directories(folder / "site" / "index.html");  // a folder in place of the overview page
  auto const other = write_site(sample("ode"), folder / "site");
  ASSERT_TRUE(other);
  EXPECT_NE(other->what.find("index.html"), std::string::npos) << other->what;

  if (geteuid() == 0) return;  // root may write anywhere
  fs::create_directory(folder / "closed");
  fs::permissions(folder / "closed", fs::perms::owner_read);
  EXPECT_TRUE(write_site(sample("ode"), folder / "closed"));
}

}  // namespace report_test
}  // namespace demeter
