// Mutants of clump_grid_mass_properties. Each mutant is `right()` with one defect.
#pragma once

#include "kernels/mutant.hpp"
#include "mutants/core/lengths.hpp"
#include "mutants/core/once.hpp"
#include "reference/spec/clump_grid_mass_properties.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace demeter::clump_grid_mass_properties::mutants {

using Case = Input<double>;
using Answer = Output<double>;
using Real = long double;
/// Quadruple precision, for cell centres near a sphere and for very short chords.
__extension__ typedef __float128 Quad;

/// A rounded sum a + b and its rounding error (Knuth).
struct Exact {
  Quad value = 0, rest = 0;
};
inline Exact sum(Quad a, Quad b) {
  Quad const value = a + b, part = value - a;
  return {value, (a - (value - part)) + (b - part)};
}

/// A sum of squares with signs, in two quadruple numbers. The sum may be as small as the square of a few ulps. If the
/// squares of the rounded terms cancel exactly, the rounding errors of the terms decide the sign.
class Squares {
 public:
  void add(Exact term, int sign) {
    Quad const x = term.value;
    rest_ += 2 * sign * x * term.rest;
    // The exact square, by the method of Veltkamp and Dekker.
    Quad const shifted = static_cast<Quad>(0x1p57 + 1) * x, high = shifted - (shifted - x), low = x - high;
    Quad const square = sign * x * x, error = sign * (((high * high - x * x) + 2 * high * low) + low * low);
    Exact const total = sum(high_, square);
    low_ += error + total.rest;
    high_ = total.value;
  }
  Quad value() const { return high_ + low_ != 0 ? high_ + low_ : rest_; }

 private:
  Quad high_ = 0, low_ = 0, rest_ = 0;
};

