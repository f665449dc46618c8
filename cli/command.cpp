#include "cli/command.hpp"

#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstring>
#include <thread>
#include <unistd.h>

namespace demeter::cli {

int complain(Exit code, std::string_view verb, std::string_view message) {
  fmt::print(stderr, "demeter{}{}: {}\n", verb.empty() ? "" : " ", verb, message);
  return code;
}

bool Output::flush() {
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

Progress::Progress()
    : terminal_(::isatty(STDERR_FILENO) != 0), begin_(std::chrono::steady_clock::now()), last_(begin_) {}

Progress::~Progress() {
  if (drawn_ && terminal_) fmt::print(stderr, "\r\033[K");
}

void Progress::operator()(double done, std::string const& what) {
  auto const now = std::chrono::steady_clock::now();
  double const elapsed = std::chrono::duration<double>(now - begin_).count();
  if (std::chrono::duration<double>(now - last_).count() < (terminal_ ? 0.1 : 10.0)) return;
  last_ = now;
  drawn_ = true;
  double const left = done > 0.01 ? elapsed * (1 - done) / done : 0;
  if (terminal_) {
    auto const filled = static_cast<int>(30 * done);
    fmt::print(stderr, "\r\033[K[{:#<{}}{:.<{}}] {:3.0f} %  {:.0f} s left  {}", "", filled, "", 30 - filled, 100 * done, left,
               what);
  } else {
    fmt::print(stderr, "{:3.0f} %  {:.0f} s  {}\n", 100 * done, elapsed, what);
  }
  std::fflush(stderr);
}

namespace {
std::atomic<bool> stop{false};
static_assert(std::atomic<bool>::is_always_lock_free, "set from a signal handler");
}  // namespace

std::atomic<bool> const& stop_requested() { return stop; }

void watch_signals() {
  struct sigaction action {};
  action.sa_handler = [](int signal) {
    stop = true;
    std::signal(signal, SIG_DFL);  // a second one ends it at once
  };
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

unsigned Common::threads() const { return jobs > 0 ? jobs : std::max(1u, std::thread::hardware_concurrency()); }

Kernel const* kernel_or_complain(std::string_view verb, std::string_view name) {
  if (auto const* kernel = find_kernel(name)) return kernel;
  std::string names;
  for (auto const& kernel : kernels()) names += (names.empty() ? "" : ", ") + kernel.name;
  complain(bad_usage, verb, fmt::format("unknown kernel \"{}\"; expected {}", name, names));
  return nullptr;
}

std::optional<std::size_t> regime_or_complain(std::string_view verb, Kernel const& kernel, std::string_view name) {
  std::string names;
  for (std::size_t i = 0; i < kernel.regimes.size(); ++i) {
    if (kernel.regimes[i].name == name) return i;
    names += (names.empty() ? "" : ", ") + kernel.regimes[i].name;
  }
  complain(bad_usage, verb, fmt::format("unknown regime \"{}\" of {}; expected {}", name, kernel.name, names));
  return std::nullopt;
}

Subject const* subject_or_complain(std::string_view verb, std::string_view what) {
  if (auto const* subject = find_subject(what)) return subject;
  for (auto const& missing : found_peers().missing) {
    if (missing.name != what) continue;
    complain(bad_usage, verb, fmt::format("subject \"{}\" is not in this build: {}", what, missing.why));
    return nullptr;
  }
  complain(bad_usage, verb, fmt::format("unknown subject \"{}\"; expected one of {}", what, subject_names()));
  return nullptr;
}

std::size_t regime_of(Kernel const& kernel, std::optional<std::size_t> regime, std::uint64_t id) {
  return regime ? *regime : static_cast<std::size_t>(id % kernel.regimes.size());
}

std::string domain_message(Kernel const& kernel, Table const& cases, std::size_t row, DomainError const& error) {
  // The path names one cell: "radius", "p0[1]", "members[2].force[0]".
  Node const* node = &kernel.input.root;
  std::size_t at = row, column = 0;
  bool number = false;
  std::string_view path = error.field;
  while (!path.empty() && node != nullptr) {
    if (path.front() == '[') {
      std::size_t const close = std::min(path.find(']'), path.size() - 1);
      std::size_t const index = std::stoul(std::string(path.substr(1, close - 1)));
      path.remove_prefix(close + 1);
      if (node->kind == Node::Kind::list) {
        at = static_cast<std::size_t>(cases.columns[node->column][at]) + index;
        node = &node->children.front();
      } else {
        column = node->values() + index;
        number = true;
      }
      continue;
    }
    if (path.front() == '.') path.remove_prefix(1);
    std::string_view const name = path.substr(0, path.find_first_of(".["));
    path.remove_prefix(name.size());
    Node const* next = nullptr;
    for (auto const& child : node->children)
      if (child.name == name) next = &child;
    node = next;
    if (node != nullptr && node->kind == Node::Kind::number && node->extent == 0) {
      column = node->values();
      number = true;
    }
  }
  if (node != nullptr && number && at < cases.columns[column].size())
    return fmt::format("{}: {}, expected {}", error.field, cases.columns[column][at], error.expected);
  return fmt::format("{}: expected {}", error.field, error.expected);
}

std::string shell_case(Kernel const& kernel, Table const& cases, std::size_t row) {
  Buffer out;
  write_record(kernel.input, cases, row, out);
  return "'" + fmt::to_string(out) + "'";  // the format has no single quote in it
}

std::string brief(double value) {
  if (std::isnan(value)) return "-";
  if (std::isinf(value)) return "inf";
  double const size = std::fabs(value);
  if (size == 0) return "0";
  if (size < 0.01 || size >= 1e5) return fmt::format("{:.1e}", value);
  return fmt::format("{:.{}f}", value, size < 1 ? 3 : size < 10 ? 2 : size < 100 ? 1 : 0);
}

}  // namespace demeter::cli
