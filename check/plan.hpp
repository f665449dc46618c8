// How the cases of a check are cut into blocks, in which order they come and how long they may take.
#pragma once

#include "check/check_types.hpp"

#include <cstdint>
#include <vector>

namespace demeter {

/// Blocks are independent and merged in an order-free way, so that threads do not change the result.
struct Task {
  std::size_t regime;
  std::size_t place;  ///< of the regime in the list of the check
  std::uint64_t first, count, law_count;
  std::size_t round;  ///< one after the other, if time is limited
};

/// The blocks of these regimes, in the order in which they are begun.
std::vector<Task> plan(Kernel const& kernel, std::vector<std::size_t> const& regimes, CheckOptions const& options);

/// What a subject may take of the time of a check, on all threads; infinite if that is not limited.
double share_of_time(CheckOptions const& options, std::size_t subjects);

}  // namespace demeter
