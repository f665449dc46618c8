// Two recorded runs side by side: what got worse, what got better, what is gone.
#pragma once

#include "reports/format/records.hpp"
#include "reports/junit.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace demeter {

/// What a results.json, a `check --json` or a `bench --json` says, as far as runs are compared. Text that is not
/// recorded is empty.
struct Recorded {
  /// A row of the results, and whose it is.
  template <class Row>
  struct Of {
    std::string kernel, subject;
    Row row;
  };

  std::string version, commit, seed, cpu, compiler, flags, reference_workload;
  bool checked = false, timed = false;  ///< whether it has accuracy and laws, and timings
  std::vector<std::string> levels;      ///< instruction sets of the machine; empty if not recorded
  std::map<std::string, std::string> missing_peers;
  std::vector<std::pair<std::string, std::string>> pairs;  ///< kernel and subject, each that was checked or timed
  /// Accepted failures count as failures, errors that are NaN as infinite.
  std::vector<Of<report::Accuracy>> accuracy;
  std::vector<Of<report::LawResult>> laws;
  std::vector<Of<report::Timing>> timings;
  std::vector<report::Kernel> kernels;  ///< as they were read, for a page; none of a `bench --json`
};

/// Reads any of the three forms, strictly. Returns the first mistake and where it is ("kernels[0].subjects[2].name:
/// expected a string, found 3"), or nothing.
std::optional<std::string> read_recorded(nlohmann::ordered_json const& json, Recorded& into);

/// Adds the samples of another run of the same program to `into`'s.
void append_samples(Recorded& into, Recorded const& more);

struct CompareOptions {
  enum class Speed { automatic, always, never };
  Speed speed = Speed::automatic;  ///< automatic: on the same CPU only
  bool allow_gone = false;         ///< what only OLD has is no regression
  bool interleaved = false;        ///< the two took turns: other compilers are no reason not to normalise
  double error_factor = 1.5;       ///< a maximum or mean that grew by more than this ...
  double maximum_share = 1.0 / 4;  ///< ... and exceeds this share of the budget,
  double mean_share = 1.0 / 16;    ///< the mean this one
  double slower = 1.10;            ///< ratio of the medians
  double significance = 0.01;      ///< of all timings together
  std::size_t repetitions = 9;     ///< at least, on either side
};

struct Finding {
  enum class Kind { regression, gone, improvement, added, note };
  Kind kind = Kind::note;
  std::string kernel, subject;  ///< empty where it is about the whole
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
  std::uint64_t accuracy = 0, laws = 0, timings = 0;  ///< how many of each were compared
  double level = 0;                                   ///< the p below which one timing is slower
  bool gone_counts = true;

  std::size_t count(Finding::Kind kind) const;
  /// What makes the comparison fail.
  std::size_t regressions() const;
};

/// The rules, for a summary and for JSON, follow from `options`; see `rules_text`.
Comparison compare(Recorded const& old_run, Recorded const& new_run, CompareOptions const& options);

/// "accuracy: ...", one line a rule.
std::vector<std::string> rules_text(CompareOptions const& options);

/// "REGRESSION segment_distance fast@avx2 law swap: newly broken in 3 of 200 cases".
std::string finding_text(Finding const& finding);

nlohmann::ordered_json describe(Comparison const& comparison, Recorded const& old_run, Recorded const& new_run,
                                CompareOptions const& options);

/// One suite a kernel and subject, one case each item compared.
std::vector<junit::Suite> junit_suites(Comparison const& comparison);

}  // namespace demeter
