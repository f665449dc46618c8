// A scene at dt, dt/2, dt/4, ...: what its observables come to, their errors and the order in which these vanish.
#pragma once

#include "simulator/run.hpp"

namespace demeter::simulations {

/// An observable, or that of all copies of a body together: the copy that is the furthest off counts.
struct Refined {
  std::string observable;
  std::size_t copies = 1;
  bool against_oracle = false;
  std::vector<double> values;  ///< at each level, of the first copy
  std::vector<double> errors;  ///< against the oracle or the limit
  std::vector<double> orders;  ///< from a level to the next; one less
  double limit = 0;
  double slope = 0;  ///< of log error against log dt, by least squares
};

struct Refinement {
  std::vector<double> dts;
  std::vector<std::uint64_t> steps;
  std::vector<Refined> observables;
};

/// Halves dt `levels` times. `stop` ends it after the level that runs.
std::optional<Failure> refine(SceneFile const& file, Manner const& manner, unsigned levels, Progress const& progress,
                              std::atomic<bool> const& stop, Refinement& refinement);

}  // namespace demeter::simulations
