#include "cli/core/command.hpp"

#include "base/files.hpp"
#include "cli/core/suggest.hpp"
#include "subjects/isolation/stop.hpp"

#include <poll.h>
#include <pthread.h>
#include <sys/stat.h>
#include <time.h>

#include <unistd.h>
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <csignal>
#include <cstring>
#include <iterator>
#include <sstream>
#include <thread>

namespace demeter::cli {

std::string_view trimmed(std::string_view text, std::string_view blank) {
  auto const begin = text.find_first_not_of(blank);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blank) + 1 - begin);
}

bool InputFile::open_or_complain(std::string_view verb, std::string const& path) {
  if (path.empty()) return true;
  name_ = path;
  int const file = open_to_read(path, isolation::stopping());
  if (file >= 0) file_.reset(::fdopen(file, "r"));
  if (file_) return true;
  complain(bad_usage, verb,
           fmt::format("{}: {}", path, errno == ETIMEDOUT ? "no program writes to this pipe" : std::strerror(errno)));
  return false;
}

bool InputFile::read_or_complain(std::string_view verb, std::string& text) {
  std::size_t size = 0;
  do {
    size = text.size();
    text.resize(std::max<std::size_t>(2 * size, 1 << 16));
    text.resize(size + std::fread(text.data() + size, 1, text.size() - size, stream()));
  } while (text.size() > size && text.size() <= most);
  if (text.size() > most) {
    complain(broken, verb, fmt::format("{}: size: expected at most {} MiB", name_, most >> 20));
    return false;
  }
  if (std::ferror(stream()) == 0) return true;
  complain(broken, verb, fmt::format("{}: {}", name_, std::strerror(errno)));
  return false;
}

std::vector<Lines::Numbered> const& Lines::next_block() {
  block_.clear();
  while (block_.empty()) {
    pollfd waiting{file_, POLLIN, 0};
    while (!stop_requested() && ::poll(&waiting, 1, 100) <= 0) continue;
    if (stop_requested()) break;
    auto const& lines = source_.next_block();
    if (source_.failed()) error_ = fmt::format("{}: {}", name_, std::strerror(errno));
    if (source_.endless())
      error_ = fmt::format("{}: line {}: size: expected at most {} MiB", name_, count_ + lines.size() + 1,
                           LineSource::longest >> 20);
    if (lines.empty()) break;
    for (auto const text : lines) {
      ++count_;
      if (text.find_first_not_of(" \t\r") != std::string_view::npos) block_.push_back({text, count_});
    }
  }
  return block_;
}

Progress::Progress()
    : terminal_(::isatty(STDERR_FILENO) != 0), begin_(std::chrono::steady_clock::now()), last_(begin_) {}

Progress::~Progress() {
  if (drawn_ && terminal_) say("\r\033[K");
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
    tell("\r\033[K[{:#<{}}{:.<{}}] {:3.0f} %  {:.0f} s left  {}", "", filled, "", 30 - filled, 100 * done, left,
         plain_text(what, 60));
  } else {
    tell("{:3.0f} %  {:.0f} s  {}\n", 100 * done, elapsed, plain_text(what, 60));
  }
}

std::atomic<bool> const& stop_requested() { return isolation::stopping(); }

namespace {

/// Timer that ends the command if the current work does not stop in time after a signal.
timer_t last_resort;
constexpr itimerspec last_resort_in{{0, 0}, {1, 800'000'000}};

}  // namespace

void watch_signals() {
  struct sigaction late {};
  late.sa_handler = [](int) {
    constexpr char message[] = "demeter: stopped: printed results are partial\n";
    [[maybe_unused]] ssize_t const written = ::write(STDERR_FILENO, message, sizeof message - 1);
    ::_exit(failed);
  };
  sigevent event{};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = SIGALRM;
  bool const timed = ::timer_create(CLOCK_MONOTONIC, &event, &last_resort) == 0;
  if (timed) sigaction(SIGALRM, &late, nullptr);
  struct sigaction action {};
  static bool has_last_resort;
  has_last_resort = timed;
  action.sa_handler = [](int signal) {
    isolation::stopping() = true;
    if (has_last_resort) ::timer_settime(last_resort, 0, &last_resort_in, nullptr);
    std::signal(signal, SIG_DFL);  // a second signal ends the program at once
  };
  for (int const signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction now {};
    // If SIGHUP is ignored, it stays ignored: the user has called nohup. If SIGINT is ignored, it is handled all the
    // same: a script ignores SIGINT in all its background jobs.
    if (signal == SIGHUP && sigaction(signal, nullptr, &now) == 0 && now.sa_handler == SIG_IGN) continue;
    sigaction(signal, &action, nullptr);
  }
}

unsigned Common::threads() const { return jobs > 0 ? jobs : std::max(1u, std::thread::hardware_concurrency()); }

SubjectOptions Common::subject_options() const {
  SubjectOptions result;
  // Cuts the time limit to three years. This has the effect of no limit, and the deadline does not overflow.
  constexpr double longest = 1e8;
  if (timeout > 0)
    result.time = std::chrono::milliseconds(std::max<long long>(1, std::llround(1000 * std::min(timeout, longest))));
  if (memory >= 0) result.memory = static_cast<std::size_t>(memory) << 20;
  result.binary32 = binary32;
  return result;
}

