// Regimes and laws of grid sampling of a union of balls.
#pragma once

#include "kernels/law.hpp"
#include "properties/core/allowance.hpp"
#include "properties/core/generators.hpp"
#include "properties/core/invariance.hpp"
#include "properties/family/clump.hpp"
#include "reference/spec/clump_grid_mass_properties.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace demeter::clump_grid_mass_properties::properties {

using Case = Input<double>;
using Answer = Output<double>;
using Point = Vector3<double>;
using Sphere = Ball<double>;
using Wide = long double;
using Sizing = Output<Wide>;

// --------------------------------------------------------------------------------------------------------- regimes

// Grids are small, because a check draws 100,000 cases per regime.

inline Method any_method(Random& random) { return static_cast<Method>(random.integer(0, 2)); }

inline Case empty_case(Random& random, std::int64_t least_cells, std::int64_t most_cells) {
  Case in;
  in.density = random.log_uniform(2, 4);
  in.cells = static_cast<double>(random.integer(least_cells, most_cells));
  in.method = any_method(random);
  return in;
}

/// Adds balls with radii from `thinnest` to 1. The coordinates of their centres are from -`reach` to `reach`.
inline void add_balls(Case& in, Random& random, std::int64_t count, double thinnest, double reach) {
  for (; count > 0; --count) {
    Sphere ball;
    ball.centre = reach * cube_point(random);
    ball.radius = random.uniform(thinnest, 1);
    in.balls.push_back(ball);
  }
}

inline Case draw_typical(Random& random) {
  Case in = empty_case(random, 1, 3);
  add_balls(in, random, random.integer(2, 4), 0.7, 0.7);
  return sized(in, random);
}
inline Case draw_single(Random& random) {
  Case in = empty_case(random, 1, 5);
  add_balls(in, random, 1, 0.5, 0);
  return sized(in, random);
}
inline Case draw_fine(Random& random) {
  Case in = empty_case(random, 4, 6);
  add_balls(in, random, random.integer(1, 2), 0.8, 0.5);
  return sized(in, random);
}
inline Case draw_heap(Random& random) {
  Case in = empty_case(random, 1, 2);
  add_balls(in, random, random.integer(8, 20), 0.7, 1.5);
  return sized(in, random);
}
inline Case draw_apart(Random& random) {
  Case in = empty_case(random, 1, 1);
  double const reach = random.log_uniform(0.3, 1);
  add_balls(in, random, random.integer(2, 3), 0.7, reach);
  return sized(in, random);
}
inline Case draw_disparate(Random& random) {
  Case in = empty_case(random, 1, 1);
  add_balls(in, random, random.integer(2, 3), 0.2, 1);
  return sized(in, random);
}
inline Case draw_far(Random& random) {
  Case const in = draw_typical(random);
  double const distance = in.balls.front().radius * random.log_uniform(4, 10);
  return moved_by(in, distance * unit_direction(random));
}

/// Draws balls whose coordinates and radii are small integers times a power of two. Some centres of cells are then
/// exactly on spheres. With 3 cells per radius, the edge of a cell is usually not a double.
inline Case draw_lattice(Random& random) {
  Case in = empty_case(random, 1, 4);
  for (std::int64_t count = random.integer(1, 3); count > 0; --count) {
    Sphere ball;
    for (double& x : ball.centre) x = static_cast<double>(random.integer(-4, 4));
    ball.radius = static_cast<double>(random.integer(2, 4));
    in.balls.push_back(ball);
  }
  return sized_exactly(in, random);
}

/// Whole numbers a, b, c, d with a^2 + b^2 + c^2 = d^2.
inline constexpr std::int64_t quadruples[][4] = {{1, 2, 2, 3},   {2, 3, 6, 7},  {1, 4, 8, 9}, {4, 4, 7, 9},
                                                 {2, 6, 9, 11},  {6, 6, 7, 11}, {3, 4, 0, 5}, {4, 3, 0, 5},
                                                 {5, 12, 0, 13}, {0, 3, 4, 5}};

