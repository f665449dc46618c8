// Options and results of a check.
#pragma once

#include "check/accuracy.hpp"
#include "check/calling_types.hpp"
#include "check/failures.hpp"
#include "check/identify.hpp"
#include "check/law_check.hpp"

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace demeter {

/// A failed case, for a comparison with a baseline: an output over its budget, a crash, a timeout or a broken law.
struct FailingCase {
  std::size_t subject = 0, regime = 0;  ///< index of the subject in the list of the check
  std::optional<std::size_t> budget, law;
  Table const& cases;
  std::size_t row = 0;
  double error = 0;
};

struct CheckOptions {
  std::uint64_t seed = 1;
  std::uint64_t cases = 100'000;    ///< number of cases per regime; proportionally fewer if a case has more than 128
                                    ///< numbers
  std::uint64_t law_cases = 5'000;  ///< number of cases per law and regime
  /// The tolerance of all subjects; nothing: each has its default tolerance.
  std::optional<Held> held{};
  unsigned jobs = 1;
  std::vector<std::size_t> regimes;  ///< indices of the regimes to check; empty: all
  Sizes sizes = {};                  ///< sizes of everyday and degenerate cases
  /// The profiles whose failures fail a subject. Failures in other profiles are only counted and shown. Empty: all.
  std::vector<Profile> deciding = {};
  bool every_case = false;  ///< do not reduce the number of cases if a case has many numbers
  bool shrink = true;
  /// Whether to measure the difference between the subject's formula and the recommended formula. This costs one more
  /// truth per case.
  bool model_distance = true;
  /// Time limit in seconds, summed over all threads, for shrinking the counterexamples of one subject. 0: derived from
  /// `seconds`.
  double shrink_seconds = 0;
  /// Time limit in seconds for drawing cases, from the start of the check; 0: no limit. When it ends, all regimes have
  /// about the same number of cases. Some cases of every regime are always tried. Asking one subject takes at most its
  /// share of this time, summed over all threads (`share_of_time`). Shrinking its counterexamples takes at most the
  /// same time.
  double seconds = 0;
  /// Time limit in seconds; 0: no limit. After this time the check does not wait for any subject. A subject that has
  /// timed out is given up earlier: when it has used up its share of `seconds`.
  double hard_seconds = 0;
  /// Returns whether a failure is accepted. An accepted failure counts only as known. Called from several threads at
  /// the same time.
  std::function<bool(FailingCase const&)> known;
  /// Fewer cases are drawn if they have many numbers. If this is true, at least as many are drawn as a verdict needs,
  /// up to `cases` per regime.
  bool for_a_verdict = false;
  /// After the time limit, continues with regimes of deciding profiles that have too few judged cases for a verdict,
  /// for at most `most_overtime` times `seconds`.
  bool until_enough = false;
  static constexpr double most_overtime = 10;
  /// Whether cases that the subject declines count like judged cases.
  bool declining_allowed = false;
  /// Whether call patterns are tested. These tests come first and take at most half of `seconds`.
  bool calls = false;
  /// Returns whether a failure with a call pattern is accepted. `subject` is the index in the list.
  std::function<bool(std::size_t subject, Way)> known_call{};
  /// Called from time to time with the fraction done. The caller may be any thread of the check, but there is only one
  /// call at a time.
  std::function<void(double done, std::string const& what)> progress;
  std::atomic<bool> const* stop = nullptr;  ///< once true: the check finishes what it has begun and returns the results
                                            ///< so far
  /// The database of failures. Failures found earlier are tried first. New failures are added when a block of cases
  /// shows them, and again when they have been shrunk. Null: nothing is stored.
  FailureDatabase* failures = nullptr;
};

struct SubjectCheck {
  std::string subject;
  std::string formula;  ///< the formula by which the subject was judged, if one was named explicitly; its truth is not
                        ///< called certified
  std::string model;    ///< the formula whose difference from the recommended formula is in `accuracy`; empty: none
  /// The formula that the answers of the subject show, if it was looked for: see identify().
  std::optional<Identified> identified{};
  std::vector<AccuracyCell> accuracy;
  std::vector<LawCheck> laws;
  std::vector<Sizing> sizes;  ///< statistics by size, one entry per regime, in the order of the check
  /// A shrunk failure: index of the budget, and the case. There is one for each regime in which a budget failed.
  struct Failure {
    std::size_t budget;
    Example example;
  };
  std::vector<Failure> failures;
  CallCheck calls;  ///< results of the tests of call patterns

  std::uint64_t recorded = 0;                  ///< number of failures of earlier checks that were tried again
  std::vector<RecordedFailure> still_failing;  ///< the recorded failures that fail again
  bool recorded_decide = false;                ///< true if one of `still_failing` belongs to a regime that decides
  std::string left_out;                        ///< message about an output that some answers leave out, in regimes that
                                               ///< decide; empty: none
  std::uint64_t strays = 0;                    ///< number of lines of the subject that answer no case: see Strays
  std::string first_stray;
  std::string not_a_verdict;       ///< why a check without a failure is not a verdict: see why_not_a_verdict(); empty:
                                   ///< it is a verdict
  std::vector<std::string> notes;  ///< why the failure database could not be used

  bool answers_passed() const;  ///< true if no case, law, call pattern or recorded failure failed where failures decide
  /// Returns true if nothing failed. This is not a verdict if too few cases were judged: see `not_a_verdict`.
  bool passed() const { return answers_passed() && strays == 0; }
  std::uint64_t undecided() const;  ///< number of undecided verdicts in regimes that decide
  bool answered_nothing() const;    ///< true if nothing failed but no case was judged in a regime that decides: then
                                    ///< there is no verdict
};

}  // namespace demeter
