// Asks the subjects of a check the cases of a block and the inputs of their laws. Judges the answers. Also retries
// recorded failures.
#pragma once

#include "check/check_types.hpp"
#include "check/model.hpp"
#include "check/time_budget.hpp"

#include <optional>
#include <span>
#include <vector>

namespace demeter {

/// A kernel, the subjects and how they are judged. The references must outlive the trial.
struct Trial {
  Kernel const& kernel;
  std::vector<Subject const*> const& subjects;
  CheckOptions const& options;
  std::vector<Tolerance> tolerances;           ///< the tolerance of each subject
  std::vector<std::vector<Node const*>> used;  ///< the outputs that each law uses
  std::vector<Model> models;                   ///< the model by which each subject is judged
  TimeBudget* budget = nullptr;                ///< limits the subjects' time, if there is a limit

  /// Returns true if the subject must not be asked any more.
  bool is_given_up(std::size_t subject) const { return subjects[subject]->patience->over(subjects[subject]->limits); }
};

inline bool told_to_stop(CheckOptions const& options) { return options.stop != nullptr && options.stop->load(); }

Trial trial_of(Kernel const& kernel, std::vector<Subject const*> const& subjects, CheckOptions const& options);

/// Returns the index of the formula that is the subject's model. This is the formula by which the subject is judged, if
/// it is not the recommended one, otherwise the formula that the subject evaluates (see printed_formula()). Returns 0
/// for the recommended formula.
std::size_t modelled_formula(Trial const& trial, std::size_t subject);

/// Returns true if a violation of a law counts against a subject. This needs two conditions: the violation exceeds the
/// tolerance, and the formula by which the subject is judged does not break the law too.
bool held_against(Trial const& trial, std::size_t subject, std::size_t law, Table const& inputs, std::size_t first,
                  std::size_t count, double violation);

/// A case with its answer and truth, in row `row` of each table.
struct AnsweredCase {
  Table const& cases;
  Truths const& truths;
  Answers const& answers;
  std::size_t row;
  std::uint64_t id;
};

/// The outcome of one case, over all outputs that have a budget.
struct CaseOutcome {
  bool judged = false;                     ///< at least one output was judged
  bool undecided = false;                  ///< at least one output is undecided
  bool known = false;                      ///< an output fails and the failure is accepted
  std::optional<std::size_t> failed = {};  ///< the first output that fails and is not accepted
};

/// Judges an answer and counts the case in the cells of its regime, one per output, and in the sizes of its regime.
/// `judged` receives one entry per output. All verdicts of `check` and `verify` come from this function.
CaseOutcome judge_and_count(Trial const& trial, std::size_t subject, AnsweredCase const& asked,
                            std::span<AccuracyCell> cells, Sizing& sizes, std::span<Judged> judged);

struct Block {
  std::vector<std::vector<AccuracyCell>> accuracy;  ///< [subject][budget]
  std::vector<std::vector<LawTally>> laws;          ///< [subject][law]
  std::vector<Sizing> sizes;                        ///< [subject]
};

/// Asks the cases `first` to `first + count` of a regime, and the laws on `law_count` of them. `asked[s]`: whether to
/// ask subject s. Adds the seconds that subject s takes to `spent[s]`. The result is incomplete if the check is
/// stopped.
Block ask(Trial const& trial, std::size_t regime, std::uint64_t first, std::uint64_t count, std::uint64_t law_count,
          std::vector<bool> const& asked, std::vector<double>& spent);

/// Returns true if a recorded failure fails again and is not accepted.
bool still_fails(Trial const& trial, std::size_t subject, RecordedFailure const& failure);

}  // namespace demeter
