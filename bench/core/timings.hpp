// Timings of subjects and comparison routines on the same inputs, interleaved, with Google Benchmark.
#pragma once

#include "bench/core/timing_types.hpp"
#include "fast/core/level.hpp"
#include "subjects/subjects.hpp"

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace demeter::bench {

struct TimedEntry {
  std::string subject;
  bool baseline = false;   ///< true for a comparison routine
  std::string setting;     ///< "cache", "streaming" or "workload"
  std::string regime;      ///< name of the regime or of the workload
  std::string outputs;     ///< "all", or a list of outputs
  double nanoseconds = 0;  ///< median time per case
  std::vector<double> samples{};
  /// The time of the reference workload for each sample, in nanoseconds: the smaller of the times before and after the
  /// sample.
  std::vector<double> reference_workload{};
  std::size_t count = 0;  ///< cases per pass
  bool batch = false;     ///< true: one call answers all cases of a pass; false: a call answers one case
};

/// A subject without a time: it crashed, hung or was stopped during timing, or it answered no case.
struct FailedTiming {
  std::string subject;
  std::string message;
  bool declined = false;  ///< the subject declines every case; this is not a failure
};

struct Timings {
  std::vector<TimedEntry> timings;
  /// `used`: the number of cases of the first regime that every contender (see `Screened`) answers within 1e-6 of the
  /// scale of the input. `total`: the number of all cases of this regime that were drawn.
  std::uint64_t used = 0, total = 0;
  std::vector<Screened> screened;
  std::vector<FailedTiming> failed;
};

/// Returns the name in the timings, for example "textbook_vectorised@avx512".
std::string full_name(Baseline const& baseline);
bool runs_here(Baseline const& baseline);
/// Returns the instruction set at the end of a name, for example avx2 for "fast@avx2". Returns scalar if the name has
/// none.
Level level_of(std::string_view name);

/// Returns what is wrong with a filter of timings, or nothing. A filter is a regular expression of at most 1,000
/// characters.
std::optional<std::string> wrong_filter(std::string const& filter);

/// Times one kernel. All subjects are timed on the same cases. A subject that declines or crashes in some cases is
/// timed on the others. A library of another project runs in its own process. Its time is the processor time of that
/// process. The time of a program behind a pipe is the real time until its answers arrive. `json` receives the JSON of
/// Google Benchmark.
Timings time_kernel(Kernel const& kernel, std::vector<Subject const*> const& subjects, TimingOptions const& options,
                    std::ostream* json = nullptr);

}  // namespace demeter::bench
