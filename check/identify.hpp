// Finds out which formula a subject implements, for kernels whose formulas are composed of choices. The answers to a
// few hundred everyday cases are compared with every combination of choices.
#pragma once

#include "kernels/kernel.hpp"

#include <atomic>
#include <optional>
#include <string>
#include <vector>

namespace demeter {

/// A choice that the answers do not determine: several values fit all of them.
struct OpenChoice {
  std::string choice;
  std::vector<std::string> values;
};

/// The formula that a subject implements, as far as its answers show.
struct Identified {
  std::size_t formula = 0;         ///< index in `Kernel::formulas`: the formula that agrees in most cases
  std::size_t agree = 0;           ///< number of cases in which it agrees
  std::size_t answered = 0;        ///< number of cases that the subject answered
  std::size_t recommended = 0;     ///< number of cases in which the recommended formula agrees
  std::vector<OpenChoice> open;    ///< choices that are not determined
  std::optional<Table> telling{};  ///< a case without an answer that would determine one of them

  /// Returns true if the formula agrees in at least 95 % of the answered cases.
  bool fits() const { return answered > 0 && 20 * agree >= 19 * answered; }
  double share() const { return static_cast<double>(agree) / static_cast<double>(answered); }
};

struct IdentifyOptions {
  std::uint64_t seed = 1;
  std::uint64_t cases = 40;  ///< number of cases per regime
  Sizes sizes = {};
  std::atomic<bool> const* stop = nullptr;
};

/// Returns the formula of a subject. Returns nothing if the kernel has no choices, if the subject answers too few
/// cases, or if the search is stopped. A formula agrees with an answer if every output is within the tolerance for the
/// format of the subject (`double` or `float`).
std::optional<Identified> identify(Kernel const& kernel, Subject const& subject, IdentifyOptions const& options);

/// Returns the index of the formula by which an identified subject is judged. A mistake is replaced by the nearest
/// formula that is a model. If no formula fits and the nearest one agrees in less than half of the cases, or no more
/// often than the recommended one, returns 0.
std::size_t judging_formula(Kernel const& kernel, Identified const& identified);

}  // namespace demeter
