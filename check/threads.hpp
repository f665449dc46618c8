// The threads of a check.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>

namespace demeter {

/// Runs `work` in `jobs` threads, of which the caller's is one, until all have returned; in fewer where the machine
/// gives no more. What the first of them throws is thrown here when all have ended. Throws UnsoundArithmetic if the
/// arithmetic of one of them is not what verdicts rest on, before or after its work.
void in_threads(unsigned jobs, std::function<void()> const& work);

/// Calls `work` with 0, 1, ... up to `count`, each when a thread is free for it; none any more once `stop` is set, or
/// one has thrown.
void for_each_in_threads(unsigned jobs, std::size_t count, std::atomic<bool> const* stop,
                         std::function<void(std::size_t)> const& work);

}  // namespace demeter
