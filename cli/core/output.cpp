#include "cli/core/output.hpp"

#include "base/text.hpp"
#include "cli/core/screen.hpp"

#include <poll.h>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <span>

namespace demeter::cli {

void say(std::string_view text) noexcept {
  while (!text.empty()) {
    pollfd waiting{STDERR_FILENO, POLLOUT, 0};
    if (::poll(&waiting, 1, 1000) == 0) return;
    ssize_t const written = ::write(STDERR_FILENO, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

void be_the_one_that_ends() noexcept {
  static std::atomic<pthread_t> one{};
  pthread_t nobody{};
  if (one.compare_exchange_strong(nobody, ::pthread_self()) || ::pthread_equal(nobody, ::pthread_self())) return;
  for (;;) ::pause();
}

void inform(std::string_view verb, std::string_view message, std::string_view command) {
  // A command is printed without cuts, so that the reader can run it.
  tell("demeter{}{}: {}{}{}\n", verb.empty() ? "" : " ", verb, plain_message(message), command.empty() ? "" : ": ",
       command);
}

namespace {

std::string reason_to_end;  // written once, before `ends` is set
std::atomic<bool> ends{false};

}  // namespace

void end_because(std::string reason) {
  if (ends) return;
  reason_to_end = std::move(reason);
  ends = true;
}

bool has_reason_to_end() { return ends; }

int complain(Exit code, std::string_view verb, std::string_view message, std::string_view command) {
  if (ends) {
    static std::atomic<bool> reported = false;
    if (reported.exchange(true)) return broken;
    message = reason_to_end;
    command = {};
    code = broken;
  }
  inform(verb, message, command);
  return code;
}

namespace {

/// Replaces control characters in printed text, except line ends and, on a terminal, Demeter's own colours. Names and
/// messages of other code may contain such characters.
void make_plain_but_colours(std::span<char> text) {
  static bool const coloured = !painted(Colour::good, "x").starts_with('x');
  constexpr std::string_view ours[] = {"\033[32m", "\033[31m", "\033[2m", "\033[1m", "\033[0m"};
  std::string_view const all(text.data(), text.size());
  for (std::size_t at = 0; at < all.size();) {
    std::size_t next = coloured ? std::min(all.find('\033', at), all.size()) : all.size();
    auto const is_here = [&](std::string_view code) { return all.substr(next).starts_with(code); };
    bool const is_ours = next < all.size() && std::any_of(std::begin(ours), std::end(ours), is_here);
    if (next < all.size() && !is_ours) ++next;
    make_plain(text.data() + at, next - at);
    at = is_ours ? next + 1 : next;
  }
}

}  // namespace

void Output::print_formatted(fmt::string_view format, fmt::format_args arguments) {
  std::size_t const before = buffer_.size();
  fmt::vformat_to(fmt::appender(buffer_), format, arguments);
  make_plain_but_colours({buffer_.data() + before, buffer_.size() - before});
  if (buffer_.size() > (1 << 16)) flush();
}

bool Output::flush() {
  static bool const is_terminal = ::isatty(STDOUT_FILENO) != 0;
  if (is_terminal) make_plain_but_colours({buffer_.data(), buffer_.size()});
  if (error_.empty() && buffer_.size() > 0) {
    char const* at = buffer_.data();
    std::size_t left = buffer_.size();
    while (left > 0) {
      ssize_t const wrote = ::write(STDOUT_FILENO, at, left);
      if (wrote < 0 && errno == EINTR) continue;
      if (wrote < 0) {
        error_ = std::string("standard output: ") + std::strerror(errno);
        break;
      }
      at += wrote;
      left -= static_cast<std::size_t>(wrote);
    }
  }
  buffer_.clear();
  return error_.empty();
}

}  // namespace demeter::cli
