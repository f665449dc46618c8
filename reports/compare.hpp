// Comparison of two recorded runs: worse, better and missing results.
#pragma once

#include "reports/format/records.hpp"
#include "reports/junit.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace demeter {

/// The parts of a results.json, a `check --json` or a `bench --json` that are compared. Text that is not recorded is
/// empty.
struct Recorded {
  /// A row of the results with its kernel and subject.
  template <class Row>
  struct Of {
    std::string kernel, subject;
    Row row;
  };

  std::string version, commit, seed, cpu, compiler, flags, reference_workload;
  bool checked = false, timed = false;  ///< whether it has accuracy and laws, and whether it has timings
  std::vector<std::string> levels;      ///< instruction sets of the machine; empty if not recorded
  std::map<std::string, std::string> missing_peers;
  std::vector<std::pair<std::string, std::string>> pairs;  ///< kernel and subject of everything that was checked or
                                                           ///< timed
  /// Accepted failures count as failures. Errors that are NaN count as infinite.
  std::vector<Of<report::Accuracy>> accuracy;
  std::vector<Of<report::LawResult>> laws;
  std::vector<Of<report::Timing>> timings;
  std::vector<report::Kernel> kernels;  ///< the kernels as they were read, for a page; none for a `bench --json`
  /// The names that subjects had before they were matched with those of another run, by kernel and new name.
  std::map<std::pair<std::string, std::string>, std::string> former_names;
  std::vector<std::string> remarks;  ///< about the choice of subjects
};

/// Reads any of the three forms strictly. Returns the first mistake with its place ("kernels[0].subjects[2].name:
/// expected a string, found 3"), or nothing.
std::optional<std::string> read_recorded(nlohmann::ordered_json const& json, Recorded& into);

/// Adds the samples of another run of the same program to the samples of `into`.
void append_samples(Recorded& into, Recorded const& more);

struct CompareOptions {
  enum class Speed { automatic, always, never };
  Speed speed = Speed::automatic;  ///< automatic: only on the same CPU
  bool allow_gone = false;         ///< a result that only OLD has is not a regression
  bool interleaved = false;        ///< the two runs alternated: timings are normalised even if the compilers differ
  double error_factor = 1.5;       ///< a maximum or mean is a regression if it grew by more than this factor ...
  double maximum_share = 1.0 / 4;  ///< ... and the maximum exceeds this share of the budget,
  double mean_share = 1.0 / 16;    ///< or the mean this share
  double slower = 1.10;            ///< ratio of the medians
  double significance = 0.01;      ///< significance level of all timings together
  std::size_t repetitions = 9;     ///< minimum number of repetitions on both sides
  /// Names of the two subjects, if two subjects are compared instead of two versions.
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
  double level = 0;                                   ///< a timing is significantly slower below this p
  bool gone_counts = true;
  bool are_subjects = false;  ///< two subjects were compared, not two versions

  std::size_t count(Finding::Kind kind) const;
  /// Returns the number of findings that make the comparison fail.
  std::size_t regressions() const;
};

/// Returns the comparison of two runs by the rules in `options`; rules_text() prints these rules.
Comparison compare(Recorded const& old_run, Recorded const& new_run, CompareOptions const& options);

/// Returns the rules as text, one line per rule: "accuracy: ...".
std::vector<std::string> rules_text(CompareOptions const& options);

/// Returns the word for a kind of finding: "REGRESSION", or "WORSE" if two subjects are compared.
std::string_view kind_word(Finding::Kind kind, bool are_subjects);

/// Returns a finding as text: "REGRESSION segment_distance fast@avx2 law swap: newly broken in 3 of 200 cases".
std::string finding_text(Finding const& finding, bool are_subjects = false);

/// Returns one sentence per kernel of either run, with the kernel: what changed and what did not.
std::vector<std::pair<std::string, std::string>> sentences(Comparison const& comparison, Recorded const& old_run,
                                                           Recorded const& new_run);

/// Returns the number of findings by kind: "2 regressions, 0 gone, 1 better, 0 new".
std::string counts_text(Comparison const& comparison);

nlohmann::ordered_json describe(Comparison const& comparison, Recorded const& old_run, Recorded const& new_run,
                                CompareOptions const& options);

/// Returns one suite per kernel and subject, with one case per compared item.
std::vector<junit::Suite> junit_suites(Comparison const& comparison);

}  // namespace demeter
