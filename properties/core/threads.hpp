// The threads of a check.
#pragma once

#include <mpfr.h>

#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace demeter {

/// Runs `work` in `jobs` threads, of which the caller's is one, until all have returned.
template <class Work>
void in_threads(unsigned jobs, Work const& work) {
  std::vector<std::thread> threads;
  for (unsigned i = 1; i < jobs; ++i)
    threads.emplace_back([&work] {
      work();
      mpfr_free_cache();  // MPFR keeps constants and pools of its own for every thread that computed
    });
  work();
  for (auto& thread : threads) thread.join();
}

/// Calls `work` with 0, 1, ... up to `count`, each when a thread is free for it; none any more once `stop` is set.
template <class Work>
void for_each_in_threads(unsigned jobs, std::size_t count, std::atomic<bool> const* stop, Work const& work) {
  std::atomic<std::size_t> next = 0;
  in_threads(jobs, [&] {
    for (std::size_t i = next++; i < count && (stop == nullptr || !stop->load()); i = next++) work(i);
  });
}

}  // namespace demeter
