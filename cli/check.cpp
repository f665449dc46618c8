#include "cli/check.hpp"

#include "base/json_text.hpp"
#include "cli/core/baseline.hpp"
#include "cli/core/declining.hpp"
#include "cli/core/formula.hpp"
#include "cli/core/selection.hpp"
#include "cli/core/tolerance.hpp"
#include "cli/core/version.hpp"
#include "reports/format/describe.hpp"
#include "reports/format/members.hpp"
#include "reports/format/results.hpp"
#include "reports/format/words.hpp"
#include "subjects/outside/outside.hpp"
#include "subjects/outside/programs.hpp"

namespace demeter::cli {
namespace {

/// Returns the baseline entries of this kernel and these subjects that no longer fail. For such an entry, this run has
/// checked the regime or the call patterns of the entry, and no failure matched the entry. If an entry names one case,
/// the subject is asked this case again.
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
        fails = fails || still_fails(entry, kernel, *subjects[s], options.held).value_or(true);
      } else if (!entry.call.empty()) {
        looked = looked || options.calls;
      } else {
        looked = looked || options.regimes.empty() ||
                 std::any_of(options.regimes.begin(), options.regimes.end(),
                             [&](std::size_t regime) { return kernel.regimes[regime].name == entry.regime; });
      }
    }
    if (looked && !fails) fixed.push_back(&entry);
  }
  return fixed;
}

/// Returns the folder for recorded failures: the folder that the user names, or "demeter-failures" if a subject is from
/// outside, or "" (no folder).
std::string failure_folder(std::string const& named, std::vector<Subject const*> const& subjects) {
  if (!named.empty()) return named;
  bool const outside =
      std::any_of(subjects.begin(), subjects.end(), [](Subject const* subject) { return is_outside(*subject); });
  return outside ? "demeter-failures" : "";
}

/// The name of a subject as the user typed it, and the subject.
struct Typed {
  std::string word;
  Subject const* subject;
};

std::vector<Subject const*> subjects_of(std::vector<Typed> const& typed) {
  std::vector<Subject const*> subjects;
  for (auto const& each : typed) subjects.push_back(each.subject);
  return subjects;
}

/// Subjects that are checked on the same cases.
struct Round {
  Kernel const* kernel;
  std::vector<Typed> typed;
  CheckOptions options;
};

/// Groups the subjects of a kernel into rounds. Each subject with recorded answers and each slow subject has its own
/// round. All other subjects share one round. If the user gives no number of cases, kernels with slow truths get fewer
/// cases, and a slow subject gets few cases. A slow subject is checked for laws only if the user gives their number.
std::vector<Round> rounds_of(Kernel const& kernel, std::vector<Typed> const& typed, CheckOptions const& asked_for,
                             bool count_given, bool laws_given) {
  CheckOptions options = asked_for;
  if (!count_given) {
    options.cases = std::max<std::uint64_t>(options.cases / kernel.case_divisor, 200);
    if (!laws_given) options.law_cases = std::max<std::uint64_t>(options.law_cases / kernel.case_divisor, 50);
  }
  std::vector<Round> rounds{{&kernel, {}, options}};
  for (auto const& [word, asked] : typed) {
    Subject const* const subject = subject_for(kernel, *asked);
    if (subject == nullptr) continue;
    if (subject->cases > 0) {
      CheckOptions few = affordable(*subject, options);
      if (count_given) few.cases = options.cases;
      if (laws_given) few.law_cases = options.law_cases;
      rounds.push_back({&kernel, {{word, subject}}, few});
      continue;
    }
    std::uint64_t count = 0;
    Kernel const* const recorded = recorded_kernel(kernel, *subject, count);
    if (recorded == nullptr) {
      rounds.front().typed.push_back({word, subject});
      continue;
    }
    rounds.push_back({recorded, {{word, subject}}, options});
    CheckOptions& all = rounds.back().options;
    all.cases = all.law_cases = count;
    all.every_case = true;
    all.regimes.clear();
    all.deciding.clear();
  }
  if (rounds.front().typed.empty()) rounds.erase(rounds.begin());
  return rounds;
}

