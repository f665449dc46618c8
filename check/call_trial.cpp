#include "check/call_trial.hpp"

#include "check/answer_difference.hpp"
#include "kernels/random.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace demeter {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

/// Largest total count of numbers in the cases of one call.
constexpr std::size_t most_cells = std::size_t{1} << 19;
/// Time limit for a call with one case. It is short, because a case that hangs uses up the whole limit.
constexpr milliseconds longest_alone{2'000};

bool is_dead(Called const& called) { return called.status == Status::crash || called.status == Status::timeout; }

Misdeed misdeed_of(Called const& called) {
  switch (called.status) {
    case Status::timeout:
      return {Misbehaviour::hangs};
    case Status::malformed:
      return called.misdeed.kind == Misbehaviour::none ? Misdeed{Misbehaviour::unreadable} : called.misdeed;
    default:
      return {Misbehaviour::dies};
  }
}

/// Returns why a row has no answer: "unsupported: the axes are parallel".
std::string why_not(Answers const& answers, std::size_t place) {
  auto const found = answers.message.find(place);
  return fmt::format("{}{}", labels(Status{})[static_cast<std::size_t>(answers.status[place])],
                     found == answers.message.end() ? "" : ": " + found->second);
}

}  // namespace

std::string rows_text(std::size_t rows) { return rows == 1 ? "1 row" : fmt::format("{} rows", rows); }

std::string otherwise_text(Trouble const& trouble, std::size_t rows) {
  return fmt::format("row {} of {}: the answer in the batch differs from the answer to this row alone ({})",
                     trouble.place + 1, rows, trouble.text);
}

CallTrial::CallTrial(Kernel const& kernel, Subject const& subject, Table const& cases, CallOptions const& options)
    : kernel_(kernel),
      subject_(subject),
      cases_(cases),
      options_(options),
      caller_(subject, kernel),
      alone_(kernel.output),
      usable_(cases.rows, false) {}

std::vector<Called> CallTrial::ask(std::vector<Call> const& calls, milliseconds time) {
  // After a request to stop, no call is made: each one starts a process, and the user would wait for all of them.
  if (stopped()) return std::vector<Called>(calls.size(), Called{Status::not_asked, "stopped", {}});
  result.calls += calls.size();
  // The calls get at least one second, even after the time limit, so that a finding can be confirmed.
  auto const left = std::chrono::duration<double>(std::clamp(most_seconds_left(), 1.0, 1e6));
  return caller_(cases_, calls, time, Clock::now() + std::chrono::duration_cast<Clock::duration>(left));
}

bool CallTrial::ask_alone() {
  auto const begin = Clock::now();
  for (std::size_t next = 0; next < cases_.rows;) {
    std::vector<Call> calls;
    for (std::size_t row = next; row < cases_.rows; ++row) calls.push_back({{row}, {}, {}});
    auto const made = ask(calls, std::min(subject_.limits.time_per_chunk, longest_alone));
    for (Called const& each : made) {
      bool const answered = each.status == Status::answered && each.answers.status[0] == Status::answered;
      usable_[next++] = answered;
      if (answered) {
        append_row(kernel_.output, alone_, each.answers.output, 0);
      } else {
        Answers none;
        none.clear(kernel_.output);
        append_without(kernel_.output, none, Status::missing, "");
        append_row(kernel_.output, alone_, none.output, 0);
      }
    }
    if (made.empty() || stopped()) return false;
    if (!is_dead(made.back())) {
      if (next < cases_.rows) return false;  // not all calls fit into the time limit
      continue;
    }
    if (made.size() > 1) {
      calls.resize(made.size());
      auto const fresh = ask({calls.back()}, std::min(subject_.limits.time_per_chunk, longest_alone));
      if (!fresh.empty() && !is_dead(fresh.back())) {
        late_death = {std::move(calls), {misdeed_of(made.back()), 0, made.back().message}};
        return false;
      }
    }
    if (made.back().status == Status::timeout || !goes_on()) return false;
  }
  result.cases = static_cast<std::uint64_t>(std::count(usable_.begin(), usable_.end(), true));
  seconds_per_row = std::chrono::duration<double>(Clock::now() - begin).count() /
                    static_cast<double>(std::max<std::size_t>(cases_.rows, 1));
  sort_by_size();
  return !by_size_.empty();
}

void CallTrial::sort_by_size() {
  for (std::size_t row = 0; row < cases_.rows; ++row) {
    if (usable_[row]) by_size_.push_back(row);
    Table one(kernel_.input);
    append_row(kernel_.input, one, cases_, row);
    std::size_t& cells = cells_.emplace_back(0);
    for (auto const& column : one.columns) cells += column.size();
  }
  std::stable_sort(by_size_.begin(), by_size_.end(),
                   [&](std::size_t a, std::size_t b) { return cells_[a] < cells_[b]; });
}

