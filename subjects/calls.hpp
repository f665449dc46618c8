// A subject called as codes call it: batches of any size, order and number, one after another in one process, and, if
// it is a function over columns, with outputs that are not wanted and with memory around its columns that it must not
// touch.
#pragma once

#include "subjects/columns.hpp"
#include "subjects/subjects.hpp"

#include <chrono>
#include <vector>

namespace demeter {

struct Call {
  std::vector<std::size_t> rows;    ///< of the table of cases, in this order
  std::vector<bool> left_out = {};  ///< of a function over columns: see call_columns()
  Surroundings around = {};         ///< the same
};

/// What became of a call: `answered` with answers, of which each may have a status of its own, or declined as a whole
/// (`unsupported`), or `malformed`, `crash`, `timeout` with a message.
struct Called {
  Status status = Status::answered;
  std::string message{};
  Answers answers{};
  Misdeed misdeed{};  ///< of what is malformed, if more is known than that
};

/// What makes the calls of one subject and kernel. Both must outlive it.
class Caller {
 public:
  using Deadline = std::chrono::steady_clock::time_point;

  Caller(Subject const& subject, Kernel const& kernel);

  /// Whether it is a function over columns: a library's, or one of our batch forms.
  bool over_columns() const { return static_cast<bool>(function_); }
  /// Whether it is a program with a process of its own, in which all calls are made, those before included.
  bool keeps_its_process() const { return asked_.subject.separate(); }

  /// Makes the calls on rows of `cases` one after another, in a process that is new unless the subject keeps its own.
  /// `time`: for each. Ends with the first call that the process does not survive, which is then the last of what is
  /// returned, and before the first call that begins after the deadline. Inputs are given as they are, also to a
  /// subject in binary32. Throws std::bad_alloc where ours wants memory.
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
