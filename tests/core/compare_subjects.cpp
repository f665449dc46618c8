// Tests which subjects are compared with each other, the comparison of two subjects, and the sentences of a comparison.
#include "reports/subject_pairs.hpp"

#include "reports/site/compare_page.hpp"
#include "tests/core/compare_samples.hpp"

#include <gtest/gtest.h>

namespace demeter {
namespace compare_subjects_test {

using compare_test::Json, compare_test::Kind, compare_test::all_text, compare_test::recorded, compare_test::results;
using compare_test::kernel_of, compare_test::law_of, compare_test::row_of, compare_test::subject_of,
    compare_test::timing_of;

/// Returns results in which the subject has the given name, in the accuracies and in the timings.
Json results_of(std::string const& name, std::string const& doc = "") {
  Json all = results();
  subject_of(all)["name"] = name;
  subject_of(all)["doc"] = doc;
  timing_of(all)["subject"] = name;
  return all;
}

/// Returns `first` with the subjects and timings of `second` added.
Json joined(Json first, Json const& second) {
  for (auto const& subject : second["kernels"][0]["subjects"]) kernel_of(first)["subjects"].push_back(subject);
  for (auto const& timing : second["kernels"][0]["speed"]["timings"])
    kernel_of(first)["speed"]["timings"].push_back(timing);
  return first;
}

Comparison matched(Json const& before, Json const& after) {
  Recorded was = recorded(before);
  Recorded const is = recorded(after);
  match_subjects(was, is);
  return compare(was, is, {});
}

TEST(CompareSubjects, LibrariesThatReportTheSameNameAreComparedDespiteDifferentPaths) {
  Json const other = results_of("ode");
  Json const before = joined(results_of("lib:/home/me/build/libmine.so", "my distance 1.0"), other);
  Json after = joined(results_of("lib:./release/libother.so", "my distance 1.0"), other);
  law_of(after)["broken"] = 3;
  auto const comparison = matched(before, after);
  EXPECT_EQ(comparison.accuracy, 2u);
  EXPECT_EQ(comparison.timings, 2u);
  EXPECT_EQ(comparison.count(Kind::gone) + comparison.count(Kind::added), 0u) << all_text(comparison);
  EXPECT_NE(all_text(comparison).find("REGRESSION segment_distance lib:./release/libother.so law swap"),
            std::string::npos)
      << all_text(comparison);
  EXPECT_NE(all_text(comparison)
                .find("lib:./release/libother.so of NEW is compared with lib:/home/me/build/libmine.so of OLD: both "
                      "libraries have the name my distance 1.0"),
            std::string::npos)
      << all_text(comparison);
}

TEST(CompareSubjects, SubjectsThatReportNoNameAreMatchedByFileNameAndArguments) {
  Json const other = results_of("ode");
  for (auto const& [was, is] : {std::pair{"lib:a/libmine.so", "lib:b/c/libmine.so"},
                                std::pair{"pipe:python3 a/mine.py --fast", "pipe:python3 /b/mine.py --fast"}}) {
    auto const comparison = matched(joined(results_of(was), other), joined(results_of(is), other));
    EXPECT_EQ(comparison.accuracy, 2u) << was;
    EXPECT_EQ(comparison.regressions(), 0u) << all_text(comparison);
  }
  for (auto const& [was, is] : {std::pair{"lib:a/libmine.so", "pipe:a/libmine.so"},
                                std::pair{"pipe:python3 mine.py --fast", "pipe:python3 mine.py --slow"}}) {
    auto const comparison = matched(joined(results_of(was), other), joined(results_of(is), other));
    EXPECT_EQ(comparison.accuracy, 1u) << was;
    EXPECT_EQ(comparison.count(Kind::gone), 1u) << all_text(comparison);
  }
}

TEST(CompareSubjects, SubjectsThatShareANameAreNotMatched) {
  Json const two = joined(results_of("lib:a/libone.so", "mine"), results_of("lib:a/libtwo.so", "mine"));
  Json const after = joined(results_of("lib:b/libthree.so", "mine"), results_of("lib:b/libfour.so", "mine"));
  auto const comparison = matched(two, after);
  EXPECT_EQ(comparison.accuracy, 0u);
  EXPECT_EQ(comparison.count(Kind::gone), 2u) << all_text(comparison);
  EXPECT_EQ(comparison.count(Kind::added), 2u);
}

TEST(CompareSubjects, SubjectsAreComparedIfEachFileHasOnlyOne) {
  Json worse = results_of("mine2");
  law_of(worse)["broken"] = 3;
  auto const comparison = matched(results_of("mine1"), worse);
  EXPECT_EQ(comparison.regressions(), 1u) << all_text(comparison);
  EXPECT_NE(all_text(comparison).find("mine2 of NEW is compared with mine1 of OLD: each run has one subject"),
            std::string::npos)
      << all_text(comparison);
}

/// Compares two subjects of one run.
struct OfTwo {
  Recorded first, second;
  CompareOptions rules;
  std::optional<std::string> wrong;
  Comparison comparison;

