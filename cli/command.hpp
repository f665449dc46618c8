// What the verbs share: exit codes, one-line errors, checked output, progress, and options with one meaning everywhere.
#pragma once

#include "subjects/core/json_lines.hpp"
#include "subjects/core/subjects.hpp"

#include <CLI/CLI.hpp>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace demeter::cli {

/// The exit codes of the design, section 4.
enum Exit : int {
  held = 0,
  failed = 1,      ///< an answer failed, crashed, is missing or malformed; undecided too unless allowed
  bad_usage = 2,   ///< also an unwritable output path
  bad_data = 3,    ///< a malformed case or scene
  broken = 4,      ///< the harness itself: a write error, a closed pipe
};

/// Prints "demeter VERB: message" on stderr and returns the code.
int complain(Exit code, std::string_view verb, std::string_view message);

/// Standard output, checked: after the first failed write nothing more is written.
class Output {
 public:
  Buffer& buffer() { return buffer_; }
  template <class... Arguments>
  void print(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(fmt::appender(buffer_), format, std::forward<Arguments>(arguments)...);
    if (buffer_.size() > (1 << 16)) flush();
  }
  /// False after a failed write; the reason is in `error()`.
  bool flush();
  std::string const& error() const { return error_; }

 private:
  Buffer buffer_;
  std::string error_;
};

/// A bar on a terminal, a line every few seconds otherwise; on stderr.
class Progress {
 public:
  Progress();
  ~Progress();
  void operator()(double done, std::string const& what);

 private:
  bool terminal_;
  std::chrono::steady_clock::time_point begin_, last_;
  bool drawn_ = false;
};

/// Set by SIGINT and SIGTERM after `watch_signals()`: long work stops at the next point where nothing is lost.
std::atomic<bool> const& stop_requested();
void watch_signals();

/// Options as CLI11 fills them.
struct Common {
  std::string kernel;
  std::vector<std::string> kernels;
  std::vector<std::string> subject;
  std::string regime;
  std::uint64_t seed = 1;
  std::uint64_t count = 1000;
  unsigned jobs = 0;
  double budget = 1;
  bool json = false;

  unsigned threads() const;
};

/// The kernel named, or null after a complaint that lists those there are.
Kernel const* kernel_or_complain(std::string_view verb, std::string_view name);
/// The regime's index, or nothing after a complaint.
std::optional<std::size_t> regime_or_complain(std::string_view verb, Kernel const& kernel, std::string_view name);
/// The subject, or null after a complaint.
Subject const* subject_or_complain(std::string_view verb, std::string_view what);

/// Regime and id of the n-th generated case: with no regime named, the regimes take turns.
std::size_t regime_of(Kernel const& kernel, std::optional<std::size_t> regime, std::uint64_t id);

/// "radius: -1, expected > 0", the value looked up in the case.
std::string domain_message(Kernel const& kernel, Table const& cases, std::size_t row, DomainError const& error);

/// A case in single quotes for a shell.
std::string shell_case(Kernel const& kernel, Table const& cases, std::size_t row);

/// Three significant digits for reading; exact values go to JSON.
std::string brief(double value);

// The verbs: each adds its subcommand to the application and returns what runs it.
using Run = std::function<int()>;
Run list(CLI::App& app);
Run generate(CLI::App& app);
Run evaluate(CLI::App& app);
Run verify(CLI::App& app);
Run explain(CLI::App& app);
Run check(CLI::App& app);
Run bench(CLI::App& app);
Run report(CLI::App& app);
Run doctor(CLI::App& app);

}  // namespace demeter::cli
