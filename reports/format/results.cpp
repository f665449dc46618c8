#include "reports/format/results.hpp"

#include "bench/core/reference_workload.hpp"
#include "check/threads.hpp"
#include "fast/core/level.hpp"
#include "reports/family/nonsmooth/solver_studies.hpp"
#include "reports/format/continuity.hpp"
#include "reports/format/errata.hpp"
#include "reports/format/ladder.hpp"
#include "reports/format/mutation.hpp"
#include "subjects/outside/programs.hpp"

#include <fmt/chrono.h>

#include <sys/utsname.h>
#include <unistd.h>
#include <chrono>
#include <ctime>
#include <deque>
#include <fstream>
#include <thread>

namespace demeter {

namespace {

/// Returns the first line of a file, or an empty text if the file cannot be read.
std::string first_line(std::string const& path) {
  std::ifstream in(path);
  std::string line;
  std::getline(in, line);
  return line;
}

/// Returns the number of processes that ran or waited for a core, averaged over the last minute.
report::Number load() {
  std::ifstream in("/proc/loadavg");
  double value = 0;
  return in >> value ? report::Number(value) : std::nullopt;
}

/// Returns the caches of the first core, for example "L1 data 32K".
std::vector<std::string> caches() {
  std::vector<std::string> result;
  for (int i = 0; i < 8; ++i) {
    std::string const folder = fmt::format("/sys/devices/system/cpu/cpu0/cache/index{}/", i);
    std::string const level = first_line(folder + "level"), type = first_line(folder + "type"),
                      size = first_line(folder + "size");
    if (level.empty() || size.empty()) break;
    result.push_back(fmt::format("L{}{} {}", level,
                                 type == "Data"          ? " data"
                                 : type == "Instruction" ? " instructions"
                                                         : "",
                                 size));
  }
  return result;
}

}  // namespace

report::Machine machine(BuildInfo const& build) {
  report::Machine result;
  result.cpu = "unknown";
  std::ifstream info("/proc/cpuinfo");
  bool hypervisor = false;
  // Reads only the lines of the first processor.
  for (std::string line; std::getline(info, line) && !line.empty();) {
    std::string const key = line.substr(0, line.find_first_of("\t:")),
                      value = line.substr(std::min(line.find(':') + 2, line.size()));
    if (key == "model name") result.cpu = value;
    if (key == "cpu family" || key == "model" || key == "stepping")
      result.processor +=
          fmt::format("{}{} {}", result.processor.empty() ? "" : ", ", key == "cpu family" ? "family" : key, value);
    if (key == "cpu MHz") result.clock_mhz = std::strtod(value.c_str(), nullptr);
    if (key == "flags") hypervisor = (" " + value + " ").find(" hypervisor ") != std::string::npos;
  }
  result.caches = caches();
  result.load_before = load();
  if (hypervisor) {
    std::string const maker = first_line("/sys/class/dmi/id/sys_vendor"),
                      product = first_line("/sys/class/dmi/id/product_name");
    result.virtual_machine = maker + (maker.empty() || product.empty() ? "" : " ") + product;
    if (result.virtual_machine.empty()) result.virtual_machine = "of an unnamed hypervisor";
  }
  result.cores = std::thread::hardware_concurrency();
  for (std::size_t i = 0; i < labels(Level{}).size(); ++i)
    if (available(static_cast<Level>(i))) result.levels.emplace_back(labels(Level{})[i]);
  result.level = labels(Level{})[static_cast<std::size_t>(best_level())];
  result.compiler = build.compiler;
  result.flags = build.flags;
  utsname system{};
  uname(&system);
  result.system = fmt::format("{} {} {}", system.sysname, system.release, system.machine);
  auto const pages = static_cast<double>(sysconf(_SC_PHYS_PAGES)), page = static_cast<double>(sysconf(_SC_PAGE_SIZE));
  result.memory_gib = std::round(pages * page / 0x1p30 * 10) / 10;
  return result;
}

namespace {

/// Rounds values to six digits, because no clock is more accurate.
std::vector<double> six_digits(std::vector<double> values) {
  for (double& value : values) value = rounded(value);
  return values;
}

}  // namespace

report::Speed describe(Kernel const& kernel, bench::Timings const& timings) {
  report::Speed result;
  result.used = count(timings.used);
  result.total = count(timings.total);
  result.reference_workload = bench::reference_workload_name;
  for (auto const& each : timings.screened)
    result.screened_out.push_back({each.subject, count(each.cases), each.contender});
  for (auto const& each : timings.timings)
    result.timings.push_back({each.subject, each.baseline ? "baseline" : "subject", each.setting, each.regime,
                              each.outputs, rounded(each.nanoseconds), six_digits(each.samples),
                              six_digits(each.reference_workload), count(each.count),
                              each.baseline ? ""
                              : each.batch  ? "batch"
                                            : "single"});
  for (auto const& each : kernel.baselines) {
    std::string const name = bench::full_name(each);
    bool const timed = std::any_of(timings.timings.begin(), timings.timings.end(),
                                   [&](bench::TimedEntry const& timing) { return timing.subject == name; });
    if (timed)
      result.baselines.push_back(
          {name, std::string(each.doc), std::string(each.judged_as), std::string(each.leaves_out)});
  }
  for (auto const& each : timings.failed) result.not_timed.push_back({each.subject, each.message});
  return result;
}

namespace {

/// Measures the seconds since the last call of lap(), or since construction.
class Stopwatch {
 public:
  double now() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - since_).count(); }
  double lap() {
    auto const now = std::chrono::steady_clock::now();
    double const seconds = std::chrono::duration<double>(now - since_).count();
    since_ = now;
    return seconds;
  }

