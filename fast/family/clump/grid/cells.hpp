// A clump on a grid of cells. Lengths are in units of h/2 = r / (2 n), from lo: the centres of cells are the odd
// numbers 1, 3, 5, ...
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

// The nearest double: of 128 bits the conversion is a call.
double as_double(Integer128 x) {
  auto const low = static_cast<std::int64_t>(x);
  return low == x ? static_cast<double>(low) : static_cast<double>(x);
}

// To within 2^-106 of itself.
Double2 as_double2(Integer128 x) {
  auto const low = static_cast<std::int64_t>(x);
  if (low == x && std::abs(low) < std::int64_t{1} << 53) return {static_cast<double>(low)};
  auto const high = static_cast<double>(x);
  return {high, static_cast<double>(x - static_cast<Integer128>(high))};
}

// 2^e for |e| <= 1022, without std::ldexp.
double power(int e) { return std::bit_cast<double>(static_cast<std::uint64_t>(1023 + e) << 52); }

// x 2^e; one exact factor where there is one.
double scaled(double x, int e) { return e >= -1022 && e <= 1022 ? x * power(e) : std::ldexp(x, e); }

// The exponent e with x in [2^e, 2^(e+1)), x > 0.
int exponent(double x) {
  auto const field = static_cast<int>(std::bit_cast<std::uint64_t>(x) >> 52);
  return field > 0 ? field - 1023 : std::ilogb(x);
}

double odd(std::int64_t k) { return static_cast<double>(2 * k + 1); }

// Truncated: std::floor is a call where the compiler may not use SSE4.1.
std::int64_t whole(double x) { return static_cast<std::int64_t>(x); }

// One clump: where its balls' columns begin, how many balls, and how many doubles apart they are.
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

// More than a coordinate is off, where rows are left out that no centre of is inside.
constexpr double slack = 0x1p-20;

// A ball on the grid.
struct Placed {
  std::size_t index;
  std::array<Double2, 3> centre;
  double radius, square;
  Double2 exact_square;           // of the radius
  double doubt;                   // more than a squared distance can be off in double
  double whole_z, fraction_z;     // of the centre, the first an integer
  std::int64_t begin[2], end[2];  // the slabs and rows that may meet it
  std::size_t rows;               // where its own begin in Workspace::squares
};

// A ball in a slab.
struct Reach {
  Placed const* ball;
  std::int64_t begin, end;  // rows
  double rest;              // the squared radius less what x makes of the distance
  Double2 exact_rest;
};

// The chord of a ball in a column, of which both ends follow: differences of middles are exact but for one rounding.
struct Chord {
  double half, whole, fraction;  // middle = whole + fraction, from the middle of the box
};

struct Run {
  std::int64_t begin, end;
};

// All coordinates as multiples of one power of two, where they are below 2^60 of it when multiplied by 2 n.
struct Lattice {
  enum class State { unknown, fits, too_fine } state = State::unknown;
  std::int64_t smallest = 0;
  std::array<std::int64_t, 3> low{};               // lo
  std::array<std::size_t, 3> lowest{};             // the ball whose centre - radius is lo
  std::vector<std::array<std::int64_t, 4>> balls;  // centre 3, radius
};

// Kept from clump to clump: memory asked for once a batch, not once a clump, saves 0.1 us of 1.3 with typical centres.
struct Workspace {
  std::vector<Placed> balls;
  std::vector<Placed const*> waiting, slab;
  std::vector<Reach> reaches;
  std::vector<Double2> squares;     // of y - centre, for each row of each ball
  std::vector<std::uint64_t> rows;  // of a slab: a bit a cell; all 0 between slabs
  std::vector<Chord> chords;
  std::vector<Run> runs;
  Lattice lattice;
};

// Only ever grown: new items would be cleared each time.
template <class Item>
Item* at_least(std::vector<Item>& items, std::size_t size) {
  if (items.size() < size) items.resize(size);
  return items.data();
}

struct Grid {
  Clump const& clump;
  Workspace& work;
  int exponent;                 // of the unit of length of `r` and `low`: the largest radius is about 1
  double r;                     // the smallest radius
  std::int64_t twice;           // 2 n
  std::array<Double2, 3> low;   // lo from the first centre
  std::array<double, 3> cells;  // along each axis
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

// False if the grid is too large.
bool place(Grid& grid) {
  Clump const& clump = grid.clump;
  double smallest = clump.radius(0), largest = smallest;
  for (std::size_t i = 1; i < clump.size; ++i) {
    smallest = std::min(smallest, clump.radius(i));
    largest = std::max(largest, clump.radius(i));
  }
  if (largest / smallest > 0x1p20) return false;
  grid.exponent = exponent(largest);
  // 2^-exponent may be no double: in two factors. Centres that get subnormal are nothing beside the radii.
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
    // A coordinate errs by u of the box, and is a radius at most where it is looked at: the sum of three squares by
    // less than 10 u radius box, and its own roundings. The box is 2 `longest`.
    ball.doubt = 0x1p-44 * ball.radius * longest;
    double const z = ball.centre[2].high, whole_z = static_cast<double>(whole(z));
    ball.whole_z = whole_z;
    ball.fraction_z = (z - whole_z) + ball.centre[2].low;
    ball.rows = rows;
    rows += static_cast<std::size_t>(ball.end[1] - ball.begin[1]);
  }
  grid.work.lattice.state = Lattice::State::unknown;
  if (clump.method == Method::columns) {
    // Once for all slabs.
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
