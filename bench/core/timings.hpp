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
  bool baseline = false;   ///< a comparison routine
  std::string setting;     ///< "cache", "streaming" or "workload"
  std::string regime;      ///< or the name of the workload
  std::string outputs;     ///< "all", or which
  double nanoseconds = 0;  ///< per case, median of the samples
  std::vector<double> samples{};
  /// Nanoseconds of the reference workload just before or after each sample: the lesser.
  std::vector<double> reference_workload{};
  std::size_t count = 0;  ///< cases in one pass
};

/// A subject that has no time: it crashed, hung or was stopped while it was timed, or left nothing to time.
struct FailedTiming {
  std::string subject;
  std::string message;
  bool declined = false;  ///< it declines every case, which is not a failure
};

struct Timings {
  std::vector<TimedEntry> timings;
  /// The cases of the first regime that every contender answers within 1e-6 of the scale of the input, and all.
  std::uint64_t used = 0, total = 0;
  std::vector<Screened> screened;
  std::vector<FailedTiming> failed;
};

/// The subject's name among timings: "textbook_vectorised@avx512".
std::string full_name(Baseline const& baseline);
bool runs_here(Baseline const& baseline);
/// The instruction set at the end of a name, "avx2" of "fast@avx2"; scalar if there is none.
Level level_of(std::string_view name);

/// What is wrong with a filter of timings, or nothing. A filter is a regular expression of at most 1,000 characters.
std::optional<std::string> wrong_filter(std::string const& filter);

/// Times one kernel. All subjects are timed on the same cases; a subject that declines some or crashes in them is timed
/// on the others. Other people's code runs in a process of its own and is timed by the processor time of that process,
/// a program with a pipe by the time until it answers. `json` receives Google Benchmark's own JSON.
Timings time_kernel(Kernel const& kernel, std::vector<Subject const*> const& subjects, TimingOptions const& options,
                    std::ostream* json = nullptr);

}  // namespace demeter::bench
