// Runs a scene with several seeds for its random fillings, and computes the mean flow of discs over time.
#pragma once

#include "simulator/run.hpp"

namespace demeter::simulations {

/// A mean over all seeds, and half the width of its 95 % confidence interval.
struct Mean {
  double value = 0, half_width = 0;
};

/// Returns the mean and its confidence interval by Student's distribution. Needs at least two values.
Mean mean_of(std::vector<double> const& values);

struct Window {
  double from = 0, to = 0;  ///< s
  Mean discs, area;         ///< for the discs that pass the orifice: mean number per second, and mean area per second
                            ///< (m^2/s)
};

struct Ensemble {
  std::uint64_t seeds = 0, steps = 0;
  std::vector<Window> windows;
  Mean passed;               ///< number of discs that have passed at the end
  std::uint64_t capped = 0;  ///< number of steps, over all seeds, that used all itmax sweeps and did not reach the
                             ///< tolerance
};

/// Runs the scene with the seeds 1, 2, ... Divides the time from the first event of the scene to its end into ten
/// windows of equal length. Without events, the windows begin at time 0.
std::optional<Failure> run_seeds(SceneFile const& file, Manner const& manner, std::uint64_t seeds,
                                 Progress const& progress, std::atomic<bool> const& stop, Ensemble& ensemble);

}  // namespace demeter::simulations