struct CheckArguments : Common {
  Selection selection;
  BaselineOptions baseline;
  std::uint64_t law_cases = 0, seeds = 1;
  double seconds = 60;
  bool count_given = false, time_given = false;
  bool full = false, all = false, no_shrink = false, allow_undecided = false, mutants = false, drawn_only = false,
       ladder = false;
  Declining declining;
  std::string failures, formula;
  CheckArguments() { count = 20'000; }
};

/// One run of the verb: the options and the results so far.
class CheckRun {
 public:
  explicit CheckRun(CheckArguments const& options) : options_(options) {}

  int run() {
    if (int const code = prepare(); code != held) return code;
    for (auto const* subject : asked_)
      if (auto const why = cannot_start(*subject, kernels_)) return complain(bad_usage, "check", *why);
    if (options_.seeds > 1)
      return check_seeds(
          kernels_, asked_, check_options_, options_.seeds,
          [this](Kernel const& kernel, CheckOptions& check_options) { select_cases(kernel, check_options); },
          options_.declining);
    std::string const folder = failure_folder(options_.failures, asked_);
    FailureDatabase database(folder);
    if (!folder.empty()) {
      check_options_.failures = &database;
      // A damaged record is an error. If the check skipped the record, it would not try its failures again.
      for (auto const* kernel : kernels_)
        for (auto const* subject : subjects_answering(*kernel, asked_)) {
          std::vector<RecordedFailure> recorded;
          if (auto const wrong = database.load(*kernel, subject->name, recorded))
            return complain(bad_data, "check", *wrong);
        }
    }
    std::size_t pairs = 0;
    for (auto const* kernel : kernels_) pairs += subjects_answering(*kernel, asked_).size();
    alone_ = pairs == 1;
    check_options_.progress = [this](double done, std::string const& what) { progress_(done, what); };
    for (std::size_t done = 0; done < kernels_.size(); ++done) {
      Kernel const* const kernel = kernels_[done];
      select_cases(*kernel, check_options_);
      auto rounds =
          rounds_of(*kernel, typed_, check_options_, options_.count_given || options_.full, options_.law_cases > 0);
      // Time that a kernel does not use goes to the kernels after it.
      double const share = seconds_left() / static_cast<double>(kernels_.size() - done);
      for (auto& round : rounds) {
        round.options.seconds = is_limited() ? share / static_cast<double>(rounds.size()) : 0;
        round.options.hard_seconds = is_limited() ? hard_seconds_left() : 0;
        double const begin = passed_seconds();
        check(round);
        // Overtime does not reduce the time of the kernels after this one.
        if (round.options.until_enough) overtime_ += std::max(0.0, passed_seconds() - begin - round.options.seconds);
      }
      if (!out_.flush()) return complain(broken, "check", out_.error());
      if (stop_requested()) break;
    }
    return finish();
  }

 private:
  /// Returns true if the check has a time limit. A check of a given number of cases has none, unless the user also
  /// gives a time.
  bool is_limited() const { return options_.time_given || !(options_.count_given || options_.full); }
  /// Returns true if the check may exceed its time until it has enough cases for a verdict. The user has then given
  /// neither a time nor a number of cases.
  bool may_take_longer() const { return !options_.time_given && is_limited(); }
  double passed_seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }
  double seconds_left() const { return std::max(options_.seconds + overtime_ - passed_seconds(), 0.01); }

  /// Returns the seconds until the check stops waiting for subjects that have not answered. With this limit a check
  /// ends at most ten seconds late.
  double hard_seconds_left() const {
    constexpr double grace = 7;
    double const longer = may_take_longer() ? (CheckOptions::most_overtime - 1) * options_.seconds : 0;
    return std::max(options_.seconds + overtime_ + longer + grace - passed_seconds(), 0.05);
  }

