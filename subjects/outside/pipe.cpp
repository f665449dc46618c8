// Programs as subjects: they read cases as JSON lines on standard input and write answers to standard output.
//
// Demeter writes and reads lines whenever poll(2) allows it, so that neither side waits for a full pipe forever. An
// answer belongs to the case with the same id. One process is kept for many batches. After the cases of a batch, the
// last case is sent again with a new id. This line is called the marker. A program that works in order answers the
// marker after the whole batch. Therefore Demeter reads up to this answer, and finds cases that are answered twice.
//
// Some programs hold back answers until their input ends. Demeter closes the input of a program if all cases are sent,
// answers are missing, and the program writes nothing for the time `quiet`. If the missing answers come then, the
// program probably holds back answers. Demeter assumes this at once if the process had not answered before, otherwise
// at the third time. Each further batch then gets its own process. A slow program that answers line by line still
// answers all cases, because it can read all of them.
//
// A program that crashes or hangs is started again for the cases without an answer. The first of these cases is asked
// alone. If this case fails again, it is the reason. Otherwise the other cases are asked in two halves.
#include "kernels/json_lines.hpp"
#include "subjects/isolation/isolate.hpp"
#include "subjects/isolation/patience.hpp"
#include "subjects/outside/outside.hpp"
#include "subjects/outside/speaker.hpp"

#include <algorithm>
#include <mutex>
#include <numeric>
#include <set>
#include <stdexcept>

namespace demeter {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds quiet{100};            // silence after which the input of a program is closed
constexpr milliseconds quiet_at_start{1000};  // the same before the first answer, because interpreters start slowly
constexpr milliseconds marker_patience{50};
constexpr std::size_t longest_line = std::size_t{16} << 20;
constexpr int closings_to_learn = 3;

/// How the exchange of one batch ended.
enum class End {
  complete,  ///< all cases are answered, and the process can be used again
  orderly,   ///< the process did not fail, but cannot be used again; some cases may have no answer
  early,     ///< the program ended before the end of its input
  crash,
  timeout,
  flood,
  abandoned,  ///< the run was stopped, or the subject gets no more time
};

/// The result of one case, until the answers are put in order.
struct Slot {
  Status status = Status::missing;
  std::string message;
  std::size_t row = 0;   ///< row of `outputs_`, if the case is answered
  bool settled = false;  ///< true: the case has a result
};

/// A program and its observed behaviour. Used by one thread at a time.
class Pipe {
 public:
  Pipe(std::string command, Limits const& limits, std::shared_ptr<Patience> patience, std::shared_ptr<Strays> strays)
      : command_(std::move(command)), limits_(limits), patience_(std::move(patience)), strays_(std::move(strays)) {}

  void answer(Kernel const& kernel, Table const& cases, Answers& answers) {
    std::lock_guard const lock(mutex_);
    kernel_ = &kernel;
    cases_ = &cases;
    slots_.assign(cases.rows, {});
    outputs_.clear(kernel.output);
    reader_.emplace(kernel);
    forbearance_.emplace(limits_, patience_.get());
    time_ = forbearance_->time();
    std::size_t const chunk = std::max<std::size_t>(limits_.chunk, 1);
    for (std::size_t begin = 0; begin < cases.rows;) {
      std::size_t const size = std::min({chunk, most_rows_, cases.rows - begin});
      std::vector<std::size_t> rows(size);
      std::iota(rows.begin(), rows.end(), begin);
      settle(std::move(rows));
      begin += size;
    }
    for (std::size_t row = 0; row < slots_.size(); ++row) {
      Slot& slot = slots_[row];
      if (slot.status != Status::answered) {
        append_without(kernel.output, answers, slot.status, std::move(slot.message));
      } else {
        append_row(kernel.output, answers.output, outputs_, slot.row);
        answers.status.push_back(Status::answered);
      }
    }
  }

