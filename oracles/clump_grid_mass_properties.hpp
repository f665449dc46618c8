// Oracle of clump_grid_mass_properties: grid sampling in integers, ball by ball.
//
// Coordinates are multiplied by 2 n and divided by the unit of the input's common grid. They are then integers. The
// cell centres are at lo + (2k+1) r, where lo is the lower corner in these units and r is the smallest radius (not
// times 2 n). The centres of one column inside a ball satisfy |z| <= isqrt(R^2 - x^2 - y^2 - 1). Two rounded-down
// quotients give the first and the last of these centres. The ends of the runs of all balls are sorted in one list,
// which gives the covered cells. For the method `columns`, the half-length of a chord is a fixed-point root, rounded
// down. Each end of a chord has an error of at most one unit, and the enclosure includes this error.
#pragma once

#include "oracles/core/at_precision.hpp"
#include "oracles/core/dyadic.hpp"
#include "oracles/core/enclosure.hpp"
#include "oracles/core/hooks.hpp"
#include "reference/spec/clump_grid_mass_properties.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

namespace demeter::clump_grid_mass_properties::oracle {

namespace exact {

/// Row and column of xx, yy, zz, xy, xz, yz in the matrix.
inline constexpr std::array<std::array<std::size_t, 2>, 6> places{{{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}}};

/// The clump in integers: lengths times 2 n, relative to lo, in units of 2^exponent.
struct Integers {
  struct Ball {
    std::array<BigInteger, 3> centre;
    BigInteger radius;
  };
  int exponent;
  std::int64_t cells;
  std::array<BigInteger, 3> low;  ///< 2 n lo
  BigInteger r, box;              ///< the smallest radius (not times 2 n); the longest edge of the box
  std::vector<Ball> balls;
};
inline Integers integers(Input<double> const& in) {
  CommonGrid grid;
  for (auto const& ball : in.balls) {
    grid.add(ball.radius);
    for (double const x : ball.centre) grid.add(x);
  }
  Integers result{grid.exponent(), static_cast<std::int64_t>(in.cells), {}, {}, 0, {}};
  BigInteger const twice = 2 * result.cells;
  std::array<BigInteger, 3> high;
  for (std::size_t i = 0; i < in.balls.size(); ++i) {
    BigInteger const r = on_grid<BigInteger>(in.balls[i].radius, grid.exponent());
    if (i == 0 || r < result.r) result.r = r;
    Integers::Ball ball{{}, twice * r};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      ball.centre[axis] = twice * on_grid<BigInteger>(in.balls[i].centre[static_cast<Index>(axis)], grid.exponent());
      BigInteger const below = ball.centre[axis] - ball.radius, above = ball.centre[axis] + ball.radius;
      if (i == 0 || below < result.low[axis]) result.low[axis] = below;
      if (i == 0 || above > high[axis]) high[axis] = above;
    }
    result.balls.push_back(ball);
  }
  for (auto& ball : result.balls)
    for (std::size_t axis = 0; axis < 3; ++axis) ball.centre[axis] -= result.low[axis];
  for (std::size_t axis = 0; axis < 3; ++axis)
    result.box = std::max<BigInteger>(result.box, high[axis] - result.low[axis]);
  return result;
}

inline BigInteger floored_quotient(BigInteger const& x, BigInteger const& y) {
  BigInteger quotient;
  mpz_fdiv_q(quotient.get(), x.get(), y.get());
  return quotient;
}

/// One end of a ball's run in a column. `step` is +1 at the start of the run and -1 at its end.
template <class Place>
struct End {
  std::int64_t i, j;
  Place z;
  int step;

