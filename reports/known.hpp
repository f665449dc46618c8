// A baseline of accepted failures: JSON lines, one a failure. Only what is not in it counts.
//
//   {"kernel":"segment_distance","subject":"bullet","regime":"tiny","output":"distance","max_error":4e9}
//   {"kernel":"segment_distance","subject":"ode","regime":"parallel","law":"swap","failed":154,"of":5000}
//   {"kernel":"segment_distance","subject":"*","law":"swap","comment":"see issue 12"}
//   {"kernel":"segment_distance","subject":"lib:./mine.so","call":"again"}
//
// Optional are "input" (this one case only), "max_error" (in units of the output's measure or the law's tolerance, or
// "inf": what is worse is new), "failed" with "of" (what fails more often than that, beyond chance, is new) and
// "comment". "*" stands for any subject, regime or output; a law needs no regime.
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

/// How many fail, and of how many.
struct FailureCount {
  std::uint64_t failed = 0, of = 0;
};

struct KnownFailure {
  std::string kernel, subject, regime, output, law;  ///< of output, law and call all but one are empty
  std::optional<Table> input;
  std::optional<double> max_error;
  using Count = FailureCount;
  std::optional<Count> count;
  std::string comment;
  std::uint64_t line = 0;
  std::string call{};  ///< a way of calling
};

/// Whether `now` is more often than `before`, by more than three standard deviations of the difference of two shares:
/// another seed or number of cases alone does not make a failure new.
bool more_often(KnownFailure::Count const& now, KnownFailure::Count const& before);

/// One case that failed: an output of it or a law.
struct Failed {
  Kernel const& kernel;
  std::vector<std::string> subject;  ///< what the subject is called: as typed, and in full
  std::string_view regime;           ///< empty if not known
  std::string_view output, law;      ///< one of them empty
  Table const& cases;
  std::size_t row;
  double error;
};

class KnownFailures {
 public:
  /// Reads one line; returns what is wrong with it, or nothing.
  std::optional<std::string> add_line(std::string_view line, std::uint64_t number);

  /// Whether an entry accepts the failure; it then counts as met. May be called from several threads.
  bool accepts(Failed const& failure) const;

  /// The same of what a subject does wrong in a way of calling.
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

/// The entry as a record, and as its line in a file, without the newline.
nlohmann::ordered_json known_json(KnownFailure const& entry);
/// The line before the entries of a baseline that Demeter writes, which says so.
std::string known_head();
std::string known_line(KnownFailure const& entry);

/// "segment_distance bullet tiny distance", for a message.
std::string known_name(KnownFailure const& entry);

/// Whether `entry` is about this subject.
bool is_about(KnownFailure const& entry, Kernel const& kernel, std::vector<std::string> const& subject);

/// Whether an entry that is about one case still fails there; nothing if that cannot be told (no "input").
std::optional<bool> still_fails(KnownFailure const& entry, Kernel const& kernel, Subject const& subject,
                                std::optional<Held> const& held);

/// The entries that a check adds to the baseline: a whole cell or law each, `subject` the name to write.
std::vector<KnownFailure> new_failures(Kernel const& kernel, std::string const& subject, SubjectCheck const& check);

/// What was accepted in one place, an output or a law in a regime, and of how many.
struct AcceptedCount {
  std::string regime, output, law;
  KnownFailure::Count count;
};

/// The entries with counts that have met more failures than they accept, in order.
struct MoreOften {
  KnownFailure const* entry;
  KnownFailure::Count now;
};
std::vector<MoreOften> more_often_than_known(KnownFailures const& known, Kernel const& kernel,
                                             std::vector<std::string> const& subject,
                                             std::vector<AcceptedCount> const& counts);
/// "segment_distance ode law swap in parallel: 558 of 5000 fail, 154 of 5000 are known (line 3)".
std::string more_often_text(MoreOften const& each);

/// Whether an entry is about an output or a law in a regime.
bool covers(KnownFailure const& entry, std::string_view regime, std::string_view output, std::string_view law);

/// What fails more often than its entry says counts as failed again in `check`; which entries these are.
std::vector<MoreOften> unaccept_more_often(KnownFailures const& known, Kernel const& kernel,
                                           std::vector<std::string> const& subject, SubjectCheck& check);

/// The baseline to write: the entries of `before` that were met and that no new one covers, then the new ones.
std::vector<KnownFailure> updated(KnownFailures const& before, std::vector<KnownFailure> const& found);

}  // namespace demeter