inline constexpr Defect defects[] = {
    {"centres_at_corners", "k h instead of (k + 1/2) h", "an offset of half a cell"},
    {"sphere_is_inside", "<= instead of <", "a centre exactly on a sphere"},
    {"tolerance_relative", "up to 1e-12 of the squared radius outside counts as inside", "an epsilon in a comparison"},
    {"tolerance_absolute", "up to 1e-12 m^2 outside counts as inside", "absolute thresholds"},
    {"counted_per_ball", "a cell in two balls counts twice", "Woo's documentation: volumes computed twice"},
    {"box_of_centres", "the box of the centres without the radii", "missing radii"},
    {"box_of_largest", "the box of the centres plus the largest radius", "one radius for all"},
    {"box_as_float", "lo is rounded to float", "single precision in between"},
    {"box_of_first", "the box of the first ball only", "a wrong index"},
    {"box_clipped_at_origin", "the box always contains the origin", "a minimum that is initialised with 0"},
    {"edge_of_largest", "the cell size comes from the largest radius", "minimum and maximum exchanged"},
    {"edge_of_first", "the cell size comes from the first radius", "a wrong index"},
    {"edge_of_mean", "the cell size comes from the mean radius", "another convention"},
    {"edge_rounded", "h is rounded to double before it is multiplied", "a division rounded too early", {}, "lattice"},
    {"edge_at_least_1e_4", "h is at least 1e-4 m", "absolute thresholds"},
    {"positions_in_double", "centres are rounded to double", "as in every published loop"},
    {"positions_in_float", "centres are rounded to float", "single precision storage"},
    {"last_cell_dropped", "only cells that are wholly in the box", "the number of cells rounded down"},
    {"own_always", "the moments of the cells themselves are always added", "Woo's bias"},
    {"own_never", "the moments of the cells themselves are never added", "an option without effect"},
    {"own_of_a_twelfth", "h^2/12 instead of h^2/6", "the moment of a rod instead of a cube"},
    {"own_on_products", "the moments of the cells are added to the products of inertia too",
     "a loop over all six components"},
    {"method_index_off_by_one", "the next method of the list is used", "an enumeration counted from 1"},
    {"columns_count_overlaps", "overlapping chords count twice", "chords not merged"},
    {"columns_fill_gaps", "gaps between chords are filled", "no test for gaps"},
    {"columns_half", "half of the chord", "radius and diameter exchanged"},
    {"columns_along_x", "columns along x instead of z", "another convention"},
    {"columns_own_width", "the width of the columns adds moments", "another convention"},
    {"columns_in_double", "R^2 - x^2 - y^2 in double", "a short chord has half of the digits"},
    {"columns_end_as_points", "a chord is treated as a point mass", "a missing term"},
    {"mass_without_density", "the volume instead of the mass", "a missing factor"},
    {"mass_of_the_balls", "the sum of the masses of all balls", "overlaps counted twice"},
    {"volume_in_float", "cells are summed in float", "single precision in between"},
    {"volume_of_squares", "h^2 instead of h^3", "a wrong power"},
    {"centroid_from_corner", "the centroid is relative to lo", "a missing origin"},
    {"centroid_half_a_cell", "the centroid is half a cell too low", "corners instead of centres"},
    {"centroid_is_mean_of_balls", "the unweighted mean of the centres", "missing weights"},
    {"inertia_about_corner", "the inertia is about lo", "a missing transfer"},
    {"inertia_about_origin_in_double", "the inertia is computed about the origin first, in double",
     "cancels far from the origin"},
    {"product_of_inertia", "xy, xz, yz are +sum of m x y", "sign of the products of inertia"},
    {"products_forgotten", "xy, xz, yz are 0", "only the diagonal"},
    {"xz_and_yz_exchanged", "xz and yz are exchanged", "order of the storage"},
    {"inertia_without_density", "moments of the volume instead of the mass", "a missing factor"},
    {"inertia_factor_of_edge", "the inertia is four times too large", "h instead of h/2"},
    {"last_skipped", "the last of several balls is skipped", "off by one"},
    {"first_only", "only the first ball is used", "a loop that ends too early"},
    {"buffer_of_eight", "balls beyond the 8th are dropped", "a buffer of fixed size"},
    {"small_skipped", "balls below a millimetre are dropped", "absolute thresholds"},
    {"same_centre_skipped", "a ball at the same centre as the one before is skipped", "balls identified by position"},
    {"given_twice_dropped", "if a ball is given twice, both copies are dropped", "duplicates removed"},
    {"sixteen_along_an_axis", "cells beyond the 16th along an axis are dropped", "a buffer of fixed size"},
    {"signed_byte_along_an_axis",
     "cells beyond the 127th along an axis are dropped",
     "an index of eight bits",
     {},
     "cells"},
    {"byte_along_an_axis", "cells beyond the 255th along an axis are dropped", "an index of eight bits", {}, "cells"},
    {"cells_above_64", "at most 64 cells in a radius", "a buffer of fixed size", {}, "cells"},
    {"gap_of_1e_6_closed", "chords less than 1e-6 of a cell apart are merged", "a tolerance wider than the budget"},
    {"gap_of_1e_8_closed", "chords less than 1e-8 of a cell apart are merged", "a tolerance wider than the budget"},
    {"gap_of_1e_10_closed", "chords less than 1e-10 of a cell apart are merged", "a tolerance wider than the budget"},
    {"gap_of_1e_12_closed", "chords less than 1e-12 of a cell apart are merged", "a tolerance wider than the budget"},
    {"subnormal_is_zero", "subnormal numbers are 0", "flush to zero"},
};
using Chosen = Choice<defects>;

/// For one ball and one axis: the rounded values of 2 n (x - centre) at the centres x of all cells. A first test of
/// `inside` uses these values. Their count is the number of cells.
using Line = std::vector<Real>;

struct Sums {
  Real volume = 0, first[3] = {0, 0, 0}, second[6] = {0, 0, 0, 0, 0, 0};
  /// Adds a column of cells or a chord at (x, y): its weight, and its weighted sums of z and z^2.
  void add(Real weight, Real x, Real y, Real z, Real zz) {
    volume += weight;
    first[0] += weight * x, first[1] += weight * y, first[2] += z;
    second[0] += weight * x * x, second[1] += weight * y * y, second[2] += zz;
    second[3] += weight * x * y, second[4] += x * z, second[5] += y * z;
  }
};

