#include "check/calling.hpp"

#include "check/call_findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>

namespace demeter {
namespace {

/// Batch sizes around vectors of 2, 4, 8 and 16 numbers and around blocks of 64 rows. These calls have protected pages
/// around the columns.
constexpr std::array<std::size_t, 11> small_sizes{1, 2, 3, 7, 8, 9, 16, 17, 63, 64, 65};
/// The other sizes up to 17, and sizes 8 k + r for every r, for loops that are unrolled several times.
constexpr std::array<std::size_t, 25> more_sizes{4,  5,  6,  10, 11,  12,  13,  14,  15,  40,  41,  42, 43,
                                                 44, 45, 46, 47, 128, 129, 130, 131, 132, 133, 134, 135};
/// Sizes larger than typical stack buffers. Used if there is time.
constexpr std::array<std::size_t, 4> large_sizes{1000, 1025, 4097, 8192};
constexpr std::array<std::size_t, 12> odd_address_sizes{1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 33, 64};
/// Largest number of calls with one row in one process. A defect that depends on stored state may appear only after
/// some hundred calls.
constexpr std::size_t single_calls = 1000;
constexpr Surroundings watched{true, true, true}, at_odd_addresses{false, false, false, true};

/// Makes calls for one row each, in one process. Adds a finding for the first call with a problem. Returns false if
/// there was a problem or no time.
bool ask_singly(CallTrial& trial, std::vector<Call> const& script) {
  if (!trial.goes_on()) return false;
  auto const made = trial.ask(script);
  for (std::size_t i = 0; i < made.size(); ++i) {
    auto const found = trial.trouble(script[i], made[i]);
    if (!found) continue;
    if (trial.options().shrink || !found->only_differs())
      add_again(trial, script, i, *found);
    else
      trial.add({Way::again, "a repeated case has a different answer", trial.inputs_of({script[i]}), 1, 0});
    trial.comparable = trial.comparable && !found->only_differs();
    return false;
  }
  return made.size() == script.size();
}

/// Asks the cases again one by one in a new process, first in reverse order, then in order.
void ask_again(CallTrial& trial) {
  auto const& usable = trial.usable();
  std::vector<Call> script;
  for (std::size_t i = usable.size(); i-- > 0;)
    if (usable[i]) script.push_back({{i}, {}, {}});
  for (std::size_t i = 0; i < usable.size(); ++i)
    if (usable[i]) script.push_back({{i}, {}, {}});
  if (ask_singly(trial, script)) trial.tried(Way::again);
}

/// Makes a thousand calls in one process, or as many as fit into half of the time that is left.
void ask_a_thousand_times(CallTrial& trial) {
  if (trial.has(Way::again) || !trial.goes_on()) return;
  double const fitting = std::max(trial.seconds_left(), 0.0) / 2 / std::max(trial.seconds_per_row, 1e-9);
  auto const count = static_cast<std::size_t>(std::min(fitting, static_cast<double>(single_calls)));
  // The smaller half of the cases suffices, because only the number of calls matters.
  auto const& by_size = trial.usable_by_size();
  std::vector<Call> script;
  for (std::size_t i = 0; i < count; ++i) script.push_back({{by_size[(i * 7) % ((by_size.size() + 1) / 2)]}, {}, {}});
  ask_singly(trial, script);
}

/// Makes a call for 0 rows, then an ordinary call.
void ask_for_none(CallTrial& trial) {
  if (!trial.goes_on()) return;
  std::vector<Call> const script{{{}, {}, watched}, {trial.rows(3, 0), {}, {}}};
  auto const made = trial.ask(script);
  for (std::size_t i = 0; i < made.size(); ++i) {
    auto const found = trial.trouble(script[i], made[i]);
    if (!found) continue;
    CallFinding finding{Way::no_rows, "", Table(trial.kernel().input), i + 1, std::nullopt};
    if (i > 0) {
      // The call for 0 rows is not the reason if the second call fails without it.
      if (trial.trouble_in_new_process(script[1])) return trial.tried(Way::no_rows);
      finding.inputs = trial.inputs_of({script[1]});
      finding.row = found->place;
      finding.text = "after a call for 0 rows: " + otherwise_text(*found, script[1].rows.size());
    } else {
      finding.text = fmt::format("{} in a call for 0 rows", diagnosed_text(trial, script[0], *found));
    }
    return trial.add(std::move(finding));
  }
  if (made.size() == script.size()) trial.tried(Way::no_rows);
}

/// Adds two calls to the script: one for `size` rows, and one for the same rows in reverse order.
void add_both_ways(CallTrial const& trial, std::size_t size, Surroundings const& around, std::vector<Call>& script) {
  script.push_back({trial.rows(size, 0), {}, around});
  if (size == 1) return;
  script.push_back(script.back());
  std::reverse(script.back().rows.begin(), script.back().rows.end());
}

/// Makes the calls of the script and adds their problems as findings. Returns false if the trial must not ask more
/// batches. After the first call that misuses memory, the remaining calls have no protected pages.
bool ask_batches(CallTrial& trial, std::vector<Call> script, Surroundings& around) {
  for (std::size_t first = 0; first < script.size();) {
    std::vector<Call> const rest(script.begin() + static_cast<std::ptrdiff_t>(first), script.end());
    double const left = trial.seconds_left();
    auto const made = trial.ask(rest);
    if (made.empty()) return false;
    std::size_t done = made.size();
    // The time of a call for one case is mostly overhead. So the time per row is taken from a batch if it is smaller.
    std::size_t asked = 0;
    for (std::size_t i = 0; i < made.size(); ++i) asked += rest[i].rows.size();
    trial.seconds_per_row = std::min(trial.seconds_per_row, (left - trial.seconds_left()) / static_cast<double>(asked));
    for (std::size_t i = 0; i < made.size(); ++i) {
      auto const found = trial.trouble(rest[i], made[i]);
      if (!found) continue;
      if (found->misdeed.kind != Misbehaviour::hangs && !trial.trouble_in_new_process(rest[i])) {
        add_again(trial, rest, i, *found);
        continue;
      }
      add_batch(trial, rest[i], *found);
      if (trial.has(Way::batch) || !trial.goes_on()) return false;
      if (trial.has(Way::memory) && !around.plain()) {
        around = {};
        for (Call& each : script) each.around = around;
        done = i;
        break;
      }
    }
    first += done;
  }
  return true;
}

void ask_in_batches(CallTrial& trial) {
  if (!trial.goes_on()) return;
  Surroundings around = trial.caller().over_columns() ? watched : Surroundings{};
  std::vector<Call> script;
  for (std::size_t const size : small_sizes) add_both_ways(trial, size, around, script);
  if (!ask_batches(trial, std::move(script), around) || !trial.goes_on()) return;
  if (trial.caller().over_columns()) trial.tried(Way::memory);
  script.clear();
  // Both orders are needed to find a subject that does not compute the last row. In one order, the last two rows may
  // have the same answer by chance, which hides this defect.
  for (std::size_t const size : more_sizes) add_both_ways(trial, size, {}, script);
  if (Surroundings plain; !ask_batches(trial, std::move(script), plain)) return;
  trial.tried(Way::batch);
  for (std::size_t const size : large_sizes) {
    bool const affordable = trial.seconds_per_row * 2 * static_cast<double>(size) < trial.seconds_left();
    if (!affordable || !trial.fits(size) || !trial.goes_on()) return;
    script.clear();
    add_both_ways(trial, size, around, script);
    if (!ask_batches(trial, std::move(script), around)) return;
  }
}

/// Makes calls with columns at addresses that an aligned vector load cannot read.
void ask_at_odd_addresses(CallTrial& trial) {
  if (!trial.goes_on()) return;
  std::vector<Call> script;
  for (std::size_t const size : odd_address_sizes) script.push_back({trial.rows(size, 3), {}, at_odd_addresses});
  auto const made = trial.ask(script);
  for (std::size_t i = 0; i < made.size(); ++i) {
    auto const found = trial.trouble(script[i], made[i]);
    if (!found) continue;
    // If the same batch also fails with aligned columns, it is a defect of batches and not of alignment.
    if (trial.trouble_in_new_process({script[i].rows, {}, {}})) return trial.tried(Way::alignment);
    auto const small = smallest(trial, script[i], *found);
    std::size_t const size = small.call.rows.size();
    CallFinding finding{Way::alignment, "", trial.inputs_of({small.call}), 1, std::nullopt};
    if (small.trouble.only_differs()) finding.row = small.trouble.place;
    finding.text =
        fmt::format("{}, with columns at multiples of 8 bytes, not of 16",
                    small.trouble.only_differs()
                        ? otherwise_text(small.trouble, size)
                        : fmt::format("{} in a call for {}", in_the_present(small.trouble.misdeed, small.trouble.text),
                                      rows_text(size)));
    return trial.add(std::move(finding));
  }
  if (made.size() == script.size()) trial.tried(Way::alignment);
}

/// Makes many calls of mixed sizes in one process.
void ask_after_others(CallTrial& trial) {
  if (!trial.goes_on() || trial.seconds_left() < 0 || !trial.comparable || trial.has(Way::again)) return;
  std::vector<Call> script;
  constexpr std::array<std::size_t, 15> sizes{17, 1, 64, 8, 3, 65, 1, 9, 1000, 7, 1, 2, 16, 63, 1};
  for (std::size_t round = 1; round <= 3; ++round)
    for (std::size_t const size : sizes)
      if (size < 1000 || (round == 1 && trial.fits(size) && trial.seconds_per_row * 1000 < trial.seconds_left()))
        script.push_back({trial.rows(size, 100 + 16 * round + size), {}, {}});
  auto const made = trial.ask(script);
  for (std::size_t i = 0; i < made.size(); ++i) {
    auto const found = trial.trouble(script[i], made[i]);
    if (!found) continue;
    if (trial.trouble_in_new_process(script[i])) {
      if (!trial.has(Way::batch)) add_batch(trial, script[i], *found);
      continue;
    }
    return add_again(trial, script, i, *found);
  }
}

/// A call without some outputs, and its description.
struct Without {
  Call call;
  std::string text;
};

/// Returns calls for: each output alone, all outputs but one, and no output.
std::vector<Without> calls_without(Call const& whole, std::vector<Node> const& fields) {
  std::vector<Without> calls;
  auto const put = [&](std::vector<bool> left_out, std::string text) {
    calls.push_back({{whole.rows, std::move(left_out), {}}, std::move(text)});
  };
  for (std::size_t k = 0; k < fields.size() && fields.size() > 1; ++k) {
    std::vector<bool> one(fields.size(), false), others(fields.size(), true);
    one[k] = true;
    others[k] = false;
    put(one, fmt::format("if {} is not wanted (its columns of out are NULL)", fields[k].name));
    put(others, fmt::format("if only {} is wanted (the other columns of out are NULL)", fields[k].name));
  }
  put(std::vector<bool>(fields.size(), true), "if no output is wanted (all columns of out are NULL)");
  return calls;
}

void leave_out(CallTrial& trial) {
  if (!trial.goes_on()) return;
  Call const whole{trial.rows(std::min<std::size_t>(17, trial.usable_by_size().size()), 7), {}, {}};
  // If the call with all outputs also has a problem, it is a defect of batches and not of outputs that are left out.
  if (trial.trouble_in_new_process(whole)) return trial.tried(Way::unwanted);
  auto const without = calls_without(whole, trial.kernel().output.root.children);
  for (std::size_t first = 0; first < without.size();) {
    std::vector<Call> rest;
    for (std::size_t i = first; i < without.size(); ++i) rest.push_back(without[i].call);
    auto const made = trial.ask(rest);
    if (made.empty()) return;
    for (std::size_t i = 0; i < made.size(); ++i) {
      auto const found = trial.trouble(rest[i], made[i]);
      if (!found) continue;
      auto const small = smallest(trial, rest[i], *found);
      std::size_t const size = small.call.rows.size();
      CallFinding finding{Way::unwanted, "", trial.inputs_of({small.call}), 1, std::nullopt};
      if (small.trouble.only_differs()) {
        finding.text = otherwise_text(small.trouble, size);
        finding.row = small.trouble.place;
      } else {
        finding.text =
            fmt::format("{} in a call for {}", diagnosed_text(trial, small.call, small.trouble), rows_text(size));
      }
      finding.text += " " + without[first + i].text;
      return trial.add(std::move(finding));
    }
    first += made.size();
  }
  trial.tried(Way::unwanted);
}

void try_function(CallTrial& trial) {
  bool const over_columns = trial.caller().over_columns();
  std::vector<Way> const ways =
      over_columns ? std::vector{Way::again, Way::batch, Way::no_rows, Way::unwanted, Way::memory, Way::alignment}
                   : std::vector{Way::again, Way::batch};
  if (trial.ask_alone()) {
    ask_again(trial);
    if (over_columns) {
      ask_for_none(trial);
      leave_out(trial);
    }
    ask_in_batches(trial);
    if (over_columns) ask_at_odd_addresses(trial);
    ask_a_thousand_times(trial);
    ask_after_others(trial);
  } else if (trial.late_death) {
    add_again(trial, trial.late_death->calls, trial.late_death->calls.size() - 1, trial.late_death->trouble);
  }
  trial.settle(ways);
}

/// Returns a call for as many cases as a program answers in a quarter of the time limit, at most 32. Measures the time
/// of one call first.
Call affordable_call(CallTrial& trial) {
  auto const begin = std::chrono::steady_clock::now();
  trial.ask({Call{{0}, {}, {}}});
  double const seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  auto const affordable = static_cast<std::size_t>(trial.options().seconds / (4 * std::max(seconds, 1e-6)));
  Call all{{}, {}, {}};
  for (std::size_t row = 0; row < std::min({trial.cases().rows, std::size_t{32}, affordable}); ++row)
    all.rows.push_back(row);
  return all;
}

/// Asks a program the same cases again, then in another order. Returns false if there is a problem.
bool ask_program_again(CallTrial& trial, Call const& all) {
  Call backwards = all;
  std::reverse(backwards.rows.begin(), backwards.rows.end());
  for (Call const& each : {all, backwards}) {
    if (!trial.goes_on()) return false;
    auto const found = trial.trouble(each, trial.ask({each})[0]);
    if (!found) continue;
    std::string const how = each.rows == all.rows ? "second" : "second, reversed";
    CallFinding finding{Way::again, "", trial.inputs_of({each}), 2, found->place};
    finding.text = fmt::format("row {} of {} has a different answer in the {} call ({})", found->place + 1,
                               each.rows.size(), how, found->text);
    // Often one case that is asked twice shows the problem.
    Call const one{{each.rows[found->place]}, {}, {}};
    auto const once = trial.ask({one}), twice = trial.ask({one});
    auto const differs = trial.options().shrink ? trial.difference_between(one, once[0], twice[0]) : std::nullopt;
    if (differs) {
      finding.inputs = trial.inputs_of({one});
      finding.row = 0;
      finding.text = fmt::format("the second answer to the same case is different ({})", *differs);
    }
    trial.add(std::move(finding));
    return false;
  }
  trial.tried(Way::again);
  return true;
}

/// Asks a program up to 8 of the cases, each in a call of its own.
void ask_program_alone(CallTrial& trial, Call const& all) {
  for (std::size_t i = 0, asked = 0; i < all.rows.size() && asked < 8; ++i) {
    if (!trial.goes_on()) return;
    std::size_t const row = all.rows[all.rows.size() - 1 - i];
    if (!trial.usable()[row]) continue;
    ++asked;
    Call const one{{row}, {}, {}};
    auto const found = trial.trouble(one, trial.ask({one})[0]);
    if (!found) continue;
    return trial.add({Way::batch,
                      fmt::format("a case has a different answer alone than in a call for {} ({})",
                                  rows_text(all.rows.size()), found->text),
                      trial.inputs_of({one}), 1, 0});
  }
  trial.tried(Way::batch);
}

/// Tests a program that answers all calls in one process. Asks all cases, then the same cases again, then in another
/// order, then some of them one by one.
void try_program(CallTrial& trial) {
  if (trial.cases().rows == 0) return;
  Call const all = affordable_call(trial);
  if (all.rows.size() >= 2) {
    auto const made = trial.ask({all});
    if (!trial.stopped()) trial.expect(all, made[0]);
  }
  if (trial.result.cases > 0 && ask_program_again(trial, all)) ask_program_alone(trial, all);
  trial.settle({Way::again, Way::batch});
}

}  // namespace

bool can_be_called(Subject const& subject, std::string_view kernel) {
  if (subject.cases > 0 || subject.approximate() || subject.origin == Origin::file) return false;
  return subject.find(kernel) != nullptr && !is_formula_of_ours(subject, kernel);
}

Table cases_to_call_with(Kernel const& kernel, std::vector<std::size_t> const& regimes, std::uint64_t seed,
                         Sizes const& sizes) {
  constexpr std::uint64_t about = 96;
  Table cases(kernel.input);
  std::uint64_t const each = std::max<std::uint64_t>(about / std::max<std::size_t>(regimes.size(), 1), 2);
  // One case of each regime in turn, so that cases of one regime are not adjacent.
  for (std::uint64_t id = 0; id < each; ++id)
    for (std::size_t const regime : regimes)
      if (std::uint64_t const size = kernel.regimes[regime].size; size == 0 || id < size)
        kernel.generate(regime, seed, id, cases, sizes);
  return cases;
}

CallCheck call_in_every_way(Kernel const& kernel, Subject const& subject, Table const& cases,
                            CallOptions const& options) {
  CallTrial trial(kernel, subject, cases, options);
  if (trial.caller().keeps_its_process()) {
    try_program(trial);
  } else {
    try_function(trial);
  }
  return std::move(trial.result);
}

}  // namespace demeter
