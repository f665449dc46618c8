#include "properties/core/check.hpp"

#include "cli/baseline.hpp"
#include "cli/budget.hpp"
#include "cli/command.hpp"
#include "reports/describe.hpp"
#include "reports/results.hpp"
#include "version.hpp"

namespace demeter::cli {
namespace {

void print_check(Output& out, Kernel const& kernel, Subject const& subject, SubjectCheck const& check,
                 CheckOptions const& options, bool every) {
  out.print("\n{} against {}: {}\n", kernel.name, subject.name, check.passed() ? "held" : "FAILED");
  for (std::size_t k = 0; k < kernel.budgets.size(); ++k) {
    std::vector<Accuracy const*> cells;
    for (auto const& cell : check.accuracy)
      if (cell.budget == k && cell.judged + cell.crash + cell.timeout + cell.unsupported + cell.known > 0)
        cells.push_back(&cell);
    std::uint64_t judged = 0, failed = 0, crashed = 0, unsupported = 0, known = 0;
    Accuracy const* worst = nullptr;
    for (auto const* cell : cells) {
      judged += cell->judged;
      failed += cell->failed;
      crashed += cell->crash + cell->timeout;
      unsupported += cell->unsupported;
      known += cell->known;
      if (worst == nullptr || cell->max_error > worst->max_error) worst = cell;
    }
    if (worst == nullptr || judged + crashed + known == 0) continue;
    out.print("  {:<16} max {:>8} (budget {}), {} of {} failed{}{}{}, worst in {} (id {})\n", kernel.budgets[k].output,
              brief(worst->max_error), tolerance_text(kernel, k, options.budget_factors), failed, judged,
              known > 0 ? fmt::format(", {} known", known) : "",
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
    if (law.known > 0) out.print("  law {:<24} broken in {} cases that are known\n", info.name, law.known);
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

/// The entries of a baseline about a kernel and its subjects that no failure met and that a look at their one case, if
/// they have one, does not meet either: fixed meanwhile.
std::vector<KnownFailure const*> no_longer_failing(KnownFailures const& known, Kernel const& kernel,
                                                   std::vector<Subject const*> const& subjects,
                                                   std::vector<std::vector<std::string>> const& names,
                                                   CheckOptions const& options) {
  std::vector<KnownFailure const*> fixed;
  for (std::size_t i = 0; i < known.entries().size(); ++i) {
    KnownFailure const& entry = known.entries()[i];
    if (known.met(i)) continue;
    bool looked = false, fails = false;
    for (std::size_t s = 0; s < subjects.size(); ++s) {
      if (!is_about(entry, kernel, names[s])) continue;
      if (entry.input) {
        looked = true;
        fails = fails || still_fails(entry, kernel, *subjects[s], options.budget_factors).value_or(true);
      } else {
        looked = looked || options.regimes.empty() || kernel.regimes[options.regimes.front()].name == entry.regime;
      }
    }
    if (looked && !fails) fixed.push_back(&entry);
  }
  return fixed;
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
    BaselineOptions baseline;
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
  add_budget(verb, options->budget);
  add_baseline(verb, options->baseline);
  verb->add_flag("--all", options->all, "also what held");
  verb->add_flag("--no-shrink", options->no_shrink, "leave failing cases as they were found");
  verb->add_flag("--allow-undecided", options->allow_undecided, "undecided is no failure");
  verb->add_flag("--json", options->json, "the results as JSON");
  verb->footer("Example:\n  demeter check segment_distance --subject fast --count 10000");
  return [options]() -> int {
    auto const chosen = kernels_or_complain("check", options->kernels);
    if (chosen.empty()) return bad_usage;
    auto const budget = budget_or_complain("check", options->budget, chosen);
    if (!budget) return bad_usage;
    std::vector<Subject const*> asked;
    std::vector<std::string> typed;
    for (auto const& name : options->subject) {
      if (name == "all") {
        for (auto const& subject : subjects()) asked.push_back(&subject), typed.push_back(subject.name);
        continue;
      }
      asked.push_back(subject_or_complain("check", name, options->subject_options()));
      if (asked.back() == nullptr) return bad_usage;
      typed.push_back(name);
    }
    KnownFailures known;
    if (int const code = open_baseline("check", options->baseline, known); code != held) return code;
    std::vector<KnownFailure> found;
    std::vector<junit::Suite> suites;
    CheckOptions check_options;
    check_options.seed = options->seed;
    check_options.cases = options->full ? 1'000'000 : options->count;
    check_options.law_cases =
        options->law_cases > 0 ? options->law_cases : std::max<std::uint64_t>(check_options.cases / 10, 1);
    check_options.jobs = options->threads();
    check_options.shrink = !options->no_shrink;
    watch_signals();
    check_options.stop = &stop_requested();
    Output out;
    auto const computer = machine({DEMETER_VERSION, DEMETER_COMMIT, DEMETER_COMPILER, DEMETER_FLAGS});
    nlohmann::ordered_json results = nlohmann::ordered_json::array();
    bool all_held = true, any = false, undecided = false;
    std::string first_failure;
    Progress progress;
    check_options.progress = [&](double done, std::string const& what) { progress(done, what); };
    for (auto const* kernel : chosen) {
      std::optional<std::size_t> regime;
      if (!regime_or_complain("check", *kernel, options->regime, regime)) return bad_usage;
      if (regime) check_options.regimes = {*regime};
      std::vector<Subject const*> able;
      std::vector<std::vector<std::string>> names;
      for (std::size_t i = 0; i < asked.size(); ++i) {
        if (asked[i]->find(kernel->name) == nullptr) continue;
        able.push_back(asked[i]);
        names.push_back({typed[i], asked[i]->name});
      }
      check_options.budget_factors = budget->factors(*kernel);
      for (auto const& round : rounds_of(*kernel, able, check_options)) {
        any = true;
        Kernel const& used = *round.kernel;
        CheckOptions round_options = round.options;
        std::vector<std::vector<std::string>> names_of_round;
        for (auto const* subject : round.subjects)
          names_of_round.push_back(names[static_cast<std::size_t>(std::ranges::find(able, subject) - able.begin())]);
        if (!known.entries().empty())
          round_options.known = [&known, &names_of_round, &used](FailingCase const& failing) {
            return known.accepts({used, names_of_round[failing.subject], used.regimes[failing.regime].name,
                                  failing.budget ? used.budgets[*failing.budget].output : std::string_view(),
                                  failing.law ? std::string_view(used.laws[*failing.law].name) : std::string_view(),
                                  failing.cases, failing.row, failing.error});
          };
        auto const checks = demeter::check(used, round.subjects, round_options);
        nlohmann::ordered_json of_kernel = describe(used);
        of_kernel["run"] = {{"version", DEMETER_VERSION},  {"commit", DEMETER_COMMIT},     {"seed", options->seed},
                            {"cpu", computer["cpu"]},      {"compiler", DEMETER_COMPILER}, {"flags", DEMETER_FLAGS},
                            {"levels", computer["levels"]}};
        of_kernel["subjects"] = nlohmann::ordered_json::array();
        for (std::size_t i = 0; i < round.subjects.size(); ++i) {
          Subject const& subject = *round.subjects[i];
          if (options->json) {
            of_kernel["subjects"].push_back(describe(used, subject, checks[i], round_options));
          } else {
            print_check(out, used, subject, checks[i], round_options, options->all);
          }
          if (!checks[i].passed() && std::exchange(all_held, false))
            first_failure = fmt::format("{} fails {}", subject.name, used.name);
          undecided = undecided || checks[i].undecided() > 0;
          suites.push_back(junit::suite(used, subject, checks[i], round_options, options->allow_undecided));
          for (auto& entry : new_failures(used, names_of_round[i].front(), checks[i]))
            found.push_back(std::move(entry));
        }
        if (!stop_requested()) {
          for (auto const* entry : no_longer_failing(known, used, round.subjects, names_of_round, round_options)) {
            if (options->json) {
              of_kernel["no_longer_fails"].push_back(nlohmann::ordered_json::parse(known_line(*entry)));
            } else {
              out.print("  no longer fails: {} ({} line {})\n", known_name(*entry), options->baseline.known,
                        entry->line);
            }
          }
        }
        results.push_back(std::move(of_kernel));
      }
      if (!out.flush()) return complain(broken, "check", out.error());
      if (stop_requested()) break;
    }
    if (!any) return complain(bad_usage, "check", "none of the subjects answers any of the kernels");
    if (int const code = write_baseline("check", options->baseline, known, found, suites); code != held) return code;
    if (options->json) out.print("{}\n", results.dump(2));
    if (!out.flush()) return complain(broken, "check", out.error());
    if (stop_requested()) return complain(failed, "check", "stopped before the end; what is printed is what was done");
    if (!all_held) return complain(failed, "check", first_failure);
    if (undecided && !options->allow_undecided) return complain(failed, "check", "some cases are undecided");
    return complain_of_strays("check", asked);
  };
}

}  // namespace demeter::cli
