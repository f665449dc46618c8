#include "subjects/calls.hpp"

#include "kernels/lists.hpp"
#include "subjects/isolation/forked.hpp"
#include "subjects/isolation/frames.hpp"

#include <new>

namespace demeter {

using namespace isolation;

namespace {

std::string encode(Called const& called) {
  Writer writer;
  writer.put(called.status);
  writer.put(called.misdeed.kind);
  writer.put(called.misdeed.column);
  writer.put_text(called.message);
  writer.put_text(isolation::encode(called.answers));
  return writer.bytes();
}

/// Decodes the answer of a child process. Checks everything, because the subject may have damaged the process.
Called decode(std::string_view bytes, Kernel const& kernel, std::size_t rows) {
  Called result;
  std::string answers;
  Reader reader(bytes);
  if (!reader.get(result.status) || !reader.get(result.misdeed.kind) || !reader.get(result.misdeed.column) ||
      !reader.get_text(result.message) || !reader.get_text(answers) ||
      static_cast<std::size_t>(result.status) >= labels(Status{}).size() ||
      result.misdeed.kind > Misbehaviour::reads_beyond_inputs)
    return {Status::malformed, "an unreadable answer", {}};
  result.message = tidy(result.message);
  if (result.status != Status::answered) return result;
  if (auto const wrong = isolation::decode(answers, kernel.output, rows, result.answers))
    return {Status::malformed, *wrong, {}};
  return result;
}

}  // namespace

Caller::Caller(Subject const& subject, Kernel const& kernel)
    : asked_(subject, kernel), function_(library_function(subject, kernel)) {
  auto const& columns = asked_.answering.columns;
  if (!function_ && columns)
    function_ = [&columns](std::size_t n, double const* const in[], double* const out[], std::size_t) {
      columns(n, in, out);
      return 0;
    };
}

Called Caller::call(Table const& cases, Call const& call) const {
  Kernel const& kernel = asked_.kernel;
  Table asked(kernel.input);
  for (std::size_t const row : call.rows) append_row(kernel.input, asked, cases, row);
  Called result;
  result.answers.clear(kernel.output);
  if (function_) {
    auto refused = call_columns(function_, kernel, asked, result.answers, call.left_out, call.around);
    if (refused) return {refused->status, std::move(refused->message), {}, refused->misdeed};
  } else {
    asked_.answering.answer(asked, result.answers);
  }
  Answers& answers = result.answers;
  for (std::size_t row = 0; row < answers.status.size() && row < asked.rows; ++row) {
    if (answers.status[row] != Status::answered) continue;
    auto wrong = list_flaw(kernel.input, kernel.output, asked, row, answers.output, row);
    if (!wrong) continue;
    answers.status[row] = Status::malformed;
    answers.message[row] = std::move(*wrong);
  }
  return result;
}

std::vector<Called> Caller::operator()(Table const& cases, std::vector<Call> const& calls,
                                       std::chrono::milliseconds time, Deadline deadline) const {
  if (!keeps_its_process()) return in_a_child(cases, calls, time, deadline);
  std::vector<Called> made;
  for (Call const& each : calls) {
    if (std::chrono::steady_clock::now() > deadline) break;
    made.push_back(call(cases, each));
  }
  return made;
}

std::vector<Called> Caller::in_a_child(Table const& cases, std::vector<Call> const& calls,
                                       std::chrono::milliseconds time, Deadline deadline) const {
  std::vector<Called> made;
  Limits const& limits = asked_.subject.limits;
  Child child(limits, [&](FrameWriter const& writer) {
    for (Call const& each : calls)
      if (!send(writer, FrameKind::result, [&] { return encode(call(cases, each)); })) return;
  });
  for (Call const& each : calls) {
    if (std::chrono::steady_clock::now() > deadline) break;
    FrameKind kind{};
    std::string bytes;
    if (auto failure = child.read_frame(kind, bytes, limits, time)) {
      made.push_back({failure->status, std::move(failure->message), {}});
      break;
    }
    if (kind == FrameKind::threw) {
      // If our own code runs out of memory, the exception is passed on: this does not depend on the call pattern. Other
      // subjects have memory limits, so running out of memory counts as a crash.
      if (asked_.subject.ours() && bytes == std::bad_alloc().what()) throw std::bad_alloc();
      made.push_back({Status::crash, "uncaught exception: " + tidy(bytes), {}});
      break;
    }
    made.push_back(kind == FrameKind::result
                       ? decode(bytes, asked_.kernel, each.rows.size())
                       : Called{Status::malformed, "unexpected data instead of answers in its pipe", {}});
  }
  return made;
}

}  // namespace demeter