std::size_t end_of_subject(std::string_view list) {
  auto comma = list.find(',');
  if (!is_outside(list)) return comma;
  // A path or a command may contain commas. Only a comma before another subject ends the path or command.
  for (; comma != std::string_view::npos; comma = list.find(',', comma + 1)) {
    std::string_view const rest = list.substr(comma + 1), next = rest.substr(0, rest.find(','));
    if (is_outside(rest) || next == "all") break;
    if (std::string_view::npos == next.find_first_of(" /.'\"") && find_subject(next) != nullptr) break;
  }
  return comma;
}

Option& add_subjects(Verb& verb, std::vector<std::string>& values, std::string const& help) {
  auto const split = [&values](std::vector<std::string> const& given) {
    values.clear();
    for (std::string_view rest : given) {
      for (;;) {
        auto const comma = end_of_subject(rest);
        values.emplace_back(rest.substr(0, comma));
        if (comma == std::string_view::npos) break;
        rest.remove_prefix(comma + 1);
      }
    }
  };
  auto const files = [&values] {
    std::vector<std::string> named;
    for (auto const& value : values) {
      if (!is_outside(value)) continue;
      std::string const rest = value.substr(value.find(':') + 1);
      if (!value.starts_with("pipe:")) {
        named.push_back(rest);
        continue;
      }
      std::istringstream words(rest);
      for (std::string word; words >> word;) named.push_back(word);
    }
    return named;
  };
  return verb.list("--subject", split, help).reads(files);
}

void add_limits(Verb& verb, Common& options) {
  Limits const usual;
  verb.option("--timeout", options.timeout,
              fmt::format("time limit of an external subject, in seconds per chunk of {} cases; {} if not given",
                          usual.chunk, usual.time_per_chunk.count() / 1000))
      .check(positive_number());
  verb.option(
          "--memory", options.memory,
          fmt::format("memory limit of an external subject in MiB, 0: no limit; {} if not given", usual.memory >> 20))
      .check(whole_number(0, 1 << 24));
  verb.flag("--binary32", options.binary32, "the subject computes in float; its inputs are rounded to float");
}

bool binary32_or_complain(std::string_view verb, Common const& options, std::vector<std::string> const& subjects) {
  bool const has_effect =
      std::any_of(subjects.begin(), subjects.end(), [](auto const& name) { return is_outside(name); });
  if (options.binary32 && !has_effect)
    complain(bad_usage, verb, "--binary32: got no external subject, expected lib:PATH, pipe:COMMAND or file:PATH");
  return has_effect || !options.binary32;
}

Kernel const* kernel_or_complain(std::string_view verb, std::string_view name) {
  if (auto const* kernel = find_kernel(name)) return kernel;
  complain(bad_usage, verb, fmt::format("unknown kernel \"{}\"; {}", name, meant(name, names_of(kernels()))));
  return nullptr;
}

std::vector<Kernel const*> kernels_or_complain(std::string_view verb, std::vector<std::string> const& names) {
  std::vector<Kernel const*> chosen;
  for (auto const& name : names) {
    chosen.push_back(kernel_or_complain(verb, name));
    if (chosen.back() == nullptr) return {};
  }
  if (names.empty())
    for (auto const& kernel : kernels()) chosen.push_back(&kernel);
  return chosen;
}

bool regime_or_complain(std::string_view verb, Kernel const& kernel, std::string_view name,
                        std::optional<std::size_t>& regime, std::optional<std::size_t>* workload) {
  regime.reset();
  if (name.empty()) return true;
  std::vector<std::string> names = names_of(kernel.regimes);
  for (std::size_t i = 0; i < kernel.regimes.size(); ++i)
    if (kernel.regimes[i].name == name) regime = i;
  if (workload != nullptr) {
    workload->reset();
    for (std::size_t i = 0; i < kernel.workloads.size(); ++i) {
      if (kernel.workloads[i].name == name) *workload = i;
      names.push_back(kernel.workloads[i].name);
    }
    if (*workload) return true;
  }
  if (!regime)
    complain(bad_usage, verb, fmt::format("unknown regime \"{}\" of {}; {}", name, kernel.name, meant(name, names)));
  return regime.has_value();
}

Subject const* subject_or_complain(std::string_view verb, std::string_view what, SubjectOptions const& options) {
  Found const found = find_subject(what, options);
  if (found.subject != nullptr) return found.subject;
  if (!found.wrong.empty()) {
    complain(bad_usage, verb, fmt::format("--subject {}", found.wrong));
  } else {
    std::vector<std::string> names{"fast"};
    for (auto const* subject : subjects_and_programs()) {
      names.push_back(subject->name);
      names.push_back(subject->name.substr(0, subject->name.find('@')));
    }
    complain(bad_usage, verb,
             fmt::format("unknown subject \"{}\"; {}", what, meant(what, names, "one of " + subject_names())));
  }
  return nullptr;
}

std::string none_answers(std::vector<Kernel const*> const& kernels, std::vector<Subject const*> const& subjects) {
  if (kernels.size() == 1 && subjects.size() == 1) return why_not(*kernels.front(), *subjects.front());
  return "no subject answers these kernels";
}

int complain_of_strays(std::string_view verb, std::vector<Subject const*> const& subjects) {
  for (auto const* subject : subjects)
    if (std::uint64_t const lines = subject->strays->lines(); lines > 0)
      return complain(failed, verb,
                      fmt::format("{} printed {} line{} that answer{} no case; the first: {}", subject->name, lines,
                                  lines == 1 ? "" : "s", lines == 1 ? "s" : "", subject->strays->first()));
  return held;
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
    return fmt::format("{}: got {}, expected {}", error.field, cases.columns[column][at], error.expected);
  return fmt::format("{}: expected {}", error.field, error.expected);
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
