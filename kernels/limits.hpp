// Resource limits of a subject that is not ours, and when to stop asking it.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

namespace demeter {

struct Limits {
  std::chrono::milliseconds time_per_chunk{10'000};  ///< time limit per chunk of cases, not for the whole run
  /// Memory limit in bytes; 0: not limited. For a forked child it limits the address space that is added after the
  /// fork. For a separate program it limits the data. A forked child is not limited under the sanitizers, which reserve
  /// terabytes.
  std::size_t memory = std::size_t{4} << 30;
  std::size_t chunk = 4096;
  std::size_t crashes = 200;  ///< number of processes that may crash before the remaining cases are skipped
  std::size_t timeouts = 6;   ///< number of processes that may time out before the remaining cases are skipped
};

/// The number of failures of a subject in the whole run. Once the crashes or timeouts have reached their limit, each
/// further table of cases is stopped after four crashes or two timeouts. Once the timeouts have reached their limit,
/// the time limit per chunk is also shorter: a twentieth of the usual limit, but at least 0.2 s. This is enough to
/// shrink a case. After ten times the limit of timeouts the subject is not asked any more.
struct Patience {
  std::atomic<std::size_t> crashes{0}, timeouts{0};

  static constexpr std::size_t least_crashes = 4, least_timeouts = 2;
  bool hasty(Limits const& limits) const { return timeouts >= limits.timeouts; }
  bool over(Limits const& limits) const { return timeouts >= 10 * limits.timeouts; }
  /// Returns the time limit per chunk once the subject has used up its allowed timeouts.
  static std::chrono::milliseconds hasty_time(Limits const& limits) {
    return std::min(limits.time_per_chunk, std::max(limits.time_per_chunk / 20, std::chrono::milliseconds(200)));
  }
};

/// Lines of a program or file that answer no case: other output, unknown ids, unreadable lines.
class Strays {
 public:
  void add(std::string_view text) {
    std::lock_guard const lock(mutex_);
    if (lines_++ == 0) first_ = text;
  }
  std::uint64_t lines() const {
    std::lock_guard const lock(mutex_);
    return lines_;
  }
  /// Returns the error of the first stray line, with the line quoted.
  std::string first() const {
    std::lock_guard const lock(mutex_);
    return first_;
  }

 private:
  mutable std::mutex mutex_;
  std::uint64_t lines_ = 0;
  std::string first_;
};

/// Returns the text of a subject as one printable line, cut to at most `longest` bytes.
std::string tidy(std::string_view text, std::size_t longest = 500);

/// Returns a time as text, for example "0.5 s".
std::string in_seconds(std::chrono::milliseconds time);

/// Returns a signal as text, for example "signal 11 (SIGSEGV)".
std::string signal_name(int signal);

}  // namespace demeter