  OfTwo(Json const& all, std::string const& one, std::string const& other)
      : first(recorded(all)), second(recorded(all)) {
    rules.first = one;
    rules.second = other;
    wrong = select_subjects(first, second, one, other);
    if (!wrong) comparison = compare(first, second, rules);
  }
  std::string text() const {
    std::string all;
    for (auto const& finding : comparison.findings) all += finding_text(finding, true) + "\n";
    return all;
  }
};

TEST(CompareSubjects, TwoSubjectsOfOneRunAreCompared) {
  Json worse = results_of("bullet");
  row_of(worse)["budget"] = 1024;
  row_of(worse)["max_error"] = 5;  // far below its own budget, but 1.7 times the error of the other subject
  law_of(worse)["broken"] = 3;
  compare_test::slow_down(timing_of(worse), 4);
  Json const all = joined(joined(results(), results_of("fast@scalar")), worse);
  OfTwo const two(all, "fast", "bullet");
  ASSERT_FALSE(two.wrong) << *two.wrong;
  EXPECT_EQ(two.comparison.regressions(), 3u) << two.text();
  for (char const* part : {"WORSE segment_distance bullet accuracy typical distance: maximum error 3 u -> 5 u",
                           "WORSE segment_distance bullet law swap: broken in 3 of 180",
                           "WORSE segment_distance bullet speed cache typical all: 300 % slower",
                           "the budget of distance is 8 u for fast and 1024 u for bullet"})
    EXPECT_NE(two.text().find(part), std::string::npos) << part << "\n" << two.text();
  EXPECT_EQ(two.text().find("newly"), std::string::npos) << two.text();
  EXPECT_EQ(two.text().find(" was "), std::string::npos) << two.text();
  auto const said = sentences(two.comparison, two.first, two.second);
  ASSERT_EQ(said.size(), 1u);
  EXPECT_NE(said[0].second.find("fast@avx2 -> bullet worse in 3 of 3 results: "), std::string::npos) << said[0].second;
  // In the opposite comparison, no result is worse.
  OfTwo const back(all, "bullet", "fast");
  EXPECT_EQ(back.comparison.regressions(), 0u) << back.text();
  EXPECT_EQ(back.comparison.count(Kind::improvement), 3u) << back.text();

  auto const json = describe(two.comparison, two.first, two.second, two.rules);
  EXPECT_EQ(json["subjects"], Json({"fast", "bullet"}));
  EXPECT_EQ(json["kernels"][0]["kernel"], "segment_distance");
  EXPECT_EQ(junit_suites(two.comparison)[0].name, "segment_distance x bullet");
  std::string const page = report::compare_page(two.first, two.second, two.comparison, two.rules);
  EXPECT_NE(page.find("<h1>bullet compared with fast</h1>"), std::string::npos);
  EXPECT_NE(page.find("bullet is worse in 3 results and better in 0 results."), std::string::npos);
}

TEST(CompareSubjects, AResultThatOnlyOneSubjectHasIsListedAndIsNotWorse) {
  Json some = results_of("bullet");
  subject_of(some)["laws"].clear();
  OfTwo const two(joined(results(), some), "fast@avx2", "bullet");
  EXPECT_EQ(two.comparison.regressions(), 0u) << two.text();
  EXPECT_NE(two.text().find("only one segment_distance bullet law swap: only of fast@avx2"), std::string::npos)
      << two.text();
}

TEST(CompareSubjects, ErrorsOfDifferentPrecisionsAreComparedInOneUnit) {
  Json single = results_of("float");
  subject_of(single)["binary32"] = true;
  row_of(single)["max_error"] = 1;
  row_of(single)["mean_error"] = 0.5;
  OfTwo const two(joined(results(), single), "fast", "float");
  EXPECT_NE(two.text().find("maximum error 3 u -> 5.37e+08 u"), std::string::npos) << two.text();
  EXPECT_NE(two.text().find("float computes in binary32: its errors are given in u of binary64"), std::string::npos);
}

TEST(CompareSubjects, AnUnknownSubjectIsReportedWithTheNamesOfTheOthers) {
  OfTwo const two(joined(results(), results_of("ode")), "fast", "odee");
  ASSERT_TRUE(two.wrong);
  EXPECT_EQ(*two.wrong, "--subject: no results of \"odee\", expected one of fast@avx2 and ode");
}

std::string sentence(Json const& before, Json const& after) {
  Recorded was = recorded(before);
  Recorded const is = recorded(after);
  match_subjects(was, is);
  auto const all = sentences(compare(was, is, {}), was, is);
  return all.empty() ? "" : all[0].second;
}

TEST(CompareSentences, StateWhatChangedAndWhatDidNot) {
  Json one = results();
  kernel_of(one)["regimes"] = {{{"name", "typical"}, {"doc", ""}, {"profile", "everyday"}}};
  EXPECT_EQ(sentence(one, one), "fast@avx2 as before: everyday 15.4 digits, laws all hold, 10 ns per case");
  Json worse = one;
  law_of(worse)["broken"] = 3;
  row_of(worse)["failed"] = 9;
  row_of(worse)["max_error"] = 1e10;
  EXPECT_EQ(sentence(one, worse),
            "fast@avx2 worse in 2 of 3 results: everyday 15.4 -> 5.9 digits, laws all hold -> 1 of 1 broken, 10 ns per "
            "case");
  Json const ode = results_of("ode"), bullet = results_of("bullet");
  EXPECT_EQ(sentence(joined(one, ode), joined(one, ode)), "2 subjects as before (2 accuracies, 2 laws, 2 timings)");
  EXPECT_EQ(sentence(joined(joined(one, ode), bullet), joined(joined(worse, ode), results_of("fcl"))),
            "worse: fast@avx2; gone: bullet; new: fcl; 1 subject as before (2 accuracies, 2 laws, 2 timings)");
  Json other = one;
  kernel_of(other)["name"] = "another";
  EXPECT_EQ(sentence(one, other), "not in OLD");
}

TEST(CompareSentences, AreFirstOnThePage) {
  Recorded const run = recorded(results());
  std::string const page = report::compare_page(run, run, compare(run, run, {}), {});
  EXPECT_NE(page.find("<h2 id=\"segment_distance\">segment_distance</h2>\n<p>fast@avx2 as before: "),
            std::string::npos);
}

}  // namespace compare_subjects_test
}  // namespace demeter
