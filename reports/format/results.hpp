// results.json: the checks and the timings of every subject and every kernel, from one run on one machine.
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
  std::uint64_t cases = 100'000;                    ///< maximum number of cases per regime; the same for every subject
  std::map<std::string, std::uint64_t> cases_of{};  ///< number of cases for a kernel; this number does not depend on
                                                    ///< the time limit
  bool full = false;
  /// Approximate time for the report on an idle machine, s. Slow subjects and kernels with slow truths get fewer cases
  /// and paths. 0: no limit.
  double seconds = 0;
  unsigned jobs = 1;
  std::vector<Kernel const*> kernels;
  std::vector<Subject const*> outside;  ///< code of the user; measured in addition to the subjects that Demeter knows
  std::function<void(double done, std::string const& what)> progress;
  std::atomic<bool> const* stop = nullptr;
};

/// Returns CPU, cores, instruction sets, memory, operating system, compiler and flags.
report::Machine machine(BuildInfo const& build);

report::Speed describe(Kernel const& kernel, bench::Timings const& timings);

/// Checks these subjects, all on the same cases, and adds the results to a kernel's entry. Uses the number of cases
/// that `options` fixes for the kernel. Without such a number, a report with a time limit uses as many cases as fit
/// into `seconds`. `demeter check` with the same seed and count gives the same results. Returns the options of the
/// check.
CheckOptions check_alike(Kernel const& kernel, std::vector<Subject const*> const& subjects,
                         ReportOptions const& options, double seconds, report::Kernel& entry,
                         std::function<void(double done, std::string const& what)> const& progress = {});

report::Results results(ReportOptions const& options, BuildInfo const& build);

}  // namespace demeter
