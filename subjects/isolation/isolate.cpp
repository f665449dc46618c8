#include "subjects/isolation/isolate.hpp"

#include "subjects/isolation/forked.hpp"
#include "subjects/isolation/patience.hpp"
#include "subjects/isolation/process.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <new>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace demeter {
namespace isolation {
namespace {

/// Appends all rows of `from`.
void concatenate(Schema const& schema, Answers& to, Answers&& from) {
  for (auto& [row, text] : from.message) to.message[to.status.size() + row] = std::move(text);
  to.status.insert(to.status.end(), from.status.begin(), from.status.end());
  for (auto& [cell, text] : from.output.exact)
    to.output.exact[{cell.first, to.output.columns[cell.first].size() + cell.second}] = std::move(text);
  for (std::size_t i = 0; i < schema.columns.size(); ++i) {
    auto& column = to.output.columns[i];
    auto const& more = from.output.columns[i];
    if (schema.columns[i].kind == ColumnInfo::Kind::offsets) {
      double const base = column.back();
      std::transform(more.begin() + 1, more.end(), std::back_inserter(column), [&](double at) { return base + at; });
    } else {
      column.insert(column.end(), more.begin(), more.end());
    }
  }
  to.output.rows += from.output.rows;
}

void append_failed(Schema const& schema, Answers& answers, Failure const& failure) {
  append_without(schema, answers, failure.status, failure.message);
}

/// Answers cases [begin, end) in chunks of `size`.
void answer_chunks(Answering const& answering, Schema const& input, Schema const& output, Table const& cases,
                   std::size_t begin, std::size_t end, std::size_t size, FrameWriter const& writer) {
  Table chunk;
  Answers answers;
  while (begin < end) {
    std::size_t const stop = begin + std::min(size, end - begin);
    bool const sent = send(writer, FrameKind::answers, [&] {
      chunk.clear(input);
      for (; begin < stop; ++begin) append_row(input, chunk, cases, begin);
      answers.clear(output);
      answering.answer(chunk, answers);
      return encode(answers);
    });
    if (!sent && size > 1) return;  // the parent will ask these cases one by one
    begin = stop;
  }
}

class Run {
 public:
  Run(Answering const& answering, Schema const& input, Schema const& output, Table const& cases, Limits const& limits,
      Patience* patience)
      : answering_(answering),
        input_(input),
        output_(output),
        cases_(cases),
        limits_(limits),
        forbearance_(limits, patience) {}

  /// Answers all cases. `known` is the failure of the first chunk, if it has been asked already.
  void operator()(Answers& answers, std::optional<Failure> known) {
    answers.clear(output_);
    std::size_t size = std::max<std::size_t>(limits_.chunk, 1);
    while (answers.status.size() < cases_.rows && (known || !forbearance_.over())) {
      auto const failure =
          known ? std::exchange(known, std::nullopt) : answer(answers.status.size(), cases_.rows, size, answers);
      if (!failure || failure->status == Status::not_asked) break;
      std::size_t const begin = answers.status.size();
      std::size_t const end = begin + std::min(size, cases_.rows - begin);
      // If there is no time to find the case that hangs, all cases of the chunk count as timeouts.
      bool const no_time = failure->status == Status::timeout && forbearance_.over() && !stopping();
      if (end - begin == 1 || no_time) {
        for (std::size_t row = begin; row < end; ++row) append_failed(output_, answers, *failure);
        continue;
      }
      Answers alone;
      alone.clear(output_);
      bool const found = answer_one_by_one(begin, end, alone);
      if (!found && failure->status != Status::timeout) {
        for (std::size_t row = begin; row < end; ++row)
          append_failed(output_, answers,
                        {failure->status, failure->message + ", in a batch of " + std::to_string(end - begin) +
                                              " cases, although each case alone is answered"});
        continue;
      }
      // The chunk is slow, but none of its cases hangs: use smaller chunks.
      if (!found) size = std::max<std::size_t>(size / 8, 1);
      concatenate(output_, answers, std::move(alone));
    }
    while (answers.status.size() < cases_.rows)
      append_failed(output_, answers, {Status::not_asked, forbearance_.why()});
  }

