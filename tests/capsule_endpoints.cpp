#include "fast/capsule_endpoints.hpp"
#include "oracles/capsule_endpoints.hpp"
#include "oracles/core/judge.hpp"
#include "properties/capsule_endpoints.hpp"
#include "reference/capsule_endpoints.hpp"
#include "reference/core/scalars.hpp"
#include "reference/printed/capsule_endpoints.hpp"
#include "reference/spec/core/table.hpp"
#include "tests/core/kernel_cases.hpp"
#include "tests/core/rationals.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace demeter::capsule_endpoints {
namespace {

using namespace testing_kernels;
using Case = Input<double>;
using Answer = Output<double>;
using Point = Vector3<double>;

// ------------------------------------------------------------------------------------------------------------ helpers

constexpr std::uint64_t seed = 22;
constexpr Tested<Contract, oracle::hooks> tested{properties::regimes, properties::laws, oracle::truth, seed};
constexpr std::size_t outputs = 16;

std::array<double, outputs> cells(Answer const& a) {
  std::array<double, outputs> all;
  std::size_t next = 0;
  for (Point const* vector : {&a.half, &a.end0, &a.end1, &a.box_low, &a.box_high})
    for (double const x : *vector) all[next++] = x;
  all[next] = a.bounding_radius;
  return all;
}

/// Calls `check(truth, exact)` for each number of two outputs.
template <class Truth, class Check>
void for_each_number(Output<Truth> const& truth, Output<Rational> const& exact, Check&& check) {
  for (Index i = 0; i < 3; ++i) {
    check(truth.half[i], exact.half[i]);
    check(truth.end0[i], exact.end0[i]);
    check(truth.end1[i], exact.end1[i]);
    check(truth.box_low[i], exact.box_low[i]);
    check(truth.box_high[i], exact.box_high[i]);
  }
  check(truth.bounding_radius, exact.bounding_radius);
}
Output<Rational> exact_answer(Case const& in) { return reference::evaluate(cast<Input<Rational>>(in)); }

/// Returns the result of the reference in rationals, rounded to double: the most accurate possible answer.
Answer accurate(Case const& in) {
  return cast<Answer>(cast<Output<Multiprecision>>(reference::evaluate(cast<Input<Rational>>(in))));
}

/// Returns a capsule of radius 1 and shaft 2 at (10, 20, 30) with this orientation.
Case turned(double w, double x, double y, double z) { return {{10, 20, 30}, {w, x, y, z}, 1, 2}; }

// ---------------------------------------------------------------------------------------------------------- reference

TEST(CapsuleEndpoints, TheRationalAxisIsTheFirstColumnOfARotation) {
  tested.for_each_case(cases(300), [](Case const& in) {
    auto const q = cast<Input<Rational>>(in).orientation;
    Vector3<Rational> const axis = reference::axis<Rational>(q);
    EXPECT_EQ(axis.dot(axis), 1);
    // A rotation about r = (x, y, z) does not change the dot product of a vector with r. Local x and its image
    // therefore have the same dot product with r.
    Vector3<Rational> const r(q[1], q[2], q[3]);
    EXPECT_EQ(axis.dot(r), r[0]);
  });
}

TEST(CapsuleEndpoints, AnswersAgreeWithHandComputedPoses) {
  struct Known {
    char const* what;
    Case in;
    Point half, box;  ///< the corners of the box are position -+ box
  };
  for (Known const& known : {
           Known{"as it is", turned(1, 0, 0, 0), {1, 0, 0}, {2, 1, 1}},
           Known{"of length 4", turned(-4, 0, 0, 0), {1, 0, 0}, {2, 1, 1}},
           Known{"half a turn about y", turned(0, 0, 1, 0), {-1, 0, 0}, {2, 1, 1}},
           Known{"a quarter about z", turned(1, 0, 0, 1), {0, 1, 0}, {1, 2, 1}},
           Known{"a quarter back about z", turned(1, 0, 0, -1), {0, -1, 0}, {1, 2, 1}},
           Known{"a quarter about y", turned(1, 0, 1, 0), {0, 0, -1}, {1, 1, 2}},
           Known{"a third about the diagonal", turned(1, 1, 1, 1), {0, 1, 0}, {1, 2, 1}},
           Known{"about itself", turned(3, 4, 0, 0), {1, 0, 0}, {2, 1, 1}},
           // For w = 2 and z = 1, (w^2 - z^2, 2 w z) / (w^2 + z^2) is (3, 4) / 5.
           Known{"3 4 5", turned(2, 0, 0, 1), {.6, .8, 0}, {1.6, 1.8, 1}},
       }) {
    SCOPED_TRACE(known.what);
    Output<Enclosure> const truth = oracle::truth(known.in);
    for (Index i = 0; i < 3; ++i) EXPECT_EQ(static_cast<double>(truth.half[i].high), known.half[i]);
    for (Answer const& answer : {reference::evaluate(known.in), fast::evaluate(known.in)}) {
      EXPECT_TRUE(tested.passes(known.in, answer));
      EXPECT_LE((answer.half - known.half).cwiseAbs().maxCoeff(), 0x1p-53);
      EXPECT_LE((answer.end0 - (known.in.position - known.half)).cwiseAbs().maxCoeff(), 0x1p-48);
      EXPECT_LE((answer.end1 - (known.in.position + known.half)).cwiseAbs().maxCoeff(), 0x1p-48);
      EXPECT_LE((answer.box_low - (known.in.position - known.box)).cwiseAbs().maxCoeff(), 0x1p-48);
      EXPECT_LE((answer.box_high - (known.in.position + known.box)).cwiseAbs().maxCoeff(), 0x1p-48);
      EXPECT_EQ(answer.bounding_radius, 2);
    }
  }
}

TEST(CapsuleEndpoints, DomainErrorsNameTheField) {
  Case const fine = turned(1, 0, 0, 0);
  auto const field_of = [&](auto const& change) { return testing_kernels::field_refused<Contract>(fine, change); };
  EXPECT_EQ(field_of([](Case&) {}), "");
  EXPECT_EQ(field_of([](Case& in) { in.orientation.setZero(); }), "orientation");
  EXPECT_EQ(field_of([](Case& in) { in.orientation = {0, 0, 0, -0x1p-1074}; }), "");
  EXPECT_EQ(field_of([](Case& in) { in.radius = 0; }), "radius");
  EXPECT_EQ(field_of([](Case& in) { in.shaft = 0; }), "");
  EXPECT_EQ(field_of([](Case& in) { in.shaft = -1; }), "shaft");
}

// ------------------------------------------------------------------------------------------------- printed formulas

TEST(CapsuleEndpoints, PrintedFormulasAreRightForUnitQuaternions) {
  auto const keeps = [](auto const& formula) {
    tested.for_each_in("lattice", [&](Case const& in) {
      // The quaternion is normalised with 50 digits.
      auto unit = cast<Input<Multiprecision>>(in);
      unit.orientation /= sqrt(unit.orientation.squaredNorm());
      auto const printed = cast<Answer>(formula(unit)), expected = accurate(in);
      for (std::size_t k = 0; k < outputs; ++k)
        EXPECT_NEAR(cells(printed)[k], cells(expected)[k],
                    1e-15 * static_cast<double>(Contract::scale(in).box_low[0] + 4));
    });
  };
  keeps([](auto const& in) { return printed::eigen(in); });
  keeps([](auto const& in) { return printed::matrix(in); });
  keeps([](auto const& in) { return printed::normalised(in); });
}

TEST(CapsuleEndpoints, PrintedFormulasAreWrongForNonUnitQuaternions) {
  // A quaternion of length 1.01 that rotates by 90 degrees about z: local x should become y.
  Case const in = turned(1.01 * std::sqrt(.5), 0, 0, 1.01 * std::sqrt(.5));
  Answer const eigen = printed::eigen(in), matrix = printed::matrix(in);
  EXPECT_NEAR(matrix.half.norm(), 1.0201, 1e-12);  // right direction, but too long by the factor |q|^2
  EXPECT_NEAR(matrix.half[0], 0, 1e-12);
  EXPECT_NEAR(eigen.half[0], 1 - 1.0201, 1e-12);  // the direction is wrong
  EXPECT_NEAR(eigen.half[1], 1.0201, 1e-12);
  EXPECT_NEAR(fast::evaluate(in).half.norm(), 1, 1e-15);
  // The square of the length of this quaternion overflows.
  Case const far = turned(1e200, 0, 0, 1e200);
  EXPECT_TRUE(std::isnan(printed::matrix(far).half[0]));
  EXPECT_FALSE(tested.passes(far, printed::normalised(far)));
  EXPECT_EQ(fast::evaluate(far).half, Point(0, 1, 0));
}

TEST(CapsuleEndpoints, NormalisedFormulaIsWithinTheBudgetIfSquaresDoNotOverflow) {
  for (std::string_view const regime : {"typical", "nearly_unit", "far_from_unit", "axis_aligned", "nearly_aligned",
                                        "half_turn", "lattice", "offset", "tiny"})
    for (std::uint64_t id = 0; id < cases(20'000); ++id) {
      Case const in = tested.draw(regime, id);
      ASSERT_TRUE(tested.passes(in, printed::normalised(in))) << regime << " " << text(in);
    }
}

// ------------------------------------------------------------------------------------------------------------- oracle

TEST(CapsuleEndpoints, OracleEnclosesTheExactRationalAnswer) {
  tested.for_each_case(cases(1000), [](Case const& in) {
    Output<Enclosure> const truth = oracle::truth(in);
    auto const largest = Contract::scale(in).box_low.maxCoeff();
    for_each_number(truth, exact_answer(in), [&](Enclosure const& x, Rational const& value) {
      EXPECT_TRUE(encloses(x, value));
      EXPECT_LE(x.radius, largest * 0x1p-120L);
    });
    for (Index i = 0; i < 3; ++i) EXPECT_LE(truth.half[i].radius, std::fabs(truth.half[i].high) * 0x1.01p-122L);
  });
}

TEST(CapsuleEndpoints, OracleWithFixedWidthIntegersEqualsOracleWithIntegersOfAnyWidth) {
  tested.for_each_case(cases(3000), [](Case const& in) {
    auto const truth = oracle::truth(in), again = oracle::exact_truth(in);
    for (Index i = 0; i < 3; ++i) {
      EXPECT_TRUE(same_bits(truth.half[i], again.half[i]));
      EXPECT_TRUE(same_bits(truth.end0[i], again.end0[i]));
      EXPECT_TRUE(same_bits(truth.end1[i], again.end1[i]));
      EXPECT_TRUE(same_bits(truth.box_low[i], again.box_low[i]));
      EXPECT_TRUE(same_bits(truth.box_high[i], again.box_high[i]));
    }
    EXPECT_TRUE(same_bits(truth.bounding_radius, again.bounding_radius));
  });
}

TEST(CapsuleEndpoints, FixedWidthIntegersOfTheOracleDoNotOverflow) {
  Random random(seed, 0, 0);
  for (int const width : {61, 125}) {
    double const top = std::ldexp(1.0, width) - std::ldexp(1.0, width - 53);
    for (std::uint64_t i = 0; i < cases(20'000); ++i) {
      auto const component = [&] {
        double const sign = random.sign();
        return random.chance(0.7) ? sign * top : sign * std::floor(random.unit() * 0x1p20);
      };
      double const w = component(), x = component(), y = component();
      Case const in = turned(w, x, y, 1);  // with z = 1, the common grid has the full width
      auto const truth = oracle::truth(in), again = oracle::exact_truth(in);
      for (Index k = 0; k < 3; ++k) ASSERT_TRUE(same_bits(truth.half[k], again.half[k])) << text(in);
    }
  }
}

TEST(CapsuleEndpoints, RefinedIntervalsEncloseTheExactRationalAnswer) {
  tested.for_each_case(cases(100), [](Case const& in) {
    for_each_number(oracle::refined_truth(in, 300), exact_answer(in), [](Interval const& x, Rational const& value) {
      EXPECT_LE(mpfr_cmp_q(x.low(), value.backend().data()), 0);
      EXPECT_GE(mpfr_cmp_q(x.high(), value.backend().data()), 0);
    });
  });
}

// --------------------------------------------------------------------------------------------------------------- fast

TEST(CapsuleEndpoints, FastIsWithinTheBoundsStatedInItsHeader) {
  // The bounds in the header are half of the budgets.
  tested.for_each_case(cases(20'000), [](Case const& in) {
    auto const all = tested.judged(in, fast::evaluate(in));
    EXPECT_LE(all[0].error, 4);
    for (std::size_t k = 1; k < 5; ++k) EXPECT_LE(all[k].error, 9);
    EXPECT_LE(all[5].relative, 1);
  });
}

TEST(CapsuleEndpoints, TheBoundingRadiusIsRoundedCorrectly) {
  tested.for_each_case(
      cases(1000), [](Case const& in) { EXPECT_EQ(fast::evaluate(in).bounding_radius, accurate(in).bounding_radius); });
}

TEST(CapsuleEndpoints, MultiplyingAQuaternionByMinusAPowerOfTwoGivesTheSameBits) {
  for (std::uint64_t id = 0; id < cases(20'000); ++id) {
    Case const in = tested.draw("typical", id);
    Answer const expected = fast::evaluate(in);
    for (int const k : {-960, -300, -1, 1, 300, 1022}) {
      Case other = in;
      for (double& each : other.orientation) each = std::ldexp(-each, k);
      ASSERT_TRUE(same_bits(fast::evaluate(other), expected)) << k << " " << text(in);
    }
  }
}

TEST(CapsuleEndpoints, FastIsRightForLengthsNearTheLargestDouble) {
  constexpr double largest = std::numeric_limits<double>::max();
  Case const in{{largest, -largest, 0}, {1, 0, 0, 1}, largest / 4, largest};
  Answer const answer = fast::evaluate(in);
  EXPECT_EQ(answer.half, Point(0, largest / 2, 0));
  EXPECT_EQ(answer.end0, Point(largest, -std::numeric_limits<double>::infinity(), 0));
  EXPECT_EQ(answer.end1, Point(largest, -largest / 2, 0));
  EXPECT_EQ(answer.box_high[1], -largest / 4);
  EXPECT_EQ(answer.bounding_radius, 0.75 * largest);
  Random random(seed, 2, 0);
  for (std::uint64_t i = 0; i < cases(20'000); ++i) {
    Case each = tested.draw("range_of_quaternion", i);
    each = properties::each_length(each, [&](double) {
      double const sign = random.sign();
      return random.chance(0.3) ? sign * largest : sign * random.unit() * largest;
    });
    each.radius = std::max(std::fabs(each.radius), 1.0);
    each.shaft = std::fabs(each.shaft);
    ASSERT_TRUE(tested.passes(each, fast::evaluate(each))) << text(each);
  }
}

TEST(CapsuleEndpoints, FastIsRightForSubnormalLengths) {
  Random random(seed, 3, 0);
  for (std::uint64_t i = 0; i < cases(20'000); ++i) {
    Case in = tested.draw("typical", i);
    in = properties::each_length(
        in, [&](double) { return few_bits(random, static_cast<int>(random.integer(1, 20)), -1074); });
    in.radius = std::max(std::fabs(in.radius), 0x1p-1074);
    in.shaft = std::fabs(in.shaft);
    ASSERT_TRUE(tested.passes(in, fast::evaluate(in))) << text(in);
  }
}

RC_GTEST_PROP(CapsuleEndpoints, FastIsWithinItsBudgetForAnySeed, ()) {
  auto const regime = *rc::gen::inRange<std::size_t>(0, properties::regimes().size());
  Random random(*rc::gen::arbitrary<std::uint64_t>(), regime, *rc::gen::arbitrary<std::uint64_t>());
  Case const in = properties::regimes()[regime].draw(random);
  RC_ASSERT(tested.passes(in, fast::evaluate(in)));
}

// ------------------------------------------------------------------------------------------------------------ regimes

TEST(CapsuleEndpoints, QuaternionsHaveTheLengthsThatTheirRegimesState) {
  auto const off_unit = [](Case const& in) {
    return std::fabs(static_cast<double>(in.orientation.cast<long double>().norm()) - 1);
  };
  for (std::string_view const regime :
       {"typical", "axis_aligned", "nearly_aligned", "half_turn", "sphere", "tiny", "offset"})
    tested.for_each_in(regime, [&](Case const& in) { EXPECT_LT(off_unit(in), 1e-15); });
  double least = 1, most = 0;
  tested.for_each_in("nearly_unit", [&](Case const& in) {
    least = std::min(least, off_unit(in));
    most = std::max(most, off_unit(in));
  });
  EXPECT_LT(least, 1e-15);
  EXPECT_GT(most, 1e-4);
  EXPECT_LT(most, 1.1e-3);
  int zeros = 0, subnormal = 0, huge = 0, aligned = 0;
  tested.for_each_in("half_turn", [&](Case const& in) {
    EXPECT_LT(std::fabs(in.orientation[0]), 1.1e-3);
    if (in.orientation[0] == 0) ++zeros;
  });
  EXPECT_GT(zeros, 100);
  tested.for_each_in("range_of_quaternion", [&](Case const& in) {
    double const greatest = in.orientation.cwiseAbs().maxCoeff();
    if (greatest < 0x1p-1022) ++subnormal;
    if (greatest > 0x1p900) ++huge;
  });
  EXPECT_GT(subnormal, 2);
  EXPECT_GT(huge, 5);
  tested.for_each_in("axis_aligned", [&](Case const& in) {
    Rational greatest = 0;
    for (Index i = 0; i < 3; ++i) greatest = std::max(greatest, Rational(abs(exact_answer(in).half[i])));
    if (greatest == Rational(in.shaft) / 2) ++aligned;
  });
  EXPECT_EQ(aligned, 300);
  tested.for_each_in("nearly_aligned", [&](Case const& in) {
    EXPECT_GT(fast::evaluate(in).half.cwiseAbs().maxCoeff(), 0.47 * in.shaft);
  });
  tested.for_each_in("sphere", [](Case const& in) { EXPECT_EQ(in.shaft, 0); });
}

}  // namespace
}  // namespace demeter::capsule_endpoints
