#include "fast/clump_mass_properties.hpp"
#include "oracles/clump_mass_properties.hpp"
#include "oracles/core/judge.hpp"
#include "properties/clump_mass_properties.hpp"
#include "reference/clump_mass_properties.hpp"
#include "reference/core/scalars.hpp"
#include "reference/printed/clump_mass_properties.hpp"
#include "tests/core/kernel_cases.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <map>

namespace demeter::clump_mass_properties {
namespace {

using namespace testing_kernels;
using Case = Input<double>;
using Answer = Output<double>;
using Part = Member<double>;
using Point = Vector3<double>;
using Many = Multiprecision;

constexpr std::uint64_t seed = 27;
constexpr Tested<Contract, oracle::hooks> tested{properties::regimes, properties::laws, oracle::truth, seed};
constexpr double pi = 3.14159265358979323846;

// ------------------------------------------------------------------------------------------------------------ helpers

Part sphere(double x, double y, double z, double radius, double density = 1000) {
  double const mass = 4 * pi / 3 * radius * radius * radius * density;
  return {{x, y, z}, {1, 0, 0, 0}, mass, Point::Constant(0.4 * mass * radius * radius)};
}
Case three() { return {{sphere(0, 0, 0, .5), sphere(0, 0, 1, .5), sphere(0, 1, 0, .5)}}; }
Case asymmetric() { return {{sphere(0, 0, 0, 1), sphere(1, 0, 2, .7), sphere(0, 2, .6, .5)}}; }
Part point_mass(double x, double y, double z, double mass = 1) {
  return {{x, y, z}, {1, 0, 0, 0}, mass, Point::Zero()};
}

Answer accurate(Case const& in) {
  return with_digits(100, [&] { return cast<Answer>(reference::evaluate(cast<Input<Many>>(in))); });
}

Many as_many(Interval const& x) { return Many(x.low()); }

Matrix3<Many> axes_of(Answer const& out) { return reference::rotation<Many>(cast<Output<Many>>(out).orientation); }

// ---------------------------------------------------------------------------------------------------------- reference

TEST(ClumpMassProperties, TheReferenceIsWithinTheBudget) {
  tested.for_each_case(cases(100), [](Case const& in) { EXPECT_TRUE(tested.passes(in, accurate(in))); });
}

TEST(ClumpMassProperties, AnswersAgreeWithTheClumpOfWoosDocumentation) {
  // With m1 = 500 pi/3, the expected values are m = 500 pi, c = (0, 1/3, 1/3), xx = 49/30 m1, yy = zz = 29/30 m1, yz =
  // m1/3.
  double const m1 = 500 * pi / 3;
  for (Answer const& out : {reference::evaluate(three()), fast::evaluate(three())}) {
    EXPECT_NEAR(out.mass, 1570.7963267948967, 1e-12);
    EXPECT_LE((out.centroid - Point(0, 1. / 3, 1. / 3)).cwiseAbs().maxCoeff(), 1e-16);
    Tensor<double> inertia{49. / 30, 29. / 30, 29. / 30, 0, 0, 1. / 3};
    EXPECT_LE((out.inertia - m1 * inertia).cwiseAbs().maxCoeff(), 1e-12);
    EXPECT_LE((out.principal - pi * Point(950. / 9, 650. / 3, 2450. / 9)).cwiseAbs().maxCoeff(), 1e-12);
    // The principal axes are along (0, 1, -1), (0, 1, 1) and x.
    Matrix3<double> axes;
    double const half = std::sqrt(0.5);
    axes = {0, 0, 1, half, half, 0, -half, half, 0};
    auto const R = axes_of(out);
    for (Index i = 0; i < 3; ++i)
      for (Index k = 0; k < 3; ++k) EXPECT_NEAR(static_cast<double>(R(i, k)), axes(i, k), 1e-15);
    EXPECT_TRUE(tested.passes(three(), out));
  }
}

TEST(ClumpMassProperties, FastAgreesWithTheRecordedResultForAnAsymmetricClump) {
  Answer const out = fast::evaluate(asymmetric());
  EXPECT_NEAR(out.mass, 6149.14402063, 1e-8);
  EXPECT_LE((out.principal - Point(3959.70078, 7359.42448, 9309.64531)).cwiseAbs().maxCoeff(), 1e-5);
}

TEST(ClumpMassProperties, AnswersAgreeWithHandComputedClumps) {
  // Three clumps: two masses on the x axis; a rod with moments (0, 2, 2) rotated by 90 degrees about z; three masses at
  // the corners of a right triangle.
  Case const pair{{point_mass(-1, 0, 0), point_mass(3, 0, 0, 3)}};
  Answer out = fast::evaluate(pair);
  EXPECT_EQ(out.mass, 4);
  EXPECT_EQ(out.centroid, Point(2, 0, 0));
  EXPECT_EQ(out.principal, Point(0, 12, 12));
  Part rod = point_mass(5, 6, 7, 2);
  rod.inertia = {0, 2, 2};
  rod.orientation = {1, 0, 0, 1};
  out = fast::evaluate({{rod}});
  EXPECT_EQ(out.centroid, rod.position);
  EXPECT_EQ(out.inertia.head<3>(), Point(2, 0, 2));
  EXPECT_EQ(out.principal, Point(0, 2, 2));
  out = fast::evaluate({{point_mass(0, 0, 0), point_mass(3, 0, 0), point_mass(0, 3, 0)}});
  EXPECT_EQ(out.centroid, Point(1, 1, 0));
  EXPECT_EQ(out.inertia.head<3>(), Point(6, 6, 12));
  EXPECT_EQ(out.inertia.tail<3>(), Point(3, 0, 0)) << "the tensor's sign, -sum of m x y";
}

TEST(ClumpMassProperties, DomainErrorsNameTheMember) {
  Case const good = three();
  auto const field_of = [&](auto const& change) { return testing_kernels::field_refused<Contract>(good, change); };
  EXPECT_EQ(field_of([](Case&) {}), "");
  EXPECT_EQ(field_of([](Case& in) { in.members.clear(); }), "members");
  EXPECT_EQ(field_of([](Case& in) { in.members[1].mass = 0; }), "members[1].mass");
  EXPECT_EQ(field_of([](Case& in) { in.members[0].mass = -1; }), "members[0].mass");
  EXPECT_EQ(field_of([](Case& in) { in.members[2].inertia[1] = -1; }), "members[2].inertia[1]");
  EXPECT_EQ(field_of([](Case& in) { in.members[2].inertia.setZero(); }), "");
  EXPECT_EQ(field_of([](Case& in) { in.members[1].orientation.setZero(); }), "members[1].orientation");
  EXPECT_EQ(field_of([](Case& in) { in.members[1].orientation = {0, 0, 0, 1e-300}; }), "");
}

// ------------------------------------------------------------------------------------------------------------- oracle

TEST(ClumpMassProperties, TheOracleFindsTheMomentsOfARotatedBody) {
  // A body with moments 1, 2, 4 in four orientations. The principal moments of the oracle must be these moments.
  Part part = point_mass(0, 0, 0);
  part.inertia = {4, 1, 2};
  Precision const enough(100);
  for (Quaternion<double> const& q : {Quaternion<double>(1, 1, 1, 1), Quaternion<double>(2, 0, 0, 1),
                                      Quaternion<double>(3, -1, 2, 7), Quaternion<double>(1, 0, 0, 0)}) {
    part.orientation = q;
    auto const truth = oracle::refined_truth({{part}}, 200);
    for (Index k = 0; k < 3; ++k) EXPECT_LE(abs(as_many(truth.principal[k]) - Many(1 << k)), Many(0x1p-190));
  }
}

TEST(ClumpMassProperties, TheDistanceFromTheOptimumDependsOnTheAxesOnly) {
  Part part = point_mass(0, 0, 0);
  part.inertia = {1, 2, 4};
  Case const in{{part}};
  auto const truth = oracle::truth(in);
  auto const excess = [&](Quaternion<double> const& q) {
    Answer out = fast::evaluate(in);
    out.orientation = q;
    Enclosure const loss = oracle::excess(in, truth, out);
    return static_cast<double>(loss.high);
  };
  EXPECT_NEAR(excess({1, 0, 0, 0}), 0, 1e-30);
  EXPECT_NEAR(excess({0, 0, -1, 0}), 0, 1e-30) << "half a turn about an axis only changes signs";
  EXPECT_NEAR(excess({-1, 0, 0, 0}), 0, 1e-30);
  EXPECT_NEAR(excess({1, 0, 0, 1}), 1 + 4, 1e-15) << "x and y exchanged, and a square that is 1 too large";
  EXPECT_NEAR(excess({0.6, 0, 0, 0.8}), 0.96 * 0.96, 1e-15) << "the sine of the angle squared, times 2 - 1";
  EXPECT_EQ(excess({0, 0, 0, 0}), infinity);
  EXPECT_EQ(excess({nan, 0, 0, 0}), infinity);
  // After a rotation by a small angle, the off-diagonal entry is the sine of the angle times the difference of the
  // moments.
  EXPECT_NEAR(excess({1, 0, 0, 1e-9}), 2e-9, 1e-16);
}

TEST(ClumpMassProperties, AxesOfEqualMomentsMayHaveAnyDirection) {
  Part part = point_mass(0, 0, 0);
  double const angle[2] = {0.6, 0.8};
  auto const verdict = [&](Point const& moments, Quaternion<double> const& q) {
    part.inertia = moments;
    Case const in{{part}};
    Answer out = fast::evaluate(in);
    out.orientation = q;
    return tested.judged(in, out)[4].verdict;
  };
  Quaternion<double> const about_z(angle[0], 0, 0, angle[1]), about_x(angle[0], angle[1], 0, 0);
  EXPECT_EQ(verdict({1, 1, 2}, about_z), Verdict::pass);
  EXPECT_EQ(verdict({1, 1, 2}, about_x), Verdict::fail);
  EXPECT_EQ(verdict({1, 2, 2}, about_x), Verdict::pass);
  EXPECT_EQ(verdict({1, 2, 2}, about_z), Verdict::fail);
  EXPECT_EQ(verdict({2, 2, 2}, about_x), Verdict::pass);
  EXPECT_EQ(verdict({2 - 0x1p-39, 2, 4}, about_z), Verdict::pass) << "a step of 2^-41 of the largest moment";
  EXPECT_EQ(verdict({2 - 0x1p-36, 2, 4}, about_z), Verdict::fail) << "a step of 2^-38";
}

// --------------------------------------------------------------------------------------------------------------- fast

TEST(ClumpMassProperties, FastReturnsTheDocumentedChoiceOfAxes) {
  tested.for_each_case(cases(300), [](Case const& in) {
    Answer const out = fast::evaluate(in);
    Point const I = out.principal;
    EXPECT_LE(I[0], I[1]);
    EXPECT_LE(I[1], I[2]);
    EXPECT_GE(I[0], 0);
    EXPECT_NEAR(out.orientation.norm(), 1, 1e-15);
    Index first = 0;
    while (first < 3 && out.orientation[first] == 0) ++first;
    EXPECT_GT(out.orientation[first], 0);
    if (!(I[2] > 1e-290)) return;
    bool const low = !(I[1] - I[0] > cluster_step * I[2]), high = !(I[2] - I[1] > cluster_step * I[2]);
    Matrix3<double> const R = axes_of(out).cast<double>();
    if (low && high) {
      EXPECT_EQ(out.orientation, Quaternion<double>(1, 0, 0, 0));
      return;
    }
    // An axis is simple if no other axis has the same moment. The largest component of a simple axis is positive. The
    // last axis is an exception: its sign makes the frame right-handed.
    for (Index k = 0; k < 3; ++k) {
      bool const simple = !(k < 2 && low) && !(k > 0 && high), free = k < 2 || low || high;
      if (simple && free) {
        EXPECT_GT(R.col(k).maxCoeff() + R.col(k).minCoeff(), -1e-14);
      }
    }
    if (low == high) return;
    // Two axes form a pair if their moments are equal. The first axis of a pair is the projection of a coordinate axis:
    // the one that is most nearly perpendicular to the simple axis. Its largest component is along this coordinate
    // axis.
    Index const simple = low ? 2 : 0, pair = low ? 0 : 1;
    Index least = 0;
    double const least_size = R.col(simple).cwiseAbs().minCoeff(&least);
    double const expected = std::sqrt(1 - least_size * least_size);
    EXPECT_NEAR(R.col(pair).cwiseAbs().maxCoeff(), expected, 1e-7);
  });
}

TEST(ClumpMassProperties, FarFromTheOriginFastIsAccurateAndTheDocumentedFormIsNot) {
  // The table of docs/mathematics/clumps.md#clump_mass_properties-measured-figures: the relative error of the inertia
  // of the clump of three balls by distance from the origin.
  for (double const distance : {18.0, 2.3e3, 3.0e5, 1.9e7, 1e12, 1e15}) {
    Case in = three();
    for (Part& part : in.members) part.position += std::round(distance) * Point(1, 1, 1);
    EXPECT_TRUE(tested.passes(in, fast::evaluate(in))) << distance;
    double const lost = tested.judged(in, printed::documented(in))[2].error;
    EXPECT_GT(lost, distance > 1e5 ? 1e10 : distance > 1e3 ? 1e5 : 0) << distance;
    // In exact arithmetic, the documented form loses no digits.
    Precision const enough(100);
    auto const exact = cast<Answer>(printed::documented(cast<Input<Many>>(in)));
    EXPECT_EQ(tested.judged(in, exact)[2].verdict, Verdict::pass) << distance;
  }
}

/// The columns of many clumps, and the answers of the fast form at one level.
struct Batch {
  std::vector<std::vector<double>> in = std::vector<std::vector<double>>(12), out;

