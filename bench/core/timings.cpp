#include "bench/core/timings.hpp"

#include "bench/core/yardstick.hpp"
#include "fast/core/level.hpp"
#include "kernels/lists.hpp"
#include "kernels/timed_columns.hpp"
#include "subjects/isolation/stop.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <memory>
#include <regex>
#include <set>
#include <utility>

namespace demeter::bench {

std::string full_name(Baseline const& baseline) {
  return std::string(baseline.name) + "@" + std::string(baseline.level);
}

bool runs_here(Baseline const& baseline) {
  for (std::size_t i = 0; i < labels(Level{}).size(); ++i)
    if (labels(Level{})[i] == baseline.level) return available(static_cast<Level>(i));
  return false;
}

Level level_of(std::string_view name) {
  std::string_view const ending = name.substr(name.rfind('@') + 1);
  for (Level const level : {Level::avx2, Level::avx512})
    if (labels(Level{})[static_cast<std::size_t>(level)] == ending) return level;
  return Level::scalar;
}

namespace {

/// Output columns named by "distance" or "volume,mass"; all for "".
std::vector<bool> wanted_columns(Kernel const& kernel, std::string_view outputs) {
  std::vector<bool> wanted(kernel.output.columns.size(), outputs.empty());
  while (!outputs.empty()) {
    std::string_view const name = outputs.substr(0, outputs.find(','));
    outputs.remove_prefix(std::min(name.size() + 1, outputs.size()));
    for (auto const& child : kernel.output.root.children)
      if (child.name == name)
        for (std::size_t i = child.column; i < child.column + child.columns; ++i) wanted[i] = true;
  }
  return wanted;
}

std::function<void()> timed_baseline(Kernel const& kernel, Baseline const& baseline, Table const& cases) {
  Table prepared = cases;
  if (baseline.prepare != nullptr) {
    std::vector<double*> in;
    for (auto& column : prepared.columns) in.push_back(column.data());
    baseline.prepare(prepared.rows, in.data());
  }
  auto columns = std::make_shared<Columns>(prepared, blank_outputs(kernel.input, kernel.output, cases, 0),
                                           wanted_columns(kernel, baseline.outputs));
  return [run = baseline.run, columns] {
    run(columns->rows(), columns->in(), columns->out());
    benchmark::ClobberMemory();
  };
}

/// The first of them, no more than `count`.
Table first_of(Kernel const& kernel, Table const& cases, std::uint64_t count) {
  Table few(kernel.input);
  for (std::size_t row = 0; row < std::min<std::uint64_t>(cases.rows, count); ++row)
    append_row(kernel.input, few, cases, row);
  return few;
}

/// Cases that a subject answers, and what became of the others.
struct Answered {
  Table cases;
  std::map<Status, std::size_t> others;
  std::string last;  ///< of the others, in its own words

