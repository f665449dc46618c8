#include "subjects/isolation/forked.hpp"

#include "subjects/isolation/child.hpp"
#include "subjects/isolation/stop.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>  // on_exit
#include <sys/random.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <system_error>

namespace demeter::isolation {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool sanitized = true;
#elif defined(__has_feature)
constexpr bool sanitized =
    __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer);
#else
constexpr bool sanitized = false;
#endif

using Clock = std::chrono::steady_clock;

constexpr std::size_t most_read = 1 << 16;

constexpr long long wake_up_milliseconds = 50;  // interval for checks whether the run was stopped

std::size_t address_space_in_use() {
  int const file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  char text[64] = {};
  ssize_t const length = read(file, text, sizeof text - 1);
  close(file);
  if (length <= 0) return 0;
  return std::strtoull(text, nullptr, 10) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

void write_all(int file, char const* bytes, std::size_t size) {
  while (size != 0) {
    ssize_t const written = write(file, bytes, size);
    if (written < 0) {
      if (errno == EINTR) continue;
      _exit(1);  // nobody reads the pipe any more
    }
    bytes += written;
    size -= static_cast<std::size_t>(written);
  }
}

/// Prepares the forked process for the subject. The process writes frames to `frames`. It reads commands from
/// `commands`, which is -1 if there are no commands.
void settle_in(Limits const& limits, int frames, int commands) {
  std::signal(SIGPIPE, SIG_IGN);
  std::set_terminate([] { std::abort(); });  // a crash must end the process by a signal: our own handler would exit
  // Exit handlers run in reverse order of their registration. This one runs first and ends the process. So a subject
  // that calls exit() does not run our handlers or flush our files.
  on_exit([](int code, void*) { _exit(code); }, nullptr);
  keep_only({frames, commands}, frames_end);
  if (!sanitized && limits.memory > 0) lower_limit(RLIMIT_AS, address_space_in_use() + limits.memory);
  be_expendable();
}

}  // namespace

void FrameWriter::operator()(FrameKind kind, std::string_view bytes) const {
  FrameHeader const header{mark_, static_cast<std::uint64_t>(kind), bytes.size()};
  write_all(file_, reinterpret_cast<char const*>(&header), sizeof header);
  write_all(file_, bytes.data(), bytes.size());
}

bool read_command(char* bytes, std::size_t size) {
  while (size != 0) {
    ssize_t const got = read(commands_end, bytes, size);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    bytes += got;
    size -= static_cast<std::size_t>(got);
  }
  return true;
}

