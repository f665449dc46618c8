// Hill climbing on paths by random changes, and simplification of paths with a jump.
#pragma once

#include "check/path_scan.hpp"
#include "kernels/random.hpp"

#include <chrono>
#include <functional>

namespace demeter::path_search {

/// The target of a climb: jumps of one quantity at one transition.
struct Aim {
  std::string transition;
  std::size_t quantity;
};

/// Returns, for each path, the finding with the largest jump of quantity `aim.quantity` at transition `aim.transition`.
/// If a path has no such jump, the sizes of its finding are 0.
std::vector<Finding> best_of_each(Probe& probe, Table const& paths, Aim const& aim);

/// The time limit of a search.
class Late {
 public:
  explicit Late(ContinuityOptions const& options) : seconds_(options.seconds), stop_(options.stop) {}
  /// Returns true if this fraction of the time limit is used up, or the search was stopped.
  bool operator()(double share = 1) const { return (seconds_ > 0 && elapsed() > share * seconds_) || stopped(stop_); }
  /// Returns true after twice the time limit: then even jumps that were found are not confirmed any more.
  bool at_last() const { return (*this)(2); }
  double elapsed() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count(); }

 private:
  double seconds_;
  std::atomic<bool> const* stop_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

/// Returns a score per row of a table of candidates.
using Score = std::function<std::vector<double>(Table const& candidates)>;

/// Improves a path by random changes (hill climbing). `best` is the score of the path. Updates path and score.
void climb(Laboratory const& lab, Table& path, double& best, Random& random, int generations, Late const& late,
           Score const& score);

/// Returns a simple, readable path that still has a jump of size `enough` or more, of the quantity and at the
/// transition of `aim`. Stops early if the time is over.
Table simplified(Probe& probe, Table path, Aim const& aim, double enough, Late const& late);

}  // namespace demeter::path_search
