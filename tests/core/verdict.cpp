// Tests the sentence and the digits that summarise results. The results are invented.
#include "reports/format/verdict.hpp"

#include "reports/format/words.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace demeter {
namespace verdict_test {

using namespace report;

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Returns the error, in u, of an output that is correct to this number of digits.
double error_of(double digits) { return std::pow(10.0, -digits) * 0x1p53; }

/// Returns a kernel with four regimes that are everyday or degenerate, and two that are extreme.
report::Kernel kernel() {
  report::Kernel made;
  for (auto const& [name, profile] : std::vector<std::pair<std::string, std::string>>{{"typical", "everyday"},
                                                                                      {"crossing", "everyday"},
                                                                                      {"near_parallel", "degenerate"},
                                                                                      {"in_a_row", "degenerate"},
                                                                                      {"global_scale", "extreme"},
                                                                                      {"offset", "extreme"}}) {
    made.regimes.emplace_back();
    made.regimes.back().name = name;
    made.regimes.back().profile = profile;
  }
  return made;
}

report::Accuracy cell(std::string const& regime, double digits, std::int64_t judged, std::int64_t failed = 0,
                      std::string const& output = "distance") {
  report::Accuracy made;
  made.regime = regime;
  made.output = output;
  made.cases = made.judged = judged;
  made.failed = failed;
  made.max_error = error_of(digits);
  return made;
}

Contender contender(std::vector<report::Accuracy> cells) {
  Contender made;
  made.name = "mine";
  made.accuracy = std::move(cells);
  return made;
}

std::string sentence(std::vector<report::Accuracy> cells) { return verdict(kernel(), contender(cells)).sentence; }

TEST(Verdict, DigitsAreMinusTheLogarithmOfTheErrorUpTo16) {
  EXPECT_EQ(digits_of(0), 16);
  EXPECT_EQ(digits_of(1e-20), 16);
  EXPECT_NEAR(digits_of(1e-8), 8, 1e-12);
  EXPECT_EQ(digits_of(1), 0);
  EXPECT_EQ(digits_of(1e300), 0);
  EXPECT_EQ(digits_of(infinity), 0);
  EXPECT_EQ(digits_of(std::nan("")), 0);
}

TEST(Verdict, APassShowsDigitsAndCases) {
  EXPECT_EQ(sentence({cell("typical", 15.1, 20'000), cell("crossing", 15.9, 14'000)}),
            "everyday: right to 15 digits in 34,000 cases");
  EXPECT_EQ(
      sentence({cell("typical", 15.1, 2'000), cell("in_a_row", 13.9, 2'000), cell("offset", 14.2, 1'000)}),
      "everyday: right to 15 digits in 2,000 cases; degenerate: right to 13 digits in 2,000 cases; extreme: right "
      "to 14 digits in 1,000 cases");
}

TEST(Verdict, ACaseCountsOnceForAllOutputs) {
  auto const found =
      verdict(kernel(), contender({cell("typical", 15.5, 2'000, 0, "uN"), cell("typical", 9.5, 2'000, 7, "normal"),
                                   cell("typical", 12.5, 2'000, 9, "point")}));
  ASSERT_EQ(found.profiles.size(), 1u);
  EXPECT_EQ(found.profiles[0].judged, 2'000);
  EXPECT_EQ(found.profiles[0].failed, 9);
  EXPECT_EQ(found.profiles[0].output, "normal");
  EXPECT_EQ(digits_text(found.profiles[0]), "9.5");
  EXPECT_EQ(found.sentence, "everyday: to 9 digits");
}

TEST(Verdict, ForFewCasesTheBoundOfTheFailureRateIsStated) {
  EXPECT_EQ(sentence({cell("typical", 15.1, 36)}),
            "everyday: right to 15 digits, no failure in 36 cases (at most 8.0 % fail, 95 % confidence)");
  EXPECT_EQ(sentence({cell("typical", 15.1, 1)}),
            "everyday: right to 15 digits, no failure in 1 case (at most 95 % fail, 95 % confidence)");
}

TEST(Verdict, FailingRegimesAreListedWithTheirDigits) {
  EXPECT_EQ(
      sentence({cell("typical", 15.1, 20'000), cell("crossing", 15.2, 14'000), cell("near_parallel", 8.3, 20'000, 40)}),
      "everyday: right to 15 digits in 34,000 cases; degenerate: to 8 digits");
  EXPECT_EQ(
      sentence({cell("typical", 15.1, 20'000), cell("near_parallel", 8.3, 20'000, 40), cell("in_a_row", 14.3, 20'000)}),
      "everyday: right to 15 digits in 20,000 cases; degenerate: right to 14 digits in 1 of 2 regimes; nearly "
      "parallel: to 8");
  EXPECT_EQ(sentence({cell("near_parallel", 8.3, 2'000, 40), cell("in_a_row", -3, 2'000, 70)}),
            "degenerate, nearly parallel: to 8 digits; in a row: wrong in up to 3.5 % of cases");
  EXPECT_EQ(sentence({cell("near_parallel", 0.2, 2'000, 40), cell("in_a_row", 0, 2'000, 70)}),
            "degenerate: wrong in up to 3.5 % of cases");
  EXPECT_EQ(sentence({cell("in_a_row", 0, 2'000, 2'000)}), "degenerate: wrong");
}

TEST(Verdict, ExtremeCasesAreOnlyCounted) {
  EXPECT_EQ(sentence({cell("typical", 15.1, 2'000), cell("global_scale", 0, 2'000, 800), cell("offset", 15, 2'000)}),
            "everyday: right to 15 digits in 2,000 cases; extreme: 1 of 2 regimes fail");
  EXPECT_EQ(sentence({cell("typical", 15.1, 2'000), cell("global_scale", 0, 2'000, 800), cell("offset", 3, 9, 9)}),
            "everyday: right to 15 digits in 2,000 cases; extreme: fails in every regime");
}

TEST(Verdict, DigitsOfFloatUseTheUOfFloat) {
  auto of_float = contender({cell("typical", 15, 2'000)});
  of_float.binary32 = true;
  of_float.accuracy[0].max_error = 2.5;  // 2.5 2^-24 = 1.5e-7
  EXPECT_EQ(verdict(kernel(), of_float).sentence, "everyday: right to 6 digits in 2,000 cases");
}

TEST(Verdict, ASubjectWithoutAnswersIsReportedAsSuch) {
  auto declined = cell("typical", 16, 0);
  declined.cases = declined.unsupported = 2'000;
  EXPECT_EQ(sentence({declined}), "answered nothing");
  EXPECT_EQ(sentence({}), "answered nothing");
}

TEST(Verdict, CrashesAndHangsAreCountedSeparately) {
  auto crashing = cell("typical", 15.2, 1'995);
  crashing.cases = 2'000;
  crashing.crash = 4;
  crashing.timeout = 1;
  EXPECT_EQ(
      sentence({crashing, cell("crossing", 15.1, 2'000)}),
      "everyday: right to 15 digits in 1 of 2 regimes; typical: crashed or hung in 5 of 2,000 cases; crashed in 4 "
      "cases; hung in 1 case");
}

TEST(Verdict, WrongLabelsAreReportedAsMissedOrInventedContacts) {
  auto wrong = contender({cell("typical", 15.1, 2'000), cell("near_parallel", 15.1, 1'000)});
  wrong.accuracy[0].labels = {{"separated", "overlapping", 12}};
  wrong.accuracy[1].labels = {{"separated", "overlapping", 35}, {"overlapping", "separated", 2}};
  auto const sentence = verdict(kernel(), wrong).sentence;
  EXPECT_NE(sentence.find("misses contacts (35 of 1,000: nearly parallel)"), std::string::npos) << sentence;
  EXPECT_NE(sentence.find("finds contacts where there are none (2 of 1,000: nearly parallel)"), std::string::npos)
      << sentence;
  EXPECT_EQ(verdict(kernel(), contender({cell("typical", 15.1, 2'000)})).sentence.find("contacts"), std::string::npos);
}

TEST(Verdict, BrokenLawsAreListedByTheirShareOfBrokenCases) {
  auto broken = contender({cell("typical", 15.1, 2'000)});
  broken.laws.push_back({"swap", 6'000, 5'000, 3'600, 126, 0, 0, 7.0, {{"typical", 1'800, 126, 7.0}}, {}});
  broken.laws.push_back({"reversal", 4'000, 4'000, 0, 2'000, 0, 0, 2.0, {{"near_parallel", 2'000, 2'000, 2.0}}, {}});
  broken.laws.push_back({"scaling", 4'000, 4'000, 0, 4'000, 0, 0, 2.0, {{"global_scale", 4'000, 4'000, 2.0}}, {}});
  broken.laws.push_back({"motion", 4'000, 4'000, 0, 0, 0, 0, 0.5, {}, {}});
  auto const found = verdict(kernel(), broken);
  EXPECT_EQ(found.sentence,
            "everyday: right to 15 digits in 2,000 cases; laws broken: reversal in 50 % and swap in 3.5 %");
  ASSERT_EQ(found.laws.size(), 2u) << "those of extreme cases are not among them";
  EXPECT_EQ(found.laws[1].broken, 126);
}

TEST(Verdict, ASizeThresholdNeedsEnoughLargerCasesWithoutFailure) {
  std::vector<OfSize> sizes{{1e-4, 500, 500, 1.0},
                            {1e-3, 500, 300, 1e-4},
                            {2.6e-3, 500, 20, 1e-6},
                            {1e-1, 2'000, 0, 1e-15},
                            {1, 2'000, 0, 2e-15}};
  auto const found = threshold(sizes);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->size, 2.6e-3);
  EXPECT_EQ(found->judged_above, 4'000);
  EXPECT_EQ(found->error_above, 2e-15);
  sizes.back().failed = 1;
  EXPECT_FALSE(threshold(sizes)) << "one above everything";
  sizes.back().failed = 0;
  sizes.back().judged = 10, sizes[3].judged = 10;
  EXPECT_FALSE(threshold(sizes)) << "too few above";
  // Such rare failures would probably not occur among 4,000 larger cases.
  EXPECT_FALSE(threshold({{1e-3, 10'000, 1, 1.0}, {1, 4'000, 0, 1e-15}}));
  EXPECT_FALSE(threshold({{1e-3, 10'000, 0, 1.0}}));
  EXPECT_FALSE(threshold({}));
}

TEST(Verdict, CountsSharesAndLengthsAreWrittenReadably) {
  EXPECT_EQ(grouped(1'234'567), "1,234,567");
  EXPECT_EQ(percent(0.035), "3.5 %");
  EXPECT_EQ(percent(0.6249), "62 %");
  EXPECT_EQ(percent(0.00012), "0.012 %");
  EXPECT_EQ(percent(0.001), "0.1 %");
  EXPECT_EQ(percent(0.9999), "over 99 %");
  EXPECT_EQ(percent(1), "100 %");
  EXPECT_EQ(percent(0), "0 %");
  EXPECT_EQ(length_rounded_up(2.6e-3), "3 mm");
  EXPECT_EQ(length_rounded_up(3e-3), "3 mm");
  EXPECT_EQ(length_rounded_up(9.3e-3), "1 cm");
  EXPECT_EQ(length_rounded_up(1.2e-5), "20 um");
  EXPECT_EQ(length_rounded_up(7.0), "7 m");
  EXPECT_EQ(length_rounded_up(0.35), "40 cm");
  EXPECT_EQ(phrase_of("near_parallel_crossing"), "nearly parallel crossing");
  EXPECT_EQ(phrase_of("in_a_row"), "in a row");
  EXPECT_EQ(listed(std::vector<std::string>{"a", "b", "c"}), "a, b and c");
  EXPECT_EQ(listed(std::vector<std::string>{"a", "b", "c", "d"}, 3), "a, b and 2 more");
}

}  // namespace verdict_test
}  // namespace demeter
