// Programs as subjects: cases as JSON lines on their standard input, answers on their standard output.
//
// Lines go out and answers come in as poll(2) allows, so that nobody waits for a full pipe, whichever side buffers.
// Answers are matched by id. One process is kept for many batches: after the cases of a batch it is sent one of them
// again under an id of its own (the marker), and with the answer to that, all that a program that works in order has to
// say of the batch has been said, an answer given twice included.
//
// A program may keep answers back until its input ends. If it says nothing for `quiet` while answers are due, its input
// is closed; a program that answers then gets one process a batch from there on. Programs that read and answer line by
// line are not affected, slow ones included.
//
// A program that dies or hangs is started again for the cases that have no answer yet. The first of them is asked
// alone: if it fails again it is the culprit, otherwise the others are asked in halves.
#include "kernels/json_lines.hpp"
#include "subjects/isolation/isolate.hpp"
#include "subjects/isolation/process.hpp"
#include "subjects/outside/outside.hpp"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <numeric>
#include <set>
#include <stdexcept>

namespace demeter {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds quiet{100};            // answers are due, but none come
constexpr milliseconds quiet_at_start{1000};  // the same before the first answer: interpreters take their time
constexpr milliseconds marker_patience{50};
constexpr std::size_t longest_line = std::size_t{16} << 20;
constexpr std::size_t read_size = 1 << 18;
constexpr int closings_to_learn = 3;

/// How a talk with the program about a batch ended.
enum class End {
  complete,
  orderly,  ///< after the end of its input
  early,    ///< the same, but before
  crash,
  timeout,
  flood,
};

/// What became of one case, until the answers are put in order.
struct Slot {
  Status status = Status::missing;
  std::string message;
  std::size_t row = 0;   ///< of the outputs, if answered
  bool settled = false;  ///< answered in some way, or given up
};

/// A program and what has been learnt of it. One thread at a time.
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
    crashes_ = timeouts_ = 0;
    crashes_before_ = patience_->crashes;
    timeouts_before_ = patience_->timeouts;
    given_up_.clear();
    if (patience_->over(limits_))
      given_up_ = "given up after " + std::to_string(timeouts_before_) + " timeouts of the subject";
    time_ = patience_->hasty(limits_) ? Patience::hasty_time(limits_) : limits_.time_per_chunk;
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

  /// Sends lines that are ready and counts the lines that come back; throws if they do not.
  void pass(std::string_view text, std::size_t lines) {
    std::lock_guard const lock(mutex_);
    if (buffers_) process_.reset();
    start();
    next_id_ = std::max<std::uint64_t>(next_id_, lines);
    std::size_t seen = 0, sent = 0;
    auto last = Clock::now();
    bool open = true;
    while (seen < lines && open) {
      if (sent == text.size() && buffers_) process_->close_input();
      wait(sent < text.size(), 100);
      if (write_some(text, sent)) last = Clock::now();
      drain_errors();
      bool const ended = process_->has_ended();
      ssize_t const got = read_some();
      open = got > 0 || (got < 0 && !ended);
      auto const begin = buffer_.begin();
      seen += static_cast<std::size_t>(
          std::count(begin + static_cast<std::ptrdiff_t>(begin_), begin + static_cast<std::ptrdiff_t>(end_), '\n'));
      if (got > 0) last = Clock::now();
      begin_ = end_;
      if (Clock::now() - last > limits_.time_per_chunk) {
        process_.reset();
        throw std::runtime_error("no answer within " + in_seconds(limits_.time_per_chunk));
      }
    }
    if (seen < lines) {
      await_end();
      std::string const how = ending();
      process_.reset();
      throw std::runtime_error(how + " after " + std::to_string(seen) + " of " + std::to_string(lines) + " answers");
    }
  }

 private:
  // --------------------------------------------------------------------------------------------------- whom to blame

