#include "fast/segment_distance.hpp"
#include "oracles/core/judge.hpp"
#include "oracles/segment_distance.hpp"
#include "properties/segment_distance.hpp"
#include "reference/core/scalars.hpp"
#include "reference/printed/segment_distance.hpp"
#include "reference/segment_distance.hpp"
#include "reference/spec/core/table.hpp"
#include "tests/core/kernel_cases.hpp"
#include "tests/core/rationals.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>

namespace demeter::segment_distance {
namespace {

using testing_kernels::cases;
using testing_kernels::exact;
using testing_kernels::levels;
using testing_kernels::same_bits;
using Case = Input<double>;
using Answer = Output<double>;
using Point = Vector3<double>;
using Exact = Vector3<Rational>;

// ------------------------------------------------------------------------------------------------------------ helpers

constexpr std::uint64_t seed = 20;
constexpr testing_kernels::Tested<Contract, oracle::hooks> tested{properties::regimes, properties::laws, oracle::truth,
                                                                  seed};

std::string text(Case const& in) {
  std::string result;
  for (Point const* point : {&in.p0, &in.p1, &in.q0, &in.q1})
    result += fmt::format("({:a} {:a} {:a}) ", (*point)[0], (*point)[1], (*point)[2]);
  return result;
}

Exact exact(Point const& x) { return {Rational(x[0]), Rational(x[1]), Rational(x[2])}; }

/// Returns whether the square root of `square` is in the enclosure. The test is exact.
bool encloses_root(Enclosure const& truth, Rational const& square) {
  Rational const middle = exact(truth.high) + exact(truth.low), radius = exact(truth.radius);
  Rational const low = middle - radius, high = middle + radius;
  if (high < 0 || high * high < square) return false;
  return low <= 0 || low * low <= square;
}

/// Returns the squared distance, computed by brute force from the Gram matrix. The unit square of the parameters has
/// nine faces: its interior, four sides and four corners. The minimum on the extension of a face counts if it lies on
/// the face. The result is the least of these minima.
Rational least_over_faces(Case const& in) {
  Exact const p0 = exact(in.p0), q0 = exact(in.q0);
  Exact const A = exact(in.p1) - p0, B = exact(in.q1) - q0, w = q0 - p0;
  Rational const a = A.dot(A), b = B.dot(B), c = A.dot(B), d = A.dot(w), e = B.dot(w), f = w.dot(w);
  Rational best = -1;
  auto const take = [&](Rational const& s, Rational const& t) {
    if (s < 0 || s > 1 || t < 0 || t > 1) return;
    Rational const value = f + s * s * a + t * t * b - 2 * s * d + 2 * t * e - 2 * s * t * c;
    if (best < 0 || value < best) best = value;
  };
  for (int end = 0; end <= 1; ++end) {
    take(end, 0);
    take(end, 1);
    if (b != 0) take(end, Rational((end * c - e) / b));
    if (a != 0) take(Rational((d + end * c) / a), end);
  }
  Rational const determinant = a * b - c * c;
  if (determinant != 0) take(Rational((b * d - c * e) / determinant), Rational((c * d - a * e) / determinant));
  return best;
}

/// Returns the squared distance of the points with parameters s and t.
Rational square_at(Case const& in, Rational const& s, Rational const& t) {
  Exact const p = exact(in.p0) + s * (exact(in.p1) - exact(in.p0)),
              q = exact(in.q0) + t * (exact(in.q1) - exact(in.q0));
  Exact const v = q - p;
  return v.dot(v);
}

/// Returns the answers of the batch form at this level.
std::vector<Answer> batch(Level level, std::vector<Case> const& all) {
  Table table(schema_of<Case>()), answers(schema_of<Answer>());
  for (Case const& in : all) append(table, in);
  std::vector<double const*> in;
  for (auto const& column : table.columns) in.push_back(column.data());
  std::vector<double*> out;
  for (auto& column : answers.columns) {
    column.assign(all.size(), not_computed());
    out.push_back(column.data());
  }
  fast::evaluate(level, all.size(), in.data(), out.data());
  answers.rows = all.size();
  std::vector<Answer> result;
  for (std::size_t row = 0; row < all.size(); ++row) result.push_back(load<Answer>(answers, row));
  return result;
}

// ---------------------------------------------------------------------------------------------------------- reference

TEST(SegmentDistance, ReferenceInRationalsIsTheMinimumOverTheNineFaces) {
  tested.for_each_case(cases(1000), [](Case const& in) {
    auto const closest = reference::closest_pair(cast<Input<Rational>>(in));
    EXPECT_EQ(closest.squared, least_over_faces(in));
    EXPECT_TRUE(closest.s >= 0 && closest.s <= 1 && closest.t >= 0 && closest.t <= 1);
    EXPECT_EQ(square_at(in, closest.s, closest.t), closest.squared);
  });
}

TEST(SegmentDistance, ReferenceIsRightForAllPairsOfSegmentsInASmallGrid) {
  // Tries all pairs of two segments. The ends of the first segment are in a plane grid of 3 x 3 points. The second
  // segment begins at (1, 0) and ends in this grid. Some pairs are degenerate, collinear or crossing.
  for (int code = 0; code < 3 * 3 * 3 * 3 * 9; ++code) {
    int rest = code;
    auto const digit = [&rest] {
      int const value = rest % 3;
      rest /= 3;
      return static_cast<double>(value);
    };
    double const x0 = digit(), y0 = digit(), x1 = digit(), y1 = digit(), x2 = digit(), y2 = digit();
    Case const in{{x0, y0, 0}, {x1, y1, 0}, {1, 0, 0}, {x2, y2, 0}};
    Rational const squared = reference::closest_pair(cast<Input<Rational>>(in)).squared;
    ASSERT_EQ(squared, least_over_faces(in)) << text(in);
    ASSERT_TRUE(encloses_root(oracle::truth(in).distance, squared)) << text(in);
    ASSERT_TRUE(tested.passes(in, fast::evaluate(in))) << text(in);
  }
}

// ------------------------------------------------------------------------------------------------------------- oracle

TEST(SegmentDistance, OracleEnclosesTheExactDistance) {
  std::uint64_t without_radius = 0;
  tested.for_each_case(cases(1500), [&](Case const& in) {
    Enclosure const truth = oracle::truth(in).distance;
    Rational const squared = reference::closest_pair(cast<Input<Rational>>(in)).squared;
    EXPECT_TRUE(encloses_root(truth, squared));
    EXPECT_LE(truth.radius, truth.high * 0x1.01p-122L);
    if (truth.radius == 0) ++without_radius;
  });
  EXPECT_GT(without_radius, cases(1500)) << "lattices and exact parallels have exact distances";
}

TEST(SegmentDistance, OracleIsExactIfTheDistanceIsABinaryNumber) {
  for (auto const& [name, expected] : std::map<std::string, std::pair<Case, long double>>{
           {"crossing", {{{-1, 0, 0}, {1, 0, 0}, {0, -1, 0}, {0, 1, 0}}, 0}},
           {"two apart", {{{-1, -2, 0}, {-1, 2, 0}, {1, -2, 0}, {1, 2, 0}}, 2}},
           {"3 4 5", {{{0, 0, 0}, {0, 0, 0}, {3, 4, 0}, {3, 4, 0}}, 5}},
           {"largest", {{{-0x1p1023, 0, 0}, {-0x1p1023, 0, 0}, {0x1p1023, 0, 0}, {0x1p1023, 0, 0}}, 0x1p1024L}},
           {"least", {{{0, 0, 0}, {1, 0, 0}, {0, 0x1p-1074, 0}, {1, 0x1p-1074, 0}}, 0x1p-1074L}},
       }) {
    Enclosure const truth = oracle::truth(expected.first).distance;
    EXPECT_EQ(truth.high, expected.second) << name;
    EXPECT_EQ(truth.low, 0) << name;
    EXPECT_EQ(truth.radius, 0) << name;
  }
}

TEST(SegmentDistance, OracleWithFixedWidthIntegersEqualsOracleWithIntegersOfAnyWidth) {
  tested.for_each_case(cases(6000), [](Case const& in) {
    EXPECT_TRUE(same_bits(oracle::truth(in).distance, oracle::exact_truth(in).distance));
  });
}

TEST(SegmentDistance, FixedWidthIntegersOfTheOracleDoNotOverflow) {
  Random random(seed, 0, 0);
  for (int const width : {61, 125}) {
    double const top = std::ldexp(1.0, width) - std::ldexp(1.0, width - 53);
    for (std::uint64_t i = 0; i < cases(50'000); ++i) {
      auto const coordinate = [&] {
        double const sign = random.sign();
        switch (random.integer(0, 3)) {
          case 0:
            return sign * std::floor(random.unit() * 0x1p20);
          case 1: {
            double const fraction = 1 + random.unit();
            return sign * std::ldexp(fraction, static_cast<int>(random.integer(52, width - 1)));
          }
          default:
            return sign * top;
        }
      };
      auto const point = [&]() -> Point {
        double const x = coordinate(), y = coordinate(), z = coordinate();
        return {x, y, z};
      };
      Case in{point(), point(), point(), point()};
      in.q1[0] = 1;  // with this coordinate, the common grid has the full width
      ASSERT_TRUE(same_bits(oracle::truth(in).distance, oracle::exact_truth(in).distance)) << text(in);
    }
  }
}

TEST(SegmentDistance, TheDistanceFromTheOptimumIsEnclosedForAnyParameters) {
  Random random(seed, 1, 0);
  Precision const digits(400);
  auto const wide = [](long double x) { return ScalarCast<Multiprecision, Rational>::apply(exact(x)); };
  tested.for_each_case(cases(150), [&](Case const& in) {
    double s = random.unit(), t = random.unit();
    switch (random.integer(0, 7)) {
      case 0:
        s = 0;
        break;
      case 1:
        t = 1;
        break;
      case 2:
        s = random.log_uniform(-300, 0);
        break;
      case 3:
        s = 0x1p-1074;
        break;
      case 4:
        t = 1 - 0x1p-53;
        break;
      case 5:
        s = 1, t = 0;
        break;
      default:
        break;
    }
    auto const truth = oracle::truth(in);
    Enclosure const excess = oracle::excess(in, truth, {0, s, t});
    Multiprecision const length = sqrt(ScalarCast<Multiprecision, Rational>::apply(square_at(in, s, t)));
    Multiprecision const loss = length - wide(truth.distance.high) - wide(truth.distance.low);
    Multiprecision const error = abs(Multiprecision(loss - wide(excess.high) - wide(excess.low)));
    EXPECT_LE(error, wide(excess.radius) * Multiprecision("1.0000001") + length * Multiprecision("1e-390"));
    EXPECT_LE(wide(excess.radius), length * wide(0x1p-119L));
    EXPECT_GE(excess.high + excess.low, -excess.radius) << "nothing is better than the optimum";
  });
}

TEST(SegmentDistance, ParametersOutsideTheUnitIntervalHaveAnInfiniteError) {
  Case const in = tested.draw(0, 0);
  auto const truth = oracle::truth(in);
  constexpr double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  for (double const bad : {-0x1p-1074, -1e-300, 1 + 0x1p-52, nan, infinity, -infinity}) {
    EXPECT_TRUE(std::isinf(oracle::excess(in, truth, {0, bad, 0.5}).high)) << bad;
    EXPECT_TRUE(std::isinf(oracle::excess(in, truth, {0, 0.5, bad}).high)) << bad;
  }
  Case const square{{0, 0, 0}, {2, 0, 0}, {1, 1, 0}, {1, 3, 0}};
  Enclosure const none = oracle::excess(square, oracle::truth(square), {0, 0.5, -0.0});
  EXPECT_EQ(none.high, 0);
  EXPECT_EQ(none.radius, 0);
  Enclosure const two = oracle::excess(square, oracle::truth(square), {0, 0.5, 1});
  EXPECT_EQ(two.high, 2);
}

// -------------------------------------------------------------------------------------------------- known difficulties

struct KnownCase {
  char const* source;
  Case in;
  double distance, relative_tolerance;
};

std::vector<KnownCase> known_cases() {
  return {
      {"DEM yarn thread, 2014",
       {{.012711, -.000688, -.001097},
        {.012895, -.000686, -.001133},
        {.012676, -.000689, -.000999},
        {.012859, -.000687, -.001034}},
       8.96815693848e-5,
       1e-11},
      {"DEM yarn thread, next step",
       {{.012712, -.000689, -.001095},
        {.012895, -.000687, -.001131},
        {.012676, -.000690, -.000996},
        {.012859, -.000688, -.001032}},
       9.01904248939e-5,
       1e-11},
      {"Eberly, near parallel",
       {{-1.0896217473782599, 9.7236145595088601e-7, 0},
        {.91220578597858548, -9.4369829432107506e-7, 0},
        {-.90010447502136237, 9.0671446351334441e-7, 0},
        {1.0730877178721130, -9.8185787633992740e-7, 0}},
       1.15750461385741e-7,
       1e-14},
      {"GeometricTools#40",
       {{2.2352092822407803, -1.7068004885705972, 0},
        {1.4357507764403734, -4.4188128129047435, 0},
        {1.8515323877379666, -1.5936985848524166, 0},
        {1.2171034035398707, -3.7458793566829809, 0}},
       .4,
       1e-14},
      {"godot#55383", {{0, -2.5, 0}, {0, 2.5, 0}, {2.9888, -5.1938, 0}, {2.9888, 4.8062, 0}}, 2.9888, 1e-15},
      {"godot#55384, parallel", {{-1, -2, 0}, {-1, 2, 0}, {1, -2, 0}, {1, 2, 0}}, 2, 0},
      {"godot#55617, points", {{-1, 0, 0}, {-1, 0, 0}, {1, 0, 0}, {1, 0, 0}}, 2, 0},
      {"GeometRi#16", {{399.83, 273.22, 0}, {399.83, 253.56, 0}, {401.53, 283.1, 0}, {401.53, 272.6, 0}}, 1.7, 1e-13},
      {"sceneview#1139", {{0, 0, 0}, {2, 0, 0}, {1, 1, 0}, {1, 3, 0}}, 1, 0},
      {"FCL#567",
       {{0, 0, 0}, {0, 0, 1726.64}, {2693.01, 9378.71, 6968.58}, {7247.06, 2506.63, 3930.47}},
       7911.4718,
       1e-8},
      {"FCL#275", {{0, 0, 0}, {0, 0, 0}, {40, 0, 0}, {40, 0, 0}}, 40, 0},
      {"coal, 0.4 mm", {{-2e-4, 0, 0}, {2e-4, 0, 0}, {0, -2e-4, 4e-5}, {0, 2e-4, 4e-5}}, 4e-5, 1e-15},
      {"coal, 0.3 mm", {{-1.5e-4, 0, 0}, {1.5e-4, 0, 0}, {0, -1.5e-4, 3e-5}, {0, 1.5e-4, 3e-5}}, 3e-5, 1e-15},
      {"coal, 0.1 mm", {{-5e-5, 0, 0}, {5e-5, 0, 0}, {0, -5e-5, 1e-5}, {0, 5e-5, 1e-5}}, 1e-5, 1e-15},
  };
}

/// The inputs in which the prototypes have their largest errors
/// (docs/mathematics/capsules.md#segment_distance-measured-figures).
Case const worst_of_xseg{{-0x1.8000000000004p+1, -0x1.0a3a19c16bf92p+0, -0x1.0000000000002p+0},
                         {0x1.0002cb15bfec3p+1, -0x1.0000000000007p+0, 0x1.7ffffffffff2p+1},
                         {0x1.7fffdd3d1ef8ap+1, 0x1.00acedcbd7242p+1, -0x1.06460d14500a5p+1},
                         {-0x1.1034c81f3b3a4p+0, 0x1.8p+1, -0x1.000a336d521bbp+0}};
Case const worst_of_textbook{{-0x1.488bbbc437e8cp+1, -0x1.dcbb2791b3336p-1, 0x1.1a6725b614ad2p+1},
                             {0x1.65f6ee39486b8p-2, 0x1.7eccf1ce34c8p-2, -0x1.7aa7795ff704cp+0},
                             {-0x1.43bb81761b7eap+1, -0x1.d41da8bad4ff4p-1, 0x1.1451f9edcf9d5p+1},
                             {0x1.9a36887265d08p+0, 0x1.de6ba2c9113cp-1, -0x1.87f9d6d4f4b07p+1}};
Case const worst_of_threshold{{0x1.694d5567ea836p-1, 0x1.9969fdd1ec60ep+1, -0x1.f083bb32c249dp+0},
                              {0x1.c0356b89e1139p-2, -0x1.6b36f19b1b02p+0, 0x1.5a853a6ebc83bp+0},
                              {-0x1.f16331d4b77aep+1, 0x1.93daadb899c65p+1, -0x1.5e2352b63ef04p+0},
                              {-0x1.14a0bf09e7e5bp+2, -0x1.167309c7ba9cap+2, 0x1.fe2921cff1374p+1}};

TEST(SegmentDistance, ReferenceAndOracleAreRightForInputsOfKnownBugs) {
  for (KnownCase const& known : known_cases()) {
    SCOPED_TRACE(known.source);
    Rational const squared = reference::closest_pair(cast<Input<Rational>>(known.in)).squared;
    EXPECT_EQ(squared, least_over_faces(known.in));
    Enclosure const truth = oracle::truth(known.in).distance;
    EXPECT_TRUE(encloses_root(truth, squared));
    EXPECT_LE(std::fabs(truth.high - static_cast<long double>(known.distance)),
              known.relative_tolerance * static_cast<long double>(known.distance) * 1.0000001L);
  }
}

TEST(SegmentDistance, FastIsRightForInputsOfKnownBugsInAnyOrderOfTheEnds) {
  for (KnownCase const& known : known_cases()) {
    SCOPED_TRACE(known.source);
    for (unsigned order = 0; order < 8; ++order) {
      Case in = known.in;
      if ((order & 1) != 0) std::swap(in.p0, in.p1);
      if ((order & 2) != 0) std::swap(in.q0, in.q1);
      if ((order & 4) != 0) std::swap(in.p0, in.q0), std::swap(in.p1, in.q1);
      EXPECT_TRUE(tested.passes(in, fast::evaluate(in))) << order;
    }
  }
}

TEST(SegmentDistance, FastIsRightForTheWorstInputsOfThePrototypes) {
  for (Case const& in : {worst_of_xseg, worst_of_textbook, worst_of_threshold}) {
    EXPECT_TRUE(tested.passes(in, fast::evaluate(in))) << text(in);
    EXPECT_TRUE(encloses_root(oracle::truth(in).distance, least_over_faces(in))) << text(in);
  }
  EXPECT_NEAR(static_cast<double>(oracle::truth(worst_of_textbook).distance.high), 1.84e-16, 0.01e-16);
  EXPECT_NEAR(static_cast<double>(oracle::truth(worst_of_threshold).distance.high), 4.590218, 1e-6);
  EXPECT_GT(printed::textbook(worst_of_textbook).distance, 1e-9);
  EXPECT_GT(printed::threshold(worst_of_threshold).distance, 4.5904);
  EXPECT_EQ(tested.judged(worst_of_textbook, printed::textbook(worst_of_textbook))[0].verdict, Verdict::fail);
  EXPECT_EQ(tested.judged(worst_of_threshold, printed::threshold(worst_of_threshold))[0].verdict, Verdict::fail);
}

TEST(SegmentDistance, AFormulaWithAThresholdJumpsNearParallelAndTheFastFormDoesNot) {
  // Two segments of half-length 5 with the offset (0, 0, 1.999). Their angle (pitch) is just below or just above 1e-4
  // (docs/mathematics/capsules.md#segment_distance-formulas-as-printed).
  auto const tilted = [](double pitch) {
    double const x = 5 * std::cos(pitch), z = 5 * std::sin(pitch);
    return Case{{-5, 0, 0}, {5, 0, 0}, {-x, 0, 1.999 - z}, {x, 0, 1.999 + z}};
  };
  Case const below = tilted(0.99999e-4), above = tilted(1.00001e-4);
  auto const change = [&](auto const& evaluate) {
    return std::fabs(evaluate(below).distance - evaluate(above).distance);
  };
  EXPECT_NEAR(change([](Case const& in) { return printed::threshold(in); }), 5e-4, 1e-5);
  EXPECT_LT(change([](Case const& in) { return fast::evaluate(in); }), 2e-8);
}

// --------------------------------------------------------------------------------------------------------------- fast

TEST(SegmentDistance, BatchesAreRightIfBlocksOfDifferentKindsFollowEachOther) {
  // The batch form expects that the next block is of the same kind as the previous block: easy, hard, or of an extreme
  // scale. This test draws sequences of rows of one kind. A sequence has a random length of up to three blocks. Each
  // kind therefore follows each other kind, in full and in mixed blocks.
  std::array const kinds{tested.regime_named("typical"), tested.regime_named("touching"),
                         tested.regime_named("mixed_scale")};
  Random random(seed, 4, 0);
  std::vector<Case> all;
  for (std::uint64_t id = 0; id < cases(40'000);) {
    std::size_t const kind = kinds[static_cast<std::size_t>(random.integer(0, 2))];
    double const factor = random.chance(0.3) ? 0x1p-300 : random.chance(0.3) ? 0x1p300 : 1;
    auto const end = id + static_cast<std::uint64_t>(random.integer(0, 3) * 128 + random.integer(0, 20));
    for (; id < end; ++id) {
      all.push_back(
          properties::each_point(tested.draw(kind, id), [&](Point const& point) -> Point { return factor * point; }));
    }
  }
  for (Level const level : levels()) {
    auto const answers = batch(level, all);
    for (std::size_t i = 0; i < all.size(); ++i)
      ASSERT_TRUE(same_bits(answers[i], fast::evaluate(all[i])))
          << labels(level)[static_cast<std::size_t>(level)] << " row " << i << ": " << text(all[i]);
  }
}

/// Returns a row in the range of the fast form or, with `out_of_range`, far outside. There are three kinds of rows in
/// the range:
///  * rows at the limits of the range
///  * rows with subnormal coordinates beside coordinates of 1e-5
///  * rows whose ends share one coordinate that is far larger than all differences
/// In rows of the last two kinds, products may underflow in one unit of length and not in another.
Case drawn_at_the_range(Random& random, bool out_of_range) {
  auto const kind = random.integer(0, 2);
  auto const power = [&](std::int64_t low, std::int64_t high) {
    return std::ldexp(1.0, static_cast<int>(random.integer(low, high)));
  };
  double const tiny = random.chance(0.5) ? 0x1p-1074 : 0x1p-1040;
  double const unit = out_of_range        ? random.chance(0.5) ? power(200, 900) : power(-900, -200)
                             : kind != 0 ? 0x1p-17
                      : random.chance(.5) ? power(-74, -68)
                                          : power(44, 52);
  bool const lattice = random.chance(0.3);
  auto const coordinate = [&] {
    if (random.chance(0.4)) return random.sign() * tiny * power(0, 30);
    return unit * (lattice ? static_cast<double>(random.integer(-3, 3)) : random.uniform(-1, 1));
  };
  auto const point = [&]() -> Point {
    double const x = coordinate(), y = coordinate(), z = coordinate();
    return {x, y, z};
  };
  Case in{point(), point(), point(), point()};
  if (random.chance(0.05)) in.p1 = in.q0 = in.q1 = in.p0;
  if (kind == 2) {
    auto const axis = static_cast<Index>(random.integer(0, 2));
    in.p0[axis] = in.p1[axis] = in.q0[axis] = in.q1[axis] = random.sign() * power(60, 1000);
  }
  return in;
}

TEST(SegmentDistance, RowsInRangeDoNotDependOnNeighboursOutOfRange) {
  // After scaling, most y and z coordinates of this case are subnormal. Their differences must be rounded as in a batch
  // of one row. From the second block of such rows on, the batch form solves each row by the Gram equations and by
  // cross products at once (solve_both).
  Case const subnormal_when_scaled{{0x1p+678, 0x1p+326, -0x1.9p-641},
                                   {0x1p+678, -0x1.bp-643, 0x1.6p-643},
                                   {0x1p+678, -0x1.ep-645, -0x1p-994},
                                   {0x1p+678, 0x1.3p-643, 0x1p+429}};
  std::vector<Case> all(300, subnormal_when_scaled);
  Random random(seed, 5, 0);
  while (all.size() < cases(40'000)) {
    double const share = std::array{0.0, 0.02, 0.5, 1.0}[static_cast<std::size_t>(random.integer(0, 3))];
    for (auto left = random.integer(1, 300); left > 0; --left)
      all.push_back(drawn_at_the_range(random, random.chance(share)));
  }
  for (Level const level : levels()) {
    auto const answers = batch(level, all);
    for (std::size_t i = 0; i < all.size(); ++i) {
      auto const alone = batch(level, {all[i]});
      ASSERT_TRUE(same_bits(answers[i], alone[0]) && same_bits(answers[i], fast::evaluate(all[i])))
          << labels(level)[static_cast<std::size_t>(level)] << " row " << i << ": " << text(all[i]);
    }
  }
}

TEST(SegmentDistance, TheDistanceIsInfiniteOnlyIfItOverflows) {
  constexpr double largest = std::numeric_limits<double>::max();
  Case const apart{{largest, 0, 0}, {largest, 0, 0}, {-largest, 0, 0}, {-largest, 0, 0}};
  EXPECT_EQ(fast::evaluate(apart).distance, std::numeric_limits<double>::infinity());
  Case const diagonal{{largest, largest, largest}, {largest, largest, -largest}, {0, 0, 0}, {0, 0, 0}};
  EXPECT_TRUE(std::isinf(fast::evaluate(diagonal).distance));
  Case const crossing{{-largest, 0, 0}, {largest, 0, 0}, {0, -largest, 1}, {0, largest, 1}};
  EXPECT_TRUE(tested.passes(crossing, fast::evaluate(crossing)));
  Random random(seed, 2, 0);
  for (std::uint64_t i = 0; i < cases(20'000); ++i) {
    auto const point = [&]() -> Point {
      auto const coordinate = [&] {
        return random.chance(0.2) ? random.sign() * largest : random.uniform(-1, 1) * largest;
      };
      double const x = coordinate(), y = coordinate(), z = coordinate();
      return {x, y, z};
    };
    Case const in{point(), point(), point(), point()};
    Answer const answer = fast::evaluate(in);
    ASSERT_TRUE(tested.passes(in, answer)) << text(in);
    ASSERT_TRUE(answer.s >= 0 && answer.s <= 1 && answer.t >= 0 && answer.t <= 1) << text(in);
  }
}

TEST(SegmentDistance, FastIsRightForSubnormalCoordinates) {
  Random random(seed, 3, 0);
  for (std::uint64_t i = 0; i < cases(20'000); ++i) {
    auto const point = [&]() -> Point {
      return few_bits_vector(random, static_cast<int>(random.integer(1, 20)), -1074);
    };
    Case const in{point(), point(), point(), point()};
    ASSERT_TRUE(tested.passes(in, fast::evaluate(in))) << text(in);
  }
}

RC_GTEST_PROP(SegmentDistance, FastIsWithinItsBudgetForAnySeed, ()) {
  auto const regime = *rc::gen::inRange<std::size_t>(0, properties::regimes().size());
  Random random(*rc::gen::arbitrary<std::uint64_t>(), regime, *rc::gen::arbitrary<std::uint64_t>());
  Case const in = properties::regimes()[regime].draw(random);
  RC_ASSERT(tested.passes(in, fast::evaluate(in)));
}

RC_GTEST_PROP(SegmentDistance, CoordinatesOfAnyBitsAreAnsweredRightly, ()) {
  Random random(*rc::gen::arbitrary<std::uint64_t>(), 0, *rc::gen::arbitrary<std::uint64_t>());
  auto const point = [&]() -> Point {
    auto const coordinate = [&] { return random.sign() * random.any_positive(); };
    double const x = coordinate(), y = coordinate(), z = coordinate();
    return {x, y, z};
  };
  Case const in{point(), point(), point(), point()};
  RC_ASSERT(encloses_root(oracle::truth(in).distance, least_over_faces(in)));
  RC_ASSERT(tested.passes(in, fast::evaluate(in)));
}

// --------------------------------------------------------------------------------------------------------------- laws

TEST(SegmentDistance, LawsDetectErrorsOfTwoThousandUnits) {
  // Some distances are wrong by 2000 u S. A law whose tolerance is far too wide would not detect this.
  auto const rough = [](Case const& in) {
    Answer answer = fast::evaluate(in);
    std::uint64_t hash = 1;
    for (Point const* point : {&in.p0, &in.p1, &in.q0, &in.q1})
      for (double const x : *point) hash = mix_in(hash, x);
    if (hash >> 63 != 0) answer.distance += 2000 * unit_roundoff * static_cast<double>(Contract::scale(in).distance);
    return answer;
  };
  for (auto const& law : properties::laws())
    if (law.name != "nonnegative") {
      EXPECT_GT(tested.hold(law, rough, cases(1500), true).worst, 1) << law.name;
    }
}

// ------------------------------------------------------------------------------------------------------------ regimes

Exact first_axis(Case const& in) { return exact(in.p1) - exact(in.p0); }
Exact second_axis(Case const& in) { return exact(in.q1) - exact(in.q0); }
double length(Exact const& x) { return std::sqrt(static_cast<double>(x.dot(x))); }
/// Returns the sine of the angle between the segments. It is computed from the exact cross product.
double sine(Case const& in) {
  Exact const A = first_axis(in), B = second_axis(in);
  return length(A.cross(B)) / (length(A) * length(B));
}
double distance(Case const& in) { return static_cast<double>(oracle::truth(in).distance.high); }
/// Returns a bound of the angle by which rounding of the ends may rotate the shorter segment.
double turned_by_rounding(Case const& in) {
  return 8 * unit_roundoff * static_cast<double>(Contract::scale(in).distance) /
         std::min(length(first_axis(in)), length(second_axis(in)));
}

TEST(SegmentDistance, EverydayCasesAreSeldomParallelShortOrTouching) {
  for (auto const regime : {"typical", "crossing"}) {
    std::uint64_t small_angles = 0, short_ones = 0, near = 0;
    tested.for_each_in(regime, [&](Case const& in) {
      if (sine(in) < 0.02) ++small_angles;
      if (std::min(length(first_axis(in)), length(second_axis(in))) < 0.01 * size_of_case(in)) ++short_ones;
      if (distance(in) < 1e-4 * size_of_case(in)) ++near;
      EXPECT_TRUE(properties::is_generic(in));
    });
    // Among 300 random cases, few are special. The share of small angles is half of the squared angle, and the share of
    // short segments is the volume of a small ball.
    EXPECT_LT(small_angles, 3) << regime;
    EXPECT_EQ(short_ones, 0) << regime;
    EXPECT_LT(near, 3) << regime;
  }
}

TEST(SegmentDistance, CasesOfTheRegimeParallelAreExactlyParallel) {
  tested.for_each_in("parallel", [](Case const& in) { EXPECT_TRUE(first_axis(in).cross(second_axis(in)).isZero()); });
  tested.for_each_in("parallel_rounded", [](Case const& in) { EXPECT_LT(sine(in), turned_by_rounding(in)); });
}

TEST(SegmentDistance, NearlyParallelCasesHaveAnglesFromRoundingToLarge) {
  double least = 1, most = 0;
  tested.for_each_in("near_parallel",
                     [&](Case const& in) { least = std::min(least, sine(in)), most = std::max(most, sine(in)); });
  EXPECT_LT(least, 1e-15);
  EXPECT_GT(most, 0.3);
  tested.for_each_in("near_parallel_gap", [](Case const& in) {
    EXPECT_LT(sine(in), 0.11);
    EXPECT_GT(sine(in) + turned_by_rounding(in), 0.9e-12);
    EXPECT_GT(distance(in), 0.2e-9 * size_of_case(in));
    EXPECT_LT(distance(in), 9e-3 * size_of_case(in));
  });
  std::uint64_t meeting = 0;
  tested.for_each_in("near_parallel_crossing", [&](Case const& in) {
    EXPECT_LT(distance(in), 9 * size_of_case(in));
    if (distance(in) < 8 * unit_roundoff * static_cast<double>(Contract::scale(in).distance)) ++meeting;
  });
  EXPECT_GT(meeting, 60);
  tested.for_each_in("end_on", [](Case const& in) { EXPECT_LT(sine(in), 0.11); });
  tested.for_each_in("long_thin", [](Case const& in) {
    EXPECT_LT(sine(in), 1.01e-4);
    EXPECT_GT(std::min(length(first_axis(in)), length(second_axis(in))), 0.2 * size_of_case(in));
    EXPECT_LT(distance(in), 1.5e-3 * size_of_case(in));
  });
}

TEST(SegmentDistance, CollinearCasesLieOnOneLineUpToRounding) {
  std::uint64_t exactly = 0;
  tested.for_each_in("collinear", [&](Case const& in) {
    Exact const A = first_axis(in), B = second_axis(in), w = exact(in.q0) - exact(in.p0);
    if (A.cross(B).isZero() && A.cross(w).isZero() && B.cross(w).isZero()) ++exactly;
    double const size = static_cast<double>(Contract::scale(in).distance);
    // Rounding moves the points by some ulps. The areas of the three triangles are therefore not exactly 0.
    for (Exact const& area : {Exact(A.cross(B)), Exact(A.cross(w)), Exact(B.cross(w))})
      EXPECT_LE(length(area), 64 * unit_roundoff * size * size);
  });
  EXPECT_GT(exactly, 90);
}

TEST(SegmentDistance, DegenerateCasesHaveASegmentOfLengthZero) {
  std::uint64_t points = 0;
  tested.for_each_in("degenerate", [&](Case const& in) {
    double const shorter = std::min(length(first_axis(in)), length(second_axis(in)));
    EXPECT_LT(shorter, 16 * unit_roundoff * static_cast<double>(Contract::scale(in).distance));
    if (shorter == 0) ++points;
  });
  EXPECT_GT(points, 150);
}

TEST(SegmentDistance, TouchingSegmentsMeetUpToAFewUlps) {
  std::uint64_t exactly = 0;
  tested.for_each_in("touching", [&](Case const& in) {
    EXPECT_LT(distance(in), 24 * unit_roundoff * static_cast<double>(Contract::scale(in).distance));
    if (least_over_faces(in) == 0) ++exactly;
  });
  EXPECT_GT(exactly, 60);
}

TEST(SegmentDistance, CasesHaveTheScalesThatTheirRegimesState) {
  // All differences are at most 6 units, and the unit is a power of two.
  tested.for_each_in("lattice", [](Case const& in) {
    auto const in_units_of = [&](double unit) {
      int exponent;
      bool all = std::frexp(unit, &exponent) == 0.5;
      for (Point const* point : {&in.p1, &in.q0, &in.q1})
        for (Index i = 0; i < 3; ++i) {
          double const steps = ((*point)[i] - in.p0[i]) / unit;
          all = all && steps == std::round(steps) && std::fabs(steps) <= 6;
        }
      return all;
    };
    bool found = size_of_case(in) == 0;
    for (int units = 1; units <= 6; ++units) found = found || in_units_of(size_of_case(in) / units);
    EXPECT_TRUE(found);
  });
  tested.for_each_in("mixed_scale", [](Case const& in) {
    double least = infinite, most = 0;
    for (Point const* point : {&in.p0, &in.p1, &in.q0, &in.q1})
      for (double const x : *point) least = std::min(least, std::fabs(x)), most = std::max(most, std::fabs(x));
    EXPECT_GT(most / least, 1e30);
    EXPECT_LE(most, 1.01e140);
    EXPECT_GE(least, 0.99e-140);
  });
  auto const size = [](Case const& in) { return static_cast<double>(Contract::scale(in).distance); };
  double least = infinite, most = 0, farthest = 0;
  tested.for_each_in("global_scale",
                     [&](Case const& in) { least = std::min(least, size(in)), most = std::max(most, size(in)); });
  EXPECT_LT(least, 0x1p-1000);
  EXPECT_GT(most, 0x1p1000);
  tested.for_each_in("offset", [&](Case const& in) {
    farthest = std::max(farthest, size(in) / std::max(length(first_axis(in)), length(second_axis(in))));
  });
  EXPECT_GT(farthest, 1e6);
  tested.for_each_in("micro", [&](Case const& in) { EXPECT_LT(size(in), 1e-4); });
  double ratio = 1;
  tested.for_each_in("unequal", [&](Case const& in) {
    double const p = length(first_axis(in)), q = length(second_axis(in));
    ratio = std::max(ratio, std::max(p, q) / std::min(p, q));
  });
  EXPECT_GT(ratio, 1e5);
}

}  // namespace
}  // namespace demeter::segment_distance