  int prepare() {
    kernels_ = kernels_or_complain("check", options_.kernels);
    if (kernels_.empty()) return bad_usage;
    if (options_.subject.empty())
      return complain(bad_usage, "check", "--subject is required (or --mutants, or --ladder)");
    for (auto const* kernel : kernels_) {
      selected_.push_back(select_or_complain("check", *kernel, options_.selection, Among::recorded_too));
      if (!selected_.back()) return bad_usage;
    }
    if (!held_or_complain("check", options_, kernels_, check_options_.held)) return bad_usage;
    if (!formula_or_complain("check", options_.formula, kernels_)) return bad_usage;
    for (auto const& name : options_.subject) {
      if (name == "all") {
        for (auto const* each : subjects_and_programs()) {
          typed_.push_back({each->name, by_formula(each, options_.formula)});
        }
        continue;
      }
      auto const* const subject =
          by_formula(subject_or_complain("check", name, options_.subject_options()), options_.formula);
      if (subject == nullptr) return bad_usage;
      typed_.push_back({name, subject});
    }
    asked_ = subjects_of(typed_);
    if (!binary32_or_complain("check", options_, options_.subject)) return bad_usage;
    if (int const code = open_baseline("check", options_.baseline, known_); code != held) return code;
    check_options_.seed = options_.seed;
    bool const as_many_as_possible = options_.time_given && !options_.count_given;
    check_options_.cases = options_.full || as_many_as_possible ? 1'000'000 : options_.count;
    check_options_.law_cases =
        options_.law_cases > 0 ? options_.law_cases : std::max<std::uint64_t>(check_options_.cases / 10, 1);
    check_options_.jobs = options_.threads();
    check_options_.shrink = !options_.no_shrink;
    check_options_.calls = true;
    check_options_.for_a_verdict = true;
    check_options_.until_enough = may_take_longer();
    check_options_.declining_allowed = options_.declining.given;
    watch_signals();
    check_options_.stop = &stop_requested();
    return held;
  }

  /// Sets the sizes and regimes of the cases, and the profiles that decide the verdict. Regimes that the user names
  /// always decide. Otherwise the everyday and degenerate profiles decide.
  void select_cases(Kernel const& kernel, CheckOptions& check_options) const {
    auto const at = static_cast<std::size_t>(std::find(kernels_.begin(), kernels_.end(), &kernel) - kernels_.begin());
    Selected const& selected = *selected_[at];
    check_options.sizes = selected.sizes;
    check_options.regimes.clear();
    if (!selected.all) check_options.regimes = selected.regimes;
    check_options.deciding.clear();
    if (!selected.asked_for) check_options.deciding = {Profile::everyday, Profile::degenerate};
  }

  void check(Round& round) {
    any_ = true;
    Kernel const& kernel = *round.kernel;
    std::vector<std::vector<std::string>> names;
    for (auto const& [word, subject] : round.typed) names.push_back({word, subject->name});
    if (!known_.entries().empty())
      round.options.known = [this, &names, &kernel](FailingCase const& failing) {
        return known_.accepts({kernel, names[failing.subject], kernel.regimes[failing.regime].name,
                               failing.budget ? kernel.budgets[*failing.budget].output : std::string_view(),
                               failing.law ? std::string_view(kernel.laws[*failing.law].name) : std::string_view(),
                               failing.cases, failing.row, failing.error});
      };
    if (!known_.entries().empty())
      round.options.known_call = [this, &names, &kernel](std::size_t subject, Way way) {
        return known_.accepts(kernel, names[subject], way);
      };
    std::vector<std::optional<Identified>> identified;
    for (auto& [word, subject] : round.typed) {
      auto recognised =
          recognise(kernel, subject, {.seed = options_.seed, .sizes = round.options.sizes, .stop = &stop_requested()});
      subject = recognised.subject;
      identified.push_back(std::move(recognised.identified));
    }
    auto const subjects = subjects_of(round.typed);
    auto checks = demeter::check(kernel, subjects, round.options);
    for (std::size_t i = 0; i < checks.size(); ++i) checks[i].identified = std::move(identified[i]);
    std::vector<MoreOften> more_often;
    for (std::size_t i = 0; i < checks.size(); ++i)
      for (auto const& each : unaccept_more_often(known_, kernel, names[i], checks[i])) more_often.push_back(each);
    report::Kernel of_kernel = describe(kernel);
    of_kernel.run = {this_build().version,  this_build().commit, options_.seed,   computer_.cpu,
                     this_build().compiler, this_build().flags,  computer_.levels};
    for (std::size_t i = 0; i < subjects.size(); ++i) {
      Subject const& subject = *subjects[i];
      auto contender = describe(kernel, subject, checks[i], round.options);
      if (options_.json) {
        of_kernel.subjects.push_back(std::move(contender));
      } else {
        print({kernel, subject, checks[i], round.options, of_kernel, contender, report::verdict(of_kernel, contender),
               options_.seed, &kernel == find_kernel(kernel.name)});
      }
      for (auto const& note : checks[i].notes) inform("check", note);
      if (!checks[i].left_out.empty() && first_failure_.empty())
        first_failure_ = fmt::format("{} in {}: {}", subject.name, kernel.name, checks[i].left_out);
      if (!checks[i].answers_passed() && first_failure_.empty())
        first_failure_ = fmt::format("{} fails {}", subject.name, kernel.name);
      if (auto const why = too_little_judged(options_.declining, checks[i]); why && first_failure_.empty())
        first_failure_ = fmt::format("{} in {}: {}", subject.name, kernel.name, *why);
      if (checks[i].passed() && !checks[i].not_a_verdict.empty() && first_failure_.empty())
        first_failure_ = fmt::format("{} in {}: {}", subject.name, kernel.name, checks[i].not_a_verdict);
      undecided_ = undecided_ || checks[i].undecided() > 0;
      suites_.push_back(junit::suite(kernel, subject, checks[i], round.options, options_.allow_undecided));
      for (auto& entry : new_failures(kernel, names[i].front(), checks[i])) found_.push_back(std::move(entry));
    }
    for (auto const& each : more_often)
      inform("check", "fails more often than --known accepts: " + more_often_text(each));
    if (!stop_requested()) {
      for (auto const* entry : no_longer_failing(known_, kernel, subjects, names, round.options)) {
        if (options_.json) {
          of_kernel.no_longer_fails.push_back(known_json(*entry));
        } else {
          out_.print("  no longer fails: {} ({} line {})\n", known_name(*entry), options_.baseline.known, entry->line);
        }
      }
    }
    results_.push_back(std::move(of_kernel));
  }

