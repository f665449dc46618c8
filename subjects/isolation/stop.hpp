// A whole run that is told to stop.
#pragma once

#include <atomic>

namespace demeter::isolation {

/// Set, by a signal handler for one: whoever waits for somebody else's code gives it up within a tenth of a second, and
/// it is asked nothing any more. One for the process, as signals are.
inline std::atomic<bool>& stopping() {
  static std::atomic<bool> stop{false};
  static_assert(std::atomic<bool>::is_always_lock_free, "set from a signal handler");
  return stop;
}

/// Why a case was not asked then.
inline constexpr char stopped[] = "stopped before its turn";

}  // namespace demeter::isolation
