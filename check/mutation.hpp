// The mutation score: whether the check notices each of a kernel's mutants, and what it takes to.
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
  /// Cases a regime, round by round; a mutant that survives one round goes into the next. The first are fewer than a
  /// vector holds and no multiple of one; the last is what `demeter check` does by itself. Laws get as many cases as
  /// the oracle in small rounds, a tenth in large ones.
  std::vector<std::uint64_t> rounds = {7, 257, 2049, 20'000};
  /// Cases a regime, oracle and laws alike, to tell what each of them finds alone; divided by
  /// `Kernel::case_divisor`.
  std::uint64_t survey_cases = 257;
  /// Whether the mutants of how a subject is called, which every kernel has, are tried too.
  bool calls = false;
  double survey_seconds = 0;  ///< the survey gets as many cases as take about this long at most; 0: as they take
  /// What mutants are held to. Those that are named as within a tolerance of `double` may survive that.
  Held held{};
  bool drawn_only = false;  ///< without the recorded cases: regimes and laws are to kill alone
  unsigned jobs = 1;
  std::function<void(double done, std::string const& what)> progress;
  std::atomic<bool> const* stop = nullptr;
};

/// What found a mutant first.
struct Kill {
  enum class By { budget, law };
  By by = By::budget;
  std::size_t regime = 0;
  std::size_t index = 0;    ///< of the budget or the law
  double size = 0;          ///< the error in units of the budget's measure, or the violation in tolerances
  std::uint64_t cases = 0;  ///< cases drawn up to and with the block that found it
};

struct MutantScore {
  std::optional<Kill> kill;
  bool may_survive = false;       ///< it is known to stay within what it is held to
  std::uint64_t cases = 0;        ///< drawn for it in the search for a kill
  double seconds = 0;             ///< of that search: its share of those for several at once
  bool budget_exceeded = false;   ///< in the survey
  std::vector<std::size_t> laws;  ///< broken in the survey
};

/// A mutant of how a subject is called, which has to be killed by calling it (see call_in_every_way()).
struct CallMutantScore {
  std::string name, change, source;
  std::optional<CallFinding> kill;
  std::uint64_t cases = 0, calls = 0;
  double seconds = 0;
};

struct MutationScore {
  std::string kernel;
  std::vector<MutantScore> mutants;  ///< as `Mutants::each`
  std::vector<CallMutantScore> calls;
  std::uint64_t survey_cases = 0;  ///< a regime
  bool right_passes = true;        ///< the implementation without a defect
  std::string right_fails;         ///< what it fails, if it does
  /// By law: how many mutants break it, and how many of the implementations of `Kernel` that run in this process.
  std::vector<std::size_t> breaking_mutants, breaking_implementations;
  double seconds = 0;

  std::size_t killed() const;  ///< all together
  std::size_t all() const { return mutants.size() + calls.size(); }
  std::size_t killed_by_laws() const;     ///< in the survey, by laws alone
  std::size_t killed_by_budgets() const;  ///< in the survey, by the oracle alone
  /// Laws that nothing breaks: they test nothing.
  std::vector<std::size_t> idle_laws() const;
  /// All killed that may not survive, and the implementation without a defect passes. (Idle laws are a remark, not a
  /// failure.)
  bool passed() const;
};

/// Runs the check on each mutant until something fails, then surveys what the oracle and the laws find alone.
MutationScore mutation_score(Kernel const& kernel, Mutants const& mutants, MutationOptions const& options);

/// The first thing that failed in a check: a budget, otherwise a law.
std::optional<Kill> first_failure(SubjectCheck const& check);

/// "typical: distance" or "law swap (in typical)".
std::string kill_text(Kernel const& kernel, Kill const& kill);

}  // namespace demeter
