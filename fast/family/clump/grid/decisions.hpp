// Decides exactly whether the centre of a cell is inside a ball.
#pragma once

#include "fast/core/exact_sum.hpp"
#include "fast/family/clump/grid/cells.hpp"

namespace demeter::fast_grid {
namespace {

using namespace demeter::fast_core;

void find_lattice(Grid const& grid) {
  Clump const& clump = grid.clump;
  Lattice& lattice = grid.work.lattice;
  lattice.state = Lattice::State::too_fine;
  int lowest_bit = 2000, highest_bit = -2000;
  auto const number = [&clump](std::size_t k, std::size_t i) { return k < 3 ? clump.centre(k, i) : clump.radius(i); };
  for (std::size_t i = 0; i < clump.size; ++i)
    for (std::size_t k = 0; k < 4; ++k) {
      double const x = std::abs(number(k, i));
      if (x == 0) continue;
      auto const bits = std::bit_cast<std::uint64_t>(x);
      auto const field = static_cast<int>(bits >> 52);
      std::uint64_t const mantissa = (bits & ((std::uint64_t{1} << 52) - 1)) | static_cast<std::uint64_t>(field > 0)
                                                                                   << 52;
      int const place = std::max(field, 1) - 1075;
      lowest_bit = std::min(lowest_bit, place + std::countr_zero(mantissa));
      highest_bit = std::max(highest_bit, place + static_cast<int>(std::bit_width(mantissa)));
    }
  // 2 n (lo - centre) is below 3 * 2^(highest - lowest) * 2 n, and (2k+1) r is at most 2 n radii larger. With this
  // limit both fit into 64 bits.
  if (highest_bit - lowest_bit + static_cast<int>(std::bit_width(static_cast<std::uint64_t>(grid.twice))) > 58) return;
  lattice.balls.resize(clump.size);
  for (std::size_t i = 0; i < clump.size; ++i) {
    auto& ball = lattice.balls[i];
    for (std::size_t k = 0; k < 4; ++k) ball[k] = whole(std::ldexp(number(k, i), -lowest_bit));
    for (std::size_t axis = 0; axis < 3; ++axis)
      lattice.low[axis] = std::min(i == 0 ? ball[axis] - ball[3] : lattice.low[axis], ball[axis] - ball[3]);
    lattice.smallest = i == 0 ? ball[3] : std::min(lattice.smallest, ball[3]);
  }
  lattice.state = Lattice::State::fits;
}

// Returns true if centre - radius of ball i is below that of ball j.
bool begins_before(Clump const& clump, std::size_t axis, std::size_t i, std::size_t j) {
  ExactSum sum;
  sum.add(1, clump.centre(axis, i), 1);
  sum.add(-1, clump.radius(i), 1);
  sum.add(-1, clump.centre(axis, j), 1);
  sum.add(1, clump.radius(j), 1);
  return sum.sign() < 0;
}

// Returns, exactly, the squared distance of a cell centre from the centre of a ball minus the squared radius, times (2
// n)^2. For a column only x and y are used. Along each axis, 2n times the distance is 2n c_j - 2n r_j - 2n c_i + (2k+1)
// r. Here r is the smallest radius, and ball j is the ball that ends at `lo`.
ExactSum exact_sum_of_power(Grid const& grid, Placed const& ball, std::array<std::int64_t, 3> const& k,
                            std::size_t axes) {
  Clump const& clump = grid.clump;
  std::size_t least = 0;
  for (std::size_t i = 1; i < clump.size; ++i)
    if (clump.radius(i) < clump.radius(least)) least = i;
  ExactSum sum;
  for (std::size_t axis = 0; axis < axes; ++axis) {
    std::size_t j = 0;
    for (std::size_t i = 1; i < clump.size; ++i) {
      // The lower end of ball b from `lo`, in units of h/2. If two ends differ by at most the slack, they are compared
      // exactly.
      auto const begin = [&](std::size_t b) {
        return grid.work.balls[b].centre[axis].high - grid.work.balls[b].radius;
      };
      double const off = begin(i) - begin(j);
      if (std::abs(off) > slack ? off < 0 : begins_before(clump, axis, i, j)) j = i;
    }
    struct Term {
      std::int64_t multiple;
      double value;
    };
    std::array<Term, 4> terms{{{grid.twice, clump.centre(axis, j)},
                               {-grid.twice, clump.radius(j)},
                               {-grid.twice, clump.centre(axis, ball.index)},
                               {2 * k[axis] + 1, clump.radius(least)}}};
    if (j == ball.index) terms[0].multiple = terms[2].multiple = 0;
    for (std::size_t a = 0; a < 4; ++a) {
      sum.add(terms[a].multiple * terms[a].multiple, terms[a].value, terms[a].value);
      for (std::size_t b = a + 1; b < 4; ++b)
        sum.add(2 * terms[a].multiple * terms[b].multiple, terms[a].value, terms[b].value);
    }
  }
  sum.add(-grid.twice * grid.twice, clump.radius(ball.index), clump.radius(ball.index));
  return sum;
}

// Returns the result of exact_sum_of_power() in units of (h/2)^2, with an error of about u and an exact sign. Uses two
// doubles where they suffice, integers if all numbers are on one lattice, and the exact sum otherwise. With the exact
// sum alone, a clump with a cell centre on or next to a sphere takes 22 us instead of 4. Without the integers, it takes
// 21 us for a cell centre on a sphere and 7 us for one next to a sphere.
double exact_power(Grid const& grid, Placed const& ball, std::array<std::int64_t, 3> const& k, std::size_t axes) {
  Double2 power = -ball.exact_square;
  for (std::size_t axis = 0; axis < axes; ++axis) {
    Double2 const x = Double2{odd(k[axis])} - ball.centre[axis];
    power += x * x;
  }
  // The error of the power is about 2^-100 times radius times box, because it is computed in two doubles.
  if (std::abs(power.high) > 0x1p-35 * ball.doubt) return power.high;
  Lattice& lattice = grid.work.lattice;
  if (lattice.state == Lattice::State::unknown) find_lattice(grid);
  if (lattice.state == Lattice::State::fits) {
    auto const& place = lattice.balls[ball.index];
    auto const square = [](std::int64_t x) { return static_cast<Integer128>(x) * x; };
    Integer128 sum = -square(grid.twice * place[3]);
    for (std::size_t axis = 0; axis < axes; ++axis)
      sum += square(grid.twice * (lattice.low[axis] - place[axis]) + (2 * k[axis] + 1) * lattice.smallest);
    auto const unit = static_cast<double>(lattice.smallest);
    return as_double(sum) / (unit * unit);
  }
  ExactSum const sum = exact_sum_of_power(grid, ball, k, axes);
  double const size = std::abs(sum.value(-2 * grid.exponent) / (grid.r * grid.r));
  return sum.sign() * std::max(size, 0x1p-1000);  // products of subnormal numbers may underflow to 0, but the sign must
                                                  // be kept
}

}  // namespace
}  // namespace demeter::fast_grid
