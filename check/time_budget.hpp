// The time limits of subjects in one check.
#pragma once

#include "kernels/subject.hpp"

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <thread>
#include <vector>

namespace demeter {

/// Ends the waiting for subjects that are not part of Demeter. For all of them this happens after `hard_seconds`. For a
/// subject with timeouts it happens when asking the subject has taken `share` seconds, summed over all threads. A
/// caller that waits for such a subject continues without its answer. The destructor allows the subjects to be asked
/// again.
class TimeBudget {
 public:
  using Clock = std::chrono::steady_clock;

  /// `hard_seconds` 0: no limit. The arguments must outlive the object.
  TimeBudget(std::vector<Subject const*> const& subjects, double share, double hard_seconds);
  TimeBudget(TimeBudget const&) = delete;
  TimeBudget& operator=(TimeBudget const&) = delete;
  ~TimeBudget();

  /// Counts the time during which a subject is asked, from construction to destruction.
  class Asking {
   public:
    Asking(TimeBudget* budget, std::size_t subject) : budget_(budget), subject_(subject) {
      if (budget_ != nullptr) budget_->begin(subject_, begin_);
    }
    Asking(Asking const&) = delete;
    Asking& operator=(Asking const&) = delete;
    ~Asking() {
      if (budget_ != nullptr) budget_->end(subject_, begin_);
    }

   private:
    TimeBudget* budget_;
    std::size_t subject_;
    Clock::time_point begin_ = Clock::now();
  };

 private:
  void begin(std::size_t subject, Clock::time_point when);
  void end(std::size_t subject, Clock::time_point when);
  void watch();

  std::vector<Subject const*> const& subjects_;
  double share_, hard_seconds_;
  Clock::time_point begin_ = Clock::now();
  std::mutex mutex_;
  std::condition_variable wake_;
  bool over_ = false;
  std::vector<double> spent_;
  std::vector<std::vector<Clock::time_point>> asked_since_;  ///< per subject: the start times of the calls in progress
  std::thread watcher_;
};

}  // namespace demeter
