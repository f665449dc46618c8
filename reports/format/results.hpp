// results.json: the check of every subject against every kernel, and their timings, in one run on one machine.
#pragma once

#include "bench/core/timings.hpp"
#include "reports/format/build_info.hpp"
#include "reports/format/describe.hpp"

#include <cstdint>
#include <map>
#include <string>

namespace demeter {

struct ReportOptions {
  std::uint64_t seed = 1;
  std::uint64_t cases = 100'000;                    ///< a regime, at most; every subject is asked the same
  std::map<std::string, std::uint64_t> cases_of{};  ///< by kernel: so many, whatever time they take
  bool full = false;
  /// To be done in about this time, on an idle machine: fewer cases and paths where the truths or the subjects take
  /// long. 0: whatever `cases` takes.
  double seconds = 0;
  unsigned jobs = 1;
  std::vector<Kernel const*> kernels;
  std::function<void(double done, std::string const& what)> progress;
  std::atomic<bool> const* stop = nullptr;
};

/// CPU, cores, instruction sets, memory, operating system, compiler and flags.
report::Machine machine(BuildInfo const& build);

report::Speed describe(Kernel const& kernel, bench::Timings const& timings);

/// Adds the check of these subjects to a kernel's entry, all of them on the same cases: as many as were given, or as
/// fit into `seconds`. A `demeter check` of that seed and count says the same. Returns how they were checked.
CheckOptions check_alike(Kernel const& kernel, std::vector<Subject const*> const& subjects,
                         ReportOptions const& options, double seconds, report::Kernel& entry,
                         std::function<void(double done, std::string const& what)> const& progress = {});

report::Results results(ReportOptions const& options, BuildInfo const& build);

}  // namespace demeter