/// Returns the number of cells along an axis of the correct grid. Its error is at most one.
inline std::int64_t cells_along(Case const& in, Index axis) {
  auto least = static_cast<Real>(in.balls.front().radius), low = std::numeric_limits<Real>::infinity(), high = -low;
  for (auto const& ball : in.balls) {
    least = std::min<Real>(least, ball.radius);
    low = std::min(low, static_cast<Real>(ball.centre[axis]) - ball.radius);
    high = std::max(high, static_cast<Real>(ball.centre[axis]) + ball.radius);
  }
  return static_cast<std::int64_t>((high - low) / least * in.cells);
}

struct Grid {
  Chosen with;
  std::vector<Ball<double>> balls;
  Quad n, r, low[3], high[3], low_rest[3] = {}, high_rest[3] = {};
  std::size_t axes[3] = {0, 1, 2};
  std::vector<std::array<Line, 3>> lines;  // for each ball
  std::vector<Real> radii, middles;        // radii: 2 n radius; middles: height of the ball's centre above the low
                                           // side, in units of h/2

  Grid(Case const& in, Chosen chosen) : with(chosen), n(in.cells) {
    if (with("cells_above_64")) n = std::min<Quad>(n, 64);
    for (auto const& ball : in.balls) {
      if (with("small_skipped") && ball.radius < 1e-3) continue;
      if (with("same_centre_skipped") && !balls.empty() && balls.back().centre == ball.centre) continue;
      if (with("buffer_of_eight") && balls.size() == 8) break;
      if (with("given_twice_dropped") && std::count_if(in.balls.begin(), in.balls.end(), [&](auto const& other) {
                                           return other.centre == ball.centre && other.radius == ball.radius;
                                         }) > 1)
        continue;
      balls.push_back(ball);
    }
    if (with("last_skipped") && balls.size() > 1) balls.pop_back();
    if (with("first_only")) balls.resize(std::min<std::size_t>(balls.size(), 1));
    if (balls.empty()) return;
    r = balls[0].radius;
    Quad largest = r, total = 0;
    for (auto const& ball : balls) {
      r = std::min<Quad>(r, ball.radius);
      largest = std::max<Quad>(largest, ball.radius);
      total += ball.radius;
    }
    for (std::size_t a = 0; a < 3; ++a) {
      auto const axis = static_cast<Index>(a);
      for (std::size_t i = 0; i < balls.size(); ++i) {
        if (with("box_of_first") && i > 0) break;
        Quad reach = balls[i].radius;
        if (with("box_of_centres")) reach = 0;
        if (with("box_of_largest")) reach = largest;
        Exact const below = sum(balls[i].centre[axis], -reach), above = sum(balls[i].centre[axis], reach);
        if (i == 0 || std::pair(below.value, below.rest) < std::pair(low[a], low_rest[a]))
          low[a] = below.value, low_rest[a] = below.rest;
        if (i == 0 || std::pair(high[a], high_rest[a]) < std::pair(above.value, above.rest))
          high[a] = above.value, high_rest[a] = above.rest;
      }
      if (with("box_as_float")) low[a] = static_cast<float>(low[a]), low_rest[a] = 0;
      if (with("box_clipped_at_origin")) low[a] = std::min<Quad>(low[a], 0), high[a] = std::max<Quad>(high[a], 0);
    }
    if (with("edge_of_largest")) r = largest;
    if (with("edge_of_first")) r = balls[0].radius;
    if (with("edge_of_mean")) r = total / static_cast<double>(balls.size());
    if (with("edge_rounded")) r = n * static_cast<Quad>(static_cast<double>(r / n));
    if (with("edge_at_least_1e_4")) r = std::max<Quad>(r, n * static_cast<Quad>(1e-4));
    if (with("columns_along_x") && in.method == Method::columns) axes[0] = 1, axes[1] = 2, axes[2] = 0;
    std::array<std::size_t, 3> count{};
    for (std::size_t a = 0; a < 3; ++a) {
      // A wrong box could give an endless grid. This limit ends the loop.
      std::int64_t const most = cells_along(in, static_cast<Index>(axes[a])) + 64;
      while (!beyond(axes[a], static_cast<std::int64_t>(count[a])) && static_cast<std::int64_t>(count[a]) < most)
        ++count[a];
      if (with("sixteen_along_an_axis")) count[a] = std::min<std::size_t>(count[a], 16);
      if (with("signed_byte_along_an_axis")) count[a] = std::min<std::size_t>(count[a], 127);
      if (with("byte_along_an_axis")) count[a] = std::min<std::size_t>(count[a], 255);
    }
    auto const unit = static_cast<Real>(r);
    for (auto const& ball : balls) {
      auto& of_ball = lines.emplace_back();
      radii.push_back(static_cast<Real>(2 * n * ball.radius));
      middles.push_back(static_cast<Real>(2 * n * (ball.centre[static_cast<Index>(axes[2])] - low[axes[2]]) / r));
      for (std::size_t a = 0; a < 3; ++a) {
        auto const start = static_cast<Real>(offset(ball, axes[a], 0).value);
        for (std::size_t k = 0; k < count[a]; ++k)
          of_ball[a].push_back(with("positions_in_double") || with("positions_in_float")
                                   ? static_cast<Real>(offset(ball, axes[a], static_cast<std::int64_t>(k)).value)
                                   : start + static_cast<Real>(2 * k) * unit);
      }
    }
  }

