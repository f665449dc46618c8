// A forked child process that runs foreign code and answers in frames.
#pragma once

#include "kernels/limits.hpp"
#include "subjects/isolation/frames.hpp"
#include "subjects/isolation/keeper.hpp"
#include "subjects/isolation/patience.hpp"

#include <unistd.h>

#include <exception>

namespace demeter::isolation {

/// File numbers in the child: of the pipe for frames to the parent, and of the pipe for commands from the parent.
inline constexpr int frames_end = STDERR_FILENO + 1, commands_end = frames_end + 1;

class FrameWriter {
 public:
  FrameWriter(int file, std::uint64_t mark) : file_(file), mark_(mark) {}
  void operator()(FrameKind kind, std::string_view bytes) const;

 private:
  int file_;
  std::uint64_t mark_;  ///< the first field of every frame of this child
};

/// Reads `size` bytes that the parent wrote with `Child::command`. Returns false if there are fewer.
bool read_command(char* bytes, std::size_t size);

/// Sends the result of `work` as a frame of this kind. If `work` throws, sends the exception and returns false.
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

/// A forked child and the pipe that it writes to. The destructor ends the child.
class Child {
 public:
  /// Calls `work(FrameWriter)` in the child. With `commanded`, the child can call read_command() to read the bytes that
  /// the parent sends with command().
  template <class Work>
  Child(Limits const& limits, Work&& work, bool commanded = false) {
    if (!begun(limits, commanded)) return;
    // The child is a copy of the parent. An exception must not leave `work` and run the caller a second time.
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

  /// Writes all bytes, for at most `time`. A failure is not reported here: if the child has died or does not read,
  /// reading its answer fails.
  void command(std::string_view bytes, std::chrono::milliseconds time) const;

  /// Reads the next frame. After a failure (end of the child, timeout, damaged frame) the child cannot be used any
  /// more. The failure has `Status::not_asked` after a request to stop. If the subject runs out of time meanwhile, the
  /// failure is that of waited_in_vain().
  std::optional<Failure> read_frame(FrameKind& kind, std::string& bytes, Limits const& limits,
                                    std::chrono::milliseconds time, Patience const* patience = nullptr);

 private:
  /// Forks. Returns true in the child, after its preparation.
  bool begun(Limits const& limits, bool commanded);

  /// Moves a complete frame from the buffer to `bytes`, if there is one.
  std::optional<Failure> take_frame(FrameKind& kind, std::string& bytes, Limits const& limits);

  /// Waits for bytes and reads them. Returns false if there will be no more bytes.
  bool fill(int milliseconds);

  Failure how_it_ended();

  Keeper keeper_;
  int read_end_ = -1, command_end_ = -1;
  std::uint64_t mark_ = 0;
  bool have_frame_ = false;
  std::string buffer_;
  std::size_t taken_ = 0;  ///< number of bytes at the start of the buffer that are already used
  /// Number of bytes to read at once. It grows if more bytes arrive. It starts small, because the buffer is filled with
  /// zeros before a read. After a fork, the first write to each page costs more than a short answer.
  std::size_t room_ = 4096;
};

}  // namespace demeter::isolation
