// Contract of clump_grid_mass_properties: mass, centroid and inertia of a union of balls, sampled by a grid. The truth
// is the exact result of the sampling, not of the union.
#pragma once

#include "reference/spec/core/contract.hpp"

namespace demeter::clump_grid_mass_properties {

/// A symmetric tensor in the order xx, yy, zz, xy, xz, yz.
template <class Scalar>
using Tensor = Vector<Scalar, 6>;

/// How one cell, or one column of cells, contributes to the mass and the inertia.
enum class Method { centres, centres_with_self_inertia, columns };
constexpr std::array<std::string_view, 3> labels(Method) { return {"centres", "centres_with_self_inertia", "columns"}; }

/// A ball in the global frame, radius > 0.
template <class Scalar>
struct Ball {
  Vector3<Scalar> centre;
  Scalar radius;

  static constexpr auto fields() {
    return std::tuple{
        field("centre", &Ball::centre, unit::metre, Kind::position, "centre, global frame"),
        field("radius", &Ball::radius, unit::metre, "radius, > 0"),
    };
  }
};

/// Balls, their density and the grid. Domain: finite numbers, density and radii > 0, 1 to 128 cells per smallest
/// radius, at least one ball, a box of fewer than 2^24 cells and 2^16 cells per axis.
template <class Scalar>
struct Input {
  Scalar density, cells;
  Method method;
  std::vector<Ball<Scalar>> balls;

  static constexpr auto fields() {
    return std::tuple{
        field("density", &Input::density, unit::density, "density of the union, > 0"),
        field("cells", &Input::cells, unit::none, "cells in the smallest radius, an integer from 1 to 128"),
        field("method", &Input::method, unit::none,
              "centres: cells whose centre is inside, as point masses; centres_with_self_inertia: the same with each "
              "cell's own moments; columns: along z the exact length inside, of columns at the cells' x and y"),
        field("balls", &Input::balls, unit::none, "the balls, at least one"),
    };
  }
};

/// Properties of the sampled body: volume, mass, centroid, and inertia tensor about the centroid, in global axes.
template <class Scalar>
struct Output {
  Scalar volume, mass;
  Vector3<Scalar> centroid;
  Tensor<Scalar> inertia;

  static constexpr auto fields() {
    return std::tuple{
        field("volume", &Output::volume, unit::cubic_metre, "volume of the cells or columns inside the union"),
        field("mass", &Output::mass, unit::kilogram, "density times volume"),
        field("centroid", &Output::centroid, unit::metre, Kind::position, "their centre of mass, global frame"),
        field("inertia", &Output::inertia, unit::inertia, Kind::tensor,
              "tensor about their centroid, global axes: xx, yy, zz, xy, xz, yz with xy = -sum of m x y"),
    };
  }
};

/// Largest number of cells in the box around all balls, and largest number along one axis. The oracle does not visit
/// every cell, but the loops of the printed formulas do.
inline constexpr long most_cells = 1L << 24;
inline constexpr long most_cells_along_an_axis = 1L << 16;

struct Contract {
  template <class Scalar>
  using Input = clump_grid_mass_properties::Input<Scalar>;
  template <class Scalar>
  using Output = clump_grid_mass_properties::Output<Scalar>;

  static constexpr std::string_view name = "clump_grid_mass_properties";
  static constexpr std::string_view summary = "mass, centroid and inertia of a union of balls, sampled by a grid";
  static constexpr std::string_view conventions =
      "The answer is the exact value of this sampling, not of the union that it samples: two codes that follow it "
      "agree "
      "to rounding. The edge of a cell is h = r/cells, with r the smallest radius of all the balls given. The box is "
      "lo = min(centre - radius), hi = max(centre + radius), along each axis over all the balls, not rounded. The "
      "centres are lo + (k + 1/2) h, k = 0, 1, 2, ..., where that is below hi; the last cells may reach beyond the "
      "box. "
      "A centre is inside if its squared distance from a ball's centre is less than the squared radius: on the sphere "
      "is outside. Every comparison is of these exact numbers (multiplied by 2 cells they are integers on the grid of "
      "the input's doubles), so a centre that rounding would put on the other side is a cell too many or too few. A "
      "centre that is inside weighs density h^3, however many balls it is in. Its own moments, which "
      "centres_with_self_inertia adds, are h^2/6 of its mass about each axis (Woo); they are a bias, since the centres "
      "are spread as the body is. Columns stand at the cells' x and y, weigh density h^2 and the exact length of the "
      "union of their chords, and have moments along z, but no width. Principal axes are not asked for: the grid "
      "breaks the symmetries of the clump, so where its moments agree the axes would be those of the grid; "
      "clump_mass_properties has the axes of any tensor.";
  static constexpr std::string_view source =
      "Šmilauer and others, undated, Woo Documentation: Clumps, Dynamic properties, Grid sampling; "
      "docs/mathematics/clumps.md#clump_grid_mass_properties";
  static constexpr Certainty certainty = bounded;
  // The number of cells is an exact integer. The volume has 4 roundings (three products and a quotient), the mass has
  // one more, and the length of a column has two more. A component of the centroid is the sum of two numbers that are
  // at most as large as its scale. A moment has 9 roundings (h^5, the weights, the density, the sums), each of less
  // than a quarter of its scale. A product of inertia also has 9 roundings. All these errors are negligible compared
  // with the error of one cell too many.
  static constexpr std::array budgets{
      Budget{"volume", Measure::relative, 6},
      Budget{"mass", Measure::relative, 8},
      Budget{"centroid", Measure::scale, 2},
      Budget{"inertia", Measure::scale, 4},
  };

