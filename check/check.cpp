#include "check/check.hpp"

#include "base/ground.hpp"
#include "check/calling.hpp"
#include "check/counterexample.hpp"
#include "check/enough.hpp"
#include "check/plan.hpp"
#include "check/recorder.hpp"
#include "check/threads.hpp"
#include "check/tolerance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <deque>
#include <mutex>
#include <numeric>

namespace demeter {
namespace {

using Clock = std::chrono::steady_clock;

std::vector<std::size_t> regimes_of(Kernel const& kernel, CheckOptions const& options) {
  if (!options.regimes.empty()) return options.regimes;
  std::vector<std::size_t> all(kernel.regimes.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

bool decides(Kernel const& kernel, CheckOptions const& options, std::size_t regime) {
  auto const& deciding = options.deciding;
  return deciding.empty() ||
         std::find(deciding.begin(), deciding.end(), kernel.regimes[regime].profile) != deciding.end();
}

/// Tests the call patterns of a subject. The cases include the recorded failures of the subject with call patterns.
void try_calls(Trial const& trial, std::size_t s, std::vector<std::size_t> const& regimes, Recorder& recorder,
               SubjectCheck& result) {
  CheckOptions const& options = trial.options;
  Subject const& subject = *trial.subjects[s];
  if (!options.calls || !can_be_called(subject, trial.kernel.name)) return;
  constexpr double unlimited = 20, at_least = 0.2, with_overtime = 10;
  CallOptions calls;
  calls.seed = options.seed;
  calls.shrink = options.shrink;
  calls.stop = options.stop;
  calls.seconds = options.seconds > 0 ? std::max(options.seconds / 2 / static_cast<double>(trial.subjects.size()),
                                                 options.until_enough ? with_overtime : at_least)
                                      : unlimited;
  // A verdict needs some of these calls. They get more time, so that a busy machine does not prevent a verdict.
  if (options.seconds == 0 || options.until_enough) calls.most_seconds = calls.seconds * CheckOptions::most_overtime;
  Table cases = recorder.called(s);
  Table const drawn = cases_to_call_with(trial.kernel, regimes, options.seed, options.sizes);
  for (std::size_t row = 0; row < drawn.rows; ++row) append_row(trial.kernel.input, cases, drawn, row);
  result.calls = call_in_every_way(trial.kernel, subject, judged_cases(trial.kernel, subject, cases), calls);
  recorder.look(s, result.calls, cases);
  if (!options.known_call) return;
  std::erase_if(result.calls.findings, [&](CallFinding const& finding) {
    bool const known = options.known_call(s, finding.way);
    if (known) result.calls.known.push_back(finding.way);
    return known;
  });
}

/// The results of a check while it runs.
struct Findings {
  std::vector<std::size_t> regimes;
  std::vector<SubjectCheck> results;              ///< [subject]
  std::vector<std::vector<LawTally>> law_totals;  ///< [subject][law]
};

Findings no_findings(Trial const& trial) {
  Findings findings{regimes_of(trial.kernel, trial.options), {}, {}};
  for (auto const* subject : trial.subjects) {
    SubjectCheck& result = findings.results.emplace_back();
    result.subject = subject->name;
    std::size_t const s = findings.results.size() - 1, modelled = modelled_formula(trial, s);
    result.formula = trial.models[s].name();
    if (modelled > 0) result.model = trial.kernel.formulas[modelled].name;
    for (std::size_t const regime : findings.regimes)
      for (std::size_t k = 0; k < trial.kernel.budgets.size(); ++k) {
        result.accuracy.push_back(nothing_judged(regime, k));
        result.accuracy.back().decides = decides(trial.kernel, trial.options, regime);
      }
    for (std::size_t law = 0; law < trial.kernel.laws.size(); ++law) {
      LawCheck& check = result.laws.emplace_back();
      check.law = law;
      for (std::size_t const regime : findings.regimes)
        check.regimes.push_back({.regime = regime, .decides = decides(trial.kernel, trial.options, regime)});
    }
    result.sizes.resize(findings.regimes.size());
    findings.law_totals.emplace_back(trial.kernel.laws.size());
  }
  return findings;
}

/// Adds the results of one subject for a block. `at` is the index of the block's regime in the list of the check.
void add(Trial const& trial, std::size_t s, std::size_t at, Block const& block, Findings& findings,
         Recorder& recorder) {
  SubjectCheck& result = findings.results[s];
  std::size_t const budgets = trial.kernel.budgets.size();
  for (std::size_t k = 0; k < budgets; ++k) {
    merge(result.accuracy[at * budgets + k], block.accuracy[s][k]);
    recorder.look(s, block.accuracy[s][k]);
  }
  merge(result.sizes[at], block.sizes[s]);
  for (std::size_t law = 0; law < trial.kernel.laws.size(); ++law) {
    LawTally const& from = block.laws[s][law];
    merge(result.laws[law], findings.law_totals[s][law], at, from);
    if (from.example) recorder.look(s, law, *from.example);
  }
}

/// Asks the blocks on all threads. With a time limit, blocks after the first round are skipped once the time is over.
/// With `until_enough`, these blocks are still asked for subjects that have too few judged cases for a verdict.
class Asking {
 public:
  Asking(Trial const& trial, std::vector<Task> const& tasks, Findings& findings, Recorder& recorder,
         Clock::time_point begin)
      : trial_(trial),
        options_(trial.options),
        tasks_(tasks),
        findings_(findings),
        recorder_(recorder),
        begin_(begin),
        share_(share_of_time(trial.options, trial.subjects.size())),
        spent_(trial.subjects.size()) {}

  void run() {
    std::atomic<bool> given_up = false;
    in_threads(options_.jobs, [&] {
      try {
        while (!given_up) {
          std::vector<bool> asked(spent_.size(), true);
          auto const index = take(asked);
          if (!index) return;
          Task const& task = tasks_[*index];
          std::vector<double> taken(spent_.size());
          Block const block = ask(trial_, task.regime, task.first, task.count, task.law_count, asked, taken);
          require_sound_arithmetic();
          if (told_to_stop(options_)) return;  // an incomplete block does not count
          give(task, block, asked, taken);
        }
      } catch (...) {
        given_up = true;
        throw;
      }
    });
  }

 private:
  double elapsed() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }

  /// Returns which fraction of the judged cases that a verdict needs is still missing, for the profile of a regime.
  /// Returns 0 for a profile that does not decide, and for a subject that has failed or was given up.
  double lacking(std::size_t s, std::size_t regime) const {
    SubjectCheck const& check = findings_.results[s];
    if (!decides(trial_.kernel, options_, regime) || trial_.is_given_up(s) || !check.passed()) return 0;
    std::uint64_t const judged = judged_cases_of(trial_.kernel, check, trial_.kernel.regimes[regime].profile);
    return is_enough(judged) ? 0 : 1 - static_cast<double>(judged) / enough_cases;
  }

  /// Returns the index of the next block and sets which subjects to ask. Returns nothing if there is no block or no
  /// time.
  std::optional<std::size_t> take(std::vector<bool>& asked) {
    std::lock_guard const lock(mutex_);
    for (; next_ < tasks_.size() && !told_to_stop(options_); ++next_) {
      Task const& task = tasks_[next_];
      if (options_.seconds == 0 || task.round == 0) return next_++;
      bool const over = elapsed() > options_.seconds;
      if (over && !(options_.until_enough && elapsed() < options_.seconds * CheckOptions::most_overtime)) break;
      bool any = false;
      for (std::size_t s = 0; s < spent_.size(); ++s) {
        asked[s] = over ? lacking(s, task.regime) > 0 : spent_[s] < share_;
        any = any || asked[s] || !over;
      }
      if (any) return next_++;
    }
    return std::nullopt;
  }

  void give(Task const& task, Block const& block, std::vector<bool> const& asked, std::vector<double> const& taken) {
    std::lock_guard const lock(mutex_);
    for (std::size_t s = 0; s < spent_.size(); ++s) {
      if (!asked[s]) continue;
      spent_[s] += taken[s];
      add(trial_, s, task.place, block, findings_, recorder_);
    }
    ++finished_;
    if (!options_.progress) return;
    std::string what = trial_.kernel.name + " " + trial_.kernel.regimes[task.regime].name;
    double const of_time = options_.seconds > 0 ? elapsed() / options_.seconds : 0;
    double const of_blocks = static_cast<double>(finished_) / static_cast<double>(tasks_.size());
    double done = std::min(1.0, std::max(of_blocks, of_time));
    if (of_time > 1) {
      for (std::size_t s = 0; s < spent_.size(); ++s) done = std::min(done, 1 - lacking(s, task.regime));
      what +=
          fmt::format(", over the limit of {} s: goes on until {} cases are judged", options_.seconds, enough_cases);
    }
    options_.progress(done, what);
  }

  Trial const& trial_;
  CheckOptions const& options_;
  std::vector<Task> const& tasks_;
  Findings& findings_;
  Recorder& recorder_;
  Clock::time_point begin_;
  double share_;
  std::vector<double> spent_;  ///< seconds per subject, summed over all threads
  std::mutex mutex_;
  std::size_t next_ = 0, finished_ = 0;
};

/// A failure that the report shows, and the result of shrinking it.
struct Search {
  std::size_t subject, regime;
  std::optional<std::size_t> law, budget;
  Example const* example;
  std::optional<LawCheck::Counterexample> counterexample{};
  std::optional<Example> failure{};
};

std::vector<Search> searches_for(Findings const& findings) {
  std::vector<Search> searches;
  for (std::size_t s = 0; s < findings.results.size(); ++s) {
    for (std::size_t law = 0; law < findings.law_totals[s].size(); ++law)
      if (auto const& example = findings.law_totals[s][law].example)
        searches.push_back({s, example->regime, law, std::nullopt, &*example});
    // One example per regime, because regimes fail for different reasons. It is the example of the first output that
    // fails in the regime.
    for (std::size_t const regime : findings.regimes) {
      for (auto const& cell : findings.results[s].accuracy) {
        if (cell.regime != regime || cell.wrong() == 0) continue;
        auto const& example = cell.worst_finite ? cell.worst_finite : cell.worst_failure;
        if (example) searches.push_back({s, regime, std::nullopt, cell.budget, &*example});
        break;
      }
    }
  }
  return searches;
}

/// Returns whether no answer was judged. Cases may have failed nevertheless, for example by a crash.
bool no_case_was_judged(SubjectCheck const& result) {
  return std::ranges::all_of(result.accuracy, [](AccuracyCell const& cell) { return cell.judged == 0; });
}

/// Shrinks the examples of all failures. Each example has its own search. The results are recorded in the order of the
/// list, so that the number of threads does not change them.
void shrink_all(Trial const& trial, Findings& findings, Recorder& recorder) {
  std::deque<Patient> patience;
  for (std::size_t s = 0; s < trial.subjects.size(); ++s)
    patience.emplace_back(trial.options.shrink_seconds > 0 ? trial.options.shrink_seconds
                                                           : share_of_time(trial.options, trial.subjects.size()));
  auto searches = searches_for(findings);
  for_each_in_threads(trial.options.jobs, searches.size(), nullptr, [&](std::size_t index) {
    Search& search = searches[index];
    Patient& patient = patience[search.subject];
    // Nothing is shrunk for a subject that answers no case: every case fails, and each attempt would wait for the time
    // limit.
    if (told_to_stop(trial.options) || trial.is_given_up(search.subject) ||
        no_case_was_judged(findings.results[search.subject])) {
      if (!search.law) search.failure = *search.example;
      return;
    }
    if (search.law) {
      search.counterexample = shrink_law(trial, patient, search.subject, *search.law, *search.example);
    } else {
      search.failure = shrink_failure(trial, patient, search.subject, *search.budget, *search.example);
    }
  });
  for (auto& search : searches) {
    SubjectCheck& result = findings.results[search.subject];
    if (search.counterexample) {
      auto const& shrunk = result.laws[*search.law].counterexample = std::move(search.counterexample);
      recorder.shrunk(search.subject, *search.law, search.regime, *shrunk);
    } else if (search.failure) {
      result.failures.push_back({*search.budget, std::move(*search.failure)});
      recorder.shrunk(search.subject, *search.budget, result.failures.back().example);
    }
  }
}

}  // namespace

void settle_left_out(Kernel const& kernel, SubjectCheck& result) {
  for (std::size_t k = 0; k < kernel.budgets.size(); ++k) {
    std::uint64_t given = 0, left_out = 0;
    for (auto const& cell : result.accuracy)
      if (cell.budget == k) given += cell.given, left_out += cell.left_out;
    if (given == 0 || left_out == 0) continue;
    for (auto& cell : result.accuracy) {
      if (cell.budget != k || cell.left_out == 0) continue;
      cell.malformed += cell.left_out;
      if (!cell.worst_failure) cell.worst_failure = cell.first_left_out;
      if (!cell.worst) cell.worst = cell.first_left_out;
      if (!cell.decides || !result.left_out.empty()) continue;
      std::string first = kernel.regimes[cell.regime].name;
      if (cell.first_left_out) first = "id " + std::to_string(cell.first_left_out->id) + " of " + first;
      result.left_out = left_out_text(kernel.budgets[k].output, left_out, given + left_out, first);
    }
  }
}

CheckOptions affordable(Subject const& subject, CheckOptions options) {
  if (subject.cases == 0) return options;
  options.cases = std::min(options.cases, subject.cases);
  options.law_cases = 0;
  options.shrink = false;  // shrinking needs hundreds of answers
  return options;
}

std::vector<SubjectCheck> check(Kernel const& kernel, std::vector<Subject const*> const& subjects,
                                CheckOptions const& options) {
  auto const begin = Clock::now();
  Trial trial = trial_of(kernel, subjects, options);
  TimeBudget budget(subjects, share_of_time(options, subjects.size()), options.hard_seconds);
  trial.budget = &budget;
  Findings findings = no_findings(trial);
  auto const tasks = plan(kernel, findings.regimes, options);
  Recorder recorder(trial, findings.results);
  recorder.replay();
  for (std::size_t s = 0; s < subjects.size(); ++s)
    try_calls(trial, s, findings.regimes, recorder, findings.results[s]);
  for (SubjectCheck& result : findings.results)
    for (RecordedFailure const& failure : result.still_failing) {
      auto const regime = std::find_if(kernel.regimes.begin(), kernel.regimes.end(),
                                       [&](RegimeInfo const& each) { return each.name == failure.regime; });
      // A recorded failure may belong to a regime that does not exist any more. Such a regime also decides. Otherwise
      // the failure would be lost.
      result.recorded_decide = result.recorded_decide || regime == kernel.regimes.end() ||
                               decides(kernel, options, static_cast<std::size_t>(regime - kernel.regimes.begin()));
    }
  Asking(trial, tasks, findings, recorder, begin).run();
  for (SubjectCheck& result : findings.results) settle_left_out(kernel, result);
  shrink_all(trial, findings, recorder);
  for (std::size_t s = 0; s < subjects.size(); ++s) {
    SubjectCheck& result = findings.results[s];
    result.strays = subjects[s]->strays->lines();
    if (result.strays > 0) result.first_stray = subjects[s]->strays->first();
    result.not_a_verdict = why_not_a_verdict(kernel, result, options);
  }
  return std::move(findings.results);
}

}  // namespace demeter
