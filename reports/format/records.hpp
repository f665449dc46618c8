// The records of results.json.gz and of all other JSON that the command prints. The function `members()` of a record
// determines how the record is written, read and described in docs/results.schema.json.
#pragma once

#include "reports/format/values.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace demeter::report {

/// Version of the schema. It increases when a key changes its name or its meaning. It does not increase for new keys.
/// Files of other versions are rejected.
inline constexpr std::uint64_t schema_version = 1;

struct Field {
  std::string name, shape, unit, doc;

  static Members members();
};

struct OutputBudget {
  std::string output, measure;
  Number units;

  static Members members();
};

struct Term {
  std::string name, doc;

  static Members members();
};

/// A formula of a kernel. `kind` is its relation to the recommended formula: "equal", "model" or "mistake".
struct FormulaTerm {
  std::string name, doc, kind;

  static Members members();
};

/// The names of the profiles. The first one is the profile of ordinary cases.
inline std::vector<std::string_view> const profiles{"everyday", "degenerate", "extreme"};

struct RegimeTerm {
  std::string name, doc, profile;
  std::int64_t recorded = 0;

  static Members members();
};

struct LawTerm {
  std::string name, doc, tolerance;
  std::vector<std::string> uses;

  static Members members();
};

/// A case and its answer.
struct Example {
  std::uint64_t id = 0;
  std::string regime;
  KernelJson input, answer, truth;
  Number error;
  std::string command;

  static Members members();
};

/// A wrong label and the correct label, with the number of cases.
struct MixedUp {
  std::string answer, truth;
  std::int64_t cases = 0;

  static Members members();
};

/// The cases of a profile in a range of sizes.
struct SizeBin {
  std::string profile;
  Number up_to;
  std::int64_t judged = 0, failed = 0;
  Number max_error;

  static Members members();
};

/// The accuracy of one subject in one regime for one output.
struct Accuracy {
  std::string regime, output, measure;
  Number budget;
  std::int64_t cases = 0, judged = 0, unsupported = 0, crash = 0, timeout = 0, failed = 0, undecided = 0, refined = 0,
               known = 0;
  std::int64_t not_representable = 0, not_asked = 0, missing = 0, malformed = 0, not_a_number = 0, not_finite = 0;
  std::vector<MixedUp> labels;
  Number max_error, mean_error, median_error, p99_error, max_relative, max_condition;
  Number model_distance;
  std::int64_t model_cases = 0;
  std::optional<Example> worst;

  static Members members();

  /// Returns the number of cases that were asked but have no answer to judge.
  std::int64_t lost() const { return missing + malformed + crash + timeout; }
  std::int64_t wrong() const { return failed + lost(); }
};

/// A small case that fails about as badly as the worst case of a regime. Shrinking found it.
struct Failure {
  Example example;
  std::string output;

  static Members members();
};

struct FailsAgain {
  std::string regime, output, law, call;
  KernelJson input;
  std::string command;

  static Members members();
};

struct Retried {
  std::int64_t tried = 0;
  std::vector<FailsAgain> failing;

  static Members members();
};

struct Counterexample {
  std::vector<KernelJson> inputs, outputs;
  Number violation;
  std::uint64_t salt = 0;
  std::string command;

  static Members members();
};

struct LawRegime {
  std::string regime;
  std::int64_t applicable = 0, broken = 0;
  Number worst;

  static Members members();
};

struct LawResult {
  std::string law;
  std::int64_t cases = 0, applicable = 0, deciding = 0, broken = 0, known = 0, by_formula = 0;
  Number worst;
  std::vector<LawRegime> regimes;
  std::optional<Counterexample> counterexample;

  static Members members();
};

/// A fault that occurs only in some call patterns.
struct CallFault {
  std::string way, text;
  std::int64_t rows = 0, calls = 0;
  Number row;
  std::vector<KernelJson> inputs;

  static Members members();
};

struct Calls {
  std::int64_t cases = 0, calls = 0;
  std::vector<std::string> tried, not_tried, known;
  std::vector<CallFault> faults;

  static Members members();
};

