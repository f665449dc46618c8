// What this machine can do at most, measured, and how long a case must take because of it: its bytes over the
// bandwidth, or the operations of its formula over the peak.
#pragma once

#include "fast/core/level.hpp"
#include "kernels/operations.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

namespace demeter::bench {

/// Of a stream through `bytes` of memory in the widest vectors, in bytes a nanosecond (GB/s): reading alone, and what
/// writing adds to it when as much is written as read.
struct Bandwidth {
  std::size_t bytes = 0;  ///< as much as the cache holds; of memory, as much as was streamed
  double read = 0, written = 0;

  /// Of a stream that reads as much as it writes.
  double both() const { return 2 / (1 / read + 1 / written); }
};

/// Operations a nanosecond (G/s) of independent chains in registers. Roots take the same unit as divisions.
struct Peak {
  double sums = 0;  ///< additions and multiplications, fused where that is faster: two of them then
  double divisions = 0, roots = 0;
};

/// Of one thread, the best of a few passes; on a busy machine they can be too low all the same.
struct MachineLimits {
  std::vector<Bandwidth> caches;  ///< from the smallest
  Bandwidth memory;
  std::array<Peak, labels(Level{}).size()> peaks{};  ///< by level; of one that is not available all 0
};

/// Takes 0.1 to 0.2 s, or 0.7 if the machine has to find `memory_bytes` first. They are to be many times the caches.
MachineLimits measure_limits(std::size_t memory_bytes);
/// Measured at the first call, and with `memory_bytes` of that.
MachineLimits const& machine_limits(std::size_t memory_bytes);

/// What a case reads, writes and computes.
struct CaseCost {
  double read = 0, written = 0;  ///< bytes
  std::optional<Operations> operations;

  double bytes() const { return read + written; }
};

/// Bytes of the columns of `cases` that the formula needs and of the output columns that are `wanted`, lists by their
/// mean length, eight bytes a number; and the formula's operations for these outputs. A list whose length only the
/// answer tells is not counted.
CaseCost case_cost(Kernel const& kernel, Table const& cases, std::vector<bool> const& wanted);

struct Bound {
  double nanoseconds = 0;
  bool memory = true;    ///< or operations
  bool counted = false;  ///< whether the operations are known
};

double operations_in_time(Operations const& operations, Peak const& peak);  ///< nanoseconds
/// Of `count` cases that are answered again and again, or of a stream through memory.
Bound bound_of(CaseCost const& cost, MachineLimits const& limits, Level level, std::size_t count, bool streaming);

}  // namespace demeter::bench