  void print(Checked checked) {
    if (options_.all) {
      print_everything(out_, checked);
    } else if (alone_) {
      print_screen(out_, checked);
    } else {
      if (!head_printed_) print_overview_head(out_);
      head_printed_ = true;
      print_overview(out_, checked);
    }
    if (auto const& strays = *checked.subject.strays; strays.lines() > 0)
      out_.print("  printed {} lines that answer no case; the first: {}\n", strays.lines(), strays.first());
    if (checked.check.passed() || alone_ || options_.all) return;
    constexpr std::size_t shown = 4;
    if (failing_++ < shown) shown_.push_back(std::move(checked));
  }

  int finish() {
    if (!any_) return complain(bad_usage, "check", none_answers(kernels_, asked_));
    if (int const code = write_baseline("check", options_.baseline, known_, found_, suites_, !stop_requested());
        code != held)
      return code;
    if (options_.json) out_.print("{}\n", json_text(report::write(results_), 2));
    if (!options_.json) print_failing(out_, shown_, failing_);
    if (!out_.flush()) return complain(broken, "check", out_.error());
    if (stop_requested()) return complain(failed, "check", "stopped: printed results are partial");
    if (!first_failure_.empty()) return complain(failed, "check", first_failure_);
    if (undecided_ && !options_.allow_undecided) return complain(failed, "check", "some cases are undecided");
    return complain_of_strays("check", asked_);
  }

  CheckArguments const& options_;
  std::vector<Kernel const*> kernels_;
  std::vector<std::optional<Selected>> selected_;  ///< selection of the cases of each kernel
  std::vector<Typed> typed_;
  std::vector<Subject const*> asked_;  ///< the subjects of `typed_`
  KnownFailures known_;
  CheckOptions check_options_;
  Progress progress_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  double overtime_ = 0;  ///< seconds by which kernels took longer than their share
  report::Machine computer_ = machine(this_build());

  Output out_;
  std::vector<report::Kernel> results_;
  std::vector<KnownFailure> found_;
  std::vector<junit::Suite> suites_;
  std::string first_failure_;
  bool any_ = false, undecided_ = false;
  bool alone_ = false, head_printed_ = false;  ///< alone_: the run checks one subject and one kernel
  std::vector<Checked> shown_;                 ///< the first results that failed
  std::size_t failing_ = 0;
};

}  // namespace