/// Draws two balls so that a cell centre is exactly on a sphere, or a column touches a sphere. The unit of length is
/// half a cell edge, which is a power of two. The centres of cells have odd coordinates. The first ball has the radius
/// 2 `cells` and begins at 0. The offset from a point with odd coordinates to the centre of the second ball is a
/// multiple of the a, b, c of a quadruple. The radius of the second ball is the same multiple of d. Therefore the point
/// is exactly on the sphere.
inline Case on_sphere(Random& random) {
  Case in = empty_case(random, 1, 4);
  auto const& q = quadruples[random.bits() % std::size(quadruples)];
  auto const radius = static_cast<std::int64_t>(2 * in.cells);
  std::int64_t const times = (radius + q[3] - 1) / q[3], large = times * q[3];
  Point first, second;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    std::int64_t const offset = times * q[axis];
    std::int64_t const parity = (large + offset + 1) % 2, more = 2 * random.integer(0, 2);
    first[static_cast<Index>(axis)] = static_cast<double>(radius);
    second[static_cast<Index>(axis)] = static_cast<double>(large + parity + more);
  }
  in.balls.push_back({first, static_cast<double>(radius)});
  in.balls.push_back({second, static_cast<double>(large)});
  if (random.chance(0.5)) std::swap(in.balls[0], in.balls[1]);
  return sized_exactly(in, random);
}
inline Case draw_on_sphere(Random& random) { return on_sphere(random); }
/// Draws the balls of `on_sphere`, then changes one ball. Its radius changes by ulps or by a relative 1e-15 to 1e-3, or
/// its centre changes by ulps.
inline Case draw_near_sphere(Random& random) {
  Case in = on_sphere(random);
  Sphere& ball = any_of(in.balls, random);
  std::int64_t const kind = random.integer(0, 3);
  if (kind < 2)
    ball.radius *= 1 + off_a_threshold(random);
  else if (kind == 2)
    ball.radius = random.nudge(ball.radius, 2);
  else
    ball.centre = nudge(ball.centre, random, 2);
  return in;
}

/// Draws repeated balls, balls inside others, and balls that touch from inside or outside. They touch exactly (numbers
/// of few bits) or up to rounding.
inline Case draw_nested(Random& random) {
  Case in = empty_case(random, 1, 2);
  for (std::int64_t count = random.integer(1, 2); count > 0; --count) {
    Sphere ball;
    ball.centre = few_bits_vector(random, 7, -8);
    ball.radius = std::ldexp(static_cast<double>(random.integer(104, 128)), -7);
    in.balls.push_back(ball);
  }
  for (std::int64_t count = random.integer(1, 3); count > 0; --count) {
    Sphere ball = any_of(in.balls, random);
    std::int64_t const kind = random.integer(0, 3);
    auto const axis = static_cast<Index>(random.integer(0, 2));
    double const half = ball.radius / 2;
    if (kind == 1) ball.centre[axis] += ball.radius - half, ball.radius = half;
    if (kind == 2) ball.centre[axis] += 2 * ball.radius;
    if (kind == 3) ball.radius *= random.uniform(0.5, 1);
    in.balls.push_back(ball);
  }
  return random.chance(0.5) ? sized_exactly(in, random) : sized(in, random);
}

/// Returns a clump whose lengths are multiplied by 2^length and whose density is multiplied by 2^density.
inline Case scaled_clump(Random& random, int length, int density) {
  Case in = empty_case(random, 1, 2);
  add_balls(in, random, random.integer(1, 3), 0.7, 0.7);
  in.density = std::ldexp(in.density, density);
  for (Sphere& ball : in.balls) {
    for (double& x : ball.centre) x = std::ldexp(x, length);
    ball.radius = std::ldexp(ball.radius, length);
  }
  return in;
}
inline Case draw_extreme_scale(Random& random) {
  auto const length = static_cast<int>(random.integer(-150, 150)),
             density = static_cast<int>(random.integer(-200, 200));
  return scaled_clump(random, length, density);
}
inline Case draw_subnormal(Random& random) {
  auto const moment = static_cast<int>(random.integer(-1090, -1020));
  int const length = random.chance(0.5) ? 0 : -static_cast<int>(random.integer(150, 350));
  return scaled_clump(random, length, std::max(moment - 5 * length, -1070));
}
inline Case draw_huge(Random& random) {
  auto const moment = static_cast<int>(random.integer(900, 990));
  int const length = random.chance(0.5) ? 0 : static_cast<int>(random.integer(100, 300));
  return scaled_clump(random, length, moment - 5 * length);
}

