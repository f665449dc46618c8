// Runs a subject that is not ours in a child process, so that whatever it does is a verdict and not our end.
//
// One thread at a time may call these functions, and no other thread should hold a lock that the subject needs when
// they are called: the child is a fork, so only the calling thread lives on in it. (glibc keeps malloc and stdio
// usable.) What the subject prints to stdout or stderr is discarded; its stdin is empty.
#pragma once

#include "subjects/core/subject.hpp"

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>

namespace demeter {

/// What a child process may use, and when to give up on a subject.
struct Limits {
  std::chrono::milliseconds time_per_chunk{10'000};  ///< for one chunk of cases, not for the whole run
  /// Address space beyond what this process has already. Not limited under the sanitizers, which reserve terabytes.
  std::size_t memory = std::size_t{4} << 30;
  std::size_t chunk = 4096;
  std::size_t crashes = 200;  ///< children that die before the remaining cases are given up
  std::size_t timeouts = 20;  ///< the same for those that are stopped
};

/// Answers `cases` with `answering.answer` in forked children; `answers` is cleared first and gets one row a case.
/// `input` and `output` are the kernel's schemas.
///
/// A chunk of cases in which the subject crashes, hangs or answers something malformed is done again case by case, so
/// that only the case that does it gets `Status::crash`, `Status::timeout` or `Status::malformed` with a message, and
/// the others are answered. Where every case of a crashing chunk is answered alone, it is the batch that crashes, and
/// the whole chunk is marked so. A case that damages memory without dying of it may be blamed on one after it.
void answer_isolated(Answering const& answering, Schema const& input, Schema const& output, Table const& cases,
                     Answers& answers, Limits const& limits = {});

/// What became of work done in a child.
struct Isolated {
  Status status = Status::answered;  ///< or `crash`, `timeout`, `malformed`
  std::string message;               ///< why, if not `answered`
  std::string result;
};

/// Runs `work` in one child, within `limits.time_per_chunk` and `limits.memory`: for what is not a table of answers,
/// such as the times a subject takes.
Isolated run_isolated(std::function<std::string()> const& work, Limits const& limits = {});

}  // namespace demeter
