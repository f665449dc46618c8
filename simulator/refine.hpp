// Runs a scene at dt, dt/2, dt/4, ... For each observable, computes the values, their errors and the order of
// convergence.
#pragma once

#include "simulator/run.hpp"

namespace demeter::simulations {

/// The values of one observable at all levels. Level k has the step dt / 2^k. The copies of a body share one entry: the
/// errors are then the largest errors of the copies.
struct Refined {
  std::string observable;
  std::size_t copies = 1;
  bool against_oracle = false;
  std::vector<double> values;  ///< one value per level, of the first copy
  std::vector<double> errors;  ///< one error per level: the difference from the oracle, or from the limit
  std::vector<double> orders;  ///< one order for each level except the last: log2 of the ratio of its error to the next
                               ///< error
  double limit = 0;
  double slope = 0;  ///< slope of log error against log dt, by least squares
  /// True if the errors follow a power of dt: see is_asymptotic(). Otherwise orders and slope mean nothing.
  bool asymptotic = false;
};

struct Refinement {
  std::vector<double> dts;
  std::vector<std::uint64_t> steps;
  std::vector<Refined> observables;
};

/// Returns true if errors follow a power of dt. There are at least two orders, the last three are between 0.3 and 5,
/// and no two of them are further apart than 0.4.
bool is_asymptotic(std::vector<double> const& orders);

/// Runs the scene at `levels` + 1 levels. `stop` ends the refinement and drops the level that is not finished.
std::optional<Failure> refine(SceneFile const& file, Manner const& manner, unsigned levels, Progress const& progress,
                              std::atomic<bool> const& stop, Refinement& refinement);

}  // namespace demeter::simulations
