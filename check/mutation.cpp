#include "check/mutation.hpp"

#include "check/call_mutants.hpp"
#include "check/calling.hpp"
#include "check/threads.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <mutex>

namespace demeter {
namespace {

bool stopped(MutationOptions const& options) { return options.stop != nullptr && options.stop->load(); }

/// Returns the number of cases per law: all cases in a small round. In a large round, a tenth of them, but at least
/// 512.
std::uint64_t law_cases(std::uint64_t cases) { return cases <= 512 ? cases : std::max<std::uint64_t>(cases / 10, 512); }

CheckOptions check_options(MutationOptions const& options, std::uint64_t cases) {
  CheckOptions result;
  result.seed = options.seed;
  result.held = options.held;
  result.cases = cases;
  result.law_cases = law_cases(cases);
  result.shrink = false;
  result.stop = options.stop;
  return result;
}

/// Returns the regimes on which mutants are tried: all regimes, or only those with drawn cases.
std::vector<std::size_t> regimes_of(Kernel const& kernel, MutationOptions const& options) {
  std::vector<std::size_t> regimes;
  for (std::size_t i = 0; i < kernel.regimes.size(); ++i)
    if (!options.drawn_only || kernel.regimes[i].size == 0) regimes.push_back(i);
  return regimes;
}

/// Searches for failures of several mutants together, so that the truth of a case is computed once for all of them. The
/// result for each mutant is the same as in a search for it alone.
class Search {
 public:
  Search(Kernel const& kernel, MutationOptions const& options) : kernel_(kernel), options_(options) {}

  void add(Mutants::Each const& mutant, MutantScore& score) { all_.push_back({&mutant, &score}); }

  /// Tries each mutant first in the regime in which its defect is known to show, then in all regimes and rounds, until
  /// it fails. Calls `killed` with the number of mutants that were detected since the last call.
  template <class Killed>
  void run(Killed const& killed) {
    search_where_they_show(killed);
    auto const regimes = regimes_of(kernel_, options_);
    for (std::uint64_t const round : options_.rounds) {
      CheckOptions in_regime = check_options(options_, round);
      for (std::size_t const regime : regimes) {
        in_regime.regimes = {regime};
        ask(
            in_regime, [](Mutants::Each const&) { return true; }, killed);
      }
    }
  }

 private:
  struct Searched {
    Mutants::Each const* mutant;
    MutantScore* score;
  };

  template <class Killed>
  void search_where_they_show(Killed const& killed) {
    // 150 cases are enough for lists of every usual length. 600 cases also contain long lists and rare cases.
    for (std::uint64_t const cases : {std::uint64_t{150}, std::uint64_t{600}}) {
      CheckOptions where_it_shows = check_options(options_, cases);
      where_it_shows.every_case = true;
      where_it_shows.law_cases = cases / 30;  // a law needs many answers
      for (std::size_t i = 0; i < kernel_.regimes.size(); ++i) {
        where_it_shows.regimes = {i};
        ask(
            where_it_shows, [&](Mutants::Each const& mutant) { return mutant.shows_in == kernel_.regimes[i].name; },
            killed);
      }
    }
  }

  /// Checks the mutants that are not yet killed and are `wanted`.
  template <class Wanted, class Killed>
  void ask(CheckOptions const& how, Wanted const& wanted, Killed const& killed) {
    if (stopped(options_)) return;
    std::vector<Searched> asked;
    std::vector<Subject const*> subjects;
    for (Searched const& each : all_) {
      if (each.score->kill || !wanted(*each.mutant)) continue;
      asked.push_back(each);
      subjects.push_back(&each.mutant->subject);
    }
    if (asked.empty()) return;
    auto const begin = std::chrono::steady_clock::now();
    auto const found = check(kernel_, subjects, how);
    double const seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    std::size_t kills = 0;
    for (std::size_t i = 0; i < asked.size(); ++i) {
      MutantScore& score = *asked[i].score;
      score.seconds += seconds / static_cast<double>(asked.size());
      score.cases += found[i].accuracy.empty() ? 0 : found[i].accuracy.front().cases;
      score.kill = first_failure(found[i]);
      if (!score.kill) continue;
      score.kill->cases = score.cases;
      ++kills;
    }
    if (kills > 0) killed(kills);
  }

