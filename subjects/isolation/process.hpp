// A program of its own, with pipes to its standard streams, that cannot outlive us.
#pragma once

#include "kernels/limits.hpp"

#include <sys/types.h>

#include <string>
#include <string_view>

namespace demeter {

/// As one word of a shell command, in quotes if it needs them.
std::string shell_quoted(std::string_view text);

/// A write to a closed pipe is an error to be looked at and not the end of this process, unless it has said otherwise.
void ignore_broken_pipes();

/// Runs `/bin/sh -c command` in a process group of its own. Between us and the program stands a keeper, a small process
/// that ends the program and whatever it has started as soon as we close its leash, which the kernel does for us when
/// we die. (PR_SET_PDEATHSIG would do it when the thread that forked ends, and would spare the program's children.)
class Process {
 public:
  Process(std::string const& command, Limits const& limits);
  Process(Process const&) = delete;
  Process& operator=(Process const&) = delete;
  /// Ends all of it.
  ~Process();

  int input() const { return input_; }    ///< to write to, without blocking; -1 once closed
  int output() const { return output_; }  ///< to read from, without blocking
  int errors() const { return errors_; }  ///< the same; -1 once closed
  int status() const { return leash_; }   ///< readable once the program has ended

  void close_input();
  void close_errors();
  /// Looks, without waiting.
  bool has_ended();
  /// Of a program that has ended: whether with exit code 0.
  bool ended_well() const { return ended_ && !signalled_ && code_ == 0; }
  /// "exit code 3", "signal 11 (SIGSEGV)".
  std::string how_it_ended() const;

 private:
  pid_t keeper_ = -1;
  int input_ = -1, output_ = -1, errors_ = -1, leash_ = -1;
  bool ended_ = false, signalled_ = false;
  int code_ = 0;
};

}  // namespace demeter
