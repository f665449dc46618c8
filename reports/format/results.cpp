#include "reports/format/results.hpp"

#include "bench/core/yardstick.hpp"
#include "fast/core/level.hpp"
#include "properties/core/threads.hpp"
#include "reports/format/continuity.hpp"
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

using Json = nlohmann::ordered_json;

Json machine(BuildInfo const& build) {
  Json result;
  std::string cpu = "unknown";
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    if (!line.starts_with("model name")) continue;
    cpu = line.substr(std::min(line.find(':') + 2, line.size()));
    break;
  }
  result["cpu"] = cpu;
  result["cores"] = std::thread::hardware_concurrency();
  result["levels"] = Json::array();
  for (std::size_t i = 0; i < labels(Level{}).size(); ++i)
    if (available(static_cast<Level>(i))) result["levels"].push_back(labels(Level{})[i]);
  result["level"] = labels(Level{})[static_cast<std::size_t>(best_level())];
  result["compiler"] = build.compiler;
  result["flags"] = build.flags;
  utsname system{};
  uname(&system);
  result["system"] = fmt::format("{} {} {}", system.sysname, system.release, system.machine);
  auto const pages = static_cast<double>(sysconf(_SC_PHYS_PAGES)), page = static_cast<double>(sysconf(_SC_PAGE_SIZE));
  result["memory_gib"] = std::round(pages * page / 0x1p30 * 10) / 10;
  return result;
}

Json describe(bench::Timings const& timings) {
  Json result;
  result["used"] = timings.used;
  result["total"] = timings.total;
  result["yardstick"] = bench::yardstick_name;
  result["screened_out"] = Json::array();
  for (auto const& each : timings.screened)
    result["screened_out"].push_back({{"subject", each.subject}, {"cases", each.cases}, {"contender", each.contender}});
  result["timings"] = Json::array();
  for (auto const& each : timings.timings)
    result["timings"].push_back({{"subject", each.subject},
                                 {"kind", each.baseline ? "baseline" : "subject"},
                                 {"setting", each.setting},
                                 {"regime", each.regime},
                                 {"outputs", each.outputs},
                                 {"nanoseconds", each.nanoseconds},
                                 {"samples", each.samples},
                                 {"yardstick", each.yardstick},
                                 {"count", each.count}});
  result["not_timed"] = Json::array();
  for (auto const& each : timings.failed)
    result["not_timed"].push_back({{"subject", each.subject}, {"why", each.message}});
  result["promises"] = Json::array();
  for (auto const& each : timings.promises)
    result["promises"].push_back({{"promise", each.text},
                                  {"promised", each.promised},
                                  {"measured", each.measured},
                                  {"better", each.at_least ? "higher" : "lower"},
                                  {"held", each.held}});
  return result;
}

namespace {

/// Seconds since the last lap, or since it was made.
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

/// Of all regimes and subjects.
std::uint64_t most_cases(std::vector<SubjectCheck> const& checks) {
  std::uint64_t most = 0;
  for (auto const& check : checks)
    for (auto const& cell : check.accuracy) most = std::max(most, cell.cases);
  return most;
}

}  // namespace

