#include "bench/core/timings.hpp"

#include "base/text.hpp"
#include "bench/core/median.hpp"
#include "bench/core/reference_workload.hpp"
#include "bench/core/timed_cases.hpp"
#include "fast/core/level.hpp"
#include "kernels/lists.hpp"
#include "kernels/timed_columns.hpp"
#include "subjects/isolation/stop.hpp"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <re2/re2.h>
#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <memory>
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

std::optional<std::string> wrong_filter(std::string const& filter) {
  constexpr std::size_t longest = 1000;
  if (filter.size() > longest)
    return fmt::format("got {} characters, expected at most {}", grouped_digits(filter.size()),
                       grouped_digits(longest));
  RE2 const pattern(filter, RE2::Quiet);
  if (pattern.ok()) return std::nullopt;
  return fmt::format("got \"{}\", expected a regular expression: {}", plain_text(filter, 60),
                     plain_text(pattern.error(), 100));
}

namespace {

/// The reference at 50 digits is timed only if a case takes at most `longest_reference`. A pass over several cases
/// takes about `reference_pass`. Both in seconds.
constexpr double longest_reference = 0.1, reference_pass = 0.05;
/// Bytes per nanosecond. Code that handles fewer bytes is not limited by the memory, and is not timed on streamed data.
constexpr double bytes_of_a_stream = 2;
/// Number of repetitions for slow timings that need not be accurate to a percent.
constexpr int slow_repetitions = 5;
/// Minimum time of a repetition in seconds, if the time of all repetitions together is limited.
constexpr double shortest_repetition = 1e-4;
/// Time of a timing, divided by the time of its repetitions. It is more than 1, because the library also has to
/// determine the number of passes per repetition.
constexpr double time_with_calibration = 1.5;

/// Maximum time of a pass of one of our own subjects in nanoseconds, and the minimum number of cases per pass.
struct PassLimits {
  double nanoseconds, cases;
};

/// Returns the limits. Passes are longer in the first regime. If the time of all repetitions is limited, passes are
/// shorter, because each repetition has at least one complete pass.
PassLimits pass_limits(TimingOptions const& options, bool first) {
  if (options.all_seconds > 0) return {first ? 10e6 : 2e6, 8};
  return {first ? 50e6 : 10e6, 64};
}

/// Returns for each output column whether `outputs` names it, for example "distance" or "volume,mass". "" names all.
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

/// Computes the reference at 50 digits.
void compute_reference(Kernel const& kernel, Table const& cases) {
  TextTable text = empty_text(kernel.output);
  for (std::size_t row = 0; row < cases.rows; ++row)
    kernel.evaluate_text(0, {Arithmetic::Kind::multiprecision, 50}, 50, cases, row, text);
  benchmark::DoNotOptimize(text.columns.data());
}

// ------------------------------------------------------------------------------------------------------------ the plan

/// One timing of a subject or comparison routine on one table.
struct Entry {
  std::string subject{};
  bool baseline = false;
  std::string setting{}, regime{};
  std::string outputs = "all";
  std::size_t count = 0;                           ///< cases per pass
  std::function<std::function<void()>()> begin{};  ///< returns the function that makes a pass
  Subject const* foreign = nullptr;                ///< the subject, if its code is not ours and has its own process
  bool slow = false;                               ///< true: a pass is long, and its time need not be accurate to 1 %
  bool batch = false;                              ///< true: one call answers all cases of a pass
  int repetitions = 0;                             ///< set by `Planner::add`
};

/// All timings to run, and the tables of their cases. A child process gets a copy of the tables when it is forked.
struct Plan {
  std::vector<Entry> entries;
  std::deque<Table> tables;
  Screening screening;
  std::vector<FailedTiming> not_timed;
};

std::string benchmark_name(Kernel const& kernel, Entry const& entry) {
  return kernel.name + "/" + entry.subject + "/" + entry.setting + "/" + entry.regime + "/" + entry.outputs;
}

struct Planner {
  Kernel const& kernel;
  std::vector<Subject const*> const& subjects;
  TimingOptions const& options;
  std::vector<std::size_t> regimes{};
  std::set<std::string> output_sets{};  ///< outputs of the comparison routines; batch forms are also timed with only
                                        ///< these outputs
  std::shared_ptr<RE2 const> filter{};
  Plan plan{};