  Quad place(std::int64_t k) const { return static_cast<Quad>(2 * k + (with("centres_at_corners") ? 0 : 1)) * r; }
  bool beyond(std::size_t a, std::int64_t k) const {
    Exact const extent = sum(high[a], -low[a]);
    Quad const left = 2 * n * extent.value - place(k), rest = extent.rest + high_rest[a] - low_rest[a];
    if (with("last_cell_dropped")) return static_cast<Quad>(2 * k + 2) * r > 2 * n * extent.value;
    return left < 0 || (left == 0 && rest <= 0);
  }
  /// Returns an element of `lines` in quadruple precision. Decisions about centres near a sphere need it.
  Exact offset(Ball<double> const& ball, std::size_t a, std::int64_t k) const {
    double const c = ball.centre[static_cast<Index>(a)];
    if (with("positions_in_double")) {
      double const edge = static_cast<double>(r) / static_cast<double>(n);
      double const x = static_cast<double>(low[a]) + (static_cast<double>(k) + 0.5) * edge;
      return {2 * n * static_cast<Quad>(x - c), 0};
    }
    if (with("positions_in_float")) {
      auto const x = static_cast<float>(low[a] + place(k) / (2 * n));
      return {2 * n * static_cast<Quad>(x - static_cast<float>(c)), 0};
    }
    Exact const from_low = sum(low[a], -c);
    return {2 * n * from_low.value + place(k), 2 * n * (from_low.rest + low_rest[a])};
  }

  /// A ball that a column of cells meets. The power of a point is its squared distance from the ball's centre minus the
  /// squared radius: it is negative inside the ball. `rest` is the power without the term z^2. If the magnitude of a
  /// power is at most `doubt`, `inside` computes the power again in quadruple precision.
  struct Met {
    std::size_t ball;
    Real rest, doubt;
  };
  bool inside(Met const& met, std::size_t i, std::size_t j, std::size_t k) const {
    std::size_t const b = met.ball;
    Real const z = lines[b][2][k], power = met.rest + z * z;
    if (with("tolerance_relative")) return power < 100 * met.doubt;
    if (with("tolerance_absolute")) return power < static_cast<Real>(4 * n * n) * 1e-12L;
    if (std::fabs(power) > met.doubt) return power < 0;
    Squares exact;
    exact.add({2 * n * balls[b].radius, 0}, -1);
    std::size_t const place_of[3] = {i, j, k};
    for (std::size_t a = 0; a < 3; ++a) exact.add(offset(balls[b], axes[a], static_cast<std::int64_t>(place_of[a])), 1);
    return with("sphere_is_inside") ? exact.value() <= 0 : exact.value() < 0;
  }

