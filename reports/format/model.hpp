// The few quantities that every page derives from the records of a run.
#pragma once

#include "reports/format/records.hpp"

namespace demeter::report {

/// The same data in a form that can be written as JSON: valid UTF-8 only, NaN and infinities as strings.
Json cleaned(Json const& value);

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

enum class Standing { none, held, undecided, exceeded };
Standing standing(Accuracy const& accuracy);

/// What the accuracy rows of a contender add up to, of one output or, with "", of all.
struct Tally {
  Standing standing = Standing::none;
  Number ratio;                     ///< the largest error over its budget
  Accuracy const* where = nullptr;  ///< the row it comes from
  std::int64_t cases = 0, judged = 0, failed = 0, undecided = 0, unsupported = 0, crash = 0, timeout = 0,
               not_representable = 0, not_asked = 0, missing = 0, malformed = 0;
  std::int64_t lost() const { return missing + malformed + crash + timeout; }
  std::vector<Accuracy const*> exceeded;  ///< rows over budget, crashed or timed out; the largest ratio first
};
Tally tally(Contender const& contender, std::string_view output = "");

struct LawTally {
  int tested = 0, broken = 0;
};
LawTally law_tally(Contender const& contender);

/// Whether anything of this contender failed: a budget, a law, or its verdict says so.
bool has_failed(Contender const& contender);

/// The regime that plots and the overview quote: "typical" if it was timed.
std::string quoted_regime(Kernel const& kernel);

/// The least time of this subject in this setting that delivers `output`: timed for it alone or for all. With "" the
/// time for all outputs, failing that the least of any.
Number nanoseconds(Kernel const& kernel, std::string_view subject, std::string_view setting, std::string_view regime,
                   std::string_view output = "");

/// Whether `a` is worse than `b`, NaN the worst and nothing the least.
bool worse(Number a, Number b);

}  // namespace demeter::report
