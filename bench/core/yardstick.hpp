// A fixed piece of work that is timed beside everything else, so that runs of different minutes can be compared: what
// the machine does to it (other programs, its clock) it does to its neighbours in time.
#pragma once

#include <vector>

namespace demeter::bench {

/// Arithmetic on data of the first-level cache. It may never change, or timings of different versions no longer
/// compare: give a changed one another `yardstick_name`. It serves timings that stream from memory too: a pass over
/// memory in its place was tried, and two runs of one program then differed by more (14 % at worst, against 10 % as
/// measured), because what other programs do to the memory changes faster than it can be measured.
class Yardstick {
 public:
  Yardstick();
  /// Does the work once and returns the processor time it took, in nanoseconds: about 0.2 ms.
  double measure();

 private:
  std::vector<double> data_;
};

/// Stands beside the timings in every file; only timings with the same one are normalised.
inline constexpr char const* yardstick_name = "1";

}  // namespace demeter::bench