  explicit Batch(std::vector<Case> const& clumps) {
    in[0].push_back(0);
    for (Case const& clump : clumps) {
      in[0].push_back(in[0].back() + static_cast<double>(clump.members.size()));
      for (Part const& part : clump.members) {
        for (std::size_t k = 0; k < 3; ++k) in[1 + k].push_back(part.position[static_cast<Index>(k)]);
        for (std::size_t k = 0; k < 4; ++k) in[4 + k].push_back(part.orientation[static_cast<Index>(k)]);
        in[8].push_back(part.mass);
        for (std::size_t k = 0; k < 3; ++k) in[9 + k].push_back(part.inertia[static_cast<Index>(k)]);
      }
    }
  }
  void evaluate(Level level) {
    std::size_t const n = in[0].size() - 1;
    out.assign(17, std::vector<double>(n, -1));
    std::vector<double const*> from;
    std::vector<double*> to;
    for (auto const& column : in) from.push_back(column.data());
    for (auto& column : out) to.push_back(column.data());
    fast::evaluate(level, n, from.data(), to.data());
  }
};

bool same_bits(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

TEST(ClumpMassProperties, AnAnswerDoesNotDependOnOtherClumpsOfTheBatch) {
  // The batch has clumps of every length. One is empty, and one is far longer than the others. Some clumps need the
  // guarded form: far from the origin, with an axis scaled by 2^-500, with arms lost in rounding, or outside the
  // domain.
  Random random(seed, 0, 0);
  std::vector<Case> clumps;
  clumps.emplace_back();
  for (std::int64_t length = 1; length < 70; ++length) clumps.push_back(properties::bodies(random, length));
  for (std::int64_t const length : {1000, 129, 3, 300, 2, 17, 16, 15}) {
    clumps.push_back(properties::bodies(random, length));
    Case far = three(), out_of_proportion = three(), unequal = properties::bodies(random, 5), bad = three();
    for (Part& part : far.members) part.position += Point::Constant(0x1p45);
    for (Part& part : out_of_proportion.members) part.position[0] *= 0x1p-500;
    for (Part& part : unequal.members) part.mass *= 0x1p-300, part.inertia.setZero();
    unequal.members[2].mass *= 0x1p300;
    bad.members[1].mass = -1;
    for (Case const& each : {far, out_of_proportion, unequal, bad}) clumps.push_back(each);
  }
  for (std::size_t i = clumps.size(); i > 1; --i)
    std::swap(clumps[i - 1], clumps[static_cast<std::size_t>(random.integer(0, static_cast<std::int64_t>(i) - 1))]);
  for (std::size_t const n : {clumps.size(), std::size_t{9}, std::size_t{3}, std::size_t{1}}) {
    clumps.resize(n);
    Batch batch(clumps);
    for (Level const level : {Level::scalar, Level::avx2, Level::avx512}) {
      if (!available(level)) continue;
      batch.evaluate(level);
      for (std::size_t i = 0; i < n; ++i) {
        Answer const alone = fast::evaluate(clumps[i]);
        EXPECT_TRUE(same_bits(batch.out[0][i], alone.mass)) << i;
        for (std::size_t k = 0; k < 3; ++k) {
          auto const at = static_cast<Index>(k);
          EXPECT_TRUE(same_bits(batch.out[1 + k][i], alone.centroid[at])) << i;
          EXPECT_TRUE(same_bits(batch.out[10 + k][i], alone.principal[at])) << i;
        }
        for (std::size_t k = 0; k < 6; ++k)
          EXPECT_TRUE(same_bits(batch.out[4 + k][i], alone.inertia[static_cast<Index>(k)])) << i;
        for (std::size_t k = 0; k < 4; ++k)
          EXPECT_TRUE(same_bits(batch.out[13 + k][i], alone.orientation[static_cast<Index>(k)])) << i;
      }
    }
  }
}

TEST(ClumpMassProperties, FastIsRightAcrossTheTransitionToGuardedArithmetic) {
  // Three sequences of clumps in which the fast form changes from plain to guarded arithmetic: the distance from the
  // origin, the ratio of masses, or the ratio of the axes grows.
  for (int exponent = 20; exponent < 50; ++exponent) {
    Case in = asymmetric();
    for (Part& part : in.members) part.position += Point::Constant(std::ldexp(1.0, exponent));
    EXPECT_TRUE(tested.passes(in, fast::evaluate(in))) << exponent;
  }
  for (int exponent = 20; exponent < 300; exponent += 7) {
    Case in = asymmetric();
    for (Part& part : in.members) part.inertia.setZero();
    in.members[1].mass = std::ldexp(in.members[1].mass, exponent);
    EXPECT_TRUE(tested.passes(in, fast::evaluate(in))) << exponent;
  }
  for (int exponent = 300; exponent < 1000; exponent += 20) {
    Case in = asymmetric();
    for (Part& part : in.members) part.position[0] = std::ldexp(part.position[0], -exponent);
    EXPECT_TRUE(tested.passes(in, fast::evaluate(in))) << exponent;
  }
}

// ---------------------------------------------------------------------------------------------------------- properties

TEST(ClumpMassProperties, CasesOfSymmetricRegimesHaveEqualMoments) {
  std::map<std::string_view, std::size_t> pairs, triples;
  for (std::size_t regime = 0; regime < properties::regimes().size(); ++regime)
    for (std::uint64_t id = 0; id < 200; ++id) {
      auto const& [name, profile, doc, draw] = properties::regimes()[regime];
      Random random(seed, regime, id);
      Case const in = draw(random);
      Point const I = fast::evaluate(in).principal;
      EXPECT_TRUE(I.allFinite()) << name << " " << id;
      int const steps = !(I[1] - I[0] > cluster_step * I[2]) + !(I[2] - I[1] > cluster_step * I[2]);
      if (steps == 1) ++pairs[name];
      if (steps == 2) ++triples[name];
    }
  EXPECT_GT(pairs["symmetric"], 20u);
  EXPECT_GT(triples["symmetric"], 20u);
  EXPECT_GT(pairs["line"], 50u);
  EXPECT_GT(pairs["nearly_symmetric"], 20u);
  EXPECT_LT(pairs["nearly_symmetric"] + triples["nearly_symmetric"], 180u) << "some must not be clusters";
}

}  // namespace
}  // namespace demeter::clump_mass_properties
