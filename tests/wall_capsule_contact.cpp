#include "fast/wall_capsule_contact.hpp"
#include "oracles/core/judge.hpp"
#include "oracles/wall_capsule_contact.hpp"
#include "properties/wall_capsule_contact.hpp"
#include "reference/core/scalars.hpp"
#include "reference/printed/wall_capsule_contact.hpp"
#include "reference/spec/core/table.hpp"
#include "reference/wall_capsule_contact.hpp"
#include "tests/core/kernel_cases.hpp"
#include "tests/core/rationals.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace demeter::wall_capsule_contact {
namespace {

using namespace testing_kernels;
using Case = Input<double>;
using Answer = Output<double>;
using Point = Vector3<double>;

// ------------------------------------------------------------------------------------------------------------ helpers

constexpr std::uint64_t seed = 21;
constexpr Tested<Contract, oracle::hooks> tested{properties::regimes, properties::laws, oracle::truth, seed};

/// Returns the exact gaps of both ends.
std::array<Rational, 2> exact_gaps(Case const& in) { return reference::gaps(cast<Input<Rational>>(in)); }

/// Returns a capsule whose axis is in the plane y = 0, above the wall z = 0.
Case on_floor(double x, double z, double half_x, double half_z, double radius) {
  return {0, 2, 1, {x, 0, z}, {half_x, 0, half_z}, radius};
}

// ---------------------------------------------------------------------------------------------------------- reference

TEST(WallCapsuleContact, ReferenceGivesTheSameResultAtTwiceThePrecision) {
  // Does not compare points and statuses that 100 digits cannot decide (mixed scales).
  tested.for_each_case(cases(1000), [](Case const& in) {
    using Number = Multiprecision;
    auto const evaluated = [&] { return reference::evaluate(cast<Input<Number>>(in)); };
    auto const once = with_digits(100, evaluated), twice = with_digits(200, evaluated);
    auto const scale = Contract::scale(in);
    EXPECT_LE(abs(once.uN - twice.uN), Number(scale.uN) * Number("1e-90"));
    Index const k = axis_of(in);
    long double const t = std::fabs(properties::depth(in)), cancelled = scale.uN / std::max(t, 0x1p-16000L);
    if (cancelled > 1e30L) return;
    for (Index i = 0; i < 3; ++i) {
      long double const allowed = i == k ? scale.uN : scale.point[i] * std::max(1.0L, cancelled);
      EXPECT_LE(abs(once.point[i] - twice.point[i]), Number(allowed) * Number("1e-90"));
    }
    EXPECT_EQ(once.status, twice.status);
  });
}

TEST(WallCapsuleContact, AnswersAgreeWithHandComputedContacts) {
  struct Known {
    char const* what;
    Case in;
    double uN, x, z;
    Status status;
  };
  for (Known const& known : {
           // The ends are at -3/4 and 5/4 along x, at the heights 1/4 and 3/4. The overlaps are 3/4 and 1/4, and lambda
           // is -1/2.
           Known{"both ends", on_floor(.5, .5, 1, .25, 1), -.75, 0, -.375, Status::both_ends},
           Known{"reversed", on_floor(.5, .5, -1, -.25, 1), -.75, 0, -.375, Status::both_ends},
           Known{"one end", on_floor(.5, 1.5, 1, 1, 1), -.5, -.5, -.25, Status::one_end},
           Known{"the other end", on_floor(.5, 1.5, 1, -1, 1), -.5, 1.5, -.25, Status::one_end},
           Known{"apart", on_floor(.5, 3, 1, 1, 1), 1, -.5, .5, Status::separated},
           Known{"apart and level", on_floor(.5, 3, 1, 0, 1), 2, .5, 1, Status::separated},
           Known{"level", on_floor(.5, .5, 1, 0, 1), -.5, .5, -.25, Status::both_ends},
           Known{"touching", on_floor(.5, 2, 1, 1, 1), 0, -.5, 0, Status::separated},
           Known{"the far end touches", on_floor(.5, 0, 1, 1, 1), -2, -.5, -1, Status::one_end},
           Known{"touching level", on_floor(.5, 1, 1, 0, 1), 0, .5, 0, Status::separated},
           Known{"upright", on_floor(.5, 1.5, 0, 1, 1), -.5, .5, -.25, Status::one_end},
           Known{"sphere", on_floor(.5, .75, 0, 0, 1), -.25, .5, -.125, Status::both_ends},
           Known{"centre behind the wall", on_floor(.5, -1, 1, 1, 1), -3, 0, -1.5, Status::both_ends},
       }) {
    SCOPED_TRACE(known.what);
    Output<Enclosure> const truth = oracle::truth(known.in);
    EXPECT_EQ(truth.uN.high, known.uN);
    EXPECT_EQ(truth.point[0].high, known.x);
    EXPECT_EQ(truth.point[2].high, known.z);
    EXPECT_EQ(truth.status, known.status);
    for (Answer const& answer : {reference::evaluate(known.in), fast::evaluate(known.in)}) {
      EXPECT_EQ(answer.uN, known.uN);
      EXPECT_EQ(answer.point, Point(known.x, 0, known.z));
      EXPECT_EQ(answer.normal, Point(0, 0, 1));
      EXPECT_EQ(answer.status, known.status);
    }
  }
}

TEST(WallCapsuleContact, AContactWithACeilingAgreesWithTheHandCalculation) {
  // A capsule under the ceiling y = 2. End 0 is the higher end.
  Case const in{2, 1, -1, {1, 1.25, 3}, {2, -.25, 4}, 1};
  for (Answer const& answer : {reference::evaluate(in), fast::evaluate(in)}) {
    EXPECT_EQ(answer.uN, -.5);  // end 0 is at y = 1.5, so its gap is -.5; end 1 touches
    EXPECT_EQ(answer.normal, Point(0, -1, 0));
    EXPECT_EQ(answer.point, Point(-1, 2.25, -1));
    EXPECT_EQ(answer.status, Status::one_end);
  }
  EXPECT_TRUE(tested.passes(in, fast::evaluate(in)));
}

TEST(WallCapsuleContact, DomainErrorsNameTheField) {
  Case const fine = on_floor(0, 1, 1, 0, 1);
  EXPECT_FALSE(Contract::domain_error(fine));
  auto const field_of = [&](auto const& change) { return testing_kernels::field_refused<Contract>(fine, change); };
  for (double const axis : {-1., .5, 1.5, 3.}) EXPECT_EQ(field_of([&](Case& in) { in.axis = axis; }), "axis");
  for (double const sense : {0., .5, -2.}) EXPECT_EQ(field_of([&](Case& in) { in.sense = sense; }), "sense");
  for (double const radius : {0., -1.}) EXPECT_EQ(field_of([&](Case& in) { in.radius = radius; }), "radius");
}

// ------------------------------------------------------------------------------------------------- printed formulas

TEST(WallCapsuleContact, TheOverlapOfWooDecreasesWhenTheSecondEndTouches) {
  // The overlap a0 of the first end is 1. The overlap a1 of the second end grows from 0 to sqrt 2 - 1
  // (docs/mathematics/capsules.md#wall_capsule_contact-formulas-as-printed).
  auto const overlap = [](auto const& formula, double a1) {
    return -formula(on_floor(0, 1 - (1 + a1) / 2, 1, (1 - a1) / 2, 1)).uN;
  };
  auto const woo = [](Case const& in) { return printed::woo(in); };
  auto const conservative = [](Case const& in) { return printed::conservative(in); };
  auto const fast = [](Case const& in) { return fast::evaluate(in); };
  double const root = std::sqrt(2.0) - 1;
  EXPECT_EQ(overlap(woo, 0), 1);
  EXPECT_NEAR(overlap(woo, root), 0.828427, 1e-6);
  EXPECT_NEAR(overlap(conservative, root), 1 + root, 1e-15);
  EXPECT_NEAR(overlap(fast, root), 1, 1e-15);
}

TEST(WallCapsuleContact, WooMissesAContactIfOneEndTouchesExactly) {
  // End 0 touches exactly and end 1 has a gap of 2. Woo gives all weight to end 1 and misses the contact.
  Case const touching = on_floor(0, 2, 1, 1, 1);
  EXPECT_EQ(printed::woo(touching).uN, 2);
  EXPECT_EQ(printed::woo(touching).point[0], 1);
  EXPECT_EQ(fast::evaluate(touching).uN, 0);
  EXPECT_EQ(fast::evaluate(touching).point[0], -1);
  Case near = touching;
  near.centre[2] = std::nextafter(2, 0);
  EXPECT_LT(printed::woo(near).uN, 0);
  near.centre[2] = std::nextafter(2, 3);
  EXPECT_LT(printed::woo(near).uN, 1e-14);
  EXPECT_NEAR(printed::woo(near).point[0], -1, 1e-14);
}

TEST(WallCapsuleContact, ConservativeForceIsTheGradientOfItsPotential) {
  // The force acts at the common point of the ends. Compares it with central differences of the potential k (a0^2 +
  // a1^2)/2 in height and tilt.
  auto const potential = [](double height, double rise) {
    double const a0 = std::max(0.0, 1 - (height - rise)), a1 = std::max(0.0, 1 - (height + rise));
    return (a0 * a0 + a1 * a1) / 2;
  };
  for (double const rise : {0., .1, -.3, .6}) {
    Answer const answer = printed::conservative(on_floor(0, .75, 1, rise, 1));
    double const force = -answer.uN, lambda = answer.point[0], step = 1e-6;
    EXPECT_NEAR(-force, (potential(.75 + step, rise) - potential(.75 - step, rise)) / (2 * step), 1e-9) << rise;
    EXPECT_NEAR(-force * lambda, (potential(.75, rise + step) - potential(.75, rise - step)) / (2 * step), 1e-9)
        << rise;
  }
}

// ------------------------------------------------------------------------------------------------------------- oracle

TEST(WallCapsuleContact, OracleEnclosesTheExactRationalAnswer) {
  tested.for_each_case(cases(1500), [](Case const& in) {
    Output<Enclosure> const truth = oracle::truth(in);
    auto const answer = reference::evaluate(cast<Input<Rational>>(in));
    EXPECT_TRUE(encloses(truth.uN, answer.uN));
    EXPECT_LE(truth.uN.radius, std::fabs(truth.uN.high) * 0x1p-126L);
    EXPECT_EQ(truth.status, answer.status);
    auto const scale = Contract::scale(in);
    for (Index i = 0; i < 3; ++i) {
      EXPECT_TRUE(encloses(truth.normal[i], answer.normal[i]));
      EXPECT_TRUE(encloses(truth.point[i], answer.point[i])) << i;
      EXPECT_LE(truth.point[i].radius, scale.point[i] * 0x1p-118L) << i;
    }
  });
}

TEST(WallCapsuleContact, OracleWithFixedWidthIntegersEqualsOracleWithIntegersOfAnyWidth) {
  tested.for_each_case(cases(4000), [](Case const& in) {
    auto const truth = oracle::truth(in), again = oracle::exact_truth(in);
    EXPECT_TRUE(same_bits(truth.uN, again.uN));
    for (Index i = 0; i < 3; ++i) EXPECT_TRUE(same_bits(truth.point[i], again.point[i]));
    EXPECT_EQ(truth.status, again.status);
  });
}

TEST(WallCapsuleContact, FixedWidthIntegersOfTheOracleDoNotOverflow) {
  Random random(seed, 0, 0);
  for (int const width : {60, 124}) {
    double const top = std::ldexp(1.0, width) - std::ldexp(1.0, width - 53);
    for (std::uint64_t i = 0; i < cases(20'000); ++i) {
      auto const length = [&] {
        double const sign = random.sign();
        return random.chance(0.6) ? sign * top : sign * std::floor(random.unit() * 0x1p20);
      };
      Case in{length(), 0, random.sign(), {length(), 1, 1}, {length(), 3, 5}, std::fabs(length()) + 1};
      if (random.chance(0.3)) in.half[0] = 1;  // with this length, the common grid has the full width
      if (random.chance(0.3)) in.centre[0] = 1;
      auto const truth = oracle::truth(in), again = oracle::exact_truth(in);
      ASSERT_TRUE(same_bits(truth.uN, again.uN)) << text(in);
      for (Index k = 0; k < 3; ++k) ASSERT_TRUE(same_bits(truth.point[k], again.point[k])) << text(in);
      ASSERT_EQ(truth.status, again.status) << text(in);
      ASSERT_TRUE(encloses(truth.point[1], reference::evaluate(cast<Input<Rational>>(in)).point[1])) << text(in);
    }
  }
}

TEST(WallCapsuleContact, RefinedIntervalsEncloseTheExactRationalAnswer) {
  tested.for_each_case(cases(100), [](Case const& in) {
    auto const truth = oracle::refined_truth(in, 300);
    auto const answer = reference::evaluate(cast<Input<Rational>>(in));
    auto const holds = [](Interval const& x, Rational const& value) {
      return mpfr_cmp_q(x.low(), value.backend().data()) <= 0 && mpfr_cmp_q(x.high(), value.backend().data()) >= 0;
    };
    EXPECT_TRUE(holds(truth.uN, answer.uN));
    for (Index i = 0; i < 3; ++i) EXPECT_TRUE(holds(truth.point[i], answer.point[i])) << i;
    EXPECT_EQ(truth.status, answer.status);
  });
}

TEST(WallCapsuleContact, ErrorOfAStatusIsTheSmallestChangeOfTheGapsThatMakesItRight) {
  tested.for_each_case(cases(300), [](Case const& in) {
    auto const gaps = exact_gaps(in);
    Rational const zero = 0, least = std::min(gaps[0], gaps[1]), greatest = std::max(gaps[0], gaps[1]);
    std::array const expected{std::max(zero, Rational(-least)), std::max({zero, least, Rational(-greatest)}),
                              std::max(zero, greatest)};
    auto const truth = oracle::truth(in);
    auto const refined = oracle::refined_truth(in, 4000);
    for (std::size_t label = 0; label < 3; ++label) {
      Answer answer = fast::evaluate(in);
      answer.status = static_cast<Status>(label);
      EXPECT_TRUE(encloses(oracle::excess(in, truth, answer), expected[label])) << label;
      Interval const again = oracle::refined_excess(in, refined, answer);
      EXPECT_EQ(mpfr_cmp_q(again.low(), expected[label].backend().data()), 0) << label;
      if (answer.status == truth.status) {
        EXPECT_EQ(expected[label], 0);
      }
    }
  });
}

TEST(WallCapsuleContact, TwoStatusesPassOnlyIfAnEndTouchesUpToRounding) {
  auto const verdict = [](Case const& in, Status status) {
    Answer answer = fast::evaluate(in);
    answer.status = status;
    return tested.judged(in, answer)[3].verdict;
  };
  Case in = on_floor(0, 2, 1, 1, 1);  // end 0 touches, and S = 4
  EXPECT_EQ(verdict(in, Status::separated), Verdict::pass);
  EXPECT_EQ(verdict(in, Status::one_end), Verdict::pass);
  EXPECT_EQ(verdict(in, Status::both_ends), Verdict::fail);
  in.radius = 1 + 16 * 0x1p-53;  // the overlap is 16 u, and 4 u S is slightly more
  EXPECT_EQ(verdict(in, Status::separated), Verdict::pass);
  in.radius = 1 + 18 * 0x1p-53;
  EXPECT_EQ(verdict(in, Status::separated), Verdict::fail);
  EXPECT_EQ(verdict(in, Status::one_end), Verdict::pass);
  EXPECT_EQ(verdict(in, static_cast<Status>(3)), Verdict::fail);
}

// --------------------------------------------------------------------------------------------------------------- fast

TEST(WallCapsuleContact, FastIsRightIfSumsOfLengthsOverflow) {
  constexpr double largest = std::numeric_limits<double>::max();
  Case const in{-largest, 0, 1, {largest, 0, 0}, {largest / 2, 1, largest}, largest};
  // The gaps are 2 L - L/2 - L = L/2 and 3 L/2. The point is midway between capsule and wall, at -3/4 L.
  Answer const answer = fast::evaluate(in);
  EXPECT_EQ(answer.uN, largest / 2);
  EXPECT_EQ(answer.point, Point(-0.75 * largest, -1, -largest));
  Case far = in;
  far.radius = 0x1p1000;  // the smallest gap is nearly 3/2 L, which overflows; half of it does not
  EXPECT_EQ(fast::evaluate(far).uN, std::numeric_limits<double>::infinity());
  EXPECT_TRUE(tested.passes(far, fast::evaluate(far)));
  EXPECT_NEAR(fast::evaluate(far).point[0] / largest, -0.25, 1e-6);
  Random random(seed, 2, 0);
  for (std::uint64_t i = 0; i < cases(20'000); ++i) {
    auto const length = [&] {
      double const sign = random.sign();
      return random.chance(0.3)   ? sign * largest
             : random.chance(0.2) ? sign * random.any_positive()
                                  : sign * random.unit() * largest;
    };
    Case each = in;
    each = properties::each_length(each, [&](double) { return length(); });
    each.radius = std::max(std::fabs(each.radius), 1.0);
    each.axis = static_cast<double>(random.integer(0, 2));
    each.sense = random.sign();
    ASSERT_TRUE(tested.passes(each, fast::evaluate(each))) << text(each);
  }
}

TEST(WallCapsuleContact, FastIsRightForSubnormalLengths) {
  Random random(seed, 3, 0);
  for (std::uint64_t i = 0; i < cases(20'000); ++i) {
    Case in = tested.draw("lattice", i);
    in = properties::each_length(
        in, [&](double) { return few_bits(random, static_cast<int>(random.integer(1, 20)), -1074); });
    in.radius = std::max(std::fabs(in.radius), 0x1p-1074);
    ASSERT_TRUE(tested.passes(in, fast::evaluate(in))) << text(in);
  }
}

RC_GTEST_PROP(WallCapsuleContact, FastIsWithinItsBudgetForAnySeed, ()) {
  auto const regime = *rc::gen::inRange<std::size_t>(0, properties::regimes().size());
  Random random(*rc::gen::arbitrary<std::uint64_t>(), regime, *rc::gen::arbitrary<std::uint64_t>());
  Case const in = properties::regimes()[regime].draw(random);
  RC_ASSERT(tested.passes(in, fast::evaluate(in)));
}

// --------------------------------------------------------------------------------------------------------------- laws

using Implementation = decltype(tested)::Implementation;

TEST(WallCapsuleContact, EachPrintedFormulaObeysItsDocumentedLaws) {
  auto const keeps = [](std::string_view name, Implementation const& formula) {
    for (auto const& law : properties::laws())
      if (law.name == name) return tested.hold(law, formula, cases(1500)).worst <= 1;
    ADD_FAILURE() << name;
    return false;
  };
  Implementation const conservative = [](Case const& in) { return printed::conservative(in); };
  for (std::string_view const law : {"overlap_monotone", "normal", "status", "axis_permutation", "level"})
    EXPECT_TRUE(keeps(law, conservative)) << law;
  Implementation const woo = [](Case const& in) { return printed::woo(in); };
  for (std::string_view const law : {"normal", "status"}) EXPECT_TRUE(keeps(law, woo)) << law;
}

// ------------------------------------------------------------------------------------------------------------ regimes

TEST(WallCapsuleContact, EveryStatusOccursInTheRegimesThatAllowIt) {
  auto const count = [](std::string_view regime) {
    std::array<int, 3> of{};
    tested.for_each_in(regime, [&](Case const& in) { ++of[static_cast<std::size_t>(oracle::truth(in).status)]; });
    return of;
  };
  for (auto const regime : {"typical", "flat", "level_onset", "touching", "tiny", "offset", "lattice"})
    for (int const each : count(regime)) EXPECT_GT(each, 10) << regime;
  EXPECT_EQ(count("sphere")[1], 0);
  EXPECT_GT(count("sphere")[0], 30);
}

TEST(WallCapsuleContact, CasesHaveTheGapsThatTheirRegimesState) {
  int touching = 0, woos_bug = 0, both = 0, to_ulps = 0;
  tested.for_each_in("touching", [&](Case const& in) {
    auto const gaps = exact_gaps(in);
    if (gaps[0] == 0 || gaps[1] == 0) ++touching;
    if (gaps[0] == 0 && gaps[1] > 0) ++woos_bug;
    if (gaps[0] == 0 && gaps[1] == 0) ++both;
    double const nearest = std::min(std::fabs(static_cast<double>(gaps[0])), std::fabs(static_cast<double>(gaps[1])));
    EXPECT_LT(nearest, 1.1e-3 * in.radius);
    if (nearest < 16 * unit_roundoff * static_cast<double>(Contract::scale(in).uN)) ++to_ulps;
  });
  EXPECT_GT(touching, 100);
  EXPECT_GT(to_ulps, 180);
  EXPECT_GT(woos_bug, 10);
  EXPECT_GT(both, 10);
  double least = 1, cancelled = 0;
  tested.for_each_in("level_onset", [&](Case const& in) {
    auto const size = static_cast<double>(Contract::scale(in).uN), t = static_cast<double>(properties::depth(in));
    least = std::min(least, std::fabs(t) / size);
    double const plain = in.radius - in.sense * (in.centre[axis_of(in)] - in.wall);
    cancelled = std::max(cancelled, std::fabs(plain - t) / std::fabs(t));
  });
  EXPECT_LT(least, 1e-15);
  EXPECT_GT(cancelled, 0.01) << "the rounding of the depth of the centre should matter";
  tested.for_each_in("sphere", [](Case const& in) { EXPECT_TRUE(in.half.isZero()); });
  tested.for_each_in("lattice", [](Case const& in) {
    // Lengths are at most 4 units, and the unit is a power of two.
    auto const in_units_of = [&](double unit) {
      int exponent;
      auto const whole = [&](double x) { return x / unit == std::round(x / unit); };
      return std::frexp(unit, &exponent) == 0.5 && whole(in.radius) && whole(in.half[0]) && whole(in.half[1]) &&
             whole(in.half[2]) && whole(in.wall - in.centre[axis_of(in)]);
    };
    bool found = false;
    for (int units = 1; units <= 4; ++units) found = found || in_units_of(size_of_case(in) / units);
    EXPECT_TRUE(found);
  });
  double smallest = 1, largest = 0, farthest = 0;
  tested.for_each_in("global_scale", [&](Case const& in) {
    smallest = std::min(smallest, in.radius), largest = std::max(largest, in.radius);
  });
  EXPECT_LT(smallest, 0x1p-1000);
  EXPECT_GT(largest, 0x1p1000);
  tested.for_each_in("offset", [&](Case const& in) { farthest = std::max(farthest, std::fabs(in.wall)); });
  EXPECT_GT(farthest, 1e7);
}

}  // namespace
}  // namespace demeter::wall_capsule_contact
