// The time that subjects have in one check.
#pragma once

#include "kernels/subject.hpp"

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <thread>
#include <vector>

namespace demeter {

/// Ends the time of subjects that are not ours: of all of them after `hard_seconds`, and of one that has timed out once
/// it has been asked for `share` seconds, on all threads together. Who waits for such a subject goes on without it. The
/// subjects have their time back when this ends.
class TimeBudget {
 public:
  using Clock = std::chrono::steady_clock;

  /// `hard_seconds` 0: no limit. What it is given must outlive it.
  TimeBudget(std::vector<Subject const*> const& subjects, double share, double hard_seconds);
  TimeBudget(TimeBudget const&) = delete;
  TimeBudget& operator=(TimeBudget const&) = delete;
  ~TimeBudget();

  /// While it lives a subject is being asked.
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
  std::vector<std::vector<Clock::time_point>> asked_since_;  ///< of each subject, of those who ask it now
  std::thread watcher_;
};

}  // namespace demeter