 private:
  std::chrono::steady_clock::time_point since_ = std::chrono::steady_clock::now();
};

/// Returns the number of cases for laws. `demeter check --count` uses the same number.
std::uint64_t laws_of(std::uint64_t cases) { return std::max<std::uint64_t>(cases / 10, 1); }

/// Rounds down to two significant digits: 4,781 becomes 4,700.
std::uint64_t rounded_down(std::uint64_t number) {
  std::uint64_t power = 1;
  while (number / power >= 100) power *= 10;
  return number / power * power;
}

/// Returns the processor time of one certified truth in the first regime, in seconds. Other programs on the machine do
/// not increase this time.
double seconds_of_a_truth(Kernel const& kernel, std::uint64_t seed) {
  constexpr std::uint64_t cases = 64;
  Table table(kernel.input);
  for (std::uint64_t id = 0; id < cases; ++id) kernel.generate(0, seed, id, table);
  auto const processor_seconds = [] {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
  };
  kernel.truths(table);  // warm up
  double const begin = processor_seconds();
  kernel.truths(table);
  return (processor_seconds() - begin) / static_cast<double>(cases);
}

/// Returns the number of cases per regime for a subject with slow answers: all its cases then fit into `seconds`.
/// Returns nothing for other subjects. An answer is slow if it takes at least half a millisecond and at least as long
/// as ten truths. The subject would then take most of the time of a check. Examples are sweeps that converge slowly,
/// and a peer that exceeds its time limit in every hundredth case. `a_truth` is the result of seconds_of_a_truth(). It
/// is a parameter, because its computation takes as long as many answers.
std::optional<std::uint64_t> slow_cases(Kernel const& kernel, Subject const& subject, std::uint64_t seed,
                                        double seconds, double a_truth) {
  constexpr std::uint64_t few = 10, enough = 2000;
  std::uint64_t const tried = a_truth < 1e-3 ? 12 : 2;  // if truths are slow, answers may be slow too; therefore only a
                                                        // few are timed
  Table table(kernel.input);
  std::uint64_t regimes = 0;
  for (std::size_t regime = 0; regime < kernel.regimes.size(); ++regime) {
    if (kernel.regimes[regime].size > 0) continue;
    ++regimes;
    for (std::uint64_t id = 0; id < tried; ++id) kernel.generate(regime, seed, id, table);
  }
  Answers answers;
  answers.clear(kernel.output);
  Stopwatch stopwatch;
  answer(subject, kernel, table, answers);
  double const an_answer = stopwatch.lap() / static_cast<double>(std::max<std::size_t>(table.rows, 1));
  if (an_answer < 0.5e-3 || an_answer < 10 * a_truth) return std::nullopt;
  double const fitting = seconds / (an_answer * static_cast<double>(std::max<std::uint64_t>(regimes, 1)));
  return rounded_down(static_cast<std::uint64_t>(std::clamp(fitting, double{few}, double{enough})));
}