Verb check() {
  Verb verb{"check", "checks subjects against the oracle and the laws, and shrinks failing cases"};
  auto options = std::make_shared<CheckArguments>();
  verb.option("kernel", options->kernels, "the kernels; all if none is given");
  add_subjects(verb, options->subject,
               "fast, documented, bullet, lammps, ... (a,b or repeated), all, lib:PATH (a shared library), "
               "pipe:COMMAND (a program) or file:PATH (recorded answers)");
  verb.flag("--mutants", options->mutants, "check the mutants instead of subjects: every mutant must be killed");
  verb.flag("--drawn-only", options->drawn_only, "with --mutants: without the recorded cases").needs({"--mutants"});
  verb.flag("--ladder", options->ladder,
            "instead of subjects: show the digits that the reference loses in each arithmetic");
  verb.option("--count", options->count, "cases per regime; if not given, fewer where the truth is slow to compute")
      .check(number_of_cases())
      .shows_default()
      .notes(options->count_given);
  verb.option("--laws", options->law_cases, "cases per law and regime; a tenth of --count if not given")
      .check(number_of_cases());
  verb.option("--time", options->seconds,
              "seconds after which no more cases are drawn, shared by kernels and regimes; --count or --full without "
              "--time: no time limit; --time without --count: as many cases as possible")
      .check(positive_number())
      .shows_default()
      .notes(options->time_given);
  verb.flag("--full", options->full, "1,000,000 cases per regime");
  verb.option("--seed", options->seed, "the same seed gives the same check").check(whole_number()).shows_default();
  verb.option("--seeds", options->seeds, "number of checks, with seeds from --seed on; one line per check")
      .check(whole_number(1));
  add_selection(verb, options->selection,
                "only these regimes, and all of them decide the verdict; if none is given, all regimes are checked, "
                "and everyday and degenerate ones decide the verdict");
  verb.only_with("--mutants", {"--drawn-only", "--seed", "--jobs", "--tolerance", "--budget", "--json"});
  verb.only_with("--ladder", {"--count", "--seed", "--jobs", "--json"});
  verb.exclusive({"--full", "--count"});
  verb.exclusive({"--json", "--all"});
  for (auto const* unused :
       {"--known", "--write-known", "--junit", "--failures", "--all", "--no-shrink", "--json", "--allow-undecided"})
    verb.exclusive({"--seeds", unused});
  verb.option("--jobs", options->jobs, "threads; all processors if not given").check(whole_number(1, 1024));
  add_limits(verb, *options);
  add_tolerance(verb, *options);
  add_formula(verb, options->formula);
  add_baseline(verb, options->baseline);
  verb.option("--failures", options->failures,
              "folder of recorded failures: a check tries them first and adds new ones; demeter-failures for lib:, "
              "pipe:, file:")
      .type_name("DIR");
  verb.flag("--all", options->all, "also show what passed");
  verb.flag("--no-shrink", options->no_shrink, "do not shrink failing cases");
  verb.flag("--allow-undecided", options->allow_undecided, "do not count undecided cases as failures");
  add_declining(verb, options->declining);
  verb.flag("--json", options->json, "print the results as JSON");
  verb.example =
      "demeter check segment_distance --subject fast --count 10000\n"
      "  demeter check --mutants capsule_mass_properties\n"
      "  demeter check --ladder segment_distance --count 20";
  verb.run = [options]() -> int {
    if (!options->mutants && !options->ladder) return CheckRun(*options).run();
    auto const chosen = kernels_or_complain("check", options->kernels);
    if (chosen.empty()) return bad_usage;
    watch_signals();
    std::optional<Held> own;
    if (!held_or_complain("check", *options, chosen, own)) return bad_usage;
    if (options->mutants) {
      MutationOptions mutation;
      mutation.seed = options->seed;
      mutation.jobs = options->threads();
      mutation.held = own.value_or(Held{});
      mutation.drawn_only = options->drawn_only;
      return check_mutants(chosen, mutation, options->json);
    }
    return check_ladder(chosen, options->seed, std::min<std::uint64_t>(options->count, 1000), options->threads(),
                        options->json);
  };
  return verb;
}

}  // namespace demeter::cli
