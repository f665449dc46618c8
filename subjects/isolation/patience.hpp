// How long a subject is borne with: one rule for libraries, which run in forked children, and for programs.
#pragma once

#include "kernels/limits.hpp"

#include <string>

namespace demeter {

/// Counts what goes wrong while a subject answers one table of cases, and says when to give it up. What went wrong in
/// the tables before counts too, where a `Patience` is given that remembers it.
class Forbearance {
 public:
  enum class Failure { crash, timeout };

  explicit Forbearance(Limits const& limits, Patience* patience = nullptr) : limits_(limits), patience_(patience) {
    if (patience == nullptr) return;
    before_ = {patience->crashes, patience->timeouts};
    hasty_ = patience->hasty(limits);
    if (patience->over(limits)) give_up(before_.timeouts, Failure::timeout);
  }

  /// What the subject has for a chunk of cases.
  std::chrono::milliseconds time() const { return hasty_ ? Patience::hasty_time(limits_) : limits_.time_per_chunk; }

  /// Only what costs a process or time is to be counted: the rest cannot take long.
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

  /// Those of this table.
  std::size_t failures() const { return here_.crashes + here_.timeouts; }
  bool given_up() const { return !why_.empty(); }
  /// "given up after 6 timeouts of the subject".
  std::string const& why() const { return why_; }

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
