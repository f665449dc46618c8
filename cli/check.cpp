#include "properties/core/check.hpp"

#include "cli/command.hpp"
#include "reports/describe.hpp"

namespace demeter::cli {
namespace {

void print_check(Output& out, Kernel const& kernel, Subject const& subject, SubjectCheck const& check,
                 CheckOptions const& options, bool every) {
  out.print("\n{} against {}: {}\n", kernel.name, subject.name, check.passed() ? "held" : "FAILED");
  for (std::size_t k = 0; k < kernel.budgets.size(); ++k) {
    Budget budget = kernel.budgets[k];
    budget.units *= options.budget_factor;
    std::vector<Accuracy const*> cells;
    for (auto const& cell : check.accuracy)
      if (cell.budget == k && cell.judged + cell.crash + cell.timeout + cell.unsupported > 0) cells.push_back(&cell);
    std::uint64_t judged = 0, failed = 0, crashed = 0, unsupported = 0;
    Accuracy const* worst = nullptr;
    for (auto const* cell : cells) {
      judged += cell->judged;
      failed += cell->failed;
      crashed += cell->crash + cell->timeout;
      unsupported += cell->unsupported;
      if (worst == nullptr || cell->max_error > worst->max_error) worst = cell;
    }
    if (worst == nullptr || judged + crashed == 0) continue;
    out.print("  {:<16} max {:>8} (budget {}), {} of {} failed{}{}, worst in {} (id {})\n", budget.output,
              brief(worst->max_error), budget_text(budget), failed, judged,
              crashed > 0 ? fmt::format(", {} crashed or hung", crashed) : "",
              unsupported > 0 ? fmt::format(", {} unsupported", unsupported) : "", kernel.regimes[worst->regime].name,
              worst->worst ? worst->worst->id : 0);
    for (auto const* cell : cells)
      if (every || cell->failed + cell->crash + cell->timeout > 0)
        out.print("    {:<24} max {:>8}  mean {:>8}  {} of {} failed\n", kernel.regimes[cell->regime].name,
                  brief(cell->max_error), brief(cell->mean_error()), cell->failed, cell->judged);
  }
  for (auto const& failure : check.failures)
    out.print("  a small case like the worst of {}, {} off by {}:\n    {}\n",
              kernel.regimes[failure.example.regime].name, kernel.budgets[failure.budget].output,
              brief(failure.example.error), explain_command(kernel, failure.example.input, 0, subject.name));
  for (auto const& law : check.laws) {
    if (law.applicable == 0) continue;
    LawInfo const& info = kernel.laws[law.law];
    if (law.broken == 0) {
      if (every)
        out.print("  law {:<24} holds in {} cases, at most {} of its tolerance\n", info.name, law.applicable,
                  brief(law.worst));
      continue;
    }
    out.print("  law {} broken in {} of {} cases, by {} tolerances ({}):", info.name, law.broken, law.applicable,
              std::isinf(law.worst) ? "unboundedly many" : brief(law.worst), info.tolerance);
    for (auto const& breach : law.regimes)
      if (breach.broken > 0) out.print(" {} {}", kernel.regimes[breach.regime].name, breach.broken);
    out.print("\n");
    if (law.counterexample)
      out.print("    {} --law {}{}\n", explain_command(kernel, law.counterexample->inputs, 0, subject.name), info.name,
                law.counterexample->salt > 0 ? fmt::format(" --salt {}", law.counterexample->salt) : "");
  }
}

/// Subjects that are checked on the same cases.
struct Round {
  Kernel const* kernel;
  std::vector<Subject const*> subjects;
  CheckOptions options;
};

/// Generated cases for all but recorded answers, which are checked on their own.
std::vector<Round> rounds_of(Kernel const& kernel, std::vector<Subject const*> const& subjects,
                             CheckOptions const& options) {
  std::vector<Round> rounds{{&kernel, {}, options}};
  for (auto const* subject : subjects) {
    std::uint64_t count = 0;
    Kernel const* const recorded = recorded_kernel(kernel, *subject, count);
    if (recorded == nullptr) {
      rounds.front().subjects.push_back(subject);
      continue;
    }
    rounds.push_back({recorded, {subject}, options});
    CheckOptions& all = rounds.back().options;
    all.cases = all.law_cases = count;
    all.every_case = true;
    all.regimes.clear();
  }
  if (rounds.front().subjects.empty()) rounds.erase(rounds.begin());
  return rounds;
}

}  // namespace

Run check(CLI::App& app) {
  struct Options : Common {
    std::uint64_t law_cases = 0;
    bool full = false, all = false, no_shrink = false, allow_undecided = false;
    Options() { count = 20'000; }
  };
  auto* verb = app.add_subcommand("check", "regimes, oracle, laws and shrinking against subjects");
  auto options = std::make_shared<Options>();
  verb->add_option("kernel", options->kernels, "the kernels; all if none is given");
  add_subjects(
      verb, options->subject,
      "fast, documented, bullet, ... (a,b or several times), all, lib:PATH (a shared library), pipe:COMMAND (a "
      "program) or file:PATH (recorded answers)")
      ->required();
  verb->add_option("--count", options->count, "cases a regime")->check(whole_number(1))->capture_default_str();
  verb->add_option("--laws", options->law_cases, "cases a law and regime; a tenth of --count if not given")
      ->check(whole_number(1));
  verb->add_flag("--full", options->full, "1,000,000 cases a regime");
  verb->add_option("--seed", options->seed, "the same seed gives the same check")
      ->check(whole_number())
      ->capture_default_str();
  verb->add_option("--regime", options->regime, "one regime only");
  verb->add_option("--jobs", options->jobs, "threads; all processors if not given")->check(whole_number(1, 1024));
  add_limits(verb, *options);
  verb->add_option("--budget", options->budget, "multiply every budget by this")
      ->check(positive_number())
      ->capture_default_str();
  verb->add_flag("--all", options->all, "also what held");
  verb->add_flag("--no-shrink", options->no_shrink, "leave failing cases as they were found");
  verb->add_flag("--allow-undecided", options->allow_undecided, "undecided is no failure");
  verb->add_flag("--json", options->json, "the results as JSON");
  verb->footer("Example:\n  demeter check segment_distance --subject fast --count 10000");
  return [options]() -> int {
    auto const chosen = kernels_or_complain("check", options->kernels);
    if (chosen.empty()) return bad_usage;
    std::vector<Subject const*> asked;
    for (auto const& name : options->subject) {
      if (name == "all") {
        for (auto const& subject : subjects()) asked.push_back(&subject);
        continue;
      }
      asked.push_back(subject_or_complain("check", name, options->subject_options()));
      if (asked.back() == nullptr) return bad_usage;
    }
    CheckOptions check_options;
    check_options.seed = options->seed;
    check_options.cases = options->full ? 1'000'000 : options->count;
    check_options.law_cases =
        options->law_cases > 0 ? options->law_cases : std::max<std::uint64_t>(check_options.cases / 10, 1);
    check_options.jobs = options->threads();
    check_options.budget_factor = options->budget;
    check_options.shrink = !options->no_shrink;
    watch_signals();
    check_options.stop = &stop_requested();
    Output out;
    nlohmann::ordered_json results = nlohmann::ordered_json::array();
    bool all_held = true, any = false, undecided = false;
    std::string first_failure;
    Progress progress;
    check_options.progress = [&](double done, std::string const& what) { progress(done, what); };
    for (auto const* kernel : chosen) {
      std::optional<std::size_t> regime;
      if (!regime_or_complain("check", *kernel, options->regime, regime)) return bad_usage;
      if (regime) check_options.regimes = {*regime};
      for (auto const& [used, able, round_options] :
           rounds_of(*kernel, subjects_answering(*kernel, asked), check_options)) {
        any = true;
        auto const checks = demeter::check(*used, able, round_options);
        nlohmann::ordered_json of_kernel = describe(*used);
        of_kernel["subjects"] = nlohmann::ordered_json::array();
        for (std::size_t i = 0; i < able.size(); ++i) {
          if (options->json) {
            of_kernel["subjects"].push_back(describe(*used, *able[i], checks[i], round_options));
          } else {
            print_check(out, *used, *able[i], checks[i], round_options, options->all);
            if (auto const& strays = *able[i]->strays; strays.lines() > 0)
              out.print("  said {} things that answer no case; the first: {}\n", strays.lines(), strays.first());
          }
          if (!checks[i].passed() && std::exchange(all_held, false))
            first_failure = fmt::format("{} fails {}", able[i]->name, used->name);
          undecided = undecided || checks[i].undecided() > 0;
        }
        results.push_back(std::move(of_kernel));
      }
      if (!out.flush()) return complain(broken, "check", out.error());
      if (stop_requested()) break;
    }
    if (!any) return complain(bad_usage, "check", "none of the subjects answers any of the kernels");
    if (options->json) out.print("{}\n", results.dump(2));
    if (!out.flush()) return complain(broken, "check", out.error());
    if (stop_requested()) return complain(failed, "check", "stopped before the end; what is printed is what was done");
    if (!all_held) return complain(failed, "check", first_failure);
    if (undecided && !options->allow_undecided) return complain(failed, "check", "some cases are undecided");
    return complain_of_strays("check", asked);
  };
}

}  // namespace demeter::cli
