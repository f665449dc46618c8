// Quantities that several pages derive from the records of a run.
#pragma once

#include "reports/format/records.hpp"

namespace demeter::report {

/// Returns the same data in a form that can be written as JSON: only valid UTF-8, NaN and infinities as strings.
Json cleaned(Json const& value);

/// Returns the results without parts that would make the pages several times as long. Kept are: the number of each
/// worst case, but its input only for the worst of all cases of a failing subject; three of the small failing cases of
/// a subject, one of extreme regimes, and one of an approximation; and one counterexample of all laws that are broken
/// only in extreme regimes. Very long lists and paths without a jump are removed.
Json shortened_for_pages(Json results);

/// Reads the output of `cleaned`. Missing parts and parts of a wrong type stay empty and are reported in `mistakes`, if
/// given. Every kernel gets a unique file name, and every regime and law with results gets an entry in the kernel's
/// lists.
Results read_results(Json const& results, Mistakes* mistakes = nullptr);

/// Returns the outputs of a kernel in the order of its budgets. Outputs with identical results for all subjects are
/// grouped (s and t of a closest pair are judged together: one table, one plot).
std::vector<std::vector<std::string>> output_groups(Kernel const& kernel);

Accuracy const* find_accuracy(Contender const& contender, std::string_view regime, std::string_view output);
LawResult const* find_law(Contender const& contender, std::string_view law);

/// Returns the largest error divided by the budget; nothing without an error or a budget.
Number over_budget(Accuracy const& accuracy);

/// Returns the unit of errors of a measure: "u|truth|" or "uS"; empty for an unknown measure.
std::string measure_unit(std::string_view measure);

/// Returns the measure and the budget of an output.
OutputBudget budget_of(Kernel const& kernel, std::string_view output);

enum class Standing { none, held, undecided, exceeded };
Standing standing(Accuracy const& accuracy);

/// The sums of the accuracy rows of a contender, for one output or, with "", for all.
struct AccuracyTally {
  Standing standing = Standing::none;
  Number ratio;                     ///< the largest error divided by its budget
  Accuracy const* where = nullptr;  ///< the row with this error
  std::int64_t cases = 0, judged = 0, failed = 0, undecided = 0, unsupported = 0, crash = 0, timeout = 0,
               not_representable = 0, not_asked = 0, missing = 0, malformed = 0;
  std::int64_t lost() const { return missing + malformed + crash + timeout; }
  std::vector<Accuracy const*> exceeded;  ///< rows over budget, crashed or timed out; the largest ratio first
};
AccuracyTally accuracy_tally(Contender const& contender, std::string_view output = "");

struct LawTally {
  int tested = 0, broken = 0;
  std::int64_t fewest = 0;  ///< trials of the tested law with the fewest
};
LawTally law_tally(Contender const& contender);

/// Returns true if anything of this contender failed: a budget, a law, or its verdict.
bool has_failed(Contender const& contender);

/// Returns the unit of a contender's errors: the rounding unit of binary64 or binary32.
double unit_of(Contender const& contender);

/// Returns the largest share of failures that is compatible with `cases` random cases without a failure, at 95 %: 1 -
/// 0.05^(1/n).
double overlooked(std::int64_t cases);

/// Returns true if too few cases were judged for "no failure" to be reliable: more than 1 % of failures may have been
/// missed. Recorded cases are complete.
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

/// Returns the profiles of the kernel's regimes, the ordinary one first; last "" if some regimes have none.
std::vector<std::string_view> profiles_of(Kernel const& kernel);
/// Returns the name of a profile, for example "everyday"; "all regimes" for "".
std::string_view profile_name(std::string_view profile);
bool is_of(RegimeTerm const& regime, std::string_view profile);

/// The sums of a contender's results in the regimes of one profile, for one output or, with "", for all.
struct ProfileTally {
  Standing standing = Standing::none;
  int regimes = 0, held = 0;        ///< number of regimes with a verdict, and number of regimes in which everything
                                    ///< passed
  Number error;                     ///< the largest error, relative to its own measure
  Accuracy const* where = nullptr;  ///< the row with this error
  std::int64_t cases = 0;           ///< judged cases in the regime with the fewest cases
  std::int64_t fewest = 0;          ///< judged cases of the passed regime with the fewest cases, if these are too few;
                                    ///< 0: enough cases
  int laws_broken = 0;
};
ProfileTally profile_tally(Kernel const& kernel, Contender const& contender, std::string_view profile,
                           std::string_view output = "");

/// Returns true if the contender fails in a regime that counts: any regime that is not extreme.
bool fails(Kernel const& kernel, Contender const& contender);

/// Returns true if the contender fails, and every failure outside extreme regimes is of an output that its authors
/// declare as approximate. Such a failure is shown and is not counted as a defect.
bool fails_as_declared(Kernel const& kernel, Contender const& contender);

/// A line of a table: one contender, or all levels of one implementation ("fast@avx2", "fast@scalar") if their verdicts
/// and errors are equal.
struct Line {
  std::vector<Contender const*> who;
  std::string name;  ///< "fast", or the name of the only contender
};
std::vector<Line> lines(Kernel const& kernel);

/// Returns the regime that plots and the overview quote: "typical" if it was timed.
std::string quoted_regime(Kernel const& kernel);

/// Returns the smallest time of this subject in this setting that includes `output`: timed for this output or for all.
/// With "": the time for all outputs or, if this is missing, the smallest time of any.
Number nanoseconds(Kernel const& kernel, std::string_view subject, std::string_view setting, std::string_view regime,
                   std::string_view output = "");

/// Returns true if `a` is worse than `b`. NaN is the worst; no value is the best.
bool worse(Number a, Number b);

/// The 95 % confidence interval of the median. For fewer than six samples: from the smallest to the largest.
struct Interval {
  double low = 0, high = 0;
};
std::optional<Interval> median_interval(std::vector<double> samples);

}  // namespace demeter::report
