#include "kernels/random.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>
#include <vector>

namespace demeter {
namespace random_test {

TEST(Random, NumbersOfAStreamNeverChange) {
  // A case is a function of seed, regime and id, which is the same on every platform. A change of these numbers would
  // change every case that was ever reported.
  Random random(1, 2, 3);
  EXPECT_EQ(random.bits(), 0xa35193d705b8cc9au);
  EXPECT_EQ(random.bits(), 0x549692a760749feeu);
  EXPECT_EQ(Random(0, 0, 0).bits(), 0xbdfd66eb9053a441u);
  EXPECT_EQ(Random(1, 2, 3).unit(), 0x1.46a327ae0b719p-1);
}

TEST(Random, PowersOfTenHaveErrorsOfAtMostTwoUlps) {
  Random random(10, 0, 0);
  for (int i = 0; i < 100'000; ++i) {
    double const x = random.uniform(-307, 307), power = power_of_ten(x);
    long double const truth = std::pow(10.0L, static_cast<long double>(x));
    ASSERT_LE(std::fabs(power - truth), 2 * std::ldexp(1.0L, std::ilogb(power) - 52)) << x;
  }
}

TEST(Random, SeedStreamAndIndexChangeTheNumbers) {
  std::set<std::uint64_t> seen;
  for (std::uint64_t seed = 0; seed < 10; ++seed)
    for (std::uint64_t stream = 0; stream < 10; ++stream)
      for (std::uint64_t index = 0; index < 100; ++index) seen.insert(Random(seed, stream, index).bits());
  EXPECT_EQ(seen.size(), 10'000);
}

TEST(Random, UnitIsInTheHalfOpenIntervalAndUniform) {
  Random random(5, 0, 0);
  std::vector<int> bins(16);
  for (int i = 0; i < 160'000; ++i) {
    double const x = random.unit();
    ASSERT_TRUE(x >= 0 && x < 1);
    ASSERT_EQ(x * 0x1p53, std::floor(x * 0x1p53));
    ++bins[static_cast<std::size_t>(x * 16)];
  }
  for (int const count : bins) EXPECT_NEAR(count, 10'000, 600);  // six standard deviations
}

TEST(Random, IntegersReachBothEnds) {
  Random random(6, 0, 0);
  std::set<std::int64_t> seen;
  for (int i = 0; i < 1000; ++i) seen.insert(random.integer(-3, 4));
  EXPECT_EQ(seen, (std::set<std::int64_t>{-3, -2, -1, 0, 1, 2, 3, 4}));
  EXPECT_EQ(random.integer(7, 7), 7);
  std::int64_t const low = std::numeric_limits<std::int64_t>::min(), high = std::numeric_limits<std::int64_t>::max();
  bool negative = false, positive = false;
  for (int i = 0; i < 100; ++i) (random.integer(low, high) < 0 ? negative : positive) = true;
  EXPECT_TRUE(negative && positive);
}

TEST(Random, AnyPositiveCoversAllExponents) {
  Random random(7, 0, 0);
  int subnormal = 0, least = 2000, most = -2000;
  for (int i = 0; i < 100'000; ++i) {
    double const x = random.any_positive();
    ASSERT_TRUE(x > 0 && std::isfinite(x));
    if (x < std::numeric_limits<double>::min()) ++subnormal;
    least = std::min(least, std::ilogb(x));
    most = std::max(most, std::ilogb(x));
  }
  EXPECT_GT(subnormal, 10);
  EXPECT_LE(least, -1023);
  EXPECT_EQ(most, 1023);
}

TEST(Random, NormalHasMeanZeroAndVarianceOne) {
  Random random(8, 0, 0);
  double sum = 0, squares = 0;
  for (int i = 0; i < 100'000; ++i) {
    double const x = random.normal();
    sum += x;
    squares += x * x;
  }
  EXPECT_NEAR(sum / 1e5, 0, 0.02);
  EXPECT_NEAR(squares / 1e5, 1, 0.03);
}

TEST(Random, LogUniformSignAndChanceHaveTheirDistributions) {
  Random random(9, 0, 0);
  int small = 0, negative = 0, yes = 0;
  for (int i = 0; i < 10'000; ++i) {
    double const x = random.log_uniform(-4, 2);
    ASSERT_TRUE(x >= 0.999e-4 && x <= 100.1);
    if (x < 0.1) ++small;
    double const sign = random.sign();
    ASSERT_TRUE(sign == 1 || sign == -1);
    if (sign < 0) ++negative;
    if (random.chance(0.25)) ++yes;
    ASSERT_FALSE(random.chance(0));
    ASSERT_TRUE(random.chance(1));
  }
  EXPECT_NEAR(small, 5000, 300);
  EXPECT_NEAR(negative, 5000, 300);
  EXPECT_NEAR(yes, 2500, 300);
}

RC_GTEST_PROP(Random, NudgeMovesByAtMostTheUlpsAskedFor, ()) {
  Random random(*rc::gen::arbitrary<std::uint64_t>(), 0, 0);
  int const k = *rc::gen::inRange(0, 8);
  double const value = random.sign() * random.any_positive();
  double const moved = random.nudge(value, k);
  int steps = 0;
  for (double x = value; x != moved && steps <= k; ++steps) x = std::nextafter(x, moved);
  RC_ASSERT(steps <= k);
}

}  // namespace random_test
}  // namespace demeter
