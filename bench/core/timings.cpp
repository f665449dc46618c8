#include "bench/core/timings.hpp"

#include "bench/core/yardstick.hpp"
#include "fast/core/level.hpp"
#include "kernels/columns.hpp"
#include "kernels/lists.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <memory>
#include <regex>
#include <set>

namespace demeter::bench {
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

/// "textbook_vectorised@avx512".
std::string full_name(Baseline const& baseline) {
  return std::string(baseline.name) + "@" + std::string(baseline.level);
}

std::function<void()> timed_baseline(Kernel const& kernel, Baseline const& baseline, Table const& cases) {
  auto columns = std::make_shared<Columns>(cases, blank_outputs(kernel.input, kernel.output, cases, 0),
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

/// As many as the subject can be asked, of those that it answers at all.
Table answered_by(Kernel const& kernel, Subject const& subject, Table const& cases) {
  Table const some = first_of(kernel, cases, 4 * subject.cases);
  Answers answers;
  answer(subject, kernel, some, answers);
  Table answered(kernel.input);
  for (std::size_t row = 0; row < some.rows && answered.rows < subject.cases; ++row)
    if (answers.status[row] == Status::answered) append_row(kernel.input, answered, some, row);
  return answered;
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

/// Cases of a regime that every contender answers within 1e-6 of the input scale. Where truths take long, and after the
/// first regime, some are judged, and of the others it is enough to be answered.
Table screened_cases(Kernel const& kernel, std::vector<Subject const*> const& subjects, std::size_t regime,
                     TimingOptions const& options, Timings* note) {
  Table cases(kernel.input);
  for (std::uint64_t id = 0; id < 32; ++id) kernel.generate(regime, options.seed, id, cases);
  std::size_t numbers = 0;
  for (auto const& column : cases.columns) numbers += column.size();
  // Long lists: as many cases as have the numbers of `in_cache` ordinary ones, or they would not be in the cache.
  std::size_t const kept_rows = std::clamp<std::size_t>(options.in_cache * 128 * 32 / numbers, 64, options.in_cache);
  std::size_t const drawn = kept_rows + kept_rows / 4;
  cases.clear(kernel.input);
  for (std::uint64_t id = 0; id < drawn; ++id) kernel.generate(regime, options.seed, id, cases);
  std::size_t const affordable = std::max<std::size_t>(drawn / kernel.case_divisor, 64);
  std::size_t const examined = std::min({drawn, affordable, note != nullptr ? drawn : std::size_t{512}});
  Truths const truths = kernel.truths(first_of(kernel, cases, examined));
  std::vector<bool> usable(drawn, true);
  std::vector<Judged> judged(kernel.budgets.size());
  for (auto const* subject : subjects) {
    if (subject->approximate) continue;  // never a contender, whatever the case
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

std::optional<double> find_time(Timings const& timings, Timed const& what) {
  std::optional<double> slowest;
  for (auto const& timing : timings.timings) {
    if (timing.subject != what.subject || timing.setting != what.setting || timing.outputs != what.outputs) continue;
    if (what.regime != "*" && timing.regime != what.regime) continue;
    if (!slowest || timing.nanoseconds > *slowest) slowest = timing.nanoseconds;
  }
  return slowest;
}

}  // namespace

Timings time_kernel(Kernel const& kernel, std::vector<Subject const*> const& subjects, TimingOptions const& options,
                    std::ostream* json) {
  Timings result;
  struct Entry {
    std::string name;
    Timing timing;
    std::function<void()> run;
    std::unique_ptr<IsolatedTimer> isolated;  ///< instead of `run`, for a subject that is not ours
    bool separate = false;                    ///< `run` waits for another process
    int repetitions = 0;
    std::string failure;
  };
  std::vector<std::size_t> regimes = options.regimes;
  if (regimes.empty() && !options.workload)
    for (std::size_t i = 0; i < kernel.regimes.size(); ++i)
      if (kernel.regimes[i].size == 0) regimes.push_back(i);  // a time of all sorts of cases says nothing
  std::vector<Entry> entries;
  std::regex const filter(options.filter);
  auto const add = [&](std::string const& subject, bool baseline, std::string const& setting, std::string const& regime,
                       std::string const& outputs, std::size_t count,
                       std::function<std::function<void()>()> const& make, Subject const* foreign = nullptr,
                       bool dear = false) {
    std::string name = kernel.name + "/" + subject + "/" + setting + "/" + regime + "/" + outputs;
    if (!options.filter.empty() && !std::regex_search(name, filter)) return;
    Entry entry;
    entry.name = name;
    entry.timing = {subject, baseline, setting, regime, outputs, 0, {}, {}, count};
    bool const elsewhere = regimes.empty() || regime != kernel.regimes[regimes.front()].name;
    entry.repetitions = elsewhere ? options.repetitions_elsewhere.value_or(options.repetitions) : options.repetitions;
    if (dear) entry.repetitions = std::min(entry.repetitions, 5);  // it need not be known to a percent
    if (foreign == nullptr || foreign->ours) {
      entry.run = make();
    } else if (foreign->separate) {
      entry.run = make();
      entry.separate = true;
    } else {
      entry.isolated = std::make_unique<IsolatedTimer>(make, foreign->limits);
    }
    entries.push_back(std::move(entry));
  };
  std::set<std::string> output_sets;
  for (auto const& baseline : kernel.baselines)
    if (!baseline.outputs.empty()) output_sets.insert(std::string(baseline.outputs));

  std::deque<Table> tables;  // children read theirs when they are started
  for (std::size_t const regime : regimes) {
    std::string const regime_name = kernel.regimes[regime].name;
    bool const first = regime == regimes.front();  // the first regime is the ordinary one: everyone is timed there
    bool const everyone = first || options.every_regime;
    std::vector<Subject const*> contenders;
    for (auto const* subject : subjects)
      if (subject->find(kernel.name)->timed && (everyone || subject->find(kernel.name)->timed_columns) &&
          (everyone || options.scalar_elsewhere || subject->name == kernel.fast() ||
           !subject->name.ends_with("@scalar")))
        contenders.push_back(subject);
    Table const& cases =
        tables.emplace_back(screened_cases(kernel, contenders, regime, options, first ? &result : nullptr));
    if (cases.rows == 0) continue;
    // Truths take microseconds to milliseconds each: some.
    Table const& few = tables.emplace_back(
        first_of(kernel, cases,
                 truths_in_a_pass(kernel, cases, options.in_cache / static_cast<std::size_t>(kernel.case_divisor))));
    // Streaming shows the memory's limit, which only batch forms come near, and of these only fast ones: here what
    // reads and writes two bytes a nanosecond.
    std::map<Subject const*, double> rough;
    for (auto const* subject : contenders)
      if (subject->ours && !subject->approximate) rough[subject] = rough_nanoseconds(kernel, *subject, cases);
    double const slow = bytes_a_case(kernel, cases) / 2;
    auto const streams = [&](Subject const* subject) {
      auto const found = rough.find(subject);
      return subject->find(kernel.name)->timed_columns && (found == rough.end() || found->second < slow);
    };
    bool const any_streams = first && std::any_of(contenders.begin(), contenders.end(), streams);
    Table const& many = tables.emplace_back(any_streams ? tiled(kernel, cases, options.streaming_bytes) : Table{});
    for (bool const streaming : {false, true}) {
      std::string const setting = streaming ? "streaming" : "cache";
      Table const* const table = streaming ? &many : &cases;
      if (table->rows == 0) continue;
      for (auto const* subject : contenders) {
        Answering const& answering = *subject->find(kernel.name);
        if (subject->approximate) {
          if (streaming) continue;
          Table const& affordable = tables.emplace_back(answered_by(kernel, *subject, cases));
          if (affordable.rows == 0) continue;
          add(
              subject->name, false, setting, regime_name, "all", affordable.rows,
              [&answering, &affordable] { return answering.timed(affordable); }, subject, true);
          continue;
        }
        if (streaming && !streams(subject)) continue;
        // What takes long is no nearer its time for more cases.
        Table const* timed = table;
        double const most = subject->ours ? (first ? 50e6 : 10e6) / std::max(rough.at(subject), 1.0) : 1e9;
        if (!streaming && most < static_cast<double>(cases.rows))
          timed =
              &tables.emplace_back(first_of(kernel, cases, static_cast<std::uint64_t>(std::clamp(most, 64.0, 1e9))));
        if (answering.timed_columns)
          for (auto const& outputs : output_sets)
            add(
                subject->name, false, setting, regime_name, outputs, timed->rows,
                [&kernel, &answering, timed, outputs] {
                  return answering.timed_columns(*timed, wanted_columns(kernel, outputs));
                },
                subject);
        if (first || !answering.timed_columns || output_sets.empty())
          add(
              subject->name, false, setting, regime_name, "all", timed->rows,
              [&answering, timed] { return answering.timed(*timed); }, subject);
      }
      // The certified truth itself, on the inputs of every regime unless that takes minutes.
      bool const certified = !streaming && (first || kernel.case_divisor < 10);
      if (certified)
        add(
            "oracle", true, setting, regime_name, "all", few.rows,
            [&]() -> std::function<void()> {
              return [&kernel, &cases = few] { benchmark::DoNotOptimize(kernel.truths(cases)); };
            },
            nullptr, !first);
      // A whole certified verdict: the truth, and the reference's answer in double held against every budget.
      if (Answering const* const judged = kernel.find("reference@double"); certified && judged != nullptr)
        add(
            "judge", true, setting, regime_name, "all", few.rows,
            [&]() -> std::function<void()> {
              auto answers = std::make_shared<Answers>();
              answers->clear(kernel.output);
              judged->answer(few, *answers);
              return [&kernel, &cases = few, answers, verdicts = std::vector<Judged>(kernel.budgets.size())]() mutable {
                Truths const truths = kernel.truths(cases);
                for (std::size_t row = 0; row < cases.rows; ++row) {
                  kernel.judge(cases, truths, row, *answers, row, {}, verdicts);
                  benchmark::DoNotOptimize(verdicts.data());
                }
              };
            },
            nullptr, !first);
      if (!first) continue;
      for (auto const& baseline : kernel.baselines) {
        bool runs = false;
        for (std::size_t i = 0; i < labels(Level{}).size(); ++i)
          runs = runs || (labels(Level{})[i] == baseline.level && available(static_cast<Level>(i)));
        if (runs)
          add(full_name(baseline), true, setting, regime_name,
              baseline.outputs.empty() ? "all" : std::string(baseline.outputs), table->rows,
              [&] { return timed_baseline(kernel, baseline, *table); });
      }
    }
  }

  std::vector<std::size_t> workloads;
  if (options.workload) workloads = {*options.workload};
  if (options.regimes.empty() && !options.workload)
    for (std::size_t i = 0; i < kernel.workloads.size(); ++i) workloads.push_back(i);
  for (std::size_t const workload : workloads) {
    std::string const& name = kernel.workloads[workload].name;
    Table const& cases = tables.emplace_back(workload_cases(kernel, workload, options));
    for (auto const* subject : subjects) {
      Answering const& answering = *subject->find(kernel.name);
      if (!subject->ours || subject->approximate || !answering.timed_columns) continue;
      add(
          subject->name, false, "workload", name, "all", cases.rows,
          [&answering, &cases] { return answering.timed(cases); }, subject, true);
    }
    // The reference where a case takes less than a tenth of a second, on as many as take half of that together.
    Table const one = first_of(kernel, cases, 1);
    double const seconds = seconds_of([&] { compute_reference(kernel, one); });
    if (seconds > 0.1) continue;
    Table const& few = tables.emplace_back(
        first_of(kernel, cases, std::max<std::uint64_t>(1, static_cast<std::uint64_t>(0.05 / seconds))));
    add(
        "reference@mpfr:50", true, "workload", name, "all", few.rows,
        [&kernel, &few]() -> std::function<void()> { return [&kernel, &few] { compute_reference(kernel, few); }; },
        nullptr, true);
  }

  // Interleaved: repetitions of everything in random order, so that a slow minute of the machine hits all alike.
  static bool const initialized = [] {
    // Static: the library keeps the program's name.
    static std::string program = "demeter";
    std::string flag = "--benchmark_enable_random_interleaving=true";
    std::vector<char*> arguments{program.data(), flag.data()};
    int count = 2;
    benchmark::Initialize(&count, arguments.data());
    return true;
  }();
  (void)initialized;
  if (json != nullptr)
    for (auto const& each : options.context) benchmark::AddCustomContext(each.first, each.second);
  benchmark::ClearRegisteredBenchmarks();
  Yardstick yardstick;
  for (auto& entry : entries) {
    auto* const registered =
        benchmark::RegisterBenchmark(entry.name.c_str(), [&entry, &yardstick](benchmark::State& state) {
          double const before = yardstick.measure();
          if (entry.isolated) {
            time_isolated(*entry.isolated, state, entry.failure);
          } else if (entry.separate) {
            time_separate(entry.run, state, entry.failure);
          } else {
            entry.run();  // touch
            for (auto _ : state) entry.run();
          }
          // The lesser: what struck one of them only need not have struck what lay between.
          state.counters[yardstick_counter] = std::min(before, yardstick.measure());
          state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) *
                                  static_cast<std::int64_t>(entry.timing.count));
        });
    registered->Repetitions(entry.repetitions)->MinTime(options.seconds);
    if (entry.isolated || entry.separate) registered->UseManualTime();
  }
  Collector collector;
  std::size_t done = 0;
  collector.seen = [&](std::string const& name) {
    if (options.progress)
      options.progress(std::min(1.0, static_cast<double>(++done) / static_cast<double>(entries.size())), name);
  };
  if (!entries.empty()) {
    if (json != nullptr) {
      benchmark::JSONReporter reporter;
      reporter.SetOutputStream(json);
      reporter.SetErrorStream(json);
      struct Both : benchmark::BenchmarkReporter {
        benchmark::JSONReporter& one;
        Collector& two;
        Both(benchmark::JSONReporter& a, Collector& b) : one(a), two(b) {}
        bool ReportContext(Context const& context) override { return one.ReportContext(context); }
        void ReportRuns(std::vector<Run> const& runs) override {
          one.ReportRuns(runs);
          two.ReportRuns(runs);
        }
        void Finalize() override { one.Finalize(); }
      } both(reporter, collector);
      both.SetOutputStream(json);
      both.SetErrorStream(json);
      benchmark::RunSpecifiedBenchmarks(&both, nullptr, ".");
    } else {
      benchmark::RunSpecifiedBenchmarks(&collector, nullptr, ".");
    }
  }
  for (auto& entry : entries) {
    if (!entry.failure.empty()) {
      bool const known = std::any_of(result.failed.begin(), result.failed.end(), [&](FailedTiming const& each) {
        return each.subject == entry.timing.subject && each.message == entry.failure;
      });
      if (!known) result.failed.push_back({entry.timing.subject, entry.failure});
      continue;
    }
    auto const& measured = collector.seconds[entry.name];
    for (double const value : measured) entry.timing.samples.push_back(value / static_cast<double>(entry.timing.count));
    entry.timing.yardstick = collector.yardsticks[entry.name];
    entry.timing.nanoseconds = median(entry.timing.samples);
    result.timings.push_back(entry.timing);
  }
  for (auto const& promise : kernel.promises) {
    auto const over = find_time(result, promise.over);
    auto const under = promise.under.subject.empty() ? std::optional(1.0) : find_time(result, promise.under);
    if (!over || !under || *under == 0) continue;
    double const ratio = *over / *under;
    result.promises.push_back({std::string(promise.text), promise.bound, ratio, promise.at_least,
                               promise.at_least ? ratio >= promise.bound : ratio <= promise.bound});
  }
  return result;
}

}  // namespace demeter::bench
