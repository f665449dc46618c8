#include "fast/superquadric_depth.hpp"
#include "check/continuity.hpp"
#include "oracles/core/judge.hpp"
#include "oracles/superquadric_depth.hpp"
#include "properties/superquadric_depth.hpp"
#include "reference/core/binary128.hpp"
#include "reference/printed/superquadric_depth.hpp"
#include "reference/spec/core/table.hpp"
#include "reference/superquadric_depth.hpp"
#include "tests/core/kernel_cases.hpp"

#include <gtest/gtest.h>

#include <numbers>

namespace demeter::superquadric_depth {
namespace {

using testing_kernels::cases;
using testing_kernels::text;
using Case = Input<double>;
using Answer = Output<double>;
using Point = Vector3<double>;
using Body = Superquadric<double>;

constexpr std::uint64_t seed = 19;

double middle(Enclosure const& x) { return static_cast<double>(x.high + x.low); }

template <class Check>
void for_each_case(std::uint64_t count, Check&& check) {
  testing_kernels::for_each_case<Case>(properties::regimes(), seed, count, check);
}
Output<Multiprecision> in_50_digits(Case const& in) {
  return with_digits(50, [&] { return reference::evaluate(cast<Input<Multiprecision>>(in)); });
}
auto judged(Case const& in, Answer const& answer) {
  return testing_kernels::judged<Contract, oracle::hooks>(in, oracle::truth(in), answer);
}
bool passes(Case const& in, Answer const& answer) { return testing_kernels::all_pass(judged(in, answer)); }

Body sphere(Point const& centre, double radius) { return {centre, {1, 0, 0, 0}, {radius, radius, radius}, 2, 2}; }
Body box(Point const& centre, Point const& axes, double n = 200) { return {centre, {1, 0, 0, 0}, axes, n, n}; }

// ---------------------------------------------------------------------------------------------------------- by hand

TEST(SuperquadricDepth, SpheresAgreeWithTheClosedForm) {
  for (double const x : {2.4, 3.0, 5.5}) {
    Case const in{sphere({0, 0, 0}, 1), sphere({x, 0, 0}, 2)};
    for (Answer const& out : {reference::evaluate(in), fast::evaluate(in), cast<Answer>(in_50_digits(in))}) {
      EXPECT_NEAR(out.depth, 3 - x, 1e-15);
      EXPECT_NEAR(out.direction[0], 1, 1e-15);
    }
    EXPECT_NEAR(middle(oracle::truth(in).depth), 3 - x, 1e-15);
  }
}

/// Boxes with half lengths 1, 2, 3. If the centre of j is near, the shortest motion that separates the boxes is along
/// x. A body with n = 200 is a box up to 1e-2.
TEST(SuperquadricDepth, BoxesSeparateAlongTheShortestAxis) {
  Case const in{box({0, 0, 0}, {1, 2, 3}), box({.3, -.2, .1}, {1, 2, 3})};
  for (Answer const& out : {reference::evaluate(in), fast::evaluate(in)}) {
    EXPECT_NEAR(out.depth, 1.7, 1e-14);
    EXPECT_NEAR(out.direction[0], 1, 1e-14);
  }
}

/// A sphere near the end of a long ellipsoid, at a growth factor of one half. The shortest motion that separates the
/// bodies is sideways and not along the normal of the contact.
TEST(SuperquadricDepth, TheDepthAlongTheContactNormalCanBeFarFromTheMinimum) {
  Case const in{{{0, 0, 0}, {1, 0, 0, 0}, {5, 1, 1.1}, 2, 2}, sphere({3, 0, 0}, .5)};
  Answer const found = fast::evaluate(in), local = printed::local_search(in), normal = printed::along_normal(in);
  EXPECT_LT(found.depth, 1.5);
  EXPECT_NEAR(normal.depth, 2.5, 1e-12);
  EXPECT_GT(local.depth, found.depth);
  EXPECT_TRUE(passes(in, found));
  EXPECT_FALSE(passes(in, normal));
}

TEST(SuperquadricDepth, EqualCentresHaveADepth) {
  Case const in{{{1, 2, 3}, {1, 0, 0, 0}, {3, 1, 2}, 2, 2}, {{1, 2, 3}, {1, 0, 0, 0}, {1, .5, 2}, 4, 3}};
  for (Answer const& out : {reference::evaluate(in), fast::evaluate(in)}) {
    EXPECT_NEAR(out.depth, 1.5, 1e-14);
    EXPECT_NEAR(std::fabs(out.direction[1]), 1, 1e-14);
  }
  EXPECT_TRUE(std::isnan(printed::along_centres(in).depth));
}

/// A recorded pair of superquadric_contact that LIGGGHTS misses. Both overlaps are near the depth, and the overlap c_N
/// is above it.
TEST(SuperquadricDepth, APairThatLiggghtsMissesHasADepth) {
  Case in;
  in.i = {{0, 0, 0},
          {.8399033253878789, .27601317645199536, -.4550801983506518, .10621272756310282},
          {1.6732026305637674e-3, 1.375859647163682e-3, .43438750853039856e-3},
          6,
          7};
  in.j = {{1.9039267310757687e-3, -1.2718500588698946e-3, .5802316568189264e-3},
          {-.5016915801095465, .6340437657419433, .005805998016783009, -.5884389109822626},
          {1.5201156682583218e-3, .3240618319234077e-3, .5368077172247131e-3},
          11,
          5};
  Answer const out = fast::evaluate(in);
  EXPECT_LT(out.depth, 1.0436e-4 + 1e-8);  // c_N
  EXPECT_GT(out.depth, 1e-4);
  EXPECT_NEAR(printed::along_normal(in).depth, 1.0436e-4, 1e-8);
  EXPECT_TRUE(passes(in, out));
}

/// Two perpendicular needles cross. The shortest motion that separates them is perpendicular to both, and the depth is
/// the sum of their half thicknesses.
TEST(SuperquadricDepth, CrossedNeedlesSeparatePerpendicularToBoth) {
  Case const in{box({0, 0, 0}, {10, .1, .1}), box({2, 1, 0}, {.1, 10, .1})};
  Answer const out = fast::evaluate(in);
  EXPECT_NEAR(out.depth, .2, 1e-14);
  EXPECT_NEAR(std::fabs(out.direction[2]), 1, 1e-14);
}

// -------------------------------------------------------------------------------------------------------- two truths

/// The reference with 50 digits must be within every enclosure. It shares only the definition with the oracle.
TEST(SuperquadricDepth, TheReferenceIsWithinTheEnclosures) {
  std::size_t known = 0, all = 0;
  for_each_case(cases(8), [&](Case const& in) {
    Enclosure const truth = oracle::truth(in).depth;
    ++all;
    if (std::isinf(truth.radius)) return;
    ++known;
    Multiprecision const exact = in_50_digits(in).depth;
    auto const off = static_cast<long double>(exact - Multiprecision(truth.high) - Multiprecision(truth.low));
    EXPECT_LE(std::fabs(off), truth.radius + 1e-30L * Contract::scale(in).depth) << text(in);
  });
  EXPECT_EQ(known, all);
}

/// If the optimal direction is unique, the oracle must enclose it.
TEST(SuperquadricDepth, UniqueDirectionsAreInTheirEnclosures) {
  std::size_t unique = 0, all = 0;
  for_each_case(cases(4), [&](Case const& in) {
    Output<Enclosure> const truth = oracle::truth(in);
    ++all;
    if (std::isinf(truth.direction[0].radius)) return;
    ++unique;
    Output<Multiprecision> const exact = in_50_digits(in);
    for (Index k = 0; k < 3; ++k) {
      Enclosure const& u = truth.direction[k];
      auto const off = static_cast<long double>(exact.direction[k] - Multiprecision(u.high) - Multiprecision(u.low));
      EXPECT_LE(std::fabs(off), u.radius + 1e-24L) << text(in);
    }
  });
  EXPECT_GT(unique, all / 2);
}

TEST(SuperquadricDepth, EnclosuresOfTheDepthAreNarrowerThanOneRounding) {
  for_each_case(cases(40), [](Case const& in) {
    Enclosure const truth = oracle::truth(in).depth;
    EXPECT_LE(truth.radius, 0x1p-53L * Contract::scale(in).depth) << text(in);
  });
}

/// With more bits, at least nine of ten enclosures are narrower than 1e-50. In the other cases, faces lie on each
/// other, and the feet are not isolated.
TEST(SuperquadricDepth, MoreBitsNarrowTheEnclosure) {
  std::size_t narrow = 0, all = 0;
  for_each_case(4, [&](Case const& in) {
    Enclosure const truth = oracle::truth(in).depth;
    Interval const refined = oracle::refined_truth(in, 256).depth;
    long double const width = oracle::above(Interval(refined) - refined) / Contract::scale(in).depth;
    Enclosure const again = enclosure_of(refined);
    EXPECT_LE(std::fabs(again.high - truth.high + (again.low - truth.low)), truth.radius + again.radius) << text(in);
    ++all;
    if (width < 1e-50L) ++narrow;
  });
  EXPECT_GE(narrow, all * 9 / 10);
}

/// The reference with 40 digits must agree with the reference with 80 digits to 2^-63, also if the bodies are
/// exchanged.
TEST(SuperquadricDepth, TheReferenceGivesTheSameResultWithTwiceTheNumberOfDigits) {
  for_each_case(1, [](Case const& in) {
    auto const at = [](Case const& of, unsigned digits) {
      return with_digits(
          digits, [&] { return static_cast<long double>(reference::evaluate(cast<Input<Multiprecision>>(of)).depth); });
    };
    Case const swapped{in.j, in.i};
    long double const exact = at(in, 80);
    EXPECT_LE(std::fabs(at(in, 40) - exact), 0x1p-63L * Contract::scale(in).depth) << text(in);
    EXPECT_LE(std::fabs(at(swapped, 40) - exact), 0x1p-63L * Contract::scale(in).depth) << text(in);
  });
}

/// The oracle bounds the bending of the support function from below in some discs of directions. Second differences in
/// these discs must not be below this bound.
TEST(SuperquadricDepth, SecondDifferencesAreNotBelowTheProvedBound) {
  Random random(seed, 3, 0);
  std::size_t tried = 0;
  for_each_case(cases(12), [&](Case const& in) {
    Point const direction = unit_direction(random);
    Vector3<long double> const u = direction.cast<long double>().normalized();
    long double const radius = random.log_uniform(-4, -1);
    oracle::Placed const body(in.i, in.i.position, 128);
    auto const E = oracle::across(u);
    long double const bent = oracle::least_bending(oracle::bending(body, u, E, radius),
                                                   {Interval::exactly(0), Interval::exactly(0), Interval::exactly(0)});
    if (!(bent > 0)) return;
    ++tried;
    for (int k = 0; k < 20; ++k) {
      auto const in_disc = [&] {
        double const angle = random.uniform(0, 6.28), length = random.unit() * static_cast<double>(radius) * 0.99;
        return Vector<long double, 2>(length * std::cos(angle), length * std::sin(angle));
      };
      Vector<long double, 2> const s = in_disc(), t = in_disc();
      auto const h = [&](Vector<long double, 2> const& at) { return properties::support(in.i, u + E * at); };
      long double const above = (h(s) + h(t)) / 2 - h((s + t) / 2), size = in.i.semi_axes.maxCoeff();
      EXPECT_GE(above, bent * (s - t).squaredNorm() / 8 - 1e-17L * size) << text(in);
    }
  });
  EXPECT_GT(tried, 20u);
}

/// The reference must terminate in any scalar type, with the accuracy of this type.
TEST(SuperquadricDepth, TheReferenceConvergesInEveryArithmetic) {
  testing_kernels::for_each_in(properties::regimes(), "typical", seed, cases(20), [](Case const& in) {
    Enclosure const truth = oracle::truth(in).depth;
    double const size = static_cast<double>(Contract::scale(in).depth), depth = middle(truth);
    EXPECT_NEAR(reference::evaluate(cast<Input<float>>(in)).depth, depth, 1e-5 * size);
    EXPECT_NEAR(reference::evaluate(in).depth, depth, 1e-14 * size);
    EXPECT_NEAR(static_cast<double>(reference::evaluate(cast<Input<long double>>(in)).depth), depth, 1e-15 * size);
  });
}

/// A wrong depth must fail, and so must a direction whose length is not 1.
TEST(SuperquadricDepth, WrongDepthsAndDirectionsFail) {
  for_each_case(4, [](Case const& in) {
    Answer const out = fast::evaluate(in);
    EXPECT_TRUE(passes(in, out)) << text(in);
    Answer wrong = out;
    wrong.depth += 200 * 0x1p-53 * static_cast<double>(Contract::scale(in).depth);
    EXPECT_FALSE(passes(in, wrong)) << text(in);
    wrong = out;
    wrong.direction *= 1 + 1e-12;
    EXPECT_FALSE(passes(in, wrong)) << text(in);
    wrong.direction = {0, 0, 0};
    EXPECT_FALSE(passes(in, wrong)) << text(in);
  });
}

// -------------------------------------------------------------------------------------------------------------- fast

/// The depth is the minimum over all directions. It is therefore at most the overlap c_N along the normal of the
/// contact.
TEST(SuperquadricDepth, TheDepthIsAtMostTheOverlapAlongTheContactNormal) {
  testing_kernels::for_each_in(properties::regimes(), "typical", seed, cases(200), [](Case const& in) {
    long double const size = Contract::scale(in).depth;
    EXPECT_LE(fast::evaluate(in).depth, printed::along_normal(in).depth + 1e-14L * size) << text(in);
  });
}

// -------------------------------------------------------------------------------------------------------------- peers

/// Simbody answers overlapping ellipsoids, by its documented local search. It declines other cases.
TEST(SuperquadricDepth, SimbodyAnswersOnlyEllipsoidsThatOverlap) {
  auto const* const subject = find_subject("simbody");
  if (subject == nullptr) GTEST_SKIP() << "Simbody is not in this build";
  double const half = std::numbers::pi / 3600;
  Point const axis = std::sin(half) * Point(.9, .3, .2).normalized();
  Body const i{{0, 0, 0}, {1, 0, 0, 0}, {.5, .3, .4}, 2, 2},
      j{{.6, .3, .2}, {std::cos(half), axis[0], axis[1], axis[2]}, {.5, .3, .4}, 2, 2};
  Body long_quaternion = j, other_exponent = j;
  long_quaternion.orientation *= 1e-100;
  other_exponent.n2 = 2.5;
  Case const shallow{i, j}, same{i, long_quaternion}, other{i, other_exponent},
      apart{sphere({0, 0, 0}, 1), sphere({2.5, 0, 0}, 1)},
      deep{{{0, 0, 0}, {1, 0, 0, 0}, {5, 1, 1.1}, 2, 2}, sphere({3, 0, 0}, .5)};
  Kernel const& kernel = *find_kernel("superquadric_depth");
  Table asked(kernel.input);
  for (Case const& in : {shallow, same, deep, other, apart}) append(asked, in);
  Answers answers;
  answer(*subject, kernel, asked, answers);
  ASSERT_EQ(answers.status, (std::vector{Status::answered, Status::answered, Status::answered, Status::unsupported,
                                         Status::unsupported}));
  EXPECT_EQ(answers.message[3], "Simbody has ellipsoids, but no superquadrics with other exponents");
  EXPECT_EQ(answers.message[4], "Simbody reports no contact");
  auto const out = [&](std::size_t row) { return load<Answer>(answers.output, row); };
  EXPECT_NEAR(out(0).depth, .134105902258, 1e-12);
  EXPECT_TRUE(passes(shallow, out(0)));
  EXPECT_TRUE(passes(same, out(1)));
  EXPECT_NEAR(out(2).depth, 2.5, 1e-12);
  EXPECT_FALSE(passes(deep, out(2)));
}

// --------------------------------------------------------------------------------------------------------- continuity

Continuity search(Subject const& subject, std::uint64_t paths) {
  ContinuityOptions options;
  options.paths = paths;
  options.bends = 0;
  options.minimise = options.ascend = false;
  return search_continuity(*find_kernel("superquadric_depth"), *find_laboratory("superquadric_depth"), subject,
                           options);
}

TEST(SuperquadricDepth, IsContinuousAcrossTheMedialAxis) {
  Continuity const found = search(*find_subject("fast"), cases(120));
  EXPECT_FALSE(found.jumps());
  EXPECT_GT(found.bisections, 50u);
  EXPECT_EQ(found.unanswered, 0u);
}

TEST(SuperquadricDepth, SwitchingToTheLineOfCentresCausesAJump) {
  Subject const mixed = make_subject("mixed", answer_with<Contract>("", [](Case const& in, Answer& out) {
                                       out = fast::evaluate(in);
                                       if (out.depth > 0.3 * in.i.semi_axes.minCoeff())
                                         out = printed::along_centres(in);
                                       return static_cast<char const*>(nullptr);
                                     }));
  EXPECT_TRUE(search(mixed, cases(60)).jumps());
}

}  // namespace
}  // namespace demeter::superquadric_depth
