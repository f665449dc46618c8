// Tests the Mann-Whitney test against published values, tables, and all permutations of small samples.
#include "bench/core/mann_whitney.hpp"

#include "kernels/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace demeter::bench {
namespace mann_whitney_test {

using Sample = std::vector<double>;

/// Returns U, computed by its definition.
double count_u(Sample const& larger, Sample const& smaller) {
  double u = 0;
  for (double const a : larger)
    for (double const b : smaller) u += a > b ? 1 : a == b ? 0.5 : 0;
  return u;
}

/// Splits all values into two samples in every possible way. Returns the share of splits with at least the observed U.
double by_permutations(Sample const& larger, Sample const& smaller) {
  Sample all = larger;
  all.insert(all.end(), smaller.begin(), smaller.end());
  double const observed = count_u(larger, smaller);
  std::vector<bool> chosen(all.size(), false);
  std::fill(chosen.end() - static_cast<std::ptrdiff_t>(larger.size()), chosen.end(), true);
  double reached = 0, ways = 0;
  do {
    Sample one, other;
    for (std::size_t i = 0; i < all.size(); ++i) (chosen[i] ? one : other).push_back(all[i]);
    ++ways;
    if (count_u(one, other) >= observed - 1e-9) ++reached;
  } while (std::next_permutation(chosen.begin(), chosen.end()));
  return reached / ways;
}

TEST(MannWhitney, AgreesWithPublishedExamples) {
  // Documentation of R's wilcox.test (permeability of membranes, Hollander and Wolfe): W = 35, p-value = 0.1272.
  auto const r = mann_whitney(Sample{0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46},
                              Sample{1.15, 0.88, 0.90, 0.74, 1.21});
  EXPECT_EQ(r.u, 35);
  EXPECT_TRUE(r.exact);
  EXPECT_NEAR(r.p, 0.1272, 5e-5);
  // Documentation of scipy.stats.mannwhitneyu: U = 17, two-sided exact p = 0.1111, which is twice the one-sided p.
  auto const scipy = mann_whitney(Sample{19, 22, 16, 29, 24}, Sample{20, 11, 17, 12});
  EXPECT_EQ(scipy.u, 17);
  EXPECT_NEAR(2 * scipy.p, 1.0 / 9, 1e-12);
}

TEST(MannWhitney, AgreesWithTheTablesOfCriticalValues) {
  // From the usual tables: the largest U of the smaller sample that is significant at the one-sided level 0.01.
  struct Entry {
    std::size_t m, n, critical;
  };
  for (auto const& [m, n, critical] :
       std::vector<Entry>{{5, 5, 1}, {8, 8, 9}, {9, 9, 14}, {10, 10, 19}, {12, 15, 42}, {15, 15, 56}, {20, 20, 114}}) {
    // At first, each value of `larger` is above all of `smaller`. Then `below` pairs are reversed: U = m n - below.
    auto const p_at = [m = m, n = n](std::size_t below) {
      Sample larger, smaller;
      for (std::size_t i = 0; i < n; ++i) smaller.push_back(static_cast<double>(i));
      for (std::size_t i = 0; i < m; ++i) {
        std::size_t const lowered = std::min(below, n);
        below -= lowered;
        larger.push_back(static_cast<double>(n - lowered) - 0.5 + 1e-6 * static_cast<double>(i));
      }
      auto const result = mann_whitney(larger, smaller);
      EXPECT_EQ(result.u, count_u(larger, smaller));
      return result.p;
    };
    EXPECT_LE(p_at(critical), 0.01) << m << " " << n;
    EXPECT_GT(p_at(critical + 1), 0.01) << m << " " << n;
  }
}

TEST(MannWhitney, ThePValueOfSmallSamplesIsThatOfThePermutationTest) {
  Random random(1, 2, 3);
  for (int trial = 0; trial < 300; ++trial) {
    Sample larger, smaller;
    auto const values = random.integer(1, 12);  // few different values give many ties
    for (auto i = random.integer(1, 6); i > 0; --i) larger.push_back(static_cast<double>(random.integer(0, values)));
    for (auto i = random.integer(1, 6); i > 0; --i) smaller.push_back(static_cast<double>(random.integer(0, values)));
    auto const result = mann_whitney(larger, smaller);
    EXPECT_TRUE(result.exact);
    EXPECT_EQ(result.u, count_u(larger, smaller));
    EXPECT_NEAR(result.p, by_permutations(larger, smaller), 1e-12);
  }
}

TEST(MannWhitney, TheApproximationForLargeSamplesAgreesWithTheExactDistribution) {
  // Compares the approximation with the exact distribution for the same samples.
  for (bool const ties : {false, true}) {
    Random random(4, 5, ties ? 1 : 0);
    for (int trial = 0; trial < 40; ++trial) {
      Sample larger, smaller;
      for (int i = 0; i < 30; ++i) {
        double const a = random.normal() + 0.02 * trial, b = random.normal();
        larger.push_back(ties ? std::round(2 * a) : a);
        smaller.push_back(ties ? std::round(2 * b) : b);
      }
      auto const exact = mann_whitney(larger, smaller), approximate = mann_whitney(larger, smaller, 0);
      EXPECT_TRUE(exact.exact);
      EXPECT_FALSE(approximate.exact);
      EXPECT_NEAR(approximate.p, exact.p, ties ? 0.005 : 0.002);
    }
  }
  // Documentation of scipy.stats.mannwhitneyu: the approximation gives 0.11134688653314041, two-sided.
  EXPECT_NEAR(2 * mann_whitney(Sample{19, 22, 16, 29, 24}, Sample{20, 11, 17, 12}, 0).p, 0.11134688653314041, 1e-15);
  // Ten copies of each value of this example exceed the range of the exact method. By hand: U = 1700, mean 1000, tie
  // correction for nine groups of ten.
  Sample larger, smaller;
  for (int i = 0; i < 10; ++i) {
    for (double const x : {19, 22, 16, 29, 24}) larger.push_back(x);
    for (double const x : {20, 11, 17, 12}) smaller.push_back(x);
  }
  auto const result = mann_whitney(larger, smaller);
  EXPECT_FALSE(result.exact);
  EXPECT_EQ(result.u, 1700);
  double const variance = 50.0 * 40 / 12 * (91 - 9 * 990.0 / (90 * 89)), z = (1700 - 1000 - 0.5) / std::sqrt(variance);
  EXPECT_NEAR(result.p, 0.5 * std::erfc(z / std::sqrt(2.0)), 1e-15);
}

TEST(MannWhitney, SeparatedSamplesHaveTheSmallestPossibleP) {
  EXPECT_NEAR(least_p(9, 9), 1.0 / 48620, 1e-18);
  Sample const larger{7, 8, 9, 10}, smaller{1, 2, 3};
  EXPECT_NEAR(mann_whitney(larger, smaller).p, least_p(4, 3), 1e-15);
  EXPECT_EQ(mann_whitney(smaller, larger).p, 1);
}

TEST(MannWhitney, EmptyOrEqualSamplesAreNotSignificant) {
  EXPECT_EQ(mann_whitney(Sample{}, Sample{1, 2}).p, 1);
  EXPECT_EQ(mann_whitney(Sample{1, 2}, Sample{}).p, 1);
  EXPECT_EQ(mann_whitney(Sample(5, 1.0), Sample(5, 1.0)).p, 1);
  EXPECT_EQ(mann_whitney(Sample(50, 1.0), Sample(50, 1.0)).p, 1);
}

}  // namespace mann_whitney_test
}  // namespace demeter::bench
