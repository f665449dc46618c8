#include "check/call_findings.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace demeter {
namespace {

/// Largest number of processes that a search for the smallest batch may start.
constexpr std::size_t most_runs = 60;

std::vector<Call> tail(std::vector<Call> const& calls, std::size_t begin) {
  return {calls.begin() + static_cast<std::ptrdiff_t>(begin), calls.end()};
}

/// Searches for the shortest sequence of calls after which the call `last` has a different answer than in a new
/// process.
class CallsBefore {
 public:
  CallsBefore(CallTrial& trial, Call const& last, Called const& fresh) : trial_(trial), last_(last), fresh_(fresh) {}

  /// Returns the shortest sequence found: some calls of `before`, then `last`. Returns nothing if the calls of `before`
  /// do not change the answer. Sets `differs` to the difference.
  std::vector<Call> find(std::vector<Call> const& before) {
    if (before.empty() || !changes(with_last(before, 0))) return {};
    // Try the last few calls first. Bisection does not find a defect that occurs in every Nth call.
    constexpr std::size_t few = 16;
    bool const shrink = trial_.options().shrink;
    std::size_t begin = 0, fine = before.size();
    for (std::size_t i = 1; shrink && i <= std::min(few, before.size()) && begin == 0; ++i)
      if (changes(with_last(before, before.size() - i))) begin = fine = before.size() - i;
    while (shrink && fine > begin + 1) {
      std::size_t const middle = begin + (fine - begin) / 2;
      (changes(with_last(before, middle)) ? begin : fine) = middle;
    }
    auto found = with_last(before, begin);
    if (found.size() > 2 && changes({found.front(), last_})) found = {found.front(), last_};
    // Run the found calls once more, so that `differs` describes them.
    return changes(found) ? found : std::vector<Call>{};
  }

  std::string differs;

 private:
  std::vector<Call> with_last(std::vector<Call> const& before, std::size_t begin) const {
    auto calls = tail(before, begin);
    calls.push_back(last_);
    return calls;
  }
  bool changes(std::vector<Call> const& calls) {
    if (++runs_ > most_runs) return false;
    auto const made = trial_.ask(calls);
    if (made.empty() || made.size() < calls.size()) return false;
    auto found = trial_.difference_between(last_, fresh_, made.back());
    if (!found) return false;
    differs = std::move(*found);
    return true;
  }

  CallTrial& trial_;
  Call const& last_;
  Called const& fresh_;
  std::size_t runs_ = 0;
};

}  // namespace

SmallCall smallest(CallTrial& trial, Call const& call, Trouble const& trouble) {
  SmallCall best{call, trouble};
  // A call that hangs is not shrunk: each attempt would use up the whole time limit.
  if (!trial.options().shrink || trouble.misdeed.kind == Misbehaviour::hangs) return best;
  std::size_t runs = 0;
  auto const fails = [&](std::size_t first, std::size_t last) {
    if (++runs > most_runs) return false;
    Call some = call;
    some.rows.assign(call.rows.begin() + static_cast<std::ptrdiff_t>(first),
                     call.rows.begin() + static_cast<std::ptrdiff_t>(last));
    auto const found = trial.trouble_in_new_process(some);
    if (!found || found->misdeed.kind != trouble.misdeed.kind) return false;
    best = {std::move(some), *found};
    return true;
  };
  // Drop rows at the end first, then rows at the beginning.
  std::size_t fine = 0, last = call.rows.size();
  while (last - fine > 1) {
    std::size_t const middle = fine + (last - fine) / 2;
    (fails(0, middle) ? last : fine) = middle;
  }
  std::size_t first = 0;
  fine = last;
  while (fine - first > 1) {
    std::size_t const middle = first + (fine - first) / 2;
    (fails(middle, last) ? first : fine) = middle;
  }
  return best;
}

