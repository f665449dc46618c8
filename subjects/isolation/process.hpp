// A separate program with pipes to its standard streams. The program ends when this process ends.
#pragma once

#include "kernels/limits.hpp"
#include "subjects/isolation/keeper.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace demeter {

/// Makes a write to a closed pipe return an error instead of ending this process by SIGPIPE, unless a handler is set.
void ignore_broken_pipes();

/// Runs `/bin/sh -c command` under a supervisor, in its own process group.
class Process {
 public:
  Process(std::string const& command, Limits const& limits);
  Process(Process const&) = delete;
  Process& operator=(Process const&) = delete;
  /// Ends the program and all processes that it has started.
  ~Process();

  int input() const { return input_; }             ///< standard input, for non-blocking writes; -1 if closed
  int output() const { return output_; }           ///< standard output, for non-blocking reads
  int errors() const { return errors_; }           ///< standard error, for non-blocking reads; -1 if closed
  int status() const { return keeper_.status(); }  ///< file that becomes readable when the program has ended

  void close_input();
  void close_errors();
  /// Returns true if the program has ended. Does not wait.
  bool has_ended() { return keeper_.has_ended(); }
  /// Returns true if the program has ended with exit code 0.
  bool ended_well() const { return keeper_.ended_well(); }
  /// Returns how the program has ended: "exit code 3", "signal 11 (SIGSEGV)".
  std::string how_it_ended() const;
  /// Returns the exit code of a program that has ended, or nothing if a signal ended it.
  std::optional<int> exit_code() const {
    return keeper_.was_signalled() ? std::nullopt : std::optional(keeper_.code());
  }

 private:
  isolation::Keeper keeper_;
  int input_ = -1, output_ = -1, errors_ = -1;
};

}  // namespace demeter