 private:
  /// Answers cases [row, end) in one child, in chunks of `size`. Returns the failure of a chunk, or nothing. With
  /// `size` 1, an exception or a malformed answer is only recorded, and the next case is asked. Then only a child that
  /// ends or does not answer is a failure.
  std::optional<Failure> answer(std::size_t row, std::size_t end, std::size_t size, Answers& answers) {
    Child child(limits_, [&](FrameWriter const& writer) {
      answer_chunks(answering_, input_, output_, cases_, row, end, size, writer);
    });
    FrameKind kind{};
    std::string bytes;
    while (row < end) {
      std::size_t const rows = std::min(size, end - row);
      if (auto failure = child.read_frame(kind, bytes, limits_, time_for(rows), forbearance_.patience())) {
        if (failure->status != Status::not_asked) count(*failure);
        return failure;
      }
      Answers some;
      std::optional<Failure> failure;
      if (kind == FrameKind::answers) {
        if (auto wrong = decode(bytes, output_, rows, some)) failure = {Status::malformed, *wrong};
      } else if (kind == FrameKind::threw) {
        failure = {Status::crash, "uncaught exception: " + tidy(bytes)};
        // Counts as a crash if the subject ran out of memory: this takes a second, and it may happen in every case.
        if (size == 1 && bytes == std::bad_alloc().what()) count(*failure);
      } else {
        failure = {Status::malformed, "unexpected data instead of answers in its pipe"};
      }
      if (!failure) {
        concatenate(output_, answers, std::move(some));
      } else if (size == 1) {
        append_failed(output_, answers, *failure);
        soft_failure_ = true;
        if (forbearance_.given_up()) return std::nullopt;
      } else {
        return failure;
      }
      row += rows;
    }
    return std::nullopt;
  }

  /// Returns the time limit for a number of rows. A single case has only half of the time limit of a chunk.
  std::chrono::milliseconds time_for(std::size_t rows) const {
    auto const whole = forbearance_.time();
    return rows == 1 && limits_.chunk > 1 ? std::min(whole, std::max(whole / 2, std::chrono::milliseconds(1000)))
                                          : whole;
  }

  /// Asks cases one by one. Returns true if one of them failed or the subject was given up.
  bool answer_one_by_one(std::size_t begin, std::size_t end, Answers& alone) {
    bool found = false;
    soft_failure_ = false;
    while (begin + alone.status.size() < end && !forbearance_.over()) {
      if (auto const failure = answer(begin + alone.status.size(), end, 1, alone)) {
        if (failure->status == Status::not_asked) break;
        append_failed(output_, alone, *failure);
        found = true;
      }
    }
    return found || soft_failure_ || forbearance_.over();
  }

  void count(Failure const& failure) {
    forbearance_.count(failure.status == Status::timeout ? Forbearance::Failure::timeout : Forbearance::Failure::crash);
  }

  Answering const& answering_;
  Schema const& input_;
  Schema const& output_;
  Table const& cases_;
  Limits const& limits_;
  Forbearance forbearance_;
  bool soft_failure_ = false;
};

}  // namespace
}  // namespace isolation

using namespace isolation;

void append_row(Schema const& schema, Answers& answers, Answers const& from, std::size_t row) {
  if (auto const why = from.message.find(row); why != from.message.end())
    answers.message[answers.status.size()] = why->second;
  append_row(schema, answers.output, from.output, row);
  answers.status.push_back(from.status[row]);
}

void append_without(Schema const& schema, Answers& answers, Status why, std::string message) {
  for (std::size_t i = 0; i < schema.columns.size(); ++i) {
    ColumnInfo const& info = schema.columns[i];
    auto& column = answers.output.columns[i];
    if (info.list != Schema::top) continue;  // columns of list elements: the lists are empty
    switch (info.kind) {
      case ColumnInfo::Kind::number:
      case ColumnInfo::Kind::label:
        column.push_back(not_computed());
        break;
      case ColumnInfo::Kind::presence:
        column.push_back(1);
        break;
      case ColumnInfo::Kind::offsets:
        column.push_back(column.back());
        break;
    }
  }
  ++answers.output.rows;
  answers.message[answers.status.size()] = std::move(message);
  answers.status.push_back(why);
}

void answer_isolated(Answering const& answering, Schema const& input, Schema const& output, Table const& cases,
                     Answers& answers, Limits const& limits, Patience* patience) {
  Run(answering, input, output, cases, limits, patience)(answers, std::nullopt);
}

