// Tests the counts of a check and the statistics of the judged errors.
#include "check/accuracy.hpp"

#include "check/check.hpp"
#include "fast/capsule_contact.hpp"
#include "fast/segment_distance.hpp"
#include "reference/spec/capsule_contact.hpp"
#include "reference/spec/segment_distance.hpp"
#include "reports/format/describe.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace demeter {
namespace accuracy_test {

constexpr double inf = std::numeric_limits<double>::infinity();

ErrorTally tally(std::vector<double> const& errors) {
  ErrorTally result;
  for (double const error : errors) result.add(error);
  return result;
}

/// Expects that each quantile of the tally is equal to the quantile of the sorted errors, or larger by a factor below 1
/// + 2^-10.
void expect_quantiles(std::vector<double> errors) {
  ErrorTally const found = tally(errors);
  std::sort(errors.begin(), errors.end());
  EXPECT_EQ(found.count(), errors.size());
  for (double const share : {0.01, 0.25, 0.5, 0.75, 0.9, 0.99, 1.0}) {
    auto const rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(errors.size())));
    double const exact = errors[rank - 1];
    EXPECT_GE(found.quantile(share), exact) << share;
    EXPECT_LE(found.quantile(share), exact * (1 + 0x1p-10)) << share;
  }
}

TEST(ErrorTally, QuantilesAreAtMostOneThousandthTooLargeAndNeverTooSmall) {
  std::vector<double> even, tiny, steep, one(50, 0.3);
  for (int i = 1; i <= 1000; ++i) {
    even.push_back(i / 1000.0);
    tiny.push_back(i * 0x1p-70);
    steep.push_back(std::ldexp(1 + i / 1001.0, i - 500));
  }
  expect_quantiles(even);
  expect_quantiles(tiny);
  expect_quantiles(steep);
  expect_quantiles(one);
  ErrorTally const found = tally(tiny);
  EXPECT_LT(found.quantile(0.5), 0.51 * found.quantile(1)) << "tiny errors are told from each other";
  EXPECT_LT(found.quantile(0.99), found.quantile(1));
}

TEST(ErrorTally, QuantilesAreExactForNumbersWithFewBits) {
  ErrorTally const found = tally({0, 0, 0.5, 0.75, 3, 1023});
  EXPECT_EQ(found.quantile(0.3), 0);
  EXPECT_EQ(found.quantile(0.5), 0.5);
  EXPECT_EQ(found.quantile(0.6), 0.75);
  EXPECT_EQ(found.quantile(0.8), 3);
  EXPECT_EQ(found.quantile(1), 1023);
  EXPECT_EQ(found.mean(), (0.5 + 0.75 + 3 + 1023) / 6);
}

TEST(ErrorTally, InfiniteErrorsAreNotPartOfTheMean) {
  ErrorTally const found = tally({1, 2, inf, std::numeric_limits<double>::quiet_NaN()});
  EXPECT_EQ(found.count(), 4u);
  EXPECT_EQ(found.infinite, 2u);
  EXPECT_EQ(found.mean(), 1.5);
  EXPECT_EQ(found.quantile(0.5), 2);
  EXPECT_EQ(found.quantile(0.51), inf);
  EXPECT_EQ(tally({std::numeric_limits<double>::max()}).mean(), std::numeric_limits<double>::max());
  EXPECT_EQ(tally({inf}).mean(), 0);
}

TEST(ErrorTally, OrderAndMergingDoNotChangeTheTally) {
  std::vector<double> errors;
  for (int i = 0; i < 500; ++i) errors.push_back(std::ldexp(std::fmod(i * 0.618, 1), i % 90 - 40));
  ErrorTally const forward = tally(errors);
  std::reverse(errors.begin(), errors.end());
  EXPECT_TRUE(tally(errors) == forward);
  EXPECT_EQ(tally(errors).mean(), forward.mean());
  ErrorTally parts = tally({errors.begin() + 123, errors.end()});
  parts.merge(tally({errors.begin(), errors.begin() + 123}));
  EXPECT_TRUE(parts == forward);
}

