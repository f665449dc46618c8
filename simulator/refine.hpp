// Runs a scene at dt, dt/2, dt/4, ... and computes the values of its observables, their errors and the order of
// convergence.
#pragma once

#include "simulator/run.hpp"

namespace demeter::simulations {

/// An observable. If a body has copies, they share the entry, and the error is the largest error of the copies.
struct Refined {
  std::string observable;
  std::size_t copies = 1;
  bool against_oracle = false;
  std::vector<double> values;  ///< at each level, of the first copy
  std::vector<double> errors;  ///< against the oracle or the limit
  std::vector<double> orders;  ///< between each level and the next: one value fewer
  double limit = 0;
  double slope = 0;  ///< of log error against log dt, by least squares
};

struct Refinement {
  std::vector<double> dts;
  std::vector<std::uint64_t> steps;
  std::vector<Refined> observables;
};

/// Halves dt `levels` times. `stop` ends the refinement after the current level.
std::optional<Failure> refine(SceneFile const& file, Manner const& manner, unsigned levels, Progress const& progress,
                              std::atomic<bool> const& stop, Refinement& refinement);

}  // namespace demeter::simulations