/// Returns the edge of the smallest cube with a whole edge that contains at least `count` unit cubes.
inline double side_of(std::int64_t count) {
  std::int64_t side = 1;
  while (side * side * side < count) ++side;
  return static_cast<double>(side);
}
/// Draws lists of every length. The balls are packed loosely: most balls have cells that belong to no other ball. In
/// one case of four, some balls are repeated.
inline Case draw_lengths(Random& random) {
  Case in = empty_case(random, 1, 1);
  // The time is proportional to the number of cells times the number of balls. Therefore lists of more than 130 balls
  // occur only in every fourth round of 140 cases.
  std::int64_t const count = list_length(random, random.index() / 140 % 4 == 3 ? 1025 : 130);
  add_balls(in, random, count, 0.9, 0.8 * side_of(count));
  if (random.chance(0.25)) give_some_twice(in.balls, random);
  return sized(in, random);
}

/// Draws two or three balls in a row along an axis. The row has about 10 to 630 cells. One case of 128 is a single ball
/// with 15 to 127 cells per radius. Such cases are rare, because their number of cells is large.
inline Case draw_cells(Random& random) {
  static constexpr std::int64_t in_a_radius[] = {16, 127, 31, 65, 17, 126, 33, 64, 15, 63, 32};
  static constexpr std::int64_t in_a_row[] = {15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257, 511};
  if (random.index() % 128 == 0) {
    std::int64_t const cells = in_a_radius[random.index() / 128 % std::size(in_a_radius)];
    Case in = empty_case(random, cells, cells);
    add_balls(in, random, 1, 0.5, 0);
    return sized(in, random);
  }
  Case in = empty_case(random, 1, 3);
  std::int64_t const axis = random.integer(0, 2);
  double wanted = random.log_uniform(1, 2.8);
  if (random.chance(0.5)) wanted = static_cast<double>(in_a_row[random.bits() % std::size(in_a_row)]);
  wanted += random.uniform(-1, 1);
  add_balls(in, random, random.integer(2, 3), 0.9, 0.3);
  double least = 1;
  for (Sphere const& ball : in.balls) least = std::min(least, ball.radius);
  double const last = std::max(wanted * least / in.cells - 2, 0.1);
  in.balls[0].centre[axis] = 0;
  in.balls[1].centre[axis] = last;
  if (in.balls.size() > 2) in.balls[2].centre[axis] = random.uniform(0, last);
  return sized(in, random);
}

/// Draws two balls, one above the other. Their radii are whole numbers of cells, so that the columns are at the same
/// places in both balls. In one column and its mirror images, the chords of the two balls have a gap or an overlap of
/// 1e-13 to 1e-5 of a cell. For methods that count cell centres, the distance of a cell centre from the upper sphere
/// has this size.
inline Case draw_small_gaps(Random& random) {
  Case in = empty_case(random, 1, 1);
  if (random.chance(0.5)) in.method = Method::columns;
  auto const cells = std::int64_t{1} << random.integer(0, 2), larger = random.integer(cells, 2 * cells);
  in.cells = static_cast<double>(cells);
  double const edge = 1 / in.cells, upper = edge * static_cast<double>(larger);
  std::int64_t const column = random.integer(0, cells - 1);
  double const a = edge * (static_cast<double>(column) + 0.5), b = edge / 2, square = a * a + b * b;
  double const gap = edge * signed_log_uniform(random, -13, -5), half = std::sqrt(upper * upper - square);
  // The height of the top of the lower chord. For methods that count centres, the height of a cell centre above the
  // lower ball.
  double const level = in.method == Method::columns ? std::sqrt(1 - square)
                                                    : 1 + edge * (static_cast<double>(random.integer(0, 2)) + 0.5);
  in.balls.push_back({Point::Zero(), 1});
  in.balls.push_back({Point(0, 0, level + half + gap), upper});
  if (random.chance(0.5)) std::swap(in.balls[0], in.balls[1]);
  return sized_exactly(in, random);
}

