// A program of its own, with pipes to its standard streams, that cannot outlive us.
#pragma once

#include "kernels/limits.hpp"
#include "subjects/isolation/keeper.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace demeter {

/// A write to a closed pipe is an error to be looked at and not the end of this process, unless it has said otherwise.
void ignore_broken_pipes();

/// Runs `/bin/sh -c command` under a keeper, in a process group of its own.
class Process {
 public:
  Process(std::string const& command, Limits const& limits);
  Process(Process const&) = delete;
  Process& operator=(Process const&) = delete;
  /// Ends all of it.
  ~Process();

  int input() const { return input_; }             ///< to write to, without blocking; -1 once closed
  int output() const { return output_; }           ///< to read from, without blocking
  int errors() const { return errors_; }           ///< the same; -1 once closed
  int status() const { return keeper_.status(); }  ///< readable once the program has ended

  void close_input();
  void close_errors();
  /// Looks, without waiting.
  bool has_ended() { return keeper_.has_ended(); }
  /// Of a program that has ended: whether with exit code 0.
  bool ended_well() const { return keeper_.ended_well(); }
  /// "exit code 3", "signal 11 (SIGSEGV)".
  std::string how_it_ended() const;
  /// Of a program that has ended: its exit code, or nothing after a signal.
  std::optional<int> exit_code() const {
    return keeper_.was_signalled() ? std::nullopt : std::optional(keeper_.code());
  }

 private:
  isolation::Keeper keeper_;
  int input_ = -1, output_ = -1, errors_ = -1;
};

}  // namespace demeter
