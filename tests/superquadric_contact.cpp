#include "fast/superquadric_contact.hpp"
#include "check/continuity.hpp"
#include "oracles/core/judge.hpp"
#include "oracles/superquadric_contact.hpp"
#include "properties/superquadric_contact.hpp"
#include "reference/core/binary128.hpp"
#include "reference/printed/superquadric_contact.hpp"
#include "reference/spec/core/table.hpp"
#include "reference/superquadric_contact.hpp"
#include "tests/core/kernel_cases.hpp"

#include <gtest/gtest.h>

namespace demeter::superquadric_contact {
namespace {

using testing_kernels::text;
using Case = Input<double>;
using Answer = Output<double>;
using Point = Vector3<double>;

constexpr std::uint64_t seed = 17;

double middle(Enclosure const& x) { return static_cast<double>(x.high + x.low); }

template <class Check>
void for_each_case(std::uint64_t count, Check&& check) {
  testing_kernels::for_each_case<Case>(properties::regimes(), seed, count, check);
}

auto judged(Case const& in, Answer const& answer) {
  return testing_kernels::judged<Contract, oracle::hooks>(in, oracle::truth(in), answer);
}
bool passes(Case const& in, Answer const& answer) {
  auto const all = judged(in, answer);
  return std::all_of(all.begin(), all.end(), [](Judged const& each) { return each.verdict == Verdict::pass; });
}

Superquadric<double> sphere(Point const& centre, double radius) {
  return {centre, {1, 0, 0, 0}, {radius, radius, radius}, 2, 2};
}

// ---------------------------------------------------------------------------------------------------------- by hand

TEST(SuperquadricContact, SpheresAgreeWithTheClosedForm) {
  Case const in{sphere({0, 0, 0}, 1), sphere({2.4, 0, 0}, 2), {}};
  auto const exact =
      with_digits(50, [&] { return cast<Answer>(reference::evaluate(cast<Input<Multiprecision>>(in))); });
  for (Answer const& out : {reference::evaluate(in), fast::evaluate(in), exact}) {
    EXPECT_NEAR(out.sigma, 0.8, 1e-15);
    EXPECT_NEAR(out.point[0], 0.8, 1e-15);
    EXPECT_NEAR((*out.normal)[0], -1, 1e-15);
    EXPECT_NEAR(*out.overlap_b, 0.6, 1e-15);
    EXPECT_NEAR(*out.overlap_n, 0.6, 1e-15);
    EXPECT_EQ(out.status, Status::intersect);
  }
  Output<Enclosure> const truth = oracle::truth(in);
  EXPECT_NEAR(middle(truth.sigma), 0.8, 2e-16);
  EXPECT_NEAR(middle(*truth.overlap_b), 0.6, 1e-15);
}

TEST(SuperquadricContact, EveryStatusIsReported) {
  auto const status_at = [](double x) {
    Case const in{sphere({0, 0, 0}, 1), sphere({x, x, 0}, 1), {}};
    EXPECT_EQ(fast::evaluate(in).status, reference::evaluate(in).status) << x;
    EXPECT_EQ(fast::evaluate(in).status, oracle::truth(in).status) << x;
    return fast::evaluate(in).status;
  };
  EXPECT_EQ(status_at(0), Status::concentric);
  EXPECT_EQ(status_at(1.4), Status::intersect);
  EXPECT_EQ(status_at(1.5), Status::close);
  EXPECT_EQ(status_at(2.1), Status::far);
}

TEST(SuperquadricContact, EqualCentresHaveNoNormal) {
  Case const in{sphere({1, 2, 3}, 1), sphere({1, 2, 3}, 2), {}};
  for (Answer const& out : {reference::evaluate(in), fast::evaluate(in)}) {
    EXPECT_EQ(out.sigma, 0);
    EXPECT_EQ(out.point, Point(1, 2, 3));
    EXPECT_FALSE(out.normal || out.overlap_b || out.overlap_n || out.overlap_phi);
  }
}

/// At this start, the gradients are parallel, so LIGGGHTS accepts the start as the contact.
TEST(SuperquadricContact, AStartWithParallelGradientsIsNotTakenAsTheContact) {
  Case const in{sphere({0, 0, 0}, 1), sphere({1.5, 0, 0}, 2), Point(-1.5, 0, 0)};
  Answer const out = fast::evaluate(in);
  EXPECT_NEAR(out.sigma, 0.5, 1e-15);
  EXPECT_NEAR(out.point[0], 0.5, 1e-15);
}

/// Returns a pair whose contact LIGGGHTS does not detect if lengths are in millimetres.
Case missed_pair() {
  Case in;
  in.i.position = {0, 0, 0};
  in.i.orientation = {.8399033253878789, .27601317645199536, -.4550801983506518, .10621272756310282};
  in.i.semi_axes = {1.6732026305637674e-3, 1.375859647163682e-3, .43438750853039856e-3};
  in.i.n1 = 6, in.i.n2 = 7;
  in.j.position = {1.9039267310757687e-3, -1.2718500588698946e-3, .5802316568189264e-3};
  in.j.orientation = {-.5016915801095465, .6340437657419433, .005805998016783009, -.5884389109822626};
  in.j.semi_axes = {1.5201156682583218e-3, .3240618319234077e-3, .5368077172247131e-3};
  in.j.n1 = 11, in.j.n2 = 5;
  return in;
}
TEST(SuperquadricContact, APairThatLiggghtsMissesHasAContact) {
  Case const in = missed_pair();
  for (Answer const& out : {reference::evaluate(in), fast::evaluate(in)}) {
    EXPECT_NEAR(out.sigma, .9531260554, 1e-10);
    EXPECT_NEAR(*out.overlap_b, 1.0290e-4, 1e-8);
    EXPECT_NEAR(*out.overlap_n, 1.0436e-4, 1e-8);
    EXPECT_EQ(out.status, Status::intersect);
  }
  Answer const levels = printed::of_levels(in, true);
  EXPECT_NEAR(*levels.overlap_b, 1.0421e-4, 1e-8);
}

// -------------------------------------------------------------------------------------------- LIGGGHTS's own answers

/// Overlaps and points printed by LIGGGHTS 3.8.0 with density 1 and the Hertz law. LIGGGHTS reads a rotation as an axis
/// and an angle in degrees, and does not normalise the axis. The rotation .9 .3 .2 .1 is the quaternion (cos t, .9 sin
/// t, .3 sin t, .2 sin t), normalised, with t = pi/3600.
TEST(SuperquadricContact, TheFormulaOfLiggghtsReproducesItsPrintedAnswers) {
  double const t = pi<double>() / 3600;
  Quaternion<double> const turned{std::cos(t), .9 * std::sin(t), .3 * std::sin(t), .2 * std::sin(t)}, none{1, 0, 0, 0};
  struct Printed {
    Point position, semi_axes;
    double n1, n2;
    Quaternion<double> orientation;
    double overlap, digits;
    Point point;
  };
  Printed const all[] = {
      {{.9, 0, 0}, {.5, .5, .5}, 2, 2, none, .1, 1e-9, {.45, 0, 0}},
      {{.6, .3, .2}, {.5, .3, .4}, 2, 2, turned, .134634878, 5e-10, {.29996, .14999, .10012}},
      {{.9, .1, .05}, {.5, .5, .5}, 4, 4, none, .0999733924, 5e-11, {.45, .05, .025}},
      {{.55, .35, .3}, {.5, .3, .4}, 4, 6, turned, .263640269, 5e-10, {.27496, .17505, .15007}},
      {{.98, .1, .05}, {.5, .5, .5}, 8, 8, none, .0199999987, 5e-10, {.49, .05, .025}},
  };
  for (Printed const& each : all) {
    Case in;
    in.i = {Point::Zero(), none, each.semi_axes, each.n1, each.n2};
    in.j = {each.position, each.orientation, each.semi_axes, each.n1, each.n2};
    Answer const out =
        with_digits(50, [&] { return cast<Answer>(printed::of_levels(cast<Input<Multiprecision>>(in), true)); });
    EXPECT_NEAR(*out.overlap_b, each.overlap, each.digits) << text(in);
    for (Index k = 0; k < 3; ++k) EXPECT_NEAR(out.point[k], each.point[k], 1e-5) << text(in);
  }
}

// -------------------------------------------------------------------------------------------------------- two truths

/// The reference with 50 digits must be within every enclosure. It shares only the definition with the oracle.
TEST(SuperquadricContact, TheReferenceIsWithinTheEnclosures) {
  std::size_t unique = 0, all = 0;
  for_each_case(testing_kernels::cases(12), [&](Case const& in) {
    Output<Enclosure> const truth = oracle::truth(in);
    auto const answer = with_digits(50, [&] { return reference::evaluate(cast<Input<Multiprecision>>(in)); });
    auto const agree = [&](Multiprecision const& x, Enclosure const& e, long double size, std::string_view what) {
      if (std::isinf(e.radius) || !isfinite(x) || std::fabs(e.high) > 0x1p16000L) return;
      auto const off = static_cast<long double>(x - Multiprecision(e.high) - Multiprecision(e.low));
      EXPECT_LE(std::fabs(off), e.radius + 1e-30L * size) << what;
    };
    agree(answer.sigma, truth.sigma, static_cast<long double>(truth.sigma.high) + 1, "sigma");
    ++all;
    if (!truth.normal || std::isinf(truth.point[0].radius)) return;
    ++unique;
    Conditioning const of =
        conditioning(in, Vector3<long double>(truth.point[0].high, truth.point[1].high, truth.point[2].high));
    if (!(of.condition < 1e4L)) return;
    for (Index k = 0; k < 3; ++k) agree((*answer.normal)[k], (*truth.normal)[k], 1 + of.condition, "normal");
    agree(*answer.overlap_n, *truth.overlap_n,
          std::fabs(truth.overlap_n->high) + 2 * (of.height_i + of.height_j) * truth.sigma.high, "overlap_n");
  });
  // If faces lie on each other, the point is not unique, or its uniqueness is not proved.
  EXPECT_GT(unique, all * 2 / 3);
}

/// In these regimes, no faces lie exactly on each other. All points must be certified.
TEST(SuperquadricContact, PointsOfEverydayRegimesAreCertified) {
  for (std::string_view const name : {"typical", "ellipsoids", "sharp", "slender", "unequal"})
    testing_kernels::for_each_in(properties::regimes(), name, seed, testing_kernels::cases(40),
                                 [](Case const& in) { EXPECT_FALSE(std::isinf(oracle::truth(in).point[0].radius)); });
}

/// The reference must terminate in any scalar type, with the accuracy of this type.
TEST(SuperquadricContact, TheReferenceConvergesInEveryArithmetic) {
  testing_kernels::for_each_in(properties::regimes(), "typical", seed, testing_kernels::cases(20), [](Case const& in) {
    double const sigma = middle(oracle::truth(in).sigma);
    EXPECT_NEAR(reference::evaluate(cast<Input<float>>(in)).sigma / sigma, 1, 1e-4);
    EXPECT_NEAR(reference::evaluate(in).sigma / sigma, 1, 1e-13);
    EXPECT_NEAR(static_cast<double>(reference::evaluate(cast<Input<long double>>(in)).sigma) / sigma, 1, 1e-15);
  });
  Case const in = missed_pair();
  EXPECT_NEAR(static_cast<double>(reference::evaluate(cast<Input<Binary128>>(in)).sigma), .9531260554, 1e-10);
}

/// The wrong sigma is outside the enclosure of the truth.
TEST(SuperquadricContact, AWrongSigmaFails) {
  Case const in = missed_pair();
  Answer out = fast::evaluate(in);
  EXPECT_TRUE(passes(in, out));
  out.sigma *= 1 + 100 * 0x1p-53;
  EXPECT_FALSE(passes(in, out));
}

// -------------------------------------------------------------------------------------------------------------- fast

/// In these pairs, a face is tilted by 1e-14 to 1e-9 against a pole of exponent 2. The contact point is then very close
/// to the pole, where the curvature has no limit. The residual may grow in a step that decreases the objective. For the
/// first three pairs, an earlier search by the residual ended at another point.
TEST(SuperquadricContact, ContactsNearPolesOfExponentTwoAreFound) {
  auto const pair = [](Point const& axes_i, double n1_i, double n2_i, Point const& d, Point const& turn,
                       Point const& axes_j, double n1_j, double n2_j) {
    Case in;
    in.i = {Point::Zero(), {1, 0, 0, 0}, axes_i, n1_i, n2_i};
    in.j = {d, {1, turn[0], turn[1], turn[2]}, axes_j, n1_j, n2_j};
    return in;
  };
  std::vector<Case> all{
      pair({.000924502319753867, .0006380273029005279, .0009599243648012936}, 2, 10.0026666320933,
           {-8.440702385513341e-05, 2.7896969117325707e-05, .0011502045703367424}, {0, 0, 0},
           {.001424018131855466, .0006889939861578298, .0005618744540600019}, 14.260347726480443, 4.3437665263229155),
      pair({2.256222177378898e-05, 5.110771340083275e-06, 7.761050985499679e-06}, 2, 18.208501995351074,
           {-1.53032459789562e-06, 5.512242196796e-07, 1.546310057134074e-05},
           {-8.159329702078213e-14, 1.7502105751240777e-13, -1.8557683180595407e-13},
           {1.785522010239845e-05, 1.4912772827555878e-05, 6.565167697991516e-06}, 17.389051562241395,
           3.2570108460021663),
      pair({1.2339522620778514, .9282488052628156, .7061760249169816}, 12.434624905888011, 6.281544209792125,
           {-.07004599684, .0422845045, .57684623514}, {0, 0, 0},
           {.35226562167069153, 1.4790387179051367, .3385384216457866}, 2, 8.829981100438292)};
  Random random(seed, 0, 0);
  for (std::uint64_t k = 0; k < testing_kernels::cases(400); ++k) {
    auto const axes = [&] { return Point(random.uniform(.2, 1), random.uniform(.2, 1), random.uniform(.2, 1)); };
    Point const a = axes(), b = axes(), turn = random.log_uniform(-14, -9) * cube_point(random);
    Point const d(.2 * random.uniform(-1, 1) * a[0], .2 * random.uniform(-1, 1) * a[1],
                  random.uniform(.5, 1.1) * (a[2] + b[2]));
    all.push_back(pair(a, 2, random.uniform(5, 20), d, turn, b, random.uniform(9, 20), random.uniform(2, 20)));
  }
  for (Case const& in : all) {
    Answer const out = fast::evaluate(in);
    EXPECT_TRUE(passes(in, out)) << text(in);
    auto const before = superquadric_contact::detail::wide_gauge(in.i, wide(out.point)),
               beyond = superquadric_contact::detail::wide_gauge(in.j, wide(out.point));
    EXPECT_LT((before.g / before.g.norm() + beyond.g / beyond.g.norm()).norm(), 1e-13) << text(in);
  }
}

/// From any start the search must find the solution: from a centre, from a point far away, or from a point with extreme
/// coordinates.
TEST(SuperquadricContact, TheAnswerDoesNotDependOnTheStart) {
  Case in = missed_pair();
  double const sigma = fast::evaluate(in).sigma;
  for (Point const& start :
       {Point(0, 0, 0), in.j.position, Point(1e150, 0, 0), Point(-1e300, 1e300, 0), Point(1, 1, 1)}) {
    in.previous = start;
    Answer const out = fast::evaluate(in);
    EXPECT_NEAR(out.sigma / sigma, 1, 1e-14);
    EXPECT_TRUE(passes(in, out));
  }
}

/// Here, faces lie on each other. The condition numbers of point and normal are infinite, so these two outputs are not
/// judged.
TEST(SuperquadricContact, IllConditionedOutputsAreNotJudged) {
  Superquadric<double> const cube{{0, 0, 0}, {1, 0, 0, 0}, {1, 1, 1}, 20, 20};
  Case in{cube, cube, std::nullopt};
  in.j.position = {0.1, 0.05, 1.9};
  auto const all = judged(in, fast::evaluate(in));
  for (std::size_t k = 0; k < all.size(); ++k) {
    std::string_view const output = Contract::budgets[k].output;
    EXPECT_EQ(all[k].computed, output != "point" && output != "normal") << output;
  }
}

/// If a formula gives no sigma, its overlaps are still judged. The scales must therefore exist without sigma.
TEST(SuperquadricContact, IfAFormulaHasNoSigmaItsOverlapsStillHaveScales) {
  Output<Enclosure> truth = oracle::truth(missed_pair());
  auto const with = oracle::scale(missed_pair(), truth);
  truth.sigma = {std::numeric_limits<double>::quiet_NaN(), 0, 0};
  auto const without = oracle::scale(missed_pair(), truth);
  ASSERT_TRUE(with.overlap_b && without.overlap_b);
  EXPECT_NEAR(static_cast<double>(*without.overlap_b / *with.overlap_b), 1, 1e-9);
}

// --------------------------------------------------------------------------------------------------------- continuity

Continuity search(Subject const& subject, std::uint64_t paths) {
  ContinuityOptions options;
  options.paths = paths;
  options.bends = 0;
  options.minimise = options.ascend = false;
  return search_continuity(*find_kernel("superquadric_contact"), *find_laboratory("superquadric_contact"), subject,
                           options);
}

TEST(SuperquadricContact, IsContinuousThroughFacesEdgesAndCorners) {
  Continuity const found = search(*find_subject("fast"), testing_kernels::cases(600));
  EXPECT_FALSE(found.jumps());
  EXPECT_GT(found.bisections, 100u);
  EXPECT_EQ(found.unanswered, 0u);
}

TEST(SuperquadricContact, AnotherNormalForDeepContactsCausesAJump) {
  Subject const mixed = make_subject("mixed", answer_with<Contract>("", [](Case const& in, Answer& out) {
                                       out = fast::evaluate(in);
                                       if (out.normal && out.sigma < 0.7)
                                         out.normal = (in.i.position - in.j.position).normalized();
                                       return static_cast<char const*>(nullptr);
                                     }));
  EXPECT_TRUE(search(mixed, testing_kernels::cases(60)).jumps());
}

}  // namespace
}  // namespace demeter::superquadric_contact