TEST(Sizes, BinsEndAtPowersOfTwo) {
  EXPECT_EQ(size_bin(0), 0u);
  EXPECT_EQ(size_bin(0x1p-1000), 0u);
  EXPECT_EQ(size_bin(0x1p-20), 0u);
  EXPECT_EQ(size_bin(0x1.0000000000001p-20), 1u);
  EXPECT_EQ(size_bin(0x1p6), size_bins - 2);
  EXPECT_EQ(size_bin(65), size_bins - 1);
  EXPECT_EQ(size_bin(1e300), size_bins - 1);
  EXPECT_EQ(size_bin(inf), size_bins - 1);
  EXPECT_EQ(largest_of_bin(0), 0x1p-20);
  EXPECT_EQ(largest_of_bin(size_bins - 2), 64);
  EXPECT_EQ(largest_of_bin(size_bins - 1), inf);
  for (double size = 1e-5; size < 50; size *= 1.7) {
    EXPECT_LE(size, largest_of_bin(size_bin(size)));
    EXPECT_GT(size, largest_of_bin(size_bin(size) - 1));
  }
}

using Segments = segment_distance::Input<double>;
using Distance = segment_distance::Output<double>;

Kernel const& segments() { return *find_kernel("segment_distance"); }

CheckOptions options() {
  CheckOptions result;
  result.cases = 1500;
  result.law_cases = 0;
  result.regimes = {0};
  result.shrink = false;
  return result;
}

/// Returns a subject that answers like the fast form, but each row gets the status `become(row)`.
template <class Become>
Subject becoming(Become become) {
  Subject subject = make_subject("planted", *segments().find("fast@scalar"));
  subject.answers.front().kernel = segments().name;
  subject.answers.front().answer = [become, inner = subject.answers.front().answer](Table const& cases,
                                                                                    Answers& answers) {
    inner(cases, answers);
    for (std::size_t row = 0; row < cases.rows; ++row) answers.status[row] = become(row);
  };
  return subject;
}

TEST(Counts, EveryStatusIsCountedSeparately) {
  std::vector<Status> const all{Status::answered,  Status::unsupported, Status::not_representable,
                                Status::not_asked, Status::missing,     Status::malformed,
                                Status::crash,     Status::timeout};
  Subject const mixed = becoming([&](std::size_t row) { return all[std::min<std::size_t>(row, 1400) % all.size()]; });
  auto const result = check(segments(), {&mixed}, options()).front();
  for (auto const& cell : result.accuracy) {
    EXPECT_EQ(cell.cases, 1500u);
    EXPECT_EQ(cell.judged, 275u) << "of 1,400 every eighth, and those after";
    EXPECT_EQ(cell.unsupported, 175u);
    EXPECT_EQ(cell.not_representable, 175u);
    EXPECT_EQ(cell.not_asked, 175u);
    EXPECT_EQ(cell.missing, 175u);
    EXPECT_EQ(cell.malformed, 175u);
    EXPECT_EQ(cell.crash, 175u);
    EXPECT_EQ(cell.timeout, 175u);
    EXPECT_EQ(cell.failed, 0u);
    EXPECT_EQ(cell.wrong(), 700u);
    EXPECT_TRUE(std::isfinite(cell.max_error)) << "no answer has no error";
    ASSERT_TRUE(cell.worst_failure);
    EXPECT_EQ(cell.worst_failure->error, inf);
    auto const said = describe(segments(), mixed, result, options()).accuracy[cell.budget];
    EXPECT_EQ(said.not_asked, 175);
    EXPECT_EQ(said.not_representable, 175);
    EXPECT_EQ(said.wrong(), 700);
  }
  EXPECT_FALSE(result.passed());
}

TEST(Counts, CasesThatWereNotAskedAreNotFailures) {
  Subject const given_up = becoming([](std::size_t row) { return row < 700 ? Status::answered : Status::not_asked; });
  auto const result = check(segments(), {&given_up}, options()).front();
  EXPECT_TRUE(result.passed());
  EXPECT_EQ(result.accuracy[0].not_asked, 800u);
}

