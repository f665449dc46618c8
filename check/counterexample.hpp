// Shrinking of failures to the simplest case that still fails about as badly.
#pragma once

#include "check/trial.hpp"

#include <atomic>
#include <chrono>
#include <optional>

namespace demeter {

/// The time limit for shrinking the counterexamples of one subject, summed over all threads. When it is over, the
/// simplest cases found so far are the result.
class Patient {
 public:
  explicit Patient(double seconds) : left_(seconds) {}
  bool over() const { return left_.load() <= 0; }
  /// Runs `work` and subtracts its time from the limit.
  template <class Work>
  auto operator()(Work const& work) {
    auto const begin = std::chrono::steady_clock::now();
    auto result = work();
    left_ -= std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return result;
  }

 private:
  std::atomic<double> left_;
};

/// Shrinks a broken law. Returns nothing if none of the law's random choices shows the violation.
std::optional<LawCheck::Counterexample> shrink_law(Trial const& trial, Patient& patience, std::size_t subject,
                                                   std::size_t law, Example const& example);

/// Shrinks a failure of an output.
Example shrink_failure(Trial const& trial, Patient& patience, std::size_t subject, std::size_t budget,
                       Example const& example);

}  // namespace demeter
