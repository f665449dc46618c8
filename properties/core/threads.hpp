// The threads of a check.
#pragma once

#include <mpfr.h>

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

}  // namespace demeter
