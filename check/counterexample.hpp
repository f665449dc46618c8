// What is shown of a failure: the smallest case that still fails as badly.
#pragma once

#include "check/trial.hpp"

#include <atomic>
#include <chrono>
#include <optional>

namespace demeter {

/// How long counterexamples of a subject may be shrunk, all together and by all threads, if time is limited: what has
/// been found by then is shown.
class Patient {
 public:
  explicit Patient(double seconds) : left_(seconds) {}
  bool over() const { return left_.load() <= 0; }
  /// Counts what `work` takes.
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

/// Of a broken law; nothing if none of the law's random choices shows the breach.
std::optional<LawCheck::Counterexample> shrink_law(Trial const& trial, Patient& patience, std::size_t subject,
                                                   std::size_t law, Example const& example);

/// Of an output over its budget.
Example shrink_failure(Trial const& trial, Patient& patience, std::size_t subject, std::size_t budget,
                       Example const& example);

}  // namespace demeter
