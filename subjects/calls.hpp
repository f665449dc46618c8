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
  std::vector<bool> left_out = {};  ///< true for each output that is not wanted; empty: all are wanted. Only for a
                                    ///< function over columns
  Surroundings around = {};         ///< the protection of the memory around the columns. Only for a function over
                                    ///< columns
};

/// The result of a call. If `status` is `answered`, each answer has its own status. `unsupported` means that the
/// subject declined the whole call. `malformed`, `crash` and `timeout` have a message.
struct Called {
  Status status = Status::answered;
  std::string message{};
  Answers answers{};
  Misdeed misdeed{};  ///< details of a malformed answer, if known
};

/// Makes calls for one subject and one kernel, which must outlive this object.
class Caller {
 public:
  using Deadline = std::chrono::steady_clock::time_point;

  Caller(Subject const& subject, Kernel const& kernel);

  /// Returns true if the subject is called as a function over columns: it is a library or one of our batch forms.
  bool over_columns() const { return static_cast<bool>(function_); }
  /// Returns true if no new process is started for the calls: the subject is a running program or recorded answers.
  bool keeps_its_process() const { return asked_.subject.separate(); }

  /// Makes calls with rows of `cases`, one after the other. All calls run in one new process, unless
  /// keeps_its_process(). `time` is the limit per call. Returns one result per call. If a call ends the new process,
  /// its result is the last one. Starts no call after the deadline. Does not round inputs, not even for a subject in
  /// binary32. Throws std::bad_alloc if a subject of ours runs out of memory.
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
