// The results of a run as plain data, and the few quantities every page derives from them.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace demeter::report {

/// Keeps the order of the keys, which is that of the contract.
using Json = nlohmann::ordered_json;

/// A number that may not be available; NaN and infinities are numbers.
using Number = std::optional<double>;

struct Field {
  std::string name, shape, unit, doc;
};

struct OutputBudget {
  std::string output, measure;
  Number units;
};

struct Term {
  std::string name, doc;
};

struct LawTerm {
  std::string name, doc, tolerance;
  std::vector<std::string> uses;
};

struct Worst {
  std::string id;
  Json input, answer, truth;
  std::string command;
};

/// One subject, one regime, one output.
struct Accuracy {
  std::string regime, output, measure;
  Number budget;
  std::int64_t cases, judged, unsupported, crash, timeout, failed, undecided;
  Number max_error, mean_error, median_error, p99_error, max_relative, max_condition;
  std::optional<Worst> worst;
};

/// A small case like the worst of a regime in which a budget failed.
struct Failure {
  std::string regime, output;
  Number error;
  Worst example;
};

struct Counterexample {
  std::vector<Json> inputs, outputs;
  Number violation;
  std::string command;
};

struct LawRegime {
  std::string regime;
  std::int64_t broken;
  Number worst;
};

struct LawResult {
  std::string law;
  std::int64_t cases, applicable, broken;
  Number worst;
  std::vector<LawRegime> regimes;
  std::optional<Counterexample> counterexample;
};

enum class Origin {
  own,      ///< Demeter's implementations: a failure is a bug of ours
  formula,  ///< a formula of the kernel's list evaluated as printed ("textbook@double"): a failure is a finding
  method,   ///< an approximation by intention: its error is what it costs
  peer,     ///< other people's code
};

/// A subject, as far as one kernel is concerned.
struct Contender {
  std::string name, doc, verdict;
  Origin origin;
  std::vector<Accuracy> accuracy;
  std::vector<Failure> failures;
  std::vector<LawResult> laws;
};

struct Timing {
  std::string subject, kind, setting, regime, outputs;
  Number nanoseconds;
  std::vector<double> samples;
  std::int64_t count;
};

struct ScreenedOut {
  std::string subject;
  std::int64_t cases;
  bool contender;  ///< false: wrong so often that it has no say in what the others are timed on
};

struct Promise {
  std::string promise, better;
  Number promised, measured;
  bool held;
};

struct Speed {
  Number used, total;
  std::vector<ScreenedOut> screened_out;
  std::vector<Timing> timings;
  std::vector<Promise> promises;
};

/// Decimal digits lost by the reference, by arithmetic.
struct LadderLine {
  std::string regime, output, measure;
  std::vector<Number> lost;
};

struct Ladder {
  std::vector<Term> arithmetics;  ///< name and digits
  std::vector<LadderLine> rows;
};

/// A deliberately wrong implementation and what found it.
struct Mutant {
  std::string name, change, source, by;
  bool killed;
  std::int64_t cases;
  std::vector<std::string> laws;
};

/// How many mutants and how many implementations break a law.
struct LawUse {
  std::string law;
  std::int64_t mutants, implementations;
};

struct Mutation {
  std::int64_t total, killed, killed_by_laws, killed_by_budgets;
  std::vector<Mutant> mutants;
  std::vector<LawUse> laws;
};

struct Kernel {
  std::string name, slug, summary, conventions, source;
  std::string not_bounded_because;  ///< why the error of the truth is estimated; empty if it is bounded
  std::vector<Field> input, output;
  std::vector<OutputBudget> budgets;
  std::vector<Term> regimes, workloads, formulas;
  std::vector<LawTerm> laws;
  Number cases_per_regime;  ///< if it is known
  std::vector<Contender> subjects;
  Speed speed;
  Ladder ladder;
  Mutation mutation;
  Json continuity;  ///< as reports/format/continuity.hpp describes it; null if the kernel has no laboratory
};

struct Subject {
  std::string name, doc, version;
  bool ours, approximate;
};

struct MissingPeer {
  std::string name, why;
};

struct Run {
  std::string version, commit, seed, created;
  Number cases_per_regime, elapsed_seconds;
  bool full;
  Number seconds;  ///< to fit into, if time was limited
};

struct Machine {
  std::string cpu, level, compiler, flags, system;
  Number cores, memory_gib;
  std::vector<std::string> levels;
};

struct Results {
  Run run;
  Machine machine;
  std::vector<Subject> subjects;
  std::vector<MissingPeer> missing_peers;
  std::vector<Kernel> kernels;
};

/// The same data in a form that can be written as JSON: valid UTF-8 only, NaN and infinities as strings.
Json cleaned(Json const& value);

/// Reads what `cleaned` returned; whatever is missing or of a wrong type is left empty.
Results read_results(Json const& results);

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
  std::int64_t cases = 0, judged = 0, failed = 0, undecided = 0, unsupported = 0, crash = 0, timeout = 0;
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