enum class Origin {
  own,      ///< Demeter's implementations: a failure is a bug of ours
  formula,  ///< a formula of the kernel evaluated as printed ("textbook@double"): a failure is a finding
  method,   ///< an intended approximation: errors are expected
  peer,     ///< code of other projects
};

/// An approximation that the authors of a code declare.
struct DeclaredTerm {
  std::string what, source;
  std::vector<std::string> outputs;

  static Members members();
};

/// A choice that the answers of a subject do not determine.
struct OpenChoiceTerm {
  std::string choice;
  std::vector<std::string> values;

  static Members members();
};

/// The formula that the answers of a subject show.
struct IdentifiedTerm {
  std::string formula, kind, judged_by, telling;
  std::int64_t agree = 0, answered = 0;
  bool fits = false;
  std::vector<OpenChoiceTerm> open;

  static Members members();
};

/// The results of a subject for one kernel.
struct Contender {
  std::string name, doc, settings, verdict, not_a_verdict, sentence, tolerance, formula, model;
  bool binary32 = false;
  std::vector<std::string> deciding;
  Origin origin = Origin::peer;  ///< not written to JSON; computed from the list of subjects and the formulas
  std::vector<DeclaredTerm> declared;
  std::vector<Accuracy> accuracy;
  std::vector<SizeBin> sizes;
  std::vector<Failure> failures;
  Retried recorded;
  std::vector<LawResult> laws;
  std::optional<Calls> calls;
  std::optional<IdentifiedTerm> identified;

  static Members members();
};

struct Timing {
  std::string subject, kind, setting, regime, outputs;
  Number nanoseconds;
  std::vector<double> samples, reference_workload;
  std::int64_t count = 0;
  std::string call = {};  ///< how the subject was called: "batch" or "single"

  static Members members();
};

struct ScreenedOut {
  std::string subject;
  std::int64_t cases = 0;
  bool contender = true;  ///< false: the subject is wrong so often that it does not influence the selection of the
                          ///< timed cases

  static Members members();
};

struct NotTimed {
  std::string subject, why;

  static Members members();
};

struct Baseline {
  std::string name, doc, judged_as, leaves_out;

  static Members members();
};

struct Speed {
  std::optional<std::int64_t> used, total;
  std::string reference_workload;
  std::vector<ScreenedOut> screened_out;
  std::vector<Timing> timings;
  std::vector<Baseline> baselines;
  std::vector<NotTimed> not_timed;

  static Members members();
};

/// The figure that a formula gives in a case of an erratum, and the figure that the source states.
struct ErratumValue {
  std::string formula, stated, computed;
  bool agrees = false;

  static Members members();
};

struct ErratumFigure {
  std::string what, output;
  KernelJson input;
  std::vector<ErratumValue> values;

  static Members members();
};

struct PublishedCode {
  std::string name, address;

  static Members members();
};

/// A wrong statement of a source: the documented form, the implemented form and the recommended form. An empty text
/// means unknown.
struct Erratum {
  std::string where, documented, implemented, recommended;
  std::vector<PublishedCode> codes;
  std::vector<ErratumFigure> figures;

  static Members members();
};

/// The number of decimal digits that the reference loses, for each arithmetic.
struct LadderLine {
  std::string regime, output, measure;
  std::vector<Number> lost;

  static Members members();
};

struct Rung {
  std::string name;
  Number digits;

  static Members members();
};

struct Ladder {
  std::vector<Rung> arithmetics;
  std::vector<LadderLine> rows;

  static Members members();
};

/// An implementation with a deliberate defect, and the check that found it.
struct Mutant {
  std::string name, change, source;
  bool killed = false;
  std::int64_t cases = 0;
  Number seconds;
  std::string by, regime, law, output;
  Number size;
  bool budget_exceeded = false;
  std::vector<std::string> laws;

  /// Returns the check that found the mutant: "law swap in typical", "distance in crossing", "call batch".
  std::string found_by() const {
    if (!by.empty() || regime.empty()) return by;
    return (law.empty() ? output : "law " + law) + " in " + regime;
  }

  static Members members();
};

