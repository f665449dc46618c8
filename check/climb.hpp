// Paths made better by random changes, and jumps made small and readable.
#pragma once

#include "check/path_scan.hpp"
#include "kernels/random.hpp"

#include <chrono>
#include <functional>

namespace demeter::path_search {

/// What a search climbs on: jumps at one transition, of one quantity.
struct Aim {
  std::string transition;
  std::size_t quantity;
};

/// The largest finding of each path that the aim means; a size of 0 where there is none.
std::vector<Finding> best_of_each(Probe& probe, Table const& paths, Aim const& aim);

/// Whether a search has taken the time that it may.
class Late {
 public:
  explicit Late(ContinuityOptions const& options) : seconds_(options.seconds), stop_(options.stop) {}
  /// Or a share of that time.
  bool operator()(double share = 1) const { return (seconds_ > 0 && elapsed() > share * seconds_) || stopped(stop_); }
  /// Too late even for what makes sure of what was found.
  bool at_last() const { return (*this)(2); }
  double elapsed() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count(); }

 private:
  double seconds_;
  std::atomic<bool> const* stop_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

/// A score of each row of a table of candidates.
using Score = std::function<std::vector<double>(Table const& candidates)>;

/// Hill climbing by random changes of a path, from one that scores `best`. Both are replaced.
void climb(Laboratory const& lab, Table& path, double& best, Random& random, int generations, Late const& late,
           Score const& score);

/// A small readable path with a jump of at least `enough` where the aim wants it, as far as there is time.
Table simplified(Probe& probe, Table path, Aim const& aim, double enough, Late const& late);

}  // namespace demeter::path_search
