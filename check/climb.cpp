#include "check/climb.hpp"

#include "check/shrink.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace demeter::path_search {

std::vector<Finding> best_of_each(Probe& probe, Table const& paths, Aim const& aim) {
  std::vector<Finding> best(paths.rows);
  for (auto& finding : scan(probe, paths, aim.quantity, {})) {
    if (finding.transition != aim.transition || !finding.persists[aim.quantity]) continue;
    Finding& now = best[finding.path];
    if (finding.sizes[aim.quantity] > now.sizes[aim.quantity]) now = std::move(finding);
  }
  return best;
}

namespace {

/// Returns the absolute values of the non-zero numbers of a path, each once. Equal numbers are changed together, which
/// preserves symmetries.
std::vector<double> sizes_in(Laboratory const& lab, Table const& path) {
  std::vector<double> sizes;
  for_each_number(lab, path, [&](double value) {
    if (value != 0 && std::find(sizes.begin(), sizes.end(), std::fabs(value)) == sizes.end())
      sizes.push_back(std::fabs(value));
  });
  return sizes;
}

void replace_size(Laboratory const& lab, Table& path, double size, double by) {
  for_each_number(lab, path, [&](double& value) {
    if (std::fabs(value) == size) value = std::copysign(1.0, value) * by;
  });
}

bool usable(Laboratory const& lab, Table const& paths, std::size_t row) {
  return lab.within_search(paths, row) && !lab.path_error(paths, row);
}

Table perturbed(Laboratory const& lab, Table const& path, double step, Random& random) {
  Table result = path;
  double largest = 0;
  auto const sizes = sizes_in(lab, path);
  for (double const size : sizes) largest = std::max(largest, size);
  std::size_t const always = static_cast<std::size_t>(random.integer(0, static_cast<std::int64_t>(sizes.size()) - 1));
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (i != always && !random.chance(0.3)) continue;
    double const scale = random.chance(0.2) ? 0.3 * largest : sizes[i];
    replace_size(lab, result, sizes[i], sizes[i] + step * scale * random.normal());
  }
  return result;
}

double complexity_of(Laboratory const& lab, Table const& path) {
  double sum = 0;
  for_each_number(lab, path, [&](double value) { sum += reading_complexity(value); });
  return sum;
}

/// Returns which candidates still have the jump.
using StillJumps = std::function<std::vector<bool>(Table const& candidates)>;

/// Replaces the path by the simplest path that `Laboratory::simpler` proposes and that still has the jump. Repeats this
/// until no proposal is simpler, at most three times.
void in_a_simpler_frame(Laboratory const& lab, Table& path, StillJumps const& still_jumps) {
  for (int round = 0; round < 3; ++round) {
    Table proposed(lab.path), candidates(lab.path);
    lab.simpler(path, 0, proposed);
    for (std::size_t i = 0; i < proposed.rows; ++i)
      if (usable(lab, proposed, i)) append_row(lab.path, candidates, proposed, i);
    auto const fine = still_jumps(candidates);
    std::size_t best = candidates.rows;
    double least = complexity_of(lab, path);
    for (std::size_t i = 0; i < candidates.rows; ++i) {
      double const complexity = complexity_of(lab, one_path(lab, candidates, i));
      if (fine[i] && complexity < least) best = i, least = complexity;
    }
    if (best == candidates.rows) return;
    path = one_path(lab, candidates, best);
  }
}

/// Rounds all numbers to the fewest decimals with which the path still has the jump.
void in_few_decimals(Laboratory const& lab, Table& path, StillJumps const& still_jumps) {
  Table candidates(lab.path);
  for (double const unit : {1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 1000.0, 1e4}) {
    Table candidate = path;
    for_each_number(lab, candidate, [&](double& value) { value = std::round(value * unit) / unit; });
    if (usable(lab, candidate, 0)) append_row(lab.path, candidates, candidate, 0);
  }
  auto const fine = still_jumps(candidates);
  auto const first = std::find(fine.begin(), fine.end(), true);
  if (first != fine.end()) path = one_path(lab, candidates, static_cast<std::size_t>(first - fine.begin()));
}

/// A proposal: the numbers with absolute value `size` in a path become `by`. `gained` is the decrease of the
/// complexity.
struct Replacement {
  double size, by, gained;
};

