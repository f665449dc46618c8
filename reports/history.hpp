// The history of the results in a folder: one file per date and commit. Finds the changes from each version to the
// next.
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

/// A version whose results are in a history.
struct Version {
  std::string created;  ///< UTC, "2026-11-30T15:51:27Z"
  std::string commit, version, cpu;
};

/// The results of one subject for one kernel in one version. Each error is relative to the measure of its output.
struct HistoryValue {
  std::size_t version = 0;
  Number everyday, degenerate;     ///< largest error in the regimes of each profile
  Number time;                     ///< time per case, ns: cases in cache, all outputs, in the regime "typical" if it
                                   ///< was timed
  std::optional<Interval> middle;  ///< the 95 % confidence interval of the median time
};

/// Significant changes of one subject for one kernel, from one version to the next. The rules of `demeter compare`
/// decide which changes are significant.
struct Step {
  std::size_t version = 0;  ///< the first version that has the change
  std::string kernel, subject;
  bool is_speed = false;              ///< true: changes of speed; false: changes of accuracy or laws
  std::size_t worse = 0, better = 0;  ///< number of results that became worse, and number that became better
  std::string first;                  ///< the first change, as a sentence; a change for the worse comes first
  bool is_of_machine = false;         ///< the speed of a comparison routine changed too, so the machine is the probable
                                      ///< cause
};

struct History {
  using Key = std::pair<std::string, std::string>;  ///< kernel and subject

  std::vector<Version> versions;  ///< the oldest first
  std::map<Key, std::vector<HistoryValue>> values;
  std::vector<Step> steps;                                   ///< the oldest first
  std::vector<std::pair<std::size_t, std::string>> remarks;  ///< index of a version, and a note from its comparison
                                                             ///< with the version before
  std::vector<std::string> skipped;                          ///< files that are not results, one line each
};

/// Builds a history from results that are added in the order of their dates.
class HistoryBuilder {
 public:
  /// Adds the results of a version. Skips kernels that earlier results of the same date and commit already contain.
  /// Returns the first mistake, or nothing.
  std::optional<std::string> add(Json const& results);
  History take() { return std::move(history_); }

 private:
  using Run = std::shared_ptr<Recorded const>;
  enum class Kind { accuracy, speed };

  void add_values(Recorded const& run, std::size_t version);
  void add_steps(Run const& run, std::size_t version, Kind kind, std::map<std::string, Run>& last);
  void keep_findings(Comparison const& comparison, std::size_t version);

  History history_;
  std::map<std::string, Run> last_checked_, last_timed_;  ///< the last run that checked a kernel, by kernel; the last
                                                          ///< run that timed a kernel, by kernel and CPU
  std::set<std::string> seen_;                            ///< date, commit and kernel of all results that were added
};

/// Returns the results that a history needs, in the format of results.json. Leaves out single cases, mutants,
/// continuity, errata, the ladder and solvers.
Json for_history(Json const& results);

/// Writes the results into a new file in a folder. The file name contains the date and the commit. Existing files are
/// not changed. Returns the reason if this is not possible.
std::optional<std::string> keep_in_history(Json const& results, std::filesystem::path const& folder);

/// Returns the history of all results in a folder. `skipped` lists the files that cannot be read.
History read_history(std::filesystem::path const& folder);

}  // namespace demeter::report