inline std::span<Regime<Case> const> regimes() {
  static Regime<Case> const list[] = {
      {"typical", Profile::everyday,
       "2 to 4 overlapping balls of 10 um to 10 m, up to 1e3 sizes from the origin; 1 to 3 cells", draw_typical},
      {"single", Profile::everyday, "one ball, 1 to 5 cells", draw_single},
      {"fine", Profile::everyday, "1 or 2 balls, 4 to 6 cells", draw_fine},
      {"heap", Profile::everyday, "8 to 20 balls", draw_heap},
      {"apart", Profile::everyday, "2 or 3 balls up to 20 radii apart", draw_apart},
      {"disparate", Profile::everyday, "radii that differ by a factor of up to 5", draw_disparate},
      {"far", Profile::extreme, "1e4 to 1e10 radii from the origin", draw_far},
      {"lattice", Profile::degenerate, "small integers times powers of two; cell edges that are not doubles",
       draw_lattice},
      {"on_sphere", Profile::degenerate, "a centre exactly on a sphere, or a column that touches one", draw_on_sphere},
      {"near_sphere", Profile::degenerate, "as on_sphere, moved by one or two ulps or by 1e-15 to 1e-3",
       draw_near_sphere},
      {"nested", Profile::degenerate, "duplicate, contained or tangent balls", draw_nested},
      {"extreme_scale", Profile::extreme, "lengths times 2^-150 to 2^150, densities times 2^-200 to 2^200",
       draw_extreme_scale},
      {"subnormal", Profile::extreme, "moments near and below the smallest normal double", draw_subnormal},
      {"huge", Profile::extreme, "moments from 2^900 to 2^1010", draw_huge},
      {"lengths", Profile::everyday, "1 to 130 balls, and numbers next to powers of two up to 1,025", draw_lengths},
      {"cells", Profile::everyday, "10 to 600 cells along an axis, 15 to 127 cells per radius", draw_cells},
      {"small_gaps", Profile::degenerate,
       "the gap between two chords, or between a centre and a sphere, is 1e-13 to 1e-5 of a cell", draw_small_gaps},
  };
  return list;
}

// ------------------------------------------------------------------------------------------------------------ laws

inline Unusable unusable(std::span<Case const> inputs, std::span<Answer const> outputs) {
  // In a coarse grid, the cells may have up to twice the volume of the balls.
  return unusable_unless_large<Contract>(inputs, outputs, 4);
}

inline std::vector<std::string_view> all() { return {"volume", "mass", "centroid", "inertia"}; }

/// The description of this kernel for the shared laws. The grid moves with the balls, so the laws may use any
/// translation.
struct Body {
  using Contract = clump_grid_mass_properties::Contract;
  static constexpr auto parts = &Case::balls;
  static constexpr auto place = &Sphere::centre;
  static std::vector<std::string_view> outputs() { return all(); }
  static constexpr auto unusable = properties::unusable;
  /// Returns whether every factor of a product is far from the ends of the range of doubles.
  static bool stays_normal(Case const& in) {
    return is_moderate(in.density, 400) && std::all_of(in.balls.begin(), in.balls.end(), [](Sphere const& ball) {
             return is_moderate(ball.radius, 100) && of_all_numbers(ball, [](double x) { return is_moderate(x, 800); });
           });
  }
  /// Returns whether the kernel has this symmetry. The grid begins at the low side of each axis: mirrors are not
  /// symmetries. Columns are along z: for this method, the motion must keep the z axis.
  static bool turns(Case const& in, CubeMotion const& motion) {
    return motion.sign == std::array{1.0, 1.0, 1.0} && (in.method != Method::columns || motion.from[2] == 2);
  }
};
using Shared = TensorLaws<Body>;
using Alike = Invariances<Body>;

inline double smallest_radius(Case const& in) {
  double smallest = in.balls.front().radius;
  for (Sphere const& ball : in.balls) smallest = std::min(smallest, ball.radius);
  return smallest;
}

