// Runs a subject that is not ours in a child process, so that whatever it does is a verdict and not our end.
//
// Threads may call these functions at the same time, but none should hold a lock that the subject needs when another
// calls them: the child is a fork, so only the calling thread lives on in it. (glibc keeps malloc and stdio usable.)
// What the subject prints to stdout or stderr is discarded; its stdin is empty.
#pragma once

#include "kernels/subject.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace demeter {

/// Answers `cases` with `answering.answer` in forked children; `answers` is cleared first and gets one row a case.
/// `input` and `output` are the kernel's schemas.
///
/// A chunk of cases in which the subject crashes, hangs or answers something malformed is done again case by case, so
/// that only the case that does it gets `Status::crash`, `Status::timeout` or `Status::malformed` with a message, and
/// the others are answered. Where every case of a crashing chunk is answered alone, it is the batch that crashes, and
/// the whole chunk is marked so. A case that damages memory without dying of it may be blamed on one after it. Cases
/// that are not asked because the subject was given up are `Status::not_asked`.
void answer_isolated(Answering const& answering, Schema const& input, Schema const& output, Table const& cases,
                     Answers& answers, Limits const& limits = {}, Patience* patience = nullptr);

/// Answers table after table in one child that stays, forked at the first: for a search by many small tables, of which
/// a fork each would cost more than the answers. After a failure `answer_isolated` answers that chunk anew, to find the
/// case that fails, and the next chunk gets a new child. If it finds none, the first case of the chunk stands for the
/// call that the child did not survive. A subject that often goes wrong gets no further staying child.
class IsolatedAnswers {
 public:
  /// The arguments are kept by reference, but for the limits.
  IsolatedAnswers(Answering const& answering, Schema const& input, Schema const& output, Limits const& limits,
                  Patience* patience = nullptr);
  ~IsolatedAnswers();
  IsolatedAnswers(IsolatedAnswers const&) = delete;
  IsolatedAnswers& operator=(IsolatedAnswers const&) = delete;

  /// `answers` is cleared first and gets one row a case.
  void operator()(Table const& cases, Answers& answers);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Appends a row without outputs, as Answers::append_without does where the type is known.
void append_without(Schema const& schema, Answers& answers, Status why, std::string message);

/// Appends row `row` of `from`, answers of the same schema: what was answered, its status, and why not.
void append_row(Schema const& schema, Answers& answers, Answers const& from, std::size_t row);

/// What became of work done in a child.
struct Isolated {
  Status status = Status::answered;  ///< or `crash`, `timeout`, `malformed`
  std::string message;               ///< why, if not `answered`
  std::string result;
};

/// Runs `work` in one child, within `limits.time_per_chunk` and `limits.memory`: for what is not a table of answers,
/// such as the times a subject takes.
Isolated run_isolated(std::function<std::string()> const& work, Limits const& limits = {});

/// Times work in a child that stays: forked at the first call, ended with the object.
class IsolatedTimer {
 public:
  /// `prepare` is called in the child, and what it returns as often as is asked for.
  /// A subject whose `patience` is at its end is not timed.
  IsolatedTimer(std::function<std::function<void()>()> prepare, Limits const& limits, Patience* patience = nullptr);
  ~IsolatedTimer();

  struct Passes {
    Status status = Status::answered;  ///< or `crash`, `timeout`, `malformed`
    std::string message;               ///< why, if not `answered`
    double seconds = 0;                ///< of the child's processor time, all passes together
  };
  /// After a failure every further call fails the same way.
  Passes run(std::uint64_t passes);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace demeter