Misdeed diagnosed(CallTrial& trial, Call const& call, Trouble const& trouble) {
  if (trouble.misdeed.kind == Misbehaviour::hangs) trial.over = true;
  if (trouble.misdeed.kind != Misbehaviour::dies || call.around.plain()) return trouble.misdeed;
  auto const with = [&](Surroundings const& around) {
    Call other = call;
    other.around = around;
    auto const found = trial.trouble_in_new_process(other);
    return found ? found->misdeed : Misdeed{};
  };
  auto const unprotected = with({});
  if (unprotected.kind == Misbehaviour::dies) return trouble.misdeed;
  if (misuses_memory(unprotected.kind)) return unprotected;
  if (with({false, true, true}).kind != Misbehaviour::dies) return {Misbehaviour::writes_inputs};
  if (with({false, true, false}).kind != Misbehaviour::dies) return {Misbehaviour::touches_beyond_outputs};
  return {Misbehaviour::reads_beyond_inputs};
}

std::string diagnosed_text(CallTrial& trial, Call const& call, Trouble const& trouble) {
  return in_the_present(diagnosed(trial, call, trouble), trouble.text);
}

void add_batch(CallTrial& trial, Call const& call, Trouble const& trouble) {
  auto const small = smallest(trial, call, trouble);
  std::size_t const size = small.call.rows.size();
  CallFinding finding{Way::batch, "", trial.inputs_of({small.call}), 1, std::nullopt};
  if (small.trouble.only_differs()) {
    finding.row = small.trouble.place;
    finding.text = otherwise_text(small.trouble, size);
    return trial.add(std::move(finding));
  }
  Misdeed const misdeed = diagnosed(trial, small.call, small.trouble);
  finding.text = fmt::format("{} in a call for {}", in_the_present(misdeed, small.trouble.text), rows_text(size));
  if (misuses_memory(misdeed.kind)) {
    finding.way = Way::memory;
    trial.over = misdeed.kind != Misbehaviour::reads_beyond_inputs;
  } else if (size > 1) {
    finding.text += ", although each row alone is answered";
  }
  trial.add(std::move(finding));
}

void add_again(CallTrial& trial, std::vector<Call> const& script, std::size_t at, Trouble const& trouble) {
  Call const& last = script[at];
  bool const differs = trouble.only_differs(), alone = last.rows.size() == 1;
  std::string const what = differs ? (alone ? "a single case has a different answer"
                                            : rows_text(last.rows.size()) + " have different answers")
                                   : fmt::format("{} in a call for {}", in_the_present(trouble.misdeed, trouble.text),
                                                 rows_text(last.rows.size()));
  CallFinding finding{Way::again, "", trial.inputs_of({last}), 1, 0};
  if (trouble.misdeed.kind == Misbehaviour::hangs) {  // the call is not repeated: each attempt would hang as long
    finding.text = fmt::format("{}, call {} of the process", what, at + 1);
    trial.over = true;
    return trial.add(std::move(finding));
  }
  auto const fresh = trial.ask({last});
  if (differs) {
    auto const fresh_again = trial.ask({last});
    if (fresh.empty() || fresh_again.empty()) return;
    if (auto const found = trial.difference_between(last, fresh[0], fresh_again[0])) {
      finding.text = "answers differ between two processes: " + *found;
      return trial.add(std::move(finding));
    }
  }
  std::vector<Call> before(script.begin(), script.begin() + static_cast<std::ptrdiff_t>(at));
  // Perhaps the expected answer depends on earlier calls, and not the answer of this call. The expected answer comes
  // from the first pass, which asked the cases before this one in the same process.
  std::vector<Call> first_pass;
  for (std::size_t row = 0; differs && alone && row < last.rows[0]; ++row) first_pass.push_back({{row}, {}, {}});
  if (!fresh.empty()) {
    CallsBefore search(trial, last, fresh[0]);
    for (auto* const calls : {&before, &first_pass}) {
      auto const small = search.find(*calls);
      if (small.empty()) continue;
      finding.inputs = trial.inputs_of(small);
      finding.calls = small.size();
      if (finding.inputs.rows > 0) finding.row = finding.inputs.rows - 1;
      std::size_t const calls_before = small.size() - 1;
      std::string const after = calls_before == 1 ? "another call for " + rows_text(small.front().rows.size())
                                                  : fmt::format("{} other calls", calls_before);
      finding.text = differs ? fmt::format("{} after {} than in a new process ({})", what, after, search.differs)
                             : fmt::format("{} after {}", what, after);
      return trial.add(std::move(finding));
    }
  }
  finding.text =
      what + (differs ? " in a repeated call (not reproducible)" : fmt::format(", call {} of the process", at + 1));
  trial.add(std::move(finding));
}

}  // namespace demeter
