// The mutation score: does the check detect each mutant of a kernel, and with how many cases?
#pragma once

#include "check/check.hpp"
#include "kernels/mutant.hpp"

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace demeter {

struct MutationOptions {
  std::uint64_t seed = 1;
  /// Cases per regime in each round. A mutant that survives a round is tried in the next one. The first round has 7
  /// cases, fewer than a vector register of 8 lanes holds. The last round has as many cases as `demeter check` by
  /// default. In small rounds each law is tested on all these cases, in large rounds on a tenth of them, but on at
  /// least 512.
  std::vector<std::uint64_t> rounds = {7, 257, 2049, 20'000};
  /// Cases per regime in the survey, for the oracle and for each law. The survey shows what oracle and laws detect
  /// separately. The number is divided by `Kernel::case_divisor`.
  std::uint64_t survey_cases = 257;
  /// Whether the mutants of call patterns, which every kernel has, are tried too.
  bool calls = false;
  double survey_seconds = 0;  ///< time limit in seconds: the survey has as many cases as fit; 0: no limit
  /// The tolerance of the mutants. A mutant that is declared to stay within the tolerance `double` may survive it.
  Held held{};
  bool drawn_only = false;  ///< use only drawn cases and no recorded ones: then regimes and laws must detect all
                            ///< mutants
  unsigned jobs = 1;
  std::function<void(double done, std::string const& what)> progress;
  std::atomic<bool> const* stop = nullptr;
};

/// The failure by which a mutant was first detected.
struct Kill {
  enum class By { budget, law };
  By by = By::budget;
  std::size_t regime = 0;
  std::size_t index = 0;    ///< index of the budget or law
  double size = 0;          ///< the error in units of the budget's measure, or the violation in units of the tolerance
  std::uint64_t cases = 0;  ///< cases drawn for the mutant up to the end of the regime and round that detected it
};

struct MutantScore {
  std::optional<Kill> kill;
  bool may_survive = false;       ///< the mutant is known to stay within the tolerance
  std::uint64_t cases = 0;        ///< number of cases drawn for the mutant in the search
  double seconds = 0;             ///< time of the search; if several mutants were searched together, the share of this
                                  ///< mutant
  bool budget_exceeded = false;   ///< an output exceeded its budget in the survey
  std::vector<std::size_t> laws;  ///< laws that the mutant broke in the survey
};

/// A mutant of call patterns. Only a test of call patterns can detect it (see call_in_every_way()).
struct CallMutantScore {
  std::string name, change, source;
  std::optional<CallFinding> kill;
  std::uint64_t cases = 0, calls = 0;
  double seconds = 0;
};

struct MutationScore {
  std::string kernel;
  std::vector<MutantScore> mutants;  ///< in the order of `Mutants::each`
  std::vector<CallMutantScore> calls;
  std::uint64_t survey_cases = 0;  ///< cases per regime in the survey
  bool right_passes = true;        ///< false if the implementation without a defect fails
  std::string right_fails;         ///< text of this failure
  /// Per law: the number of mutants that break it, and the number of the kernel's own implementations that do.
  std::vector<std::size_t> breaking_mutants, breaking_implementations;
  double seconds = 0;

  std::size_t killed() const;  ///< number of detected mutants, including mutants of call patterns
  std::size_t all() const { return mutants.size() + calls.size(); }
  std::size_t killed_by_laws() const;     ///< number of mutants that break a law in the survey
  std::size_t killed_by_budgets() const;  ///< number of mutants that exceed a budget in the survey
  /// Returns the laws that no mutant and no implementation breaks. Such laws detect nothing.
  std::vector<std::size_t> idle_laws() const;
  /// Returns true if all mutants that must not survive are detected, and the implementation without a defect passes.
  /// Idle laws are not a failure.
  bool passed() const;
};

/// Checks each mutant until it fails. Then runs a survey of what the oracle and the laws detect separately.
MutationScore mutation_score(Kernel const& kernel, Mutants const& mutants, MutationOptions const& options);

/// Returns the first failure of a check: of a budget if there is one, otherwise of a law.
std::optional<Kill> first_failure(SubjectCheck const& check);

/// Returns "distance in typical" or "law swap in typical".
std::string kill_text(Kernel const& kernel, Kill const& kill);

}  // namespace demeter
