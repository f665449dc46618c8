// A scene with many seeds of its filling: how much passes in which time, on an average.
#pragma once

#include "simulator/run.hpp"

namespace demeter::simulations {

/// A mean of all seeds and half the width of its interval of 95 % confidence.
struct Mean {
  double value = 0, half_width = 0;
};

/// Of values of more than one seed, by Student's distribution.
Mean mean_of(std::vector<double> const& values);

struct Window {
  double from = 0, to = 0;  ///< s
  Mean discs, area;         ///< that passed, per second
};

struct Ensemble {
  std::uint64_t seeds = 0, steps = 0;
  std::vector<Window> windows;
  Mean passed;               ///< discs at the end
  std::uint64_t capped = 0;  ///< steps of all seeds
};

/// Runs the scene with the seeds 1, 2, ...; windows are tenths of the time from its first event to its end.
std::optional<Failure> run_seeds(SceneFile const& file, Manner const& manner, std::uint64_t seeds,
                                 Progress const& progress, std::atomic<bool> const& stop, Ensemble& ensemble);

}  // namespace demeter::simulations