inline void derive_duplicate(Case const& in, Random& random, std::vector<Case>& inputs) {
  Case more = in;
  insert_anywhere(more.balls, random, any_of(in.balls, random));
  inputs.push_back(std::move(more));
}
/// Derives a case with one more ball inside the largest ball. The new ball is not smaller than the smallest ball,
/// because the smallest ball determines the edge of the cells.
inline void derive_contained(Case const& in, Random& random, std::vector<Case>& inputs) {
  double const least = smallest_radius(in);
  std::size_t largest = 0;
  for (std::size_t i = 1; i < in.balls.size(); ++i)
    if (in.balls[i].radius > in.balls[largest].radius) largest = i;
  Sphere const& outer = in.balls[largest];
  Sphere inner = outer;
  double const share = random.uniform(0, 1);
  inner.radius = std::clamp(least + share * (outer.radius - least), least, outer.radius);
  Point const direction = cube_point(random);
  inner.centre += (outer.radius - inner.radius) / 2 * direction;
  WideVector const arm = inner.centre.cast<Wide>() - outer.centre.cast<Wide>();
  Wide const room = static_cast<Wide>(outer.radius) - inner.radius;
  // Far from the origin, rounding may move the inner ball out of the outer ball.
  if (!(arm.squaredNorm() <= 0.99L * room * room)) return;
  Case more = in;
  insert_anywhere(more.balls, random, inner);
  inputs.push_back(std::move(more));
}

/// Derives the case with the other method that counts cell centres. One method treats cells as point masses. The other
/// method adds the moments of each cell about its own axes.
inline void derive_other_method(Case const& in, Random&, std::vector<Case>& inputs) {
  if (in.method == Method::columns) return;
  Case other = in;
  other.method = in.method == Method::centres ? Method::centres_with_self_inertia : Method::centres;
  inputs.push_back(std::move(other));
}
inline std::optional<double> own_moments_apart(std::span<Case const> inputs, std::span<Answer const> outputs,
                                               Tolerance const& held) {
  if (auto const bad = unusable(inputs, outputs); bad.decided) return bad.verdict;
  std::size_t const own = inputs[0].method == Method::centres ? 1 : 0;
  Sizing const with = cast<Sizing>(outputs[own]), without = cast<Sizing>(outputs[1 - own]);
  Sizing const tolerance = allowance<Contract>(held, inputs, outputs);
  Wide const h = static_cast<Wide>(smallest_radius(inputs[0])) / inputs[0].cells;
  WideTensor expected = without.inertia, size = tolerance.inertia;
  for (Index i = 0; i < 3; ++i) {
    expected[i] += without.mass * h * h / 6;
    size[i] += tolerance.mass * h * h / 6;
  }
  return worst_answered(
      {{answered(outputs, &Answer::volume), in_tolerances(std::fabs(with.volume - without.volume), tolerance.volume)},
       {answered(outputs, &Answer::centroid),
        worst_component(WideVector(with.centroid - without.centroid), tolerance.centroid)},
       {answered(outputs, &Answer::mass, &Answer::inertia),
        worst_component(WideTensor(with.inertia - expected), size)}});
}

/// Derives a case with one more ball, which changes neither the edge nor the origin of the grid. All cells of the
/// original case still count: volume and mass must not decrease.
inline void derive_one_more(Case const& in, Random& random, std::vector<Case>& inputs) {
  Sphere ball;
  double const least = smallest_radius(in);
  ball.radius = least * random.uniform(1, 1.5);
  for (Index axis = 0; axis < 3; ++axis) {
    double low = infinite;
    for (Sphere const& each : in.balls) low = std::min(low, each.centre[axis] - each.radius);
    ball.centre[axis] = low + ball.radius + least * random.uniform(0.01, 2);
    if (!(ball.centre[axis] - ball.radius - low > 0x1p-40 * std::fabs(low))) return;
  }
  Case more = in;
  insert_anywhere(more.balls, random, ball);
  if (Contract::domain_error(more)) return;
  inputs.push_back(std::move(more));
}
inline std::optional<double> no_smaller(std::span<Case const> inputs, std::span<Answer const> outputs,
                                        Tolerance const& held) {
  if (auto const bad = unusable(inputs, outputs); bad.decided) return bad.verdict;
  Sizing const tolerance = allowance<Contract>(held, inputs, outputs);
  Sizing const before = cast<Sizing>(outputs[0]), after = cast<Sizing>(outputs[1]);
  return worst_answered(
      {{answered(outputs, &Answer::volume), in_tolerances(before.volume - after.volume, tolerance.volume)},
       {answered(outputs, &Answer::mass), in_tolerances(before.mass - after.mass, tolerance.mass)}});
}