  void settle(std::vector<std::size_t> rows) {
    while (!rows.empty()) {
      if (!given_up_.empty()) return fail(rows, Status::missing, given_up_);
      std::string why;
      std::size_t const asked = rows.size();
      End const end = talk(rows, why);
      std::erase_if(rows, [&](std::size_t row) { return slots_[row].settled; });
      if (rows.empty()) return;
      if (end == End::orderly) return fail(rows, Status::missing, why);
      Status const status = end == End::crash     ? Status::crash
                            : end == End::timeout ? Status::timeout
                            : end == End::flood   ? Status::malformed
                                                  : Status::missing;
      count(end);
      if (asked == 1) return fail(rows, status, why);
      std::size_t const first = rows.front();
      std::uint64_t const failures = crashes_ + timeouts_;
      settle({first});
      rows.erase(rows.begin());
      if (crashes_ + timeouts_ > failures) continue;                              // that was the one
      if (end == End::timeout) most_rows_ = std::max<std::size_t>(asked / 8, 1);  // slow, it seems
      auto const half = rows.begin() + static_cast<std::ptrdiff_t>(rows.size() / 2);
      settle({rows.begin(), half});
      settle({half, rows.end()});
      if (end == End::crash && crashes_ + timeouts_ == failures)
        strays_->add(why + ", in a batch of " + std::to_string(asked) + " cases each of which alone is answered");
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

  void count(End end) {
    bool const timeout = end == End::timeout;
    std::size_t const here = ++(timeout ? timeouts_ : crashes_);
    std::size_t const all = here + (timeout ? timeouts_before_ : crashes_before_);
    ++(timeout ? patience_->timeouts : patience_->crashes);
    if (all >= (timeout ? limits_.timeouts : limits_.crashes) &&
        here >= (timeout ? Patience::least_timeouts : Patience::least_crashes) && given_up_.empty())
      given_up_ = "given up after " + std::to_string(all) + (timeout ? " timeouts" : " crashes") + " of the subject";
  }

  // ----------------------------------------------------------------------------------------------------- one batch

  /// Asks for these rows in one go. Leaves the process as it is good for the next batch, or none.
  End talk(std::vector<std::size_t> const& rows, std::string& why) {
    if (process_ && process_->has_ended()) {
      if (!process_->ended_well()) strays_->add("ended between two batches: " + ending());
      process_.reset();
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
      process_.reset();
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
    auto last_word = Clock::now(), last_progress = last_word;  // from the program, toward the end
    std::size_t due_when_closed = 0;
    bool closed_by_us = false, answered_when_closed = false;
    for (;;) {
      bool const sending = sent < text.size() && process_->input() >= 0;
      if (!sending && process_->input() >= 0 && buffers_) process_->close_input();
      wait(sending, 20);
      auto const now = Clock::now();
      if (sending && write_some(text, sent)) last_progress = last_word = now;
      drain_errors();
      bool const ended = process_->has_ended();  // looked for before the last of the output is
      std::size_t const due = due_ + (marker_due_ ? 1 : 0);
      ssize_t const got = read_some();
      if (got > 0) last_word = now;
      take_lines(got == 0 || (ended && got < 0));
      if (due_ + (marker_due_ ? 1 : 0) < due) {
        last_progress = now;
        answered_before_ = true;
      }
      if (stray_lines_ > 10'000 + 10 * rows_->size() || end_ - begin_ > longest_line) {
        why = end_ - begin_ > longest_line
                  ? "a flood of output: a line of more than 16 MiB"
                  : "a flood of output: more than " + std::to_string(stray_lines_ - 1) + " lines that answer nothing";
        strays_->add(why);
        return due_ == 0 ? End::orderly : End::flood;
      }
      if (got == 0 || (ended && got < 0)) {
        if (closed_by_us && due_ < due_when_closed) learn(answered_when_closed);
        if (due_ == 0) return End::orderly;  // complete, but the process is used up
        bool const input_at_end = process_->input() < 0 && sent == text.size();
        await_end();
        why = ending();
        if (process_->has_ended() && !process_->ended_well()) return End::crash;
        return input_at_end ? End::orderly : End::early;
      }
      bool const all_sent = sent == text.size() || process_->input() < 0;
      auto const silence = now - last_word;
      if (due_ == 0 && process_->input() >= 0 && !buffers_) {
        if (!marker_due_ || silence > marker_patience) return End::complete;
      } else if (due_ == 0 && silence > quiet) {
        return End::orderly;  // everything is answered, and yet it goes on
      }
      if (due_ > 0 && all_sent && process_->input() >= 0 && silence > patience()) {
        closed_by_us = true;
        due_when_closed = due_;
        answered_when_closed = answered_before_;
        process_->close_input();
        last_word = now;
      }
      if (now - last_progress > time_) {
        why = "no answer within " + in_seconds(time_);
        return End::timeout;
      }
    }
  }

  milliseconds patience() const { return std::min(answered_before_ ? quiet : quiet_at_start, time_ / 2); }

  /// Answers came after the end of the input that did not come before.
  void learn(bool answered_when_closed) {
    if (!answered_when_closed || ++closings_ >= closings_to_learn) buffers_ = true;
  }

  /// Whole lines of what has been read; at the end of the output also a last one without newline.
  void take_lines(bool at_end) {
    // The reader wants some bytes more than a line has.
    if (buffer_.size() < end_ + LineReader::padding()) buffer_.resize(end_ + LineReader::padding());
    while (begin_ < end_) {
      char const* const start = buffer_.data() + begin_;
      auto const* newline = static_cast<char const*>(std::memchr(start, '\n', end_ - begin_));
      if (newline == nullptr && !at_end) return;
      std::size_t const length = newline != nullptr ? static_cast<std::size_t>(newline - start) : end_ - begin_;
      take_line({start, length});
      begin_ += length + (newline != nullptr ? 1 : 0);
    }
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
      return stray("id " + std::to_string(id) + " is none of the cases asked");
    }
    expected_ = id + 1;
    Slot& slot = slots_[(*rows_)[static_cast<std::size_t>(id - base_)]];
    // An output that was read in vain stays in its table, and no slot names its row.
    auto const settle_as = [&](Status status, std::string message) {
      slot.status = status;
      slot.message = std::move(message);
    };
    bool const again = std::exchange(slot.settled, true);
    if (!again) --due_;
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
    if (process_) return;
    begin_ = end_ = 0;
    errors_.clear();
    late_markers_.clear();
    answered_before_ = false;
    process_.emplace(command_, limits_);
  }

  /// Until something can be read (or written), or for some milliseconds.
  void wait(bool sending, int milliseconds) {
    pollfd files[4] = {{process_->output(), POLLIN, 0},
                       {process_->errors(), POLLIN, 0},
                       {process_->has_ended() ? -1 : process_->status(), POLLIN, 0},
                       {sending ? process_->input() : -1, POLLOUT, 0}};
    poll(files, 4, milliseconds);
  }

  /// True if something was taken.
  bool write_some(std::string_view text, std::size_t& sent) {
    if (process_->input() < 0) return false;
    ssize_t const wrote = write(process_->input(), text.data() + sent, text.size() - sent);
    if (wrote > 0) sent += static_cast<std::size_t>(wrote);
    if (wrote < 0 && errno != EAGAIN && errno != EINTR) process_->close_input();  // it reads no more
    return wrote > 0;
  }

  /// Appends what there is to the buffer, once: its size, 0 at the end of the output, -1 if there is nothing now.
  ssize_t read_some() {
    if (begin_ > 0) {
      std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
      end_ -= begin_;
      begin_ = 0;
    }
    if (buffer_.size() < end_ + read_size + LineReader::padding())
      buffer_.resize(end_ + read_size + LineReader::padding());
    ssize_t const got = read(process_->output(), buffer_.data() + end_, read_size);
    if (got > 0) end_ += static_cast<std::size_t>(got);
    return got < 0 && errno != EAGAIN && errno != EINTR ? 0 : got;
  }

  /// Keeps the end of what the program says on its standard error.
  void drain_errors() {
    char text[4096];
    for (int i = 0; i < 64 && process_->errors() >= 0; ++i) {
      ssize_t const got = read(process_->errors(), text, sizeof text);
      if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) process_->close_errors();
      if (got <= 0) return;
      errors_.append(text, static_cast<std::size_t>(got));
      if (errors_.size() > 2 * sizeof text) errors_.erase(0, errors_.size() - sizeof text);
    }
  }

  void await_end() {
    for (int tries = 0; tries < 200 && !process_->has_ended(); ++tries) poll(nullptr, 0, 1);
    drain_errors();
  }

  /// How the program ended, with the last line of its standard error.
  std::string ending() {
    if (!process_->has_ended()) return "closed its output";
    drain_errors();
    std::string_view text = errors_;
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0) text.remove_suffix(1);
    if (auto const newline = text.rfind('\n'); newline != std::string_view::npos) text.remove_prefix(newline + 1);
    return process_->how_it_ended() + (text.empty() ? "" : ": " + tidy(text, 200));
  }

