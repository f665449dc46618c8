// What the verbs share: input, progress, and options with one meaning everywhere.
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

/// Without what is blank at both ends.
std::string_view trimmed(std::string_view text, std::string_view blank = " \t\r");

/// A file to read, or standard input; closed with the object.
class InputFile {
 public:
  /// Standard input if `path` is empty. False after a complaint.
  bool open_or_complain(std::string_view verb, std::string const& path);
  /// The whole of the rest. False after a complaint.
  bool read_or_complain(std::string_view verb, std::string& text);
  /// What it may have at most when it is read as a whole.
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

/// The lines of an input that are not blank, with their numbers, as they come.
class Lines {
 public:
  struct Numbered {
    std::string_view text;
    std::uint64_t number;  ///< from 1, blank lines counted
  };
  /// `input` must outlive this.
  explicit Lines(InputFile const& input)
      : name_(input.name()), file_(::fileno(input.stream())), source_(input.stream()) {}
  /// What is there now, valid until the next call; empty at the end, and when a stop is requested.
  std::vector<Numbered> const& next_block();
  /// How many lines were read, blank ones included.
  std::uint64_t count() const { return count_; }
  /// Why reading ended early, or nothing.
  std::optional<std::string> const& error() const { return error_; }

 private:
  std::string name_;
  int file_;
  LineSource source_;
  std::vector<Numbered> block_;
  std::uint64_t count_ = 0;
  std::optional<std::string> error_;
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

/// Set by SIGINT, SIGTERM and SIGHUP after `watch_signals()`: long work stops at the next point where nothing is lost,
/// and what does not come to one within two seconds is ended.
std::atomic<bool> const& stop_requested();
void watch_signals();

/// Values of options with one meaning everywhere.
struct Common {
  std::string kernel;
  std::vector<std::string> kernels;
  std::vector<std::string> subject;
  std::string regime;
  std::uint64_t seed = 1;
  std::uint64_t count = 1000;
  unsigned jobs = 0;
  std::string tolerance;            ///< see tolerance.hpp
  std::vector<std::string> budget;  ///< the same
  bool json = false;
  double timeout = 0, memory = -1;  ///< of subjects that are not ours: seconds, MiB; those of Limits if not given
  bool binary32 = false;

  unsigned threads() const;
  SubjectOptions subject_options() const;
};

/// Where the first of subjects in a list ends: at a comma. In a lib:, pipe: or file:, which may have commas of its own,
/// at one that a built-in name or another lib:, pipe: or file: follows.
std::size_t end_of_subject(std::string_view list);
/// --subject, as often as one likes, or several joined by commas.
Option& add_subjects(Verb& verb, std::vector<std::string>& values, std::string const& help);
/// --timeout, --memory and --binary32.
void add_limits(Verb& verb, Common& options);

/// False after a complaint that --binary32 has no effect, since none of the subjects is from outside.
bool binary32_or_complain(std::string_view verb, Common const& options, std::vector<std::string> const& subjects);

/// The kernel named, or null after a complaint that lists those there are.
Kernel const* kernel_or_complain(std::string_view verb, std::string_view name);
/// The kernels named, all of them if no name is given; empty after a complaint.
std::vector<Kernel const*> kernels_or_complain(std::string_view verb, std::vector<std::string> const& names);
/// Looks up a regime, or a workload where the verb has use for one; an empty name leaves it open. False after a
/// complaint.
bool regime_or_complain(std::string_view verb, Kernel const& kernel, std::string_view name,
                        std::optional<std::size_t>& regime, std::optional<std::size_t>* workload = nullptr);
/// The subject, or null after a complaint.
Subject const* subject_or_complain(std::string_view verb, std::string_view what, SubjectOptions const& options = {});
/// In one line: none of the subjects answers any of the kernels.
std::string none_answers(std::vector<Kernel const*> const& kernels, std::vector<Subject const*> const& subjects);
/// Complains (and returns `failed`) if a subject said something that answers no case; `held` otherwise.
int complain_of_strays(std::string_view verb, std::vector<Subject const*> const& subjects);

/// "radius: -1, expected > 0", the value looked up in the case.
std::string domain_message(Kernel const& kernel, Table const& cases, std::size_t row, DomainError const& error);

/// Three significant digits for reading; exact values go to JSON.
std::string brief(double value);

// The verbs.
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
