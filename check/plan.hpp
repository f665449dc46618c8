// Division of the cases of a check into blocks, and the order and time of these blocks.
#pragma once

#include "check/check_types.hpp"

#include <cstdint>
#include <vector>

namespace demeter {

/// A block of cases. Blocks are independent, and the order of merging does not matter. So the number of threads does
/// not change the result.
struct Task {
  std::size_t regime;
  std::size_t place;  ///< index of the regime in the list of the check
  std::uint64_t first, count, law_count;
  std::size_t round;  ///< with a time limit, all blocks of a round come before the next round
};

/// Returns the blocks of these regimes in the order in which they are started.
std::vector<Task> plan(Kernel const& kernel, std::vector<std::size_t> const& regimes, CheckOptions const& options);

/// Returns the time limit of one subject in a check, in seconds summed over all threads. Infinite without a time limit.
double share_of_time(CheckOptions const& options, std::size_t subjects);

}  // namespace demeter
