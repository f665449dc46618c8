#include "fast/clump_grid_mass_properties.hpp"
#include "fast/clump_union_mass_properties.hpp"
#include "oracles/clump_grid_mass_properties.hpp"
#include "oracles/core/judge.hpp"
#include "properties/clump_grid_mass_properties.hpp"
#include "reference/clump_grid_mass_properties.hpp"
#include "reference/core/scalars.hpp"
#include "reference/family/clump/monte_carlo.hpp"
#include "reference/printed/clump_grid_mass_properties.hpp"
#include "tests/core/kernel_cases.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <limits>

namespace demeter::clump_grid_mass_properties {
namespace {

using namespace testing_kernels;
using Case = Input<double>;
using Answer = Output<double>;
using Sphere = Ball<double>;
using Point = Vector3<double>;
using Many = Multiprecision;

constexpr std::uint64_t seed = 31;
constexpr Tested<Contract, oracle::hooks> tested{properties::regimes, properties::laws, oracle::truth, seed};
constexpr double pi = 3.14159265358979323846;

// ------------------------------------------------------------------------------------------------------------ helpers

Case ball_of(double radius, double cells, Method method = Method::centres) {
  return {1, cells, method, {{{0, 0, 0}, radius}}};
}
/// Returns the clump of Woo's documentation: three touching balls of radius 1/2, at the origin, on the z axis and on
/// the y axis.
Case three(double cells, Method method = Method::centres) {
  return {1000, cells, method, {{{0, 0, 0}, 0.5}, {{0, 0, 1}, 0.5}, {{0, 1, 0}, 0.5}}};
}

Answer accurate(Case const& in) {
  return with_digits(100, [&] { return cast<Answer>(reference::evaluate(cast<Input<Many>>(in))); });
}

double edge(Case const& in) { return properties::smallest_radius(in) / in.cells; }
double count(Case const& in) {
  double const h = edge(in);
  return std::round(fast::evaluate(in).volume / (h * h * h));
}

// ---------------------------------------------------------------------------------------------------------- reference

TEST(ClumpGridMassProperties, AnswersAgreeWithCellsCountedByHand) {
  // One cell per radius: the centres of the eight cells have the coordinates -+1/2. Their squared distance from the
  // centre of the ball is 3/4 < 1.
  Answer out = fast::evaluate(ball_of(1, 1));
  EXPECT_EQ(out.volume, 8);
  EXPECT_EQ(out.mass, 8);
  EXPECT_EQ(out.centroid, Point(0, 0, 0));
  EXPECT_EQ(out.inertia.head<3>(), Point(4, 4, 4));
  EXPECT_EQ(out.inertia.tail<3>(), Point(0, 0, 0));
  // Adds the moment of each cell about its own centre: the mass of the cell times h^2/6.
  out = fast::evaluate(ball_of(1, 1, Method::centres_with_self_inertia));
  EXPECT_LE((out.inertia.head<3>() - Point::Constant(4 + 8. / 6)).cwiseAbs().maxCoeff(), 1e-15);
  // Four columns at (-+1/2, -+1/2), each of length 2 sqrt(1/2).
  out = fast::evaluate(ball_of(1, 1, Method::columns));
  double const half = std::sqrt(0.5);
  EXPECT_NEAR(out.volume, 8 * half, 1e-15);
  EXPECT_NEAR(out.inertia[2], 8 * half / 2, 1e-15);
  EXPECT_NEAR(out.inertia[0], 8 * half * (0.25 + half * half / 3), 1e-15);
  // Two cells per radius: the coordinates are -+1/4 and -+3/4. Centres with the squared distances 3/16 (8 cells) and
  // 11/16 (24 cells) are inside. Centres with 19/16 and 27/16 are outside.
  EXPECT_EQ(count(ball_of(1, 2)), 32);
}

TEST(ClumpGridMassProperties, ACellWithItsCentreOnASphereIsNotCounted) {
  std::size_t on = 0;
  for (std::uint64_t id = 0; id < 200; ++id) {
    Random random(seed, 8, id);
    Case const tie = properties::draw_on_sphere(random);
    if (tie.method == Method::columns) continue;
    Case wider = tie;
    std::size_t const larger = tie.balls[0].radius < tie.balls[1].radius ? 1 : 0;
    wider.balls[larger].radius = std::nextafter(tie.balls[larger].radius, infinity);
    if (tie.balls[0].radius == tie.balls[1].radius) continue;  // equal radii: both determine the edge of the cells
    if (count(wider) > count(tie)) ++on;
  }
  EXPECT_GT(on, 30u) << "an ulp more of the radius takes in a centre";
}

TEST(ClumpGridMassProperties, CellsWithCentresNextToASphereAreCountedExactly) {
  // In these regimes, spheres pass through centres of cells, exactly or within some ulps. The fast form must count the
  // same cells as the oracle.
  for (std::size_t const regime : {std::size_t{7}, std::size_t{8}, std::size_t{9}})
    for (std::uint64_t id = 0; id < cases(300); ++id) {
      Random random(seed, regime, id);
      Case in = properties::regimes()[regime].draw(random);
      if (in.method == Method::columns) continue;
      auto const truth = oracle::truth(in);
      EXPECT_EQ(count(in), static_cast<double>(std::round(truth.volume.high / std::pow(edge(in), 3.0L)))) << id;
    }
}

TEST(ClumpGridMassProperties, ATieBrokenByASubnormalNumberIsDecidedCorrectly) {
  // The grid begins at the second ball. Without the 5e-324 in the position of this ball, the centre of a cell would be
  // on the sphere of the first ball. The exact sum that decides whether it is inside is smaller than every double.
  Sphere const large{{0.0341796875, 0.0048828125, 0.02685546875}, 0.009765625};
  for (double const sign : {1.0, -1.0}) {
    Case const in{1, 3, Method::centres, {large, {{0.02734375, sign * 5e-324, 0.01806640625}, 0.005859375}}};
    EXPECT_TRUE(tested.passes(in, fast::evaluate(in))) << sign;
  }
}

TEST(ClumpGridMassProperties, CellsAreCountedExactlyIfTheEdgeIsNotADouble) {
  // With r = 1 and three cells per radius, the edge of a cell is 1/3. The centres of cells are at odd multiples of 1/6
  // from the corner of the grid. These numbers are not doubles, but 6 times each length is exact.
  Case in{1, 3, Method::centres, {{{0, 0, 0}, 1}, {{1.5, 2, 2}, 1.5}}};
  for (double const shift : {0.0, 0x1p-30, 1024.0, 3e5}) {
    Case moved = in;
    for (Sphere& ball : moved.balls) ball.centre += Point::Constant(shift);
    EXPECT_TRUE(tested.passes(moved, fast::evaluate(moved)));
    EXPECT_EQ(count(moved), count(in)) << shift;
  }
}

// --------------------------------------------------------------------------------------- accuracy of the method itself

double exact_moment(double radius) { return 8 * pi / 15 * std::pow(radius, 5); }

/// Returns the moment xx of a ball of radius 1 at an arbitrary position in the grid, at five cells per radius. The grid
/// begins at another ball of radius 1, the first ball. The first ball has the same cells with and without the second
/// ball. The moment of the second ball is therefore the moment of both minus the moment of the first.
double moment_of_the_second(Method method, Point const& centre) {
  Answer const first = fast::evaluate(ball_of(1, 5, method));
  Case both = ball_of(1, 5, method);
  both.balls.push_back({centre, 1});
  Answer const all = fast::evaluate(both);
  double const mass = all.mass - first.mass, reduced = mass * first.mass / all.mass;
  Point const second = (all.mass * all.centroid - first.mass * first.centroid) / mass, arm = second - first.centroid;
  return all.inertia[0] - first.inertia[0] - reduced * (arm[1] * arm[1] + arm[2] * arm[2]);
}
TEST(ClumpGridMassProperties, AddingTheCellsOwnMomentsMakesTheMomentTooLarge) {
  // docs/mathematics/clumps.md#clump_grid_mass_properties-measured-figures: at five cells per radius, the mean relative
  // error of a ball's moment is -4e-4 without the cells' own moments, and +1.63e-2 with them. The expected difference,
  // h^2/6 divided by 2/5 r^2, is 1.67e-2.
  double without = 0, with = 0;
  std::uint64_t const trials = cases(8000);
  for (std::uint64_t id = 0; id < trials; ++id) {
    Random random(seed, 3, id);
    Point const centre = Point::Constant(2) + (cube_point(random) + Point::Ones()) / 2;
    without += moment_of_the_second(Method::centres, centre) / exact_moment(1) - 1;
    with += moment_of_the_second(Method::centres_with_self_inertia, centre) / exact_moment(1) - 1;
  }
  without /= static_cast<double>(trials);
  with /= static_cast<double>(trials);
  RecordProperty("without", std::to_string(without));
  RecordProperty("with", std::to_string(with));
  EXPECT_NEAR(without, -4e-4, 4e-4);
  EXPECT_NEAR(with, 1.63e-2, 4e-4);
  EXPECT_NEAR(with - without, 0.04 / 6 / 0.4, 1e-4);
}

TEST(ClumpGridMassProperties, TheMomentOfABallAtTheStartOfTheGridIsTooLarge) {
  // The grid begins at this ball. Its centre is therefore a corner of cells for every cell size, and its error does not
  // average out. At five cells per radius, the moment is 9 % too large.
  EXPECT_NEAR(fast::evaluate(ball_of(1, 5)).inertia[0] / exact_moment(1) - 1, 0.0917, 1e-4);
  EXPECT_NEAR(fast::evaluate(ball_of(1, 5)).volume / (4 * pi / 3) - 1, 0.0542, 1e-4);
}

/// Returns the volume of two overlapping balls of radius 1 with centres at distance d: two balls minus the lens.
double union_volume(double d) { return 8 * pi / 3 - pi * (4 + d) * (2 - d) * (2 - d) / 12; }

/// Returns the root mean square of the relative error of the volume of two balls over random rotations.
template <class Sample>
double deviation(std::uint64_t trials, Sample const& sample) {
  double const d = 1.1;
  double sum = 0;
  for (std::uint64_t id = 0; id < trials; ++id) {
    Random random(seed, 0, id);
    Point const arm = d / 2 * unit_direction(random);
    double const error = sample(std::vector<Sphere>{{arm, 1}, {-arm, 1}}, id) / union_volume(d) - 1;
    sum += error * error;
  }
  return std::sqrt(sum / static_cast<double>(trials));
}
double deviation_of_grid(double cells, Method method) {
  return deviation(cases(100), [&](std::vector<Sphere> const& balls, std::uint64_t) {
    return fast::evaluate(Case{1, cells, method, balls}).volume;
  });
}

TEST(ClumpGridMassProperties, FinerGridsConvergeAndColumnsAreMoreAccurate) {
  double const coarse = deviation_of_grid(5, Method::centres), middle = deviation_of_grid(20, Method::centres),
               fine = deviation_of_grid(80, Method::centres);
  EXPECT_LT(coarse, 3e-2);
  EXPECT_LT(8 * middle, coarse);
  EXPECT_LT(5 * fine, middle);
  EXPECT_LT(deviation_of_grid(20, Method::columns), 0.8 * middle);
  EXPECT_LT(deviation_of_grid(80, Method::columns), 0.8 * fine);
}

TEST(ClumpGridMassProperties, MonteCarloErrorFallsAsTheRootOfTheNumberOfPoints) {
  auto const of = [](std::uint64_t points) {
    return deviation(100, [&](std::vector<Sphere> const& balls, std::uint64_t id) {
      return reference::monte_carlo<double>(1, balls, points, id).volume;
    });
  };
  double const few = of(1000), many = of(100'000);
  // For n random points in a box of which the body fills the fraction p, the relative standard deviation is
  // sqrt((1-p)/(p n)). Here p is about 1/2.
  EXPECT_NEAR(few, 0.03, 0.012);
  EXPECT_NEAR(few / many, 10, 2.5);
}

TEST(ClumpGridMassProperties, MonteCarloIsReproducibleForASeedAndRightForABall) {
  std::vector<Sphere> const balls{{{1, 2, 3}, 0.5}};
  Answer const a = reference::monte_carlo<double>(2, balls, 100'000, 5),
               b = reference::monte_carlo<double>(2, balls, 100'000, 5),
               c = reference::monte_carlo<double>(2, balls, 100'000, 6);
  EXPECT_TRUE(same_bits(a, b));
  EXPECT_NE(a.volume, c.volume);
  EXPECT_NEAR(a.mass, 2 * pi / 6, 0.02);
  EXPECT_LE((a.centroid - Point(1, 2, 3)).norm(), 0.01);
  EXPECT_LE((a.inertia.head<3>() - Point::Constant(2 * exact_moment(0.5))).norm(), 0.005);
}

/// Returns the shortest duration of `times` calls, in seconds.
template <class Call>
double seconds(int times, Call const& call) {
  double least = infinity;
  for (int k = 0; k < times; ++k) {
    auto const begin = std::chrono::steady_clock::now();
    call();
    least = std::min(least, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  return least;
}

TEST(ClumpGridMassProperties, TheExactUnionIsHundredsOfTimesFasterThanSamplingToFourDigits) {
  // Samples the clump of three balls (volume pi/2) in random orientations. The sampling methods have errors of about
  // 1e-5 (grid) and 1e-3 (random points).
  double union_time = 0, grid_time = 0, columns_time = 0, points_time = 0, error = 0, grid_error = 0, points_error = 0;
  int const turns = 4;
  for (std::uint64_t id = 0; id < turns; ++id) {
    Random random(seed, 5, id);
    Matrix3<double> const R = rotation(random).cast<double>();
    Case in = three(80);
    clump_union_mass_properties::Input<double> exact{in.density, {}};
    for (Sphere& ball : in.balls) {
      ball.centre = R * ball.centre;
      exact.balls.push_back({ball.centre, ball.radius});
    }
    double volume = 0;
    auto const off = [&volume] { return std::fabs(volume / (pi / 2) - 1); };
    union_time += seconds(100, [&] { volume = clump_union_mass_properties::fast::evaluate(exact).volume; });
    error = std::max(error, off());
    grid_time += seconds(2, [&] { volume = fast::evaluate(in).volume; });
    grid_error += off() / turns;
    in.method = Method::columns;
    columns_time += seconds(1, [&] { volume = fast::evaluate(in).volume; });
    points_time += seconds(1, [&] { volume = reference::monte_carlo<double>(1, in.balls, 1'000'000, id).volume; });
    points_error += off() / turns;
  }
  RecordProperty("grid", std::to_string(grid_time / union_time));
  RecordProperty("columns", std::to_string(columns_time / union_time));
  RecordProperty("points", std::to_string(points_time / union_time));
  EXPECT_LT(error, 1e-14);
  EXPECT_GT(grid_error, 1e-6);
  EXPECT_GT(points_error, 1e-4);
  EXPECT_GT(grid_time, 200 * union_time);
  EXPECT_GT(columns_time, 1000 * union_time);
  EXPECT_GT(points_time, 1000 * union_time);
}

// --------------------------------------------------------------------------------------------------------------- fast

TEST(ClumpGridMassProperties, TheReferenceIsWithinTheBudget) {
  tested.for_each_case(cases(20), [](Case const& in) { EXPECT_TRUE(tested.passes(in, accurate(in))); });
}

TEST(ClumpGridMassProperties, FastAnswersNaNOutsideTheDomain) {
  auto const all_nan = [](Case const& in) {
    Answer const out = fast::evaluate(in);
    return std::isnan(out.volume) && std::isnan(out.mass) && is_nan(out.centroid) && is_nan(out.inertia);
  };
  EXPECT_TRUE(all_nan({1, 5, Method::centres, {}}));
  for (double const bad : {nan, infinity, -infinity, 0.0, -1.0}) {
    Case in = three(5);
    in.balls[1].radius = bad;
    EXPECT_TRUE(all_nan(in)) << bad;
    in = three(5);
    in.density = bad;
    EXPECT_TRUE(all_nan(in)) << bad;
    EXPECT_TRUE(all_nan(three(bad))) << bad;
    in = three(5);
    in.balls[2].centre[1] = bad;
    EXPECT_EQ(all_nan(in), !std::isfinite(bad)) << bad;
  }
  EXPECT_TRUE(all_nan(three(2.5)));
  EXPECT_FALSE(all_nan(three(80)));
  Case apart = three(1);
  apart.balls[2].centre[1] = 1e6;
  EXPECT_TRUE(all_nan(apart)) << "a grid that no memory of rows holds";
  apart.balls[2].centre[1] = 1e308, apart.balls[1].centre[1] = -1e308;
  EXPECT_TRUE(all_nan(apart));
}

TEST(ClumpGridMassProperties, DomainErrorsNameTheField) {
  Case const good = three(5);
  auto const field_of = [&](auto const& change) { return testing_kernels::field_refused<Contract>(good, change); };
  EXPECT_EQ(field_of([](Case&) {}), "");
  EXPECT_EQ(field_of([](Case& in) { in.density = 0; }), "density");
  EXPECT_EQ(field_of([](Case& in) { in.cells = 0; }), "cells");
  EXPECT_EQ(field_of([](Case& in) { in.cells = -1; }), "cells");
  EXPECT_EQ(field_of([](Case& in) { in.cells = 2.5; }), "cells");
  EXPECT_EQ(field_of([](Case& in) { in.cells = 129; }), "cells");
  EXPECT_EQ(field_of([](Case& in) { in.cells = 80; }), "");
  EXPECT_EQ(field_of([](Case& in) { in.balls.clear(); }), "balls");
  EXPECT_EQ(field_of([](Case& in) { in.balls[1].radius = 0; }), "balls[1].radius");
  EXPECT_EQ(field_of([](Case& in) { in.balls[1].centre[0] = 1e9; }), "balls");
  EXPECT_EQ(field_of([](Case& in) { in.cells = 128; }), "balls") << "256 x 512 x 512 cells";
}

// -------------------------------------------------------------------------------------------------------- as printed

TEST(ClumpGridMassProperties, ThePlainLoopIsRightIfNothingIsRounded) {
  // All lengths have few bits, and the number of cells is a power of two. Every centre of a cell is therefore a double.
  for (Method const method : {Method::centres, Method::centres_with_self_inertia}) {
    Case const in = three(4, method);
    EXPECT_TRUE(tested.passes(in, printed::sampled(in, false)));
    EXPECT_TRUE(tested.passes(in, printed::sampled(in, true)));
  }
}
TEST(ClumpGridMassProperties, APlainLoopMiscountsCentresOnASphere) {
  std::size_t wrong = 0;
  for (std::uint64_t id = 0; id < cases(400); ++id) {
    Random random(seed, 9, id);
    Case const in = properties::draw_near_sphere(random);
    if (in.method == Method::columns) continue;
    double const loop = printed::sampled(in, true).volume, right = fast::evaluate(in).volume;
    if (std::fabs(loop - right) > 0.5 * std::pow(edge(in), 3)) ++wrong;
  }
  EXPECT_GT(wrong, 5u);
}

// ---------------------------------------------------------------------------------------------------------- properties

TEST(ClumpGridMassProperties, EveryDrawnClumpContainsTheCentreOfACell) {
  for (std::size_t regime = 0; regime < properties::regimes().size(); ++regime)
    for (std::uint64_t id = 0; id < 200; ++id) {
      auto const& [name, profile, doc, draw] = properties::regimes()[regime];
      Random random(seed, regime, id);
      Case const in = draw(random);
      EXPECT_GE(count(in), in.method == Method::columns || name == "subnormal" ? 0 : 1) << name << " " << id;
    }
}

}  // namespace
}  // namespace demeter::clump_grid_mass_properties
