// A fixed workload that is timed beside every sample, so that runs at different times can be compared. Disturbances of
// the machine (other programs, clock frequency) slow the workload and the sample down alike.
#pragma once

#include <vector>

namespace demeter::bench {

/// Arithmetic on data in the first-level cache. Do not change it: timings of different versions could no longer be
/// compared. A changed workload needs a new `reference_workload_name`.
///
/// Timings that stream from memory use this workload too. A pass over memory was tried for them, but two runs of one
/// program then differed by up to 14 % instead of 10 %: the memory traffic of other programs changes too fast.
class ReferenceWorkload {
 public:
  ReferenceWorkload();
  /// Runs the workload once and returns its processor time in nanoseconds: about 0.2 ms.
  double measure();

 private:
  std::vector<double> data_;
};

/// This name is stored with the timings in every file. A comparison divides timings by the reference workload only if
/// both files have the same name.
inline constexpr char const* reference_workload_name = "1";

}  // namespace demeter::bench
