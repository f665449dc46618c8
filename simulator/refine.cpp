#include "simulator/refine.hpp"

#include "reference/core/multiprecision.hpp"
#include "simulator/oracle/trajectories.hpp"
#include "simulator/reference/exact_number.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace demeter::simulations {
namespace {

using simulator::Simulation;

/// Digits in which errors are computed: numbers of a state can have more digits than a double.
constexpr unsigned digits = 130;

Multiprecision number(std::string const& text) {
  Multiprecision value;
  simulator::read_exact_text(text, value);
  return value;
}

Multiprecision number(long double value) { return Multiprecision(value); }

/// The values of an observable at each level. A value is one number, or four numbers for an orientation.
struct Track {
  std::string name, group;
  std::vector<std::vector<Multiprecision>> values;
  std::vector<Multiprecision> truth;  ///< the exact value at the end; empty if no oracle computes it
};

double magnitude(Multiprecision const& x) { return static_cast<double>(x < 0 ? -x : x); }

/// Returns the difference of two numbers, or the angle between two orientations.
double error_of(std::vector<Multiprecision> const& found, std::vector<Multiprecision> const& truth) {
  if (found.size() == 1) return magnitude(found[0] - truth[0]);
  // The vector part of truth* found has the length sin(angle/2).
  auto const &p = truth, &q = found;
  Multiprecision const x = p[0] * q[1] - p[1] * q[0] - p[2] * q[3] + p[3] * q[2],
                       y = p[0] * q[2] + p[1] * q[3] - p[2] * q[0] - p[3] * q[1],
                       z = p[0] * q[3] - p[1] * q[2] + p[2] * q[1] - p[3] * q[0];
  return 2 * std::asin(std::min(1.0, static_cast<double>(sqrt(Multiprecision(x * x + y * y + z * z)))));
}

/// Returns the name of an observable. Replaces the name of a copy by the name of the body that is copied.
std::string group_of(Scene const& scene, std::string const& observable) {
  auto const dot = observable.find('.');
  if (dot == std::string::npos) return observable;
  for (auto const& body : scene.body) {
    std::string const copy = observable.substr(0, dot);
    if (body.copies > 1 && copy.starts_with(body.name) &&
        copy.find_first_not_of("0123456789", body.name.size()) == std::string::npos && copy.size() > body.name.size())
      return body.name + observable.substr(dot);
  }
  return observable;
}

std::vector<Track> tracks_of(Scene const& scene, Simulation const& simulation,
                             std::vector<simulator::oracle::Truth> const& truths) {
  std::vector<Track> tracks;
  auto const add = [&](std::string const& name) -> Track& {
    for (auto& each : tracks)
      if (each.name == name) return each;
    tracks.push_back({name, group_of(scene, name), {}, {}});
    return tracks.back();
  };
  for (auto const& truth : truths)
    for (auto const value : truth.values) add(truth.observable).truth.push_back(number(value));
  if (truths.empty())
    for (auto const& expect : scene.expect) add(expect.observable);
  if (tracks.empty()) {
    add("gained");
    for (auto const& body : simulation.bodies)
      if (!body.fixed)
        for (int k = 0; k < 3; ++k) add(fmt::format("{}.position[{}]", body.name, k));
  }
  return tracks;
}

/// Returns the limit for dt = 0, extrapolated from the last three levels. Assumes an error proportional to dt^p, where
/// p is 1/2, 1, 3/2, ...
std::vector<Multiprecision> limit_of(Track const& track) {
  std::size_t const n = track.values.size();
  std::vector<Multiprecision> limit = track.values.back();
  if (n < 3) return limit;
  for (std::size_t k = 0; k < limit.size(); ++k) {
    Multiprecision const &a = track.values[n - 3][k], &b = track.values[n - 2][k], &c = track.values[n - 1][k];
    Multiprecision const first = b - a, second = c - b;
    double const ratio = static_cast<double>(first) / static_cast<double>(second);
    if (!(ratio > 1) || !std::isfinite(ratio)) continue;
    double const order = std::max(0.5, std::round(2 * std::log2(ratio)) / 2);
    limit[k] = c + second / (pow(Multiprecision(2), Multiprecision(order)) - 1);
  }
  return limit;
}

/// Returns the slope of log2(error) against log2(dt) by least squares. Returns NaN if fewer than two errors are above
/// 0.
double slope_of(std::vector<double> const& errors, std::size_t count) {
  double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (std::size_t k = 0; k < count; ++k) {
    if (!(errors[k] > 0)) continue;
    double const x = -static_cast<double>(k), y = std::log2(errors[k]);
    n += 1, sx += x, sy += y, sxx += x * x, sxy += x * y;
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

Refined refined(std::vector<Track const*> const& copies) {
  Refined is;
  is.observable = copies.front()->group;
  is.copies = copies.size();
  is.against_oracle = !copies.front()->truth.empty();
  std::size_t const levels = copies.front()->values.size();
  is.errors.assign(levels, 0);
  for (Track const* copy : copies) {
    auto const truth = is.against_oracle ? copy->truth : limit_of(*copy);
    if (copy == copies.front()) is.limit = static_cast<double>(truth[0]);
    for (std::size_t k = 0; k < levels; ++k) is.errors[k] = std::max(is.errors[k], error_of(copy->values[k], truth));
  }
  for (std::size_t k = 0; k < levels; ++k) is.values.push_back(static_cast<double>(copies.front()->values[k][0]));
  for (std::size_t k = 0; k + 1 < levels; ++k) is.orders.push_back(std::log2(is.errors[k] / is.errors[k + 1]));
  // Without an oracle, the last error is not used: the limit was computed from the same values.
  is.slope = slope_of(is.errors, is.against_oracle ? levels : levels - 1);
  std::vector<double> counting = is.orders;
  if (!is.against_oracle && !counting.empty()) counting.pop_back();
  is.asymptotic = is_asymptotic(counting);
  return is;
}

}  // namespace

bool is_asymptotic(std::vector<double> const& orders) {
  constexpr double least = 0.3, most = 5, spread = 0.4;
  constexpr std::size_t last = 3;
  if (orders.size() < 2) return false;
  auto const begin = orders.end() - static_cast<std::ptrdiff_t>(std::min(last, orders.size()));
  if (!std::all_of(begin, orders.end(), [&](double order) { return order >= least && order <= most; })) return false;
  auto const [low, high] = std::minmax_element(begin, orders.end());
  return *high - *low <= spread;
}

std::optional<Failure> refine(SceneFile const& file, Manner const& manner, unsigned levels, Progress const& progress,
                              std::atomic<bool> const& stop, Refinement& refinement) {
  Precision const enough(digits);
  std::vector<Track> tracks;
  std::uint64_t done = 0;
  double all = 0;
  for (unsigned level = 0; level <= levels; ++level) {
    if (stop.load(std::memory_order_relaxed)) break;
    std::optional<Simulation> made;
    if (auto failure = make_simulation(file, manner, level, made)) return failure;
    if (auto failure = unknown_observable(file, *made)) return failure;
    Length const length = length_of(file.scene, made->dt(), level);
    if (level == 0) {
      all = static_cast<double>(length.about) * std::ldexp(1, static_cast<int>(levels) + 1);
      double const duration =
          file.scene.scene.duration ? file.scene.scene.duration->value : made->dt() * static_cast<double>(length.about);
      tracks =
          tracks_of(file.scene, *made, simulator::oracle::truths(cast<simulator::Scene<double>>(file.scene), duration));
    }
    refinement.dts.push_back(made->dt());
    while (!at_end(length, *made)) {
      made->advance();
      if (auto trouble = trouble_of(file, *made)) return trouble;
      if ((++done & 63) == 0) {
        progress(static_cast<double>(done) / all, fmt::format("dt = {:.3g} s", made->dt()));
        if (stop.load(std::memory_order_relaxed)) break;
      }
    }
    if (!at_end(length, *made)) {
      refinement.dts.pop_back();
      break;
    }
    refinement.steps.push_back(made->step());
    Shown const shown = made->snapshot();
    if (auto trouble = trouble_of(file, *made, &shown)) return trouble;
    for (auto& track : tracks) {
      std::vector<Multiprecision> values;
      if (track.name.ends_with(".orientation")) {
        for (int k = 0; k < 4; ++k)
          values.push_back(
              number(value_of(shown, *find_observable(*made, fmt::format("{}[{}]", track.name, k))).digits));
      } else {
        values.push_back(number(value_of(shown, *find_observable(*made, track.name)).digits));
      }
      track.values.push_back(std::move(values));
    }
  }
  if (refinement.steps.empty()) return std::nullopt;
  std::vector<std::string> groups;
  for (auto const& track : tracks)
    if (std::find(groups.begin(), groups.end(), track.group) == groups.end()) groups.push_back(track.group);
  for (auto const& group : groups) {
    std::vector<Track const*> copies;
    for (auto const& track : tracks)
      if (track.group == group) copies.push_back(&track);
    refinement.observables.push_back(refined(copies));
  }
  return std::nullopt;
}

}  // namespace demeter::simulations