/// Derives a case with only the first ball and with one cell per radius. The ball then has eight cells, or four
/// columns.
inline void derive_one_cell(Case const& in, Random&, std::vector<Case>& inputs) {
  Case alone = in;
  alone.cells = 1;
  alone.balls.resize(1);
  inputs.push_back(std::move(alone));
}
/// Checks the answer against closed formulas. Along each axis, the centres of cells and columns are half a radius from
/// the centre of the ball.
inline std::optional<double> closed_form_of_one_cell(std::span<Case const> inputs, std::span<Answer const> outputs,
                                                     Tolerance const& held) {
  if (auto const bad = unusable(inputs.subspan(1), outputs.subspan(1)); bad.decided) return bad.verdict;
  Case const& in = inputs[1];
  Sizing const tolerance = allowance<Contract>(held, in, outputs[1]), out = cast<Sizing>(outputs[1]);
  Wide const r = in.balls.front().radius;
  bool const columns = in.method == Method::columns;
  Wide const volume = columns ? 4 * std::sqrt(2.0L) * r * r * r : 8 * r * r * r, mass = in.density * volume;
  Wide along = mass * r * r / 2, across = columns ? mass * r * r * 5 / 12 : along;
  if (in.method == Method::centres_with_self_inertia) along += mass * r * r / 6, across += mass * r * r / 6;
  WideTensor inertia{across, across, along, 0, 0, 0};
  outputs = outputs.subspan(1);
  return worst_answered(
      {{answered(outputs, &Answer::volume), in_tolerances(std::fabs(out.volume - volume), tolerance.volume)},
       {answered(outputs, &Answer::mass), in_tolerances(std::fabs(out.mass - mass), tolerance.mass)},
       {answered(outputs, &Answer::centroid),
        worst_component(WideVector(out.centroid - in.balls.front().centre.cast<Wide>()), tolerance.centroid)},
       {answered(outputs, &Answer::inertia), worst_component(WideTensor(out.inertia - inertia), tolerance.inertia)}});
}

/// Derives two cases. The first case is the given case, rounded so that the cell edge is a power of two. The second
/// case contains the balls of the first case and a copy of them, shifted by whole cells. The shift is along z, so that
/// columns have a gap, or along all axes.
inline void derive_copy(Case const& in, Random& random, std::vector<Case>& inputs) {
  Case one = in;
  one.cells = std::ldexp(1.0, std::ilogb(in.cells));
  double const least = std::ldexp(1.0, std::ilogb(smallest_radius(in)));
  for (Sphere& ball : one.balls)
    if (ball.radius == smallest_radius(in)) ball.radius = least;
  double const edge = least / one.cells, largest = Shared::reach(one);
  double const grid = largest > 0 ? std::ldexp(1.0, std::ilogb(largest) - 30) : edge;
  if (!(edge > 0x1p-900 && edge < 0x1p900 && grid > 0x1p-900 && grid < 0x1p900)) return;
  Shared::round_places(one, grid);
  Point low = Point::Constant(infinite), high = -low;
  for (Sphere const& ball : one.balls) {
    low = low.cwiseMin(ball.centre - Point::Constant(ball.radius));
    high = high.cwiseMax(ball.centre + Point::Constant(ball.radius));
  }
  Index const clear = random.chance(0.5) ? 2 : 0;
  Point shift = Point::Zero();
  shift[clear] = edge * (std::ceil((high - low)[clear] / edge) + static_cast<double>(random.integer(1, 3)));
  if (clear == 0)
    for (Index i = 1; i < 3; ++i) shift[i] = edge * static_cast<double>(random.integer(1, 3));
  if (!(std::max(largest, shift.maxCoeff()) < 0x1p51 * std::min(edge, grid))) return;  // sums would be rounded
  Case two = one;
  for (Sphere ball : one.balls) {
    ball.centre += shift;
    insert_anywhere(two.balls, random, ball);
  }
  if (Contract::domain_error(one) || Contract::domain_error(two)) return;
  inputs.push_back(std::move(one));
  inputs.push_back(std::move(two));
}
/// Checks the parallel-axis theorem. A body and its copy have twice the mass of the body. Their moments are twice the
/// moments of the body plus the moments of two point masses.
inline std::optional<double> body_and_copy(std::span<Case const> inputs, std::span<Answer const> outputs,
                                           Tolerance const& held) {
  if (auto const bad = unusable(inputs.subspan(1), outputs.subspan(1)); bad.decided) return bad.verdict;
  Case const &one = inputs[1], &two = inputs[2];
  // The shift has no negative component. The largest coordinates of the centres therefore give the shift.
  WideVector shift = WideVector::Constant(-infinite), top = shift;
  for (Sphere const& ball : one.balls) top = top.cwiseMax(ball.centre.cast<Wide>());
  for (Sphere const& ball : two.balls) shift = shift.cwiseMax(ball.centre.cast<Wide>());
  shift -= top;
  Sizing const a = cast<Sizing>(outputs[1]), b = cast<Sizing>(outputs[2]);
  Sizing const small = allowance<Contract>(held, one, outputs[1]),
               tolerance = small + small + allowance<Contract>(held, two, outputs[2]);
  Wide const square = shift.squaredNorm();
  WideTensor const inertia = 2 * a.inertia + transferred(a.mass / 2, shift);
  WideTensor const room = tolerance.inertia + WideTensor::Constant(small.mass / 2 * square);
  outputs = outputs.subspan(1);
  return worst_answered(
      {{answered(outputs, &Answer::volume), in_tolerances(std::fabs(b.volume - 2 * a.volume), tolerance.volume)},
       {answered(outputs, &Answer::mass), in_tolerances(std::fabs(b.mass - 2 * a.mass), tolerance.mass)},
       {answered(outputs, &Answer::centroid),
        worst_component(WideVector(b.centroid - a.centroid - shift / 2), tolerance.centroid)},
       {answered(outputs, &Answer::mass, &Answer::inertia), worst_component(WideTensor(b.inertia - inertia), room)}});
}

