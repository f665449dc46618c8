#include "cli/core/output.hpp"

#include "cli/core/memory.hpp"
#include "cli/core/screen.hpp"
#include "kernels/turning.hpp"

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

int complain(Exit code, std::string_view verb, std::string_view message) {
  std::string reason;
  if (auto exceeded = exceeded_memory()) {  // whatever ended early ended for that
    static std::atomic<bool> told = false;
    if (told.exchange(true)) return broken;
    reason = std::move(*exceeded);
    message = reason;
    code = broken;
  }
  std::string line(message);  // one line, whatever stands in a name or a file
  std::replace(line.begin(), line.end(), '\n', ' ');
  std::replace(line.begin(), line.end(), '\t', ' ');
  line = plain_text(line, line.size());
  tell("demeter{}{}: {}\n", verb.empty() ? "" : " ", verb, line);
  return code;
}

namespace {

/// What is printed for people has no control bytes but the ends of lines and, on a terminal, our own colours: whatever
/// stands in a name or message of somebody else's.
void make_plain(std::span<char> text) {
  static bool const coloured = !painted(Colour::good, "x").starts_with('x');
  constexpr std::string_view ours[] = {"\033[32m", "\033[31m", "\033[2m", "\033[1m", "\033[0m"};
  std::string_view const all(text.data(), text.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    auto const c = static_cast<unsigned char>(all[i]);
    if (c == '\033' && coloured) {
      auto const is_here = [&](std::string_view code) { return all.substr(i).starts_with(code); };
      if (std::any_of(std::begin(ours), std::end(ours), is_here)) continue;
    }
    bool const c1 = c == 0xC2 && i + 1 < all.size() && static_cast<unsigned char>(all[i + 1]) < 0xA0;
    if ((c < 32 && c != '\n' && c != '\t') || c == 127) text[i] = '?';
    if (c1) text[i] = text[i + 1] = '?';
    if (is_turning(all.substr(i))) text[i] = text[i + 1] = text[i + 2] = '?';
  }
}

}  // namespace

void Output::print_formatted(fmt::string_view format, fmt::format_args arguments) {
  std::size_t const before = buffer_.size();
  fmt::vformat_to(fmt::appender(buffer_), format, arguments);
  make_plain({buffer_.data() + before, buffer_.size() - before});
  if (buffer_.size() > (1 << 16)) flush();
}

bool Output::flush() {
  static bool const is_terminal = ::isatty(STDOUT_FILENO) != 0;
  if (is_terminal) make_plain({buffer_.data(), buffer_.size()});
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