Json results(ReportOptions const& options, BuildInfo const& build) {
  Stopwatch whole;
  Json result;
  result["demeter"] = {
      {"version", build.version}, {"commit", build.commit},
      {"seed", options.seed},     {"cases_per_regime", options.cases},
      {"full", options.full},     {"created", fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)))},
      {"elapsed_seconds", 0.0}};
  if (options.seconds > 0) result["demeter"]["time_limit_seconds"] = options.seconds;
  result["machine"] = machine(build);
  describe_subjects(result);
  result["kernels"] = Json::array();

  // However little time there is, timings take about this long a kernel on an idle machine, and mutants and the ladder
  // this; what limited time is shared among the kernels is the rest.
  constexpr double timing_seconds = 11, undivided_seconds = 5;
  double const parts = static_cast<double>(options.kernels.size()), to_share = options.seconds - timing_seconds * parts;
  // How far the bar is when the timings begin.
  double const check_share = options.seconds > 0 ? std::clamp(to_share / options.seconds, 0.3, 0.9) : 0.65;
  std::vector<Json> entries;
  double done = 0;
  for (auto const* kernel : options.kernels) {
    // The fast forms are asked most, everyone else as often as a table of errors needs, dear ones a few times.
    std::vector<Subject const*> foremost, others, dear;
    std::deque<Subject> hurried;
    for (auto const* subject : subjects_answering(*kernel)) {
      if (options.seconds > 0 && !subject->ours && !subject->separate) {
        // What takes microseconds otherwise and a second here hangs: of that a short report need not wait for ten.
        subject = &hurried.emplace_back(*subject);
        hurried.back().limits.time_per_chunk = std::chrono::seconds(1);
        hurried.back().patience = std::make_shared<Patience>();
      }
      (subject->cases > 0                                    ? dear
       : subject->ours && subject->name.starts_with("fast@") ? foremost
                                                             : others)
          .push_back(subject);
    }
    for (auto const& program : found_programs().subjects)
      if (program.find(kernel->name) != nullptr) dear.push_back(&program);
    // What a kernel does not need is the next one's.
    double const seconds =
        options.seconds == 0 ? 0
                             : std::max(1.0, (to_share - whole.now()) / (parts - static_cast<double>(entries.size())) -
                                                 undivided_seconds);
    CheckOptions check_options;
    check_options.seed = options.seed;
    check_options.cases = std::max(options.cases / kernel->case_divisor, std::min<std::uint64_t>(options.cases, 200));
    check_options.law_cases = std::max<std::uint64_t>(check_options.cases / 25, 200);
    // Where truths are cheap, some seconds give the fast forms the 100,000 cases a regime that the report promises.
    check_options.seconds =
        options.seconds > 0 && kernel->case_divisor == 1 ? std::max(seconds * 0.5, 6.0) : seconds * 0.5;
    check_options.jobs = options.jobs;
    check_options.stop = options.stop;
    check_options.progress = [&](double share, std::string const& what) {
      if (options.progress) options.progress(done + share * check_share / parts, what);
    };
    Stopwatch stopwatch;
    Json spent;
    Json entry = describe(*kernel);
    entry["subjects"] = Json::array();
    for (bool const first : {true, false}) {
      auto const& asked = first ? foremost : others;
      if (!first && options.seconds > 0) {
        check_options.cases = std::min<std::uint64_t>(check_options.cases, 20'000);
        check_options.seconds = seconds * 0.2;
      }
      auto const checks = check(*kernel, asked, check_options);
      if (first) entry["cases_per_regime"] = most_cases(checks);
      std::vector<Json> described(asked.size());
      for_each_in_threads(options.jobs, asked.size(), nullptr, [&](std::size_t i) {
        described[i] = describe(*kernel, *asked[i], checks[i], check_options);
      });
      for (auto& each : described) entry["subjects"].push_back(std::move(each));
    }
    spent["check"] = stopwatch.lap();
    // Programs and what answers slowly: side by side, each of them in one thread.
    std::vector<Json> few(dear.size());
    for_each_in_threads(options.jobs, dear.size(), nullptr, [&](std::size_t i) {
      CheckOptions of_it = affordable(*dear[i], check_options);
      of_it.jobs = 1;
      of_it.progress = nullptr;
      of_it.seconds = seconds * 0.1;
      few[i] = describe(*kernel, *dear[i], check(*kernel, {dear[i]}, of_it).front(), of_it);
    });
    for (auto& each : few) entry["subjects"].push_back(std::move(each));
    spent["few"] = stopwatch.lap();
    std::uint64_t const rungs = std::max<std::uint64_t>(100 / kernel->case_divisor, 4);
    entry["ladder"] = describe(*kernel, climb_ladder(*kernel, options.seed, rungs, options.jobs, options.stop));
    spent["ladder"] = stopwatch.lap();
    if (options.stop == nullptr || !options.stop->load()) {
      MutationOptions mutation;
      mutation.seed = options.seed;
      mutation.survey_cases = std::min(mutation.survey_cases, options.cases);
      if (options.seconds > 0) mutation.survey_cases /= 4;
      mutation.jobs = options.jobs;
      mutation.stop = options.stop;
      Mutants const& mutants = *find_mutants(kernel->name);
      entry["mutants"] = describe(*kernel, mutants, mutation_score(*kernel, mutants, mutation));
    }
    spent["mutants"] = stopwatch.lap();
    if (auto const* const laboratory = find_laboratory(kernel->name);
        laboratory != nullptr && (options.stop == nullptr || !options.stop->load())) {
      SurveyOptions survey_options;
      survey_options.seed = options.seed;
      // As many as the command's overview, or few enough to take some seconds.
      if (!options.full) {
        survey_options.paths = std::min<std::uint64_t>(12'000, options.cases);
        survey_options.others = std::min<std::uint64_t>(1'500, options.cases);
        survey_options.outside = std::min<std::uint64_t>(300, options.cases);
      }
      survey_options.seconds = seconds * 0.15;
      survey_options.jobs = options.jobs;
      survey_options.stop = options.stop;
      survey_options.progress = [&](double, std::string const& what) {
        if (options.progress) options.progress(done + check_share / parts, what);
      };
      auto const surveyed = survey(*kernel, *laboratory, surveyed_subjects(*kernel), survey_options);
      entry["continuity"] = describe(*kernel, *laboratory, surveyed, survey_options);
    }
    spent["continuity"] = stopwatch.lap();
    entry["seconds"] = std::move(spent);
    entries.push_back(std::move(entry));
    done += check_share / parts;
  }
  // Timings last and alone, so that nothing of ours runs beside them.
  for (std::size_t k = 0; k < options.kernels.size(); ++k) {
    Kernel const& kernel = *options.kernels[k];
    if (options.stop != nullptr && options.stop->load()) break;
    auto const able = subjects_answering(kernel);
    bench::TimingOptions timing;
    timing.seed = options.seed;
    timing.every_regime = options.full;
    if (!options.full) {
      timing.seconds /= 2;
      timing.repetitions_elsewhere = 9;
      timing.scalar_elsewhere = false;
    }
    timing.progress = [&](double share, std::string const& what) {
      if (options.progress) options.progress(done + share * (1 - check_share) / parts, what);
    };
    Stopwatch stopwatch;
    entries[k]["speed"] = describe(bench::time_kernel(kernel, able, timing));
    entries[k]["seconds"]["speed"] = stopwatch.lap();
    done += (1 - check_share) / parts;
  }
  for (auto& entry : entries) result["kernels"].push_back(std::move(entry));
  result["demeter"]["elapsed_seconds"] = whole.lap();
  return result;
}

}  // namespace demeter