namespace {

/// Reads commands and answers them, until an answer fails or the commands end. Each command is a table of cases.
void answer_commands(Answering const& answering, Schema const& input, Schema const& output, FrameWriter const& writer) {
  std::size_t size = 0;
  std::string bytes;
  Table cases;
  Answers answers;
  while (read_command(reinterpret_cast<char*>(&size), sizeof size)) {
    bytes.resize(size);
    if (!read_command(bytes.data(), size)) return;
    bool const sent = send(writer, FrameKind::answers, [&] {
      if (decode(bytes, input, cases)) throw std::runtime_error("a damaged command frame");
      answers.clear(output);
      answering.answer(cases, answers);
      return encode(answers);
    });
    if (!sent) return;
  }
}

}  // namespace

struct IsolatedAnswers::State {
  Answering const& answering;
  Schema const& input;
  Schema const& output;
  Limits limits;
  Patience* patience;
  std::optional<Child> child;
  std::size_t failures = 0, answered = 0;  ///< answered: tables answered by this child

  static constexpr std::size_t most_failures = 4;

  /// Returns why the child did not answer the table, or nothing. `not_asked` means that the subject is not to blame.
  std::optional<Failure> answer(Table const& cases, Answers& answers) {
    Forbearance forbearance(limits, patience);
    if (failures >= most_failures || forbearance.over()) return Failure{Status::not_asked, ""};
    if (!child) {
      answered = 0;
      child.emplace(
          limits, [&](FrameWriter const& writer) { answer_commands(answering, input, output, writer); }, true);
    }
    std::string bytes = encode(cases);
    std::size_t const size = bytes.size();
    auto const time = forbearance.time();
    child->command({reinterpret_cast<char const*>(&size), sizeof size}, time);
    child->command(bytes, time);
    FrameKind kind{};
    auto failure = child->read_frame(kind, bytes, limits, time, patience);
    if (!failure && kind == FrameKind::answers && !decode(bytes, output, cases.rows, answers)) {
      ++answered;
      return std::nullopt;
    }
    if (failure && failure->status == Status::timeout) forbearance.count(Forbearance::Failure::timeout);
    child.reset();
    ++failures;
    if (failure) return failure;
    if (kind == FrameKind::threw) return Failure{Status::crash, "uncaught exception: " + tidy(bytes)};
    return Failure{Status::malformed, "unexpected data instead of answers in its pipe"};
  }
};

IsolatedAnswers::IsolatedAnswers(Answering const& answering, Schema const& input, Schema const& output,
                                 Limits const& limits, Patience* patience)
    : state_(new State{answering, input, output, limits, patience, {}}) {
  ignore_broken_pipes();
}
IsolatedAnswers::~IsolatedAnswers() = default;

void IsolatedAnswers::operator()(Table const& cases, Answers& answers) {
  State& state = *state_;
  answers.clear(state.output);
  std::size_t const size = std::max<std::size_t>(state.limits.chunk, 1);
  Table chunk;
  for (std::size_t begin = 0; begin < cases.rows;) {
    std::size_t const end = begin + std::min(size, cases.rows - begin);
    chunk.clear(state.input);
    for (; begin < end; ++begin) append_row(state.input, chunk, cases, begin);
    Answers some;
    if (auto const failure = state.answer(chunk, some)) {
      bool const timeout = failure->status == Status::timeout;
      Run(state.answering, state.input, state.output, chunk, state.limits, state.patience)(
          some, timeout ? failure : std::nullopt);
      // If a new process answers all cases, earlier calls of the old process caused the failure. The first case gets
      // the failure.
      if (owed(failure->status) && !timeout && state.answered > 0 && std::ranges::none_of(some.status, owed)) {
        some.status[0] = failure->status;
        some.message[0] =
            fmt::format("{}, in call {} of a process; a new process answers", failure->message, state.answered + 1);
      }
    }
    concatenate(state.output, answers, std::move(some));
  }
}

Isolated run_isolated(std::function<std::string()> const& work, Limits const& limits) {
  Child child(limits, [&](FrameWriter const& writer) { send(writer, FrameKind::result, work); });
  FrameKind kind{};
  std::string bytes;
  if (auto failure = child.read_frame(kind, bytes, limits, limits.time_per_chunk))
    return {failure->status, failure->message, {}};
  if (kind == FrameKind::threw) return {Status::crash, "uncaught exception: " + tidy(bytes), {}};
  if (kind != FrameKind::result) return {Status::malformed, "unexpected data instead of a result in its pipe", {}};
  return {Status::answered, {}, std::move(bytes)};
}

}  // namespace demeter
