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
#include <vector>

namespace demeter::clump_grid_mass_properties::fast {
namespace {

using namespace demeter::fast_core;

__extension__ typedef __int128 Integer128;

// ---------------------------------------------------------------------------------------------------------- numbers

// A 128-bit integer to within 2^-106 of itself.
Double2 as_double2(Integer128 x) {
  auto const high = static_cast<double>(x);
  return {high, static_cast<double>(x - static_cast<Integer128>(high))};
}

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

// A ball on the grid: lengths from its centre, times 2 n, in units of 2^exponent, where the largest radius is about 1.
struct Placed {
  std::size_t index;
  std::array<Double2, 3> low;              // 2 n (lo - centre)
  Double2 middle;                          // z of the centre from lo, in units of h/2
  Double2 exact_square;                    // of 2 n radius
  double radius, square;                   // 2 n radius, and its square
  double doubt;                            // more than a squared distance can be off in double
  std::array<std::int64_t, 3> begin, end;  // the rows that may meet it
};

struct Grid {
  Clump clump;
  int exponent;                       // of the unit of length
  double smallest;                    // radius
  double r;                           // the same in that unit
  std::int64_t twice;                 // 2 n
  std::array<std::size_t, 3> lowest;  // the ball whose centre - radius is lo
  std::array<Double2, 3> low;         // lo from the first centre
  std::vector<Placed> balls;
};

bool in_domain(Clump const& clump) {
  constexpr double largest = std::numeric_limits<double>::max();
  bool fine = clump.size > 0 && clump.density > 0 && clump.density <= largest;
  fine = fine && clump.cells >= 1 && clump.cells <= 0x1p20 && clump.cells == std::floor(clump.cells);
  fine = fine && static_cast<unsigned>(clump.method) < labels(Method()).size();
  for (std::size_t i = 0; fine && i < clump.size; ++i) {
    fine = clump.radius(i) > 0 && clump.radius(i) <= largest;
    for (std::size_t axis = 0; axis < 3; ++axis) fine = fine && std::abs(clump.centre(axis, i)) <= largest;
  }
  return fine;
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

// False if the grid is too large.
bool place(Grid& grid) {
  Clump const& clump = grid.clump;
  double smallest = clump.radius(0), largest = smallest;
  for (std::size_t i = 1; i < clump.size; ++i) {
    smallest = std::min(smallest, clump.radius(i));
    largest = std::max(largest, clump.radius(i));
  }
  if (largest / smallest > 0x1p20) return false;
  grid.exponent = std::ilogb(largest);
  auto const scaled = [&](double x) { return std::ldexp(x, -grid.exponent); };
  grid.smallest = smallest;
  grid.r = scaled(smallest);
  grid.twice = 2 * static_cast<std::int64_t>(clump.cells);
  auto const twice = static_cast<double>(grid.twice);

  grid.balls.resize(clump.size);
  double longest = 0, cells = 1;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    // Positions from the first centre, 2 n times of which is kept in `low` for now.
    Double2 low{0, 0}, high{0, 0};
    std::size_t lowest = 0;
    for (std::size_t i = 0; i < clump.size; ++i) {
      Double2 const from_first = exact_sum(clump.centre(axis, i), -clump.centre(axis, 0));
      Double2 const position{scaled(from_first.high), scaled(from_first.low)}, radius{scaled(clump.radius(i))};
      if (!(std::abs(position.high) < 0x1p40)) return false;
      Double2 const begin = position - radius, end = position + radius;
      if (i > 0) {
        double const off = (begin - low).high;
        // As good as equal: what is left decides which of the two is exactly lo.
        bool const before =
            std::abs(off) > 0x1p-90 * (std::abs(begin.high) + 4) ? off < 0 : begins_before(clump, axis, i, lowest);
        if (before) lowest = i;
        if (before) low = begin;
        if (high < end) high = end;
      } else {
        low = begin, high = end;
      }
      grid.balls[i].low[axis] = position;
    }
    grid.lowest[axis] = lowest;
    grid.low[axis] = low;
    double const extent = (high - low).high, edges = extent / grid.r * clump.cells;
    if (!(edges < static_cast<double>(most_along_an_axis))) return false;
    cells *= edges;
    longest = std::max(longest, extent);
    for (auto& ball : grid.balls) ball.low[axis] = twice * (low - ball.low[axis]);
  }
  if (!(cells < most_of_all)) return false;

  for (std::size_t i = 0; i < clump.size; ++i) {
    Placed& ball = grid.balls[i];
    ball.index = i;
    Double2 const radius = exact_product(twice, scaled(clump.radius(i)));
    ball.exact_square = radius * radius;
    ball.radius = radius.high;
    ball.square = ball.exact_square.high;
    ball.middle = -ball.low[2] / Double2{grid.r};
    // A difference of coordinates errs by 3 u of 2 n times the box, and is at most 3 radii where it is looked at: the
    // sum of three squares by less than 3 * 2 * 3 * 3 u radius box and its own roundings, 30 u radius^2.
    ball.doubt = 0x1p-45 * ball.radius * (twice * longest);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      // -radius < low + (2k+1) r < radius, a row more on both sides.
      double const first = ((-ball.radius - ball.low[axis].high) / grid.r - 1) / 2;
      double const last = ((ball.radius - ball.low[axis].high) / grid.r - 1) / 2;
      ball.begin[axis] = std::max(static_cast<std::int64_t>(std::floor(first)) - 1, std::int64_t{0});
      ball.end[axis] = static_cast<std::int64_t>(std::ceil(last)) + 2;
    }
  }
  return true;
}

// The squared distance of a centre (or of a column, of which only x and y count) from a ball's centre less the squared
// radius, times (2 n)^2, exactly: along each axis (2n c_j - 2n r_j - 2n c_i + (2k+1) r)^2, where ball j is at lo.
ExactSum exact_power(Grid const& grid, Placed const& ball, std::array<std::int64_t, 3> const& k, std::size_t axes) {
  Clump const& clump = grid.clump;
  ExactSum sum;
  for (std::size_t axis = 0; axis < axes; ++axis) {
    std::size_t const j = grid.lowest[axis];
    struct Term {
      std::int64_t multiple;
      double value;
    };
    std::array<Term, 4> terms{{{grid.twice, clump.centre(axis, j)},
                               {-grid.twice, clump.radius(j)},
                               {-grid.twice, clump.centre(axis, ball.index)},
                               {2 * k[axis] + 1, grid.smallest}}};
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

double odd(std::int64_t k) { return static_cast<double>(2 * k + 1); }

// Whether a centre is inside a ball; `rest` is the ball's squared radius less what x and y make of the distance.
bool is_inside(Grid const& grid, Placed const& ball, double rest, std::array<std::int64_t, 3> const& k) {
  double const z = ball.low[2].high + odd(k[2]) * grid.r, power = z * z - rest;
  if (std::abs(power) > ball.doubt) return power < 0;
  return exact_power(grid, ball, k, 3).sign() < 0;
}

template <class Place>
struct Run {
  Place begin, end;
};

// The centres of row (i, j) inside one ball: from the roots in double, and then by the exact decisions at both ends.
bool run_of_centres(Grid const& grid, Placed const& ball, std::int64_t i, std::int64_t j, Run<std::int64_t>& run) {
  double const x = ball.low[0].high + odd(i) * grid.r, y = ball.low[1].high + odd(j) * grid.r;
  double const rest = (ball.square - x * x) - y * y;
  if (rest < -ball.doubt) return false;
  double const half = std::sqrt(std::max(rest, 0.0)) / grid.r, middle = ball.middle.high;
  auto begin = static_cast<std::int64_t>(std::ceil((middle - half - 1) / 2));
  auto end = static_cast<std::int64_t>(std::floor((middle + half - 1) / 2)) + 1;
  auto const inside = [&](std::int64_t k) { return is_inside(grid, ball, rest, {i, j, k}); };
  while (inside(begin - 1)) --begin;
  while (begin <= end && !inside(begin)) ++begin;
  if (begin > end) return false;
  end = std::max(end, begin + 1);
  while (inside(end)) ++end;
  while (!inside(end - 1)) --end;
  run = {begin, end};
  return true;
}

// The chord of column (i, j) in one ball, in units of h/2 from lo.
bool chord(Grid const& grid, Placed const& ball, std::int64_t i, std::int64_t j, Run<Double2>& run) {
  Double2 const x = ball.low[0] + exact_product(odd(i), grid.r), y = ball.low[1] + exact_product(odd(j), grid.r);
  double square = ((ball.exact_square - x * x) - y * y).rounded();
  // Two doubles lose some 2^-100 of radius times box.
  if (std::abs(square) < 0x1p-35 * ball.doubt)
    square = -std::ldexp(exact_power(grid, ball, {i, j, 0}, 2).value(), -2 * grid.exponent);
  if (!(square > 0)) return false;
  Double2 const half = Double2{std::sqrt(square)} / Double2{grid.r};
  run = {ball.middle - half, ball.middle + half};
  return true;
}

// ---------------------------------------------------------------------------------------------------------------- sums

// Sums over centres, from lo, in units of h/2; all exact: there are at most 2^30 cells, of coordinates below 2^21.
struct Count {
  Integer128 volume = 0;
  std::array<Integer128, 3> first{};
  std::array<Integer128, 6> second{};

  void add(std::int64_t i, std::int64_t j, Run<std::int64_t> const& run) {
    // Of the odd numbers below 2k, there are k, they sum to k^2 and their squares to k (4 k^2 - 1) / 3.
    std::int64_t const x = 2 * i + 1, y = 2 * j + 1, count = run.end - run.begin;
    std::int64_t const sum = run.end * run.end - run.begin * run.begin;
    auto const squares = [](std::int64_t k) { return static_cast<Integer128>(k) * (4 * k * k - 1) / 3; };
    volume += count;
    first[0] += x * count, first[1] += y * count, first[2] += sum;
    second[0] += static_cast<Integer128>(x * x) * count, second[1] += static_cast<Integer128>(y * y) * count;
    second[2] += squares(run.end) - squares(run.begin);
    second[3] += static_cast<Integer128>(x * y) * count;
    second[4] += static_cast<Integer128>(x) * sum, second[5] += static_cast<Integer128>(y) * sum;
  }
};

// The same over chords: a length of h counts as a cell.
struct Lengths {
  Double2 volume;
  std::array<Double2, 3> first;
  std::array<Double2, 6> second;

  void add(std::int64_t i, std::int64_t j, Run<Double2> const& run) {
    Double2 const length = 0.5 * (run.end - run.begin), middle = 0.5 * (run.end + run.begin);
    double const x = odd(i), y = odd(j);
    Double2 const x_length = x * length, y_length = y * length, sum = length * middle;
    volume += length;
    first[0] += x_length, first[1] += y_length, first[2] += sum;
    second[0] += x * x_length, second[1] += y * y_length;
    second[2] += sum * middle + length * (length * (length / Double2{3}));
    second[3] += x * y_length, second[4] += x * sum, second[5] += y * sum;
  }
};

// Volume in cells, mean in h/2 from lo, and second moments about the mean in cells times (h/2)^2.
struct Sampled {
  Double2 volume;
  std::array<Double2, 3> mean;
  std::array<Double2, 6> central;
};
constexpr std::size_t places[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};

Sampled about_the_mean(Count const& sums) {
  Sampled result;
  result.volume = as_double2(sums.volume);
  for (std::size_t i = 0; i < 3; ++i) result.mean[i] = as_double2(sums.first[i]) / result.volume;
  for (std::size_t k = 0; k < 6; ++k)  // below 2^30 2^72
    result.central[k] =
        as_double2(sums.volume * sums.second[k] - sums.first[places[k][0]] * sums.first[places[k][1]]) / result.volume;
  return result;
}
Sampled about_the_mean(Lengths const& sums) {
  Sampled result;
  result.volume = sums.volume;
  for (std::size_t i = 0; i < 3; ++i) result.mean[i] = sums.first[i] / result.volume;
  for (std::size_t k = 0; k < 6; ++k)
    result.central[k] = sums.second[k] - result.mean[places[k][0]] * sums.first[places[k][1]];
  return result;
}

// Every run of the union. Slabs of equal i are gone through in order, and in each the rows: only the balls that reach
// into the slab, and of those into the row, are looked at.
template <class Place, class Sums, class Find>
void sweep(Grid const& grid, Find const& find, Sums& sums) {
  std::vector<Placed const*> waiting, slab, row;
  for (Placed const& ball : grid.balls) waiting.push_back(&ball);
  auto const later = [](std::size_t axis) {
    return [axis](Placed const* a, Placed const* b) { return a->begin[axis] > b->begin[axis]; };
  };
  std::sort(waiting.begin(), waiting.end(), later(0));
  auto const drop_ended = [](std::vector<Placed const*>& balls, std::size_t axis, std::int64_t k) {
    balls.erase(std::remove_if(balls.begin(), balls.end(), [&](Placed const* b) { return b->end[axis] <= k; }),
                balls.end());
  };
  std::vector<Placed const*> reached;
  std::vector<Run<Place>> runs;
  for (std::int64_t i = 0; !waiting.empty() || !slab.empty(); ++i) {
    if (slab.empty()) i = waiting.back()->begin[0];
    for (; !waiting.empty() && waiting.back()->begin[0] <= i; waiting.pop_back()) slab.push_back(waiting.back());
    drop_ended(slab, 0, i);
    reached = slab;
    std::sort(reached.begin(), reached.end(), later(1));
    row.clear();
    for (std::int64_t j = 0; !reached.empty() || !row.empty(); ++j) {
      if (row.empty()) j = reached.back()->begin[1];
      for (; !reached.empty() && reached.back()->begin[1] <= j; reached.pop_back()) row.push_back(reached.back());
      drop_ended(row, 1, j);
      runs.clear();
      for (Placed const* ball : row) {
        Run<Place> run;
        if (find(grid, *ball, i, j, run)) runs.push_back(run);
      }
      if (runs.size() > 1)
        std::sort(runs.begin(), runs.end(), [](Run<Place> const& a, Run<Place> const& b) { return a.begin < b.begin; });
      for (std::size_t k = 0; k < runs.size();) {
        Run<Place> covered = runs[k];
        for (++k; k < runs.size() && !(covered.end < runs[k].begin); ++k)
          if (covered.end < runs[k].end) covered.end = runs[k].end;
        sums.add(i, j, covered);
      }
    }
  }
}

Result properties(Clump const& clump) {
  Result result;
  result.fill(std::numeric_limits<double>::quiet_NaN());
  Grid grid{clump, 0, 0, 0, 0, {}, {}, {}};
  if (!in_domain(clump) || !place(grid)) return result;
  Sampled sampled;
  if (clump.method == Method::columns) {
    Lengths sums;
    sweep<Double2>(grid, chord, sums);
    sampled = about_the_mean(sums);
  } else {
    Count sums;
    sweep<std::int64_t>(grid, run_of_centres, sums);
    sampled = about_the_mean(sums);
  }
  if (clump.method == Method::centres_with_self_inertia)
    for (std::size_t i = 0; i < 3; ++i) sampled.central[i] += sampled.volume / Double2{3};

  // Lengths in the grid's unit, the density as one to two: nothing over- or underflows before the last step.
  int const density_exponent = std::ilogb(clump.density), e = grid.exponent;
  double const density = std::ldexp(clump.density, -density_exponent);
  Double2 const h = Double2{grid.r} / Double2{clump.cells}, volume = h * h * h * sampled.volume;
  Double2 const unit = density * (h * h * h * (0.25 * (h * h)));
  result[0] = std::ldexp(volume.rounded(), 3 * e);
  result[1] = std::ldexp((density * volume).rounded(), 3 * e + density_exponent);
  for (std::size_t i = 0; i < 3; ++i) {
    Double2 const from_first = grid.low[i] + 0.5 * (h * sampled.mean[i]);
    Double2 const sum = exact_sum(clump.centre(i, 0), std::ldexp(from_first.high, e));
    result[2 + i] = sum.high + (sum.low + std::ldexp(from_first.low, e));
  }
  for (std::size_t k = 0; k < 6; ++k) {
    Double2 const moment = k < 3 ? sampled.central[(k + 1) % 3] + sampled.central[(k + 2) % 3] : -sampled.central[k];
    result[5 + k] = std::ldexp((unit * moment).rounded(), 5 * e + density_exponent) + 0.0;  // no -0
  }
  return result;
}

Result properties_or_nothing(Clump const& clump) noexcept {
  try {
    return properties(clump);
  } catch (std::bad_alloc const&) {
    Result result;
    result.fill(std::numeric_limits<double>::quiet_NaN());
    return result;
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
  Result const r = properties_or_nothing(clump);
  Output<double> out;
  out.volume = r[0];
  out.mass = r[1];
  out.centroid << r[2], r[3], r[4];
  out.inertia << r[5], r[6], r[7], r[8], r[9], r[10];
  return out;
}

void evaluate(demeter::Level, std::size_t n, double const* const in[], double* const out[]) noexcept {
  Clump clump{0, 0, Method::centres, {in[4], in[5], in[6], in[7]}, 0, 0, 1};
  for (std::size_t row = 0; row < n; ++row) {
    clump.density = in[0][row];
    clump.cells = in[1][row];
    double const method = in[2][row];
    clump.method = static_cast<Method>(method >= 0 && method < 3 ? static_cast<int>(method) : 3);
    clump.first = static_cast<std::size_t>(in[3][row]);
    clump.size = static_cast<std::size_t>(in[3][row + 1]) - clump.first;
    Result const result = properties_or_nothing(clump);
    for (std::size_t k = 0; k < result.size(); ++k)
      if (out[k] != nullptr) out[k][row] = result[k];
  }
}

}  // namespace demeter::clump_grid_mass_properties::fast
