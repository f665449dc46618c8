#include "subjects/isolation/isolate.hpp"

#include "subjects/isolation/process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>  // on_exit
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <iterator>
#include <new>
#include <optional>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>

namespace demeter {
namespace isolation {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool sanitized = true;
#elif defined(__has_feature)
constexpr bool sanitized =
    __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer);
#else
constexpr bool sanitized = false;
#endif

using Clock = std::chrono::steady_clock;

// ---------------------------------------------------------------------------------------------------------------------
// Frames: what a child writes to its pipe. A frame is a header and `size` bytes; `answers` hold a table, `threw` the
// text of an exception, `result` the bytes of run_isolated. The reader trusts none of it.

enum class FrameKind : std::uint64_t { answers = 1, threw, result };

struct FrameHeader {
  static constexpr std::uint64_t expected_magic = 0x64656d6574657201;  // "demeter", version 1
  std::uint64_t magic, kind, size;
};

class Writer {
 public:
  template <class Value>
  void put(Value const& value) {
    static_assert(std::is_trivially_copyable_v<Value>);
    bytes_.append(reinterpret_cast<char const*>(&value), sizeof value);
  }
  void put_text(std::string_view text) {
    put(text.size());
    bytes_.append(text);
  }
  template <class Value>
  void put_all(std::vector<Value> const& values) {
    static_assert(std::is_trivially_copyable_v<Value>);
    put(values.size());
    bytes_.append(reinterpret_cast<char const*>(values.data()), values.size() * sizeof(Value));
  }
  std::string const& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

/// Reads what a Writer wrote; every function returns false, and goes on returning it, once the bytes do not suffice.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}

  template <class Value>
  bool get(Value& value) {
    if (rest_.size() < sizeof value) return fail();
    std::memcpy(&value, rest_.data(), sizeof value);
    rest_.remove_prefix(sizeof value);
    return true;
  }
  bool get_text(std::string& text) {
    std::size_t size;
    if (!get(size) || rest_.size() < size) return fail();
    text.assign(rest_.substr(0, size));
    rest_.remove_prefix(size);
    return true;
  }
  template <class Value>
  bool get_all(std::vector<Value>& values) {
    std::size_t size;
    if (!get(size) || rest_.size() / sizeof(Value) < size) return fail();
    values.resize(size);
    if (size != 0) std::memcpy(values.data(), rest_.data(), size * sizeof(Value));
    rest_.remove_prefix(size * sizeof(Value));
    return true;
  }
  bool at_end() const { return rest_.empty(); }

