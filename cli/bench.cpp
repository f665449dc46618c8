#include "bench/core/reference_workload.hpp"
#include "cli/core/command.hpp"
#include "cli/core/selection.hpp"
#include "cli/core/version.hpp"
#include "reports/format/results.hpp"

#include <sstream>

namespace demeter::cli {
namespace {

void print_timings(Output& out, Kernel const& kernel, demeter::bench::Timings const& timings) {
  if (timings.total == 0)
    out.print("{}\n", kernel.name);
  else
    out.print("{}: {} of {} typical inputs used (others: an error above 1e-6 of the scale)\n", kernel.name,
              timings.used, timings.total);
  for (auto const& each : timings.screened)
    out.print("  {}: error above 1e-6 of the scale for {} inputs{}\n", each.subject, each.cases,
              each.contender ? "" : "; the choice of the inputs ignores this subject");
  out.print("  {:<32} {:<10} {:<24} {:<24} {:>12} {:>10}\n", "name", "setting", "regime", "outputs", "ns per case",
            "spread");
  for (auto const& each : timings.timings) {
    auto const [low, high] = std::minmax_element(each.samples.begin(), each.samples.end());
    out.print("  {:<32} {:<10} {:<24} {:<24} {:>12.3f} {:>9.0f}%\n", plain_text(each.subject), each.setting,
              each.regime, each.outputs, each.nanoseconds,
              each.samples.empty() ? 0.0 : 100 * (*high - *low) / each.nanoseconds);
  }
  for (auto const& each : timings.failed)
    out.print("  {} not timed: {}\n", plain_text(each.subject), plain_text(each.message));
}

struct BenchArguments : Common {
  Selection selection;
  std::string filter;
  double seconds = 60, each = 0.05;
  int repetitions = 9;
  bool every_regime = false;
};

demeter::bench::TimingOptions timing_options(BenchArguments const& options) {
  demeter::bench::TimingOptions timing;
  timing.seed = options.seed;
  timing.seconds = options.each;
  timing.repetitions = options.repetitions;
  timing.every_regime = options.every_regime;
  timing.filter = options.filter;
  auto const computer = machine(this_build());
  timing.context = {{"demeter_reference_workload", demeter::bench::reference_workload_name},
                    {"demeter_version", this_build().version},
                    {"demeter_commit", this_build().commit},
                    {"demeter_seed", std::to_string(options.seed)},
                    {"demeter_cpu", computer.cpu},
                    {"demeter_compiler", this_build().compiler},
                    {"demeter_flags", this_build().flags}};
  return timing;
}

/// Finds the subjects that the options name. Returns `held` (success), or the exit code after an error message.
int find_subjects(BenchArguments const& options, std::vector<Subject const*>& asked) {
  SubjectOptions hurried = options.subject_options();
  hurried.timeouts = 2;  // a subject that hangs is given up after two timeouts
  for (auto const& name : options.subject) {
    asked.push_back(subject_or_complain("bench", name, hurried));
    if (asked.back() == nullptr) return bad_usage;
    if (asked.back()->origin == Origin::file)
      return complain(bad_usage, "bench", fmt::format("{}: recorded answers cannot be timed", name));
    if (asked.back()->cases > 0)
      return complain(
          bad_usage, "bench",
          fmt::format("{}: cannot be timed: the program starts for every call, and the start takes most of the time",
                      name));
  }
  return binary32_or_complain("bench", options, options.subject) ? held : bad_usage;
}

int run_bench(BenchArguments const& options) {
  auto const chosen = kernels_or_complain("bench", options.kernels);
  if (chosen.empty()) return bad_usage;
  if (options.json && chosen.size() > 1)
    return complain(bad_usage, "bench", "--json: expected one kernel, so that the output is one JSON document");
  if (auto const wrong = demeter::bench::wrong_filter(options.filter))
    return complain(bad_usage, "bench", "--filter: " + *wrong);
  std::vector<Subject const*> asked;
  if (int const code = find_subjects(options, asked); code != held) return code;
  for (auto const* subject : asked)
    if (auto const why = cannot_start(*subject, chosen)) return complain(bad_usage, "bench", *why);
  if (chosen.size() == 1 && asked.size() == 1 && subject_for(*chosen.front(), *asked.front()) == nullptr)
    return complain(bad_usage, "bench", why_not(*chosen.front(), *asked.front()));
  Output out;
  bool any = false;
  std::string not_timed;
  Progress progress;
  auto timing = timing_options(options);
  timing.all_seconds = options.seconds / static_cast<double>(chosen.size());
  timing.progress = [&](double done, std::string const& what) { progress(done, what); };
  for (auto const* kernel : chosen) {
    auto const able = options.subject.empty() ? subjects_answering(*kernel) : subjects_answering(*kernel, asked);
    auto const selected = select_or_complain("bench", *kernel, options.selection, Among::workloads_too);
    if (!selected) return bad_usage;
    timing.workload = selected->workload;
    timing.sizes = selected->sizes;
    timing.regimes.clear();
    if (!selected->all) timing.regimes = selected->regimes;
    std::ostringstream json;
    auto const timings = demeter::bench::time_kernel(*kernel, able, timing, options.json ? &json : nullptr);
    bool const some = !timings.timings.empty() || !timings.failed.empty();
    any = any || some;
    for (auto const& failure : timings.failed)
      if (!failure.declined && not_timed.empty())
        not_timed = fmt::format("{} could not be timed on {}: {}", failure.subject, kernel->name, failure.message);
    if (options.json) {
      out.print("{}", json.str());
    } else if (some) {
      print_timings(out, *kernel, timings);
    }
    if (!out.flush()) return complain(broken, "bench", out.error());
    if (stop_requested()) return complain(failed, "bench", "stopped: printed results are partial");
  }
  if (!any)
    return complain(bad_usage, "bench",
                    "nothing to time: no subject answers these kernels, or --filter matches nothing");
  if (!not_timed.empty()) return complain(failed, "bench", not_timed);
  return complain_of_strays("bench", asked);
}

}  // namespace

Verb bench() {
  Verb verb{"bench", "times subjects and comparison routines on the same inputs, interleaved"};
  auto options = std::make_shared<BenchArguments>();
  verb.option("kernel", options->kernels, "the kernels; all if none is given");
  add_subjects(verb, options->subject,
               "only these subjects (a,b or repeated), also lib:PATH or pipe:COMMAND; all if none is given");
  add_limits(verb, *options);
  add_selection(verb, options->selection, "these regimes, or a workload");
  verb.flag("--every-regime", options->every_regime, "time every subject on every regime, not only the batch forms");
  verb.option("--filter", options->filter,
              "only timings that match this regular expression: kernel/subject/setting/regime/outputs");
  verb.option("--time", options->seconds, "approximate total time in seconds, shared by all timings")
      .check(positive_number())
      .shows_default();
  verb.option("--each", options->each, "shortest time per repetition in seconds, if --time allows it")
      .check(positive_number())
      .shows_default();
  verb.option("--repetitions", options->repetitions, "number of repetitions; the median is reported")
      .check(whole_number(1, 1000))
      .shows_default();
  verb.option("--seed", options->seed, "seed of the inputs").check(whole_number()).shows_default();
  verb.flag("--json", options->json, "print the timings in the JSON format of Google Benchmark");
  verb.example = "demeter bench segment_distance --subject fast --regime typical --time 1 --repetitions 3";
  verb.run = [options] { return run_bench(*options); };
  return verb;
}

}  // namespace demeter::cli
