// Timings of subjects and baselines on the same inputs, interleaved, with Google Benchmark.
#pragma once

#include "fast/core/level.hpp"
#include "subjects/subjects.hpp"

#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace demeter::bench {

struct TimingOptions {
  std::uint64_t seed = 1;
  std::size_t in_cache = 4096;  ///< distinct inputs, touched before; fewer if they have over 128 numbers
  std::size_t streaming_bytes = std::size_t{160} << 20;  ///< of all columns together, beyond any cache
  int repetitions = 15;
  bool scalar_elsewhere = true;           ///< the scalar form in these too, where there are vectors
  double seconds = 0.01;                  ///< a repetition, at least
  double all_seconds = 0;                 ///< all repetitions together take about this at most; 0: as they take
  bool every_regime = false;              ///< time everyone on every regime, not only the batch forms
  std::vector<std::size_t> regimes;       ///< empty: all, and all workloads
  std::optional<std::size_t> workload{};  ///< this workload alone
  Sizes sizes{};                          ///< of everyday and degenerate cases
  std::string filter = "";                ///< regular expression on "kernel/subject/setting/regime/outputs"
  /// Names and values that go into the JSON's context.
  std::vector<std::pair<std::string, std::string>> context;
  std::function<void(double done, std::string const& what)> progress;
};

struct TimedEntry {
  std::string subject;
  bool baseline = false;
  std::string setting;  ///< "cache", "streaming", or "workload", whose name is then the regime's
  std::string regime;
  std::string outputs;     ///< "all", or which
  double nanoseconds = 0;  ///< a case, median over the repetitions
  std::vector<double> samples{};
  std::vector<double>
      yardstick{};        ///< nanoseconds of the yardstick beside each sample, just before or after: the lesser
  std::size_t count = 0;  ///< inputs in one run
};

struct Screened {
  std::string subject;
  std::uint64_t cases = 0;
  bool contender = true;  ///< false: wrong on more than a tenth, so that it has no say in what the others are timed on
};

/// A subject that has no time: it crashed, hung or was stopped while it was timed, or left nothing to time.
struct FailedTiming {
  std::string subject;
  std::string message;
  bool declined = false;  ///< it declines every case: no failure
};

struct Timings {
  std::vector<TimedEntry> timings;
  /// Of the "typical" inputs: how many every contender answers within 1e-6 of the input scale, of how many.
  std::uint64_t used = 0, total = 0;
  std::vector<Screened> screened;
  std::vector<FailedTiming> failed;
};

/// The subject's name among timings: "textbook_vectorised@avx512".
std::string full_name(Baseline const& baseline);
bool runs_here(Baseline const& baseline);
/// That a name ends in, "avx2" of "fast@avx2"; scalar if it is none with vectors.
Level level_of(std::string_view name);

/// Times one kernel. A subject is timed on cases that it answers: those of all, or of these the ones it does not
/// decline and does not crash at. Subjects that are not ours are timed in processes of their own, by the processor time
/// these take; a program with a pipe by the time it takes to answer. `json`: Google Benchmark's own JSON goes there
/// too.
Timings time_kernel(Kernel const& kernel, std::vector<Subject const*> const& subjects, TimingOptions const& options,
                    std::ostream* json = nullptr);

}  // namespace demeter::bench
