// A baseline of accepted failures, as JSON lines with one failure per line. Failures that are not in the baseline
// count.
//
//   {"kernel":"segment_distance","subject":"bullet","regime":"tiny","output":"distance","max_error":4e9}
//   {"kernel":"segment_distance","subject":"ode","regime":"parallel","law":"swap","failed":154,"of":5000}
//   {"kernel":"segment_distance","subject":"*","law":"swap","comment":"see issue 12"}
//   {"kernel":"segment_distance","subject":"lib:./mine.so","call":"again"}
//
// Optional keys:
//  * "input": accepts only this case.
//  * "max_error": a larger error is a new failure. In units of the output's measure or the law's tolerance, or "inf".
//  * "failed" with "of": a significantly larger share of failures is a new failure.
//  * "comment": a text for readers.
// "*" matches any subject, regime or output. An entry with a law needs no regime.
#pragma once

#include "check/check.hpp"

#include <nlohmann/json_fwd.hpp>

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace demeter {

/// The number of failed cases and the number of tried cases.
struct FailureCount {
  std::uint64_t failed = 0, of = 0;
};

struct KnownFailure {
  std::string kernel, subject, regime, output, law;  ///< exactly one of output, law and call is not empty
  std::optional<Table> input;
  std::optional<double> max_error;
  using Count = FailureCount;
  std::optional<Count> count;
  std::string comment;
  std::uint64_t line = 0;
  std::string call{};  ///< the call pattern in which a fault is accepted
};

/// Returns true if `now` fails more often than `before`: the difference of the two shares exceeds three standard
/// deviations. Another seed or another number of cases alone does not make failures new.
bool more_often(KnownFailure::Count const& now, KnownFailure::Count const& before);

/// A case that failed, with the output or the law that failed.
struct Failed {
  Kernel const& kernel;
  std::vector<std::string> subject;  ///< all names of the subject: the name that the user typed, and the full name
  std::string_view regime;           ///< empty if unknown
  std::string_view output, law;      ///< one of output and law is empty
  Table const& cases;
  std::size_t row;
  double error;
};

class KnownFailures {
 public:
  /// Reads one line. Returns the error, or nothing.
  std::optional<std::string> add_line(std::string_view line, std::uint64_t number);

  /// Returns true if an entry accepts the failure. Records for met() that this entry was used. May be called from
  /// several threads.
  bool accepts(Failed const& failure) const;

  /// Returns true if an entry accepts the fault of a subject in a call pattern. Records for met() that this entry was
  /// used.
  bool accepts(Kernel const& kernel, std::vector<std::string> const& subject, Way way) const;

  std::vector<KnownFailure> const& entries() const { return entries_; }
  bool met(std::size_t entry) const { return met_[entry].load(); }

 private:
  std::optional<std::string> read_line(std::string_view line, std::uint64_t number);

  struct Flag : std::atomic<bool> {
    Flag() : std::atomic<bool>(false) {}
    Flag(Flag const& other) : std::atomic<bool>(other.load()) {}
    Flag& operator=(Flag const& other) {
      store(other.load());
      return *this;
    }
  };
  std::vector<KnownFailure> entries_;
  mutable std::vector<Flag> met_;
};

/// Returns an entry as a JSON object. known_line() returns it as a line of a file, without the newline.
nlohmann::ordered_json known_json(KnownFailure const& entry);
/// Returns the first line of a baseline. It says that Demeter wrote the file.
std::string known_head();
std::string known_line(KnownFailure const& entry);

/// Returns the key of an entry for a message: "segment_distance bullet tiny distance".
std::string known_name(KnownFailure const& entry);

/// Returns true if an entry applies to this kernel and this subject.
bool is_about(KnownFailure const& entry, Kernel const& kernel, std::vector<std::string> const& subject);

/// Returns whether the case of an entry still fails. Returns nothing if the entry has no "input".
std::optional<bool> still_fails(KnownFailure const& entry, Kernel const& kernel, Subject const& subject,
                                std::optional<Held> const& held);

/// Returns the entries that a check adds to the baseline: one per regime and output, per regime and law, and per fault
/// in a call pattern. `subject` is the name to write.
std::vector<KnownFailure> new_failures(Kernel const& kernel, std::string const& subject, SubjectCheck const& check);

/// The number of accepted failures of an output or a law in a regime, and the number of tried cases.
struct AcceptedCount {
  std::string regime, output, law;
  KnownFailure::Count count;
};

/// An entry of the baseline, and the present counts. The present failures are significantly more frequent than the
/// entry accepts.
struct MoreOften {
  KnownFailure const* entry;
  KnownFailure::Count now;
};
std::vector<MoreOften> more_often_than_known(KnownFailures const& known, Kernel const& kernel,
                                             std::vector<std::string> const& subject,
                                             std::vector<AcceptedCount> const& counts);
/// Returns the counts as text: "segment_distance ode law swap in parallel: 558 of 5000 fail, 154 of 5000 are known
/// (line 3)".
std::string more_often_text(MoreOften const& each);

/// Returns true if an entry is about this output or law in this regime.
bool covers(KnownFailure const& entry, std::string_view regime, std::string_view output, std::string_view law);

/// Finds entries whose failures are more frequent than the entry accepts, and returns them. Changes `check`: these
/// failures are no longer accepted and count as failed.
std::vector<MoreOften> unaccept_more_often(KnownFailures const& known, Kernel const& kernel,
                                           std::vector<std::string> const& subject, SubjectCheck& check);

/// Returns the new baseline: the entries of `before` that accepted a failure, then the new entries. A new entry
/// replaces an old entry with the same keys and keeps its comment.
std::vector<KnownFailure> updated(KnownFailures const& before, std::vector<KnownFailure> const& found);

}  // namespace demeter