/// Returns simpler values for each number of a path. Appends a row to `candidates` for each of them.
std::vector<Replacement> replacements(Laboratory const& lab, Table const& path, Table& candidates) {
  std::vector<Replacement> offers;
  for (double const size : sizes_in(lab, path)) {
    std::vector<double> values;
    for (double const value : simpler_numbers(size))
      if (std::isfinite(value) && value >= 0 && reading_complexity(value) < reading_complexity(size) &&
          std::find(values.begin(), values.end(), value) == values.end())
        values.push_back(value);
    for (double const value : values) {
      Table candidate = path;
      replace_size(lab, candidate, size, value);
      if (!usable(lab, candidate, 0)) continue;
      append_row(lab.path, candidates, candidate, 0);
      offers.push_back({size, value, reading_complexity(size) - reading_complexity(value)});
    }
  }
  return offers;
}

/// Considers only replacements that keep the jump. Returns, for each number of the path, the replacement that
/// simplifies the number most. The replacement that simplifies most is first.
std::vector<Replacement> best_of(std::vector<Replacement> const& offers, std::vector<bool> const& fine) {
  std::vector<Replacement> best;
  for (std::size_t i = 0; i < offers.size(); ++i) {
    if (!fine[i]) continue;
    auto const same =
        std::find_if(best.begin(), best.end(), [&](Replacement const& each) { return each.size == offers[i].size; });
    if (same == best.end()) {
      best.push_back(offers[i]);
    } else if (offers[i].gained > same->gained) {
      *same = offers[i];
    }
  }
  std::stable_sort(best.begin(), best.end(),
                   [](Replacement const& a, Replacement const& b) { return a.gained > b.gained; });
  return best;
}

/// First replaces each number alone, and tests all simpler values in one call. Then applies the best replacements
/// together: as many as possible while the path still has the jump. Returns true if the path became simpler.
bool in_simpler_numbers(Laboratory const& lab, Table& path, StillJumps const& still_jumps) {
  Table candidates(lab.path);
  auto const offers = replacements(lab, path, candidates);
  auto const gains = best_of(offers, still_jumps(candidates));
  if (gains.empty()) return false;
  Table together(lab.path), last = path;
  for (auto const& gain : gains) {
    replace_size(lab, last, gain.size, gain.by);
    append_row(lab.path, together, last, 0);
  }
  auto const hold = still_jumps(together);
  std::size_t most = 0;  // with the first replacement alone, the path still has the jump
  for (std::size_t i = 0; i < hold.size(); ++i)
    if (hold[i] && usable(lab, together, i)) most = i;
  path = one_path(lab, together, most);
  return true;
}

}  // namespace

void climb(Laboratory const& lab, Table& path, double& best, Random& random, int generations, Late const& late,
           Score const& score) {
  double step = 0.2;
  for (int generation = 0; generation < generations && step > 1e-3 && !late(); ++generation) {
    Table children(lab.path);
    for (int i = 0; i < 20; ++i) {
      Table const child = perturbed(lab, path, step, random);
      if (usable(lab, child, 0)) append_row(lab.path, children, child, 0);
    }
    if (children.rows == 0) {
      step *= 0.5;
      continue;
    }
    std::vector<double> const scores = score(children);
    auto const top = std::max_element(scores.begin(), scores.end());
    if (*top > best * 1.0001) {
      best = *top;
      path = one_path(lab, children, static_cast<std::size_t>(top - scores.begin()));
      step = std::min(0.5, step * 1.3);
    } else {
      step *= 0.6;
    }
  }
}

Table simplified(Probe& probe, Table path, Aim const& aim, double enough, Late const& late) {
  Laboratory const& lab = probe.lab;
  auto const still_jumps = [&](Table const& candidates) {
    std::vector<bool> result;
    for (auto const& each : best_of_each(probe, candidates, aim)) result.push_back(each.sizes[aim.quantity] >= enough);
    return result;
  };
  if (!late.at_last()) in_a_simpler_frame(lab, path, still_jumps);
  if (!late.at_last()) in_few_decimals(lab, path, still_jumps);
  int const rounds = probe.is_dear() ? 3 : 8;
  for (int round = 0; round < rounds && !late.at_last(); ++round)
    if (!in_simpler_numbers(lab, path, still_jumps)) break;
  return path;
}

}  // namespace demeter::path_search