inline std::optional<double> weighed(std::span<Case const> inputs, std::span<Answer const> outputs,
                                     Tolerance const& held) {
  if (auto const bad = unusable(inputs, outputs); bad.decided) return bad.verdict;
  Sizing const tolerance = allowance<Contract>(held, inputs[0], outputs[0]), out = cast<Sizing>(outputs[0]);
  Wide const density = inputs[0].density;
  return in_tolerances(std::fabs(out.mass - density * out.volume), tolerance.mass + density * tolerance.volume);
}

/// Checks that the volume is a whole number of cells and at least one cell.
inline std::optional<double> whole(std::span<Case const> inputs, std::span<Answer const> outputs,
                                   Tolerance const& held) {
  if (inputs[0].method == Method::columns) return std::nullopt;
  if (auto const bad = unusable(inputs, outputs); bad.decided) return bad.verdict;
  Wide const h = static_cast<Wide>(smallest_radius(inputs[0])) / inputs[0].cells, cell = h * h * h;
  if (!(cell > 0x1p-1000L)) return std::nullopt;
  Wide const cells = outputs[0].volume / cell,
             tolerance = allowance<Contract>(held, inputs[0], outputs[0]).volume / cell;
  if (cells < 0.5L) return infinite;
  return in_tolerances(std::fabs(cells - std::round(cells)), 2 * tolerance);
}

/// Checks that the box of the balls contains the centroid. Also checks that the volume is at most the volume of this
/// box enlarged by one cell edge.
inline std::optional<double> within_the_box(std::span<Case const> inputs, std::span<Answer const> outputs,
                                            Tolerance const& held) {
  if (auto const bad = unusable(inputs, outputs); bad.decided) return bad.verdict;
  Case const& in = inputs[0];
  Sizing const tolerance = allowance<Contract>(held, in, outputs[0]);
  Wide const h = static_cast<Wide>(smallest_radius(in)) / in.cells;
  Wide box = 1;
  double worst = 0;
  bool const has_centroid = answered(outputs, &Answer::centroid);
  for (Index axis = 0; axis < 3; ++axis) {
    Wide low = infinite, high = -infinite;
    for (Sphere const& ball : in.balls) {
      low = std::min(low, static_cast<Wide>(ball.centre[axis]) - ball.radius);
      high = std::max(high, static_cast<Wide>(ball.centre[axis]) + ball.radius);
    }
    Wide const x = outputs[0].centroid[axis];
    worst = std::max(worst, worst_answered({{has_centroid, in_tolerances(low - x, tolerance.centroid[axis])},
                                            {has_centroid, in_tolerances(x - high, tolerance.centroid[axis])}}));
    box *= high - low + h;
  }
  return std::max(
      worst,
      worst_answered({{answered(outputs, &Answer::volume), in_tolerances(outputs[0].volume - box, tolerance.volume)}}));
}

