// A request to stop the whole run.
#pragma once

#include <atomic>

namespace demeter::isolation {

/// Returns the flag that requests a stop. A signal handler may set the flag. Once it is set, waiting for foreign code
/// ends within 0.1 s, and foreign code is not asked any more.
inline std::atomic<bool>& stopping() {
  static std::atomic<bool> stop{false};
  static_assert(std::atomic<bool>::is_always_lock_free, "set from a signal handler");
  return stop;
}

/// The reason given for cases that were not asked after a stop.
inline constexpr char stopped[] = "stopped before its turn";

}  // namespace demeter::isolation
