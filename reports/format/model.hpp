// The few quantities that every page derives from the records of a run.
#pragma once

#include "reports/format/records.hpp"

namespace demeter::report {

/// The same data in a form that can be written as JSON: valid UTF-8 only, NaN and infinities as strings.
Json cleaned(Json const& value);

/// Returns the results without parts that would make the pages several times as long. Of each worst case the number
/// stays; the input stays only for the worst of all cases of a subject that fails. Of the small failing cases of a
/// subject three stay, one of extreme regimes, and one of an approximation. Of all laws that are broken in extreme
/// regimes only, one counterexample stays. Very long lists and paths without a jump go.
Json shortened_for_pages(Json results);

/// Reads what `cleaned` returned; whatever is missing or of a wrong type is left empty and told in `mistakes`, if
/// given. A kernel has a file name of its own, and every regime and law with results an entry in its lists.
Results read_results(Json const& results, Mistakes* mistakes = nullptr);

/// The outputs of a kernel in the order of its budgets, those that no subject can be told apart by put together
/// (s and t of a closest pair are judged together: one table, one plot).
std::vector<std::vector<std::string>> output_groups(Kernel const& kernel);

Accuracy const* find_accuracy(Contender const& contender, std::string_view regime, std::string_view output);
LawResult const* find_law(Contender const& contender, std::string_view law);

/// The largest error over the budget; nothing if there is no error or no budget to compare.
Number over_budget(Accuracy const& accuracy);

/// The unit of errors of a measure: "u|truth|" or "uS"; empty for an unknown measure.
std::string measure_unit(std::string_view measure);

/// The measure and budget that the rows of an output carry.
OutputBudget budget_of(Kernel const& kernel, std::string_view output);

enum class Standing { none, held, undecided, exceeded };
Standing standing(Accuracy const& accuracy);

/// What the accuracy rows of a contender add up to, of one output or, with "", of all.
struct AccuracyTally {
  Standing standing = Standing::none;
  Number ratio;                     ///< the largest error over its budget
  Accuracy const* where = nullptr;  ///< the row it comes from
  std::int64_t cases = 0, judged = 0, failed = 0, undecided = 0, unsupported = 0, crash = 0, timeout = 0,
               not_representable = 0, not_asked = 0, missing = 0, malformed = 0;
  std::int64_t lost() const { return missing + malformed + crash + timeout; }
  std::vector<Accuracy const*> exceeded;  ///< rows over budget, crashed or timed out; the largest ratio first
};
AccuracyTally accuracy_tally(Contender const& contender, std::string_view output = "");

struct LawTally {
  int tested = 0, broken = 0;
};
LawTally law_tally(Contender const& contender);

/// Whether anything of this contender failed: a budget, a law, or its verdict says so.
bool has_failed(Contender const& contender);

/// The unit in which the errors of a contender are counted: of binary64 or binary32.
double unit_of(Contender const& contender);

/// The largest share of failures that `cases` drawn cases without one leave possible, at 95 %: 1 - 0.05^(1/n).
double overlooked(std::int64_t cases);

/// Whether so few cases were judged that "no failure" says little: over 1 % of failures may have been overlooked. Of
/// recorded cases there are no others.
bool is_few(Kernel const& kernel, Accuracy const& accuracy);

/// The record of that name, or null.
template <class Named>
Named const* find_named(std::vector<Named> const& all, std::string_view name) {
  for (Named const& each : all)
    if (each.name == name) return &each;
  return nullptr;
}

RegimeTerm const* find_regime(Kernel const& kernel, std::string_view regime);
/// Empty for a regime that is not known.
std::string_view profile_of(Kernel const& kernel, std::string_view regime);

/// The profiles of the kernel's regimes, the ordinary one first; last "" if some regimes say none.
std::vector<std::string_view> profiles_of(Kernel const& kernel);
/// "everyday"; "all regimes" for "".
std::string_view profile_name(std::string_view profile);
bool is_of(RegimeTerm const& regime, std::string_view profile);

/// What a contender's results in the regimes of one profile add up to, of one output or, with "", of all.
struct ProfileTally {
  Standing standing = Standing::none;
  int regimes = 0, held = 0;        ///< those with a verdict, and those in which all of it is good
  Number error;                     ///< the largest, relative to its own measure
  Accuracy const* where = nullptr;  ///< the row it comes from
  std::int64_t cases = 0;           ///< judged, in the regime with the fewest
  std::int64_t fewest = 0;          ///< the same among regimes that hold and are drawn on few cases; 0: on enough
  int laws_broken = 0;
};
ProfileTally profile_tally(Kernel const& kernel, Contender const& contender, std::string_view profile,
                           std::string_view output = "");

/// Whether it fails where that counts: anywhere but in extreme regimes.
bool fails(Kernel const& kernel, Contender const& contender);

/// Levels of one implementation ("fast@avx2", "fast@scalar") with equal verdicts and errors are one line; everyone else
/// is one.
struct Line {
  std::vector<Contender const*> who;
  std::string name;  ///< "fast", or of the only one
};
std::vector<Line> lines(Kernel const& kernel);

/// The regime that plots and the overview quote: "typical" if it was timed.
std::string quoted_regime(Kernel const& kernel);

/// The least time of this subject in this setting that delivers `output`: timed for it alone or for all. With "" the
/// time for all outputs, failing that the least of any.
Number nanoseconds(Kernel const& kernel, std::string_view subject, std::string_view setting, std::string_view regime,
                   std::string_view output = "");

/// Whether `a` is worse than `b`, NaN the worst and nothing the least.
bool worse(Number a, Number b);

/// The median's interval that holds with 95 % or, of fewer than six samples, from the least to the largest.
struct Interval {
  double low = 0, high = 0;
};
std::optional<Interval> median_interval(std::vector<double> samples);

}  // namespace demeter::report
