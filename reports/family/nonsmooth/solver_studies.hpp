// The solvers of many contacts in the report: measured on a small hourglass, and as they were recorded on a large one.
#pragma once

#include "bench/family/nonsmooth/curves.hpp"
#include "reports/format/records.hpp"

#include <atomic>
#include <string>
#include <string_view>
#include <vector>

namespace demeter::nonsmooth {

/// The kernel whose problem the solvers solve.
inline constexpr std::string_view solved_kernel = "nscd_solve";

/// A study of the hourglass as results.json has it, but for where and when it was measured.
report::SolverStudy describe(bench::Study const& study);

/// The same of the two files that `bench_hourglass DISCS FOLDER` writes, with what their first lines say of where and
/// when; without the lines that are not as that program writes them.
report::SolverStudy recorded_study(std::size_t discs, std::string_view curves, std::string_view solvers);

/// That of docs/hourglass, which is built in.
report::SolverStudy recorded_study();

/// Measures in about this time: fewer discs and sweeps where it is short. 0: as long as 500 discs take.
report::SolverStudy measured_study(double seconds, std::atomic<bool> const* stop = nullptr);

}  // namespace demeter::nonsmooth
