// Compares two recorded runs: finds results that became worse or better, are missing or are new.
#pragma once

#include "reports/format/records.hpp"
#include "reports/junit.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace demeter {

/// The parts of a results.json, a `check --json` or a `bench --json` that are compared. A text that the file does not
/// contain is empty.
struct Recorded {
  /// A row of the results with its kernel and subject.
  template <class Row>
  struct Of {
    std::string kernel, subject;
    Row row;
  };

  std::string version, commit, seed, cpu, compiler, flags, reference_workload;
  bool checked = false, timed = false;  ///< checked: contains accuracy and laws; timed: contains timings
  std::vector<std::string> levels;      ///< instruction sets of the machine; empty if the file does not contain them
  std::map<std::string, std::string> missing_peers;
  std::vector<std::pair<std::string, std::string>> pairs;  ///< kernel and subject of each check and each timing
  /// Accepted failures count as failures. Errors that are NaN count as infinite.
  std::vector<Of<report::Accuracy>> accuracy;
  std::vector<Of<report::LawResult>> laws;
  std::vector<Of<report::Timing>> timings;
  std::vector<report::Kernel> kernels;  ///< the kernels as they were read, for a page; empty for a `bench --json`
  /// The former names of subjects that were renamed to match another run. The key is the kernel and the new name.
  std::map<std::pair<std::string, std::string>, std::string> former_names;
  std::vector<std::string> remarks;  ///< remarks for the user about the choice of subjects
};

/// Reads one of these three files. Returns the first mistake with its place, or nothing: "kernels[0].subjects[2].name:
/// expected a string, found 3".
std::optional<std::string> read_recorded(nlohmann::ordered_json const& json, Recorded& into);

/// Adds the samples of another run of the same program to the samples of `into`.
void append_samples(Recorded& into, Recorded const& more);

struct CompareOptions {
  enum class Speed { automatic, always, never };
  Speed speed = Speed::automatic;  ///< automatic: speed is compared only on the same CPU
  bool allow_gone = false;         ///< a result that only OLD has is not a regression
  bool interleaved = false;        ///< the two runs alternated: timings are normalised even if the compilers differ
  double error_factor = 1.5;       ///< an error is a regression if it grew by more than this factor and is not small
  double maximum_share = 1.0 / 4;  ///< a maximum error is small up to this share of the budget
  double mean_share = 1.0 / 16;    ///< a mean error is small up to this share of the budget
  double slower = 1.10;            ///< a timing is slower if the ratio of the medians exceeds this number
  double significance = 0.01;      ///< significance level of all timings together
  std::size_t repetitions = 9;     ///< minimum number of repetitions in each of the two runs
  /// The names of two subjects. Both are empty if two versions of the same subjects are compared.
  std::string first, second;

  bool are_subjects() const { return !first.empty(); }
};

struct Finding {
  enum class Kind { regression, gone, improvement, added, note };
  Kind kind = Kind::note;
  std::string kernel, subject;  ///< empty for a finding about the whole run
  std::string what;             ///< "accuracy typical distance", "law swap", "speed cache typical all", ...
  std::string text;
};
constexpr std::array<std::string_view, 5> labels(Finding::Kind) {
  return {"REGRESSION", "GONE", "better", "new", "note"};
}

struct Comparison {
  std::vector<Finding> findings;  ///< regressions first, notes last
  /// Everything that was compared: kernel, subject, what.
  struct Item {
    std::string kernel, subject, what;
  };
  std::vector<Item> compared;
  std::uint64_t accuracy = 0, laws = 0, timings = 0;  ///< number of compared rows of each kind
  double level = 0;                                   ///< the strictest significance level of a single timing
  bool gone_counts = true;
  bool are_subjects = false;  ///< two subjects were compared, not two versions

  std::size_t count(Finding::Kind kind) const;
  /// Returns the number of findings that make the comparison fail.
  std::size_t regressions() const;
};

/// Returns the comparison of two runs by the rules in `options`. rules_text() returns these rules as text.
Comparison compare(Recorded const& old_run, Recorded const& new_run, CompareOptions const& options);

/// Returns the rules as text, one line per rule: "accuracy: ...".
std::vector<std::string> rules_text(CompareOptions const& options);

/// Returns the word for a kind of finding: "REGRESSION", or "WORSE" if two subjects are compared.
std::string_view kind_word(Finding::Kind kind, bool are_subjects);

/// Returns a finding as text: "REGRESSION segment_distance fast@avx2 law swap: newly broken in 3 of 200 cases".
std::string finding_text(Finding const& finding, bool are_subjects = false);

/// Returns pairs of a kernel and a sentence: the sentence says what changed in this kernel, and what did not. There is
/// one pair for each kernel of either run.
std::vector<std::pair<std::string, std::string>> sentences(Comparison const& comparison, Recorded const& old_run,
                                                           Recorded const& new_run);

/// Returns the number of findings by kind: "2 regressions, 0 gone, 1 better, 0 new".
std::string counts_text(Comparison const& comparison);

nlohmann::ordered_json describe(Comparison const& comparison, Recorded const& old_run, Recorded const& new_run,
                                CompareOptions const& options);

/// Returns one suite per kernel and subject, with one case per compared item.
std::vector<junit::Suite> junit_suites(Comparison const& comparison);

}  // namespace demeter
