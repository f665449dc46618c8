// Types shared by the selection of cases and the timings.
#pragma once

#include "kernels/kernel.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace demeter::bench {

struct TimingOptions {
  std::uint64_t seed = 1;
  std::size_t in_cache = 4096;  ///< number of cases in the cache; fewer if a case has more than 128 numbers
  /// Size of all columns together for timings that stream from memory. It is larger than any cache.
  std::size_t streaming_bytes = std::size_t{160} << 20;
  int repetitions = 15;
  bool scalar_elsewhere = true;      ///< true: time the scalar form in all regimes; false: if there are SIMD forms,
                                     ///< time the scalar form in the first regime only
  double seconds = 0.01;             ///< minimum time per repetition
  double all_seconds = 0;            ///< approximate limit for all repetitions together; 0: no limit
  bool every_regime = false;         ///< true: time all subjects in every regime, not only the batch forms
  std::vector<std::size_t> regimes;  ///< regimes to time; empty: all regimes and all workloads
  std::optional<std::size_t> workload{};  ///< if set, only this workload is timed
  Sizes sizes{};                          ///< sizes of everyday and degenerate cases
  std::string filter = "";                ///< regular expression for names "kernel/subject/setting/regime/outputs"
  /// Names and values for the context in the JSON output.
  std::vector<std::pair<std::string, std::string>> context;
  std::function<void(double done, std::string const& what)> progress;
};

/// A subject that answers some of the cases of the first regime wrongly.
struct Screened {
  std::string subject;
  std::uint64_t cases = 0;
  bool contender = true;  ///< false: the subject is wrong so often that it does not influence the selection of cases
};

}  // namespace demeter::bench
