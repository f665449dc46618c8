// A subject on trial: its calls with rows of the cases, and what is wrong with each call compared with the answers to
// the same cases alone.
#pragma once

#include "check/calling_types.hpp"
#include "subjects/calls.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace demeter {

/// What is wrong with one call.
struct Trouble {
  Misdeed misdeed{};      ///< of kind `none`: an answer differs from what it should be
  std::size_t place = 0;  ///< of that answer among the rows of the call
  std::string text;

  bool only_differs() const { return misdeed.kind == Misbehaviour::none; }
};

/// "1 row", "8 rows".
std::string rows_text(std::size_t rows);
/// "row 8 of 9 is answered otherwise than alone: distance 2 for 1".
std::string otherwise_text(Trouble const& trouble, std::size_t rows);

class CallTrial {
 public:
  /// Everything that is passed must outlive the trial.
  CallTrial(Kernel const& kernel, Subject const& subject, Table const& cases, CallOptions const& options);

  // ------------------------------------------------------------------------------------------------------- asking

  /// Makes the calls one after another, each within the time for a chunk of cases.
  std::vector<Called> ask(std::vector<Call> const& calls) { return ask(calls, subject_.limits.time_per_chunk); }
  std::vector<Called> ask(std::vector<Call> const& calls, std::chrono::milliseconds time);
  /// Asks every case alone, in one process as long as that process lives, with nothing protected around the columns.
  /// A case that dies as the first call of a process has no answer and is left to the ordinary check. A process that
  /// does not survive a later call ends the trial: see `late_death`. False if too little is answered for a trial.
  bool ask_alone();
  /// Calls that `ask_alone` made in one process, which did not survive the last of them, though a new process does.
  struct LateDeath {
    std::vector<Call> calls;
    Trouble trouble;
  };
  std::optional<LateDeath> late_death{};
  /// Takes the answers to one call for those that the others are compared with.
  void expect(Call const& call, Called const& called);

  bool goes_on() const;
  bool stopped() const { return options_.stop != nullptr && options_.stop->load(); }
  double seconds_left() const;

  /// `size` rows in an order that `salt` decides; of small cases only, where `size` is large.
  std::vector<std::size_t> rows(std::size_t size, std::uint64_t salt) const;
  /// Whether the smallest case is small enough for a call with `size` rows.
  bool fits(std::size_t size) const;
  Table inputs_of(std::vector<Call> const& calls) const;

  // ---------------------------------------------------------------------------------------------------- comparing

  /// What is wrong with a call. A call may decline a batch.
  std::optional<Trouble> trouble(Call const& call, Called const& called) const;
  std::optional<Trouble> trouble_in_new_process(Call const& call);
  /// How two calls with the same rows differ.
  std::optional<std::string> difference_between(Call const& call, Called const& before, Called const& after) const;

  // ----------------------------------------------------------------------------------------------------- findings

  /// To be called when all calls of a way have been made.
  void tried(Way way) { result.tried.push_back(way); }
  bool has(Way way) const;
  /// Adds each of the ways to those that were tried, if it has a finding, or not tried.
  void settle(std::vector<Way> const& ways);
  void add(CallFinding finding);

  Kernel const& kernel() const { return kernel_; }
  Table const& cases() const { return cases_; }
  CallOptions const& options() const { return options_; }
  Caller const& caller() const { return caller_; }
  /// Whether each case has an answer that stays the same.
  std::vector<bool> const& usable() const { return usable_; }
  std::vector<std::size_t> const& usable_by_size() const { return by_size_; }  ///< the smallest first

  CallCheck result;
  /// False once answers change from call to call: then only whether calls are survived can be tested.
  bool comparable = true;
  /// True once a hang has used up its time or memory was overwritten: then no more calls are made.
  bool over = false;
  double seconds_per_row = 0;  ///< the least that was measured

 private:
  std::optional<std::string> difference_of_rows(Call const& call, Table const& answer, std::size_t at,
                                                Table const& expected, std::size_t expected_at) const;
  void sort_by_size();

  Kernel const& kernel_;
  Subject const& subject_;
  Table const& cases_;
  CallOptions const& options_;
  Caller caller_;
  Table alone_;  ///< the expected answers, row by row
  std::vector<bool> usable_;
  std::vector<std::size_t> by_size_;
  std::vector<std::size_t> cells_;  ///< numbers that each case has
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace demeter
