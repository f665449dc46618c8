#include "simulator/ensemble.hpp"

#include <fmt/format.h>
#include <boost/math/distributions/students_t.hpp>

#include <algorithm>
#include <cmath>

namespace demeter::simulations {
namespace {

constexpr std::size_t windows = 10;

/// The discs and the area that have passed at the beginning of each window and at the end.
struct Passed {
  std::array<double, windows + 1> discs{}, area{};
  double capped = 0;
};

std::optional<Failure> run_seed(SceneFile const& file, Manner const& manner, std::atomic<bool> const& stop,
                                std::vector<std::uint64_t> const& at, Passed& passed) {
  std::optional<simulator::Simulation> made;
  if (auto failure = make_simulation(file, manner, 0, made)) return failure;
  for (std::size_t k = 0; k < at.size(); ++k) {
    while (made->step() < at[k]) {
      if (stop.load(std::memory_order_relaxed)) return std::nullopt;
      made->advance();
      if (auto trouble = trouble_of(file, *made)) return trouble;
    }
    Shown const shown = made->snapshot();
    if (auto trouble = trouble_of(file, *made, &shown)) return trouble;
    auto const& all = shown.nonsmooth;
    passed.discs[k] = all->passed.value;
    passed.area[k] = all->area_passed.value;
    passed.capped = all->capped.value;
  }
  return std::nullopt;
}

}  // namespace

Mean mean_of(std::vector<double> const& values) {
  auto const n = static_cast<double>(values.size());
  double sum = 0, squares = 0;
  for (double const x : values) sum += x;
  double const mean = sum / n;
  for (double const x : values) squares += (x - mean) * (x - mean);
  if (values.size() < 2) return {mean, std::numeric_limits<double>::infinity()};
  double const quantile = boost::math::quantile(boost::math::students_t(n - 1), 0.975);
  return {mean, quantile * std::sqrt(squares / (n - 1) / n)};
}

std::optional<Failure> run_seeds(SceneFile const& file, Manner const& manner, std::uint64_t seeds,
                                 Progress const& progress, std::atomic<bool> const& stop, Ensemble& ensemble) {
  std::vector<std::size_t> fillings;
  for (std::size_t k = 0; k < file.scene.body.size(); ++k)
    if (file.scene.body[k].fill) fillings.push_back(k);
  if (fillings.empty()) return Failure{file.message("body", "expected a disc with fill: --seeds changes its seed")};
  double const dt = file.scene.scene.dt.dt->value;
  ensemble.steps = length_of(file.scene, dt, 0).about;
  double first = static_cast<double>(ensemble.steps) * dt;
  for (auto const& event : file.scene.event) first = std::min(first, event.at.value);
  if (file.scene.event.empty()) first = 0;
  auto const begin = static_cast<std::uint64_t>(std::nearbyint(first / dt));
  std::vector<std::uint64_t> at;
  for (std::size_t k = 0; k <= windows; ++k) at.push_back(begin + (ensemble.steps - begin) * k / windows);

  std::vector<Passed> all;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    SceneFile seeded = file;
    for (std::size_t const k : fillings) seeded.scene.body[k].fill->seed = seed;
    Passed passed;
    if (auto failure = run_seed(seeded, manner, stop, at, passed)) return failure;
    if (stop.load(std::memory_order_relaxed)) break;
    all.push_back(passed);
    progress(static_cast<double>(seed) / static_cast<double>(seeds), fmt::format("seed {}", seed));
  }
  ensemble.seeds = all.size();
  if (all.size() < 2) return std::nullopt;
  auto const of_all = [&](auto const& value) {
    std::vector<double> values;
    for (auto const& each : all) values.push_back(value(each));
    return mean_of(values);
  };
  for (std::size_t k = 0; k < windows && at[k] < at[k + 1]; ++k) {
    double const from = static_cast<double>(at[k]) * dt, to = static_cast<double>(at[k + 1]) * dt;
    ensemble.windows.push_back(
        {from, to, of_all([&](Passed const& each) { return (each.discs[k + 1] - each.discs[k]) / (to - from); }),
         of_all([&](Passed const& each) { return (each.area[k + 1] - each.area[k]) / (to - from); })});
  }
  ensemble.passed = of_all([](Passed const& each) { return each.discs.back(); });
  for (auto const& each : all) ensemble.capped += static_cast<std::uint64_t>(each.capped);
  return std::nullopt;
}

}  // namespace demeter::simulations
