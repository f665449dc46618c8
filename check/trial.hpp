// What a check puts to its subjects: blocks of cases with their truths and laws, and failures recorded before.
#pragma once

#include "check/check_types.hpp"
#include "check/model.hpp"
#include "check/time_budget.hpp"

#include <optional>
#include <span>
#include <vector>

namespace demeter {

/// A kernel, those who are asked and how they are held to it. What it refers to must outlive it.
struct Trial {
  Kernel const& kernel;
  std::vector<Subject const*> const& subjects;
  CheckOptions const& options;
  std::vector<Tolerance> tolerances;           ///< one a subject
  std::vector<std::vector<Node const*>> used;  ///< by each law
  std::vector<Model> models;                   ///< what each subject is judged by
  TimeBudget* budget = nullptr;                ///< of the subjects' time, if there is one

  /// Whether a subject is asked nothing any more.
  bool is_given_up(std::size_t subject) const { return subjects[subject]->patience->over(subjects[subject]->limits); }
};

inline bool told_to_stop(CheckOptions const& options) { return options.stop != nullptr && options.stop->load(); }

Trial trial_of(Kernel const& kernel, std::vector<Subject const*> const& subjects, CheckOptions const& options);

/// The formula that is a subject's model, if that is not the recommended one: the one it is judged by, or prints. 0 of
/// others.
std::size_t modelled_formula(Trial const& trial, std::size_t subject);

/// Whether a violation counts against a subject: it is over the tolerance, and its formula does not break the law too.
bool held_against(Trial const& trial, std::size_t subject, std::size_t law, Table const& inputs, std::size_t first,
                  std::size_t count, double violation);

/// An answer, its case and the truth: row `row` of all three.
struct AnsweredCase {
  Table const& cases;
  Truths const& truths;
  Answers const& answers;
  std::size_t row;
  std::uint64_t id;
};

/// The outcome of one case, over all outputs that have a budget.
struct CaseOutcome {
  bool judged = false;                     ///< one of the outputs, at least
  bool undecided = false;                  ///< one of the outputs
  bool known = false;                      ///< an output fails and the failure is accepted
  std::optional<std::size_t> failed = {};  ///< the first output that fails and is not accepted
};

/// Judges an answer and counts the case in the cells of its regime, one per output, and in the sizes of its regime.
/// `judged` receives one entry per output. Every verdict of `check` and `verify` is reached here.
CaseOutcome judge_and_count(Trial const& trial, std::size_t subject, AnsweredCase const& asked,
                            std::span<AccuracyCell> cells, Sizing& sizes, std::span<Judged> judged);

struct Block {
  std::vector<std::vector<AccuracyCell>> accuracy;  ///< [subject][budget]
  std::vector<std::vector<LawTally>> laws;          ///< [subject][law]
  std::vector<Sizing> sizes;                        ///< [subject]
};

/// The cases `first` to `first + count` of a regime, the laws on `law_count` of them. `spent[s]`: seconds that subject
/// s has taken, to which its time here is added; `asked[s]`: whether it is. Told to stop, it is a part of all that.
Block ask(Trial const& trial, std::size_t regime, std::uint64_t first, std::uint64_t count, std::uint64_t law_count,
          std::vector<bool> const& asked, std::vector<double>& spent);

/// Whether a recorded failure fails again, and is none of those that are accepted.
bool still_fails(Trial const& trial, std::size_t subject, RecordedFailure const& failure);

}  // namespace demeter