  /// Returns the sums over the centres of cells, in units of h/2 from the low side.
  Sums of_centres() const {
    Sums sums;
    auto const& [x, y, z] = lines[0];
    std::vector<Met> row;
    for (std::size_t i = 0; i < x.size(); ++i)
      for (std::size_t j = 0; j < y.size(); ++j) {
        row.clear();
        for (std::size_t b = 0; b < balls.size(); ++b) {
          Real const dx = lines[b][0][i], dy = lines[b][1][j], square = radii[b] * radii[b];
          Real const rest = dx * dx + dy * dy - square;
          if (rest < 0.001L * square || with("tolerance_absolute")) row.push_back({b, rest, 1e-14L * square});
        }
        if (row.empty()) continue;
        Real total = 0, along = 0, squares = 0;
        for (std::size_t k = 0; k < z.size(); ++k) {
          Real weight = 0;
          for (Met const& met : row)
            if (inside(met, i, j, k)) {
              weight += 1;
              if (!with("counted_per_ball")) break;
            }
          if (weight == 0) continue;
          auto const place = static_cast<Real>(2 * k + 1);
          total += weight, along += weight * place, squares += weight * place * place;
        }
        sums.add(total, static_cast<Real>(2 * i + 1), static_cast<Real>(2 * j + 1), along, squares);
      }
    return sums;
  }

  Sums of_columns() const {
    Sums sums;
    // The limits are in units of h/2. The edge of a cell has the length 2 in this unit.
    Real const closed = with("gap_of_1e_6_closed")    ? 2e-6L
                        : with("gap_of_1e_8_closed")  ? 2e-8L
                        : with("gap_of_1e_10_closed") ? 2e-10L
                        : with("gap_of_1e_12_closed") ? 2e-12L
                                                      : 0;
    std::vector<std::pair<Real, Real>> chords;
    auto const& [x, y, z] = lines[0];
    for (std::size_t i = 0; i < x.size(); ++i)
      for (std::size_t j = 0; j < y.size(); ++j) {
        chords.clear();
        for (std::size_t b = 0; b < balls.size(); ++b) {
          Real const x_rounded = lines[b][0][i], y_rounded = lines[b][1][j];
          Real square = radii[b] * radii[b] - x_rounded * x_rounded - y_rounded * y_rounded;
          if (with("columns_in_double")) {
            auto const R = static_cast<double>(radii[b]), dx = static_cast<double>(x_rounded),
                       dy = static_cast<double>(y_rounded);
            square = R * R - dx * dx - dy * dy;
          } else if (std::fabs(square) < 0.1L * radii[b] * radii[b]) {
            Quad const R = 2 * n * balls[b].radius, dx = offset(balls[b], axes[0], static_cast<std::int64_t>(i)).value,
                       dy = offset(balls[b], axes[1], static_cast<std::int64_t>(j)).value;
            square = static_cast<Real>(R * R - dx * dx - dy * dy);
          }
          if (!(square > 0)) continue;
          auto const unit = static_cast<Real>(r);
          Real const half = std::sqrt(square) / unit * (with("columns_half") ? 0.5L : 1), middle = middles[b];
          chords.emplace_back(middle - half, middle + half);
        }
        std::sort(chords.begin(), chords.end());
        for (std::size_t c = 0; c < chords.size();) {
          auto [from, to] = chords[c];
          for (++c; c < chords.size() && !with("columns_count_overlaps") &&
                    (chords[c].first < to + closed || with("columns_fill_gaps"));
               ++c)
            to = std::max(to, chords[c].second);
          Real const middle = (from + to) / 2, length = to - from;
          Real const weight = length / 2,
                     square = middle * middle + (with("columns_end_as_points") ? 0 : length * length / 12);
          sums.add(weight, static_cast<Real>(2 * i + 1), static_cast<Real>(2 * j + 1), weight * middle,
                   weight * square);
        }
      }
    return sums;
  }
};

