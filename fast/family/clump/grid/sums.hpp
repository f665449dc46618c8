// Sums over the cells or columns that the balls cover.
#pragma once

#include "fast/core/double2.hpp"

#include <array>
#include <cstdint>

namespace demeter::fast_grid {
namespace {

using namespace demeter::fast_core;

// Returns three times the sum of the squares of the odd numbers below 2k, exactly. There are k such numbers, and their
// sum is k^2.
constexpr std::int64_t thrice_squares(std::int64_t k) { return k * (4 * k * k - 1); }

constexpr std::int64_t narrow = 63;  // largest number of cells along z whose row fits into one word of bits, with one
                                     // bit to spare
constexpr double most_words = 2048;  // largest number of rows per slab; clearing more words would take longer than
                                     // sorting
constexpr auto thrice_squares_below = [] {
  std::array<std::int64_t, narrow + 1> table{};
  for (std::int64_t k = 0; k <= narrow; ++k) table[static_cast<std::size_t>(k)] = thrice_squares(k);
  return table;
}();

// Sums over cell centres. `Integer` holds the sums over all cells: at most 2^30 cells with coordinates below 2^21. For
// one row 64 bits are enough.
template <class Integer>
struct Count {
  Integer volume = 0;
  Integer first[3] = {0, 0, 0};
  Integer second[6] = {0, 0, 0, 0, 0, 0};  // xx, yy, 3 zz, xy, xz, yz

  // The sums of a slab. They are not yet multiplied by the x of the slab.
  struct Slab {
    Integer count = 0, y = 0, z = 0, yy = 0, thrice_zz = 0, yz = 0;

    void add(std::int64_t j, std::int64_t cells, std::int64_t sum, std::int64_t thrice) {
      std::int64_t const at = 2 * j + 1, y_cells = at * cells;
      count += cells, z += sum, thrice_zz += thrice;
      y += y_cells, yy += static_cast<Integer>(at) * y_cells, yz += static_cast<Integer>(at) * sum;
    }
  };
  void add(std::int64_t i, Slab const& slab) {
    Integer const x = 2 * i + 1, x_count = x * slab.count;
    volume += slab.count;
    first[0] += x_count, first[1] += slab.y, first[2] += slab.z;
    second[0] += x * x_count, second[1] += slab.yy, second[2] += slab.thrice_zz;
    second[3] += x * slab.y, second[4] += x * slab.z, second[5] += slab.yz;
  }
};

// Two doubles, for operations that every x86-64 CPU has. The method `columns` takes a fifth less time than with single
// doubles.
typedef double Pair __attribute__((vector_size(2 * sizeof(double))));

// Two sums in one vector. Each has a separate sum of its rounding errors, as in Double2.
struct PairSum {
  Pair high{0, 0}, low{0, 0};

  void add(Pair x) {
    Pair const sum = high + x, x_seen = sum - high;
    low += (high - (sum - x_seen)) + (x - x_seen);
    high = sum;
  }
  Double2 first() const { return {high[0], low[0]}; }
  Double2 second() const { return {high[1], low[1]}; }
};

void add(Double2& sum, Double2 const& x) {
  sum.add(x.high);
  sum.low += x.low;
}

// Sums over chords. Coordinates are relative to the middle of the box. The moments about the centroid then lose little
// to cancellation. Lengths are in units of h/2, and the z of the middle of a chord is doubled. If balls are far apart,
// the inertia is as large as its scale. The terms that dominate there are summed with their rounding errors.
struct Lengths {
  Double2 volume, first[3], second[3];  // first: x, y, 2 z; second: xx, yy, 4 zz
  double products[3] = {0, 0, 0};       // xy, 2 xz, 2 yz

  struct Slab {
    PairSum first, second;             // sums for y, z and for yy, zz, from the integer coordinates
    PairSum fractions, length_and_yz;  // the remaining sums for z and zz, from the fractions

    // Adds a chord with y = `at` and the middle z = (`whole` + `fraction`) / 2. `whole` is an integer.
    void add_chord(double at, Double2 const& chord, double whole, double fraction) {
      double const x = chord.high, big = 0x1.0000002p27 * x, upper = big - (big - x), lower = x - upper;
      Pair const place{at, whole}, product = place * x;
      first.add(product);
      // Dekker's error of a product. `place` contains integers with few digits, which need not be split.
      first.low += ((place * upper - product) + place * lower) + place * chord.low;
      Pair const square = place * place, far = square * x, wide = 0x1.0000002p27 * square,
                 square_upper = wide - (wide - square), square_lower = square - square_upper;
      second.add(far);
      second.low +=
          (((square_upper * upper - far) + square_upper * lower + square_lower * upper) + square_lower * lower) +
          square * chord.low;
      double const rest = fraction * x;
      fractions.add(Pair{rest, (2 * whole + fraction) * rest + x * x * x * (1.0 / 3)});
      length_and_yz.add(Pair{x, at * (product[1] + rest)});
      length_and_yz.low[0] += chord.low;
    }
  };
  void add_slab(double x, Slab const& slab) {
    Double2 const length = slab.length_and_yz.first(), x_length = x * length, y = slab.first.first();
    Double2 z = slab.first.second(), zz = slab.second.second();
    add(z, slab.fractions.first()), add(zz, slab.fractions.second());
    add(volume, length);
    add(first[0], x_length), add(first[1], y), add(first[2], z);
    add(second[0], x * x_length), add(second[1], slab.second.first()), add(second[2], zz);
    products[0] += x * y.rounded(), products[1] += x * z.rounded(),
        products[2] += slab.length_and_yz.second().rounded();
  }
};

}  // namespace
}  // namespace demeter::fast_grid
