// The process between us and somebody else's code.
#pragma once

#include <signal.h>
#include <sys/types.h>

#include <string>

namespace demeter::isolation {

/// Forks a keeper, a small process, and from that the process that is kept. The keeper ends the kept one and whatever
/// that has started, in process groups of their own too, as soon as we let go of its leash, which the kernel does for
/// us when we die. (PR_SET_PDEATHSIG would do it when the thread that forked ends, and would spare the children.)
class Keeper {
 public:
  Keeper() = default;
  Keeper(Keeper const&) = delete;
  Keeper& operator=(Keeper const&) = delete;
  /// Ends all of it, though it may have stopped or killed the keeper.
  ~Keeper();

  /// True in the kept process, whose signals are those of a new program and which has a process group of its own; it
  /// is to keep only the files it needs. In ours false. Throws std::system_error. At most once an object.
  bool forked();

  int status() const { return leash_; }  ///< readable once the kept process has ended
  /// Looks, without waiting.
  bool has_ended();
  /// Of one that has ended: whether with exit code 0.
  bool ended_well() const { return ended_ && !signalled_ && code_ == 0; }
  /// Of one that has ended: "exit code 3", "signal 11 (SIGSEGV)".
  std::string how_it_ended() const;
  bool was_signalled() const { return signalled_; }
  int code() const { return code_; }  ///< of the exit, or the number of the signal

 private:
  pid_t keeper_ = -1, kept_ = -1;
  int leash_ = -1;
  bool ended_ = false, signalled_ = false;
  int code_ = 0;
};

/// Throws std::system_error where /proc does not list the children of a process: what foreign code leaves behind could
/// not be ended. To be called before foreign code runs.
void require_list_of_children();

/// Ends all children of this process and, if it is their subreaper, what these have left behind, one after the other.
void end_children();

}  // namespace demeter::isolation