 private:
  bool fail() {
    rest_ = {};
    return false;
  }
  std::string_view rest_;
};

void put_cells(Writer& writer, Table const& table) {
  writer.put(table.columns.size());
  for (auto const& column : table.columns) writer.put_all(column);
  writer.put(table.exact.size());
  for (auto const& [cell, text] : table.exact) {
    writer.put(cell.first);
    writer.put(cell.second);
    writer.put_text(text);
  }
}

std::string encode(Answers const& answers) {
  Writer writer;
  writer.put(answers.output.rows);
  writer.put_all(answers.status);
  writer.put(answers.message.size());
  for (auto const& [row, text] : answers.message) {
    writer.put(row);
    writer.put_text(text);
  }
  put_cells(writer, answers.output);
  return writer.bytes();
}

std::string encode(Table const& cases) {
  Writer writer;
  writer.put(cases.rows);
  put_cells(writer, cases);
  return writer.bytes();
}

/// "column 3, load, holds 7, expected 0 none, 1 light": a cell that is no index of one of `labels`.
std::string no_index(Schema const& schema, std::size_t column, double cell, std::span<std::string_view const> labels) {
  char number[32];
  std::snprintf(number, sizeof number, "%.17g", cell);
  std::string expected;
  for (std::size_t i = 0; i < labels.size(); ++i)
    expected += (i == 0 ? "" : ", ") + std::to_string(i) + " " + std::string(labels[i]);
  return "column " + std::to_string(column) + ", " + schema.columns[column].path + ", holds " + number + ", expected " +
         expected;
}

/// Whether the columns of `node` hold `cells` elements that a reader may index and cast without a second look.
std::optional<std::string> node_flaw(Schema const& schema, Node const& node, Table const& table, std::size_t cells) {
  auto const is_index = [](double value, std::size_t limit) {
    return value >= 0 && value < static_cast<double>(limit) &&
           value == static_cast<double>(static_cast<std::size_t>(value));
  };
  auto const wrong_size = [&](std::size_t column, std::size_t expected) -> std::optional<std::string> {
    std::size_t const size = table.columns[column].size();
    if (size == expected) return std::nullopt;
    return "column " + std::to_string(column) + " has " + std::to_string(size) + " cells, expected " +
           std::to_string(expected);
  };
  switch (node.kind) {
    case Node::Kind::record:
      for (auto const& child : node.children)
        if (auto found = node_flaw(schema, child, table, cells)) return found;
      return std::nullopt;
    case Node::Kind::list: {
      if (auto found = wrong_size(node.column, cells + 1)) return found;
      auto const& offsets = table.columns[node.column];
      // Offsets are counts of elements that have been sent, so they are far below 2^53.
      bool ordered = offsets.front() == 0;
      for (std::size_t i = 0; ordered && i < cells; ++i)
        ordered = offsets[i] <= offsets[i + 1] && is_index(offsets[i + 1], std::size_t{1} << 53);
      if (!ordered) return "column " + std::to_string(node.column) + " does not hold list offsets";
      return node_flaw(schema, node.children.front(), table, static_cast<std::size_t>(offsets.back()));
    }
    case Node::Kind::enumeration:
    case Node::Kind::number:
      for (std::size_t i = 0; i < node.columns; ++i) {
        if (auto found = wrong_size(node.column + i, cells)) return found;
        static constexpr std::array<std::string_view, 2> presence{"null", "a value"};
        std::span<std::string_view const> labels;
        if (node.kind == Node::Kind::enumeration) labels = node.labels;
        if (node.nullable && i == 0) labels = presence;
        if (labels.empty()) continue;
        for (double cell : table.columns[node.column + i])
          if (!is_not_computed(cell) && !is_index(cell, labels.size()))
            return no_index(schema, node.column + i, cell, labels);
      }
      return std::nullopt;
  }
  return std::nullopt;
}

constexpr char damaged[] = "an answer that is not readable";

/// Reads what put_cells wrote, to the end; `table.rows` is known.
std::optional<std::string> get_cells(Reader& reader, Schema const& schema, Table& table) {
  std::size_t count;
  if (!reader.get(count)) return damaged;
  if (count != schema.columns.size())
    return std::to_string(count) + " columns, expected " + std::to_string(schema.columns.size());
  table.columns.resize(count);
  for (auto& column : table.columns)
    if (!reader.get_all(column)) return damaged;
  if (auto found = node_flaw(schema, schema.root, table, table.rows)) return found;
  if (!reader.get(count)) return damaged;
  for (std::size_t i = 0; i < count; ++i) {
    std::pair<std::size_t, std::size_t> cell;
    std::string text;
    if (!reader.get(cell.first) || !reader.get(cell.second) || !reader.get_text(text)) return damaged;
    if (cell.first >= table.columns.size() || cell.second >= table.columns[cell.first].size()) return damaged;
    table.exact[cell] = std::move(text);
  }
  if (!reader.at_end()) return damaged;
  return std::nullopt;
}

/// Reads a frame of answers to `rows` cases; returns what is wrong with it, if anything.
std::optional<std::string> decode(std::string_view bytes, Schema const& schema, std::size_t rows, Answers& answers) {
  Reader reader(bytes);
  Table& table = answers.output;
  if (!reader.get(table.rows) || !reader.get_all(answers.status)) return damaged;
  if (table.rows != rows || answers.status.size() != rows)
    return std::to_string(table.rows) + " rows and " + std::to_string(answers.status.size()) +
           " statuses in answer to a batch of " + std::to_string(rows);
  for (Status each : answers.status)
    if (static_cast<std::size_t>(each) >= labels(Status{}).size()) return "a status that does not exist";
  std::size_t count;
  if (!reader.get(count)) return damaged;
  for (std::size_t i = 0; i < count; ++i) {
    std::size_t row;
    std::string text;
    if (!reader.get(row) || !reader.get_text(text) || row >= rows) return damaged;
    answers.message[row] = tidy(text);
  }
  return get_cells(reader, schema, table);
}

// ---------------------------------------------------------------------------------------------------------------------
// Tables of answers

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

struct Failure {
  Status status;
  std::string message;
};

void append_failed(Schema const& schema, Answers& answers, Failure const& failure) {
  append_without(schema, answers, failure.status, failure.message);
}

// ---------------------------------------------------------------------------------------------------------------------
// The child's side

std::size_t address_space_in_use() {
  int const file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  char text[64] = {};
  ssize_t const length = read(file, text, sizeof text - 1);
  close(file);
  if (length <= 0) return 0;
  return std::strtoull(text, nullptr, 10) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

void lower_limit(decltype(RLIMIT_AS) resource, rlim_t value) {
  rlimit limit;
  if (getrlimit(resource, &limit) != 0) return;
  limit.rlim_cur = std::min({value, limit.rlim_cur, limit.rlim_max});
  setrlimit(resource, &limit);
}

void write_all(int file, char const* bytes, std::size_t size) {
  while (size != 0) {
    ssize_t const written = write(file, bytes, size);
    if (written < 0) {
      if (errno == EINTR) continue;
      _exit(1);  // nobody is reading any more
    }
    bytes += written;
    size -= static_cast<std::size_t>(written);
  }
}

class FrameWriter {
 public:
  explicit FrameWriter(int file) : file_(file) {}
  void operator()(FrameKind kind, std::string_view bytes) const {
    FrameHeader const header{FrameHeader::expected_magic, static_cast<std::uint64_t>(kind), bytes.size()};
    write_all(file_, reinterpret_cast<char const*>(&header), sizeof header);
    write_all(file_, bytes.data(), bytes.size());
  }

 private:
  int file_;
};

constexpr int frames_end = STDERR_FILENO + 1, commands_end = frames_end + 1;

/// Makes the forked process a harmless place for the subject. `frames` is the end to write to and `commands` the one to
/// read from (or -1); they become the two numbers above.
void settle_in(Limits const& limits, int frames, int commands, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);  // the parent died before the line above
  // Its own process group, so that what it starts itself can be ended with it.
  setpgid(0, 0);
  // A handler of the parent's (a sanitizer's, a test framework's) would hide which signal ended the child.
  for (int signal :
       {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP, SIGTERM, SIGINT, SIGHUP, SIGALRM, SIGCHLD, SIGXCPU})
    std::signal(signal, SIG_DFL);
  std::signal(SIGPIPE, SIG_IGN);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  // Handlers run last registered first: a subject that calls exit() must not run ours, nor flush our files.
  on_exit([](int code, void*) { _exit(code); }, nullptr);

  // Out of the way first: the parent may have had its stdin closed.
  frames = fcntl(frames, F_DUPFD_CLOEXEC, commands_end + 1);
  if (commands >= 0) commands = fcntl(commands, F_DUPFD_CLOEXEC, commands_end + 1);
  int const nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (frames < 0 || nowhere < 0) _exit(1);
  for (int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nowhere, standard);
  dup3(frames, frames_end, O_CLOEXEC);
  dup3(commands >= 0 ? commands : nowhere, commands_end, O_CLOEXEC);
  // The rest is none of the subject's business; an end of another subject's pipe, held here, would keep it open.
  closefrom(commands_end + 1);

  lower_limit(RLIMIT_CORE, 0);
  if (!sanitized && limits.memory > 0) lower_limit(RLIMIT_AS, address_space_in_use() + limits.memory);
  // If memory runs out all the same, it is the child that the kernel should end.
  int const score = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (score >= 0) {
    [[maybe_unused]] ssize_t const written = write(score, "1000", 4);
    close(score);
  }
}

/// Sends what `work` returns as a frame of that kind, or its exception; false if it threw.
template <class Work>
bool send(FrameWriter const& writer, FrameKind kind, Work&& work) {
  std::string what;
  try {
    writer(kind, work());
    return true;
  } catch (std::exception const& error) {
    what = error.what();
  } catch (...) {
    what = "not a std::exception";
  }
  writer(FrameKind::threw, what);
  return false;
}

/// Answers cases [begin, end), `size` at a time.
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
    if (!sent && size > 1) return;  // the parent will have it done case by case
    begin = stop;
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// The parent's side

/// A forked child and the pipe it writes to; ended with the object.
class Child {
 public:
  template <class Work>
  Child(Limits const& limits, Work&& work, bool commanded = false) {
    int ends[2], commands[2] = {-1, -1};
    if (pipe2(ends, O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
    if (commanded && pipe2(commands, O_CLOEXEC) != 0) {
      close(ends[0]);
      close(ends[1]);
      throw std::system_error(errno, std::generic_category(), "pipe");
    }
    pid_t const parent = getpid();
    process_ = fork();
    if (process_ < 0) {
      int const why = errno;
      for (int const end : {ends[0], ends[1], commands[0], commands[1]})
        if (end >= 0) close(end);
      throw std::system_error(why, std::generic_category(), "fork");
    }
    if (process_ == 0) {
      // An exception of our own must not unwind into a second copy of the caller.
      try {
        settle_in(limits, ends[1], commands[0], parent);
        work(FrameWriter(frames_end));
      } catch (...) {
        _exit(1);
      }
      _exit(0);
    }
    setpgid(process_, process_);  // the child does the same: whoever comes first
    close(ends[1]);
    if (commanded) close(commands[0]);
    command_end_ = commands[1];
    if (commanded) {
      fcntl(command_end_, F_SETFL, O_NONBLOCK);
      fcntl(command_end_, F_SETPIPE_SZ, 1 << 20);
    }
    read_end_ = ends[0];
    fcntl(read_end_, F_SETFL, O_NONBLOCK);
    fcntl(read_end_, F_SETPIPE_SZ, 1 << 20);  // fewer switches; that it may fail does not matter
  }
  Child(Child const&) = delete;
  Child& operator=(Child const&) = delete;
  ~Child() {
    close(read_end_);
    if (command_end_ >= 0) close(command_end_);
    // Until it is reaped its number cannot be another process's, nor another group's.
    kill(-process_, SIGKILL);
    kill(process_, SIGKILL);
    while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }

  /// Writes all bytes, for which the child has as long as for an answer. That it failed, because the child has died or
  /// does not read, is told by reading its answer.
  void command(std::string_view bytes, std::chrono::milliseconds time) const {
    auto const deadline = Clock::now() + time;
    while (!bytes.empty()) {
      auto const left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
      pollfd waiting{command_end_, POLLOUT, 0};
      int const ready = poll(&waiting, 1, static_cast<int>(std::max<long long>(left, 0)));
      if (ready < 0 && errno == EINTR) continue;
      if (ready <= 0) return;
      ssize_t const written = write(command_end_, bytes.data(), bytes.size());
      if (written < 0 && (errno == EINTR || errno == EAGAIN)) continue;
      if (written < 0) return;
      bytes.remove_prefix(static_cast<std::size_t>(written));
    }
  }

  /// Reads the next frame. What prevents it (death, time, a damaged frame) is final for this child.
  std::optional<Failure> read_frame(FrameKind& kind, std::string& bytes, Limits const& limits) {
    return read_frame(kind, bytes, limits, limits.time_per_chunk);
  }
  std::optional<Failure> read_frame(FrameKind& kind, std::string& bytes, Limits const& limits,
                                    std::chrono::milliseconds time) {
    auto const deadline = Clock::now() + time;
    for (;;) {
      if (auto failure = take_frame(kind, bytes, limits)) return *failure;
      if (have_frame_) {
        have_frame_ = false;
        return std::nullopt;
      }
      auto const left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
      if (left <= 0) return Failure{Status::timeout, "no answer within " + in_seconds(time)};
      if (!fill(static_cast<int>(std::min<long long>(left, wake_up_milliseconds)))) return how_it_ended();
    }
  }

 private:
  // A process that the child left behind can hold the pipe open after the child's death, so poll alone would wait for
  // the deadline: look for the death itself now and then.
  static constexpr long long wake_up_milliseconds = 100;

  /// Moves a whole frame from the buffer to `bytes`, if there is one.
  std::optional<Failure> take_frame(FrameKind& kind, std::string& bytes, Limits const& limits) {
    FrameHeader header;
    std::size_t const available = buffer_.size() - taken_;
    if (available < sizeof header) return std::nullopt;
    std::memcpy(&header, buffer_.data() + taken_, sizeof header);
    if (header.magic != FrameHeader::expected_magic || header.size > std::max(limits.memory, Limits{}.memory))
      return Failure{Status::malformed, "something else than answers in its pipe"};
    if (available - sizeof header < header.size) return std::nullopt;
    kind = static_cast<FrameKind>(header.kind);
    bytes.assign(buffer_, taken_ + sizeof header, header.size);
    taken_ += sizeof header + header.size;
    have_frame_ = true;
    return std::nullopt;
  }

  /// Waits for bytes and reads them; false when there will be no more.
  bool fill(int milliseconds) {
    pollfd waiting{read_end_, POLLIN, 0};
    int const ready = poll(&waiting, 1, has_ended() ? 0 : milliseconds);
    if (ready < 0 && errno != EINTR) throw std::system_error(errno, std::generic_category(), "poll");
    // The death is looked for before the pipe is, so that nothing written before it is missed.
    if (ready <= 0) return !(ended_ && ready == 0);
    buffer_.erase(0, taken_);
    taken_ = 0;
    std::size_t const before = buffer_.size();
    buffer_.resize(before + read_size);
    ssize_t const got = read(read_end_, buffer_.data() + before, read_size);
    buffer_.resize(before + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    if (got < 0 && errno != EINTR && errno != EAGAIN)
      throw std::system_error(errno, std::generic_category(), "read from a child");
    return got != 0;
  }

  /// Looks, without reaping it.
  bool has_ended() {
    if (ended_) return true;
    siginfo_t info{};
    if (waitid(P_PID, static_cast<id_t>(process_), &info, WEXITED | WNOHANG | WNOWAIT) != 0) return false;
    if (info.si_pid != process_) return false;
    end_ = info;
    return ended_ = true;
  }

  Failure how_it_ended() {
    // At the pipe's end the death is a moment away, unless the subject has closed the pipe.
    for (int tries = 0; tries < 1000 && !has_ended(); ++tries) poll(nullptr, 0, 1);
    if (!ended_) return {Status::crash, "closed its pipe"};
    if (end_.si_code == CLD_EXITED) return {Status::crash, "exit code " + std::to_string(end_.si_status)};
    return {Status::crash, signal_name(end_.si_status)};
  }

  static constexpr std::size_t read_size = 1 << 18;

  pid_t process_ = -1;
  int read_end_ = -1, command_end_ = -1;
  siginfo_t end_{};
  bool ended_ = false;
  bool have_frame_ = false;
  std::string buffer_;
  std::size_t taken_ = 0;  ///< bytes at the buffer's begin that are used up
};

class Run {
 public:
  Run(Answering const& answering, Schema const& input, Schema const& output, Table const& cases, Limits const& limits,
      Patience* patience)
      : answering_(answering),
        input_(input),
        output_(output),
        cases_(cases),
        limits_(limits),
        patience_(patience),
        crashes_before_(patience == nullptr ? 0 : patience->crashes.load()),
        timeouts_before_(patience == nullptr ? 0 : patience->timeouts.load()) {
    bool const hasty = patience != nullptr && patience->hasty(limits);
    time_ = hasty ? Patience::hasty_time(limits) : limits.time_per_chunk;
    if (patience != nullptr && patience->over(limits))
      given_up_ = {Status::missing, "given up after " + std::to_string(timeouts_before_) + " timeouts of the subject"};
  }

  void operator()(Answers& answers) {
    answers.clear(output_);
    std::size_t size = std::max<std::size_t>(limits_.chunk, 1);
    while (answers.status.size() < cases_.rows && !given_up_) {
      auto const failure = answer(answers.status.size(), cases_.rows, size, answers);
      if (!failure) break;
      std::size_t const begin = answers.status.size();
      std::size_t const end = begin + std::min(size, cases_.rows - begin);
      if (end - begin == 1) {
        append_failed(output_, answers, *failure);
        continue;
      }
      Answers alone;
      alone.clear(output_);
      bool const found = answer_one_by_one(begin, end, alone);
      if (!found && failure->status != Status::timeout) {
        for (std::size_t row = begin; row < end; ++row)
          append_failed(output_, answers,
                        {failure->status, failure->message + ", in a batch of " + std::to_string(end - begin) +
                                              " cases each of which alone is answered"});
        continue;
      }
      // Slow, but no case of it hangs: smaller chunks.
      if (!found) size = std::max<std::size_t>(size / 8, 1);
      concatenate(output_, answers, std::move(alone));
    }
    while (answers.status.size() < cases_.rows) append_failed(output_, answers, *given_up_);
  }

 private:
  /// Answers cases `row` to `end` in one child, until a chunk fails. One by one, it is only the child's end that stops
  /// it: a case with an exception or a malformed answer is noted and passed.
  std::optional<Failure> answer(std::size_t row, std::size_t end, std::size_t size, Answers& answers) {
    Child child(limits_, [&](FrameWriter const& writer) {
      answer_chunks(answering_, input_, output_, cases_, row, end, size, writer);
    });
    FrameKind kind{};
    std::string bytes;
    while (row < end) {
      std::size_t const rows = std::min(size, end - row);
      if (auto failure = child.read_frame(kind, bytes, limits_, time_)) {
        count(*failure);
        return failure;
      }
      Answers some;
      std::optional<Failure> failure;
      if (kind == FrameKind::answers) {
        if (auto wrong = decode(bytes, output_, rows, some)) failure = {Status::malformed, *wrong};
      } else if (kind == FrameKind::threw) {
        failure = {Status::crash, "uncaught exception: " + tidy(bytes)};
        // Filling the memory allowed takes a second, and a subject may do it for every case.
        if (size == 1 && bytes == std::bad_alloc().what()) count(*failure);
      } else {
        failure = {Status::malformed, "something else than answers in its pipe"};
      }
      if (!failure) {
        concatenate(output_, answers, std::move(some));
      } else if (size == 1) {
        append_failed(output_, answers, *failure);
        soft_failure_ = true;
        if (given_up_) return std::nullopt;
      } else {
        return failure;
      }
      row += rows;
    }
    return std::nullopt;
  }

  /// True if one of them failed.
  bool answer_one_by_one(std::size_t begin, std::size_t end, Answers& alone) {
    bool found = false;
    soft_failure_ = false;
    while (begin + alone.status.size() < end && !given_up_) {
      if (auto const failure = answer(begin + alone.status.size(), end, 1, alone)) {
        append_failed(output_, alone, *failure);
        found = true;
      }
    }
    return found || soft_failure_ || given_up_;
  }

  /// Only what costs a child or time is counted: the rest cannot take long.
  void count(Failure const& failure) {
    bool const timeout = failure.status == Status::timeout;
    std::size_t const here = ++(timeout ? timeouts_ : crashes_);
    std::size_t const before = timeout ? timeouts_before_ : crashes_before_;
    std::size_t const most = timeout ? limits_.timeouts : limits_.crashes;
    std::size_t const least = patience_ == nullptr ? 1 : timeout ? Patience::least_timeouts : Patience::least_crashes;
    if (patience_ != nullptr) ++(timeout ? patience_->timeouts : patience_->crashes);
    if (here + before >= most && here >= least && !given_up_)
      given_up_ = {Status::missing, "given up after " + std::to_string(here + before) +
                                        (timeout ? " timeouts" : " crashes") + " of the subject"};
  }

  Answering const& answering_;
  Schema const& input_;
  Schema const& output_;
  Table const& cases_;
  Limits const& limits_;
  Patience* patience_;
  std::size_t crashes_before_, timeouts_before_;
  std::chrono::milliseconds time_;
  std::size_t crashes_ = 0, timeouts_ = 0;
  bool soft_failure_ = false;
  std::optional<Failure> given_up_;
};

}  // namespace isolation

using namespace isolation;

std::string tidy(std::string_view text, std::size_t longest) {
  std::string result(text.substr(0, longest));
  for (char& each : result)
    if (each < ' ' || each > '~') each = each == '\n' || each == '\t' ? ' ' : '?';
  if (text.size() > longest) result += "...";
  return result;
}

std::string in_seconds(std::chrono::milliseconds time) {
  char text[32];
  std::snprintf(text, sizeof text, "%g s", std::chrono::duration<double>(time).count());
  return text;
}

std::string signal_name(int signal) {
  char const* const name = sigabbrev_np(signal);
  return "signal " + std::to_string(signal) + (name != nullptr ? " (SIG" + std::string(name) + ")" : "");
}

void append_without(Schema const& schema, Answers& answers, Status why, std::string message) {
  for (std::size_t i = 0; i < schema.columns.size(); ++i) {
    ColumnInfo const& info = schema.columns[i];
    auto& column = answers.output.columns[i];
    if (info.list != Schema::top) continue;  // lists are empty
    switch (info.kind) {
      case ColumnInfo::Kind::number:
        column.push_back(not_computed());
        break;
      case ColumnInfo::Kind::label:
        column.push_back(0);
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

std::optional<std::string> flaw(Schema const& schema, Table const& table, std::size_t rows) {
  if (table.columns.size() != schema.columns.size())
    return std::to_string(table.columns.size()) + " columns, expected " + std::to_string(schema.columns.size());
  return node_flaw(schema, schema.root, table, rows);
}

void answer_isolated(Answering const& answering, Schema const& input, Schema const& output, Table const& cases,
                     Answers& answers, Limits const& limits, Patience* patience) {
  Run(answering, input, output, cases, limits, patience)(answers);
}

namespace {

bool read_all(int file, char* bytes, std::size_t size) {
  while (size != 0) {
    ssize_t const got = read(file, bytes, size);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    bytes += got;
    size -= static_cast<std::size_t>(got);
  }
  return true;
}

/// Answers commands, a table each, until there are no more or one is not answered.
void answer_commands(Answering const& answering, Schema const& input, Schema const& output, FrameWriter const& writer) {
  std::size_t size = 0;
  std::string bytes;
  Table cases;
  Answers answers;
  while (read_all(commands_end, reinterpret_cast<char*>(&size), sizeof size)) {
    bytes.resize(size);
    if (!read_all(commands_end, bytes.data(), size)) return;
    bool const sent = send(writer, FrameKind::answers, [&] {
      Reader reader(bytes);
      cases.clear(input);
      if (!reader.get(cases.rows) || get_cells(reader, input, cases)) throw std::runtime_error("a damaged command");
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
  std::size_t failures = 0;

  static constexpr std::size_t most_failures = 4;

  /// False if it has to be done otherwise.
  bool answer(Table const& cases, Answers& answers) {
    if (failures >= most_failures) return false;
    if (!child)
      child.emplace(
          limits, [&](FrameWriter const& writer) { answer_commands(answering, input, output, writer); }, true);
    std::string bytes = encode(cases);
    std::size_t const size = bytes.size();
    child->command({reinterpret_cast<char const*>(&size), sizeof size}, limits.time_per_chunk);
    child->command(bytes, limits.time_per_chunk);
    FrameKind kind{};
    if (!child->read_frame(kind, bytes, limits) && kind == FrameKind::answers &&
        !decode(bytes, output, cases.rows, answers))
      return true;
    child.reset();
    ++failures;
    return false;
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
    if (!state.answer(chunk, some))
      answer_isolated(state.answering, state.input, state.output, chunk, some, state.limits, state.patience);
    concatenate(state.output, answers, std::move(some));
  }
}

Isolated run_isolated(std::function<std::string()> const& work, Limits const& limits) {
  Child child(limits, [&](FrameWriter const& writer) { send(writer, FrameKind::result, work); });
  FrameKind kind{};
  std::string bytes;
  if (auto failure = child.read_frame(kind, bytes, limits)) return {failure->status, failure->message, {}};
  if (kind == FrameKind::threw) return {Status::crash, "uncaught exception: " + tidy(bytes), {}};
  if (kind != FrameKind::result) return {Status::malformed, "something else than a result in its pipe", {}};
  return {Status::answered, {}, std::move(bytes)};
}

struct IsolatedTimer::State {
  std::function<std::function<void()>()> prepare;
  Limits limits;
  std::optional<Child> child;
  std::optional<Passes> failed;
  double seconds_a_pass = 0;  ///< the last time
};

IsolatedTimer::IsolatedTimer(std::function<std::function<void()>()> prepare, Limits const& limits)
    : state_(new State{std::move(prepare), limits, {}, {}}) {
  ignore_broken_pipes();
}
IsolatedTimer::~IsolatedTimer() = default;

namespace {

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Answers commands, a number of passes each, with their seconds until there are no more.
void time_passes(std::function<std::function<void()>()> const& prepare, FrameWriter const& writer) {
  std::function<void()> pass;
  std::uint64_t passes = 0;
  while (read(commands_end, &passes, sizeof passes) == static_cast<ssize_t>(sizeof passes)) {
    bool const sent = send(writer, FrameKind::result, [&] {
      if (!pass) pass = prepare();
      double const begin = processor_seconds();
      for (std::uint64_t i = 0; i < passes; ++i) pass();
      double const seconds = processor_seconds() - begin;
      return std::string(reinterpret_cast<char const*>(&seconds), sizeof seconds);
    });
    if (!sent) return;
  }
}

}  // namespace

IsolatedTimer::Passes IsolatedTimer::run(std::uint64_t passes) {
  State& state = *state_;
  if (state.failed) return *state.failed;
  auto const fail = [&](Status status, std::string message) {
    state.child.reset();
    state.failed = Passes{status, std::move(message), 0};
    return *state.failed;
  };
  if (!state.child)
    state.child.emplace(
        state.limits, [&](FrameWriter const& writer) { time_passes(state.prepare, writer); }, true);
  state.child->command({reinterpret_cast<char const*>(&passes), sizeof passes}, state.limits.time_per_chunk);
  FrameKind kind{};
  std::string bytes;
  auto const expected = static_cast<long long>(4000 * state.seconds_a_pass * static_cast<double>(passes));
  auto const time = state.limits.time_per_chunk + std::chrono::milliseconds(expected);
  if (auto failure = state.child->read_frame(kind, bytes, state.limits, time))
    return fail(failure->status, std::move(failure->message));
  if (kind == FrameKind::threw) return fail(Status::crash, "uncaught exception: " + tidy(bytes));
  Passes result;
  if (kind != FrameKind::result || bytes.size() != sizeof result.seconds)
    return fail(Status::malformed, "something else than times in its pipe");
  std::memcpy(&result.seconds, bytes.data(), sizeof result.seconds);
  state.seconds_a_pass = result.seconds / static_cast<double>(std::max<std::uint64_t>(passes, 1));
  return result;
}

}  // namespace demeter
