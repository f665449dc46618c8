#include "check/passivity.hpp"

#include "check/probe.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace demeter {
namespace path_search {
namespace {

constexpr std::uint64_t passivity_ids = std::uint64_t{1} << 40;  ///< first id of the paths of this search; the
                                                                 ///< continuity search uses smaller ids
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// Draws paths from the families of closed paths, or only from the other families. The families are used in turn.
struct Drawn {
  Laboratory const& lab;
  std::uint64_t seed;
  std::vector<std::size_t> families;

  Drawn(Laboratory const& laboratory, std::uint64_t the_seed, bool loops) : lab(laboratory), seed(the_seed) {
    for (std::size_t i = 0; i < lab.families.size(); ++i)
      if (lab.families[i].loop == loops) families.push_back(i);
  }
  Table operator()(std::uint64_t from, std::uint64_t count) const {
    Table paths(lab.path);
    for (std::uint64_t i = 0; i < count && !families.empty(); ++i)
      lab.draw(families[(from + i) % families.size()], seed, passivity_ids + (from + i) / families.size(), paths);
    return paths;
  }
};

/// Returns the midpoints of `count` equal intervals for each path that is not settled.
std::vector<Place> middles(std::vector<bool> const& settled, std::size_t count) {
  std::vector<Place> places;
  for (std::size_t path = 0; path < settled.size(); ++path)
    if (!settled[path])
      for (std::size_t i = 0; i < count; ++i)
        places.push_back({path, (static_cast<double>(i) + 0.5) / static_cast<double>(count)});
  return places;
}

/// Integrates the power over each path by the midpoint rule with `count` places. Updates the largest energy stored.
std::vector<double> sums_of_power(Probe& probe, Table const& paths, std::vector<Place> const& places, std::size_t count,
                                  std::vector<Work>& works) {
  Laboratory const& lab = probe.lab;
  probe.look(paths, places);
  std::vector<double> sums(paths.rows, 0);
  for (std::size_t row = 0; row < places.size(); ++row) {
    std::size_t const path = places[row].path;
    sums[path] += lab.power(paths, places[row], probe.inputs, probe.replies, row) / static_cast<double>(count);
    auto const observed = std::span(probe.observations).subspan(row * lab.numbers, lab.numbers);
    works[path].stored = std::max(works[path].stored, lab.stored(observed));
    // A quantity is NaN where continuity is not required. The work along such a path is not measured.
    bool const contact = observed[lab.quantities[lab.overlap].first] > 0;
    for (auto const& quantity : lab.quantities)
      if (contact && std::isnan(observed[quantity.first])) sums[path] = not_a_number;
  }
  return sums;
}

/// Returns the work along each path by the midpoint rule. This rule does not evaluate the power at the corners of a
/// loop. The number of intervals is doubled until the result converges or there are 8192 intervals.
std::vector<Work> works_along(Probe& probe, Table const& paths) {
  constexpr double unknown = std::numeric_limits<double>::infinity();
  std::vector<Work> works(paths.rows);
  std::vector<double> last_change(paths.rows, unknown);
  std::vector<bool> settled(paths.rows, false);
  for (std::size_t count = 128; count <= 8192; count *= 2) {
    std::vector<Place> const places = middles(settled, count);
    if (places.empty()) break;
    auto const sums = sums_of_power(probe, paths, places, count, works);
    for (std::size_t path = 0; path < paths.rows; ++path) {
      if (settled[path]) continue;
      // Two small changes in a row are needed: if the power jumps, one refinement may change nothing by chance.
      Work& work = works[path];
      double const changed = count == 128 ? unknown : std::fabs(sums[path] - work.value);
      work.error = std::max(changed, last_change[path]);
      last_change[path] = changed;
      work.value = sums[path];
      settled[path] = !(work.error > 1e-5 * work.stored);
    }
  }
  for (std::size_t path = 0; path < paths.rows; ++path) works[path].path = one_path(probe.lab, paths, path);
  return works;
}

/// Returns the works that are finite numbers, for paths on which energy was stored.
std::vector<Work> finite_works(Probe& probe, Table const& paths, std::atomic<bool> const* stop) {
  if (paths.rows == 0 || stopped(stop)) return {};
  auto works = works_along(probe, paths);
  std::erase_if(works, [](Work const& work) { return !(std::isfinite(work.value) && work.stored > 0); });
  return works;
}

double mean_relative(std::vector<Work> const& works) {
  double sum = 0;
  for (auto const& work : works) sum += std::fabs(work.value) / work.stored;
  return works.empty() ? 0 : sum / static_cast<double>(works.size());
}

/// Measures the work along closed paths.
void measure_loops(Probe& probe, Drawn const& closed, PassivityOptions const& options, Passivity& result) {
  auto const works = finite_works(probe, closed(0, options.loops), options.stop);
  result.loops = works.size();
  result.mean_relative_loop = mean_relative(works);
  for (auto const& work : works)
    if (!result.loop || std::fabs(work.value) > std::fabs(result.loop->value)) result.loop = work;
}

/// Returns for each path whether there is contact along it, but not at its ends.
std::vector<bool> free_to_free(Probe& probe, Table const& paths) {
  Laboratory const& lab = probe.lab;
  probe.look(paths, places_on_grid(paths, grid));
  std::size_t const first = lab.quantities[lab.overlap].first;
  std::vector<bool> result;
  for (std::size_t path = 0; path < paths.rows; ++path) {
    auto const overlap = [&](int i) {
      return probe.observations[(path * (grid + 1) + static_cast<std::size_t>(i)) * lab.numbers + first];
    };
    bool touches = false;
    for (int i = 1; i < grid; ++i) touches = touches || overlap(i) > 0;
    result.push_back(touches && overlap(0) == 0 && overlap(grid) == 0);
  }
  return result;
}

/// Returns paths that begin and end without contact and have contact in between.
Table draw_contacts(Probe& probe, Drawn const& open, PassivityOptions const& options) {
  Table contacts(probe.lab.path);
  for (std::uint64_t from = 0; contacts.rows < options.contacts && from < 64 * options.contacts;) {
    if (stopped(options.stop)) break;
    Table const some = open(from, 512);
    from += some.rows;
    if (some.rows == 0) break;
    auto const free = free_to_free(probe, some);
    for (std::size_t i = 0; i < some.rows && contacts.rows < options.contacts; ++i)
      if (free[i]) append_row(probe.lab.path, contacts, some, i);
  }
  return contacts;
}

/// Measures the work along paths that begin and end without contact: energy gained and lost.
void measure_contacts(Probe& probe, Drawn const& open, PassivityOptions const& options, Passivity& result) {
  auto const works = finite_works(probe, draw_contacts(probe, open, options), options.stop);
  result.contacts = works.size();
  result.mean_relative_contact = mean_relative(works);
  for (auto const& work : works) {
    if (!result.gain || work.value > result.gain->value) result.gain = work;
    if (!result.loss || work.value < result.loss->value) result.loss = work;
  }
}

constexpr int approach_intervals = 128;

/// Searches, in one direction along a path, for the largest decrease of the overlap while no gap grows. Uses the
/// observations of the last call of look().
void note_fall(Probe const& probe, Table const& paths, std::vector<Place> const& places, std::size_t path,
               bool forwards, std::optional<Fall>& fall) {
  Laboratory const& lab = probe.lab;
  std::size_t const first = lab.quantities[lab.overlap].first;
  std::vector<double> before, after;
  double highest = not_a_number, at = 0;
  for (int j = 0; j <= approach_intervals; ++j) {
    std::size_t const row =
        path * (approach_intervals + 1) + static_cast<std::size_t>(forwards ? j : approach_intervals - j);
    lab.gaps(probe.inputs, row, after);
    double const overlap = probe.observations[row * lab.numbers + first];
    bool approach = !before.empty();
    for (std::size_t k = 0; k < before.size(); ++k) approach = approach && after[k] <= before[k];
    if (!approach || !(overlap <= highest)) {
      highest = overlap;
      at = places[row].parameter;
    } else if (double const depth = highest - overlap; depth > (fall ? fall->value : 0) && depth > probe.floor()) {
      // `floor` excludes decreases that are only rounding.
      fall = Fall{depth, at, places[row].parameter, one_path(lab, paths, path)};
    }
    std::swap(before, after);
  }
}

/// Compares overlap and gaps along paths, forwards and backwards.
void measure_falls(Probe& probe, Drawn const& open, PassivityOptions const& options, Passivity& result) {
  for (std::uint64_t from = 0; from < options.monotone_paths && !stopped(options.stop); from += probe.block()) {
    Table const paths = open(from, std::min<std::uint64_t>(probe.block(), options.monotone_paths - from));
    if (paths.rows == 0) return;
    std::vector<Place> const places = places_on_grid(paths, approach_intervals);
    probe.look(paths, places);
    result.monotone_paths += paths.rows;
    for (std::size_t path = 0; path < paths.rows; ++path)
      for (bool const forwards : {true, false}) note_fall(probe, paths, places, path, forwards, result.fall);
  }
}

}  // namespace
}  // namespace path_search

Passivity measure_passivity(Kernel const& kernel, Laboratory const& laboratory, Subject const& subject,
                            PassivityOptions const& options) {
  using namespace path_search;
  Probe probe(kernel, laboratory, subject);
  Drawn const closed(laboratory, options.seed, true), open(laboratory, options.seed, false);
  Passivity result;
  measure_loops(probe, closed, options, result);
  measure_contacts(probe, open, options, result);
  measure_falls(probe, open, options, result);
  return result;
}

}  // namespace demeter
