// A supervisor: a process between us and foreign code.
#pragma once

#include <signal.h>
#include <sys/types.h>

#include <string>

namespace demeter::isolation {

/// Forks a small supervisor process, which forks the supervised process. A socket connects the supervisor with our
/// process. When we close our end, the supervisor ends the supervised process and all processes that it has started,
/// also those in other process groups. If our process dies, the operating system closes our end. (PR_SET_PDEATHSIG is
/// not enough: it acts when the forking thread ends, and does not end the children of the supervised process.)
class Keeper {
 public:
  Keeper() = default;
  Keeper(Keeper const&) = delete;
  Keeper& operator=(Keeper const&) = delete;
  /// Ends the supervisor and all processes below it, even if they have stopped or killed the supervisor.
  ~Keeper();

  /// Forks. Returns true in the supervised process and false in ours. The supervised process has the default signal
  /// actions and its own process group. It must close the files that it does not need. Throws std::system_error. Call
  /// this function once per object.
  bool forked();

  /// Returns a file number for poll(2). The file becomes readable when the supervised process has ended.
  int status() const { return leash_; }
  /// Returns true if the supervised process has ended. Does not wait.
  bool has_ended();
  /// Returns true if the process has ended with exit code 0.
  bool ended_well() const { return ended_ && !signalled_ && code_ == 0; }
  /// Returns how the process has ended: "exit code 3", "signal 11 (SIGSEGV)".
  std::string how_it_ended() const;
  bool was_signalled() const { return signalled_; }
  int code() const { return code_; }  ///< exit code or signal number

 private:
  pid_t keeper_ = -1, kept_ = -1;
  int leash_ = -1;
  bool ended_ = false, signalled_ = false;
  int code_ = 0;
};

/// Throws std::system_error if /proc does not list the children of a process. Demeter could then not end the processes
/// that foreign code leaves behind. Call this before foreign code runs.
void require_list_of_children();

/// Ends all children of this process, one after another. If this process is a subreaper, ends their descendants too.
void end_children();

}  // namespace demeter::isolation
