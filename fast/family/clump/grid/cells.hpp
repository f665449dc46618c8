// A clump on a grid of cells. h is the edge of a cell, r the smallest radius and n the number of cells per r. Lengths
// are in units of h/2 = r / (2 n), measured from `lo`, the lowest corner of the box around the balls. The centres of
// the cells are at the odd numbers 1, 3, 5, ...
#pragma once

#include "fast/core/double2.hpp"
#include "reference/spec/clump_grid_mass_properties.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace demeter::fast_grid {
namespace {

using namespace demeter::fast_core;

using namespace demeter::clump_grid_mass_properties;

__extension__ typedef __int128 Integer128;

// Returns the nearest double. Numbers of up to 64 bits are converted without a call of the library function for 128
// bits.
double as_double(Integer128 x) {
  auto const low = static_cast<std::int64_t>(x);
  return low == x ? static_cast<double>(low) : static_cast<double>(x);
}

// Returns x with a relative error of 2^-106.
Double2 as_double2(Integer128 x) {
  auto const low = static_cast<std::int64_t>(x);
  if (low == x && std::abs(low) < std::int64_t{1} << 53) return {static_cast<double>(low)};
  auto const high = static_cast<double>(x);
  return {high, static_cast<double>(x - static_cast<Integer128>(high))};
}

// Returns 2^e for |e| <= 1022, without std::ldexp.
double power(int e) { return std::bit_cast<double>(static_cast<std::uint64_t>(1023 + e) << 52); }

// Returns x 2^e. Multiplies by one exact factor if 2^e is a normal number.
double scaled(double x, int e) { return e >= -1022 && e <= 1022 ? x * power(e) : std::ldexp(x, e); }

// Returns the exponent e with x in [2^e, 2^(e+1)). Requires x > 0.
int exponent(double x) {
  auto const field = static_cast<int>(std::bit_cast<std::uint64_t>(x) >> 52);
  return field > 0 ? field - 1023 : std::ilogb(x);
}

double odd(std::int64_t k) { return static_cast<double>(2 * k + 1); }

// Truncates x. std::floor is a function call where the compiler may not use SSE4.1.
std::int64_t whole(double x) { return static_cast<std::int64_t>(x); }

// The input of one clump. `first` and `size`: first ball and number of balls in the columns. `stride`: distance between
// two balls in doubles.
struct Clump {
  double density, cells;
  Method method;
  double const* columns[4];  // centre 3, radius
  std::size_t first, size, stride;

