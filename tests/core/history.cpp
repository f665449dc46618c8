// Tests the history of results: the files that are kept in a folder, the steps that are found between results, and the
// page.
#include "reports/history.hpp"

#include "reports/format/gzip.hpp"
#include "reports/site/pages.hpp"
#include "reports/site/site.hpp"
#include "tests/core/command.hpp"
#include "tests/core/compare_samples.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>

namespace demeter {
namespace history_test {

using compare_test::Json, compare_test::kernel_of, compare_test::law_of, compare_test::row_of, compare_test::slow_down,
    compare_test::subject_of, compare_test::timing_of;

/// Returns results with a date in November 2026.
Json of_day(int day, std::string const& commit) {
  Json all = compare_test::results();
  all["demeter"]["created"] = fmt::format("2026-11-{:02}T10:00:00Z", day);
  all["demeter"]["commit"] = commit;
  kernel_of(all)["regimes"] = {{{"name", "typical"}, {"doc", ""}, {"profile", "everyday"}}};
  return all;
}

class HistoryOf : public FolderTest {
 protected:
  void keep(Json const& results) const {
    EXPECT_EQ(report::keep_in_history(results, folder), std::nullopt) << results["demeter"];
  }
  void put(std::string const& name, std::string const& text) const {
    std::ofstream(folder / name, std::ios::binary) << text;
  }
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (auto const& each : fs::directory_iterator(folder)) all.push_back(each.path().filename().string());
    std::sort(all.begin(), all.end());
    return all;
  }
  std::string page(report::History const& history, Json const& current) const {
    return report::history_page(report::read_results(current), history);
  }
};

TEST_F(HistoryOf, KeepsOneFilePerDateAndCommitAndNeverChangesAFile) {
  keep(of_day(1, "aaa"));
  keep(of_day(1, "aaa"));
  keep(of_day(2, "bbb/../-dirty"));
  EXPECT_EQ(names(), (std::vector<std::string>{"2026-11-01T100000Z-aaa.results.json.gz",
                                               "2026-11-02T100000Z-bbb____-dirty.results.json.gz"}));
  // If a file with the same date and commit has other contents, the results get a new file name.
  put("2026-11-03T100000Z-ccc.results.json.gz", "mine");
  keep(of_day(3, "ccc"));
  EXPECT_EQ(read_file(folder / "2026-11-03T100000Z-ccc.results.json.gz"), "mine");
  EXPECT_TRUE(fs::exists(folder / "2026-11-03T100000Z-ccc-2.results.json.gz"));
  auto const history = report::read_history(folder);
  EXPECT_EQ(history.versions.size(), 3u);
  ASSERT_EQ(history.skipped.size(), 1u);
  EXPECT_TRUE(contains(history.skipped[0], "2026-11-03T100000Z-ccc.results.json.gz: ")) << history.skipped[0];
}

TEST_F(HistoryOf, RefusesResultsWithoutADate) {
  EXPECT_EQ(report::keep_in_history(compare_test::results(), folder),
            "demeter.created: got \"today\", expected a UTC time such as 2026-11-30T15:51:27Z");
  EXPECT_TRUE(names().empty());
}

TEST_F(HistoryOf, KeptFilesContainWhatCompareReadsWithoutSingleCases) {
  Json all = of_day(1, "aaa");
  row_of(all)["worst"] = {{"id", 7},
                          {"regime", "typical"},
                          {"input", {{"p0", {1, 2, 3}}}},
                          {"answer", {{"distance", 1}}},
                          {"truth", {{"distance", "2"}}},
                          {"error", 1},
                          {"command", "demeter explain"}};
  keep(all);
  std::string why;
  auto const text = report::gunzip(read_file(folder / names().at(0)), why);
  ASSERT_TRUE(text) << why;
  EXPECT_FALSE(contains(*text, "explain"));
  Json const kept = Json::parse(*text);
  auto const comparison = compare_test::compared(all, kept);
  EXPECT_TRUE(comparison.findings.empty()) << compare_test::all_text(comparison);
  EXPECT_EQ(comparison.accuracy + comparison.laws + comparison.timings, 3u);
}

TEST_F(HistoryOf, DamagedAndForeignFilesAreSkippedWithOneLineEach) {
  keep(of_day(1, "aaa"));
  put("README.md", "notes");
  put("notes.txt", "notes");
  put(".hidden", "");
  fs::create_directory(folder / "sub.json.gz");
  put("a.json.gz", "not gzip");
  put("b.json", "{\"kernels\": [");
  put("c.json", "[1, 2]");
  put("d.json", "{\"schema\": 9, \"kernels\": []}");
  put("e.json", compare_test::results().dump());
  put("f.json.gz", packed_results(of_day(2, "bbb")).substr(0, 200));
  Json wrong = of_day(3, "ccc");
  row_of(wrong)["failed"] = -1;
  put("g.json", wrong.dump());
  auto const history = report::read_history(folder);
  EXPECT_EQ(history.versions.size(), 1u);
  std::string all;
  for (auto const& line : history.skipped) {
    EXPECT_FALSE(contains(line, "\n"));
    all += line + "\n";
  }
  EXPECT_EQ(history.skipped.size(), 8u) << all;
  for (char const* part :
       {"2 files with other names than *.json.gz skipped, such as README.md", "a.json.gz: ", "b.json: not JSON at byte",
        "c.json: expected a results.json", "d.json: schema: got 9, expected 1: results of another version of demeter",
        "e.json: demeter.created: got \"today\"", "f.json.gz: ", "g.json: kernels[0].subjects[0].accuracy[0].failed: "})
    EXPECT_TRUE(contains(all, part)) << part << " in\n" << all;
  EXPECT_TRUE(contains(page(history, of_day(1, "aaa")), "results of another version of demeter"));
}

TEST_F(HistoryOf, OrdersResultsByDateAndFindsStepsByTheRulesOfCompare) {
  Json slow = of_day(3, "ccc");
  slow_down(timing_of(slow), 2);
  timing_of(slow)["nanoseconds"] = 20;
  Json broken = of_day(4, "ddd");
  timing_of(broken) = timing_of(slow);
  law_of(broken)["broken"] = 3;
  row_of(broken)["failed"] = 5;
  row_of(broken)["max_error"] = 1e10;
  keep(broken);
  keep(of_day(1, "aaa"));
  put("any name.json", slow.dump());  // the user gave this file its own name
  keep(of_day(2, "bbb"));
  auto const history = report::read_history(folder);
  EXPECT_TRUE(history.skipped.empty()) << history.skipped[0];
  ASSERT_EQ(history.versions.size(), 4u);
  EXPECT_EQ(history.versions[2].commit, "ccc");
  ASSERT_EQ(history.steps.size(), 2u);
  EXPECT_EQ(history.steps[0].version, 2u);
  EXPECT_TRUE(history.steps[0].is_speed);
  EXPECT_TRUE(contains(history.steps[0].first, "100 % slower")) << history.steps[0].first;
  EXPECT_EQ(history.steps[1].version, 3u);
  EXPECT_FALSE(history.steps[1].is_speed);
  EXPECT_EQ(history.steps[1].worse, 2u);
  auto const& values = history.values.at({"segment_distance", "fast@avx2"});
  ASSERT_EQ(values.size(), 4u);
  EXPECT_EQ(values[1].everyday, 3 * 0x1p-53);
  EXPECT_EQ(values[3].everyday, 1e10 * 0x1p-53);
  EXPECT_EQ(values[2].time, 20);

  std::string const html = page(history, broken);
  EXPECT_TRUE(contains(html, "4 results from 2026-11-01 to 2026-11-04, 2 steps."));
  EXPECT_TRUE(contains(html, "<a href=\"#step-0\">segment_distance fast@avx2: time worse</a>"));
  EXPECT_TRUE(contains(html, "<li id=\"step-0\">"));
  EXPECT_TRUE(contains(html, "2026-11-03 <code>ccc</code> fast@avx2: speed cache typical all: 100 % slower"));
  EXPECT_TRUE(contains(html, "everyday: 5.9 digits, 1.00×10¹⁰ u"));
}

TEST_F(HistoryOf, ComparesTimesOnlyOnTheSameProcessor) {
  Json other = of_day(2, "bbb"), slow = of_day(3, "ccc");
  other["machine"]["cpu"] = "D";
  slow_down(timing_of(other), 3);
  slow_down(timing_of(slow), 2);
  for (auto const& each : {of_day(1, "aaa"), other, slow}) keep(each);
  auto const history = report::read_history(folder);
  ASSERT_EQ(history.steps.size(), 1u);
  EXPECT_EQ(history.steps[0].version, 2u);
  EXPECT_TRUE(contains(history.steps[0].first, "100 % slower (10.04 -> 20.08 ns")) << history.steps[0].first;
}

TEST_F(HistoryOf, ComparesAKernelWithTheLastResultsThatContainIt) {
  Json other = of_day(2, "bbb"), broken = of_day(3, "ccc");
  kernel_of(other)["name"] = "capsule_contact";
  law_of(broken)["broken"] = 3;
  for (auto const& each : {of_day(1, "aaa"), other, broken}) keep(each);
  auto const history = report::read_history(folder);
  ASSERT_EQ(history.steps.size(), 1u);
  EXPECT_EQ(history.steps[0].kernel, "segment_distance");
}

TEST_F(HistoryOf, ALibraryAtAnotherPathIsTheSameSubject) {
  auto const with_library = [](int day, std::string const& commit, std::string const& path) {
    Json all = of_day(day, commit);
    Json library = subject_of(all);
    library["name"] = path;
    library["doc"] = "my distance 1.0";
    kernel_of(all)["subjects"].push_back(library);
    return all;
  };
  Json worse = with_library(3, "ccc", "lib:c/libmine.so");
  kernel_of(worse)["subjects"][1]["laws"][0]["broken"] = 2;
  for (auto const& each :
       {with_library(1, "aaa", "lib:a/libmine.so"), with_library(2, "bbb", "lib:b/libmine.so"), worse})
    keep(each);
  auto const history = report::read_history(folder);
  EXPECT_EQ(history.values.size(), 2u);
  EXPECT_EQ(history.values.at({"segment_distance", "lib:c/libmine.so"}).size(), 3u);
  ASSERT_EQ(history.steps.size(), 1u);
  EXPECT_EQ(history.steps[0].subject, "lib:c/libmine.so");
}

TEST_F(HistoryOf, APageWithOneResultStatesThatThereIsOnlyOne) {
  keep(of_day(1, "aaa"));
  std::string const html = page(report::read_history(folder), of_day(1, "aaa"));
  EXPECT_TRUE(contains(html, "The history has one result, of 2026-11-01, commit <code>aaa</code>."));
  EXPECT_FALSE(contains(html, "<table class=\"stacked history\">"));
}

TEST_F(HistoryOf, TextOfResultsIsEscaped) {
  std::string const hostile = "<script>x</script>\"'&";
  for (int day = 1; day <= 2; ++day) {
    Json all = of_day(day, hostile);
    subject_of(all)["name"] = hostile;
    timing_of(all)["subject"] = hostile;
    all["machine"]["cpu"] = hostile;
    if (day == 2) law_of(all)["broken"] = 3;
    keep(all);
  }
  auto const history = report::read_history(folder);
  EXPECT_EQ(history.steps.size(), 1u);
  Json current = of_day(2, hostile);
  subject_of(current)["name"] = hostile;
  std::string const html = page(history, current);
  EXPECT_TRUE(contains(html, "&lt;script&gt;"));
  EXPECT_FALSE(contains(html, "<script>x"));
}

/// Equal errors must be drawn at equal heights. The curves of both subjects are then equal, although their budgets
/// differ.
TEST_F(HistoryOf, EqualErrorsAreDrawnAtEqualHeight) {
  for (int day = 1; day <= 2; ++day) {
    Json all = of_day(day, fmt::format("{}", day));
    Json other = subject_of(all);
    other["name"] = "ode";
    other["accuracy"][0]["budget"] = 1024;
    kernel_of(all)["subjects"].push_back(other);
    keep(all);
  }
  Json current = of_day(2, "2");
  kernel_of(current)["subjects"].push_back(subject_of(current));
  kernel_of(current)["subjects"][1]["name"] = "ode";
  std::string const html = page(report::read_history(folder), current);
  std::vector<std::string> paths;
  std::string const mark = "<path class=\"everyday\" d=\"M184 ";  // the curves of errors and times begin at the left
  for (std::size_t at = html.find("\"error of "); at != std::string::npos; at = html.find("\"error of ", at + 1)) {
    std::size_t const path = html.find(mark, at);
    ASSERT_NE(path, std::string::npos);
    paths.push_back(html.substr(path, html.find("/>", path) - path));
  }
  ASSERT_EQ(paths.size(), 2u);
  EXPECT_EQ(paths[0], paths[1]);
}

TEST_F(HistoryOf, ThreeHundredResultsGiveASmallTable) {
  for (int i = 0; i < 300; ++i) {
    Json all = of_day(1 + i / 24, fmt::format("{:x}", 0x1234567 + i));
    all["demeter"]["created"] = fmt::format("2026-11-{:02}T{:02}:00:00Z", 1 + i / 24, i % 24);
    slow_down(timing_of(all), 1 + 0.05 * ((i * 7919) % 11) / 11);
    timing_of(all)["nanoseconds"] = 10 * (1 + 0.05 * ((i * 7919) % 11) / 11);
    keep(all);
  }
  auto const history = report::read_history(folder);
  EXPECT_EQ(history.versions.size(), 300u);
  EXPECT_TRUE(history.steps.empty());
  std::string const html = page(history, of_day(1, "aaa"));
  std::size_t const begin = html.find("<table class=\"stacked history\">"), end = html.find("</table>", begin);
  ASSERT_NE(begin, std::string::npos);
  EXPECT_LT(end - begin, 12'000u);  // enough for one row with two charts
}

class CommandHistory : public CommandTest {};

TEST_F(CommandHistory, ReportKeepsResultsAndLinksTheHistoryPage) {
  fs::create_directory(folder / "old");
  put("old/1.json", of_day(1, "aaa").dump());
  put("old/2.json", of_day(2, "bbb").dump());
  holds("demeter report --from old/1.json --history past --out site");
  EXPECT_TRUE(contains(get("site/history.html"), "The history has one result"));
  EXPECT_TRUE(contains(get("site/index.html"), "<a href=\"history.html\">History</a>"));
  holds("demeter report --from old/2.json --history past --out site");
  EXPECT_TRUE(contains(get("site/history.html"), "2 results from 2026-11-01 to 2026-11-02"));
  EXPECT_TRUE(fs::exists(folder / "past" / "2026-11-02T100000Z-bbb.results.json.gz"));
  holds("demeter compare past/2026-11-01T100000Z-aaa.results.json.gz past/2026-11-02T100000Z-bbb.results.json.gz");
  holds("demeter report --from past/2026-11-01T100000Z-aaa.results.json.gz --out again");
  EXPECT_FALSE(contains(get("again/index.html"), "history.html"));

  put("past/bad.json.gz", "damaged");
  auto const ran = run("demeter report --from old/2.json --history past --out site");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(lines_of(ran.err).size(), 1u) << ran.err;
  EXPECT_TRUE(contains(ran.err, "bad.json.gz: ")) << ran.err;
  EXPECT_EQ(get("past/bad.json.gz"), "damaged");
  put("file", "");
  fails(2, "demeter report --from old/2.json --history file --out site", "--history: file: ");
  put("today.json", compare_test::results().dump());
  fails(3, "demeter report --from today.json --history past --out site",
        "today.json: not kept in past: demeter.created: got \"today\", expected");
}

}  // namespace history_test
}  // namespace demeter
