// The grid is processed in slabs of equal x. In each slab, only the rows (or columns) that meet a ball are processed.
// The cost is therefore proportional to the surface of the balls.
#include "fast/clump_grid_mass_properties.hpp"

#include "fast/family/clump/grid/cells.hpp"
#include "fast/family/clump/grid/decisions.hpp"
#include "fast/family/clump/grid/sums.hpp"

#include <new>

namespace demeter::clump_grid_mass_properties::fast {
namespace {

using namespace demeter::fast_core;
using namespace demeter::fast_grid;

// -------------------------------------------------------------------------------------------------------------- runs

// Returns the cell centres of row (i, j) that are inside one ball. Starts from approximate ends of this run and decides
// each end exactly.
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

// Returns the cell centres of row (i, j) that are inside one ball. The ends of the chord are low and high. If no cell
// centre is so near to an end that rounding could change the decision, only low and high are used. Otherwise
// decided_run() decides.
//
// Let g be the distance of a cell centre z from the nearer end. The power of z (squared distance minus squared radius)
// has the magnitude |z - low| |z - high|. This is at least g half, because the other distance is at least half the
// chord.
inline Run run_of_centres(Grid const& grid, Placed const& ball, double rest, std::int64_t i, std::int64_t j) {
  if (!(rest > 0)) {
    if (rest < -ball.doubt) return {0, 0};
    return decided_run(grid, ball, rest, i, j);
  }
  double const half = std::sqrt(rest), middle = 0.5 * (ball.centre[2].high + 1);
  double const below = middle - 0.5 * half, above = middle + 0.5 * half;  // in these units the cell centre 2k+1 is at
                                                                          // k+1
  std::int64_t const begin = whole(below), end = whole(above);
  double const b = below - static_cast<double>(begin), e = above - static_cast<double>(end);
  double const gap = std::min(std::min(b, e), 1 - std::max(b, e));
  if (2 * gap * half > ball.doubt) return {begin, end};
  return decided_run(grid, ball, rest, i, j);
}

// Computes the chord of column (i, j) in one ball. Returns false if the column does not meet the ball.
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

// Returns the middle of b minus the middle of a.
double apart(Chord const& a, Chord const& b) { return (b.whole - a.whole) + (b.fraction - a.fraction); }
bool begins_earlier(Chord const& a, Chord const& b) { return apart(a, b) - (b.half - a.half) > 0; }
bool begins_earlier(Run const& a, Run const& b) { return a.begin < b.begin; }
bool begins_earlier(Reach const& a, Reach const& b) { return a.begin < b.begin; }
bool begins_earlier(Placed const* a, Placed const* b) { return a->begin[0] < b->begin[0]; }

// Sorts by `begin`. Uses insertion sort for at most 16 items, because there are rarely more.
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

// --------------------------------------------------------------------------------------------------------------- sweep

// Calls visit(i, reaches, count) for every slab i that meets a ball. `reaches` are the parts of the balls in the slab.
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

// Calls visit(j, reaches, count) for every row j of a slab that meets a ball. `reaches` are the balls that the row may
// meet.
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

// Counts rows of at most 63 cells, with the covered cells as bits of one word. First marks the rows ball by ball,
// because the processor can then work on several rows at the same time. Then processes each row once. Sorting the runs
// instead takes a fifth longer (regime `typical`, method `centres`).
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
        // The length is computed from the differences of the middles and from the half lengths. The coordinate of an
        // end is rounded: an end that is 600 from the middle of the box would lose about 9 bits of a chord of length 1.
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

// Volume in cells, centroid in units of h/2 from grid.low, inertia about the centroid in cells times (h/2)^2. h is the
// edge of a cell.
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
    auto const sum = static_cast<std::int64_t>(sums.first[i]);  // |sum| is below 2^51
    result.mean[i] = exact_sum(static_cast<double>(sum / volume), static_cast<double>(sum % volume) / count);
  }
  Integer128 central[6];  // three times the second moment about the mean, times the volume; below 2^104
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
    // The middle of the box in units of h/2, rounded to an integer. Its differences from odd numbers are exact.
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
  // The sums must fit into 64 bits. The largest one is at most three times the sum of the squares of all coordinates,
  // which are below 2 `longest`.
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

  // Lengths are in the unit of the grid, the density is between one and two. Nothing overflows or underflows before the
  // last step.
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
    result[5 + k] = scaled((unit * sums.inertia[k]).rounded(), 5 * e + density_exponent) + 0.0;  // avoids -0
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
