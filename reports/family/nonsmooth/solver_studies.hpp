// Studies of the solvers for many contacts, for the report. One study is measured on a small hourglass, and one was
// recorded on a large hourglass.
#pragma once

#include "bench/family/nonsmooth/curves.hpp"
#include "reports/format/records.hpp"

#include <atomic>
#include <string>
#include <string_view>
#include <vector>

namespace demeter::nonsmooth {

/// The name of the kernel whose problem the solvers solve.
inline constexpr std::string_view solved_kernel = "nscd_solve";

/// Returns a study of the hourglass as a record of results.json, without the machine and the time of the measurement.
report::SolverStudy describe(bench::Study const& study);

/// Returns a study from the two files that `bench_hourglass DISCS FOLDER` writes. Their first lines contain the machine
/// and the time. Lines with another format are skipped.
report::SolverStudy recorded_study(std::size_t discs, std::string_view curves, std::string_view solvers);

/// Returns the study recorded in docs/hourglass. Its data are compiled into the program.
report::SolverStudy recorded_study();

/// Measures a study in about this time, in seconds. If the time is short, uses fewer discs and sweeps. 0 means the time
/// that 500 discs need.
report::SolverStudy measured_study(double seconds, std::atomic<bool> const* stop = nullptr);

}  // namespace demeter::nonsmooth