/// The sums over cells or columns. Coordinates are in units of h/2 from the low side of the box.
struct Sampled {
  Sums sums;
  Quad low[3] = {0, 0, 0}, r = 1, n = 1;
};
inline Sampled sampled(Case const& in, bool columns, Chosen const with) {
  Grid const grid(in, with);
  Sampled result;
  if (grid.balls.empty()) return result;
  result.sums = columns ? grid.of_columns() : grid.of_centres();
  std::copy_n(grid.low, 3, result.low);
  result.r = grid.r, result.n = grid.n;
  return result;
}

/// Returns whether the defect is only in the code after the sums. Mutants with such a defect share the correct sums.
constexpr bool shows_later(Chosen const with) {
  auto const between = [&](Chosen first, Chosen last) {
    return with.places_after(first) >= 0 && with.places_after(last) <= 0;
  };
  return with({}) || between("own_always", "method_index_off_by_one") || with("columns_own_width") ||
         between("mass_without_density", "inertia_factor_of_edge") || with("subnormal_is_zero");
}
inline Sampled const& sampled_right(Case const& in, bool columns) {
  std::vector<double> key{columns ? 1.0 : 0.0, static_cast<double>(in.cells)};
  for (auto const& ball : in.balls)
    key.insert(key.end(), {ball.centre[0], ball.centre[1], ball.centre[2], ball.radius});
  return once(std::move(key), 8192, [&] { return sampled(in, columns, {}); });
}

