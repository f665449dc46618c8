// Helpers that the verbs share: input, progress, and options that have the same meaning in every verb.
#pragma once

#include "cli/core/options.hpp"
#include "cli/core/output.hpp"
#include "kernels/json_lines.hpp"
#include "subjects/subjects.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace demeter::cli {

/// Returns the text without the characters of `blank` at both ends.
std::string_view trimmed(std::string_view text, std::string_view blank = " \t\r");

/// A file to read, or standard input. The destructor closes the file.
class InputFile {
 public:
  /// Opens the file, or standard input if `path` is empty. Returns false after an error message.
  bool open_or_complain(std::string_view verb, std::string const& path);
  /// Reads the rest of the input. Returns false after an error message.
  bool read_or_complain(std::string_view verb, std::string& text);
  /// Largest number of bytes that read_or_complain() accepts.
  static constexpr std::size_t most = std::size_t{1} << 29;
  std::FILE* stream() const { return file_ ? file_.get() : stdin; }
  std::string const& name() const { return name_; }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::unique_ptr<std::FILE, Close> file_;
  std::string name_ = "standard input";
};

/// Reads an input line by line, as the lines arrive. Skips blank lines, but counts them in the line numbers.
class Lines {
 public:
  struct Numbered {
    std::string_view text;
    std::uint64_t number;  ///< line number, from 1
  };
  /// `input` must outlive this object.
  explicit Lines(InputFile const& input)
      : name_(input.name()), file_(::fileno(input.stream())), source_(input.stream()) {}
  /// Returns the lines that are available now. They are valid until the next call. Returns no lines at the end of the
  /// input and after a requested stop.
  std::vector<Numbered> const& next_block();
  /// Returns the number of lines read so far, with blank lines.
  std::uint64_t count() const { return count_; }
  /// Returns why reading ended early, or nothing.
  std::optional<std::string> const& error() const { return error_; }

 private:
  std::string name_;
  int file_;
  LineSource source_;
  std::vector<Numbered> block_;
  std::uint64_t count_ = 0;
  std::optional<std::string> error_;
};

/// Shows progress on standard error: a bar on a terminal, otherwise a line every few seconds.
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

/// Returns the flag that SIGINT, SIGTERM and SIGHUP set after `watch_signals()`. Long work stops at the next point
/// where no result is lost. Work that does not reach such a point within two seconds is ended.
std::atomic<bool> const& stop_requested();
void watch_signals();

/// Values of the options that have the same meaning in every verb.
struct Common {
  std::string kernel;
  std::vector<std::string> kernels;
  std::vector<std::string> subject;
  std::string regime;
  std::uint64_t seed = 1;
  std::uint64_t count = 1000;
  unsigned jobs = 0;
  std::string tolerance;            ///< value of --tolerance: see tolerance.hpp
  std::vector<std::string> budget;  ///< values of --budget: see tolerance.hpp
  bool json = false;
  double timeout = 0, memory = -1;  ///< limits of subjects from outside in s and MiB; as in Limits if not given
  bool binary32 = false;

  unsigned threads() const;
  SubjectOptions subject_options() const;
};

/// Returns the position of the comma that ends the first subject of a list. The text after lib:, pipe: and file: may
/// contain commas itself. Such a subject ends at the first comma before a built-in name or another lib:, pipe: or
/// file:.
std::size_t end_of_subject(std::string_view list);
/// Adds --subject: several times, or several subjects joined by commas.
Option& add_subjects(Verb& verb, std::vector<std::string>& values, std::string const& help);
/// Adds --timeout, --memory and --binary32.
void add_limits(Verb& verb, Common& options);

/// Returns false after an error message if --binary32 has no effect because no subject is from outside.
bool binary32_or_complain(std::string_view verb, Common const& options, std::vector<std::string> const& subjects);

/// Returns the kernel of this name, or null after an error message with the possible names.
Kernel const* kernel_or_complain(std::string_view verb, std::string_view name);
/// Returns the kernels of these names, or all kernels if no name is given. Returns no kernel after an error message.
std::vector<Kernel const*> kernels_or_complain(std::string_view verb, std::vector<std::string> const& names);
/// Finds a regime, or a workload if the verb accepts workloads. An empty name selects none. Returns false after an
/// error message.
bool regime_or_complain(std::string_view verb, Kernel const& kernel, std::string_view name,
                        std::optional<std::size_t>& regime, std::optional<std::size_t>* workload = nullptr);
/// Returns the subject, or null after an error message.
Subject const* subject_or_complain(std::string_view verb, std::string_view what, SubjectOptions const& options = {});
/// Returns the error message for the case that no subject answers any of the kernels.
std::string none_answers(std::vector<Kernel const*> const& kernels, std::vector<Subject const*> const& subjects);
/// Returns `failed` after an error message if a subject printed output that answers no case. Otherwise returns `held`
/// (success).
int complain_of_strays(std::string_view verb, std::vector<Subject const*> const& subjects);

/// Returns the message of a domain error with the value from the case: "radius: -1, expected > 0".
std::string domain_message(Kernel const& kernel, Table const& cases, std::size_t row, DomainError const& error);

/// Formats a number with three significant digits, for people. JSON gets exact values.
std::string brief(double value);

Verb list();
Verb generate();
Verb evaluate();
Verb verify();
Verb explain();
Verb check();
Verb continuity();
Verb bench();
Verb report();
Verb vectors();
Verb compare();
Verb errata();
Verb clump();
Verb simulate();
Verb doctor();

}  // namespace demeter::cli