/// Returns the number of cases per regime that all these subjects can answer in about `seconds`, but at least a minimum
/// number. All subjects get the same number of cases, because maxima over different numbers of cases cannot be
/// compared.
std::uint64_t cases_in(double seconds, Kernel const& kernel, std::vector<Subject const*> const& subjects,
                       CheckOptions options) {
  options.shrink = false;
  options.model_distance = false;  // not part of a trial: it takes the same time for few cases as for many
  options.progress = nullptr;
  for (std::size_t regime = 0; regime < kernel.regimes.size(); ++regime)
    if (kernel.regimes[regime].size == 0) options.regimes.push_back(regime);
  Stopwatch stopwatch;
  auto const timed = [&](std::uint64_t cases) {
    options.cases = cases;
    options.law_cases = laws_of(cases);
    check(kernel, subjects, options);
    return stopwatch.lap();
  };
  // The minimum number of cases. If truths are fast, it is the number that a table of errors needs. A maximum over
  // fewer than 100 cases is not reliable. But there is no time for 100 cases if each truth is a search in many digits.
  constexpr double cheap = 20e-6, affordable = 4e-3;
  double const a_truth = seconds_of_a_truth(kernel, options.seed);
  std::uint64_t const least = a_truth < cheap ? 2000 : a_truth < affordable ? 100 : 20;
  // Increases the number of cases until a trial takes a measurable part of the time.
  std::uint64_t few = a_truth < 0.2e-3 ? 8 : 2;
  double of_few = timed(few);
  if (of_few > 0.3 * seconds)  // a longer trial would take most of the time
    return rounded_down(std::max(static_cast<std::uint64_t>(seconds / of_few * static_cast<double>(few)), least));
  // One-time costs, such as starting the processes of peers, may dominate the first trial.
  std::uint64_t more = 4 * few;
  double of_more = timed(more);
  while (of_more < 0.03 * seconds && more < 2048) {
    few = std::exchange(more, more * 4);
    of_few = std::exchange(of_more, timed(more));
  }
  // The times of two trials may differ by less than their noise. The larger trial then gives a lower bound for the time
  // per case.
  double const a_case = std::max(
      {(of_more - of_few) / static_cast<double>(more - few), 0.25 * of_more / static_cast<double>(more), 1e-7});
  constexpr double most = 1e4;  // more cases hardly increase a maximum, and other kernels need the time
  auto const fitting = static_cast<std::uint64_t>(std::clamp(seconds / a_case, 20.0, most));
  // Many subjects can make a case expensive although its truth is fast. The minimum may then take twice the time, and
  // 300 cases are enough for a verdict.
  std::uint64_t const at_least = least <= 300 ? least : std::clamp<std::uint64_t>(2 * fitting, 300, least);
  return rounded_down(std::max(fitting, at_least));
}

}  // namespace

CheckOptions check_alike(Kernel const& kernel, std::vector<Subject const*> const& subjects,
                         ReportOptions const& options, double seconds, report::Kernel& entry,
                         std::function<void(double done, std::string const& what)> const& progress) {
  CheckOptions checking;
  checking.seed = options.seed;
  checking.for_a_verdict = true;  // as in `demeter check`: the cases are then the same
  checking.deciding = {Profile::everyday, Profile::degenerate};
  checking.jobs = options.jobs;
  checking.stop = options.stop;
  auto const given = options.cases_of.find(kernel.name);
  checking.cases = given != options.cases_of.end() ? given->second
                   : options.seconds > 0
                       ? std::min(options.cases, cases_in(seconds * 0.55, kernel, subjects, checking))
                       : std::max(options.cases / kernel.case_divisor, std::min<std::uint64_t>(options.cases, 200));
  checking.law_cases = laws_of(checking.cases);
  // Limits the time of shrinking: with many failures, shrinking every example would take too long.
  if (!options.full)
    checking.shrink_seconds =
        (options.seconds > 0 ? 0.25 * seconds : 4.0) * options.jobs / static_cast<double>(subjects.size());
  checking.progress = progress;
  entry.cases_per_regime = count(checking.cases);
  auto const checks = check(kernel, subjects, checking);
  entry.subjects.resize(subjects.size());
  for_each_in_threads(options.jobs, subjects.size(), nullptr, [&](std::size_t i) {
    entry.subjects[i] = describe(kernel, *subjects[i], checks[i], checking, Examples::brief);
  });
  return checking;
}

