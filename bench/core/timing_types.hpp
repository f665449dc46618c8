// What the choice of cases and the timings share.
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
  std::size_t in_cache = 4096;  ///< distinct cases; fewer if they have more than 128 numbers each
  std::size_t streaming_bytes = std::size_t{160} << 20;  ///< of all columns together, beyond any cache
  int repetitions = 15;
  bool scalar_elsewhere = true;           ///< the scalar form too in all regimes but the first, where there are vectors
  double seconds = 0.01;                  ///< per repetition, at least
  double all_seconds = 0;                 ///< limit for all repetitions together, about; 0: no limit
  bool every_regime = false;              ///< time all subjects on every regime, not only the batch forms
  std::vector<std::size_t> regimes;       ///< empty: all, and all workloads
  std::optional<std::size_t> workload{};  ///< this workload alone
  Sizes sizes{};                          ///< of everyday and degenerate cases
  std::string filter = "";                ///< regular expression on "kernel/subject/setting/regime/outputs"
  /// Names and values that go into the JSON's context.
  std::vector<std::pair<std::string, std::string>> context;
  std::function<void(double done, std::string const& what)> progress;
};

/// A subject that answers some of the cases of the first regime wrongly.
struct Screened {
  std::string subject;
  std::uint64_t cases = 0;
  bool contender = true;  ///< false: wrong so often that it does not decide on which cases the others are timed
};

}  // namespace demeter::bench
