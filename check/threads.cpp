#include "check/threads.hpp"

#include "base/ground.hpp"

#include <mpfr.h>

#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace demeter {

void in_threads(unsigned jobs, std::function<void()> const& work) {
  std::mutex mutex;
  std::exception_ptr first;
  auto const guarded = [&] {
    try {
      require_sound_arithmetic();
      work();
      require_sound_arithmetic();
    } catch (...) {
      std::lock_guard const lock(mutex);
      if (!first) first = std::current_exception();
    }
  };
  std::vector<std::thread> threads;
  threads.reserve(jobs);
  try {
    for (unsigned i = 1; i < jobs; ++i)
      threads.emplace_back([&guarded] {
        guarded();
        mpfr_free_cache();  // MPFR has a cache per thread: free it when the thread ends
      });
  } catch (std::system_error const&) {
    // No more threads are available: the existing ones do the work.
  } catch (std::bad_alloc const&) {
  }
  guarded();
  for (auto& thread : threads) thread.join();
  if (first) std::rethrow_exception(first);
}

void for_each_in_threads(unsigned jobs, std::size_t count, std::atomic<bool> const* stop,
                         std::function<void(std::size_t)> const& work) {
  std::atomic<std::size_t> next = 0;
  std::atomic<bool> given_up = false;
  in_threads(jobs, [&] {
    try {
      for (std::size_t i = next++; i < count && !given_up && (stop == nullptr || !stop->load()); i = next++) work(i);
    } catch (...) {
      given_up = true;
      throw;
    }
  });
}

}  // namespace demeter
