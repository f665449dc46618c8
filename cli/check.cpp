#include "cli/check.hpp"

#include "cli/core/baseline.hpp"
#include "cli/core/budget.hpp"
#include "cli/core/formula.hpp"
#include "cli/core/state.hpp"
#include "cli/core/version.hpp"
#include "reports/format/describe.hpp"
#include "reports/format/results.hpp"
#include "subjects/outside/programs.hpp"

namespace demeter::cli {
namespace {

void print_recorded(Output& out, Kernel const& kernel, Subject const& subject, SubjectCheck const& check) {
  if (check.taken_up > 0)
    out.print("  taken up from an unfinished check: {} blocks of cases were done\n", check.taken_up);
  if (check.recorded > 0)
    out.print("  recorded failures: {} of {} fail again\n", check.still_failing.size(), check.recorded);
  // The shortest tell most: those are the shrunk ones.
  std::vector<std::string> commands;
  for (auto const& failure : check.still_failing)
    commands.push_back(explain_command(kernel, failure.input, 0, subject, failure.law, failure.salt) +
                       formula_option(check.formula));
  std::stable_sort(commands.begin(), commands.end(), [](auto const& a, auto const& b) { return a.size() < b.size(); });
  constexpr std::size_t shown = 5;
  for (std::size_t i = 0; i < std::min(shown, commands.size()); ++i) out.print("    {}\n", commands[i]);
  if (commands.size() > shown) out.print("    and {} more\n", commands.size() - shown);
}

/// How far a model is from the recommended formula: no defect of the subject's.
void print_model(Output& out, Kernel const& kernel, SubjectCheck const& check, bool every) {
  if (check.model.empty()) return;
  for (std::size_t k = 0; k < kernel.budgets.size(); ++k) {
    Accuracy const* farthest = nullptr;
    std::uint64_t cases = 0;
    for (auto const& cell : check.accuracy) {
      if (cell.budget != k || cell.model_cases == 0) continue;
      cases += cell.model_cases;
      if (farthest == nullptr || cell.model_distance > farthest->model_distance) farthest = &cell;
    }
    if (farthest == nullptr) continue;
    std::string const measure = kernel.budgets[k].measure == Measure::relative ? " |truth|" : " S";
    out.print("  the formula {} is up to {} u{} from the recommended one in {}, {} cases: the largest in {}\n",
              check.model, brief(farthest->model_distance), measure, kernel.budgets[k].output, cases,
              kernel.regimes[farthest->regime].name);
    for (auto const& cell : check.accuracy)
      if (every && cell.budget == k && cell.model_cases > 0)
        out.print("    {:<24} {:>8} u{}, {} cases\n", kernel.regimes[cell.regime].name, brief(cell.model_distance),
                  measure, cell.model_cases);
  }
}

void print_check(Output& out, Kernel const& kernel, Subject const& subject, SubjectCheck const& check,
                 CheckOptions const& options, bool every) {
  out.print("\n{} against {}: {}\n", kernel.name, subject.name,
            check.answered_nothing() ? "answered nothing"
            : check.passed()         ? "held"
                                     : "FAILED");
  out.print("  {}\n", describe(kernel, subject, check, options).sentence);
  if (subject.cases > 0)
    out.print("  {}, asked {} cases a regime{}; not shrunk\n", subject.approximate ? "an approximation" : "a program",
              options.cases, options.law_cases > 0 ? "" : " and no laws (--count, --laws)");
  print_recorded(out, kernel, subject, check);
  std::uint64_t verdicts = 0, refined = 0;
  for (auto const& cell : check.accuracy) verdicts += cell.judged, refined += cell.refined;
  if (verdicts > 0)
    out.print("  {} verdicts, {} of them by intervals of more bits, {} undecided\n", verdicts, refined,
              check.undecided());
  if (verdicts > 0 && (!kernel.certainty.bounded() || !check.formula.empty()))
    out.print("  truth: {}\n", truth_words(kernel, check.formula));
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
              brief(failure.example.error),
              explain_command(kernel, failure.example.input, 0, subject) + formula_option(check.formula));
  for (auto const& law : check.laws) {
    if (law.applicable == 0) continue;
    LawInfo const& info = kernel.laws[law.law];
    if (law.known > 0) out.print("  law {:<24} broken in {} cases that are known\n", info.name, law.known);
    if (law.by_formula > 0)
      out.print("  law {:<24} broken in {} cases, in which the formula {} breaks it too\n", info.name, law.by_formula,
                check.formula);
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
      out.print("    {}\n",
                explain_command(kernel, law.counterexample->inputs, 0, subject, info.name, law.counterexample->salt) +
                    formula_option(check.formula));
  }
  print_model(out, kernel, check, every);
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
        fails =
            fails || still_fails(entry, kernel, *subjects[s], options.budget_factors, options.formula).value_or(true);
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

/// Generated cases for all but recorded answers and subjects whose answers are dear, which are checked on their own:
/// these with as many cases and laws as were asked for, or few of the ones and none of the others. Fewer for all where
/// truths take long and no number was asked for.
std::vector<Round> rounds_of(Kernel const& kernel, std::vector<Subject const*> const& subjects,
                             CheckOptions const& asked_for, bool count_given, bool laws_given) {
  CheckOptions options = asked_for;
  if (!count_given) {
    options.cases = std::max<std::uint64_t>(options.cases / kernel.case_divisor, 200);
    if (!laws_given) options.law_cases = std::max<std::uint64_t>(options.law_cases / kernel.case_divisor, 50);
  }
  std::vector<Round> rounds{{&kernel, {}, options}};
  for (auto const* subject : subjects) {
    if (subject->cases > 0) {
      CheckOptions few = affordable(*subject, options);
      if (count_given) few.cases = options.cases;
      if (laws_given) few.law_cases = options.law_cases;
      rounds.push_back({&kernel, {subject}, few});
      continue;
    }
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

struct CheckArguments : Common {
  BaselineOptions baseline;
  std::uint64_t law_cases = 0, seeds = 1;
  bool count_given = false;
  bool full = false, all = false, no_shrink = false, allow_undecided = false, fresh = false, mutants = false,
       ladder = false;
  std::string failures, formula;
  CheckArguments() { count = 20'000; }
};

/// One run of the verb: what it was asked, and what it has found so far.
class CheckRun {
 public:
  explicit CheckRun(CheckArguments const& options) : options_(options) {}

  int run() {
    if (int const code = prepare(); code != held) return code;
    if (options_.seeds > 1) return check_seeds(kernels_, asked_, check_options_, options_.seeds);
    std::string const folder = failure_folder(options_.failures, asked_);
    FailureDatabase database(folder);
    if (!folder.empty()) check_options_.failures = &database;
    // What a baseline has met is not kept, so a check with one begins anew.
    if (!options_.fresh && known_.entries().empty()) check_options_.unfinished = state_folder() / "unfinished";
    check_options_.identity = identity_of(asked_);
    check_options_.progress = [this](double done, std::string const& what) { progress_(done, what); };
    for (auto const* kernel : kernels_) {
      std::optional<std::size_t> regime;
      if (!regime_or_complain("check", *kernel, options_.regime, regime)) return bad_usage;
      check_options_.regimes.clear();
      if (regime) check_options_.regimes = {*regime};
      check_options_.budget_factors = budget_->factors(*kernel);
      for (auto& round : rounds_of(*kernel, subjects_answering(*kernel, asked_), check_options_,
                                   options_.count_given || options_.full, options_.law_cases > 0))
        check(round);
      if (!out_.flush()) return complain(broken, "check", out_.error());
      if (stop_requested()) break;
    }
    return finish();
  }

 private:
  int prepare() {
    kernels_ = kernels_or_complain("check", options_.kernels);
    if (kernels_.empty()) return bad_usage;
    if (options_.subject.empty())
      return complain(bad_usage, "check", "--subject is required (or --mutants, or --ladder)");
    if (options_.seeds > 1 && (options_.json || !options_.regime.empty()))
      return complain(bad_usage, "check",
                      "--seeds prints a line a seed over all regimes: expected no --json, --regime");
    budget_ = budget_or_complain("check", options_.budget, kernels_);
    if (!budget_) return bad_usage;
    if (!formula_or_complain("check", options_.formula, kernels_)) return bad_usage;
    check_options_.formula = options_.formula;
    for (auto const& name : options_.subject) {
      if (name == "all") {
        for (auto const* subject : subjects_and_programs()) asked_.push_back(subject), typed_[subject] = subject->name;
        continue;
      }
      auto const* const subject = subject_or_complain("check", name, options_.subject_options());
      if (subject == nullptr) return bad_usage;
      asked_.push_back(subject);
      for (auto const* kernel : kernels_)
        if (auto const* const one = subject_for(*kernel, *subject)) typed_[one] = name;
    }
    if (int const code = open_baseline("check", options_.baseline, known_); code != held) return code;
    check_options_.seed = options_.seed;
    check_options_.cases = options_.full ? 1'000'000 : options_.count;
    check_options_.law_cases =
        options_.law_cases > 0 ? options_.law_cases : std::max<std::uint64_t>(check_options_.cases / 10, 1);
    check_options_.jobs = options_.threads();
    check_options_.shrink = !options_.no_shrink;
    watch_signals();
    check_options_.stop = &stop_requested();
    return held;
  }

  void check(Round& round) {
    any_ = true;
    Kernel const& kernel = *round.kernel;
    std::vector<std::vector<std::string>> names;
    for (auto const* subject : round.subjects) names.push_back({typed_[subject], subject->name});
    if (!known_.entries().empty())
      round.options.known = [this, &names, &kernel](FailingCase const& failing) {
        return known_.accepts({kernel, names[failing.subject], kernel.regimes[failing.regime].name,
                               failing.budget ? kernel.budgets[*failing.budget].output : std::string_view(),
                               failing.law ? std::string_view(kernel.laws[*failing.law].name) : std::string_view(),
                               failing.cases, failing.row, failing.error});
      };
    auto checks = demeter::check(kernel, round.subjects, round.options);
    std::vector<MoreOften> more_often;
    for (std::size_t i = 0; i < checks.size(); ++i)
      for (auto const& each : unaccept_more_often(known_, kernel, names[i], checks[i])) more_often.push_back(each);
    report::Kernel of_kernel = describe(kernel);
    of_kernel.run = {this_build().version,  this_build().commit, options_.seed,   computer_.cpu,
                     this_build().compiler, this_build().flags,  computer_.levels};
    for (std::size_t i = 0; i < round.subjects.size(); ++i) {
      Subject const& subject = *round.subjects[i];
      if (options_.json) {
        of_kernel.subjects.push_back(describe(kernel, subject, checks[i], round.options));
      } else {
        print_check(out_, kernel, subject, checks[i], round.options, options_.all);
        if (auto const& strays = *subject.strays; strays.lines() > 0)
          out_.print("  said {} things that answer no case; the first: {}\n", strays.lines(), strays.first());
      }
      for (auto const& note : checks[i].notes) fmt::print(stderr, "demeter check: {}\n", note);
      if (!checks[i].passed() && first_failure_.empty())
        first_failure_ = fmt::format("{} fails {}", subject.name, kernel.name);
      undecided_ = undecided_ || checks[i].undecided() > 0;
      suites_.push_back(junit::suite(kernel, subject, checks[i], round.options, options_.allow_undecided));
      for (auto& entry : new_failures(kernel, names[i].front(), checks[i])) found_.push_back(std::move(entry));
    }
    for (auto const& each : more_often)
      fmt::print(stderr, "demeter check: more often than known: {}\n", more_often_text(each));
    if (!stop_requested()) {
      for (auto const* entry : no_longer_failing(known_, kernel, round.subjects, names, round.options)) {
        if (options_.json) {
          of_kernel.no_longer_fails.push_back(nlohmann::ordered_json::parse(known_line(*entry)));
        } else {
          out_.print("  no longer fails: {} ({} line {})\n", known_name(*entry), options_.baseline.known, entry->line);
        }
      }
    }
    results_.push_back(std::move(of_kernel));
  }

  int finish() {
    if (!any_) return complain(bad_usage, "check", none_answers(kernels_, asked_));
    if (int const code = write_baseline("check", options_.baseline, known_, found_, suites_); code != held) return code;
    if (options_.json) out_.print("{}\n", report::write(results_).dump(2));
    if (!out_.flush()) return complain(broken, "check", out_.error());
    if (stop_requested()) return complain(failed, "check", "stopped before the end; what is printed is what was done");
    if (!first_failure_.empty()) return complain(failed, "check", first_failure_);
    if (undecided_ && !options_.allow_undecided) return complain(failed, "check", "some cases are undecided");
    return complain_of_strays("check", asked_);
  }

  CheckArguments const& options_;
  std::vector<Kernel const*> kernels_;
  std::vector<Subject const*> asked_;
  std::map<Subject const*, std::string> typed_;  ///< what the user called them
  std::optional<UserBudget> budget_;
  KnownFailures known_;
  CheckOptions check_options_;
  Progress progress_;
  report::Machine computer_ = machine(this_build());

  Output out_;
  std::vector<report::Kernel> results_;
  std::vector<KnownFailure> found_;
  std::vector<junit::Suite> suites_;
  std::string first_failure_;
  bool any_ = false, undecided_ = false;
};

}  // namespace

Verb check() {
  Verb verb{"check", "regimes, oracle, laws and shrinking against subjects"};
  auto options = std::make_shared<CheckArguments>();
  verb.option("kernel", options->kernels, "the kernels; all if none is given");
  add_subjects(
      verb, options->subject,
      "fast, documented, bullet, lammps, ... (a,b or several times), all, lib:PATH (a shared library), pipe:COMMAND "
      "(a program) or file:PATH (recorded answers)");
  verb.flag("--mutants", options->mutants, "instead of subjects: does the check kill every mutant?");
  verb.flag("--ladder", options->ladder, "instead of subjects: the digits the reference loses in each arithmetic");
  verb.option("--count", options->count, "cases a regime; if not given, fewer where truths take long")
      .check(whole_number(1))
      .shows_default()
      .notes(options->count_given);
  verb.option("--laws", options->law_cases, "cases a law and regime; a tenth of --count if not given")
      .check(whole_number(1));
  verb.flag("--full", options->full, "1,000,000 cases a regime");
  verb.option("--seed", options->seed, "the same seed gives the same check").check(whole_number()).shows_default();
  verb.option("--seeds", options->seeds, "so many checks, with seeds from --seed on; a line each")
      .check(whole_number(1));
  verb.option("--regime", options->regime, "one regime only");
  verb.option("--jobs", options->jobs, "threads; all processors if not given").check(whole_number(1, 1024));
  add_limits(verb, *options);
  add_budget(verb, options->budget);
  add_formula(verb, options->formula);
  add_baseline(verb, options->baseline);
  verb.option("--failures", options->failures,
              "a folder of failures that are tried first, and added to; demeter-failures for lib:, pipe:, file:")
      .type_name("DIR");
  verb.flag("--fresh", options->fresh, "do not take up a check that was ended before its end");
  verb.flag("--all", options->all, "also what held");
  verb.flag("--no-shrink", options->no_shrink, "leave failing cases as they were found");
  verb.flag("--allow-undecided", options->allow_undecided, "undecided is no failure");
  verb.flag("--json", options->json, "the results as JSON");
  verb.example =
      "demeter check segment_distance --subject fast --count 10000\n"
      "  demeter check --mutants capsule_mass_properties\n"
      "  demeter check --ladder segment_distance --count 20";
  verb.run = [options]() -> int {
    if (!options->mutants && !options->ladder) return CheckRun(*options).run();
    if (!options->subject.empty())
      return complain(
          bad_usage, "check",
          fmt::format("{} judges no subject: expected no --subject", options->mutants ? "--mutants" : "--ladder"));
    auto const chosen = kernels_or_complain("check", options->kernels);
    if (chosen.empty()) return bad_usage;
    watch_signals();
    if (options->mutants) return check_mutants(chosen, options->seed, options->threads(), options->json);
    return check_ladder(chosen, options->seed, std::min<std::uint64_t>(options->count, 1000), options->threads(),
                        options->json);
  };
  return verb;
}

}  // namespace demeter::cli