/// A law with the number of mutants and the number of implementations that break it.
struct LawUse {
  std::string law;
  std::int64_t mutants = 0, implementations = 0;

  static Members members();
};

struct Mutation {
  std::int64_t total = 0, killed = 0, killed_by_laws = 0, killed_by_budgets = 0, survey_cases = 0;
  bool unmutated_passes = false;
  std::string unmutated_fails;
  Number seconds;
  std::vector<Mutant> mutants;
  std::vector<LawUse> laws;

  static Members members();
};

/// The time spent on a kernel, for each kind of work.
struct Seconds {
  Number check, few, ladder, mutants, continuity, speed;

  static Members members();
};

/// The program, the machine and the seed of a `demeter check`.
struct CheckRun {
  std::string version, commit;
  std::uint64_t seed = 0;
  std::string cpu, compiler, flags;
  std::vector<std::string> levels;

  static Members members();
};

// --------------------------------------------------------------------------------------------------------- continuity

struct Quantity {
  std::string name, unit, shown_unit;
  std::int64_t components = 1;
  bool derived = false;

  static Members members();
};

struct Family {
  std::string name, doc;
  bool loop = false;

  static Members members();
};

/// One side of a jump.
struct Side {
  Number parameter;
  KernelJson input, observed;

  static Members members();
};

struct Jump {
  std::string quantity;
  ByName<Number> sizes;
  bool certified = false;
  Number width;
  KernelJson path;
  Side before, after;
  std::string command;

  static Members members();
};

struct Transition {
  std::string transition;
  std::int64_t found = 0;
  ByName<Number> largest;
  ByName<bool> certified;
  std::vector<Jump> examples;

  static Members members();
};

struct Steepest {
  Number ratio, parameter;
  KernelJson path;

  static Members members();
};

struct Steep {
  std::int64_t found = 0;
  Number exponent, parameter;
  KernelJson path;

  static Members members();
};

struct Kink {
  std::int64_t found = 0;
  Number turn, parameter;
  KernelJson path;

  static Members members();
};

/// Work of the contact force along one path.
struct Work {
  Number work, error, stored;
  KernelJson path;

  static Members members();
};

struct Fall {
  Number overlap, from, to;
  KernelJson path;

  static Members members();
};

struct Passivity {
  std::int64_t loops = 0, contacts = 0, monotone_paths = 0;
  std::optional<Work> loop, gain, loss;
  Number mean_relative_loop, mean_relative_contact;
  std::optional<Fall> fall;

  static Members members();
};

/// The continuity of one subject.
struct Watched {
  std::string subject;
  bool recommended = false, jumps = false;
  std::int64_t paths = 0, answers = 0, unanswered = 0, bisections = 0, dismissed = 0, unexamined = 0;
  Number seconds;
  bool certifiable = false;
  ByName<Number> residual;
  ByName<std::optional<Steepest>> steepest;
  ByName<std::optional<Steep>> steep;
  ByName<std::optional<Kink>> kinks;
  std::vector<Transition> transitions;
  Passivity passivity;

  static Members members();
};

/// The values of one subject along a plotted path.
struct PlotLines {
  std::string subject;
  ByName<std::vector<std::vector<Number>>> lines;

  static Members members();
};

struct Plot {
  std::string transition, found_with, quantity;
  KernelJson path;
  Number at;
  std::vector<Number> parameters;
  std::vector<PlotLines> subjects;

  static Members members();
};

struct Continuity {
  std::uint64_t seed = 0;
  std::int64_t paths = 0, other_paths = 0;
  std::string excluded, energy_unit, overlap;
  std::vector<Family> families;
  std::vector<Quantity> quantities;
  std::vector<Watched> subjects;
  std::vector<Plot> plots;
  std::string kernel;

  static Members members();
};

// ------------------------------------------------------------------------------------------------------------- solvers

/// The state of a solver after some sweeps.
struct SolverPoint {
  std::int64_t sweeps = 0;
  Number seconds, residual;

  static Members members();
};

/// The cost of reaching a tolerance with a solver.
struct SolverReached {
  Number tolerance;
  std::optional<std::int64_t> sweeps;
  Number seconds, residual;

