#include "check/suspects.hpp"

#include <algorithm>
#include <utility>

namespace demeter::path_search {
namespace {

/// Appends three more places in each of up to four intervals of the grid. These are the intervals in which a quantity
/// changes at least 1.5 times as much as in their neighbours.
void refine(Laboratory const& lab, std::size_t path, std::span<Sample const> samples, std::vector<Place>& places) {
  std::vector<std::pair<double, std::size_t>> rough(grid);
  for (std::size_t i = 0; i < grid; ++i) rough[i].second = i;
  for (auto const& quantity : lab.quantities) {
    if (quantity.derived) continue;
    std::array<double, grid> sizes;
    double sum = 0;
    for (std::size_t i = 0; i < grid; ++i)
      sum += sizes[i] = change(quantity, samples[i].numbers, samples[i + 1].numbers);
    if (!(sum > 0)) continue;
    for (std::size_t i = 0; i < grid; ++i) {
      double const beside = (sizes[i > 0 ? i - 1 : i + 1] + sizes[i + 1 < grid ? i + 1 : i - 1]) / 2;
      rough[i].first = std::max(rough[i].first, sizes[i] / (beside + 0.02 * sum / grid));
    }
  }
  std::partial_sort(rough.begin(), rough.begin() + 4, rough.end(),
                    [](auto const& a, auto const& b) { return a.first > b.first; });
  for (std::size_t j = 0; j < 4; ++j) {
    if (rough[j].first < 1.5) break;
    for (int quarter = 1; quarter < 4; ++quarter)
      places.push_back({path, (static_cast<double>(rough[j].second) + quarter / 4.0) / grid});
  }
}

Bisection interval(std::size_t path, std::span<Sample const> samples, std::size_t i, std::size_t follow, Stage stage) {
  return {path, samples[i], samples[i + 1], follow, stage, {}, {}};
}

/// Returns two intervals: the one in which a quantity changes most, and the one in which its slope is largest relative
/// to the slopes of its neighbours. Returns none if the quantity does not change.
std::vector<std::size_t> largest_and_roughest(Quantity const& quantity, std::span<Sample const> samples) {
  std::size_t const intervals = samples.size() - 1;
  auto const width = [&](std::size_t i) { return samples[i + 1].parameter - samples[i].parameter; };
  std::vector<double> slope(intervals);
  double sum = 0;
  for (std::size_t i = 0; i < intervals; ++i) {
    slope[i] = change(quantity, samples[i].numbers, samples[i + 1].numbers) / width(i);
    sum += slope[i];
  }
  if (!(sum > 0)) return {};
  double const usual = 0.02 * sum / static_cast<double>(intervals) + 1e-300;
  std::size_t largest = 0, roughest = 0;
  double most = -1, rough = -1;
  for (std::size_t i = 0; i < intervals; ++i) {
    double const size = slope[i] * width(i);
    double const before = i > 0 ? slope[i - 1] : slope[i + 1 < intervals ? i + 1 : i];
    double const after = i + 1 < intervals ? slope[i + 1] : before;
    double const ratio = slope[i] / ((before + after) / 2 + usual);
    if (size > most) most = size, largest = i;
    if (ratio > rough) rough = ratio, roughest = i;
  }
  return {largest, roughest};
}

}  // namespace

std::vector<std::vector<Sample>> sampled(Probe& probe, Table const& paths) {
  std::vector<std::vector<Sample>> samples(paths.rows);
  std::vector<Place> places = places_on_grid(paths, grid);
  probe.look(paths, places);
  for (std::size_t row = 0; row < places.size(); ++row) samples[places[row].path].push_back(probe.sample(places, row));
  places.clear();
  for (std::size_t path = 0; path < paths.rows; ++path) refine(probe.lab, path, samples[path], places);
  if (places.empty()) return samples;
  probe.look(paths, places);
  for (std::size_t row = 0; row < places.size(); ++row) {
    auto& of_path = samples[places[row].path];
    auto const at =
        std::lower_bound(of_path.begin(), of_path.end(), places[row].parameter,
                         [](Sample const& sample, double parameter) { return sample.parameter < parameter; });
    of_path.insert(at, probe.sample(places, row));
  }
  return samples;
}

std::vector<Bisection> suspects(Laboratory const& lab, std::size_t path, std::span<Sample const> samples,
                                std::optional<std::size_t> quantity) {
  std::vector<Bisection> result;
  std::size_t const intervals = samples.size() - 1;
  for (std::size_t i = 0; i < intervals; ++i)
    if (samples[i].state != samples[i + 1].state)
      result.push_back(interval(path, samples, i, quantity.value_or(0), Stage::state));
  std::vector<bool> chosen(intervals, false);
  for (std::size_t k = 0; k < lab.quantities.size(); ++k) {
    if (quantity ? *quantity != k : lab.quantities[k].derived) continue;
    for (std::size_t const i : largest_and_roughest(lab.quantities[k], samples)) {
      if (chosen[i]) continue;
      chosen[i] = true;
      result.push_back(interval(path, samples, i, k, Stage::size));
    }
  }
  return result;
}

}  // namespace demeter::path_search
