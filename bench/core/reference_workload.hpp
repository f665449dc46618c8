// A fixed piece of work that is timed beside every sample, so that runs of different minutes can be compared. What
// slows the machine down (other programs, its clock) slows both down alike.
#pragma once

#include <vector>

namespace demeter::bench {

/// Arithmetic on data of the first-level cache. It must not change, or timings of different versions no longer compare:
/// a changed one needs another `reference_workload_name`. Timings that stream from memory use it too. A pass over
/// memory was tried for them: two runs of one program then differed by up to 14 % instead of 10 %, because what other
/// programs do to the memory changes too fast.
class ReferenceWorkload {
 public:
  ReferenceWorkload();
  /// Does the work once and returns the processor time it took, in nanoseconds: about 0.2 ms.
  double measure();

 private:
  std::vector<double> data_;
};

/// Written beside the timings in every file. Only timings with the same name are divided by the reference workload.
inline constexpr char const* reference_workload_name = "1";

}  // namespace demeter::bench
