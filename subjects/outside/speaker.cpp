#include "subjects/outside/speaker.hpp"

#include "kernels/json_lines.hpp"

#include <poll.h>
#include <unistd.h>

#include <cctype>
#include <cerrno>
#include <cstring>

namespace demeter {
namespace {

constexpr std::size_t read_size = 1 << 18;

}  // namespace

void Speaker::wait(bool sending, int milliseconds) {
  pollfd files[4] = {{process_.output(), POLLIN, 0},
                     {process_.errors(), POLLIN, 0},
                     {process_.has_ended() ? -1 : process_.status(), POLLIN, 0},
                     {sending ? process_.input() : -1, POLLOUT, 0}};
  poll(files, 4, milliseconds);
  drain_errors();
}

bool Speaker::write_some(std::string_view text, std::size_t& sent) {
  if (!listens()) return false;
  ssize_t const wrote = write(process_.input(), text.data() + sent, text.size() - sent);
  if (wrote > 0) sent += static_cast<std::size_t>(wrote);
  if (wrote < 0 && errno != EAGAIN && errno != EINTR) close_input();  // the program does not read any more
  return wrote > 0;
}

std::ptrdiff_t Speaker::read_some() {
  if (begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  if (buffer_.size() < end_ + read_size + LineReader::padding())
    buffer_.resize(end_ + read_size + LineReader::padding());
  ssize_t const got = read(process_.output(), buffer_.data() + end_, read_size);
  if (got > 0) end_ += static_cast<std::size_t>(got);
  return got < 0 && errno != EAGAIN && errno != EINTR ? 0 : got;
}

std::optional<std::string_view> Speaker::next_line(bool at_end) {
  if (begin_ == end_) return std::nullopt;
  char const* const start = buffer_.data() + begin_;
  auto const* const newline = static_cast<char const*>(std::memchr(start, '\n', unread()));
  if (newline == nullptr && !at_end) return std::nullopt;
  std::string_view const line(start, newline != nullptr ? static_cast<std::size_t>(newline - start) : unread());
  begin_ += line.size() + (newline != nullptr ? 1 : 0);
  return line;
}

void Speaker::drain_errors() {
  char text[4096];
  for (int i = 0; i < 64 && process_.errors() >= 0; ++i) {
    ssize_t const got = read(process_.errors(), text, sizeof text);
    if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) process_.close_errors();
    if (got <= 0) return;
    errors_.append(text, static_cast<std::size_t>(got));
    if (errors_.size() > 2 * sizeof text) errors_.erase(0, errors_.size() - sizeof text);  // keeps only the end
  }
}

void Speaker::await_end() {
  for (int tries = 0; tries < 200 && !process_.has_ended(); ++tries) poll(nullptr, 0, 1);
  drain_errors();
}

std::string Speaker::ending() {
  if (!process_.has_ended()) return "closed its output";
  drain_errors();
  std::string_view text = errors_;
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0) text.remove_suffix(1);
  if (auto const newline = text.rfind('\n'); newline != std::string_view::npos) text.remove_prefix(newline + 1);
  return process_.how_it_ended() + (text.empty() ? "" : ": " + tidy(text, 200));
}

}  // namespace demeter
