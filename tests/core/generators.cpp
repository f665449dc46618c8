#include "properties/core/generators.hpp"
#include "reference/core/rational.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

namespace demeter {
namespace generators_test {

using Point = Vector3<double>;

TEST(Generators, PointsAndDirectionsAreInTheirRanges) {
  Random random(1, 0, 0);
  Point sum = Point::Zero();
  for (int i = 0; i < 20'000; ++i) {
    Point const point = cube_point(random);
    ASSERT_LE(point.cwiseAbs().maxCoeff(), 1);
    Point const direction = unit_direction(random);
    ASSERT_NEAR(direction.norm(), 1, 4 * unit_roundoff);
    sum += direction;
    Point const normal = unit_perpendicular(direction, random);
    ASSERT_NEAR(normal.norm(), 1, 4 * unit_roundoff);
    ASSERT_NEAR(normal.dot(direction), 0, 32 * unit_roundoff);
  }
  EXPECT_LT(sum.norm() / 20'000, 0.03) << "no direction is preferred";
}

TEST(Generators, RotationsAreOrthogonalInLongDouble) {
  Random random(2, 0, 0);
  for (int i = 0; i < 5000; ++i) {
    auto const turn = rotation(random);
    ASSERT_LT((turn * turn.transpose() - decltype(turn)::Identity()).cwiseAbs().maxCoeff(), 64 * 0x1p-64L);
    ASSERT_NEAR(static_cast<double>(turn.determinant()), 1, 1e-15);
  }
}

RC_GTEST_PROP(Generators, FewBitsAreFew, ()) {
  Random random(*rc::gen::arbitrary<std::uint64_t>(), 0, 0);
  int const bits = *rc::gen::inRange(1, 50), exponent = *rc::gen::inRange(-900, 900);
  for (double const x : few_bits_vector(random, bits, exponent)) {
    double const whole = std::ldexp(x, -exponent);
    RC_ASSERT(whole == std::round(whole) && std::fabs(whole) < std::ldexp(1.0, bits));
  }
}

TEST(Generators, NudgeMovesEachCoordinateByUpToTwoUlps) {
  Random random(3, 0, 0);
  std::set<double> seen[3];
  for (int i = 0; i < 300; ++i) {
    Point const moved = nudge({1, -2, 3}, random, 2);
    for (int axis = 0; axis < 3; ++axis) seen[axis].insert(moved[axis]);
  }
  for (auto const& values : seen) EXPECT_EQ(values.size(), 5);
  EXPECT_TRUE(seen[0].count(1 + 0x1p-51) == 1 && seen[0].count(1 - 0x1p-52) == 1);
}

RC_GTEST_PROP(Generators, AddsExactlyAgreesWithRationals, ()) {
  Random random(*rc::gen::arbitrary<std::uint64_t>(), 0, 0);
  double const a = random.sign() * random.any_positive();
  double b = random.sign() * random.any_positive();
  switch (random.integer(0, 3)) {
    case 0:
      b = random.nudge(-a, 3);
      break;
    case 1:
      b = few_bits(random, 6, std::max(std::ilogb(a) - static_cast<int>(random.integer(0, 60)), -1074));
      break;
    case 2:
      b = a * random.uniform(-4, 4);
      break;
    default:
      break;
  }
  if (!std::isfinite(b)) return;
  bool const exact = std::isfinite(a + b) && Rational(a + b) == Rational(a) + Rational(b);
  RC_ASSERT(adds_exactly(a, b) == exact);
}

TEST(Generators, ExactAdditionRefusesOverflowAndRounding) {
  constexpr double largest = std::numeric_limits<double>::max();
  EXPECT_FALSE(adds_exactly(largest, largest));
  EXPECT_TRUE(adds_exactly(largest, -largest));
  EXPECT_FALSE(adds_exactly(1, 0x1p-60));
  EXPECT_TRUE(adds_exactly(1, 0x1p-52));
  EXPECT_TRUE(adds_exactly(0x1p-1074, 0x1p-1074));
}

RC_GTEST_PROP(Generators, ExponentRangeKeepsNumbersExact, ()) {
  Random random(*rc::gen::arbitrary<std::uint64_t>(), 0, 0);
  double const x = random.sign() * (random.chance(0.3) ? std::fabs(few_bits(random, 9, -1070)) : random.any_positive());
  if (x == 0) return;
  ExponentRange range;
  range.keep_exact(x);
  // At both ends of the range, scaling a number and scaling it back is exact. Beyond the ends it is not exact. The
  // upper limit 2^1020 is a convention.
  RC_ASSERT(std::ldexp(std::ldexp(x, range.low), -range.low) == x);
  if (range.low > -2000) RC_ASSERT(std::ldexp(std::ldexp(x, range.low - 1), 1 - range.low) != x);
  RC_ASSERT(std::fabs(std::ldexp(x, range.high)) < 0x1p1020 && std::fabs(std::ldexp(x, range.high)) >= 0x1p1019);
  int const drawn = range.draw(random);
  RC_ASSERT(drawn == 0 || (drawn >= range.low && drawn <= range.high));
}

RC_GTEST_PROP(Generators, ExponentRangeKeepsResultsWithin, ()) {
  Random random(*rc::gen::arbitrary<std::uint64_t>(), 0, 0);
  long double const x = random.any_positive();
  int const degree = *rc::gen::inRange(1, 6), lowest = *rc::gen::inRange(-1020, -10);
  ExponentRange range;
  range.keep_within(x, degree, lowest);
  if (range.low > range.high) return;
  auto const inside = [&](int k) {
    long double const result = std::ldexp(x, degree * k);
    return result >= std::ldexp(1.0L, lowest) && result <= 0x1p1020L;
  };
  RC_ASSERT(inside(range.low) && inside(range.high));
  RC_ASSERT(!inside(range.low - 1));
  RC_ASSERT(!inside(range.high + 1));
}

TEST(Generators, ExponentRangeCanBeUnlimitedOrEmpty) {
  Random random(4, 0, 0);
  ExponentRange range;
  range.keep_exact(0);
  range.keep_within(0, 3, -1000);
  EXPECT_EQ(range.low, -4000);
  EXPECT_EQ(range.high, 4000);
  range.keep_exact(0x1p-1074);
  range.keep_exact(0x1.8p1019);
  EXPECT_EQ(range.low, 0);
  EXPECT_EQ(range.high, 0);
  range.low = 5;
  EXPECT_EQ(range.draw(random), 0) << "an empty range";
  ExponentRange wide{-900, 900};
  int near = 0;
  for (int i = 0; i < 2000; ++i) {
    int const k = wide.draw(random);
    EXPECT_TRUE(k >= -900 && k <= 900);
    if (std::abs(k) <= 40) ++near;
  }
  EXPECT_NEAR(near, 1045, 150);
}

TEST(Generators, ViolationsAreInTolerancesAndInfiniteForNaN) {
  EXPECT_EQ(in_tolerances(3, 2), 1.5);
  EXPECT_EQ(in_tolerances(-3, 2), 0);
  EXPECT_EQ(in_tolerances(0, 0), 0);
  EXPECT_EQ(in_tolerances(1, 0), infinite);
  EXPECT_EQ(in_tolerances(std::numeric_limits<long double>::quiet_NaN(), 1), infinite);
  EXPECT_EQ(in_units_if_different(0, 1), 0);
  EXPECT_GT(in_units_if_different(0x1p-1074L, 1e300L), 1 - 1e-9);
  EXPECT_EQ(in_units_if_different(-static_cast<long double>(unit_roundoff), 1), 2);
  EXPECT_EQ(in_units_if_different(std::numeric_limits<long double>::quiet_NaN(), 1), infinite);
}

TEST(Generators, AnyDifferenceBreaksALawWithoutTolerance) {
  // A law is broken if its violation exceeds 1. A difference far below u times the scale must also give a violation
  // above 1.
  EXPECT_GT(in_units_if_different(0x1p-60L, 1), 1);
}

TEST(Generators, HashesDependOnEveryBitOfANumber) {
  std::set<std::uint64_t> seen;
  for (double const x : {0.0, -0.0, 1.0, 1 + 0x1p-52, 0x1p-1074}) seen.insert(mix_in(1, x));
  seen.insert(mix_in(2, 0.0));
  EXPECT_EQ(seen.size(), 6);
  EXPECT_EQ(mix_in(1, 2.0), mix_in(1, 2.0));
}

}  // namespace generators_test
}  // namespace demeter