  friend bool operator<(End const& a, End const& b) {
    if (a.i != b.i) return a.i < b.i;
    if (a.j != b.j) return a.j < b.j;
    return a.z < b.z;
  }
};

/// Calls `visit(i, j, R^2 - x^2 - y^2)` for every column that passes through the inside of a ball.
template <class Visit>
void for_each_column(BigInteger const& r, Integers::Ball const& ball, Visit const& visit) {
  struct Line {
    std::int64_t k;
    BigInteger square;
  };
  std::array<std::vector<Line>, 2> lines;
  BigInteger const step = 2 * r, square = ball.radius * ball.radius;
  for (std::size_t axis = 0; axis < 2; ++axis) {
    // Computes the first k with (2k+1) r > centre - radius.
    auto k = static_cast<std::int64_t>(floored_quotient(ball.centre[axis] - ball.radius - r, step)) + 1;
    for (BigInteger d = (2 * k + 1) * r - ball.centre[axis]; d < ball.radius; d += step)
      lines[axis].push_back({k++, d * d});
  }
  for (Line const& x : lines[0]) {
    BigInteger const rest = square - x.square;
    for (Line const& y : lines[1])
      if (y.square < rest) visit(x.k, y.k, BigInteger(rest - y.square));
  }
}

/// Calls `visit(i, j, begin, end)` for each maximal interval of a column that is covered by balls.
template <class Place, class Visit>
void for_each_run(std::vector<End<Place>>& ends, Visit const& visit) {
  std::sort(ends.begin(), ends.end());
  int depth = 0;
  std::size_t first = 0;
  for (std::size_t e = 0; e < ends.size(); ++e) {
    if (depth == 0) first = e;
    depth += ends[e].step;
    if (depth == 0 && ends[first].z < ends[e].z) visit(ends[e].i, ends[e].j, ends[first].z, ends[e].z);
  }
}

/// Sums or integrals of 1, x and x x^T, with x measured from lo. A moment of degree k has an error of at most error *
/// reach^k.
struct Sums {
  BigInteger volume;
  std::array<BigInteger, 3> first;
  std::array<BigInteger, 6> second;
  BigInteger error, reach;
};

/// Returns the sums over the cell centres inside the union, in units of h/2.
inline Sums of_centres(Integers const& grid) {
  std::vector<End<std::int64_t>> ends;
  BigInteger const step = 2 * grid.r;
  for (auto const& ball : grid.balls)
    for_each_column(grid.r, ball, [&](std::int64_t i, std::int64_t j, BigInteger const& square) {
      BigInteger const half = sqrt(square - 1), middle = ball.centre[2] - grid.r;
      auto const last = static_cast<std::int64_t>(floored_quotient(middle + half, step));
      auto const before = static_cast<std::int64_t>(floored_quotient(middle - half - 1, step));
      ends.push_back({i, j, before + 1, 1});
      ends.push_back({i, j, last + 1, -1});
    });
  Sums sums{};
  for_each_run(ends, [&](std::int64_t i, std::int64_t j, std::int64_t begin, std::int64_t end) {
    // There are k odd numbers below 2k. Their sum is k^2, the sum of their squares k (4 k^2 - 1) / 3.
    std::int64_t const x = 2 * i + 1, y = 2 * j + 1, count = end - begin, first = end * end - begin * begin;
    std::int64_t const second = (end * (4 * end * end - 1) - begin * (4 * begin * begin - 1)) / 3;
    sums.volume += count;
    sums.first[0] += x * count, sums.first[1] += y * count, sums.first[2] += first;
    sums.second[0] += x * x * count, sums.second[1] += y * y * count, sums.second[2] += second;
    sums.second[3] += x * y * count, sums.second[4] += x * first, sums.second[5] += y * first;
  });
  return sums;
}

/// Returns 12 times the integrals over the chords of the columns. The unit of length is 2^-shift times the unit of
/// `grid`.
inline Sums of_columns(Integers const& grid, unsigned shift) {
  std::vector<End<BigInteger>> ends;
  for (auto const& ball : grid.balls)
    for_each_column(grid.r, ball, [&](std::int64_t i, std::int64_t j, BigInteger const& square) {
      BigInteger const half = sqrt(square << (2 * shift)), middle = ball.centre[2] << shift;
      ends.push_back({i, j, middle - half, 1});
      ends.push_back({i, j, middle + half, -1});
    });
  Sums sums{};
  sums.error = 12 * BigInteger(ends.size());
  sums.reach = (grid.box + 2 * grid.r) << shift;
  BigInteger const r = grid.r << shift;
  for_each_run(ends, [&](std::int64_t i, std::int64_t j, BigInteger const& begin, BigInteger const& end) {
    BigInteger const x = (2 * i + 1) * r, y = (2 * j + 1) * r, length = end - begin, twelve = 12 * length;
    BigInteger const first = 6 * length * (end + begin), second = 4 * length * (end * (end + begin) + begin * begin);
    sums.volume += twelve;
    sums.first[0] += x * twelve, sums.first[1] += y * twelve, sums.first[2] += first;
    sums.second[0] += x * x * twelve, sums.second[1] += y * y * twelve, sums.second[2] += second;
    sums.second[3] += x * y * twelve, sums.second[4] += x * first, sums.second[5] += y * first;
  });
  return sums;
}

/// Returns an enclosure. If the number may be 0, the midpoint of the enclosure is 0.
inline Enclosure enclosed(Interval const& x) {
  Enclosure const found = enclosure_of(x);
  if (found.radius == 0 || std::fabs(found.high) > found.radius) return found;
  return {0, 0, (std::fabs(found.high) + std::fabs(found.low) + found.radius) * (1 + 0x1p-60L)};
}

}  // namespace exact

