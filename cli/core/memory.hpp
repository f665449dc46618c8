// Limits the memory of the command itself, so that the machine does not run out of memory.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>

namespace demeter::cli {

/// Returns the default limit: a quarter of the memory of the machine or of the control group of this process, in MiB.
std::uint64_t usual_memory();

/// Measures the resident size of this process 20 times per second while the object exists. Above the limit, requests a
/// stop, so that the verb ends and prints its partial results. If the verb does not end within 2 s, or uses 25 % more
/// than the limit, ends the process with one line and exit code 4.
class MemoryWatch {
 public:
  /// Takes the limit in MiB; with 0 there is no limit. Does nothing if the size cannot be read or a thread cannot be
  /// created.
  MemoryWatch(std::string verb, std::uint64_t limit);
  MemoryWatch(MemoryWatch const&) = delete;
  MemoryWatch& operator=(MemoryWatch const&) = delete;
  ~MemoryWatch();

 private:
  void watch();

  std::string verb_;
  std::uint64_t limit_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool over_ = false;
  std::thread thread_;
};

}  // namespace demeter::cli