  /// Sends prepared lines and counts the lines that come back, for a timing. Throws if fewer than `lines` come back.
  void pass(std::string_view text, std::size_t lines) {
    std::lock_guard const lock(mutex_);
    if (patience_->hasty(limits_))
      throw std::runtime_error("given up after " + std::to_string(patience_->timeouts) + " timeouts");
    if (buffers_) program_.reset();
    start();
    next_id_ = std::max<std::uint64_t>(next_id_, lines);
    std::size_t seen = 0, sent = 0;
    auto last = Clock::now();
    bool open = true;
    while (seen < lines && open) {
      if (sent == text.size() && buffers_) program_->close_input();
      program_->wait(sent < text.size(), 100);
      if (program_->write_some(text, sent)) last = Clock::now();
      bool const ended = program_->has_ended();
      ssize_t const got = program_->read_some();
      open = got > 0 || (got < 0 && !ended);
      while (program_->next_line(false)) ++seen;
      if (got > 0) last = Clock::now();
      if (isolation::stopping()) {
        program_.reset();
        throw std::runtime_error(isolation::stopped);
      }
      if (Clock::now() - last > limits_.time_per_chunk) {
        ++patience_->timeouts;
        program_.reset();
        throw std::runtime_error("no answer within " + in_seconds(limits_.time_per_chunk));
      }
    }
    if (seen < lines) {
      program_->await_end();
      std::string const how = program_->ending();
      program_.reset();
      throw std::runtime_error(how + " after " + std::to_string(seen) + " of " + std::to_string(lines) + " answers");
    }
  }

 private:
  // --------------------------------------------------------------------------------------------------- whom to blame

  void settle(std::vector<std::size_t> rows) {
    while (!rows.empty()) {
      if (forbearance_->over()) return fail(rows, Status::not_asked, forbearance_->why());
      std::string why;
      std::size_t const asked = rows.size();
      End const end = talk(rows, why);
      std::erase_if(rows, [&](std::size_t row) { return slots_[row].settled; });
      if (rows.empty()) return;
      if (end == End::abandoned) return fail(rows, Status::not_asked, why);
      if (end == End::orderly) return fail(rows, Status::missing, why);
      Status const status = end == End::crash     ? Status::crash
                            : end == End::timeout ? Status::timeout
                            : end == End::flood   ? Status::malformed
                                                  : Status::missing;
      // A flood of output counts as a timeout, because it costs time like a timeout.
      bool const slow = end == End::timeout || end == End::flood;
      forbearance_->count(slow ? Forbearance::Failure::timeout : Forbearance::Failure::crash);
      if (asked == 1) return fail(rows, status, why);
      std::size_t const first = rows.front();
      std::size_t const failures = forbearance_->failures();
      settle({first});
      rows.erase(rows.begin());
      if (forbearance_->failures() > failures) continue;                          // the first case was the reason
      if (end == End::timeout) most_rows_ = std::max<std::size_t>(asked / 8, 1);  // the batch may be too large
      auto const half = rows.begin() + static_cast<std::ptrdiff_t>(rows.size() / 2);
      settle({rows.begin(), half});
      settle({half, rows.end()});
      if (end == End::crash && forbearance_->failures() == failures)
        strays_->add(why + ", in a batch of " + std::to_string(asked) + " cases, although each case alone is answered");
      return;
    }
  }

  void fail(std::vector<std::size_t> const& rows, Status status, std::string const& why) {
    for (std::size_t const row : rows) {
      slots_[row].status = status;
      slots_[row].message = why;
      slots_[row].settled = true;
    }
  }

  // ----------------------------------------------------------------------------------------------------- one batch

  /// Asks for these rows in one batch. Ends the process if it cannot be used for the next batch.
  End talk(std::vector<std::size_t> const& rows, std::string& why) {
    if (program_ && program_->has_ended()) {
      if (!program_->ended_well()) strays_->add("ended between two batches: " + program_->ending());
      program_.reset();
    }
    bool const kept = !buffers_;
    start();
    rows_ = &rows;
    base_ = next_id_;
    expected_ = base_;
    due_ = rows.size();
    marker_due_ = kept;
    stray_lines_ = 0;
    Buffer text;
    for (std::size_t i = 0; i < rows.size(); ++i) write_case(base_ + i, rows[i], text);
    next_id_ = base_ + rows.size();
    if (kept) write_case(next_id_++, rows.back(), text);

    End const end = exchange({text.data(), text.size()}, why);
    if (end != End::complete) {
      program_.reset();
    } else if (marker_due_) {
      late_markers_.insert(base_ + rows.size());
    }
    rows_ = nullptr;
    return end;
  }

  void write_case(std::uint64_t id, std::size_t row, Buffer& text) const {
    fmt::format_to(fmt::appender(text), "{{\"id\":{},\"kernel\":\"{}\",\"input\":", id, kernel_->name);
    write_record(kernel_->input, *cases_, row, text);
    text.append(std::string_view("}\n"));
  }

