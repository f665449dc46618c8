// A forked child that runs somebody else's code and answers in frames.
#pragma once

#include "kernels/limits.hpp"
#include "subjects/isolation/frames.hpp"
#include "subjects/isolation/keeper.hpp"
#include "subjects/isolation/patience.hpp"

#include <unistd.h>

#include <exception>

namespace demeter::isolation {

/// The numbers that the ends of the pipes have in the child.
inline constexpr int frames_end = STDERR_FILENO + 1, commands_end = frames_end + 1;

class FrameWriter {
 public:
  FrameWriter(int file, std::uint64_t mark) : file_(file), mark_(mark) {}
  void operator()(FrameKind kind, std::string_view bytes) const;

 private:
  int file_;
  std::uint64_t mark_;  ///< that frames of this child begin with
};

/// Reads that many bytes of what the parent's `Child::command` wrote; false if there are no more.
bool read_command(char* bytes, std::size_t size);

/// Sends what `work` returns as a frame of that kind, or its exception; false if it threw.
template <class Work>
bool send(FrameWriter const& writer, FrameKind kind, Work&& work) {
  std::string what;
  try {
    writer(kind, work());
    return true;
  } catch (std::exception const& error) {
    what = std::string_view(error.what()).substr(0, 1000);
  } catch (...) {
    what = "not a std::exception";
  }
  writer(FrameKind::threw, what);
  return false;
}

/// A forked child and the pipe it writes to; ended with the object.
class Child {
 public:
  /// Calls `work(FrameWriter)` in the child. `commanded`: the child may read what `command` writes from `commands_end`.
  template <class Work>
  Child(Limits const& limits, Work&& work, bool commanded = false) {
    if (!begun(limits, commanded)) return;
    // An exception of our own must not unwind into a second copy of the caller.
    try {
      work(FrameWriter(frames_end, mark_));
    } catch (...) {
      _exit(1);
    }
    _exit(0);
  }
  Child(Child const&) = delete;
  Child& operator=(Child const&) = delete;
  ~Child();

  /// Writes all bytes, for which the child has so long. That it failed, because the child has died or
  /// does not read, is told by reading its answer.
  void command(std::string_view bytes, std::chrono::milliseconds time) const;

  /// Reads the next frame. What prevents it (death, time, a damaged frame) is final for this child; so is that nobody
  /// waits any more, `Status::not_asked`.
  std::optional<Failure> read_frame(FrameKind& kind, std::string& bytes, Limits const& limits,
                                    std::chrono::milliseconds time, Patience const* patience = nullptr);

 private:
  /// Forks; true in the child, which is settled in.
  bool begun(Limits const& limits, bool commanded);

  /// Moves a whole frame from the buffer to `bytes`, if there is one.
  std::optional<Failure> take_frame(FrameKind& kind, std::string& bytes, Limits const& limits);

  /// Waits for bytes and reads them; false when there will be no more.
  bool fill(int milliseconds);

  Failure how_it_ended();

  Keeper keeper_;
  int read_end_ = -1, command_end_ = -1;
  std::uint64_t mark_ = 0;
  bool have_frame_ = false;
  std::string buffer_;
  std::size_t taken_ = 0;  ///< bytes at the buffer's begin that are used up
  /// Bytes that are asked for at once, more where there are more: what is read into is written with 0 before, and after
  /// a fork each page that is written to costs more than a short answer.
  std::size_t room_ = 4096;
};

}  // namespace demeter::isolation
