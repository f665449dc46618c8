// The results of many versions in a folder: one file per commit and date, and what changed at which version.
#pragma once

#include "reports/compare.hpp"
#include "reports/format/model.hpp"

#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace demeter::report {

/// One result of a history.
struct Version {
  std::string created;  ///< UTC, "2026-11-30T15:51:27Z"
  std::string commit, version, cpu;
};

/// The results of one subject and kernel in one version. Errors are relative to their own measure.
struct HistoryValue {
  std::size_t version = 0;
  Number everyday, degenerate;     ///< the largest error of the profile
  Number time;                     ///< nanoseconds per case: in cache, ordinary regime, all outputs
  std::optional<Interval> middle;  ///< the 95 % interval of the time
};

/// Significant changes of one subject and kernel from one version to the next, by the rules of `demeter compare`.
struct Step {
  std::size_t version = 0;  ///< the first version with the change
  std::string kernel, subject;
  bool is_speed = false;              ///< otherwise of accuracy or laws
  std::size_t worse = 0, better = 0;  ///< numbers of results
  std::string first;                  ///< the first of them as a sentence, the worse ones first
  bool is_of_machine = false;         ///< a comparison routine of the kernel changed its speed too
};

struct History {
  using Key = std::pair<std::string, std::string>;  ///< kernel and subject

  std::vector<Version> versions;  ///< the oldest first
  std::map<Key, std::vector<HistoryValue>> values;
  std::vector<Step> steps;                                   ///< the oldest first
  std::vector<std::pair<std::size_t, std::string>> remarks;  ///< about the comparison of a version with the one before
  std::vector<std::string> skipped;                          ///< files that are not results, one line each
};

/// Builds a history from results that are added in the order of their dates.
class HistoryBuilder {
 public:
  /// Adds the results of a version. Kernels that another result of the same date and commit has are left out. Returns
  /// the first mistake, or nothing.
  std::optional<std::string> add(Json const& results);
  History take() { return std::move(history_); }

 private:
  using Run = std::shared_ptr<Recorded const>;
  enum class Kind { accuracy, speed };

  void add_values(Recorded const& run, std::size_t version);
  void add_steps(Run const& run, std::size_t version, Kind kind, std::map<std::string, Run>& last);
  void keep_findings(Comparison const& comparison, std::size_t version);

  History history_;
  std::map<std::string, Run> last_checked_, last_timed_;  ///< by kernel; by kernel and CPU
  std::set<std::string> seen_;                            ///< dates, commits and kernels
};

/// Returns the results without single cases, mutants and paths: what a history needs, in the format of results.json.
Json for_history(Json const& results);

/// Writes the results into a folder, as a file whose name is made of their date and commit. Files that are there stay
/// as they are. Returns the reason if this is not possible.
std::optional<std::string> keep_in_history(Json const& results, std::filesystem::path const& folder);

/// Returns the history of all results in a folder. Files that cannot be read are listed in `skipped`.
History read_history(std::filesystem::path const& folder);

}  // namespace demeter::report
