// What a subject that is not ours may use, and when to give up on it.
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
  std::chrono::milliseconds time_per_chunk{10'000};  ///< for one chunk of cases, not for the whole run
  /// Address space beyond what a forked child has already, data of a program of its own; 0: not limited. A forked
  /// child is not limited under the sanitizers, which reserve terabytes.
  std::size_t memory = std::size_t{4} << 30;
  std::size_t chunk = 4096;
  std::size_t crashes = 200;  ///< processes that die before the remaining cases are given up
  std::size_t timeouts = 6;   ///< the same for those that are stopped
};

/// How often a subject has failed us in the whole run. Once it has used up its limits, a further table of cases may
/// cost a few crashes or two timeouts after a twentieth of the time, so that a case can still be shrunk; after ten
/// times its limit of timeouts it is asked no more.
struct Patience {
  std::atomic<std::size_t> crashes{0}, timeouts{0};

  static constexpr std::size_t least_crashes = 4, least_timeouts = 2;
  bool hasty(Limits const& limits) const { return timeouts >= limits.timeouts; }
  bool over(Limits const& limits) const { return timeouts >= 10 * limits.timeouts; }
  /// What is left to a hasty one for a chunk of cases.
  static std::chrono::milliseconds hasty_time(Limits const& limits) {
    return std::min(limits.time_per_chunk, std::max(limits.time_per_chunk / 20, std::chrono::milliseconds(200)));
  }
};

/// Lines of a program or file that answer no case: chatter, ids that were not asked, what cannot be read.
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
  /// What is wrong with the first, with the line quoted.
  std::string first() const {
    std::lock_guard const lock(mutex_);
    return first_;
  }

 private:
  mutable std::mutex mutex_;
  std::uint64_t lines_ = 0;
  std::string first_;
};

/// A subject's text, short and printable, whatever it was.
std::string tidy(std::string_view text, std::size_t longest = 500);

/// "0.5 s".
std::string in_seconds(std::chrono::milliseconds time);

/// "signal 11 (SIGSEGV)".
std::string signal_name(int signal);

}  // namespace demeter
