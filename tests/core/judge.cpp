#include "oracles/core/judge.hpp"

#include "tests/core/kernel_cases.hpp"

#include <gtest/gtest.h>

#include <array>

namespace demeter {
namespace judge_test {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double largest = std::numeric_limits<double>::max();
constexpr double u = unit_roundoff;

Judged judge_relative(double x, Enclosure const& truth, double units = 8, double condition = 1) {
  Judged judged;
  detail::judge_number(x, truth, 0, condition, Budget{"x", Measure::relative, units}, binary64, judged);
  return judged;
}
Judged judge_scale(double x, Enclosure const& truth, long double scale, double units = 8) {
  Judged judged;
  detail::judge_number(x, truth, scale, nan, Budget{"x", Measure::scale, units}, binary64, judged);
  return judged;
}

TEST(Judge, TheEdgeOfTheBudgetPassesAndOneUlpMoreFails) {
  double const edge = 1 + 8 * u;
  EXPECT_EQ(judge_relative(1, {1, 0, 0}).verdict, Verdict::pass);
  EXPECT_EQ(judge_relative(edge, {1, 0, 0}).verdict, Verdict::pass);
  EXPECT_EQ(judge_relative(std::nextafter(edge, 2), {1, 0, 0}).verdict, Verdict::fail);
  EXPECT_EQ(judge_relative(1 - 8 * u, {1, 0, 0}).verdict, Verdict::pass);
  EXPECT_EQ(judge_relative(1 - 9 * u, {1, 0, 0}).verdict, Verdict::fail);
  EXPECT_NEAR(judge_relative(edge, {1, 0, 0}).error, 8, 1e-9);
  EXPECT_NEAR(judge_relative(1 - 9 * u, {1, 0, 0}).error, 9, 1e-9);
  EXPECT_NEAR(judge_relative(1 - 9 * u, {1, 0, 0}, 8, 3).condition, 3, 1e-9);
}

TEST(Judge, IfErrorsAreRelativeToAScaleTheEdgeIsInUnitsOfTheScale) {
  EXPECT_EQ(judge_scale(8 * u * 4, {0, 0, 0}, 4).verdict, Verdict::pass);
  EXPECT_EQ(judge_scale(std::nextafter(8 * u * 4, 1), {0, 0, 0}, 4).verdict, Verdict::fail);
  EXPECT_EQ(judge_scale(0.5, {0.5L, 0, 0}, 0).verdict, Verdict::pass) << "without scale an exact answer passes";
  Judged const one = judge_scale(1 + 4 * u, {1, 0, 0}, 2);
  EXPECT_NEAR(one.error, 2, 1e-9);
  EXPECT_NEAR(one.relative, 4, 1e-9);
}

TEST(Judge, HalfTheSmallestSubnormalIsAlwaysAllowed) {
  constexpr double least = 0x1p-1074;
  EXPECT_EQ(judge_relative(0, {0x1p-1075L, 0, 0}).verdict, Verdict::pass);
  EXPECT_EQ(judge_relative(least, {0x1p-1075L, 0, 0}).verdict, Verdict::pass);
  EXPECT_EQ(judge_relative(0, {0x1p-1075L * 1.01L, 0, 0}).verdict, Verdict::fail);
  EXPECT_EQ(judge_relative(least, {0x1.8p-1074L, 0, 0}).verdict, Verdict::pass);
  EXPECT_EQ(judge_relative(0, {0x1p-1074L, 0, 0}).verdict, Verdict::fail);
  EXPECT_EQ(judge_relative(2 * least, {0x1p-1074L, 0, 0}).verdict, Verdict::fail);
  EXPECT_EQ(judge_relative(0, {0x1p-3000L, 0, 0}).verdict, Verdict::pass);
  EXPECT_EQ(judge_relative(0, {0x1p-1076L, 0, 0}).error, 0) << "not a finite error over next to nothing";
}

TEST(Judge, IfErrorsAreRelativeToTheTruthAZeroTruthRequiresZero) {
  EXPECT_EQ(judge_relative(0, {0, 0, 0}).verdict, Verdict::pass);
  EXPECT_EQ(judge_relative(-0.0, {0, 0, 0}).verdict, Verdict::pass) << "-0 is zero";
  EXPECT_EQ(judge_relative(0, {0, 0, 0}).error, 0);
  EXPECT_EQ(judge_relative(0x1p-1074, {0, 0, 0}).verdict, Verdict::fail);
  EXPECT_EQ(judge_relative(1e-300, {0, 0, 0}).error, infinity);
  EXPECT_EQ(judge_scale(1e-300, {0, 0, 0}, 1).verdict, Verdict::pass);
}

TEST(Judge, NaNAlwaysFails) {
  for (double const x : {nan, -nan, std::numeric_limits<double>::signaling_NaN()}) {
    Judged const judged = judge_relative(x, {1, 0, 0});
    EXPECT_TRUE(judged.computed);
    EXPECT_EQ(judged.verdict, Verdict::fail);
    EXPECT_EQ(judged.error, infinity);
  }
  EXPECT_EQ(judge_relative(nan, {0x1p2000L, 0, 0}).verdict, Verdict::fail);
}

TEST(Judge, InfinityPassesOnlyIfTheTruthRoundsToIt) {
  EXPECT_EQ(judge_relative(infinity, {1, 0, 0}).verdict, Verdict::fail);
  EXPECT_EQ(judge_relative(infinity, {1, 0, 0}).error, infinity);
  EXPECT_EQ(judge_relative(infinity, {0x1p1024L, 0, 0}).verdict, Verdict::pass);
  EXPECT_EQ(judge_relative(-infinity, {0x1p1024L, 0, 0}).verdict, Verdict::fail) << "of the wrong sign";
  EXPECT_EQ(judge_relative(-infinity, {-0x1p1024L, 0, 0}).verdict, Verdict::pass);
  EXPECT_EQ(judge_relative(infinity, {static_cast<long double>(largest), 0, 0}).verdict, Verdict::pass)
      << "within the budget of the largest double something rounds to infinity";
  EXPECT_EQ(judge_relative(infinity, {largest * (1 - 100 * static_cast<long double>(u)), 0, 0}).verdict, Verdict::fail);
  EXPECT_EQ(judge_relative(largest, {0x1p1024L, 0, 0}).verdict, Verdict::pass) << "one ulp off";
  EXPECT_EQ(judge_relative(largest, {0x1p1025L, 0, 0}).verdict, Verdict::fail);
}

TEST(Judge, ValuesThatWereNotComputedAreNotJudged) {
  EXPECT_FALSE(judge_relative(not_computed(), {1, 0, 0}).computed);
  EXPECT_FALSE(judge_relative(1, {0, 0, std::numeric_limits<long double>::infinity()}).computed)
      << "nor what is not unique";
}

TEST(Judge, ACaseIsUndecidedIfTheEnclosureContainsTheEdgeOfTheBudget) {
  long double const width = 2 * static_cast<long double>(u);
  EXPECT_EQ(judge_relative(1, {1, 0, width}).verdict, Verdict::pass);
  EXPECT_EQ(judge_relative(1 + 8 * u, {1, 0, width}).verdict, Verdict::undecided);
  EXPECT_EQ(judge_relative(1 + 12 * u, {1, 0, width}).verdict, Verdict::fail);
}

TEST(Judge, TheLowPartOfTheTruthCanDecideTheVerdict) {
  // The truth is slightly above or slightly below 1. The same answer is then just inside or just outside the budget.
  EXPECT_EQ(judge_relative(1 + 8 * u, {1, 0x1p-80L, 0}).verdict, Verdict::pass);
  EXPECT_EQ(judge_relative(1 + 8 * u, {1, -0x1p-80L, 0}).verdict, Verdict::fail);
}

TEST(Judge, TheWorstOfSeveralNumbersIsReported) {
  Judged judged;
  Budget const budget{"x", Measure::relative, 8};
  detail::judge_number(1 + 2 * u, {1, 0, 0}, 0, 1, budget, binary64, judged);
  detail::judge_number(1 + 20 * u, {1, 0, 0}, 0, 1, budget, binary64, judged);
  detail::judge_number(1, {1, 0, 0}, 0, 1, budget, binary64, judged);
  EXPECT_EQ(judged.verdict, Verdict::fail);
  EXPECT_NEAR(judged.error, 20, 1e-9);
  detail::judge_number(1 + 8 * u, {1, 0, 2 * static_cast<long double>(u)}, 0, 1, budget, binary64, judged);
  EXPECT_EQ(judged.verdict, Verdict::fail) << "undecided does not hide a failure";
  Judged other;
  detail::judge_number(1 + 8 * u, {1, 0, 2 * static_cast<long double>(u)}, 0, 1, budget, binary64, other);
  detail::judge_number(1, {1, 0, 0}, 0, 1, budget, binary64, other);
  EXPECT_EQ(other.verdict, Verdict::undecided) << "and a pass does not hide undecided";
}

// A test contract with two measures and an output that is not unique.
template <class Scalar>
struct In {
  Scalar size;
  static constexpr auto fields() { return std::tuple{field("size", &In::size, "", "")}; }
};
template <class Scalar>
struct Out {
  Scalar value, choice;
  Vector3<Scalar> vector;
  static constexpr auto fields() {
    return std::tuple{field("value", &Out::value, "", ""), field("choice", &Out::choice, "", ""),
                      field("vector", &Out::vector, "", "")};
  }
};
struct Contract {
  template <class Scalar>
  using Input = In<Scalar>;
  template <class Scalar>
  using Output = Out<Scalar>;
  static constexpr std::array budgets{Budget{"vector", Measure::scale, 4}, Budget{"value", Measure::relative, 8},
                                      Budget{"choice", Measure::optimality, 2}};
  static Out<long double> scale(In<double> const& in) {
    long double const s = in.size;
    return {0, s, {s, s, s}};
  }
};

constexpr OracleHooks<Contract> hooks{
    .excess =
        [](In<double> const&, Out<Enclosure> const&, Out<double> const& out) {
          return Enclosure{std::fabs(static_cast<long double>(out.choice)), 0, 0};
        },
    .refined_excess = [](In<double> const&, Out<Interval> const&,
                         Out<double> const& out) { return Interval::exactly(out.choice); }};

std::array<Judged, 3> judge_all(Out<double> const& answer, double factor = 1) {
  Out<Enclosure> truth;
  truth.value = {1, 0, 0};
  truth.choice = {0, 0, std::numeric_limits<long double>::infinity()};
  for (int i = 0; i < 3; ++i) truth.vector[i] = {0, 0, 0};
  return testing_kernels::judged<Contract, hooks>({16}, truth, answer, {{4 * factor, 8 * factor, 2 * factor}});
}

TEST(Judge, EachOutputIsJudgedByItsOwnBudgetAndMeasure) {
  auto judged = judge_all({1, 0, {0, 0, 0}});
  for (Judged const& each : judged) {
    EXPECT_TRUE(each.computed);
    EXPECT_EQ(each.verdict, Verdict::pass);
    EXPECT_EQ(each.error, 0);
  }
  judged = judge_all({1 + 10 * u, 32 * u, {0, -64 * u, 16 * u}});
  EXPECT_EQ(judged[0].verdict, Verdict::pass);
  EXPECT_NEAR(judged[0].error, 4, 1e-9) << "the worst component over the scale 16";
  EXPECT_EQ(judged[1].verdict, Verdict::fail);
  EXPECT_EQ(judged[2].verdict, Verdict::pass);
  EXPECT_NEAR(judged[2].error, 2, 1e-9);
  EXPECT_TRUE(std::isnan(judged[1].condition) || judged[1].condition == 0) << "no condition in this contract";
  judged = judge_all({1, std::nextafter(32 * u, 1), {0, 65 * u, 0}});
  EXPECT_EQ(judged[0].verdict, Verdict::fail);
  EXPECT_EQ(judged[2].verdict, Verdict::fail);
}

TEST(Judge, AFactorOfTheUserMultipliesEveryBudget) {
  auto const judged = judge_all({1 + 10 * u, 40 * u, {65 * u, 0, 0}}, 1.5);
  for (Judged const& each : judged) EXPECT_EQ(each.verdict, Verdict::pass);
  for (Judged const& each : judge_all({1 + 2 * u, 2 * u, {2 * u, 0, 0}}, 0)) EXPECT_EQ(each.verdict, Verdict::fail);
}

TEST(Judge, OutputsThatWereNotComputedAreNotCounted) {
  auto const judged = judge_all({not_computed(), not_computed(), Vector3<double>::Constant(not_computed())});
  for (Judged const& each : judged) EXPECT_FALSE(each.computed);
  auto const some = judge_all({1, not_computed(), {0, 0, 0}});
  EXPECT_TRUE(some[0].computed && some[1].computed && !some[2].computed);
}

/// A test contract: a unit direction that is not unique. The whole vector gets one verdict, with scales up to 8.
template <class Scalar>
struct Direction {
  Vector3<Scalar> axis;
  static constexpr auto fields() { return std::tuple{field("axis", &Direction::axis, "", "")}; }
};
struct DirectionContract {
  template <class Scalar>
  using Input = In<Scalar>;
  template <class Scalar>
  using Output = Direction<Scalar>;
  static constexpr std::array budgets{Budget{"axis", Measure::optimality, 2}};
  static Direction<long double> scale(In<double> const&) { return {{4, 8, 2}}; }
};

constexpr OracleHooks<DirectionContract> direction_hooks{
    .excess =
        [](In<double> const&, Direction<Enclosure> const&, Direction<double> const& out) {
          return Enclosure{std::fabs(static_cast<long double>(out.axis[0]) - 1), 0, 0};
        },
    .refined_excess = [](In<double> const&, Direction<Interval> const&,
                         Direction<double> const& out) { return Interval::exactly(out.axis[0] - 1); }};

TEST(Judge, TheDistanceFromTheOptimumIsRelativeToTheLargestScaleOfAVector) {
  auto const judged = [](Vector3<double> const& axis) {
    return testing_kernels::judged<DirectionContract, direction_hooks>({16}, Direction<Enclosure>{}, {axis})[0];
  };
  EXPECT_EQ(judged({1, 0, 0}).verdict, Verdict::pass);
  EXPECT_EQ(judged({1 + 16 * u, 0, 0}).verdict, Verdict::pass);
  EXPECT_NEAR(judged({1 + 16 * u, 0, 0}).error, 2, 1e-9);
  EXPECT_EQ(judged({1 + 18 * u, 0, 0}).verdict, Verdict::fail);
  EXPECT_FALSE(judged(Vector3<double>::Constant(not_computed())).computed);
}

}  // namespace judge_test
}  // namespace demeter
