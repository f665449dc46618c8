#include "fast/superquadric_box_test.hpp"
#include "check/continuity.hpp"
#include "mutants/superquadric_box_test.hpp"
#include "oracles/core/judge.hpp"
#include "oracles/superquadric_box_test.hpp"
#include "properties/superquadric_box_test.hpp"
#include "reference/core/scalars.hpp"
#include "reference/printed/superquadric_box_test.hpp"
#include "reference/spec/core/table.hpp"
#include "reference/superquadric_box_test.hpp"
#include "tests/core/kernel_cases.hpp"
#include "tests/core/rationals.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <functional>

namespace demeter::superquadric_box_test {
namespace {

using testing_kernels::cases;
using testing_kernels::encloses;
using testing_kernels::nan;
using testing_kernels::Outcome;
using testing_kernels::text;
using Case = Input<double>;
using Answer = Output<double>;
using Body = Superquadric<double>;
using Point = Vector3<double>;
using Turn = Quaternion<double>;

// ------------------------------------------------------------------------------------------------------------ helpers

constexpr std::uint64_t seed = 31;

Case draw(std::string_view name, std::uint64_t id) {
  std::size_t const regime = testing_kernels::regime_named(properties::regimes(), name);
  Random random(seed, regime, id);
  return properties::regimes()[regime].draw(random);
}
template <class Check>
void for_each_case(std::uint64_t count, Check&& check) {
  testing_kernels::for_each_case<Case>(properties::regimes(), seed, count, check);
}
template <class Check>
void for_each_in(std::string_view regime, Check&& check) {
  testing_kernels::for_each_in(properties::regimes(), regime, seed, 300, check);
}

auto judged(Case const& in, Answer const& answer) {
  return testing_kernels::judged<Contract, oracle::hooks>(in, oracle::truth(in), answer);
}
bool passes(Case const& in, Answer const& answer) { return testing_kernels::all_pass(judged(in, answer)); }

Output<Rational> exact_answer(Case const& in) { return reference::evaluate(cast<Input<Rational>>(in)); }

/// Returns the truth, rounded to double: the most accurate possible answer.
Answer accurate(Case const& in) {
  auto const truth = oracle::truth(in);
  return {static_cast<double>(truth.sigma_box.high), truth.separated};
}

Body body(Point const& position, Turn const& orientation, Point const& axes) {
  return {position, orientation, axes, 4, 6};
}
Body cube(Point const& position, Turn const& orientation = {1, 0, 0, 0}) {
  return body(position, orientation, {1, 1, 1});
}

// ---------------------------------------------------------------------------------------------------------- reference

TEST(SuperquadricBoxTest, AnswersAgreeWithHandComputedPairs) {
  double const root2 = std::sqrt(2.0);
  struct Known {
    char const* what;
    Case in;
    double sigma;
  };
  for (Known const& known : {
           Known{"face to face", {cube({0, 0, 0}), cube({3, 0, 0})}, 1.5},
           Known{"corner to corner", {cube({0, 0, 0}), cube({1, -1, 1})}, 0.5},
           Known{"an edge to a face", {cube({0, 0, 0}), cube({3, 0, 0}, {1, 0, 0, root2 - 1})}, 3 / (1 + root2)},
           Known{"of other lengths", {cube({0, 0, 0}, {-7, 0, 0, 0}), cube({0, 4, 0}, {0, 0, 0, 3})}, 2},
           Known{"edge to edge: z of i times x of j",
                 {cube({0, 0, 0}, {1, 0, 0, root2 - 1}), cube({4, 0, 0}, {1, 0, root2 - 1, 0})},
                 // The edges touch: an edge of i along z, and an edge of j along y. The distance of each edge from the
                 // centre of its body is root 2 along x.
                 4 / (2 * root2)},
           Known{"a rod on a plate",
                 {body({1, 1, 1}, {1, 0, 0, 0}, {10, 10, 0.5}), body({1, 1, 3}, {1, 0, 0, 0}, {0.25, 0.25, 1})},
                 2 / 1.5},
           Known{"equal centres", {cube({1, 2, 3}), cube({1, 2, 3}, {3, 1, 4, 1})}, 0},
       }) {
    for (Answer const& answer : {reference::evaluate(known.in), fast::evaluate(known.in)}) {
      EXPECT_NEAR(answer.sigma_box, known.sigma, 1e-15 * known.sigma) << known.what;
      EXPECT_EQ(answer.separated, known.sigma > 1 ? Separated::yes : Separated::no) << known.what;
    }
  }
}

TEST(SuperquadricBoxTest, DomainErrorsNameTheField) {
  Case const fine{cube({0, 0, 0}), cube({1, 0, 0})};
  EXPECT_FALSE(Contract::domain_error(fine));
  struct Bad {
    char const* field;
    std::function<void(Case&)> change;
  };
  for (Bad const& bad : {
           Bad{"i.orientation", [](Case& in) { in.i.orientation.setZero(); }},
           Bad{"j.orientation", [](Case& in) { in.j.orientation.setZero(); }},
           Bad{"i.semi_axes[0]", [](Case& in) { in.i.semi_axes[0] = 0; }},
           Bad{"j.semi_axes[2]", [](Case& in) { in.j.semi_axes[2] = -1; }},
           Bad{"j.semi_axes[1]", [](Case& in) { in.j.semi_axes[1] = nan; }},
           Bad{"i.n1", [](Case& in) { in.i.n1 = 1.5; }},
           Bad{"j.n1", [](Case& in) { in.j.n1 = nan; }},
           Bad{"i.n2", [](Case& in) { in.i.n2 = nan; }},
           Bad{"j.n2", [](Case& in) { in.j.n2 = 201; }},
       }) {
    Case in = fine;
    bad.change(in);
    auto const error = Contract::domain_error(in);
    ASSERT_TRUE(error) << bad.field;
    EXPECT_EQ(error->field, bad.field);
  }
}

/// Returns the case with j moved. The centre of j is then on a facet of the Minkowski sum. The first edges of both
/// boxes span this facet, even if these edges are nearly parallel.
Case between_edges(Case in) {
  auto const edges = properties::half_edges<long double>(in);
  Vector3<long double> const normal = edges[0].cross(edges[3]);
  Vector3<long double> d = Vector3<long double>::Zero();
  for (std::size_t const m : {1u, 2u, 4u, 5u}) d += normal.dot(edges[m]) < 0 ? -edges[m] : edges[m];
  in.i.position.setZero();
  in.j.position = d.cast<double>();
  return in;
}

/// Compares a formula with the reference, both in 60 digits. Returns the largest relative loss over `count` pairs. The
/// pairs have edges parallel up to `tilt` and aspect ratios up to 100.
template <class Formula>
double loss(Formula const& formula, double tilt, std::uint64_t count) {
  Precision const enough(60);
  double worst = 0;
  for (std::uint64_t id = 0; id < count; ++id) {
    Random random(seed, 5, id);
    Turn about{random.uniform(-1, 1), random.uniform(-1, 1), 0, 0};
    Turn const relative = of_length_1(about) + tilt * unit_quaternion(random);
    auto const in = cast<Input<Multiprecision>>(between_edges(properties::pair_with_turn(random, relative, -2)));
    Multiprecision const right = reference::evaluate(in).sigma_box, other = formula(in).sigma_box;
    worst = std::max(worst, ScalarCast<double, Multiprecision>::apply(Multiprecision((right - other) / right)));
  }
  return worst;
}

/// Source of the figures: docs/mathematics/superquadrics.md#superquadric_box_test-measured-figures
TEST(SuperquadricBoxTest, OtherFormulasLoseTheDocumentedDigits) {
  auto const padded = [](auto const& in) { return printed::padded(in); };
  auto const threshold = [](auto const& in) { return printed::threshold(in); };
  // The reference in double: its products of rounded axes have terms that should be 0.
  auto const rounded = [](auto const& in) { return cast<Output<Multiprecision>>(reference::evaluate(cast<Case>(in))); };
  auto const recommended = [](auto const& in) { return cast<Output<Multiprecision>>(fast::evaluate(cast<Case>(in))); };
  struct Row {
    double tilt, threshold, padded, rounded;
  };
  for (auto const& [tilt, skipped, with_padding, in_double] :
       {Row{1e-2, 0, 4.7e-3, 3.5e-14}, Row{1e-4, 0, 5.1e-4, 5.2e-12}, Row{1e-9, 9.2e-10, 5.7e-9, 4.6e-9},
        Row{1e-12, 4.6e-12, 5.7e-12, 4.6e-12}}) {
    auto const expect = [tilt = tilt](double found, double tabled) {
      EXPECT_LE(found, 1.1 * tabled + 1e-50) << tilt;
      EXPECT_GE(found, 0.3 * tabled) << tilt;
    };
    std::uint64_t const count = cases(2000);
    expect(loss(threshold, tilt, count), skipped);
    expect(loss(padded, tilt, count), with_padding);
    expect(loss(rounded, tilt, count), in_double);
    EXPECT_LE(loss(recommended, tilt, count), 6 * unit_roundoff);
  }
}

// ------------------------------------------------------------------------------------------------------------- oracle

TEST(SuperquadricBoxTest, OracleEnclosesTheExactRationalAnswer) {
  for_each_case(cases(12), [](Case const& in) {
    auto const truth = oracle::truth(in);
    auto const expected = exact_answer(in);
    EXPECT_TRUE(encloses(truth.sigma_box, expected.sigma_box));
    EXPECT_EQ(truth.separated, expected.separated);
    EXPECT_LE(truth.sigma_box.radius, truth.sigma_box.high * 0x1p-118L);
  });
}

TEST(SuperquadricBoxTest, BothLabelsAreRightOnlyIfTheBoxesTouch) {
  Case const touching{cube({0, 0, 0}), cube({2, 1, 0}, {3, 0, 0, 3})};
  auto const truth = oracle::truth(touching);
  EXPECT_EQ(truth.sigma_box.high, 1);
  EXPECT_EQ(truth.sigma_box.radius, 0);
  EXPECT_EQ(truth.separated, Separated::no);
  // If the boxes touch, both labels are right. At 32 u from touching, only one label is right.
  EXPECT_TRUE(passes(touching, {1, Separated::yes}));
  Case apart = touching;
  apart.j.position[0] = 2 * (1 + 0x1p-48);  // 32 u
  EXPECT_FALSE(passes(apart, {1 + 0x1p-48, Separated::no}));
  EXPECT_TRUE(passes(apart, {1 + 0x1p-48, Separated::yes}));
}

// --------------------------------------------------------------------------------------------------------------- fast

TEST(SuperquadricBoxTest, FastIsWithinHalfItsBudget) {
  for_each_case(cases(1500), [](Case const& in) {
    auto const all = judged(in, fast::evaluate(in));
    EXPECT_EQ(all[0].verdict, Verdict::pass);
    EXPECT_EQ(all[1].verdict, Verdict::pass);
    EXPECT_LE(all[0].error, 8);
  });
}

/// The hardest inputs for the bound in the header. The vector d points to a corner of the Minkowski sum, where all
/// directions between the facets are optimal. Edges are parallel up to every angle and in every order. The aspect ratio
/// is 2^20.
TEST(SuperquadricBoxTest, FastIsWithinHalfItsBudgetAtEveryAngleAndAspect) {
  double worst = 0;
  for (int tilt = -56; tilt <= 0; tilt += 2)
    for (std::uint64_t id = 0; id < cases(150); ++id) {
      Random random(seed, 1000 + static_cast<std::uint64_t>(-tilt), id);
      Turn relative = properties::parallel_turn(random);
      relative += std::ldexp(1.0, tilt) * unit_quaternion(random);
      Case in = properties::pair_with_turn(random, relative, -6);
      in = properties::placed(in, random, 1);
      auto const all = judged(in, fast::evaluate(in));
      EXPECT_EQ(all[0].verdict, Verdict::pass) << text(in);
      worst = std::max(worst, all[0].error);
    }
  EXPECT_LE(worst, 8);
}

TEST(SuperquadricBoxTest, FastIsRightInAnyUnitAndAtAnyDistance) {
  for (double const unit : {0x1p-1070, 1e-150, 1.0, 1e150, 0x1p1020}) {
    Case const in{body({0, 0, 0}, {1, 0, 0, 0}, {unit, unit, unit}),
                  body({6 * unit, 0, 0}, {0, 1, 0, 0}, {2 * unit, unit, unit})};
    EXPECT_EQ(fast::evaluate(in).sigma_box, 2) << unit;
    EXPECT_TRUE(passes(in, fast::evaluate(in))) << unit;
  }
  constexpr double largest = std::numeric_limits<double>::max(), least = std::numeric_limits<double>::denorm_min();
  // The difference of the positions overflows. In the first case, the bodies are as large as this difference. In the
  // second case, they are far too small to touch.
  Case far{cube({-largest, 0, 0}), cube({largest, 0, 0})};
  far.i.semi_axes.setConstant(largest);
  far.j.semi_axes.setConstant(largest / 2);
  EXPECT_DOUBLE_EQ(fast::evaluate(far).sigma_box, 4.0 / 3);
  far.i.semi_axes.setConstant(1);
  far.j.semi_axes.setConstant(1);
  EXPECT_EQ(fast::evaluate(far).sigma_box, largest);
  far.i.semi_axes.setConstant(least);
  far.j.semi_axes.setConstant(least);
  EXPECT_EQ(fast::evaluate(far).sigma_box, std::numeric_limits<double>::infinity());
  EXPECT_EQ(fast::evaluate(far).separated, Separated::yes);
  Case near{cube({0, 0, 0}), cube({least, 0, 0})};
  near.i.semi_axes.setConstant(largest);
  near.j.semi_axes.setConstant(largest);
  EXPECT_EQ(fast::evaluate(near).sigma_box, 0);
  near.i.semi_axes.setConstant(1);
  near.j.semi_axes.setConstant(1);
  EXPECT_TRUE(passes(near, fast::evaluate(near)));
  Random random(seed, 3, 0);
  for (std::uint64_t k = 0; k < cases(500); ++k) {
    Case in = draw("typical", k);
    for (Body* of : {&in.i, &in.j}) {
      for (double& each : of->position) each = random.sign() * random.unit() * largest;
      for (double& each : of->semi_axes) each *= 0x1p1020;
    }
    ASSERT_TRUE(passes(in, fast::evaluate(in))) << text(in);
    for (Body* of : {&in.i, &in.j}) {
      for (double& each : of->position) each = few_bits(random, 20, -1074);
      for (double& each : of->semi_axes) each = std::fabs(few_bits(random, 12, -1074)) + least;
    }
    ASSERT_TRUE(passes(in, fast::evaluate(in))) << text(in);
  }
}

RC_GTEST_PROP(SuperquadricBoxTest, FastIsWithinItsBudgetForAnySeed, ()) {
  auto const regime = *rc::gen::inRange<std::size_t>(0, properties::regimes().size());
  Random random(*rc::gen::arbitrary<std::uint64_t>(), regime, *rc::gen::arbitrary<std::uint64_t>());
  Case const in = properties::regimes()[regime].draw(random);
  RC_ASSERT(passes(in, fast::evaluate(in)));
}

// --------------------------------------------------------------------------------------------------------------- laws

using Implementation = std::function<Answer(Case const&)>;

Outcome hold(Law<Case, Answer> const& law, Implementation const& evaluate, std::uint64_t count, bool stop = false) {
  return testing_kernels::hold<Contract>(properties::regimes(), law, evaluate, seed, count, stop);
}

TEST(SuperquadricBoxTest, EveryLawHoldsForTheTruthAndTheFastForm) {
  for (auto const& law : properties::laws()) {
    Outcome const right = hold(law, accurate, cases(40));
    EXPECT_LE(right.worst, 1) << law.name << " on " << right.where;
    EXPECT_GT(right.applied, cases(40) * (law.name == "quaternion_scaling" ? 1 : 8)) << law.name << " hardly applies";
    Outcome const fast = hold(
        law, [](Case const& in) { return fast::evaluate(in); }, cases(3000));
    EXPECT_LE(fast.worst, 1) << law.name << " on " << fast.where;
  }
}

// --------------------------------------------------------------------------------------------------------- continuity

Continuity search(Subject const& subject, std::uint64_t paths) {
  ContinuityOptions options;
  options.paths = paths;
  options.minimise = false;
  return search_continuity(*find_kernel("superquadric_box_test"), *find_laboratory("superquadric_box_test"), subject,
                           options);
}

TEST(SuperquadricBoxTest, IsContinuousThroughParallelEdges) {
  for (char const* const subject : {"fast", "padded"}) {
    Continuity const found = search(*find_subject(subject), cases(100));
    EXPECT_FALSE(found.jumps()) << subject;
    EXPECT_GT(found.bisections, 100u) << subject;
    EXPECT_EQ(found.unanswered, 0u) << subject;
  }
}

TEST(SuperquadricBoxTest, AThresholdForProductsOfEdgesCausesAJump) {
  // If the sine between two edges is below 0.1, this subject ignores the products of edges.
  Subject const coarse =
      make_subject("coarse", answer_with<Contract>("", [](Case const& in, Answer& out) {
                     auto const edges = properties::half_edges<double>(in);
                     out = fast::evaluate(in);
                     for (std::size_t g = 0; g < 3; ++g)
                       for (std::size_t h = 3; h < 6; ++h)
                         if (edges[g].cross(edges[h]).norm() < 0.1 * edges[g].norm() * edges[h].norm())
                           out = mutants::evaluate(in, "faces_alone");
                     return static_cast<char const*>(nullptr);
                   }));
  EXPECT_TRUE(search(coarse, cases(20)).jumps());
}

// ------------------------------------------------------------------------------------------------------------ regimes

TEST(SuperquadricBoxTest, CasesHaveThePropertiesThatTheirRegimesState) {
  int touching = 0, apart = 0, parallel = 0, equal = 0;
  for_each_in("typical", [&](Case const& in) {
    double const sigma = fast::evaluate(in).sigma_box;
    touching += std::fabs(sigma - 1) < 1e-3;
    apart += sigma > 1;
    for (Body const* of : {&in.i, &in.j}) {
      EXPECT_LE(of->semi_axes.maxCoeff(), 10.001 * of->semi_axes.minCoeff());
      EXPECT_TRUE(about_length_1(of->orientation));
    }
  });
  EXPECT_GT(touching, 5);
  EXPECT_GT(apart, 50);
  for_each_in("needles", [&](Case const& in) { EXPECT_TRUE(passes(in, fast::evaluate(in))); });
  for_each_in("equal_centres", [&](Case const& in) { equal += fast::evaluate(in).sigma_box == 0; });
  EXPECT_GT(equal, 100);
  for_each_in("parallel", [&](Case const& in) {
    auto const edges = properties::half_edges<long double>(in);
    for (std::size_t g = 0; g < 3; ++g)
      for (std::size_t h = 3; h < 6; ++h)
        if (edges[g].cross(edges[h]).norm() < 1e-15L * edges[g].norm() * edges[h].norm()) {
          ++parallel;
          return;
        }
  });
  EXPECT_EQ(parallel, 300);
}

}  // namespace
}  // namespace demeter::superquadric_box_test
