// Threads of a check.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>

namespace demeter {

/// Runs `work` in `jobs` threads, including the thread of the caller, and waits until all have returned. Uses fewer
/// threads if the system has no more. Rethrows the first exception after all have ended. Throws UnsoundArithmetic if
/// the floating-point environment of a thread is wrong before or after its work.
void in_threads(unsigned jobs, std::function<void()> const& work);

/// Calls `work` with 0, 1, ..., count - 1 on several threads. Makes no further call once `stop` is set or a call has
/// thrown.
void for_each_in_threads(unsigned jobs, std::size_t count, std::atomic<bool> const* stop,
                         std::function<void(std::size_t)> const& work);

}  // namespace demeter