  template <class Scalar>
  static std::optional<DomainError> domain_error(Input<Scalar> const& in) {
    Scalar const zero(0);
    if (!(zero < in.density)) return DomainError{"density", "> 0"};
    Scalar rest = in.cells;  // cells minus its binary digits from 128 to 1: 0 for an integer in this range
    for (int power = 128; power > 0; power /= 2)
      if (!(rest < Scalar(power))) rest = rest - Scalar(power);
    if (!(zero < in.cells) || rest < zero || zero < rest || Scalar(128) < in.cells)
      return DomainError{"cells", "an integer from 1 to 128"};
    if (in.balls.empty()) return DomainError{"balls", "at least one ball"};
    for (std::size_t i = 0; i < in.balls.size(); ++i)
      if (!(zero < in.balls[i].radius)) return DomainError{"balls[" + std::to_string(i) + "].radius", "> 0"};
    Scalar smallest = in.balls[0].radius;
    for (auto const& ball : in.balls)
      if (ball.radius < smallest) smallest = ball.radius;
    Scalar box(1);
    for (Index axis = 0; axis < 3; ++axis) {
      Scalar low = in.balls[0].centre[axis] - in.balls[0].radius, high = in.balls[0].centre[axis] + in.balls[0].radius;
      for (auto const& ball : in.balls) {
        Scalar const below = ball.centre[axis] - ball.radius, above = ball.centre[axis] + ball.radius;
        if (below < low) low = below;
        if (high < above) high = above;
      }
      Scalar const edges = (high - low) / smallest * in.cells;
      if (!(edges < Scalar(most_cells_along_an_axis)))
        return DomainError{"balls", "fewer than 2^16 cells along an axis"};
      box = box * edges;
    }
    if (!(box < Scalar(most_cells))) return DomainError{"balls", "a box of fewer than 2^24 cells"};
    return std::nullopt;
  }

  /// Returns the scales. Volume and mass: the sum of the balls, in which overlaps count several times, or the value for
  /// the box if it is smaller. Centroid: the largest magnitude of the coordinate in the box. Inertia: this mass times
  /// the square of half of the box's diagonal. Computed in long double, whose exponent range contains every product.
  /// Lengths are relative to the centre of the first ball.
  static Output<long double> scale(Input<double> const& in) {
    using Wide = long double;
    Wide balls = 0, box = 1, square = 0;
    Vector3<Wide> size;
    for (auto const& ball : in.balls) balls += 4.1887902047863909846L * ball.radius * ball.radius * ball.radius;
    for (Index axis = 0; axis < 3; ++axis) {
      Wide const origin = in.balls.front().centre[axis];
      Wide low = 0, high = 0;
      for (auto const& ball : in.balls) {
        low = std::min(low, (ball.centre[axis] - origin) - ball.radius);
        high = std::max(high, (ball.centre[axis] - origin) + ball.radius);
      }
      box *= high - low;
      square += (high - low) * (high - low) / 4;
      size[axis] = std::max(std::fabs(origin + low), std::fabs(origin + high));
    }
    Wide const volume = std::min(balls, box), mass = in.density * volume;
    return {volume, mass, size, Tensor<Wide>::Constant(mass * square)};
  }
};

}  // namespace demeter::clump_grid_mass_properties