  End exchange(std::string_view text, std::string& why) {
    std::size_t sent = 0;
    // last_word: when bytes were last sent or received. last_progress: when bytes were last sent or a case was last
    // answered.
    auto last_word = Clock::now(), last_progress = last_word;
    std::size_t due_when_closed = 0;
    bool closed_by_us = false, answered_when_closed = false;
    for (;;) {
      bool const sending = sent < text.size() && program_->listens();
      if (!sending && program_->listens() && buffers_) program_->close_input();
      program_->wait(sending, 20);
      auto const now = Clock::now();
      if (sending && program_->write_some(text, sent)) last_progress = last_word = now;
      bool const ended = program_->has_ended();  // checked before reading, so that the last output is not missed
      std::size_t const due = due_ + (marker_due_ ? 1 : 0);
      ssize_t const got = program_->read_some();
      if (got > 0) last_word = now;
      while (auto const line = program_->next_line(got == 0 || (ended && got < 0))) take_line(*line);
      if (due_ + (marker_due_ ? 1 : 0) < due) {
        last_progress = now;
        answered_before_ = true;
      }
      if (stray_lines_ > 10'000 + 10 * rows_->size() || program_->unread() > longest_line) {
        why = program_->unread() > longest_line
                  ? "a flood of output: a line of more than 16 MiB"
                  : "a flood of output: more than " + std::to_string(stray_lines_ - 1) + " lines that answer no case";
        strays_->add(why);
        return due_ == 0 ? End::orderly : End::flood;
      }
      if (got == 0 || (ended && got < 0)) {
        if (closed_by_us && due_ < due_when_closed) learn(answered_when_closed);
        if (due_ == 0) return End::orderly;  // complete, but this process cannot be used again
        bool const input_at_end = !program_->listens() && sent == text.size();
        program_->await_end();
        why = program_->ending();
        if (program_->has_ended() && !program_->ended_well()) return End::crash;
        return input_at_end ? End::orderly : End::early;
      }
      bool const all_sent = sent == text.size() || !program_->listens();
      auto const silence = now - last_word;
      if (due_ == 0 && program_->listens() && !buffers_) {
        if (!marker_due_ || silence > marker_patience) return End::complete;
      } else if (due_ == 0 && silence > quiet) {
        return End::orderly;  // all cases are answered, but the program has not ended
      }
      if (due_ > 0 && all_sent && program_->listens() && silence > patience()) {
        closed_by_us = true;
        due_when_closed = due_;
        answered_when_closed = answered_before_;
        program_->close_input();
        last_word = now;
      }
      if (now - last_progress > time_) {
        why = "no answer within " + in_seconds(time_);
        return End::timeout;
      }
      if (forbearance_->over()) {
        auto const vain = isolation::waited_in_vain(now - last_progress);
        why = forbearance_->given_up() || isolation::stopping() ? forbearance_->why() : vain.message;
        return vain.status == Status::timeout && !isolation::stopping() ? End::timeout : End::abandoned;
      }
    }
  }

  milliseconds patience() const { return std::min(answered_before_ ? quiet : quiet_at_start, time_ / 2); }

  /// Call this if answers arrived only after the input was closed. Decides whether the program holds back answers.
  void learn(bool answered_when_closed) {
    if (!answered_when_closed || ++closings_ >= closings_to_learn) buffers_ = true;
  }

