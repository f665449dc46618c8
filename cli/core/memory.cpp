#include "cli/core/memory.hpp"

#include "cli/core/output.hpp"
#include "subjects/isolation/stop.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <system_error>

namespace demeter::cli {
namespace {

constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;

/// Returns the resident size in MiB, or 0 if it cannot be read. Does not allocate.
std::uint64_t resident_size() {
  std::FILE* const file = std::fopen("/proc/self/statm", "re");
  if (file == nullptr) return 0;
  unsigned long long whole = 0, resident = 0;
  bool const read = std::fscanf(file, "%llu %llu", &whole, &resident) == 2;
  std::fclose(file);
  return read ? resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)) / mebibyte : 0;
}

}  // namespace

std::uint64_t usual_memory() {
  std::uint64_t bytes =
      static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  std::uint64_t group = 0;
  if (std::ifstream("/sys/fs/cgroup/memory.max") >> group && group > 0) bytes = std::min(bytes, group);
  return std::max<std::uint64_t>(bytes / 4 / mebibyte, 1);
}

MemoryWatch::MemoryWatch(std::string verb, std::uint64_t limit) : verb_(std::move(verb)), limit_(limit) {
  if (limit == 0 || resident_size() == 0) return;
  try {
    thread_ = std::thread([this] { watch(); });
  } catch (std::system_error const&) {
  }
}

MemoryWatch::~MemoryWatch() {
  {
    std::lock_guard const lock(mutex_);
    over_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void MemoryWatch::watch() {
  using std::chrono::milliseconds;
  constexpr milliseconds interval{50}, grace{2000};
  std::unique_lock lock(mutex_);
  milliseconds waited{0};
  while (!wake_.wait_for(lock, interval, [this] { return over_; })) {
    std::uint64_t const size = resident_size();
    if (!has_reason_to_end() && size <= limit_) continue;
    if (!has_reason_to_end()) {
      end_because(fmt::format("memory: got {} MiB, expected at most {}; printed results are partial", size, limit_));
      isolation::stopping() = true;
    }
    if ((waited += interval) < grace && size < limit_ + limit_ / 4) continue;
    be_the_one_that_ends();
    complain(broken, verb_, "stopped: printed results are partial");  // prints the reason of end_because() instead
    ::_exit(broken);
  }
}

}  // namespace demeter::cli