  static Members members();
};

/// The names of the problems in a solver study.
inline std::vector<std::string_view> const solver_states{"static", "flowing"};

/// The results of one solver on one problem.
struct SolverCurve {
  std::string state, start, method;
  bool solves = false;
  std::int64_t contacts = 0, asked = 0;
  std::vector<SolverPoint> points{};
  std::vector<SolverReached> reached{};

  static Members members();
};

/// A study of all solvers on problems with many contacts.
struct SolverStudy {
  std::string kernel, scene;
  std::int64_t discs = 0;
  bool recorded = false;
  std::string commit, created, cpu, level, command, compared_with;
  std::vector<Term> methods;
  std::vector<SolverCurve> curves;

  static Members members();
};

// --------------------------------------------------------------------------------------------------------------- whole

/// All data about a kernel that a command was asked for. `list` describes the kernel, `check` adds subjects, and
/// `report` adds the rest.
struct Kernel {
  std::string name, slug, summary, conventions, source;  ///< slug: the name in file names; not written to JSON
  std::string certainty, not_bounded_because;
  std::vector<Field> input, output;
  std::vector<OutputBudget> budgets;
  std::vector<FormulaTerm> formulas;
  std::vector<Term> implementations, workloads;
  std::vector<RegimeTerm> regimes;
  std::vector<LawTerm> laws;
  CheckRun run;
  std::vector<Contender> subjects;
  std::vector<Contender> exercises;  ///< not written to JSON; set by separate_exercises()
  std::optional<std::int64_t> cases_per_regime;
  std::vector<Erratum> errata;
  Ladder ladder;
  Mutation mutation;
  Continuity continuity;
  Seconds seconds;
  Speed speed;
  std::vector<KernelJson> no_longer_fails;

  static Members members();
};

struct Subject {
  std::string name, doc, version;
  bool ours = false, approximate = false;
  std::string home = {};

  static Members members();
};

struct MissingPeer {
  std::string name, why;

  static Members members();
};

struct Run {
  std::string version, commit;
  std::optional<std::uint64_t> seed;
  std::optional<std::int64_t> cases_per_regime;
  bool full = false;
  std::string created;
  Number elapsed_seconds, seconds;  ///< seconds: the time limit, if the run had one

  static Members members();
};

struct Machine {
  std::string cpu;
  std::int64_t cores = 0;
  std::vector<std::string> levels;
  std::string level, compiler, flags, system;
  Number memory_gib;
  std::string processor = {}, virtual_machine = {};
  std::vector<std::string> caches = {};
  Number clock_mhz = {}, load_before = {}, load_before_timings = {};

  static Members members();
};

/// The contents of results.json.
struct Results {
  std::uint64_t schema = schema_version;
  Run run;
  Machine machine;
  std::vector<Subject> subjects;
  std::vector<MissingPeer> missing_peers;
  std::vector<Kernel> kernels;
  std::vector<SolverStudy> solvers;
  bool has_history = false;  ///< whether the report has a page of earlier results; not written to JSON
  bool has_paper = false;    ///< whether the report has the figures and tables for a paper; not written to JSON

  static Members members();
};

/// The output of `demeter list --json`.
struct Listing {
  std::vector<Kernel> kernels;
  std::vector<Subject> subjects;
  std::vector<MissingPeer> missing_peers;

  static Members members();
};

/// One element of `demeter check --mutants --json`.
struct MutationOfKernel {
  std::string kernel;
  Mutation mutation;

  static Members members();
};

/// One element of `demeter check --ladder --json`.
struct LadderOfKernel {
  std::string kernel;
  Ladder ladder;

  static Members members();
};

/// One element of `demeter errata --json`.
struct ErrataOfKernel {
  std::string kernel;
  std::vector<Erratum> errata;

  static Members members();
};

/// Returns the problem of a results.json with another schema version, in one line. Returns nothing if the version is
/// correct or missing. The reader of records reports a missing version.
std::optional<std::string> other_schema(Json const& json);

/// Returns the JSON schema of all records above: docs/results.schema.json.
std::string schema_text();

}  // namespace demeter::report
