// Reference: a union of balls sampled by a grid, cell by cell or column by column.
// Source: docs/mathematics/clumps.md#clump_grid_mass_properties.
#pragma once

#include "reference/family/clump/sampling.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace demeter::clump_grid_mass_properties::reference {

/// The grid in units of h/2 = r / (2 n), where r is the smallest radius and n the number of cells per radius.
/// Coordinates are multiplied by 2 n and not divided by r, so that no comparison depends on a rounded quotient. The
/// cell centres are then at r times the odd numbers 1, 3, 5, ... from lo, the low corner of the box.
template <class Scalar>
struct Grid {
  Scalar unit;                        ///< the radius r, which is 2 n times h/2
  std::array<std::int64_t, 3> count;  ///< number of cell centres below hi along each axis
  std::vector<Ball<Scalar>> balls;    ///< centres are 2 n (c - lo), radii are 2 n times the radius
};
template <field_scalar Scalar>
Grid<Scalar> grid_of(Input<Scalar> const& in, Box<Scalar> const& box) {
  Scalar const twice = Scalar(2) * in.cells;
  Grid<Scalar> grid{box.smallest, {}, {}};
  for (auto const& ball : in.balls) {
    Vector3<Scalar> const from_low = ball.centre - box.low;
    grid.balls.push_back({twice * from_low, twice * ball.radius});
  }
  for (std::size_t axis = 0; axis < 3; ++axis) {
    auto const a = static_cast<Index>(axis);
    Scalar const extent = twice * (box.high[a] - box.low[a]);
    std::int64_t& count = grid.count[axis];
    while (number<Scalar>(2 * count + 1) * grid.unit < extent) ++count;
  }
  return grid;
}

/// Returns, for each ball, (x_k - centre)^2 for all cell centres along one axis.
template <field_scalar Scalar>
std::vector<std::vector<Scalar>> squares(Grid<Scalar> const& grid, std::size_t axis) {
  std::vector<std::vector<Scalar>> result;
  for (auto const& ball : grid.balls) {
    auto& of_ball = result.emplace_back();
    for (std::int64_t k = 0; k < grid.count[axis]; ++k) {
      Scalar const d = number<Scalar>(2 * k + 1) * grid.unit - ball.centre[static_cast<Index>(axis)];
      of_ball.push_back(d * d);
    }
  }
  return result;
}

/// Returns the sums over the cells whose centres are inside a ball. The unit of volume is one cell. The unit of length
/// is h/2.
template <field_scalar Scalar>
Moments<Scalar> of_centres(Grid<Scalar> const& grid) {
  auto const x2 = squares(grid, 0), y2 = squares(grid, 1), z2 = squares(grid, 2);
  std::vector<Scalar> radius2;
  for (auto const& ball : grid.balls) radius2.push_back(ball.radius * ball.radius);
  std::int64_t N = 0, S[3] = {0, 0, 0}, P[6] = {0, 0, 0, 0, 0, 0};
  for (std::int64_t i = 0; i < grid.count[0]; ++i)
    for (std::int64_t j = 0; j < grid.count[1]; ++j)
      for (std::int64_t k = 0; k < grid.count[2]; ++k) {
        bool inside = false;
        for (std::size_t b = 0; b < grid.balls.size() && !inside; ++b)
          inside = x2[b][static_cast<std::size_t>(i)] + y2[b][static_cast<std::size_t>(j)] +
                       z2[b][static_cast<std::size_t>(k)] <
                   radius2[b];
        if (!inside) continue;
        std::int64_t const x[3] = {2 * i + 1, 2 * j + 1, 2 * k + 1};
        ++N;
        for (std::size_t a = 0; a < 3; ++a) S[a] += x[a];
        for (std::size_t a = 0; a < 6; ++a) P[a] += x[places[a][0]] * x[places[a][1]];
      }
  Moments<Scalar> sums{number<Scalar>(N), {number<Scalar>(S[0]), number<Scalar>(S[1]), number<Scalar>(S[2])}, {}};
  for (Index a = 0; a < 6; ++a) sums.second[a] = number<Scalar>(P[a]);
  return sums;
}

/// Returns the integrals over the chords of the columns, in the units of `of_centres`: a chord of length h counts as
/// one cell. For a chord from a to b, int z = (b^2 - a^2)/2 and int z^2 = (b^3 - a^3)/3.
template <real_scalar Scalar>
Moments<Scalar> of_columns(Grid<Scalar> const& grid) {
  using std::sqrt;
  auto const x2 = squares(grid, 0), y2 = squares(grid, 1);
  Moments<Scalar> sums = no_moments<Scalar>();
  std::vector<std::pair<Scalar, Scalar>> chords;
  for (std::int64_t i = 0; i < grid.count[0]; ++i)
    for (std::int64_t j = 0; j < grid.count[1]; ++j) {
      chords.clear();
      for (std::size_t b = 0; b < grid.balls.size(); ++b) {
        auto const& ball = grid.balls[b];
        Scalar const square =
            ball.radius * ball.radius - x2[b][static_cast<std::size_t>(i)] - y2[b][static_cast<std::size_t>(j)];
        if (!(Scalar(0) < square)) continue;
        Scalar const half = sqrt(square);
        chords.emplace_back(ball.centre[2] - half, ball.centre[2] + half);
      }
      std::sort(chords.begin(), chords.end(), [](auto const& p, auto const& q) { return p.first < q.first; });
      Scalar length(0), first(0), second(0);
      for (std::size_t c = 0; c < chords.size();) {
        Scalar const low = chords[c].first / grid.unit;
        Scalar end = chords[c].second;
        for (++c; c < chords.size() && chords[c].first < end; ++c)
          if (end < chords[c].second) end = chords[c].second;
        Scalar const high = end / grid.unit;
        length += (high - low) / 2;
        first += (high - low) * (high + low) / 4;
        second += (high - low) * (high * high + high * low + low * low) / 6;
      }
      Scalar const x = number<Scalar>(2 * i + 1), y = number<Scalar>(2 * j + 1);
      sums.volume += length;
      sums.first += Vector3<Scalar>(x * length, y * length, first);
      Scalar const terms[6] = {x * x * length, y * y * length, second, x * y * length, x * first, y * first};
      for (Index a = 0; a < 6; ++a) sums.second[a] += terms[a];
    }
  return sums;
}

/// Returns the mass properties. h = r/n is the edge of a cell. The sums are multiplied by h^3 and by powers of h/2. The
/// moment of a cell about its own axis is its mass times h^2/6. Half of this, (h/2)^2/3 per mass, is the second moment
/// along each of the other two axes.
template <real_scalar Scalar>
Output<Scalar> evaluate(Input<Scalar> const& in) {
  Box<Scalar> const box = box_of<Scalar>(in.balls);
  Grid<Scalar> const grid = grid_of<Scalar>(in, box);
  Moments<Scalar> sums = in.method == Method::columns ? of_columns<Scalar>(grid) : of_centres<Scalar>(grid);
  if (in.method == Method::centres_with_self_inertia)
    for (Index i = 0; i < 3; ++i) sums.second[i] += sums.volume / Scalar(3);
  Scalar const h = box.smallest / in.cells, half = h / Scalar(2), cell = h * h * h;
  sums.volume *= cell;
  sums.first *= cell * half;
  sums.second *= cell * half * half;
  return described<Scalar>(in.density, box.low, sums);
}

}  // namespace demeter::clump_grid_mass_properties::reference
