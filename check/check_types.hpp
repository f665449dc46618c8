// What a check is asked, and what it found.
#pragma once

#include "check/accuracy.hpp"
#include "check/calling_types.hpp"
#include "check/failures.hpp"
#include "check/law_check.hpp"

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace demeter {

/// A case that failed, as a baseline of accepted failures looks at it: an output over its budget, crashed or timed out,
/// or a law broken.
struct FailingCase {
  std::size_t subject = 0, regime = 0;  ///< the subject's place in the list that is checked
  std::optional<std::size_t> budget, law;
  Table const& cases;
  std::size_t row = 0;
  double error = 0;
};

struct CheckOptions {
  std::uint64_t seed = 1;
  std::uint64_t cases = 100'000;    ///< a regime; fewer where a case has more than 128 numbers, in proportion
  std::uint64_t law_cases = 5'000;  ///< a law and regime
  /// What subjects are held to; nothing: each what it is held to by default.
  std::optional<Held> held{};
  unsigned jobs = 1;
  std::vector<std::size_t> regimes;  ///< empty: all
  Sizes sizes = {};                  ///< of everyday and degenerate cases
  /// Whose failures decide whether a subject passes; of other profiles they are counted and shown. Empty: all.
  std::vector<Profile> deciding = {};
  bool every_case = false;  ///< no fewer where a case has many numbers
  bool shrink = true;
  /// Whether the distance of a subject's formula from the recommended one is measured: a truth more for each.
  bool model_distance = true;
  /// Seconds that the counterexamples of one subject may be shrunk for, on all threads; 0: what `seconds` allows.
  double shrink_seconds = 0;
  /// After this time, which begins with the check, no more cases are drawn: every regime then has about as many as the
  /// others. Nor is a subject asked
  /// any more that takes over a quarter of it by itself, on all threads, and its counterexamples are shrunk for no
  /// longer than that. Some cases of every regime are tried all the same. 0: no limit.
  double seconds = 0;
  /// After this time no subject is waited for any more; 0: no limit. One that is hung has had its share before that: a
  /// subject that has timed out is given up when it has taken its share of `seconds`.
  double hard_seconds = 0;
  /// Whether a failure is accepted: it counts as known and as nothing else. Called from any thread, several at a time.
  std::function<bool(FailingCase const&)> known;
  /// Where a case has many numbers, draws as many all the same as a verdict needs, up to `cases` a regime.
  bool for_a_verdict = false;
  /// Once the time is over, goes on with the regimes of profiles that decide and in which too few cases were judged for
  /// a verdict, for at most `most_overtime` times `seconds`.
  bool until_enough = false;
  static constexpr double most_overtime = 10;
  /// Whether cases that the subject declines count as if they were judged.
  bool declining_allowed = false;
  /// Whether subjects that can be are called in every way. This comes first, and takes half of `seconds` at most.
  bool calls = false;
  /// As `known`, of what a subject (its place in the list) does wrong in a way of calling.
  std::function<bool(std::size_t subject, Way)> known_call{};
  /// Called now and then with the share that is done, from any thread but never two at a time.
  std::function<void(double done, std::string const& what)> progress;
  std::atomic<bool> const* stop = nullptr;  ///< set: finish what is begun and return what there is
  /// Failures found before are tried first, and new ones go there: as soon as a block of cases shows one, and once more
  /// when it has been shrunk. Null: nothing is kept.
  FailureDatabase* failures = nullptr;
};

struct SubjectCheck {
  std::string subject;
  std::string formula;  ///< by which it was judged, if one was named; the truth is then not called certified
  std::string model;    ///< the formula whose distance from the recommended one `accuracy` has; empty: none
  std::vector<AccuracyCell> accuracy;
  std::vector<LawCheck> laws;
  std::vector<Sizing> sizes;  ///< one for each regime, in the order of the check
  /// Shrunk, one for each regime in which a budget failed: index into the kernel's budgets and the case.
  struct Failure {
    std::size_t budget;
    Example example;
  };
  std::vector<Failure> failures;
  CallCheck calls;  ///< whether its answers depend on how it is asked

  std::uint64_t recorded = 0;                  ///< failures of earlier checks that were tried again
  std::vector<RecordedFailure> still_failing;  ///< those of them that fail again
  bool recorded_decide = false;                ///< one of these is of a regime that decides
  std::string left_out;                        ///< an output left out in some answers of a regime that decides
  std::uint64_t strays = 0;                    ///< things that it has ever said and that answer no case; see Strays
  std::string first_stray;
  std::string not_a_verdict;       ///< why a check without a failure is not one: see why_not_a_verdict()
  std::vector<std::string> notes;  ///< why the failure database was of no use

  bool answers_passed() const;  ///< nothing failed in what it answers, where that decides
  bool passed() const { return answers_passed() && strays == 0; }  ///< may be little: `not_a_verdict`
  std::uint64_t undecided() const;                                 ///< of regimes that decide
  bool answered_nothing() const;                                   ///< nothing was judged: no verdict
};

}  // namespace demeter
