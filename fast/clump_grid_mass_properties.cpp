// Lengths are in units of h/2 = r / (2 n), from lo: the centres of cells are the odd numbers 1, 3, 5, ... Slabs of
// equal x are gone through in order, and in each the rows, or columns, that each ball meets: the cost is that of the
// surface.
#include "fast/clump_grid_mass_properties.hpp"

#include "fast/core/double2.hpp"
#include "fast/core/exact_sum.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <new>
#include <type_traits>
#include <vector>

namespace demeter::clump_grid_mass_properties::fast {
namespace {

using namespace demeter::fast_core;

__extension__ typedef __int128 Integer128;

// ---------------------------------------------------------------------------------------------------------- numbers

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

// ------------------------------------------------------------------------------------------------------------ clumps

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

// -------------------------------------------------------------------------------------------------- exact decisions

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
  // 2 n (lo - centre) < 3 2^(highest - lowest) 2 n, and (2k+1) r is less than that and 2 n radii more.
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

// Whether centre - radius of ball i is below that of ball j.
bool begins_before(Clump const& clump, std::size_t axis, std::size_t i, std::size_t j) {
  ExactSum sum;
  sum.add(1, clump.centre(axis, i), 1);
  sum.add(-1, clump.radius(i), 1);
  sum.add(-1, clump.centre(axis, j), 1);
  sum.add(1, clump.radius(j), 1);
  return sum.sign() < 0;
}

// The squared distance of a centre (or of a column, of which only x and y count) from a ball's centre less the squared
// radius, times (2 n)^2, exactly: along each axis (2n c_j - 2n r_j - 2n c_i + (2k+1) r)^2, where ball j is at lo.
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
      // From lo, in units of h/2; what is left is as good as equal.
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

// The same in units of (h/2)^2, within u or so, the sign exactly: in two doubles where they suffice, in integers where
// all numbers are on one grid, by the exact sum otherwise. With the last alone a clump with a centre on or next to a
// sphere takes 22 us instead of 4; without the integers 21 on it, and 7 next to it.
double exact_power(Grid const& grid, Placed const& ball, std::array<std::int64_t, 3> const& k, std::size_t axes) {
  Double2 power = -ball.exact_square;
  for (std::size_t axis = 0; axis < axes; ++axis) {
    Double2 const x = Double2{odd(k[axis])} - ball.centre[axis];
    power += x * x;
  }
  // Two doubles lose some 2^-100 of radius times box.
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
  return sum.sign() * std::max(size, 0x1p-1000);  // of a subnormal number's product nothing else may be left
}

// -------------------------------------------------------------------------------------------------------------- runs

// The centres of row (i, j) inside one ball, from nearly right ends, each of which is decided exactly.
__attribute__((noinline)) Run decided_run(Grid const& grid, Placed const& ball, double rest, std::int64_t i,
                                          std::int64_t j) {
  double const half = std::sqrt(std::max(rest, 0.0)), middle = ball.centre[2].high;
  auto const inside = [&](std::int64_t k) {
    double const z = odd(k) - middle, power = z * z - rest;
    if (std::abs(power) > ball.doubt) return power < 0;
    return exact_power(grid, ball, {i, j, k}, 3) < 0;
  };
  std::int64_t begin = whole(0.5 * (middle - half + 1)), end = whole(0.5 * (middle + half + 1));
  while (inside(begin - 1)) --begin;
  while (begin <= end && !inside(begin)) ++begin;
  if (begin > end) return {0, 0};
  end = std::max(end, begin + 1);
  while (inside(end)) ++end;
  while (!inside(end - 1)) --end;
  return {begin, end};
}

// The same from the roots alone where no centre is so near that rounding could have put it on the other side. With g
// the distance of the nearer root from an odd number, of which none is nearer to the other root, z has the power
// |z - low| |z - high| >= g half, as one of both is at least half the chord.
inline Run run_of_centres(Grid const& grid, Placed const& ball, double rest, std::int64_t i, std::int64_t j) {
  if (!(rest > 0)) {
    if (rest < -ball.doubt) return {0, 0};
    return decided_run(grid, ball, rest, i, j);
  }
  double const half = std::sqrt(rest), middle = 0.5 * (ball.centre[2].high + 1);
  double const below = middle - 0.5 * half, above = middle + 0.5 * half;  // an odd number 2k+1 is at k+1
  std::int64_t const begin = whole(below), end = whole(above);
  double const b = below - static_cast<double>(begin), e = above - static_cast<double>(end);
  double const gap = std::min(std::min(b, e), 1 - std::max(b, e));
  if (2 * gap * half > ball.doubt) return {begin, end};
  return decided_run(grid, ball, rest, i, j);
}

// The chord of column (i, j) in one ball.
inline bool chord(Grid const& grid, Reach const& reach, std::int64_t i, std::int64_t j, double middle, Chord& result) {
  Placed const& ball = *reach.ball;
  Double2 const square = grid.work.squares[ball.rows + static_cast<std::size_t>(j - ball.begin[1])];
  Double2 const difference = exact_difference(reach.exact_rest.high, square.high);
  double rest = difference.high + (difference.low + (reach.exact_rest.low - square.low));
  if (std::abs(rest) < 0x1p-35 * ball.doubt) rest = -exact_power(grid, ball, {i, j, 0}, 2);
  if (!(rest > 0)) return false;
  result = {std::sqrt(rest), ball.whole_z - middle, ball.fraction_z};
  return true;
}

// The middle of b less that of a.
double apart(Chord const& a, Chord const& b) { return (b.whole - a.whole) + (b.fraction - a.fraction); }
bool begins_earlier(Chord const& a, Chord const& b) { return apart(a, b) - (b.half - a.half) > 0; }
bool begins_earlier(Run const& a, Run const& b) { return a.begin < b.begin; }
bool begins_earlier(Reach const& a, Reach const& b) { return a.begin < b.begin; }
bool begins_earlier(Placed const* a, Placed const* b) { return a->begin[0] < b->begin[0]; }

// By insertion where there are few, as nearly always.
template <class Item>
void sort_by_begin(Item* items, std::size_t size) {
  if (size > 16) {
    std::sort(items, items + size, [](Item const& a, Item const& b) { return begins_earlier(a, b); });
    return;
  }
  for (std::size_t k = 1; k < size; ++k) {
    Item const item = items[k];
    std::size_t at = k;
    for (; at > 0 && begins_earlier(item, items[at - 1]); --at) items[at] = items[at - 1];
    items[at] = item;
  }
}

// ---------------------------------------------------------------------------------------------------------------- sums

// Sums over centres: all exact. Of the odd numbers below 2k there are k, they sum to k^2 and their squares to a third
// of this.
constexpr std::int64_t thrice_squares(std::int64_t k) { return k * (4 * k * k - 1); }

constexpr std::int64_t narrow = 63;  // cells along z that fit a word, with one bit to spare
constexpr double most_words = 2048;  // rows of a slab: to clear more would cost more than sorting
constexpr auto thrice_squares_below = [] {
  std::array<std::int64_t, narrow + 1> table{};
  for (std::int64_t k = 0; k <= narrow; ++k) table[static_cast<std::size_t>(k)] = thrice_squares(k);
  return table;
}();

// Integer holds the sums of all cells: at most 2^30, of coordinates below 2^21. Of a row, 64 bits do.
template <class Integer>
struct Count {
  Integer volume = 0;
  Integer first[3] = {0, 0, 0};
  Integer second[6] = {0, 0, 0, 0, 0, 0};  // that of z thrice