  Kernel const& kernel_;
  MutationOptions const& options_;
  std::vector<Searched> all_;
};

/// Searches for failures of all mutants, on all threads.
void search_all(Kernel const& kernel, Mutants const& mutants, MutationOptions const& options, MutationScore& result) {
  result.mutants.resize(mutants.each.size());
  // More parts than threads, because some parts take longer. Each part computes the truths again.
  std::size_t const parts = std::min<std::size_t>(options.jobs < 2 ? 1 : 2 * options.jobs, mutants.each.size());
  std::vector<Search> searches(parts, Search(kernel, options));
  // Mutants whose defects show in the same regime need the same cases, and these cases often have long lists. So all
  // mutants of such a regime are in one part.
  std::map<std::string_view, std::size_t> part_of;
  for (std::size_t at = 0; at < mutants.each.size(); ++at) {
    Mutants::Each const& mutant = mutants.each[at];
    MutantScore& score = result.mutants[at];
    score.may_survive = options.held.to == Held::To::binary64 && !mutant.within_double.empty();
    std::size_t const part = mutant.shows_in.empty()
                                 ? at % parts
                                 : part_of.try_emplace(mutant.shows_in, part_of.size() % parts).first->second;
    searches[part].add(mutant, score);
  }
  std::mutex mutex;
  std::size_t finished = 0;
  double const all = static_cast<double>(mutants.each.size()) * 1.25;  // the factor 1.25 accounts for the survey, which
                                                                       // takes about a fifth of the time
  for_each_in_threads(options.jobs, parts, options.stop, [&](std::size_t part) {
    searches[part].run([&](std::size_t kills) {
      std::lock_guard const lock(mutex);
      finished += kills;
      if (options.progress) options.progress(static_cast<double>(finished) / all, kernel.name + " mutants");
    });
  });
}

std::vector<std::size_t> broken_laws(SubjectCheck const& check) {
  std::vector<std::size_t> broken;
  for (auto const& law : check.laws)
    if (law.broken > 0) broken.push_back(law.law);
  return broken;
}

bool budget_exceeded(SubjectCheck const& check) {
  return std::any_of(check.accuracy.begin(), check.accuracy.end(),
                     [](AccuracyCell const& cell) { return cell.wrong() > 0; });
}

std::size_t count(std::vector<MutantScore> const& mutants, bool (*wanted)(MutantScore const&)) {
  return static_cast<std::size_t>(std::count_if(mutants.begin(), mutants.end(), wanted));
}

/// Tests the call patterns of the mutants that every kernel has, and of the right implementation in the same form.
void call_all(Kernel const& kernel, Mutants const& mutants, MutationOptions const& options, MutationScore& result) {
  Table const cases = cases_to_call_with(kernel, regimes_of(kernel, options), options.seed, {});
  CallOptions calls;
  calls.seed = options.seed;
  calls.shrink = false;
  calls.first_only = true;
  calls.stop = options.stop;
  constexpr double until_killed = 60, of_the_right = 2;
  auto const list = call_mutants(mutants, kernel);
  result.calls.resize(list.size());
  for_each_in_threads(options.jobs, list.size(), options.stop, [&](std::size_t at) {
    auto const begin = std::chrono::steady_clock::now();
    CallOptions of_mutant = calls;
    of_mutant.seconds = until_killed;
    CallCheck found = call_in_every_way(kernel, list[at].subject, cases, of_mutant);
    CallMutantScore& score = result.calls[at];
    score = {list[at].name, list[at].change, list[at].source, {}, found.cases, found.calls, 0};
    if (!found.findings.empty()) score.kill = std::move(found.findings.front());
    score.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  });
  calls.seconds = of_the_right;
  CallCheck const right = call_in_every_way(kernel, right_over_columns(mutants, kernel), cases, calls);
  if (right.findings.empty()) return;
  result.right_passes = false;
  result.right_fails = fmt::format("call {}: {}", way_name(right.findings.front().way), right.findings.front().text);
}

/// Runs the survey with `survey.cases` cases per regime, or with as many as take about `seconds`. Sets `survey.cases`
/// to the number used.
std::vector<SubjectCheck> surveyed_in(double seconds, Kernel const& kernel, std::vector<Subject const*> const& all,
                                      CheckOptions& survey) {
  std::uint64_t const most = survey.cases;
  auto const in = [&](std::uint64_t cases) {
    survey.law_cases = survey.cases = std::min(cases, most);
    return check(kernel, all, survey);
  };
  if (seconds == 0) return in(most);
  constexpr std::uint64_t pilot = 1;
  auto const begin = std::chrono::steady_clock::now();
  auto checks = in(pilot);
  double const taken = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  auto const fitting = static_cast<std::uint64_t>(static_cast<double>(pilot) * seconds / std::max(taken, 1e-6));
  return fitting <= pilot ? std::move(checks) : in(fitting);
}

}  // namespace

std::size_t MutationScore::killed() const {
  return count(mutants, [](MutantScore const& each) { return each.kill.has_value(); }) +
         static_cast<std::size_t>(
             std::count_if(calls.begin(), calls.end(), [](auto const& each) { return each.kill.has_value(); }));
}
std::size_t MutationScore::killed_by_laws() const {
  return count(mutants, [](MutantScore const& each) { return !each.laws.empty(); });
}
std::size_t MutationScore::killed_by_budgets() const {
  return count(mutants, [](MutantScore const& each) { return each.budget_exceeded; });
}
std::vector<std::size_t> MutationScore::idle_laws() const {
  std::vector<std::size_t> idle;
  for (std::size_t law = 0; law < breaking_mutants.size(); ++law)
    if (breaking_mutants[law] + breaking_implementations[law] == 0) idle.push_back(law);
  return idle;
}
bool MutationScore::passed() const {
  return right_passes &&
         std::all_of(mutants.begin(), mutants.end(),
                     [](MutantScore const& each) { return each.kill || each.may_survive; }) &&
         std::all_of(calls.begin(), calls.end(), [](CallMutantScore const& each) { return each.kill.has_value(); });
}

MutationScore mutation_score(Kernel const& kernel, Mutants const& mutants, MutationOptions const& options) {
  auto const begin = std::chrono::steady_clock::now();
  MutationScore result;
  result.kernel = kernel.name;
  if (options.calls) call_all(kernel, mutants, options, result);
  search_all(kernel, mutants, options, result);

  // The survey checks all mutants and implementations at once, so that each truth is computed once.
  std::vector<Subject> implementations;
  for (auto const& each : kernel.implementations)
    implementations.push_back(make_subject(each.name, each.answering, each.origin));
  std::vector<Subject const*> all{&mutants.right};
  for (auto const& each : mutants.each) all.push_back(&each.subject);
  for (auto const& each : implementations) all.push_back(&each);
  // The survey needs many answers: every mutant answers each case, and also the cases of every law.
  std::uint64_t const least = std::min<std::uint64_t>(options.survey_cases / 5, kernel.case_divisor < 100 ? 50 : 20);
  CheckOptions survey = check_options(options, std::max(options.survey_cases / kernel.case_divisor, least));
  survey.jobs = options.jobs;
  survey.regimes = regimes_of(kernel, options);
  survey.model_distance = false;
  if (options.progress)
    survey.progress = [&](double done, std::string const& what) { options.progress(0.8 + 0.2 * done, what); };
  auto const checks = surveyed_in(options.survey_seconds, kernel, all, survey);
  result.survey_cases = survey.cases;

  if (auto const failure = first_failure(checks.front())) {
    result.right_passes = false;
    result.right_fails = kill_text(kernel, *failure);
  }
  result.breaking_mutants.assign(kernel.laws.size(), 0);
  result.breaking_implementations.assign(kernel.laws.size(), 0);
  for (std::size_t i = 1; i < checks.size(); ++i) {
    auto const laws = broken_laws(checks[i]);
    bool const mutant = i <= mutants.each.size();
    for (std::size_t const law : laws) ++(mutant ? result.breaking_mutants : result.breaking_implementations)[law];
    if (!mutant) continue;
    result.mutants[i - 1].laws = laws;
    result.mutants[i - 1].budget_exceeded = budget_exceeded(checks[i]);
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

std::optional<Kill> first_failure(SubjectCheck const& check) {
  for (auto const& cell : check.accuracy)
    if (cell.wrong() > 0) return Kill{Kill::By::budget, cell.regime, cell.budget, cell.max_error, 0};
  for (auto const& law : check.laws)
    for (auto const& breach : law.regimes)
      if (breach.broken > 0) return Kill{Kill::By::law, breach.regime, law.law, breach.worst, 0};
  return std::nullopt;
}

std::string kill_text(Kernel const& kernel, Kill const& kill) {
  std::string const& regime = kernel.regimes[kill.regime].name;
  if (kill.by == Kill::By::law) return fmt::format("law {} in {}", kernel.laws[kill.index].name, regime);
  return fmt::format("{} in {}", kernel.budgets[kill.index].output, regime);
}

}  // namespace demeter