  double centre(std::size_t axis, std::size_t i) const { return columns[axis][(first + i) * stride]; }
  double radius(std::size_t i) const { return columns[3][(first + i) * stride]; }
};

using Result = std::array<double, 11>;  // volume, mass, centroid 3, inertia 6

constexpr std::int64_t most_along_an_axis = std::int64_t{1} << 20;
constexpr double most_of_all = 0x1p30;

// Larger than the error of a coordinate. The range of rows that a ball may meet is extended by this amount.
constexpr double slack = 0x1p-20;

// A ball on the grid.
struct Placed {
  std::size_t index;
  std::array<Double2, 3> centre;
  double radius, square;
  Double2 exact_square;           // square of the radius
  double doubt;                   // larger than the error of a squared distance in double precision
  double whole_z, fraction_z;     // z of the centre, as the sum of an integer and a fraction
  std::int64_t begin[2], end[2];  // the slabs and rows that may meet the ball
  std::size_t rows;               // index of the ball's first row in Workspace::squares
};

// The part of a ball that is in one slab.
struct Reach {
  Placed const* ball;
  std::int64_t begin, end;  // rows that the ball may meet
  double rest;              // squared radius minus the squared x distance
  Double2 exact_rest;
};

// The chord of a ball in a column: half its length, and its middle in two parts. The difference of two middles is then
// exact except for one rounding.
struct Chord {
  double half, whole, fraction;  // the middle of the chord is whole + fraction, relative to the middle of the box
};

struct Run {
  std::int64_t begin, end;
};

// All coordinates as integer multiples of one power of two. Used only if the multiples are below 2^60 after
// multiplication by 2 n.
struct Lattice {
  enum class State { unknown, fits, too_fine } state = State::unknown;
  std::int64_t smallest = 0;
  std::array<std::int64_t, 3> low{};               // `lo`
  std::array<std::size_t, 3> lowest{};             // the ball whose centre - radius is `lo`
  std::vector<std::array<std::int64_t, 4>> balls;  // centre 3, radius
};

// Buffers that are reused for every clump. Allocating once per batch instead of once per clump saves 0.1 us of 1.3 us
// (regime `typical`, method `centres`).
struct Workspace {
  std::vector<Placed> balls;
  std::vector<Placed const*> waiting, slab;
  std::vector<Reach> reaches;
  std::vector<Double2> squares;     // (y - centre)^2 for each row of each ball
  std::vector<std::uint64_t> rows;  // rows of a slab, one bit per cell; all 0 between slabs
  std::vector<Chord> chords;
  std::vector<Run> runs;
  Lattice lattice;
};

// Grows the vector to at least `size` items. Never shrinks it, because new items would be cleared each time.
template <class Item>
Item* at_least(std::vector<Item>& items, std::size_t size) {
  if (items.size() < size) items.resize(size);
  return items.data();
}

struct Grid {
  Clump const& clump;
  Workspace& work;
  int exponent;                 // exponent of the unit of length of `r` and `low`: the largest radius is about 1
  double r;                     // the smallest radius
  std::int64_t twice;           // 2 n
  std::array<Double2, 3> low;   // `lo` relative to the first centre
  std::array<double, 3> cells;  // number of cells along each axis
};

bool in_domain(Clump const& clump) {
  constexpr double largest = std::numeric_limits<double>::max();
  if (!(clump.size > 0 && clump.density > 0 && clump.density <= largest)) return false;
  if (!(clump.cells >= 1 && clump.cells <= 0x1p20 && clump.cells == static_cast<double>(whole(clump.cells))))
    return false;
  if (static_cast<unsigned>(clump.method) >= labels(Method()).size()) return false;
  bool fine = true;
  for (std::size_t i = 0; i < clump.size; ++i) {
    fine &= clump.radius(i) > 0 && clump.radius(i) <= largest;
    for (std::size_t axis = 0; axis < 3; ++axis) fine &= std::abs(clump.centre(axis, i)) <= largest;
  }
  return fine;
}

// Places the balls on the grid. Returns false if the grid is too large.
bool place(Grid& grid) {
  Clump const& clump = grid.clump;
  double smallest = clump.radius(0), largest = smallest;
  for (std::size_t i = 1; i < clump.size; ++i) {
    smallest = std::min(smallest, clump.radius(i));
    largest = std::max(largest, clump.radius(i));
  }
  if (largest / smallest > 0x1p20) return false;
  grid.exponent = exponent(largest);
  // 2^-exponent may not be a double, so it is applied in two factors. Centres that become subnormal are negligible
  // beside the radii.
  double const first = power(-(grid.exponent / 2)), second = power(-(grid.exponent - grid.exponent / 2));
  auto const in_unit = [=](double x) { return x * first * second; };
  double const r = grid.r = in_unit(smallest);
  grid.twice = 2 * whole(clump.cells);
  auto const twice = static_cast<double>(grid.twice);
  Double2 const per_length = quotient({twice}, {r});

  Placed* const balls = at_least(grid.work.balls, clump.size);
  double longest = 0, cells = 1;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    double const origin = in_unit(clump.centre(axis, 0));
    Double2 low{0, 0};
    double high = 0;
    for (std::size_t i = 0; i < clump.size; ++i) {
      Double2 const position = exact_difference(in_unit(clump.centre(axis, i)), origin);
      if (!(std::abs(position.high) < 0x1p40)) return false;
      double const radius = in_unit(clump.radius(i)), end = position.high + radius;
      Double2 const sum = exact_difference(position.high, radius), begin = normalised(sum.high, sum.low + position.low);
      if (i == 0 || begin < low) low = begin;
      high = i == 0 ? end : std::max(high, end);
      balls[i].centre[axis] = position;
    }
    grid.low[axis] = low;
    double const edges = (high - low.high) * (0.5 * per_length.high);
    if (!(edges < static_cast<double>(most_along_an_axis))) return false;
    grid.cells[axis] = edges;
    cells *= edges;
    longest = std::max(longest, edges);
  }
  if (!(cells < most_of_all)) return false;

  std::size_t rows = 0;
  for (std::size_t i = 0; i < clump.size; ++i) {
    Placed& ball = balls[i];
    ball.index = i;
    Double2 const radius = in_unit(clump.radius(i)) * per_length;
    ball.radius = radius.high;
    ball.exact_square = radius * radius;
    ball.square = ball.exact_square.high;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      ball.centre[axis] = (ball.centre[axis] - grid.low[axis]) * per_length;
      if (axis == 2) continue;
      double const middle = ball.centre[axis].high;
      ball.begin[axis] = whole(std::max(0.5 * (middle - ball.radius + 1) - slack, 0.0));
      ball.end[axis] = whole(0.5 * (middle + ball.radius + 1) + slack);
    }
    // A coordinate errs by u times the size of the box, 2 `longest`. Where a coordinate is used, its magnitude is at
    // most one radius. The sum of three squares therefore errs by less than 10 u radius box, plus its own roundings.
    ball.doubt = 0x1p-44 * ball.radius * longest;
    double const z = ball.centre[2].high, whole_z = static_cast<double>(whole(z));
    ball.whole_z = whole_z;
    ball.fraction_z = (z - whole_z) + ball.centre[2].low;
    ball.rows = rows;
    rows += static_cast<std::size_t>(ball.end[1] - ball.begin[1]);
  }
  grid.work.lattice.state = Lattice::State::unknown;
  if (clump.method == Method::columns) {
    // The squares of y are computed once for all slabs.
    Double2* square = at_least(grid.work.squares, rows);
    for (std::size_t i = 0; i < clump.size; ++i)
      for (std::int64_t j = balls[i].begin[1]; j < balls[i].end[1]; ++j) {
        Double2 const y = Double2{odd(j)} - balls[i].centre[1];
        *square++ = y * y;
      }
  }
  return true;
}

}  // namespace
}  // namespace demeter::fast_grid