/// Checks that no moment is negative or exceeds the sum of the other two, and that no product of inertia exceeds half a
/// moment.
inline std::optional<double> a_body(std::span<Case const> inputs, std::span<Answer const> outputs,
                                    Tolerance const& held) {
  if (auto const bad = unusable(inputs, outputs); bad.decided) return bad.verdict;
  WideTensor const I = outputs[0].inertia.cast<Wide>();
  Wide const tolerance = allowance<Contract>(held, inputs[0], outputs[0]).inertia[0];
  double worst = 0;
  for (Index i = 0; i < 3; ++i) {
    Wide const a = I[i], b = I[(i + 1) % 3], c = I[(i + 2) % 3];
    worst = std::max({worst, in_tolerances(-a, tolerance), in_tolerances(a - b - c, 3 * tolerance),
                      in_tolerances(2 * std::fabs(I[5 - i]) - a, 3 * tolerance)});
  }
  return worst;
}

using Rule = Law<Case, Answer>;

inline std::vector<Rule> parts() {
  return {
      Shared::permutation("the order of the balls does not change the answer"),
      {.name = "duplicate",
       .doc = "a duplicate ball changes nothing",
       .tolerance = "both budgets",
       .compares = all(),
       .derive = derive_duplicate,
       .violation = Shared::same},
      {.name = "contained",
       .doc = "a ball inside another ball changes nothing, if it is not smaller than the smallest ball",
       .tolerance = "both budgets",
       .compares = all(),
       .derive = derive_contained,
       .violation = Shared::same},
  };
}

inline std::vector<Rule> motions() {
  return {
      Alike::translation(),
      Alike::axis_permutation(),
      Alike::scaling(),
  };
}

inline std::vector<Rule> about_the_grid() {
  return {
      {.name = "own_moments",
       .doc = "the own moments of the cells add mass h^2/6 about each axis and change nothing else",
       .tolerance = "both budgets",
       .compares = all(),
       .derive = derive_other_method,
       .violation = own_moments_apart},
      {.name = "monotone",
       .doc = "one more ball on the same grid does not decrease the volume",
       .tolerance = "both budgets",
       .compares = {"volume", "mass"},
       .derive = derive_one_more,
       .violation = no_smaller},
      {.name = "one_cell",
       .doc = "a single ball with one cell per radius has eight cells, or four columns, in closed form",
       .tolerance = "its budgets",
       .compares = all(),
       .derive = derive_one_cell,
       .violation = closed_form_of_one_cell},
      {.name = "copy",
       .doc = "a copy beside the clump, on the same grid, adds by the parallel axis theorem",
       .tolerance = "both budgets",
       .compares = all(),
       .derive = derive_copy,
       .violation = body_and_copy},
  };
}

inline std::vector<Rule> bounds() {
  return {
      {.name = "density",
       .doc = "the mass is density times volume",
       .tolerance = "both budgets",
       .uses = {"volume", "mass"},
       .violation = weighed},
      {.name = "whole",
       .doc = "the volume is a whole number of cells, except for methods with columns",
       .tolerance = "twice its budget",
       .uses = {"volume"},
       .violation = whole},
      {.name = "box",
       .doc = "the box contains the centroid; the box plus one edge is at least the volume",
       .tolerance = "its budgets",
       .compares = {"volume", "centroid"},
       .violation = within_the_box},
      {.name = "body",
       .doc = "no moment is negative or exceeds the sum of the other two; no product exceeds half a moment",
       .tolerance = "thrice its budget",
       .uses = {"inertia"},
       .violation = a_body},
  };
}

inline std::span<Rule const> laws() {
  static std::vector<Rule> const list = joined<Rule>({parts(), motions(), about_the_grid(), bounds()});
  return list;
}

inline constexpr PropertiesHooks<Case> hooks{};

}  // namespace demeter::clump_grid_mass_properties::properties