/// Returns the sampled properties in intervals of about `bits` bits. For the methods with cell centres, all sums are
/// exact.
inline Output<Interval> refined_truth(Input<double> const& in, mpfr_prec_t bits) {
  exact::Integers const grid = exact::integers(in);
  bool const columns = in.method == Method::columns;
  unsigned shift = 0;
  if (columns) {
    auto const size = static_cast<mpfr_prec_t>(mpz_sizeinbase(grid.r.get(), 2));
    shift = static_cast<unsigned>(std::max<mpfr_prec_t>(bits + 64 - size, 0));
  }
  exact::Sums const sums = columns ? exact::of_columns(grid, shift) : exact::of_centres(grid);
  AtPrecision const at{bits + 64};
  auto const integer = [&](BigInteger const& x) { return at.number(x, 0); };
  auto const within = [&](BigInteger const& x, BigInteger const& error) {
    return sums.error.is_zero() ? integer(x) : hull(integer(BigInteger(x - error)), integer(BigInteger(x + error)));
  };

  // The units of length and volume. Methods with cell centres: h/2 = r 2^e / 2n, and h^3. Method `columns`: 2^(e -
  // shift) / 2n, and this length times h^2 / 12. `length` is 2n times the unit of length.
  BigInteger const n = grid.cells, r = grid.r;
  int const e = grid.exponent, fine = e - static_cast<int>(shift);
  Interval const length = columns ? at.number(BigInteger(1), fine) : at.number(r, e);
  Interval const cell = columns ? at.number(BigInteger(r * r), 2 * e + fine) / integer(BigInteger(24 * n * n * n))
                                : at.number(BigInteger(r * r * r), 3 * e) / integer(BigInteger(n * n * n));
  Interval const twice = integer(BigInteger(2 * n));
  Interval const V = within(sums.volume, sums.error);
  Interval const density = Interval::exactly(in.density, at.bits);

  Output<Interval> out;
  out.volume = cell * V;
  out.mass = density * out.volume;
  std::array<Interval, 3> S;
  for (std::size_t i = 0; i < 3; ++i) {
    S[i] = within(sums.first[i], sums.error * sums.reach);
    auto const axis = static_cast<Index>(i);
    // The centroid is (2 n lo V + S) / (2 n V). For methods with cell centres, numerator and denominator are exact
    // integers.
    out.centroid[axis] = columns
                             ? (at.number(grid.low[i], e) + length * S[i] / V) / twice
                             : at.number(BigInteger(grid.low[i] * sums.volume + r * sums.first[i]), e) / (twice * V);
  }
  std::array<Interval, 6> central;
  for (std::size_t k = 0; k < 6; ++k) {
    auto const& place = exact::places[k];
    if (columns) {
      Interval const P = within(sums.second[k], sums.error * sums.reach * sums.reach);
      central[k] = P - S[place[0]] * S[place[1]] / V;
    } else {
      BigInteger product = 3 * (sums.volume * sums.second[k] - sums.first[place[0]] * sums.first[place[1]]);
      if (in.method == Method::centres_with_self_inertia && k < 3) product += sums.volume * sums.volume;
      central[k] = integer(product) / (integer(3) * V);
    }
  }
  Interval const unit = density * cell * (length / twice) * (length / twice);
  for (std::size_t k = 0; k < 6; ++k)
    out.inertia[static_cast<Index>(k)] =
        k < 3 ? unit * (central[(k + 1) % 3] + central[(k + 2) % 3]) : -(unit * central[k]);
  return out;
}

/// Returns the certified properties of the sampled union. The radius of each enclosure is at most 2^-116 of the value,
/// or of the scale if the output has cancellation.
inline Output<Enclosure> truth(Input<double> const& in) {
  Output<Interval> const found = refined_truth(in, 128);
  Output<Enclosure> out;
  out.volume = exact::enclosed(found.volume);
  out.mass = exact::enclosed(found.mass);
  for (Index i = 0; i < 3; ++i) out.centroid[i] = exact::enclosed(found.centroid[i]);
  for (Index k = 0; k < 6; ++k) out.inertia[k] = exact::enclosed(found.inertia[k]);
  return out;
}

/// One truth takes 20 to 140 us. `case_divisor` therefore reduces the number of cases of a survey.
inline constexpr OracleHooks<Contract> hooks{.case_divisor = 5};

}  // namespace demeter::clump_grid_mass_properties::oracle
