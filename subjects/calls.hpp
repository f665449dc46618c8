// Calls of a subject with different call patterns: batches of any size and order, several calls in one process. A
// function over columns is also called without some outputs, and with guard pages around its columns.
#pragma once

#include "subjects/columns.hpp"
#include "subjects/subjects.hpp"

#include <chrono>
#include <vector>

namespace demeter {

struct Call {
  std::vector<std::size_t> rows;    ///< rows of the table of cases, in this order
  std::vector<bool> left_out = {};  ///< only for a function over columns: see call_columns()
  Surroundings around = {};         ///< only for a function over columns
};

/// The result of a call: `answered`, with a status for each answer; `unsupported` if the whole call was declined;
/// `malformed`, `crash` or `timeout` with a message.
struct Called {
  Status status = Status::answered;
  std::string message{};
  Answers answers{};
  Misdeed misdeed{};  ///< details of a malformed answer, if known
};

/// Makes calls for one subject and kernel. Both must outlive it.
class Caller {
 public:
  using Deadline = std::chrono::steady_clock::time_point;

  Caller(Subject const& subject, Kernel const& kernel);

  /// Returns true if the subject is a function over columns: of a library, or one of our batch forms.
  bool over_columns() const { return static_cast<bool>(function_); }
  /// Returns true if the subject is a program that makes all calls in its own process, together with earlier calls.
  bool keeps_its_process() const { return asked_.subject.separate(); }

  /// Makes calls with rows of `cases` in sequence. They run in a new process, unless the subject keeps its own process.
  /// `time` is the limit per call. Stops after a call that ends the process, which is then the last result. Starts no
  /// call after the deadline. Inputs are not rounded, also for a subject in binary32. Throws std::bad_alloc if a
  /// subject of ours runs out of memory.
  std::vector<Called> operator()(Table const& cases, std::vector<Call> const& calls, std::chrono::milliseconds time,
                                 Deadline deadline) const;

 private:
  std::vector<Called> in_a_child(Table const& cases, std::vector<Call> const& calls, std::chrono::milliseconds time,
                                 Deadline deadline) const;
  Called call(Table const& cases, Call const& call) const;

  Asked asked_;
  ColumnFunction function_;
};

}  // namespace demeter