namespace {

/// The time for one kind of work on all kernels. If a kernel does not use its share, later kernels can use the rest.
class Purse {
 public:
  /// If `seconds` is 0, the time is unlimited and every share is 0.
  Purse(double seconds, std::size_t kernels) : left_(seconds), kernels_(kernels), limited_(seconds > 0) {}
  double share() const {
    constexpr double least = 0.2;
    return limited_ ? std::max(left_ / static_cast<double>(std::max<std::size_t>(kernels_, 1)), least) : 0;
  }
  void spend(double seconds) {
    left_ -= seconds;
    --kernels_;
  }

 private:
  double left_;
  std::size_t kernels_;
  bool limited_;
};

/// Shares of the time limit of a report. The remaining third is for the pages, and for kernels whose minimum number of
/// cases takes longer than their share.
constexpr double of_checks = 0.27, of_timings = 0.20, of_mutants = 0.07, of_ladders = 0.02, of_continuity = 0.06,
                 of_solvers = 0.04;

/// Returns the order in which kernels are checked. With a time limit, kernels with slow truths come last and get the
/// time that the other kernels did not use.
std::vector<std::size_t> order_of_checks(ReportOptions const& options) {
  std::vector<std::pair<double, std::size_t>> order;
  for (std::size_t at = 0; at < options.kernels.size(); ++at)
    order.emplace_back(options.seconds > 0 ? seconds_of_a_truth(*options.kernels[at], options.seed) : 0, at);
  std::sort(order.begin(), order.end());
  std::vector<std::size_t> result;
  for (auto const& each : order) result.push_back(each.second);
  return result;
}

/// Runs the ladder with one case per regime. Then runs it with the number of cases that fit into the time, at most
/// `most`.
std::vector<LadderRow> climb_in(double seconds, Kernel const& kernel, ReportOptions const& options,
                                std::uint64_t most) {
  auto const climbed = [&](std::uint64_t cases) {
    return climb_ladder(kernel, options.seed, cases, options.jobs, options.stop);
  };
  if (seconds == 0) return climbed(most);
  Stopwatch stopwatch;
  auto first = climbed(1);
  double const fitting = seconds / stopwatch.now() - 1;
  return fitting < 2 ? first : climbed(std::min(most, static_cast<std::uint64_t>(fitting)));
}

/// Returns the solver studies if their kernel is in the report: a study measured now, and the recorded study.
std::vector<report::SolverStudy> solver_studies(ReportOptions const& options, report::Results const& results) {
  bool const asked = std::any_of(options.kernels.begin(), options.kernels.end(),
                                 [](Kernel const* kernel) { return kernel->name == nonsmooth::solved_kernel; });
  if (!asked || (options.stop != nullptr && options.stop->load())) return {};
  std::vector<report::SolverStudy> made{nonsmooth::measured_study(of_solvers * options.seconds, options.stop),
                                        nonsmooth::recorded_study()};
  made.front().commit = results.run.commit;
  made.front().created = results.run.created;
  made.front().cpu = results.machine.cpu;
  made.front().level = results.machine.level;
  made.front().command = fmt::format("demeter report --kernel {}", nonsmooth::solved_kernel);
  return made;
}

/// Returns the subjects that answer a kernel. The subjects of the user come last.
std::vector<Subject const*> answering(Kernel const& kernel, ReportOptions const& options) {
  auto able = subjects_answering(kernel);
  for (auto const* subject : subjects_answering(kernel, options.outside)) able.push_back(subject);
  return able;
}

/// The subjects that answer a kernel. The subjects in `asked` all get the same cases. Programs and subjects with slow
/// answers are in `dear` and get fewer cases.
struct Chosen {
  std::vector<Subject const*> asked, dear;
  std::deque<Subject> hurried;  ///< copies of subjects, with another time limit or number of cases
};

Chosen choose_subjects(Kernel const& kernel, ReportOptions const& options, double seconds) {
  Chosen chosen;
  auto& [asked, dear, hurried] = chosen;
  double const a_truth = options.seconds > 0 ? seconds_of_a_truth(kernel, options.seed) : 0;
  for (auto const* subject : answering(kernel, options)) {
    if (options.seconds > 0 && !subject->ours() && !subject->separate()) {
      // Usually a subject answers in microseconds. A subject that takes a second probably does not answer at all. A
      // short report does not wait ten seconds for it.
      subject = &hurried.emplace_back(*subject);
      hurried.back().limits.time_per_chunk = std::chrono::seconds(1);
      hurried.back().patience = std::make_shared<Patience>();
    }
    if (options.seconds > 0 && subject->cases == 0)
      if (auto const cases = slow_cases(kernel, *subject, options.seed, 0.3 * seconds, a_truth)) {
        subject = &hurried.emplace_back(*subject);
        hurried.back().cases = *cases;
        hurried.back().patience = std::make_shared<Patience>();  // timeouts in slow_cases() are not counted as timeouts
                                                                 // of the check
      }
    (subject->cases > 0 ? dear : asked).push_back(subject);
  }
  for (auto const& program : found_programs().subjects)
    if (program.find(kernel.name) != nullptr) dear.push_back(&program);
  return chosen;
}

/// Checks programs and subjects with slow answers. They run in parallel, each in one thread.
void check_few(Kernel const& kernel, std::vector<Subject const*> const& dear, ReportOptions const& options,
               double seconds, CheckOptions const& check_options, report::Kernel& entry) {
  std::vector<report::Contender> few(dear.size());
  for_each_in_threads(options.jobs, dear.size(), nullptr, [&](std::size_t i) {
    CheckOptions of_it = affordable(*dear[i], check_options);
    // For a formula or a peer, laws are the most informative check.
    if (!dear[i]->separate() && !dear[i]->approximate()) of_it.law_cases = laws_of(of_it.cases);
    of_it.shrink = !dear[i]->separate() && !dear[i]->ours();
    of_it.jobs = 1;
    of_it.progress = nullptr;
    of_it.seconds = options.seconds > 0 ? std::max(seconds * 0.1, 1.2) : 0;
    few[i] = describe(kernel, *dear[i], check(kernel, {dear[i]}, of_it).front(), of_it, Examples::brief);
  });
  for (auto& each : few) entry.subjects.push_back(std::move(each));
}

report::Mutation measure_mutants(Kernel const& kernel, ReportOptions const& options, double seconds) {
  MutationOptions mutation;
  mutation.seed = options.seed;
  mutation.survey_cases = std::min(mutation.survey_cases, options.cases);
  mutation.survey_seconds = seconds;
  mutation.jobs = options.jobs;
  mutation.stop = options.stop;
  Mutants const& each = *find_mutants(kernel.name);
  return describe(kernel, each, mutation_score(kernel, each, mutation));
}

/// Searches for jumps, if the kernel has paths to search.
template <class Progress>
void search_jumps(Kernel const& kernel, ReportOptions const& options, double seconds, report::Kernel& entry,
                  Progress const& progress) {
  auto const* const laboratory = find_laboratory(kernel.name);
  if (laboratory == nullptr) return;
  SurveyOptions survey_options;
  survey_options.seed = options.seed;
  // A full report searches as many paths as the overview of `demeter continuity`. Other reports search fewer paths, so
  // that the search takes some seconds.
  if (!options.full) {
    survey_options.paths = std::min<std::uint64_t>(12'000, options.cases);
    survey_options.others = std::min<std::uint64_t>(1'500, options.cases);
    survey_options.outside = std::min<std::uint64_t>(300, options.cases);
  }
  survey_options.seconds = seconds;
  survey_options.jobs = options.jobs;
  survey_options.stop = options.stop;
  survey_options.progress = [&](double, std::string const& what) { progress(what); };
  auto const surveyed = survey(kernel, *laboratory, surveyed_subjects(kernel), survey_options);
  entry.continuity = describe(kernel, *laboratory, surveyed, survey_options);
}

/// Times every kernel of the report. The progress bar advances from `done` by `whole`.
void time_kernels(ReportOptions const& options, Purse& timings, double done, double whole, report::Results& result) {
  auto& entries = result.kernels;
  double const parts = static_cast<double>(options.kernels.size());
  for (std::size_t k = 0; k < options.kernels.size(); ++k) {
    Kernel const& kernel = *options.kernels[k];
    if (options.stop != nullptr && options.stop->load()) break;
    auto const able = answering(kernel, options);
    bench::TimingOptions timing;
    timing.seed = options.seed;
    timing.every_regime = options.full;
    if (!options.full) {
      timing.seconds /= 2;
      timing.in_cache /= 4;  // drawing and screening more cases would take longer than timing them
      timing.streaming_bytes = std::size_t{64} << 20;  // smaller than usual: slow code would otherwise take a second
                                                       // per pass
      // Drawing and screening cases and starting subjects take about a third of the time.
      timing.all_seconds = 0.65 * timings.share();
      timing.repetitions = 9;  // the minimum number for which `compare` reports a slowdown
      timing.scalar_elsewhere = false;
    }
    timing.progress = [&](double share, std::string const& what) {
      if (options.progress) options.progress(done + share * whole / parts, what);
    };
    Stopwatch stopwatch;
    if (k == 0) result.machine.load_before_timings = load();
    entries[k].speed = describe(kernel, bench::time_kernel(kernel, able, timing));
    entries[k].seconds.speed = stopwatch.lap();
    timings.spend(*entries[k].seconds.speed);
    done += whole / parts;
  }
}

}  // namespace

report::Results results(ReportOptions const& options, BuildInfo const& build) {
  Stopwatch whole;
  report::Results result;
  result.run.version = build.version;
  result.run.commit = build.commit;
  result.run.seed = options.seed;
  result.run.cases_per_regime = count(options.cases);
  result.run.full = options.full;
  result.run.created = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
  if (options.seconds > 0) result.run.seconds = options.seconds;
  result.machine = machine(build);
  result.subjects = describe_subjects(options.outside);
  result.missing_peers = missing_peers();

  double const parts = static_cast<double>(options.kernels.size());
  auto const purse = [&](double share) { return Purse(share * options.seconds, options.kernels.size()); };
  Purse checks = purse(of_checks), timings = purse(of_timings), mutants = purse(of_mutants),
        ladders = purse(of_ladders), continuity = purse(of_continuity);
  // The part of the progress bar before the timings.
  constexpr double check_share = 1 - of_timings;
  auto& entries = result.kernels;
  entries.resize(options.kernels.size());
  double done = 0;
  auto const stopped = [&] { return options.stop != nullptr && options.stop->load(); };
  for (std::size_t const at : order_of_checks(options)) {
    Kernel const* const kernel = options.kernels[at];
    double const seconds = checks.share();
    Stopwatch stopwatch;
    Chosen const chosen = choose_subjects(*kernel, options, seconds);
    report::Kernel entry = describe(*kernel);
    entry.errata = describe_errata(*kernel);
    report::Seconds& spent = entry.seconds;
    CheckOptions const check_options =
        check_alike(*kernel, chosen.asked, options, seconds, entry, [&](double share, std::string const& what) {
          if (options.progress) options.progress(done + share * check_share / parts, what);
        });
    spent.check = stopwatch.lap();
    check_few(*kernel, chosen.dear, options, seconds, check_options, entry);
    spent.few = stopwatch.lap();
    checks.spend(*spent.check + *spent.few);
    std::uint64_t const most = std::max<std::uint64_t>(100 / kernel->case_divisor, 4);
    entry.ladder = describe(*kernel, climb_in(ladders.share(), *kernel, options, most));
    spent.ladder = stopwatch.lap();
    ladders.spend(*spent.ladder);
    if (!stopped()) entry.mutation = measure_mutants(*kernel, options, mutants.share());
    spent.mutants = stopwatch.lap();
    mutants.spend(*spent.mutants);
    if (!stopped())
      search_jumps(*kernel, options, continuity.share(), entry, [&](std::string const& what) {
        if (options.progress) options.progress(done + check_share / parts, what);
      });
    spent.continuity = stopwatch.lap();
    continuity.spend(*spent.continuity);
    entries[at] = std::move(entry);
    done += check_share / parts;
  }
  // Timings are the last work and run alone, so that no other work of this program disturbs them.
  if (options.progress) options.progress(done, "solvers of many contacts");
  result.solvers = solver_studies(options, result);
  time_kernels(options, timings, done, 1 - check_share, result);
  result.run.elapsed_seconds = whole.lap();
  return result;
}

}  // namespace demeter