inline Answer evaluate(Case const& in, Chosen const with) {
  Answer out;
  out.volume = out.mass = 0;
  out.centroid.setZero();
  out.inertia.setZero();
  auto method = static_cast<int>(in.method);
  if (with("method_index_off_by_one")) method = (method + 1) % 3;
  bool const columns = method == static_cast<int>(Method::columns);
  auto [sums, low, r, n] = shows_later(with) ? sampled_right(in, columns) : sampled(in, columns, with);
  if (sums.volume == 0) return out;
  if (with("volume_in_float")) {
    // Adds the cells one by one in float. If the sum is large, it does not change when a cell is added.
    auto const cell = static_cast<float>(1) / 3;
    float total = 0;
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(sums.volume); ++i) total += cell;
    sums.volume = 3 * static_cast<Real>(total);
  }
  if (with("columns_along_x") && columns) {  // the sums are in the order y, z, x
    std::swap(sums.first[0], sums.first[2]), std::swap(sums.first[1], sums.first[2]);
    std::swap(sums.second[0], sums.second[2]), std::swap(sums.second[1], sums.second[2]);
    std::swap(sums.second[3], sums.second[4]), std::swap(sums.second[4], sums.second[5]);
  }
  bool own = method == static_cast<int>(Method::centres_with_self_inertia);
  if (with("own_always") || (with("columns_own_width") && columns)) own = true;
  if (with("own_never")) own = false;

  Real const h = static_cast<Real>(r / n), half = h / 2, density = in.density;
  Real const cell = with("volume_of_squares") ? h * h : h * h * h, unit = density * h * h * h * half * half;
  Real mean[3], central[6];
  constexpr std::size_t places[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
  for (std::size_t a = 0; a < 3; ++a) mean[a] = sums.first[a] / sums.volume;
  for (std::size_t k = 0; k < 6; ++k) {
    auto const [a, b] = places[k];
    central[k] = sums.second[k] - (with("inertia_about_corner") ? 0 : mean[a] * sums.first[b]);
    Real const share = with("own_of_a_twelfth") ? 6 : 3;
    if (own && (k < 3 || with("own_on_products"))) central[k] += sums.volume / share;
  }
  Real inertia[6];
  for (std::size_t k = 0; k < 3; ++k) inertia[k] = unit * (central[(k + 1) % 3] + central[(k + 2) % 3]);
  for (std::size_t k = 3; k < 6; ++k) inertia[k] = -unit * central[k];
  if (with("inertia_about_origin_in_double")) {
    // Computes the moments about the origin in double, then subtracts the parallel-axis terms.
    for (std::size_t k = 0; k < 3; ++k) {
      std::size_t const a = (k + 1) % 3, b = (k + 2) % 3;
      Real square = 0;
      for (std::size_t const axis : {a, b}) {
        Real const x = static_cast<Real>(low[axis]) + half * mean[axis];
        square += x * x;
      }
      auto const mass = static_cast<double>(density * cell * sums.volume);
      auto const about_origin = static_cast<double>(inertia[k] + static_cast<Real>(mass) * square);
      inertia[k] = about_origin - mass * static_cast<double>(square);
    }
  }
  if (with("inertia_without_density"))
    for (Real& moment : inertia) moment /= density;
  if (with("inertia_factor_of_edge"))
    for (Real& moment : inertia) moment *= 4;
  if (with("product_of_inertia"))
    for (std::size_t k = 3; k < 6; ++k) inertia[k] = -inertia[k];
  if (with("products_forgotten")) inertia[3] = inertia[4] = inertia[5] = 0;
  if (with("xz_and_yz_exchanged")) std::swap(inertia[4], inertia[5]);

  Real volume = cell * sums.volume, mass = density * volume;
  if (with("mass_without_density")) mass = volume;
  if (with("mass_of_the_balls")) {
    mass = 0;
    for (auto const& ball : in.balls) mass += density * 4.18879020478639098L * ball.radius * ball.radius * ball.radius;
  }

  auto const rounded = [&](Real value) -> double {
    auto const result = static_cast<double>(value);
    return with("subnormal_is_zero") && !std::isnormal(result) ? 0 : result;
  };
  out.volume = rounded(volume);
  out.mass = rounded(mass);
  for (std::size_t a = 0; a < 3; ++a) {
    auto const axis = static_cast<Index>(a);
    Quad const from_low = static_cast<Quad>(half) * static_cast<Quad>(mean[a] - (with("centroid_half_a_cell") ? 1 : 0));
    auto x = static_cast<Real>((with("centroid_from_corner") ? 0 : low[a]) + from_low);
    if (with("centroid_is_mean_of_balls")) {
      x = 0;
      for (auto const& ball : in.balls) x += static_cast<Real>(ball.centre[axis]) / static_cast<Real>(in.balls.size());
    }
    out.centroid[axis] = rounded(x);
  }
  for (std::size_t k = 0; k < 6; ++k) out.inertia[static_cast<Index>(k)] = rounded(inertia[k]);
  return out;
}

inline Answer right(Case const& in) { return evaluate(in, {}); }

/// Answers as if the end offset of a list were inclusive: the first ball of the next case belongs to this case too. If
/// the larger case is outside the domain, it could have too many cells. The answer is then correct.
inline void one_of_the_next_in_the_domain(std::span<Case const> in, std::span<Answer> out) {
  for (std::size_t i = 0; i < in.size(); ++i) {
    Case clump = in[i];
    if (i + 1 < in.size()) clump.balls.push_back(in[i + 1].balls.front());
    out[i] = Contract::domain_error(clump) ? right(in[i]) : right(clump);
  }
}

inline Mutants mutants() {
  std::vector<BatchDefect<Case, Answer>> const batches{
      {"one_of_the_next", "the first ball of the next clump is included", "offsets of lists read inclusively",
       one_of_the_next_in_the_domain},
  };
  Distortions const distortions{.as_float = "centroid inertia", .just_over = "volume mass centroid inertia"};
  return make_mutants<Contract>(evaluate, distortions, batches, dropped_at_lengths<right, &Case::balls>(right));
}

}  // namespace demeter::clump_grid_mass_properties::mutants
