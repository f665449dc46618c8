// A fixed piece of work that is timed beside everything else, so that runs of different minutes can be compared: what
// the machine does to it (other programs, its clock, its memory) it does to its neighbours in time.
#pragma once

#include <cstddef>
#include <vector>

namespace demeter::bench {

/// Two kinds: arithmetic on data of the first-level cache, and a pass over memory that is in no cache. Neither may ever
/// change, or timings of different versions no longer compare: give a changed one another `yardstick_name`.
class Yardstick {
 public:
  enum class Kind { arithmetic, memory };
  explicit Yardstick(Kind kind);
  /// Does the work once and returns the processor time it took, in nanoseconds: about 0.2 ms of arithmetic, about 2 ms
  /// of memory.
  double measure();

 private:
  Kind kind_;
  std::vector<double> data_;
  std::size_t part_ = 0;
};

/// Stands beside the timings in every file; only timings with the same one are normalised.
inline constexpr char const* yardstick_name = "1";

}  // namespace demeter::bench
