// The solvers of many contacts in the report: measured on a small hourglass, and recorded on a large one.
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

/// Returns a study of the hourglass as in results.json, without place and time of the measurement.
report::SolverStudy describe(bench::Study const& study);

/// Returns a study from the two files of `bench_hourglass DISCS FOLDER`. Place and time are in their first lines. Lines
/// with another format are ignored.
report::SolverStudy recorded_study(std::size_t discs, std::string_view curves, std::string_view solvers);

/// Returns the recorded study of docs/hourglass, which is built in.
report::SolverStudy recorded_study();

/// Measures a study in about this time, with fewer discs and sweeps if the time is short. 0: as long as 500 discs take.
report::SolverStudy measured_study(double seconds, std::atomic<bool> const* stop = nullptr);

}  // namespace demeter::nonsmooth