  /// "declines all of 64 cases", of one that answers none.
  std::string why_none() const {
    std::size_t all = 0;
    for (auto const& other : others) all += other.second;
    bool const one = others.size() == 1;
    switch (one ? others.begin()->first : Status::missing) {
      case Status::unsupported:
      case Status::not_representable:
        return "declines all of " + std::to_string(all) + " cases";
      case Status::crash:
        return "crashes in all of " + std::to_string(all) + " cases: " + last;
      default:
        return "answers none of " + std::to_string(all) + " cases: " + last;
    }
  }
  bool declined() const {
    return std::all_of(others.begin(), others.end(), [](auto const& other) { return !owed(other.first); });
  }
};

/// Of `cases` those that the subject answers, `most` of them.
Answered answered_by(Kernel const& kernel, Subject const& subject, Table const& cases, std::size_t most) {
  Answers answers;
  answer(subject, kernel, cases, answers);
  Answered found{Table(kernel.input), {}, ""};
  for (std::size_t row = 0; row < cases.rows && found.cases.rows < most; ++row) {
    if (answers.status[row] == Status::answered) {
      append_row(kernel.input, found.cases, cases, row);
    } else {
      ++found.others[answers.status[row]];
      found.last = answers.message[row];
    }
  }
  return found;
}

template <class Work>
double seconds_of(Work const& work) {
  auto const begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// As many cases as their truths take about 5 ms, from 16 to `most`.
std::size_t truths_in_a_pass(Kernel const& kernel, Table const& cases, std::size_t most) {
  std::size_t const pilot = 16;
  Table const some = first_of(kernel, cases, pilot);
  double const seconds = seconds_of([&] { benchmark::DoNotOptimize(kernel.truths(some)); });
  double const wanted = static_cast<double>(pilot) * 0.005 / std::max(seconds, 1e-7);
  return std::clamp(static_cast<std::size_t>(wanted), pilot, std::max(most, pilot));
}

/// Nanoseconds a case of a subject of ours, to about a factor of two.
double rough_nanoseconds(Kernel const& kernel, Subject const& subject, Table const& cases) {
  Table const some = first_of(kernel, cases, 64);
  auto const run = subject.find(kernel.name)->timed(some);
  run();  // touch
  return 1e9 * seconds_of(run) / static_cast<double>(some.rows);
}

/// As many cases as fill the first-level cache a few times over, so that no branch is known by heart; 8 at least.
Table workload_cases(Kernel const& kernel, std::size_t workload, TimingOptions const& options) {
  Table cases(kernel.input);
  std::size_t numbers = 0;
  for (std::uint64_t id = 0; id < options.in_cache && (id < 8 || numbers < 4 * options.in_cache); ++id) {
    kernel.generate_workload(workload, options.seed, id, cases);
    numbers = 0;
    for (auto const& column : cases.columns) numbers += column.size();
  }
  return cases;
}

constexpr std::string_view exact_reference = "reference@mpfr:50";

/// The reference at 50 digits.
void compute_reference(Kernel const& kernel, Table const& cases) {
  TextTable text = empty_text(kernel.output);
  for (std::size_t row = 0; row < cases.rows; ++row)
    kernel.evaluate_text(0, {Arithmetic::Kind::multiprecision, 50}, 50, cases, row, text);
  benchmark::DoNotOptimize(text.columns.data());
}

/// Bytes of all columns together.
double bytes_a_case(Kernel const& kernel, Table const& cases) {
  std::size_t cells = cases.rows * kernel.output.columns.size();
  for (auto const& column : cases.columns) cells += column.size();
  return 8 * static_cast<double>(cells) / static_cast<double>(cases.rows);
}

/// Which of the first regime's cases are timed.
struct Screening {
  std::uint64_t used = 0, total = 0;
  std::vector<Screened> screened;
};

/// Cases of a regime that every contender answers within 1e-6 of the input scale. Where truths take long, and after the
/// first regime, some are judged, and of the others it is enough to be answered.
Table screened_cases(Kernel const& kernel, std::vector<Subject const*> const& subjects, std::size_t regime,
                     TimingOptions const& options, Screening* note) {
  Table cases(kernel.input);
  for (std::uint64_t id = 0; id < 32; ++id) kernel.generate(regime, options.seed, id, cases, options.sizes);
  std::size_t numbers = 0;
  for (auto const& column : cases.columns) numbers += column.size();
  // Long lists: as many cases as have the numbers of `in_cache` ordinary ones, or they would not be in the cache.
  // Of searches fewer: their course differs enough, and everyone answers all of them in every regime.
  std::size_t const most = std::min<std::size_t>(options.in_cache, kernel.case_divisor < 50    ? options.in_cache
                                                                   : kernel.case_divisor < 100 ? 96
                                                                                               : 32);
  std::size_t const kept_rows =
      std::clamp<std::size_t>(options.in_cache * 128 * 32 / numbers, std::min<std::size_t>(64, most), most);
  std::size_t const drawn = kept_rows + kept_rows / 4;
  cases.clear(kernel.input);
  for (std::uint64_t id = 0; id < drawn; ++id) kernel.generate(regime, options.seed, id, cases, options.sizes);
  std::size_t const affordable = std::max<std::size_t>(drawn / kernel.case_divisor, kernel.case_divisor < 50 ? 64 : 16);
  std::size_t const examined = std::min({drawn, affordable, note != nullptr ? drawn : options.in_cache / 8});
  Truths const truths = kernel.truths(first_of(kernel, cases, examined));
  std::vector<bool> usable(drawn, true);
  std::vector<Judged> judged(kernel.budgets.size());
  for (auto const* subject : subjects) {
    if (subject->approximate()) continue;  // never a contender, whatever the case
    Answers answers;
    answer(*subject, kernel, cases, answers);
    std::vector<bool> good(drawn, true);
    std::uint64_t wrong = 0;
    for (std::size_t row = 0; row < drawn; ++row) {
      good[row] = answers.status[row] == Status::answered;
      if (good[row] && row < examined) {
        kernel.judge(cases, truths, row, answers, row, {}, judged);
        for (auto const& each : judged)
          if (each.computed && !(each.error * unit_roundoff <= 1e-6)) good[row] = false;
      }
      if (!good[row] && row < examined) ++wrong;
    }
    bool const contender = wrong * 10 <= examined;
    if (note != nullptr && wrong > 0) note->screened.push_back({subject->name, wrong, contender});
    for (std::size_t row = 0; row < drawn; ++row)
      if (contender && !good[row]) usable[row] = false;
  }
  Table kept(kernel.input);
  std::uint64_t usable_count = 0;
  for (std::size_t row = 0; row < drawn; ++row) {
    if (!usable[row]) continue;
    ++usable_count;
    if (kept.rows < kept_rows) append_row(kernel.input, kept, cases, row);
  }
  if (note != nullptr) {
    note->used = usable_count;
    note->total = drawn;
  }
  return kept;
}

/// The cases again and again until their columns exceed every cache.
Table tiled(Kernel const& kernel, Table const& cases, std::size_t bytes) {
  std::size_t cells = 0;
  for (auto const& column : cases.columns) cells += column.size();
  cells += cases.rows * kernel.output.columns.size();
  std::size_t const copies = std::max<std::size_t>(1, bytes / (8 * cells));
  Table result(kernel.input);
  for (std::size_t i = 0; i < cases.columns.size(); ++i) {
    bool const offsets = kernel.input.columns[i].kind == ColumnInfo::Kind::offsets;
    auto& to = result.columns[i];
    for (std::size_t copy = 0; copy < copies; ++copy) {
      double const base = offsets ? to.back() : 0;
      for (std::size_t k = offsets ? 1 : 0; k < cases.columns[i].size(); ++k) to.push_back(cases.columns[i][k] + base);
    }
  }
  result.rows = cases.rows * copies;
  return result;
}

// ------------------------------------------------------------------------------------------------------------ the plan

/// One subject or baseline on one table: what is timed, and how often.
struct Entry {
  std::string subject{};
  bool baseline = false;
  std::string setting{}, regime{};
  std::string outputs = "all";
  std::size_t count = 0;                           ///< cases in one run
  std::function<std::function<void()>()> begin{};  ///< makes what is run again and again
  Subject const* foreign = nullptr;                ///< whose code runs in a process of its own
  bool dear = false;                               ///< takes long, and need not be known to a percent
  Table const* costs = nullptr;                    ///< the cases, once; null: no bound holds
  Level level = Level::scalar;                     ///< of the code
  int repetitions = 0;                             ///< set by `Planner::add`
};

/// What is timed, and the tables that it is timed on: children read theirs when they are started.
struct Plan {
  std::vector<Entry> entries;
  std::deque<Table> tables;
  Screening screening;
  std::vector<FailedTiming> not_timed;
};

std::string benchmark_name(Kernel const& kernel, Entry const& entry) {
  return kernel.name + "/" + entry.subject + "/" + entry.setting + "/" + entry.regime + "/" + entry.outputs;
}

/// What others' code was compiled for is not known: no bound but that of the best level holds for it.
Level level_of_subject(Subject const& subject) {
  if (!subject.ours()) return best_level();
  return level_of(std::string_view(subject.name));
}

struct Planner {
  Kernel const& kernel;
  std::vector<Subject const*> const& subjects;
  TimingOptions const& options;
  std::vector<std::size_t> regimes{};
  std::set<std::string> output_sets{};  ///< of the baselines: subjects are timed for these too
  std::regex filter{};
  Plan plan{};

  Answering const& answering(Subject const& subject) const { return *subject.find(kernel.name); }

  /// Of our own code there is no need to be careful.
  static Subject const* if_foreign(Subject const& subject) { return subject.ours() ? nullptr : &subject; }

  bool is_wanted(Entry const& entry) const {
    return options.filter.empty() || std::regex_search(benchmark_name(kernel, entry), filter);
  }

  void add(Entry entry) {
    if (!is_wanted(entry)) return;
    entry.repetitions = entry.dear ? std::min(options.repetitions, 5) : options.repetitions;
    plan.entries.push_back(std::move(entry));
  }

  /// Cases of a regime, and what follows from them.
  struct Regime {
    std::string name;
    bool first = false;  ///< the ordinary one: everyone is timed there
    Table const* cases = nullptr;
    Table const* few = nullptr;   ///< truths take microseconds to milliseconds each
    Table const* many = nullptr;  ///< beyond any cache; empty if nobody streams
    std::vector<Subject const*> contenders{};
    std::map<Subject const*, double> rough{};  ///< nanoseconds a case of subjects of ours
    /// For those who do not answer all the cases: the ones they do.
    std::map<Subject const*, Table const*> own{};

    Table const& cases_of(Subject const& subject) const {
      auto const found = own.find(&subject);
      return found == own.end() ? *cases : *found->second;
    }
  };

  std::vector<Subject const*> contenders_of(bool first) const {
    bool const everyone = first || options.every_regime;
    std::vector<Subject const*> contenders;
    for (auto const* subject : subjects) {
      auto const& of = answering(*subject);
      bool const left_out =
          !options.scalar_elsewhere && subject->name != kernel.fast() && subject->name.ends_with("@scalar");
      if (of.timed && (everyone || (of.timed_columns && !left_out))) contenders.push_back(subject);
    }
    return contenders;
  }

  /// Streaming shows the memory's limit, which only batch forms come near, and of these only fast ones: those that read
  /// and write two bytes a nanosecond.
  bool streams(Subject const& subject, Regime const& regime) const {
    auto const found = regime.rough.find(&subject);
    return answering(subject).timed_columns && !regime.own.contains(&subject) &&
           (found == regime.rough.end() || found->second < bytes_a_case(kernel, *regime.cases) / 2);
  }

  void add_regime(std::size_t index) {
    Regime regime{.name = kernel.regimes[index].name, .first = index == regimes.front()};
    regime.contenders = contenders_of(regime.first);
    regime.cases = &plan.tables.emplace_back(
        screened_cases(kernel, regime.contenders, index, options, regime.first ? &plan.screening : nullptr));
    if (regime.cases->rows == 0) return;
    std::size_t const most = options.in_cache / static_cast<std::size_t>(kernel.case_divisor);
    regime.few =
        &plan.tables.emplace_back(first_of(kernel, *regime.cases, truths_in_a_pass(kernel, *regime.cases, most)));
    leave_refusals_out(regime);
    for (auto const* subject : regime.contenders)
      if (subject->ours() && !subject->approximate())
        regime.rough[subject] = rough_nanoseconds(kernel, *subject, regime.cases_of(*subject));
    bool const any_streams =
        regime.first && std::any_of(regime.contenders.begin(), regime.contenders.end(),
                                    [&](Subject const* subject) { return streams(*subject, regime); });
    regime.many =
        &plan.tables.emplace_back(any_streams ? tiled(kernel, *regime.cases, options.streaming_bytes) : Table{});
    for (auto const* subject : regime.contenders) add_in_cache(regime, *subject);
    // The truth itself, on the inputs of every regime unless that takes minutes.
    if (regime.first || kernel.case_divisor < 10) add_truths(regime);
    if (regime.first) add_baselines(regime, "cache", *regime.cases);
    if (regime.many->rows == 0) return;
    for (auto const* subject : regime.contenders)
      if (!subject->approximate() && streams(*subject, regime))
        add_subject(regime, *subject, "streaming", *regime.many);
    if (regime.first) add_baselines(regime, "streaming", *regime.many);
  }

  /// A refusal takes no time and says nothing: each contender is timed on what it answers. Of an approximation as many
  /// as it can be asked.
  void leave_refusals_out(Regime& regime) {
    std::vector<Subject const*> remaining;
    for (auto const* subject : regime.contenders) {
      Table const& all = *regime.cases;
      auto answered = subject->approximate()
                          ? answered_by(kernel, *subject, first_of(kernel, all, subject->cases), subject->cases)
                          : answered_by(kernel, *subject, all, all.rows);
      if (answered.cases.rows == 0) {
        Entry const none{.subject = subject->name, .setting = "cache", .regime = regime.name};
        if (is_wanted(none))
          plan.not_timed.push_back({subject->name, regime.name + ": " + answered.why_none(), answered.declined()});
        continue;
      }
      remaining.push_back(subject);
      if (answered.cases.rows < all.rows) regime.own[subject] = &plan.tables.emplace_back(std::move(answered.cases));
    }
    regime.contenders = std::move(remaining);
  }

  void add_in_cache(Regime const& regime, Subject const& subject) {
    if (subject.approximate()) {
      Table const& affordable = regime.cases_of(subject);
      add({.subject = subject.name,
           .setting = "cache",
           .regime = regime.name,
           .count = affordable.rows,
           .begin = [&of = answering(subject), &affordable] { return of.timed(affordable); },
           .foreign = if_foreign(subject),
           .dear = true});
      return;
    }
    // What takes long is no nearer its time for more cases; where time is limited a pass that needs more than a
    // repetition's would be repeated as often all the same.
    double const longest = options.all_seconds > 0 ? (regime.first ? 10e6 : 2e6) : (regime.first ? 50e6 : 10e6);
    double const least = options.all_seconds > 0 ? 8 : 64;
    double const most = subject.ours() ? longest / std::max(regime.rough.at(&subject), 1.0) : 1e9;
    Table const* cases = &regime.cases_of(subject);
    if (most < static_cast<double>(cases->rows))
      cases =
          &plan.tables.emplace_back(first_of(kernel, *cases, static_cast<std::uint64_t>(std::clamp(most, least, 1e9))));
    add_subject(regime, subject, "cache", *cases);
  }

  void add_subject(Regime const& regime, Subject const& subject, std::string const& setting, Table const& cases) {
    Answering const& of = answering(subject);
    Table const* const once = setting == "streaming" ? regime.cases : &cases;
    if (of.timed_columns)
      for (auto const& outputs : output_sets)
        add({.subject = subject.name,
             .setting = setting,
             .regime = regime.name,
             .outputs = outputs,
             .count = cases.rows,
             .begin = [&kernel = kernel, &of, &cases,
                       outputs] { return of.timed_columns(cases, wanted_columns(kernel, outputs)); },
             .foreign = if_foreign(subject),
             .costs = once,
             .level = level_of_subject(subject)});
    if (regime.first || !of.timed_columns || output_sets.empty())
      add({.subject = subject.name,
           .setting = setting,
           .regime = regime.name,
           .count = cases.rows,
           .begin = [&of, &cases] { return of.timed(cases); },
           .foreign = if_foreign(subject),
           .costs = once,
           .level = level_of_subject(subject)});
  }

  void add_truths(Regime const& regime) {
    // A pass of truths that take milliseconds takes longer than a repetition should.
    bool const dear_truths = !regime.first || kernel.case_divisor >= 50;
    add({.subject = "oracle",
         .baseline = true,
         .setting = "cache",
         .regime = regime.name,
         .count = regime.few->rows,
         .begin = [&kernel = kernel, &cases = *regime.few]() -> std::function<void()> {
           return [&] { benchmark::DoNotOptimize(kernel.truths(cases)); };
         },
         .dear = dear_truths});
    // A whole verdict: the truth, and the reference's answer in double held against every budget.
    Answering const* const judged = kernel.find("reference@double");
    if (judged == nullptr) return;
    add({.subject = "judge",
         .baseline = true,
         .setting = "cache",
         .regime = regime.name,
         .count = regime.few->rows,
         .begin = [&kernel = kernel, &cases = *regime.few, judged]() -> std::function<void()> {
           auto answers = std::make_shared<Answers>();
           answers->clear(kernel.output);
           judged->answer(cases, *answers);
           return [&kernel, &cases, answers, verdicts = std::vector<Judged>(kernel.budgets.size())]() mutable {
             Truths const truths = kernel.truths(cases);
             for (std::size_t row = 0; row < cases.rows; ++row) {
               kernel.judge(cases, truths, row, *answers, row, {}, verdicts);
               benchmark::DoNotOptimize(verdicts.data());
             }
           };
         },
         .dear = dear_truths});
    bool const promised =
        regime.first && std::any_of(kernel.promises.begin(), kernel.promises.end(), [](Promise const& each) {
          return each.over.subject == exact_reference && each.over.setting == "cache";
        });
    if (promised) add_reference("cache", regime.name, *regime.few);
  }

  /// At 50 digits, where a case takes less than a tenth of a second: on as many as take half of that together.
  void add_reference(std::string const& setting, std::string const& regime, Table const& cases) {
    double const seconds = seconds_of([&] { compute_reference(kernel, first_of(kernel, cases, 1)); });
    if (seconds > 0.1) return;
    Table const& few = plan.tables.emplace_back(
        first_of(kernel, cases, std::max<std::uint64_t>(1, static_cast<std::uint64_t>(0.05 / seconds))));
    add({.subject = std::string(exact_reference),
         .baseline = true,
         .setting = setting,
         .regime = regime,
         .count = few.rows,
         .begin = [&kernel = kernel, &few]() -> std::function<void()> {
           return [&] { compute_reference(kernel, few); };
         },
         .dear = true});
  }

  void add_baselines(Regime const& regime, std::string const& setting, Table const& cases) {
    for (auto const& baseline : kernel.baselines)
      if (runs_here(baseline))
        add({.subject = full_name(baseline),
             .baseline = true,
             .setting = setting,
             .regime = regime.name,
             .outputs = baseline.outputs.empty() ? "all" : std::string(baseline.outputs),
             .count = cases.rows,
             .begin = [&kernel = kernel, &baseline, &cases] { return timed_baseline(kernel, baseline, cases); },
             .costs = regime.cases,
             .level = level_of(baseline.level)});
  }

  void add_workload(std::size_t workload) {
    std::string const& name = kernel.workloads[workload].name;
    Table const& cases = plan.tables.emplace_back(workload_cases(kernel, workload, options));
    for (auto const* subject : subjects) {
      Answering const& of = answering(*subject);
      if (!subject->ours() || subject->approximate() || !of.timed_columns) continue;
      add({.subject = subject->name,
           .setting = "workload",
           .regime = name,
           .count = cases.rows,
           .begin = [&of, &cases] { return of.timed(cases); },
           .dear = true,
           .costs = &cases,
           .level = level_of_subject(*subject)});
    }
    add_reference("workload", name, cases);
  }
};

Plan make_plan(Kernel const& kernel, std::vector<Subject const*> const& subjects, TimingOptions const& options) {
  Planner planner{kernel, subjects, options};
  planner.filter = std::regex(options.filter);
  planner.regimes = options.regimes;
  if (options.regimes.empty() && !options.workload)
    for (std::size_t i = 0; i < kernel.regimes.size(); ++i)
      if (kernel.regimes[i].size == 0) planner.regimes.push_back(i);  // a time of all sorts of cases says nothing
  for (auto const& baseline : kernel.baselines)
    if (!baseline.outputs.empty()) planner.output_sets.insert(std::string(baseline.outputs));
  for (std::size_t const regime : planner.regimes) planner.add_regime(regime);
  if (options.workload) planner.add_workload(*options.workload);
  if (options.regimes.empty() && !options.workload)
    for (std::size_t i = 0; i < kernel.workloads.size(); ++i) planner.add_workload(i);
  return std::move(planner.plan);
}

// ------------------------------------------------------------------------------------------------------------- the run

constexpr char const* yardstick_counter = "yardstick_nanoseconds";

class Collector : public benchmark::BenchmarkReporter {
 public:
  std::map<std::string, std::vector<double>> seconds;     // a run over all cases, by name
  std::map<std::string, std::vector<double>> yardsticks;  // beside each of them
  std::function<void(std::string const&)> seen;

  bool ReportContext(Context const&) override { return true; }
  void ReportRuns(std::vector<Run> const& runs) override {
    for (auto const& run : runs) {
      if (run.run_type != Run::RT_Iteration || run.error_occurred) continue;
      std::string const name = run.run_name.function_name;
      // Nanoseconds an iteration. Where somebody else's process does the work, ours says nothing.
      bool const elsewhere = run.run_name.time_type == "manual_time";
      seconds[name].push_back(elsewhere ? run.GetAdjustedRealTime() : run.GetAdjustedCPUTime());
      auto const yardstick = run.counters.find(yardstick_counter);
      yardsticks[name].push_back(yardstick == run.counters.end() ? 0 : yardstick->second.value);
      if (seen) seen(name);
    }
  }
};

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  auto const middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// All iterations in one go, so that nothing but the passes themselves is timed.
void time_isolated(IsolatedTimer& timer, benchmark::State& state, std::string& failure) {
  auto const passes = static_cast<std::uint64_t>(state.max_iterations);
  auto timed = timer.run(1);  // touch
  while (state.KeepRunningBatch(state.max_iterations)) {
    if (timed.status == Status::answered) timed = timer.run(passes);
    if (timed.status != Status::answered) {
      failure = timed.message;
      state.SkipWithError(failure.c_str());
      break;
    }
    state.SetIterationTime(timed.seconds);
  }
}

void time_separate(std::function<void()> const& run, benchmark::State& state, std::string& failure) {
  try {
    run();  // touch
  } catch (std::exception const& error) {
    failure = error.what();
  }
  for (auto _ : state) {
    auto const begin = std::chrono::steady_clock::now();
    try {
      if (failure.empty()) run();
    } catch (std::exception const& error) {
      failure = error.what();
    }
    if (!failure.empty()) {
      state.SkipWithError(failure.c_str());
      break;
    }
    state.SetIterationTime(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
}

/// An entry while it is timed.
struct Running {
  Entry const& entry;
  std::string name;
  std::function<void()> run{};
  std::unique_ptr<IsolatedTimer> isolated{};  ///< instead of `run`, for a subject that is not ours
  std::string failure{};
  std::optional<CaseCost> cost{};
  std::optional<Bound> bound{};

  bool separate() const { return entry.foreign != nullptr && entry.foreign->separate; }

  /// `before` is what the yardstick took after the last of all timings, and becomes what it takes after this one.
  void time(benchmark::State& state, Yardstick& yardstick, double& before) {
    if (isolation::stopping()) {
      if (failure.empty()) failure = isolation::stopped;
      state.SkipWithError(isolation::stopped);
      return;
    }
    if (isolated) {
      time_isolated(*isolated, state, failure);
    } else if (separate()) {
      time_separate(run, state, failure);
    } else {
      run();  // touch
      for (auto _ : state) run();
    }
    // The smaller of the two: a disturbance seen by only one of them may not have affected the measurement between
    // them.
    double const after = yardstick.measure();
    state.counters[yardstick_counter] = std::min(std::exchange(before, after), after);
    if (bound) {
      state.counters["bytes_per_case"] = cost->bytes();
      if (cost->operations) state.counters["operations_per_case"] = cost->operations->all();
      state.counters["bound_ns"] = bound->nanoseconds;
    }
    state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * static_cast<std::int64_t>(entry.count));
  }
};

Running begun(Kernel const& kernel, Entry const& entry) {
  Running running{entry, benchmark_name(kernel, entry)};
  if (entry.foreign != nullptr && !entry.foreign->separate) {
    running.isolated =
        std::make_unique<IsolatedTimer>(entry.begin, entry.foreign->limits, entry.foreign->patience.get());
  } else {
    running.run = entry.begin();
  }
  return running;
}

/// What is known of all that is timed before it is.
void set_bounds(Kernel const& kernel, std::deque<Running>& all, MachineLimits const& limits) {
  std::map<std::pair<Table const*, std::string>, CaseCost> costs;
  for (auto& running : all) {
    Entry const& entry = running.entry;
    if (entry.costs == nullptr) continue;
    auto const [known, added] = costs.try_emplace({entry.costs, entry.outputs});
    if (added)
      known->second =
          case_cost(kernel, *entry.costs, wanted_columns(kernel, entry.outputs == "all" ? "" : entry.outputs));
    running.cost = known->second;
    running.bound = bound_of(known->second, limits, entry.level, entry.count, entry.setting == "streaming");
  }
}

/// Repetitions of everything are interleaved in random order, so that a slow minute of the machine hits all alike.
void initialize_library() {
  [[maybe_unused]] static bool const initialized = [] {
    // Static: the library keeps the program's name.
    static std::string program = "demeter";
    std::string flag = "--benchmark_enable_random_interleaving=true";
    std::vector<char*> arguments{program.data(), flag.data()};
    int count = 2;
    benchmark::Initialize(&count, arguments.data());
    return true;
  }();
}

/// The library's own JSON beside what is collected.
struct JsonAndCollector : benchmark::BenchmarkReporter {
  benchmark::JSONReporter json;
  Collector& collector;

  JsonAndCollector(std::ostream& out, Collector& collector_) : collector(collector_) {
    for (auto* reporter : std::initializer_list<benchmark::BenchmarkReporter*>{this, &json}) {
      reporter->SetOutputStream(&out);
      reporter->SetErrorStream(&out);
    }
  }
  bool ReportContext(Context const& context) override { return json.ReportContext(context); }
  void ReportRuns(std::vector<Run> const& runs) override {
    json.ReportRuns(runs);
    collector.ReportRuns(runs);
  }
  void Finalize() override { json.Finalize(); }
};

/// Adds to the timings, or to those that failed.
void add_result(Running const& running, Collector& collector, Timings& result) {
  Entry const& entry = running.entry;
  if (!running.failure.empty()) {
    bool const known = std::any_of(result.failed.begin(), result.failed.end(), [&](FailedTiming const& each) {
      return each.subject == entry.subject && each.message == running.failure;
    });
    if (!known) result.failed.push_back({entry.subject, running.failure, false});
    return;
  }
  TimedEntry timing{entry.subject, entry.baseline, entry.setting, entry.regime, entry.outputs, 0, {}, {},
                    entry.count,   running.cost,   running.bound};
  for (double const value : collector.seconds[running.name])
    timing.samples.push_back(value / static_cast<double>(entry.count));
  timing.yardstick = collector.yardsticks[running.name];
  timing.nanoseconds = median(timing.samples);
  result.timings.push_back(std::move(timing));
}

Timings run(Kernel const& kernel, Plan const& plan, TimingOptions const& options, std::ostream* json) {
  initialize_library();
  if (json != nullptr)
    for (auto const& each : options.context) benchmark::AddCustomContext(each.first, each.second);
  benchmark::ClearRegisteredBenchmarks();
  std::deque<Running> all;
  bool const bounded =
      std::any_of(plan.entries.begin(), plan.entries.end(), [](Entry const& entry) { return entry.costs != nullptr; });
  std::optional<MachineLimits> limits;
  if (bounded) limits = machine_limits(options.streaming_bytes);
  for (auto const& entry : plan.entries) all.push_back(begun(kernel, entry));
  if (bounded) set_bounds(kernel, all, *limits);
  double repetitions = 0;
  for (auto const& entry : plan.entries) repetitions += entry.repetitions;
  // The library finds out first how many passes take that long: half as much again.
  double const share = options.all_seconds / (1.5 * std::max(repetitions, 1.0));
  double const seconds = options.all_seconds > 0 ? std::clamp(share, 1e-4, options.seconds) : options.seconds;
  Yardstick yardstick;
  double before = yardstick.measure();
  for (auto& running : all) {
    auto* const registered = benchmark::RegisterBenchmark(
        running.name.c_str(),
        [&running, &yardstick, &before](benchmark::State& state) { running.time(state, yardstick, before); });
    registered->Repetitions(running.entry.repetitions)->MinTime(seconds);
    if (running.entry.foreign != nullptr) registered->UseManualTime();
  }
  Collector collector;
  std::size_t done = 0;
  collector.seen = [&](std::string const& name) {
    if (options.progress)
      options.progress(std::min(1.0, static_cast<double>(++done) / static_cast<double>(all.size())), name);
  };
  if (!all.empty() && json != nullptr) {
    JsonAndCollector both(*json, collector);
    benchmark::RunSpecifiedBenchmarks(&both, nullptr, ".");
  } else if (!all.empty()) {
    benchmark::RunSpecifiedBenchmarks(&collector, nullptr, ".");
  }
  Timings result;
  result.failed = plan.not_timed;
  result.limits = limits;
  for (auto const& running : all) add_result(running, collector, result);
  return result;
}

// -------------------------------------------------------------------------------------------------------- the promises

/// Whether a regime is among those that a promise is about.
bool is_about(Timed const& what, RegimeInfo const& regime) {
  if (what.regime == "*") return true;
  if (what.regime == "*extreme") return regime.profile == Profile::extreme;
  return what.regime == "*scenes" && regime.profile != Profile::extreme;
}

/// The timing that a promise is about; the slowest of several regimes only if all of them were timed.
TimedEntry const* find_timing(Kernel const& kernel, Timings const& timings, Timed const& what) {
  auto const of_regime = [&](std::string_view regime) {
    auto const found = std::find_if(timings.timings.begin(), timings.timings.end(), [&](TimedEntry const& timing) {
      return timing.subject == what.subject && timing.setting == what.setting && timing.outputs == what.outputs &&
             timing.regime == regime;
    });
    return found == timings.timings.end() ? nullptr : &*found;
  };
  if (!what.regime.starts_with('*')) return of_regime(what.regime);
  TimedEntry const* slowest = nullptr;
  for (auto const& regime : kernel.regimes) {
    if (regime.size != 0 || !is_about(what, regime)) continue;
    TimedEntry const* const timing = of_regime(regime.name);
    if (timing == nullptr) return nullptr;
    if (slowest == nullptr || timing->nanoseconds > slowest->nanoseconds) slowest = timing;
  }
  return slowest;
}

/// What a timing would be on the machine for which promises are made.
double promised_nanoseconds(TimedEntry const& timing) {
  return timing.yardstick.empty() ? timing.nanoseconds
                                  : timing.nanoseconds * (promised_yardstick / median(timing.yardstick));
}

/// The kernel's promises, those for which all that they are about was timed.
std::vector<KeptPromise> promises(Kernel const& kernel, Timings const& timings) {
  std::vector<KeptPromise> kept;
  for (auto const& promise : kernel.promises) {
    bool const ratio = !promise.under.subject.empty();
    TimedEntry const* const over = find_timing(kernel, timings, promise.over);
    TimedEntry const* const under = ratio ? find_timing(kernel, timings, promise.under) : nullptr;
    if (over == nullptr || (ratio && (under == nullptr || under->nanoseconds == 0))) continue;
    double const measured = ratio ? over->nanoseconds / under->nanoseconds : promised_nanoseconds(*over);
    kept.push_back({std::string(promise.text), promise.bound, measured, promise.at_least,
                    promise.at_least ? measured >= promise.bound : measured <= promise.bound,
                    ratio ? std::nullopt : std::optional(over->nanoseconds)});
  }
  return kept;
}

}  // namespace

Timings time_kernel(Kernel const& kernel, std::vector<Subject const*> const& subjects, TimingOptions const& options,
                    std::ostream* json) {
  Plan plan = make_plan(kernel, subjects, options);
  Timings result = run(kernel, plan, options, json);
  result.used = plan.screening.used;
  result.total = plan.screening.total;
  result.screened = std::move(plan.screening.screened);
  result.promises = promises(kernel, result);
  return result;
}

}  // namespace demeter::bench
