// Values that several pages compute from the records of a run.
#pragma once

#include "reports/format/records.hpp"

namespace demeter::report {

/// Returns the same data in a form that can be written as JSON: only valid UTF-8, NaN and infinities as strings.
Json cleaned(Json const& value);

/// Returns the results without data that would make the pages several times as long:
///  * The worst case of a regime keeps only its number. One case per subject also keeps its input and answer: the case
///    with the largest error beyond a budget.
///  * A subject keeps three of its small failing cases, or one if it is an approximation. It also keeps one small
///    failing case of the extreme regimes. Cases with very long lists lose their numbers.
///  * A subject keeps one counterexample for all laws that are broken only in extreme regimes. Very long
///    counterexamples are removed.
///  * Places without a jump lose their paths.
Json shortened_for_pages(Json results);

/// Reads the JSON that `cleaned` returns. Parts that are missing or have a wrong type stay empty, and are added to
/// `mistakes` if it is not null. Gives every kernel a unique file name. Adds every regime and law with results to the
/// kernel's lists.
Results read_results(Json const& results, Mistakes* mistakes = nullptr);

/// Returns the outputs of a kernel in the order of its budgets. Outputs form a group if all subjects have identical
/// results for them. Example: s and t of a closest pair are judged together, so they have one table and one plot.
std::vector<std::vector<std::string>> output_groups(Kernel const& kernel);

Accuracy const* find_accuracy(Contender const& contender, std::string_view regime, std::string_view output);
LawResult const* find_law(Contender const& contender, std::string_view law);

/// Returns the largest error divided by the budget. Returns infinity if answers are missing, and nothing if there is no
/// error or no budget.
Number over_budget(Accuracy const& accuracy);

/// Returns the unit of errors of a measure: "u|truth|" or "uS"; empty for an unknown measure.
std::string measure_unit(std::string_view measure);

/// Returns the measure and the budget of an output.
OutputBudget budget_of(Kernel const& kernel, std::string_view output);

enum class Standing { none, held, undecided, exceeded };
Standing standing(Accuracy const& accuracy);

/// The sums of a contender's accuracy rows for one output. The output "" means all outputs.
struct AccuracyTally {
  Standing standing = Standing::none;
  Number ratio;                     ///< the largest error divided by its budget
  Accuracy const* where = nullptr;  ///< the row with the ratio `ratio`
  std::int64_t cases = 0, judged = 0, failed = 0, undecided = 0, unsupported = 0, crash = 0, timeout = 0,
               not_representable = 0, not_asked = 0, missing = 0, malformed = 0;
  std::int64_t lost() const { return missing + malformed + crash + timeout; }
  std::vector<Accuracy const*> exceeded;  ///< rows with failed or missing answers, the largest ratio first
};
AccuracyTally accuracy_tally(Contender const& contender, std::string_view output = "");

struct LawTally {
  int tested = 0, broken = 0;
  std::int64_t fewest = 0;  ///< smallest number of trials of a tested law
};
LawTally law_tally(Contender const& contender);

/// Returns true if the contender failed in any way: the verdict is "fail", a budget was exceeded, or a law was broken.
bool has_failed(Contender const& contender);

/// Returns the unit of a contender's errors: the rounding unit of binary64 or binary32.
double unit_of(Contender const& contender);

/// Returns an upper bound of the failure rate after n = `cases` random cases without a failure, at 95 % confidence:
/// 1 - 0.05^(1/n).
double overlooked(std::int64_t cases);

/// Returns true if too few cases were judged to rely on "no failure": a rate of failures above 1 % is not excluded.
/// Returns false for a regime of recorded cases if all of them were used.
bool is_few(Kernel const& kernel, Accuracy const& accuracy);

/// Returns the record with this name, or null.
template <class Named>
Named const* find_named(std::vector<Named> const& all, std::string_view name) {
  for (Named const& each : all)
    if (each.name == name) return &each;
  return nullptr;
}

RegimeTerm const* find_regime(Kernel const& kernel, std::string_view regime);
/// Returns the profile of a regime; empty for an unknown regime.
std::string_view profile_of(Kernel const& kernel, std::string_view regime);

/// Returns the profiles of the kernel's regimes, everyday first. If some regimes have no profile, the last element is
/// "".
std::vector<std::string_view> profiles_of(Kernel const& kernel);
/// Returns the name of a profile for a page, such as "everyday". The profile "" has the name "all regimes".
std::string_view profile_name(std::string_view profile);
bool is_of(RegimeTerm const& regime, std::string_view profile);

/// The sums of a contender's results in the regimes of one profile, for one output. The output "" means all outputs.
struct ProfileTally {
  Standing standing = Standing::none;
  int regimes = 0, held = 0;        ///< number of regimes with a verdict, and of regimes that passed
  Number error;                     ///< the largest error; each error is relative to the measure of its output
  Accuracy const* where = nullptr;  ///< the row with the error `error`
  std::int64_t cases = 0;           ///< smallest number of judged cases in a regime
  std::int64_t fewest = 0;          ///< smallest number of judged cases in a passed regime with too few cases; 0: every
                                    ///< passed regime has enough
  int laws_broken = 0;
};
ProfileTally profile_tally(Kernel const& kernel, Contender const& contender, std::string_view profile,
                           std::string_view output = "");

/// Returns true if the contender fails in a regime that is not extreme.
bool fails(Kernel const& kernel, Contender const& contender);

/// Returns true if the contender fails only as its authors declare: outside extreme regimes, every failure is of an
/// output that they declare as approximate. Such a failure is shown and is not counted as a defect.
bool fails_as_declared(Kernel const& kernel, Contender const& contender);

/// A line of a table. It shows one contender, or several levels of one implementation ("fast@avx2", "fast@scalar")
/// whose verdicts and errors are equal.
struct Line {
  std::vector<Contender const*> who;
  std::string name;  ///< "fast", or the name of the only contender
};
std::vector<Line> lines(Kernel const& kernel);

/// Returns the regime that plots and the overview show: "typical" if it was timed.
std::string quoted_regime(Kernel const& kernel);

/// Returns the smallest time of a subject in a setting and a regime. Uses timings of this output and of all outputs
/// together. If `output` is "", uses timings of all outputs together, or else of any output.
Number nanoseconds(Kernel const& kernel, std::string_view subject, std::string_view setting, std::string_view regime,
                   std::string_view output = "");

/// Returns the smallest median of the reference workload beside the timings of a kernel, in nanoseconds, and infinity
/// if there is none.
double least_workload(Kernel const& kernel);
/// Returns true if the machine was busy during a timing: the reference workload beside the samples took more than 1.2
/// times the least workload of the kernel. Such a time is shown with a mark and is not ranked.
bool timed_under_load(Timing const& timing, double least_workload);
/// Returns true for the name of a subject if one of its timings in this setting and regime was under load.
bool timed_under_load(Kernel const& kernel, std::string_view subject, std::string_view setting,
                      std::string_view regime);

/// Returns true if `a` is worse than `b`. NaN is the worst number, and a missing number is the best.
bool worse(Number a, Number b);

/// The 95 % confidence interval of the median. With fewer than six samples, it extends from the smallest to the
/// largest.
struct Interval {
  double low = 0, high = 0;
};
std::optional<Interval> median_interval(std::vector<double> samples);

}  // namespace demeter::report