void CallTrial::expect(Call const& call, Called const& called) {
  alone_ = called.answers.output;
  for (std::size_t const row : call.rows) usable_[row] = called.answers.status[row] == Status::answered;
  result.cases = static_cast<std::uint64_t>(std::count(usable_.begin(), usable_.end(), true));
}

bool CallTrial::goes_on() const {
  return most_seconds_left() > 0 && !over && !(options_.first_only && !result.findings.empty()) && !stopped();
}

double CallTrial::seconds_left() const {
  return options_.seconds - std::chrono::duration<double>(Clock::now() - begin_).count();
}

double CallTrial::most_seconds_left() const {
  return seconds_left() + std::max(0.0, options_.most_seconds - options_.seconds);
}

bool CallTrial::fits(std::size_t size) const { return size * cells_[by_size_.front()] <= most_cells; }

std::vector<std::size_t> CallTrial::rows(std::size_t size, std::uint64_t salt) const {
  std::vector<std::size_t> among, chosen;
  for (std::size_t const row : by_size_)
    if (among.empty() || size * cells_[row] <= most_cells) among.push_back(row);
  Random random(options_.seed, size, salt);
  while (chosen.size() < size && !among.empty()) {
    for (std::size_t i = among.size() - 1; i > 0; --i)
      std::swap(among[i], among[static_cast<std::size_t>(random.integer(0, static_cast<std::int64_t>(i)))]);
    chosen.insert(chosen.end(), among.begin(),
                  among.begin() + static_cast<std::ptrdiff_t>(std::min(among.size(), size - chosen.size())));
  }
  return chosen;
}

Table CallTrial::inputs_of(std::vector<Call> const& calls) const {
  Table inputs(kernel_.input);
  for (Call const& call : calls)
    for (std::size_t const row : call.rows) append_row(kernel_.input, inputs, cases_, row);
  return inputs;
}

std::optional<std::string> CallTrial::difference_of_rows(Call const& call, Table const& answer, std::size_t at,
                                                         Table const& expected, std::size_t expected_at) const {
  auto const& fields = kernel_.output.root.children;
  for (std::size_t k = 0; k < fields.size(); ++k) {
    if (!call.left_out.empty() && call.left_out[k]) continue;
    if (auto found = difference(kernel_.output, fields[k], answer, at, expected, expected_at)) return found;
  }
  return std::nullopt;
}

std::optional<std::string> CallTrial::difference_between(Call const& call, Called const& before,
                                                         Called const& after) const {
  if (after.status != Status::answered || before.status != Status::answered)
    return after.status == before.status ? std::nullopt : std::optional(after.message);
  for (std::size_t place = 0; place < call.rows.size(); ++place) {
    if (after.answers.status[place] != before.answers.status[place]) return why_not(after.answers, place);
    if (after.answers.status[place] != Status::answered) continue;
    if (auto found = difference_of_rows(call, after.answers.output, place, before.answers.output, place)) return found;
  }
  return std::nullopt;
}

std::optional<Trouble> CallTrial::trouble(Call const& call, Called const& called) const {
  if (called.status == Status::unsupported) return std::nullopt;
  if (called.status != Status::answered) return Trouble{misdeed_of(called), 0, called.message};
  if (!comparable) return std::nullopt;
  for (std::size_t place = 0; place < call.rows.size(); ++place) {
    std::size_t const row = call.rows[place];
    if (!usable_[row]) continue;
    if (called.answers.status[place] != Status::answered) return Trouble{{}, place, why_not(called.answers, place)};
    if (auto found = difference_of_rows(call, called.answers.output, place, alone_, row))
      return Trouble{{}, place, std::move(*found)};
  }
  return std::nullopt;
}

std::optional<Trouble> CallTrial::trouble_in_new_process(Call const& call) {
  auto const made = ask({call});
  return made.empty() ? std::nullopt : trouble(call, made[0]);
}

bool CallTrial::has(Way way) const {
  return std::any_of(result.findings.begin(), result.findings.end(),
                     [&](CallFinding const& each) { return each.way == way; });
}

void CallTrial::settle(std::vector<Way> const& ways) {
  for (Way const way : ways)
    if (std::find(result.tried.begin(), result.tried.end(), way) == result.tried.end())
      (has(way) ? result.tried : result.not_tried).push_back(way);
}

void CallTrial::add(CallFinding finding) {
  if (stopped()) return;  // the calls that show the finding may have been cut short
  if (!has(finding.way)) result.findings.push_back(std::move(finding));
}

}  // namespace demeter