  // Of a slab, without what x multiplies.
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

// Two doubles at once, which every x86-64 can: a clump's columns take a fifth less time than with one.
typedef double Pair __attribute__((vector_size(2 * sizeof(double))));

// As Double2, but what is added need not be the larger part.
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

// The same over chords, from the middle of the box, so that little cancels: lengths in h/2, twice the z of middles.
// What makes moments of balls far apart is summed with its rounding errors: there the inertia is all of its scale.
struct Lengths {
  Double2 volume, first[3], second[3];  // z twice, zz 4 times
  double products[3] = {0, 0, 0};       // xy, and xz and yz twice

  struct Slab {
    PairSum first, second;             // of y and z, yy and zz: products with integers
    PairSum fractions, length_and_yz;  // what else there is of z and zz

    // The middle is half of 2 `whole` + `fraction`, the first an integer.
    void add_chord(double at, Double2 const& chord, double whole, double fraction) {
      double const x = chord.high, big = 0x1.0000002p27 * x, upper = big - (big - x), lower = x - upper;
      Pair const place{at, whole}, product = place * x;
      first.add(product);
      // Dekker's error of a product; of the integer's digits no half is needed.
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

// --------------------------------------------------------------------------------------------------------------- sweep

// Calls visit(i, reaches, how many) for every slab that balls meet.
template <bool exact, class Visit>
void for_each_slab(Grid const& grid, Visit const& visit) {
  Workspace& work = grid.work;
  std::size_t const size = grid.clump.size;
  Placed const** const waiting = at_least(work.waiting, size);
  Placed const** const slab = at_least(work.slab, size);
  Reach* const reaches = at_least(work.reaches, size);
  for (std::size_t i = 0; i < size; ++i) waiting[i] = &work.balls[i];
  sort_by_begin(waiting, size);
  std::size_t next = 0, active = 0;
  for (std::int64_t i = 0; next < size || active > 0; ++i) {
    if (active == 0) i = std::max(i, waiting[next]->begin[0]);
    while (next < size && waiting[next]->begin[0] <= i) slab[active++] = waiting[next++];
    std::size_t kept = 0, count = 0;
    for (std::size_t a = 0; a < active; ++a) {
      Placed const* ball = slab[a];
      if (ball->end[0] <= i) continue;
      slab[kept++] = ball;
      Reach& reach = reaches[count];
      reach.ball = ball;
      if constexpr (exact) {
        Double2 const x = Double2{odd(i)} - ball->centre[0];
        reach.exact_rest = ball->exact_square - x * x;
        reach.rest = reach.exact_rest.high;
      } else {
        double const x = odd(i) - ball->centre[0].high;
        reach.rest = ball->square - x * x;
      }
      if (!(reach.rest > -ball->doubt)) continue;
      double const y = ball->centre[1].high, half = std::sqrt(reach.rest + ball->doubt);
      reach.begin = std::max(whole(std::max(0.5 * (y - half + 1) - slack, 0.0)), ball->begin[1]);
      reach.end = std::min(whole(0.5 * (y + half + 1) + slack), ball->end[1]);
      if (reach.begin < reach.end) ++count;
    }
    active = kept;
    if (count > 0) visit(i, reaches, count);
  }
}

// Calls visit(j, reaches, how many) for every row of a slab that balls meet.
template <class Visit>
void for_each_row(Reach* reaches, std::size_t size, Visit const& visit) {
  sort_by_begin(reaches, size);
  std::size_t first = 0, last = 0;
  for (std::int64_t j = 0; last < size || first < last; ++j) {
    if (first == last) j = std::max(j, reaches[last].begin);
    while (last < size && reaches[last].begin <= j) ++last;
    for (std::size_t k = first; k < last; ++k)
      if (reaches[k].end <= j) reaches[k] = reaches[first++];
    visit(j, reaches + first, last - first);
  }
}

// Rows of at most 63 cells, of which a word holds the covered ones: ball by ball, so that the rows of each overlap in
// the processor, and then each row once. Sorting runs instead takes a fifth longer with typical centres.
void count_narrow(Grid const& grid, Count<std::int64_t>& sums) {
  std::uint64_t* const row = at_least(grid.work.rows, static_cast<std::size_t>(whole(grid.cells[1])) + 2);
  for_each_slab<false>(grid, [&](std::int64_t i, Reach const* reaches, std::size_t size) {
    for (std::size_t b = 0; b < size; ++b) {
      Placed const& ball = *reaches[b].ball;
      for (std::int64_t j = reaches[b].begin; j < reaches[b].end; ++j) {
        double const y = odd(j) - ball.centre[1].high;
        Run const run = run_of_centres(grid, ball, reaches[b].rest - y * y, i, j);
        row[j] |= (std::uint64_t{1} << run.end) - (std::uint64_t{1} << run.begin);
      }
    }
    Count<std::int64_t>::Slab slab;
    for (std::size_t b = 0; b < size; ++b)
      for (std::int64_t j = reaches[b].begin; j < reaches[b].end; ++j) {
        std::uint64_t left = row[j];
        row[j] = 0;
        while (left != 0) {
          auto const begin = std::countr_zero(left);
          std::uint64_t const filled = left + (std::uint64_t{1} << begin);
          auto const end = std::countr_zero(filled);
          left &= filled;
          slab.add(j, end - begin, end * end - begin * begin,
                   thrice_squares_below[static_cast<std::size_t>(end)] -
                       thrice_squares_below[static_cast<std::size_t>(begin)]);
        }
      }
    sums.add(i, slab);
  });
}

template <class Integer>
void count_wide(Grid const& grid, Count<Integer>& sums) {
  Run* const runs = at_least(grid.work.runs, grid.clump.size);
  for_each_slab<false>(grid, [&](std::int64_t i, Reach* reaches, std::size_t size) {
    typename Count<Integer>::Slab slab;
    for_each_row(reaches, size, [&](std::int64_t j, Reach const* met, std::size_t count) {
      std::size_t found = 0;
      for (std::size_t b = 0; b < count; ++b) {
        double const y = odd(j) - met[b].ball->centre[1].high;
        runs[found] = run_of_centres(grid, *met[b].ball, met[b].rest - y * y, i, j);
        if (runs[found].begin < runs[found].end) ++found;
      }
      if (found > 1) sort_by_begin(runs, found);
      for (std::size_t k = 0; k < found;) {
        Run covered = runs[k];
        for (++k; k < found && runs[k].begin <= covered.end; ++k) covered.end = std::max(covered.end, runs[k].end);
        slab.add(j, covered.end - covered.begin, covered.end * covered.end - covered.begin * covered.begin,
                 thrice_squares(covered.end) - thrice_squares(covered.begin));
      }
    });
    sums.add(i, slab);
  });
}

void measure(Grid const& grid, std::array<double, 3> const& middle, Lengths& sums) {
  Chord* const chords = at_least(grid.work.chords, grid.clump.size);
  for_each_slab<true>(grid, [&](std::int64_t i, Reach* reaches, std::size_t size) {
    Lengths::Slab slab;
    for_each_row(reaches, size, [&](std::int64_t j, Reach const* met, std::size_t count) {
      std::size_t found = 0;
      for (std::size_t b = 0; b < count; ++b)
        if (chord(grid, met[b], i, j, middle[2], chords[found])) ++found;
      if (found > 1) sort_by_begin(chords, found);
      double const y = odd(j) - middle[1];
      for (std::size_t k = 0; k < found;) {
        Chord const &low = chords[k], *high = &low;
        for (++k; k < found && apart(*high, chords[k]) - (chords[k].half + high->half) < 0; ++k)
          if (apart(*high, chords[k]) + (chords[k].half - high->half) > 0) high = &chords[k];
        // From differences, since the ends have rounded coordinates: a chord of 1 may be 600 away from the next.
        Double2 const halves = exact_sum(low.half, high->half), length = exact_sum(apart(low, *high), halves.high);
        slab.add_chord(y, {length.high, length.low + halves.low}, low.whole + high->whole,
                       (low.fraction + high->fraction) + (high->half - low.half));
      }
    });
    sums.add_slab(odd(i) - middle[0], slab);
  });
}

// ------------------------------------------------------------------------------------------------------------- results

constexpr std::size_t places[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};

// Volume in cells, mean in h/2 from lo, and inertia about the mean in cells times (h/2)^2.
struct Sampled {
  Double2 volume;
  std::array<Double2, 3> mean;
  std::array<Double2, 6> inertia;
};

template <class Integer>
Sampled about_the_mean(Count<Integer> const& sums, bool own_moments) {
  Sampled result;
  auto const volume = static_cast<std::int64_t>(sums.volume);
  double const count = static_cast<double>(volume), divisor = 3 * count;
  result.volume = {count};
  for (std::size_t i = 0; i < 3; ++i) {
    auto const sum = static_cast<std::int64_t>(sums.first[i]);  // below 2^51
    result.mean[i] = exact_sum(static_cast<double>(sum / volume), static_cast<double>(sum % volume) / count);
  }
  Integer128 central[6];  // thrice, times the volume: below 2^104
  for (std::size_t k = 0; k < 6; ++k) {
    std::int64_t const other_times = k == 2 ? 1 : 3;
    central[k] = static_cast<Integer128>(volume * other_times) * sums.second[k] -
                 static_cast<Integer128>(3 * sums.first[places[k][0]]) * sums.first[places[k][1]];
  }
  Integer128 const own = own_moments ? static_cast<Integer128>(volume) * volume * 2 : 0;
  for (std::size_t k = 0; k < 6; ++k)
    result.inertia[k] =
        quotient(as_double2(k < 3 ? central[(k + 1) % 3] + central[(k + 2) % 3] + own : -central[k]), {divisor});
  return result;
}
Sampled about_the_mean(Lengths const& sums, std::array<double, 3> const& middle) {
  constexpr double unit[3] = {1, 1, 0.5};
  Sampled result;
  Double2 const length = normalised(sums.volume.high, sums.volume.low);
  result.volume = 0.5 * length;
  Double2 first[3], from_middle[3], central[3];
  for (std::size_t i = 0; i < 3; ++i) {
    first[i] = normalised(unit[i] * sums.first[i].high, unit[i] * sums.first[i].low);
    from_middle[i] = quotient(first[i], length);
    result.mean[i] = Double2{middle[i]} + from_middle[i];
    double const square = unit[i] * unit[i];
    central[i] = Double2{square * sums.second[i].high, square * sums.second[i].low} - from_middle[i] * first[i];
  }
  for (std::size_t k = 0; k < 3; ++k) {
    auto const [a, b] = places[3 + k];
    double const product = unit[a] * unit[b] * sums.products[k] - from_middle[a].high * first[b].high;
    Double2 const moment = central[(k + 1) % 3] + central[(k + 2) % 3];
    result.inertia[k] = {0.5 * moment.high, 0.5 * moment.low};
    result.inertia[3 + k] = {-0.5 * product};
  }
  return result;
}

Sampled sampled(Grid const& grid) {
  if (grid.clump.method == Method::columns) {
    // Of the box, in whole cells: what is subtracted of odd numbers leaves them exact.
    std::array<double, 3> middle;
    for (std::size_t i = 0; i < 3; ++i) middle[i] = static_cast<double>(whole(grid.cells[i]));
    Lengths sums;
    measure(grid, middle, sums);
    return about_the_mean(sums, middle);
  }
  bool const own_moments = grid.clump.method == Method::centres_with_self_inertia;
  auto const longest = static_cast<double>(*std::max_element(grid.cells.begin(), grid.cells.end())) + 2;
  double cells = 1;
  for (double const along : grid.cells) cells *= along + 2;
  // Three times the squares of all coordinates, below 2 `longest`.
  if (cells * longest * longest < 0x1p58) {
    Count<std::int64_t> sums;
    if (grid.cells[2] < narrow - 1 && grid.cells[1] < most_words)
      count_narrow(grid, sums);
    else
      count_wide(grid, sums);
    return about_the_mean(sums, own_moments);
  }
  Count<Integer128> sums;
  count_wide(grid, sums);
  return about_the_mean(sums, own_moments);
}

void properties(Clump const& clump, Workspace& work, Result& result) {
  result.fill(std::numeric_limits<double>::quiet_NaN());
  if (!in_domain(clump)) return;
  Grid grid{clump, work, 0, 0, 0, {}, {}};
  if (!place(grid)) return;
  Sampled const sums = sampled(grid);

  // Lengths in the grid's unit, the density as one to two: nothing over- or underflows before the last step.
  int const density_exponent = exponent(clump.density), e = grid.exponent;
  double const density = scaled(clump.density, -density_exponent);
  Double2 const h = quotient({grid.r}, {clump.cells}), square = h * h, cell = square * h;
  Double2 const volume = sums.volume * cell, unit = density * (0.25 * (square * cell));
  result[0] = scaled(volume.rounded(), 3 * e);
  result[1] = scaled((density * volume).rounded(), 3 * e + density_exponent);
  for (std::size_t i = 0; i < 3; ++i) {
    Double2 const from_first = grid.low[i] + 0.5 * (h * sums.mean[i]);
    Double2 const sum = exact_sum(clump.centre(i, 0), scaled(from_first.high, e));
    result[2 + i] = sum.high + (sum.low + scaled(from_first.low, e));
  }
  for (std::size_t k = 0; k < 6; ++k)
    result[5 + k] = scaled((unit * sums.inertia[k]).rounded(), 5 * e + density_exponent) + 0.0;  // no -0
}

void properties_or_nothing(Clump const& clump, Workspace& work, Result& result) noexcept {
  try {
    properties(clump, work, result);
  } catch (std::bad_alloc const&) {
    result.fill(std::numeric_limits<double>::quiet_NaN());
  }
}

}  // namespace

Output<double> evaluate(Input<double> const& in) noexcept {
  static_assert(sizeof(Ball<double>) % sizeof(double) == 0);
  Clump clump{in.density, in.cells, in.method, {}, 0, in.balls.size(), sizeof(Ball<double>) / sizeof(double)};
  if (!in.balls.empty()) {
    for (std::size_t axis = 0; axis < 3; ++axis) clump.columns[axis] = in.balls.front().centre.data() + axis;
    clump.columns[3] = &in.balls.front().radius;
  }
  Workspace work;
  Result r;
  properties_or_nothing(clump, work, r);
  Output<double> out;
  out.volume = r[0];
  out.mass = r[1];
  out.centroid = {r[2], r[3], r[4]};
  out.inertia = {r[5], r[6], r[7], r[8], r[9], r[10]};
  return out;
}

void evaluate(demeter::Level, std::size_t n, double const* const in[], double* const out[]) noexcept {
  Clump clump{0, 0, Method::centres, {in[4], in[5], in[6], in[7]}, 0, 0, 1};
  Workspace work;
  Result result;
  for (std::size_t row = 0; row < n; ++row) {
    clump.density = in[0][row];
    clump.cells = in[1][row];
    double const method = in[2][row];
    clump.method = static_cast<Method>(method >= 0 && method < 3 ? static_cast<int>(method) : 3);
    clump.first = static_cast<std::size_t>(in[3][row]);
    clump.size = static_cast<std::size_t>(in[3][row + 1]) - clump.first;
    properties_or_nothing(clump, work, result);
    for (std::size_t k = 0; k < result.size(); ++k)
      if (out[k] != nullptr) out[k][row] = result[k];
  }
}

}  // namespace demeter::clump_grid_mass_properties::fast
