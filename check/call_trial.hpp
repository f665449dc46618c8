// The trial of a subject's call patterns. It makes calls and compares their answers with the expected answers. The
// expected answer to a case usually comes from a call with this case alone.
#pragma once

#include "check/calling_types.hpp"
#include "subjects/calls.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace demeter {

/// A problem of one call.
struct Trouble {
  Misdeed misdeed{};      ///< kind `none` means that an answer differs from the expected one
  std::size_t place = 0;  ///< index of the answer that differs, among the rows of the call
  std::string text;

  bool only_differs() const { return misdeed.kind == Misbehaviour::none; }
};

/// Returns "1 row", "8 rows".
std::string rows_text(std::size_t rows);
/// Returns the text about a row that has a different answer in a call for `rows` rows than in a call of its own. The
/// text contains the first difference.
std::string otherwise_text(Trouble const& trouble, std::size_t rows);

class CallTrial {
 public:
  /// The arguments must outlive the trial.
  CallTrial(Kernel const& kernel, Subject const& subject, Table const& cases, CallOptions const& options);

  // ------------------------------------------------------------------------------------------------------- asking

  /// Makes the calls in sequence, each within the time limit for a chunk of cases.
  std::vector<Called> ask(std::vector<Call> const& calls) { return ask(calls, subject_.limits.time_per_chunk); }
  std::vector<Called> ask(std::vector<Call> const& calls, std::chrono::milliseconds time);
  /// Asks every case in a call of its own, without protected pages. Uses one process until a call crashes. If a case
  /// also crashes as the first call of a new process, it has no answer here: the ordinary check reports it. If a call
  /// crashes only after other calls, the trial ends: see `late_death`. Returns false if the trial cannot continue, for
  /// example because no case is answered.
  bool ask_alone();
  /// The calls that `ask_alone` made in one process. The last one crashed, but it does not crash in a new process.
  struct LateDeath {
    std::vector<Call> calls;
    Trouble trouble;
  };
  std::optional<LateDeath> late_death{};
  /// Makes the answers of a call the expected answers.
  void expect(Call const& call, Called const& called);

  bool goes_on() const;
  bool stopped() const { return options_.stop != nullptr && options_.stop->load(); }
  /// Return the seconds left: `most_seconds_left` until no more calls are made, `seconds_left` until calls that no
  /// verdict needs are left out.
  double seconds_left() const;
  double most_seconds_left() const;

  /// Returns `size` rows in an order that depends on `salt`. If `size` is large, only small cases are used.
  std::vector<std::size_t> rows(std::size_t size, std::uint64_t salt) const;
  /// Returns true if the smallest case is small enough for a call with `size` rows.
  bool fits(std::size_t size) const;
  Table inputs_of(std::vector<Call> const& calls) const;

  // ---------------------------------------------------------------------------------------------------- comparing

  /// Returns the problem of a call, or nothing. It is not a problem if the subject declines a batch.
  std::optional<Trouble> trouble(Call const& call, Called const& called) const;
  std::optional<Trouble> trouble_in_new_process(Call const& call);
  /// Returns the difference between the answers of two calls with the same rows, or nothing.
  std::optional<std::string> difference_between(Call const& call, Called const& before, Called const& after) const;

  // ----------------------------------------------------------------------------------------------------- findings

  /// Records that all calls of a pattern have been made.
  void tried(Way way) { result.tried.push_back(way); }
  bool has(Way way) const;
  /// Records each pattern as tried if it has a finding or was tried, otherwise as not tried.
  void settle(std::vector<Way> const& ways);
  void add(CallFinding finding);

  Kernel const& kernel() const { return kernel_; }
  Table const& cases() const { return cases_; }
  CallOptions const& options() const { return options_; }
  Caller const& caller() const { return caller_; }
  /// Returns for each case whether it has an expected answer.
  std::vector<bool> const& usable() const { return usable_; }
  /// Returns the cases with an expected answer, smallest case first.
  std::vector<std::size_t> const& usable_by_size() const { return by_size_; }

  CallCheck result;
  /// False once the subject has answered the same call differently. Then a call can only be tested for crashes.
  bool comparable = true;
  /// True after a hang, or after a call has overwritten memory. Then no more calls are made.
  bool over = false;
  double seconds_per_row = 0;  ///< smallest time per row that was measured

 private:
  std::optional<std::string> difference_of_rows(Call const& call, Table const& answer, std::size_t at,
                                                Table const& expected, std::size_t expected_at) const;
  void sort_by_size();

  Kernel const& kernel_;
  Subject const& subject_;
  Table const& cases_;
  CallOptions const& options_;
  Caller caller_;
  Table alone_;  ///< the expected answers, by row
  std::vector<bool> usable_;
  std::vector<std::size_t> by_size_;
  std::vector<std::size_t> cells_;  ///< count of numbers of each case
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace demeter