  Answering const& answering(Subject const& subject) const { return *subject.find(kernel.name); }

  /// Returns null for our own code, which runs in this process.
  static Subject const* if_foreign(Subject const& subject) { return subject.ours() ? nullptr : &subject; }

  bool is_wanted(Entry const& entry) const {
    return options.filter.empty() || RE2::PartialMatch(benchmark_name(kernel, entry), *filter);
  }

  void add(Entry entry) {
    if (!is_wanted(entry)) return;
    entry.repetitions = entry.slow ? std::min(options.repetitions, slow_repetitions) : options.repetitions;
    plan.entries.push_back(std::move(entry));
  }

  /// The cases of a regime, and the subjects that are timed on them.
  struct Regime {
    std::string name;
    bool first = false;  ///< true: this is the first regime, in which all subjects are timed
    Table const* cases = nullptr;
    Table const* few = nullptr;   ///< cases whose truths are timed; a truth takes microseconds to milliseconds
    Table const* many = nullptr;  ///< enough cases to exceed every cache; empty if no subject is timed on streamed data
    std::vector<Subject const*> contenders{};
    std::map<Subject const*, double> rough{};  ///< nanoseconds per case of our own subjects
    /// The cases that a subject answers, for subjects that do not answer all.
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

  /// Returns true if the subject is timed while streaming from memory. Only fast batch forms come near the memory
  /// limit.
  bool streams(Subject const& subject, Regime const& regime) const {
    auto const found = regime.rough.find(&subject);
    double const bytes_per_case =
        static_cast<double>(bytes_of(kernel, *regime.cases)) / static_cast<double>(regime.cases->rows);
    return answering(subject).timed_columns && !regime.own.contains(&subject) &&
           (found == regime.rough.end() || found->second < bytes_per_case / bytes_of_a_stream);
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
    for (auto const* subject : regime.contenders) {
      add_in_cache(regime, *subject);
      if (regime.first && subject->name == kernel.fast()) add_single_calls(regime);
    }
    if (regime.first || case_limits(kernel, options).truths_everywhere) add_truths(regime);
    if (regime.first) add_baselines(regime, "cache", *regime.cases);
    if (regime.many->rows == 0) return;
    for (auto const* subject : regime.contenders)
      if (!subject->approximate() && streams(*subject, regime))
        add_subject(regime, *subject, "streaming", *regime.many);
    if (regime.first) add_baselines(regime, "streaming", *regime.many);
  }

