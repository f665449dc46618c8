// Limits on the failures and the time of a subject. Libraries in forked children and programs have the same limits.
#pragma once

#include "kernels/subject.hpp"
#include "subjects/isolation/stop.hpp"

#include <string>

namespace demeter {

namespace isolation {

/// The reason why there is no answer.
struct Failure {
  Status status;
  std::string message;
};

/// Added to the count of timeouts to mark a subject as out of time. Larger than any real count.
constexpr std::size_t no_more_time = std::size_t{1} << 60;

/// Marks a subject as out of time: no thread waits for it or asks it until give_time_back() is called.
inline void end_time(Patience& patience) {
  if (patience.timeouts < no_more_time) patience.timeouts += no_more_time;
}
inline bool out_of_time(Patience const& patience) { return patience.timeouts >= no_more_time; }
inline void give_time_back(Patience& patience) {
  if (out_of_time(patience)) patience.timeouts -= no_more_time;
}

/// Returns the failure of a subject whose time was used up while we waited for its answer. After a wait of at least 5 s
/// it is a timeout. Otherwise it is `not_asked`, which does not count against the subject.
inline Failure waited_in_vain(std::chrono::nanoseconds waited) {
  constexpr std::chrono::seconds long_enough{5};
  auto const whole = std::chrono::duration_cast<std::chrono::seconds>(waited);
  if (waited >= long_enough)
    return {Status::timeout, "no answer within " + in_seconds(whole) + ", and its share of the time was used up"};
  return {Status::not_asked, "its share of the time was used up"};
}

}  // namespace isolation

/// Counts the failures of a subject while it answers a table of cases, and decides when to give it up. With a
/// `Patience`, failures in earlier tables count too.
class Forbearance {
 public:
  enum class Failure { crash, timeout };

  explicit Forbearance(Limits const& limits, Patience* patience = nullptr) : limits_(limits), patience_(patience) {
    if (patience == nullptr) return;
    before_ = {patience->crashes, patience->timeouts};
    hasty_ = patience->hasty(limits);
    if (patience->over(limits)) give_up(before_.timeouts, Failure::timeout);
    if (isolation::out_of_time(*patience)) why_ = "given up because its share of the time was used up";
  }

  /// Returns the time limit for a chunk of cases.
  std::chrono::milliseconds time() const { return hasty_ ? Patience::hasty_time(limits_) : limits_.time_per_chunk; }

  /// Counts a failure. A failure that costs neither a process nor time need not be counted.
  void count(Failure failure) {
    bool const timeout = failure == Failure::timeout;
    std::size_t const here = ++(timeout ? here_.timeouts : here_.crashes);
    std::size_t const all = here + (timeout ? before_.timeouts : before_.crashes);
    std::size_t least = 1;
    if (patience_ != nullptr) {
      ++(timeout ? patience_->timeouts : patience_->crashes);
      least = timeout ? Patience::least_timeouts : Patience::least_crashes;
    }
    if (all >= (timeout ? limits_.timeouts : limits_.crashes) && here >= least && !given_up()) give_up(all, failure);
  }

  /// Returns the number of failures in this table.
  std::size_t failures() const { return here_.crashes + here_.timeouts; }
  bool given_up() const { return !why_.empty(); }
  /// Returns true if the subject gets no further cases: it was given up, its time is used up, or the run was stopped.
  bool over() const {
    return given_up() || isolation::stopping() || (patience_ != nullptr && isolation::out_of_time(*patience_));
  }
  /// Returns the reason: "given up after 6 timeouts of the subject".
  std::string why() const {
    if (given_up()) return why_;
    return isolation::stopping() ? isolation::stopped : "given up because its share of the time was used up";
  }
  Patience* patience() const { return patience_; }

 private:
  struct Counts {
    std::size_t crashes = 0, timeouts = 0;
  };

  void give_up(std::size_t failures, Failure failure) {
    why_ = "given up after " + std::to_string(failures) + (failure == Failure::timeout ? " timeouts" : " crashes") +
           " of the subject";
  }

  Limits const& limits_;
  Patience* patience_;
  Counts before_, here_;
  bool hasty_ = false;
  std::string why_;
};

}  // namespace demeter