bool Child::begun(Limits const& limits, bool commanded) {
  int ends[2], commands[2] = {-1, -1};
  auto const close_all = [&] {
    for (int const end : {ends[0], ends[1], commands[0], commands[1]})
      if (end >= 0) close(end);
  };
  if (pipe2(ends, O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
  if (commanded && pipe2(commands, O_CLOEXEC) != 0) {
    int const why = errno;
    commands[0] = commands[1] = -1;
    close_all();
    throw std::system_error(why, std::generic_category(), "pipe");
  }
  if (getrandom(&mark_, sizeof mark_, GRND_NONBLOCK) != sizeof mark_)
    mark_ = static_cast<std::uint64_t>(Clock::now().time_since_epoch().count()) * 0x9e3779b97f4a7c15;
  bool is_child = false;
  try {
    is_child = keeper_.forked();
  } catch (...) {
    close_all();
    throw;
  }
  if (is_child) {
    settle_in(limits, ends[1], commands[0]);
    return true;
  }
  close(ends[1]);
  if (commanded) close(commands[0]);
  command_end_ = commands[1];
  if (commanded) {
    fcntl(command_end_, F_SETFL, O_NONBLOCK);
    fcntl(command_end_, F_SETPIPE_SZ, 1 << 20);
  }
  read_end_ = ends[0];
  fcntl(read_end_, F_SETFL, O_NONBLOCK);
  fcntl(read_end_, F_SETPIPE_SZ, 1 << 20);  // a larger pipe needs fewer process switches; failure does not matter
  return false;
}

Child::~Child() {
  close(read_end_);
  if (command_end_ >= 0) close(command_end_);
}

void Child::command(std::string_view bytes, std::chrono::milliseconds time) const {
  auto const deadline = Clock::now() + time;
  while (!bytes.empty()) {
    auto const left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    pollfd waiting{command_end_, POLLOUT, 0};
    if (left <= 0 || stopping()) return;
    int const ready = poll(&waiting, 1, static_cast<int>(std::min<long long>(left, wake_up_milliseconds)));
    if (ready == 0 || (ready < 0 && errno == EINTR)) continue;
    if (ready < 0) return;
    ssize_t const written = write(command_end_, bytes.data(), bytes.size());
    if (written < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (written < 0) return;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

std::optional<Failure> Child::read_frame(FrameKind& kind, std::string& bytes, Limits const& limits,
                                         std::chrono::milliseconds time, Patience const* patience) {
  auto const begin = Clock::now(), deadline = begin + time;
  for (;;) {
    if (auto failure = take_frame(kind, bytes, limits)) return *failure;
    if (have_frame_) {
      have_frame_ = false;
      return std::nullopt;
    }
    auto const left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) return Failure{Status::timeout, "no answer within " + in_seconds(time)};
    if (stopping()) return Failure{Status::not_asked, stopped};
    if (patience != nullptr && out_of_time(*patience)) return waited_in_vain(Clock::now() - begin);
    if (!fill(static_cast<int>(std::min<long long>(left, wake_up_milliseconds)))) return how_it_ended();
  }
}

std::optional<Failure> Child::take_frame(FrameKind& kind, std::string& bytes, Limits const& limits) {
  FrameHeader header;
  std::size_t const available = buffer_.size() - taken_;
  if (available < sizeof header) return std::nullopt;
  std::memcpy(&header, buffer_.data() + taken_, sizeof header);
  if (header.mark != mark_ || header.size > std::max(limits.memory, Limits{}.memory))
    return Failure{Status::malformed, "unexpected data instead of answers in its pipe"};
  if (available - sizeof header < header.size) return std::nullopt;
  kind = static_cast<FrameKind>(header.kind);
  bytes.assign(buffer_, taken_ + sizeof header, header.size);
  taken_ += sizeof header + header.size;
  have_frame_ = true;
  return std::nullopt;
}

bool Child::fill(int milliseconds) {
  bool const ended = keeper_.has_ended();
  // After the end of the child, processes that it has started can keep the pipe open.
  pollfd waiting[2] = {{read_end_, POLLIN, 0}, {ended ? -1 : keeper_.status(), POLLIN, 0}};
  int const ready = poll(waiting, 2, ended ? 0 : milliseconds);
  if (ready < 0 && errno != EINTR) throw std::system_error(errno, std::generic_category(), "poll");
  // `ended` was set before the pipe is read. So nothing that the child wrote before its end is missed.
  if (waiting[0].revents == 0 || ready < 0) return !(ended && ready == 0);
  buffer_.erase(0, taken_);
  taken_ = 0;
  std::size_t const before = buffer_.size();
  buffer_.resize(before + room_);
  ssize_t const got = read(read_end_, buffer_.data() + before, room_);
  buffer_.resize(before + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  if (got == static_cast<ssize_t>(room_)) room_ = std::min(2 * room_, most_read);
  if (got < 0 && errno != EINTR && errno != EAGAIN)
    throw std::system_error(errno, std::generic_category(), "read from a child");
  return got != 0;
}

Failure Child::how_it_ended() {
  // After the end of the pipe the child ends soon, unless the subject itself has closed the pipe.
  for (int tries = 0; tries < 1000 && !keeper_.has_ended() && !stopping(); ++tries) poll(nullptr, 0, 1);
  if (!keeper_.has_ended()) return {Status::crash, "closed its pipe"};
  return {Status::crash, keeper_.how_it_ended()};
}

}  // namespace demeter::isolation