  /// Restricts each contender to the cases that it answers, because a refusal takes no time. An approximate subject is
  /// timed on its own limited number of cases.
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
           .slow = true});
      return;
    }
    Table const* cases = &regime.cases_of(subject);
    if (subject.ours()) {
      auto const limits = pass_limits(options, regime.first);
      double const most = std::max(limits.nanoseconds / std::max(regime.rough.at(&subject), 1.0), limits.cases);
      if (most < static_cast<double>(cases->rows))
        cases = &plan.tables.emplace_back(first_of(kernel, *cases, static_cast<std::uint64_t>(most)));
    }
    add_subject(regime, subject, "cache", *cases);
  }

  void add_subject(Regime const& regime, Subject const& subject, std::string const& setting, Table const& cases) {
    Answering const& of = answering(subject);
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
             .batch = true});
    if (regime.first || !of.timed_columns || output_sets.empty())
      add({.subject = subject.name,
           .setting = setting,
           .regime = regime.name,
           .count = cases.rows,
           .begin = [&of, &cases] { return of.timed(cases); },
           .foreign = if_foreign(subject),
           .batch = of.timed_columns != nullptr || subject.separate()});
  }

  /// Adds the fast form with a call per case, to compare it with code that has no batch form.
  void add_single_calls(Regime const& regime) {
    add({.subject = "fast@single",
         .setting = "cache",
         .regime = regime.name,
         .count = regime.cases->rows,
         .begin = [&kernel = kernel, &cases = *regime.cases] { return kernel.fast_one_timed(cases); }});
  }

  void add_truths(Regime const& regime) {
    bool const slow = !regime.first || case_limits(kernel, options).slow_truths;
    add({.subject = "oracle",
         .baseline = true,
         .setting = "cache",
         .regime = regime.name,
         .count = regime.few->rows,
         .begin = [&kernel = kernel, &cases = *regime.few]() -> std::function<void()> {
           return [&] { benchmark::DoNotOptimize(kernel.truths(cases)); };
         },
         .slow = slow});
    // "judge" times a complete verdict: the computation of the truth, and the comparison of an answer with every
    // budget. The answer comes from the reference in double.
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
         .slow = slow});
  }

  /// Adds a timing of the reference at 50 digits. Each pass has as many cases as take about `reference_pass` seconds.
  void add_reference(std::string const& workload, Table const& cases) {
    double const seconds = seconds_of([&] { compute_reference(kernel, first_of(kernel, cases, 1)); });
    if (seconds > longest_reference) return;
    Table const& few = plan.tables.emplace_back(
        first_of(kernel, cases, std::max<std::uint64_t>(1, static_cast<std::uint64_t>(reference_pass / seconds))));
    add({.subject = "reference@mpfr:50",
         .baseline = true,
         .setting = "workload",
         .regime = workload,
         .count = few.rows,
         .begin = [&kernel = kernel, &few]() -> std::function<void()> {
           return [&] { compute_reference(kernel, few); };
         },
         .slow = true});
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
             .begin = [&kernel = kernel, &baseline, &cases] { return timed_baseline(kernel, baseline, cases); }});
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
           .slow = true});
    }
    add_reference(name, cases);
  }
};

Plan make_plan(Kernel const& kernel, std::vector<Subject const*> const& subjects, TimingOptions const& options) {
  Planner planner{kernel, subjects, options};
  planner.filter = std::make_shared<RE2 const>(options.filter, RE2::Quiet);
  planner.regimes = options.regimes;
  if (options.regimes.empty() && !options.workload)
    for (std::size_t i = 0; i < kernel.regimes.size(); ++i)
      // Only regimes that are drawn: the times of recorded cases are not representative.
      if (kernel.regimes[i].size == 0) planner.regimes.push_back(i);
  for (auto const& baseline : kernel.baselines)
    if (!baseline.outputs.empty()) planner.output_sets.insert(std::string(baseline.outputs));
  for (std::size_t const regime : planner.regimes) planner.add_regime(regime);
  if (options.workload) planner.add_workload(*options.workload);
  if (options.regimes.empty() && !options.workload)
    for (std::size_t i = 0; i < kernel.workloads.size(); ++i) planner.add_workload(i);
  return std::move(planner.plan);
}

// ------------------------------------------------------------------------------------------------------------- the run

constexpr char const* reference_workload_counter = "reference_workload_nanoseconds";
/// Marks repetitions without a time. The library can skip a repetition, but version 1.7 aborts if others of the same
/// entry are not skipped (google/benchmark, issue 1406). So a failed repetition is completed and marked instead.
constexpr char const* failed_counter = "failed";

void complete_without_time(benchmark::State& state) {
  while (state.KeepRunningBatch(state.max_iterations)) state.SetIterationTime(1);
  state.counters[failed_counter] = 1;
}

class Collector : public benchmark::BenchmarkReporter {
 public:
  std::map<std::string, std::vector<double>> nanoseconds;          // times of the passes over all cases, by entry name
  std::map<std::string, std::vector<double>> reference_workloads;  // times of the reference workload, by entry name
  std::function<void(std::string const&)> seen;