TEST(Counts, NaNAndInfinityAreCountedSeparately) {
  Subject const subject =
      make_subject("planted", answer_with<segment_distance::Contract>("", [](Segments const& in, Distance& out) {
                     out = segment_distance::fast::evaluate(in);
                     if (in.p0[0] > 0) out.distance = std::numeric_limits<double>::quiet_NaN();
                     if (in.p0[0] < 0) out.distance = in.p0[1] > 0 ? inf : out.distance * 2 + 1;
                     return static_cast<char const*>(nullptr);
                   }));
  auto const cell = check(segments(), {&subject}, options()).front().accuracy[0];
  EXPECT_EQ(segments().budgets[cell.budget].output, "distance");
  EXPECT_EQ(cell.failed, cell.judged);
  EXPECT_NEAR(static_cast<double>(cell.not_a_number), 750, 100);
  EXPECT_NEAR(static_cast<double>(cell.not_finite), 375, 100);
  EXPECT_EQ(cell.errors.infinite, cell.not_a_number + cell.not_finite);
  EXPECT_EQ(cell.max_error, inf);
  EXPECT_TRUE(std::isfinite(cell.errors.mean()));
}

TEST(Counts, CorrectInfinityIsNotAnError) {
  // Some distances exceed the largest double. For them, infinity is the right answer.
  Subject const* const fast = find_subject("fast");
  CheckOptions everywhere = options();
  everywhere.regimes.clear();
  everywhere.cases = 300;
  auto const checked = check(segments(), {fast}, everywhere).front();
  for (auto const& cell : checked.accuracy) {
    EXPECT_EQ(cell.not_finite, 0u);
    EXPECT_EQ(cell.not_a_number, 0u);
  }
}

TEST(Counts, WrongLabelsAreCountedByTrueAndAnsweredLabel) {
  Kernel const& kernel = *find_kernel("capsule_contact");
  using Case = capsule_contact::Input<double>;
  using Answer = capsule_contact::Output<double>;
  Subject const misses =
      make_subject("planted", answer_with<capsule_contact::Contract>("", [](Case const& in, Answer& out) {
                     out = capsule_contact::fast::evaluate(in);
                     out.status = capsule_contact::Status::separated;
                     return static_cast<char const*>(nullptr);
                   }));
  auto const result = check(kernel, {&misses}, options()).front();
  auto const& labelled = *std::find_if(result.accuracy.begin(), result.accuracy.end(), [&](AccuracyCell const& cell) {
    return kernel.budgets[cell.budget].output == "status";
  });
  ASSERT_GT(labelled.failed, 0u);
  ASSERT_EQ(labelled.labels.size(), 1u) << "axes hardly ever intersect in ordinary cases";
  auto const said = describe(kernel, misses, result, options());
  auto const row = std::find_if(said.accuracy.begin(), said.accuracy.end(),
                                [](report::Accuracy const& each) { return each.output == "status"; });
  ASSERT_EQ(row->labels.size(), 1u);
  EXPECT_EQ(row->labels[0].answer, "separated");
  EXPECT_EQ(row->labels[0].truth, "overlapping");
  EXPECT_EQ(row->labels[0].cases, row->failed);
}

TEST(Counts, FailuresAreCountedInTheBinOfTheCaseSize) {
  // The routine compares lengths with an absolute epsilon, which is a common mistake.
  Subject const subject =
      make_subject("planted", answer_with<segment_distance::Contract>("", [](Segments const& in, Distance& out) {
                     out = segment_distance::fast::evaluate(in);
                     if ((in.p1 - in.p0).norm() < 1e-3 || (in.q1 - in.q0).norm() < 1e-3) out.distance *= 2;
                     return static_cast<char const*>(nullptr);
                   }));
  auto const result = check(segments(), {&subject}, options()).front();
  ASSERT_EQ(result.sizes.size(), 1u);
  std::uint64_t judged = 0, failed = 0, failed_above = 0;
  for (std::size_t bin = 0; bin < result.sizes[0].size(); ++bin) {
    SizeTally const& each = result.sizes[0][bin];
    judged += each.judged;
    failed += each.failed;
    if (largest_of_bin(bin) > 0.1) failed_above += each.failed;
    if (each.failed > 0) {
      EXPECT_GT(each.max_error, 1e15);
    } else {
      EXPECT_LT(each.max_error, 100);
    }
  }
  EXPECT_EQ(judged, 1500u) << "a case counts once";
  EXPECT_EQ(failed, result.accuracy[0].failed);
  EXPECT_GT(failed, 100u);
  EXPECT_EQ(failed_above, 0u);
  EXPECT_FALSE(describe(segments(), subject, result, options()).sizes.empty());
}

}  // namespace accuracy_test
}  // namespace demeter