  std::string command_;
  Limits limits_;
  std::shared_ptr<Patience> patience_;
  std::shared_ptr<Strays> strays_;
  std::mutex mutex_;

  // The program: the process, what has been read of it but not used, and what has been learnt.
  std::optional<Process> process_;
  std::string buffer_, errors_;
  std::size_t begin_ = 0, end_ = 0;
  bool answered_before_ = false;  ///< this process has answered something
  bool buffers_ = false;          ///< it answers at the end of its input
  int closings_ = 0;
  std::size_t most_rows_ = static_cast<std::size_t>(-1);
  std::uint64_t next_id_ = 0;
  std::set<std::uint64_t> late_markers_;  ///< that no answer has come to yet

  // The table that is being answered.
  Kernel const* kernel_ = nullptr;
  Table const* cases_ = nullptr;
  std::optional<LineReader> reader_;
  std::vector<Slot> slots_;
  Table outputs_;
  milliseconds time_{};
  std::size_t crashes_ = 0, timeouts_ = 0, crashes_before_ = 0, timeouts_before_ = 0;
  std::string given_up_;

  // The batch.
  std::vector<std::size_t> const* rows_ = nullptr;
  std::uint64_t base_ = 0, expected_ = 0;
  std::size_t due_ = 0, stray_lines_ = 0;
  bool marker_due_ = false;
};

Answering answer_pipe(std::shared_ptr<Pipe> const& pipe, Kernel const& kernel) {
  Answering result;
  result.kernel = kernel.name;
  result.doc = "a program of its own";
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
  subject.ours = false;
  subject.separate = true;
  subject.limits = options.limits();
  subject.binary32 = options.binary32;
  auto const pipe = std::make_shared<Pipe>(command, subject.limits, subject.patience, subject.strays);
  for (auto const& kernel : among) subject.answers.push_back(answer_pipe(pipe, kernel));
  return {std::move(subject), ""};
}

}  // namespace demeter