  bool ReportContext(Context const&) override { return true; }
  void ReportRuns(std::vector<Run> const& runs) override {
    for (auto const& run : runs) {
      if (run.run_type != Run::RT_Iteration || run.counters.contains(failed_counter)) continue;
      std::string const name = run.run_name.function_name;
      // If another process does the work, the processor time of this process has no meaning.
      bool const elsewhere = run.run_name.time_type == "manual_time";
      nanoseconds[name].push_back(elsewhere ? run.GetAdjustedRealTime() : run.GetAdjustedCPUTime());
      auto const beside = run.counters.find(reference_workload_counter);
      reference_workloads[name].push_back(beside == run.counters.end() ? 0 : beside->second.value);
      if (seen) seen(name);
    }
  }
};

/// Makes all passes of a repetition in one call of the timer, so that the time does not contain the messages to the
/// child process.
void time_isolated(IsolatedTimer& timer, benchmark::State& state, std::string& failure) {
  auto const passes = static_cast<std::uint64_t>(state.max_iterations);
  auto timed = timer.run(1);  // warm up
  if (timed.status == Status::answered) timed = timer.run(passes);
  if (timed.status != Status::answered) {
    failure = timed.message;
    complete_without_time(state);
    return;
  }
  while (state.KeepRunningBatch(state.max_iterations)) state.SetIterationTime(timed.seconds);
}

void time_separate(std::function<void()> const& run, benchmark::State& state, std::string& failure) {
  auto const seconds = [&] {
    auto const begin = std::chrono::steady_clock::now();
    try {
      if (failure.empty()) run();
    } catch (std::exception const& error) {
      failure = error.what();
    }
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  seconds();  // warm up
  for (auto _ : state) {
    double const of_pass = seconds();
    state.SetIterationTime(failure.empty() ? of_pass : 1);
  }
  if (!failure.empty()) state.counters[failed_counter] = 1;
}

/// An entry, and its state while it is timed.
struct Running {
  Entry const& entry;
  std::string name;
  std::function<void()> run{};
  std::unique_ptr<IsolatedTimer> isolated{};  ///< used instead of `run` for subjects that are not ours
  std::string failure{};

  bool separate() const { return entry.foreign != nullptr && entry.foreign->separate(); }

  /// Times the entry. `before` is the time of the reference workload before this timing. Sets `before` to the time of
  /// the reference workload after this timing.
  void time(benchmark::State& state, ReferenceWorkload& reference_workload, double& before) {
    if (isolation::stopping()) {
      if (failure.empty()) failure = isolation::stopped;
      complete_without_time(state);
      return;
    }
    if (isolated) {
      time_isolated(*isolated, state, failure);
    } else if (separate()) {
      time_separate(run, state, failure);
    } else {
      run();  // warm up
      for (auto _ : state) run();
    }
    // Uses the smaller of the two times of the reference workload. If one is larger, a disturbance may have affected it
    // that did not affect the timing in between.
    double const after = reference_workload.measure();
    state.counters[reference_workload_counter] = std::min(std::exchange(before, after), after);
    state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * static_cast<std::int64_t>(entry.count));
  }
};

Running begun(Kernel const& kernel, Entry const& entry) {
  Running running{entry, benchmark_name(kernel, entry)};
  if (entry.foreign != nullptr && !entry.foreign->separate()) {
    running.isolated =
        std::make_unique<IsolatedTimer>(entry.begin, entry.foreign->limits, entry.foreign->patience.get());
  } else {
    running.run = entry.begin();
  }
  return running;
}

/// Initialises the library. Repetitions are interleaved in random order, so that a slow minute of the machine affects
/// all entries alike.
void initialize_library() {
  [[maybe_unused]] static bool const initialized = [] {
    // Static, because the library keeps a pointer to the program's name.
    static std::string program = "demeter";
    std::string flag = "--benchmark_enable_random_interleaving=true";
    std::vector<char*> arguments{program.data(), flag.data()};
    int count = 2;
    benchmark::Initialize(&count, arguments.data());
    return true;
  }();
}

