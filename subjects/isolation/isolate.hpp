// Runs subjects that are not ours in child processes, so that a crash or hang is a verdict and does not end Demeter.
//
// These functions may be called from several threads at the same time. But no other thread may hold a lock that the
// subject needs, because a fork copies only the calling thread. (glibc keeps malloc and stdio usable.) Output of the
// subject to stdout or stderr is discarded; its stdin is empty.
#pragma once

#include "kernels/subject.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace demeter {

/// Answers `cases` with `answering.answer` in forked children. Clears `answers` and adds one row per case. `input` and
/// `output` are the schemas of the kernel.
///
/// If the subject crashes, hangs or gives a malformed answer in a chunk, the cases of the chunk are asked one by one.
/// So only the case with the failure gets `Status::crash`, `Status::timeout` or `Status::malformed`, with a message. If
/// the chunk crashed or was malformed but each case alone is answered, the batch itself is the reason. Then all cases
/// of the chunk get the failure. A case that damages memory without crashing may cause a failure of a later case. Cases
/// are `Status::not_asked` if the subject was given up.
void answer_isolated(Answering const& answering, Schema const& input, Schema const& output, Table const& cases,
                     Answers& answers, Limits const& limits = {}, Patience* patience = nullptr);

/// Answers many small tables, as a search needs them. Keeps one child for all tables, because a fork per table would
/// take longer than the answers. After a failure, `answer_isolated` answers the chunk again to find the case that
/// fails, and the next chunk gets a new child. If no case fails in `answer_isolated`, earlier tables of the old child
/// caused the failure. Then the first case of the chunk gets the failure, unless it was a timeout. After several
/// failures, `answer_isolated` answers all further tables.
class IsolatedAnswers {
 public:
  /// Keeps references to the arguments, and a copy of the limits.
  IsolatedAnswers(Answering const& answering, Schema const& input, Schema const& output, Limits const& limits,
                  Patience* patience = nullptr);
  ~IsolatedAnswers();
  IsolatedAnswers(IsolatedAnswers const&) = delete;
  IsolatedAnswers& operator=(IsolatedAnswers const&) = delete;

  /// Clears `answers` and adds one row per case.
  void operator()(Table const& cases, Answers& answers);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Appends a row without outputs, as Answers::append_without does for a record of known type.
void append_without(Schema const& schema, Answers& answers, Status why, std::string message);

/// Appends row `row` of `from`: answer, status and message. Both have the same schema.
void append_row(Schema const& schema, Answers& answers, Answers const& from, std::size_t row);

/// The result of work done in a child.
struct Isolated {
  Status status = Status::answered;  ///< `answered`, `crash`, `timeout` or `malformed`
  std::string message;               ///< reason of a status other than `answered`
  std::string result;
};

/// Runs `work` in one child, within `limits.time_per_chunk` and `limits.memory`. Returns its result, which may be any
/// bytes.
Isolated run_isolated(std::function<std::string()> const& work, Limits const& limits = {});

/// Times work in a child that is forked at the first call and ended by the destructor.
class IsolatedTimer {
 public:
  /// The child calls `prepare` once, and the returned function once per pass. A subject that has used up its allowed
  /// timeouts (`patience`) is not timed.
  IsolatedTimer(std::function<std::function<void()>()> prepare, Limits const& limits, Patience* patience = nullptr);
  ~IsolatedTimer();

  struct Passes {
    Status status = Status::answered;  ///< `answered`, or why there is no time: such as `crash` or `timeout`
    std::string message;               ///< reason of a status other than `answered`
    double seconds = 0;                ///< processor time of the child, sum of all passes
  };
  /// Runs passes and times them. After a failure, every further call returns the same failure.
  Passes run(std::uint64_t passes);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace demeter
