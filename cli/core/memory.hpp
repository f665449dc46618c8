// The memory of the command itself: it stops before the machine has none left.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>

namespace demeter::cli {

/// A quarter of the memory that this machine, or the control group of this process, has, in MiB.
std::uint64_t usual_memory();

/// While it lives, looks at the resident size of this process 20 times a second. Beyond the limit it requests a stop,
/// so that the verb ends with what was done. A verb that does not end within 2 s, or takes a quarter more, is ended
/// with one line and exit code 4.
class MemoryWatch {
 public:
  /// In MiB; 0: no limit. Does nothing where the size cannot be read or no thread is to be had.
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