/// Writes the JSON of the library and collects the times. In the JSON, a failed repetition has an error, and an entry
/// with failed repetitions has no mean.
struct JsonAndCollector : benchmark::BenchmarkReporter {
  benchmark::JSONReporter json;
  Collector& collector;
  std::set<std::string> failed;

  JsonAndCollector(std::ostream& out, Collector& collector_) : collector(collector_) {
    for (auto* reporter : std::initializer_list<benchmark::BenchmarkReporter*>{this, &json}) {
      reporter->SetOutputStream(&out);
      reporter->SetErrorStream(&out);
    }
  }
  bool ReportContext(Context const& context) override { return json.ReportContext(context); }
  void ReportRuns(std::vector<Run> const& runs) override {
    std::vector<Run> written;
    for (Run run : runs) {
      std::string const& name = run.run_name.function_name;
      if (run.run_type == Run::RT_Iteration && run.counters.erase(failed_counter) > 0) {
        run.error_occurred = true;
        run.error_message = "this repetition failed or was stopped";
        failed.insert(name);
      }
      if (run.run_type == Run::RT_Iteration || !failed.contains(name)) written.push_back(std::move(run));
    }
    json.ReportRuns(written);
    collector.ReportRuns(runs);
  }
  void Finalize() override { json.Finalize(); }
};

/// Adds the entry to the timings or to the failed timings.
void add_result(Running const& running, Collector& collector, Timings& result) {
  Entry const& entry = running.entry;
  if (!running.failure.empty()) {
    bool const known = std::any_of(result.failed.begin(), result.failed.end(), [&](FailedTiming const& each) {
      return each.subject == entry.subject && each.message == running.failure;
    });
    if (!known) result.failed.push_back({entry.subject, running.failure, false});
    return;
  }
  TimedEntry timing{.subject = entry.subject,
                    .baseline = entry.baseline,
                    .setting = entry.setting,
                    .regime = entry.regime,
                    .outputs = entry.outputs,
                    .count = entry.count,
                    .batch = entry.batch};
  for (double const value : collector.nanoseconds[running.name])
    timing.samples.push_back(value / static_cast<double>(entry.count));
  timing.reference_workload = collector.reference_workloads[running.name];
  timing.nanoseconds = median(timing.samples);
  result.timings.push_back(std::move(timing));
}

Timings run(Kernel const& kernel, Plan const& plan, TimingOptions const& options, std::ostream* json) {
  initialize_library();
  if (json != nullptr)
    for (auto const& each : options.context) benchmark::AddCustomContext(each.first, each.second);
  benchmark::ClearRegisteredBenchmarks();
  std::deque<Running> all;
  for (auto const& entry : plan.entries) all.push_back(begun(kernel, entry));
  double repetitions = 0;
  for (auto const& entry : plan.entries) repetitions += entry.repetitions;
  double const share = options.all_seconds / (time_with_calibration * std::max(repetitions, 1.0));
  double const seconds =
      options.all_seconds > 0 ? std::clamp(share, shortest_repetition, options.seconds) : options.seconds;
  ReferenceWorkload reference_workload;
  double before = reference_workload.measure();
  for (auto& running : all) {
    auto* const registered = benchmark::RegisterBenchmark(
        running.name.c_str(), [&running, &reference_workload, &before](benchmark::State& state) {
          running.time(state, reference_workload, before);
        });
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
  for (auto const& running : all) add_result(running, collector, result);
  return result;
}

}  // namespace

Timings time_kernel(Kernel const& kernel, std::vector<Subject const*> const& subjects, TimingOptions const& options,
                    std::ostream* json) {
  Plan plan = make_plan(kernel, subjects, options);
  Timings result = run(kernel, plan, options, json);
  result.used = plan.screening.used;
  result.total = plan.screening.total;
  result.screened = std::move(plan.screening.screened);
  return result;
}

}  // namespace demeter::bench