  void take_line(std::string_view text) {
    if (text.find_first_not_of(" \t\r") == std::string_view::npos) return;
    Line line;
    std::size_t const row = outputs_.rows;
    auto wrong = reader_->read(text, nullptr, &outputs_, line);
    if (wrong && (text.find("NaN") != text.npos || text.find("Infinity") != text.npos))
      *wrong += " (JSON has no NaN and no Infinity; expected \"nan\", \"inf\" or \"-inf\")";
    auto const stray = [&](std::string const& what) {
      ++stray_lines_;
      strays_->add(what + ": \"" + tidy(text, 80) + "\"");
    };
    if (wrong && !line.id) return stray(*wrong);
    std::uint64_t const id = line.id.value_or(expected_);
    if (id == base_ + rows_->size() && marker_due_) {
      marker_due_ = false;
      expected_ = id + 1;
      return;
    }
    if (id < base_ || id >= base_ + rows_->size()) {
      if (late_markers_.erase(id) > 0) return;
      return stray("id " + std::to_string(id) + " is not one of the cases asked");
    }
    expected_ = id + 1;
    Slot& slot = slots_[(*rows_)[static_cast<std::size_t>(id - base_)]];
    // A faulty output stays in `outputs_`, but no slot refers to its row.
    auto const settle_as = [&](Status status, std::string message) {
      slot.status = status;
      slot.message = std::move(message);
    };
    bool const again = std::exchange(slot.settled, true);
    if (!again) --due_;
    if (again) ++stray_lines_;
    if (again) return settle_as(Status::malformed, "answered twice: \"" + tidy(text, 80) + "\"");
    if (wrong) return settle_as(Status::malformed, *wrong + ": \"" + tidy(text, 80) + "\"");
    switch (line.answer) {
      case Line::Answer::output:
        slot.status = Status::answered;
        slot.row = row;
        return;
      case Line::Answer::unsupported:
        return settle_as(Status::unsupported, tidy(line.message));
      case Line::Answer::error:
        return settle_as(Status::malformed, "error for a valid case: " + tidy(line.message));
      case Line::Answer::none:
        return settle_as(Status::malformed,
                         "expected one of the keys output, unsupported, error: \"" + tidy(text, 80) + "\"");
    }
  }

  // --------------------------------------------------------------------------------------------------- the process

  void start() {
    if (program_) return;
    late_markers_.clear();
    answered_before_ = false;
    program_.emplace(command_, limits_);
  }

  std::string command_;
  Limits limits_;
  std::shared_ptr<Patience> patience_;
  std::shared_ptr<Strays> strays_;
  std::mutex mutex_;

  // The program and its observed behaviour.
  std::optional<Speaker> program_;
  bool answered_before_ = false;  ///< true: this process has answered something
  bool buffers_ = false;          ///< true: the program answers only at the end of its input
  int closings_ = 0;
  std::size_t most_rows_ = static_cast<std::size_t>(-1);
  std::uint64_t next_id_ = 0;
  std::set<std::uint64_t> late_markers_;  ///< markers that have no answer yet

  // The table that is being answered.
  Kernel const* kernel_ = nullptr;
  Table const* cases_ = nullptr;
  std::optional<LineReader> reader_;
  std::vector<Slot> slots_;
  Table outputs_;
  milliseconds time_{};
  std::optional<Forbearance> forbearance_;

  // The batch that is being answered.
  std::vector<std::size_t> const* rows_ = nullptr;
  std::uint64_t base_ = 0, expected_ = 0;
  std::size_t due_ = 0, stray_lines_ = 0;
  bool marker_due_ = false;
};

Answering answer_pipe(std::shared_ptr<Pipe> const& pipe, Kernel const& kernel) {
  Answering result;
  result.kernel = kernel.name;
  result.doc = "an external program";
  result.answer = [pipe, &kernel](Table const& cases, Answers& answers) { pipe->answer(kernel, cases, answers); };
  result.timed = [pipe, &kernel](Table const& cases) -> std::function<void()> {
    auto const text = std::make_shared<Buffer>();
    for (std::size_t row = 0; row < cases.rows; ++row) {
      fmt::format_to(fmt::appender(*text), "{{\"id\":{},\"kernel\":\"{}\",\"input\":", row, kernel.name);
      write_record(kernel.input, cases, row, *text);
      text->append(std::string_view("}\n"));
    }
    return [pipe, text, lines = cases.rows] { pipe->pass({text->data(), text->size()}, lines); };
  };
  return result;
}

}  // namespace

Opened open_pipe(std::string const& command, SubjectOptions const& options, std::span<Kernel const> among) {
  if (command.find_first_not_of(" \t") == std::string::npos)
    return {std::nullopt, "expected a command after pipe:, such as \"pipe:python3 my_code.py\""};
  Subject subject;
  subject.name = "pipe:" + command;
  subject.origin = Origin::pipe;
  subject.limits = options.limits();
  subject.binary32 = options.binary32;
  auto const pipe = std::make_shared<Pipe>(command, subject.limits, subject.patience, subject.strays);
  for (auto const& kernel : among) subject.answers.push_back(answer_pipe(pipe, kernel));
  return {std::move(subject), ""};
}

}  // namespace demeter
