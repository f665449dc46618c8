#include "check/trial.hpp"

#include "check/tolerance.hpp"
#include "subjects/isolation/isolate.hpp"
#include "subjects/subjects.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

namespace demeter {
namespace {

using Clock = std::chrono::steady_clock;

/// Returns true if a baseline accepts failures of this regime and output, or of this law. The size of the error is not
/// compared: it may have grown when the recorded case was shrunk.
bool accepted(Trial const& trial, std::size_t s, RecordedFailure const& failure) {
  if (!trial.options.known) return false;
  auto const index = [](auto const& list, auto const& is_it) -> std::optional<std::size_t> {
    auto const found = std::find_if(list.begin(), list.end(), is_it);
    if (found == list.end()) return std::nullopt;
    return static_cast<std::size_t>(found - list.begin());
  };
  auto const regime = index(trial.kernel.regimes, [&](RegimeInfo const& each) { return each.name == failure.regime; });
  auto const budget = index(trial.kernel.budgets, [&](Budget const& each) { return each.output == failure.output; });
  auto const law = index(trial.kernel.laws, [&](LawInfo const& each) { return each.name == failure.law; });
  return (budget || law) &&
         trial.options.known({s, regime.value_or(0), law ? std::nullopt : budget, law, failure.input, 0, 0});
}

/// Returns the counter for a case without an answer, if that is a failure. Otherwise counts the case and returns null.
std::uint64_t* unanswered(AccuracyCell& cell, Status status) {
  switch (status) {
    case Status::not_representable:
      ++cell.not_representable;
      return nullptr;
    case Status::not_asked:
      ++cell.not_asked;
      return nullptr;
    case Status::missing:
      return &cell.missing;
    case Status::malformed:
      return &cell.malformed;
    case Status::crash:
      return &cell.crash;
    case Status::timeout:
      return &cell.timeout;
    default:
      ++cell.unsupported;
      return nullptr;
  }
}

/// Returns true if a number of a node in row `at` satisfies `is_it`.
template <class IsIt>
bool any_number(Node const& node, Table const& table, std::size_t at, IsIt const& is_it) {
  if (node.nullable && table.columns[node.column][at] == 0) return false;
  auto const in_child = [&](Node const& child) { return any_number(child, table, at, is_it); };
  switch (node.kind) {
    case Node::Kind::number:
      for (std::size_t column = node.values(); column < node.column + node.columns; ++column)
        if (is_it(table.columns[column][at])) return true;
      return false;
    case Node::Kind::enumeration:
      return false;
    case Node::Kind::record:
      return std::any_of(node.children.begin(), node.children.end(), in_child);
    case Node::Kind::list: {
      auto const end = static_cast<std::size_t>(table.columns[node.column][at + 1]);
      for (auto i = static_cast<std::size_t>(table.columns[node.column][at]); i < end; ++i)
        if (any_number(node.children.front(), table, i, is_it)) return true;
      return false;
    }
  }
  return false;
}

/// Counts the kind of failure of an answer: a wrong label, NaN or infinity.
void count_kind_of_failure(AccuracyCell& cell, Node const& node, Truths const& truths, Table const& answers,
                           std::size_t row) {
  if (node.kind == Node::Kind::enumeration) {
    std::size_t const answer = IndexCell<double>::read(answers.columns[node.column][row]);
    std::size_t const truth = IndexCell<Enclosure>::read(truths.outputs.columns[node.column][row]);
    if (answer < node.labels.size() && truth < node.labels.size()) ++cell.labels[{answer, truth}];
  } else if (any_number(node, answers, row, [](double x) { return std::isnan(x); })) {
    ++cell.not_a_number;
  } else if (any_number(node, answers, row, [](double x) { return std::isinf(x); })) {
    ++cell.not_finite;
  }
}

/// Counts whether the output is complete in this answer.
void count_left_out(Trial const& trial, AccuracyCell& cell, Judged const& judged, AnsweredCase const& asked) {
  Node const& node = trial.kernel.output.root.children[trial.kernel.budgeted[cell.budget]];
  if (!is_left_out(node, asked.answers.output, asked.row, judged.computed)) {
    ++cell.given;
    return;
  }
  if (says_separated(trial.kernel.output, asked.answers.output, asked.row)) return;
  if (cell.left_out++ > 0) return;
  Example example{Table(trial.kernel.input), Table(trial.kernel.output), asked.id, cell.regime, infinite_error};
  append_row(trial.kernel.input, example.input, asked.cases, asked.row);
  append_row(trial.kernel.output, example.answer, asked.answers.output, asked.row);
  cell.first_left_out = std::move(example);
}

/// Counts one output of one case, in its cell, in the outcome of the case and in the statistics by size.
void count_one(Trial const& trial, std::size_t s, AccuracyCell& cell, Judged const& judged, AnsweredCase const& asked,
               CaseOutcome& outcome, SizeTally& case_of_size) {
  ++cell.cases;
  Status const status = asked.answers.status[asked.row];
  double error = infinite_error;
  std::uint64_t* failure = nullptr;
  if (status == Status::answered) {
    if (!trial.subjects[s]->ours()) count_left_out(trial, cell, judged, asked);
    if (!judged.computed) return;
    ++cell.judged;
    outcome.judged = true;
    outcome.undecided = outcome.undecided || judged.verdict == Verdict::undecided;
    error = judged.error;
    if (judged.verdict == Verdict::fail) failure = &cell.failed;
    if (judged.verdict == Verdict::undecided) ++cell.undecided;
    if (judged.refined) ++cell.refined;
    if (judged.relative > cell.max_relative) cell.max_relative = judged.relative;
    if (judged.condition > cell.max_condition) cell.max_condition = judged.condition;
    cell.errors.add(error);
    cell.max_error = std::max(cell.max_error, error);
  } else {
    failure = unanswered(cell, status);
    if (failure == nullptr) return;
  }
  bool const known = failure != nullptr && trial.options.known &&
                     trial.options.known({s, cell.regime, cell.budget, std::nullopt, asked.cases, asked.row, error});
  if (failure != nullptr) ++(known ? cell.known : *failure);
  outcome.known = outcome.known || known;
  if (failure != nullptr && !known && !outcome.failed) outcome.failed = cell.budget;
  if (failure == &cell.failed && !known)
    count_kind_of_failure(cell, trial.kernel.output.root.children[trial.kernel.budgeted[cell.budget]], asked.truths,
                          asked.answers.output, asked.row);
  if (status == Status::answered && !known) {
    case_of_size.judged = 1;
    if (failure != nullptr) case_of_size.failed = 1;
    case_of_size.max_error = std::max(case_of_size.max_error, error);
  }
  auto const keep = [&](std::optional<Example>& best) {
    if (best && error <= best->error) return;
    Example example{Table(trial.kernel.input), Table(trial.kernel.output), asked.id, cell.regime, error};
    append_row(trial.kernel.input, example.input, asked.cases, asked.row);
    append_row(trial.kernel.output, example.answer, asked.answers.output, asked.row);
    best = std::move(example);
  };
  keep(cell.worst);
  if (failure != nullptr && !known) {
    keep(cell.worst_failure);
    if (std::isfinite(error)) keep(cell.worst_finite);
  }
}

void count_size(Trial const& trial, Table const& cases, std::size_t row, SizeTally const& counted, Sizing& sizing) {
  if (counted.judged == 0) return;
  double const size = trial.kernel.size(cases, row);
  if (std::isnan(size)) return;
  sizing.resize(size_bins);
  SizeTally& bin = sizing[size_bin(size)];
  ++bin.judged;
  bin.failed += counted.failed;
  bin.max_error = std::max(bin.max_error, counted.max_error);
}

/// Returns true if row `i` of `a` and row `j` of `b` have the same bits in this node. Both tables have the same schema.
bool same_bits(Node const& node, Table const& a, std::size_t i, Table const& b, std::size_t j) {
  switch (node.kind) {
    case Node::Kind::record:
      return std::ranges::all_of(node.children, [&](Node const& child) { return same_bits(child, a, i, b, j); });
    case Node::Kind::list: {
      auto const offset = [&](Table const& table, std::size_t at) {
        return static_cast<std::size_t>(table.columns[node.column][at]);
      };
      std::size_t const length = offset(a, i + 1) - offset(a, i);
      if (offset(b, j + 1) - offset(b, j) != length) return false;
      for (std::size_t k = 0; k < length; ++k)
        if (!same_bits(node.children.front(), a, offset(a, i) + k, b, offset(b, j) + k)) return false;
      return true;
    }
    default:
      for (std::size_t column = node.column; column < node.column + node.columns; ++column)
        if (std::bit_cast<std::uint64_t>(a.columns[column][i]) != std::bit_cast<std::uint64_t>(b.columns[column][j]))
          return false;
      return true;
  }
}

/// Answers the rows of a law: `counts[i]` rows belong to case i. Many laws compare with the answer to the case itself,
/// which is already known. An answer of a formula depends only on the case, so the known answer is used again.
void answer_law(Kernel const& kernel, Interview& ask, Table const& inputs, std::vector<std::size_t> const& counts,
                Table const& cases, Answers const& of_cases, Answers& answers) {
  if (!inputs.exact.empty() || !cases.exact.empty()) return ask(inputs, answers);
  std::vector<std::optional<std::size_t>> answered;
  Table others(kernel.input);
  for (std::size_t i = 0; i < counts.size(); ++i) {
    for (std::size_t k = 0; k < counts[i]; ++k) {
      std::size_t const row = answered.size();
      bool const is_there = same_bits(kernel.input.root, inputs, row, cases, i);
      answered.push_back(is_there ? std::optional(i) : std::nullopt);
      if (!is_there) append_row(kernel.input, others, inputs, row);
    }
  }
  Answers of_others;
  ask(others, of_others);
  answers.clear(kernel.output);
  std::size_t next = 0;
  for (auto const& at : answered) append_row(kernel.output, answers, at ? of_cases : of_others, at ? *at : next++);
}

/// Checks the laws on the first `count` cases of a block.
void ask_laws(Trial const& trial, std::size_t s, Interview& ask, std::size_t regime, std::uint64_t first,
              std::uint64_t count, Table const& cases, Answers const& of_cases, std::vector<LawTally>& tallies) {
  tallies.resize(trial.kernel.laws.size());
  if (count == 0) return;
  bool const is_formula = is_formula_of_ours(*trial.subjects[s], trial.kernel.name);
  for (std::size_t law = 0; law < trial.kernel.laws.size() && !told_to_stop(trial.options); ++law) {
    Table inputs(trial.kernel.input);
    std::vector<std::size_t> counts;
    for (std::size_t row = 0; row < count; ++row)
      counts.push_back(
          trial.kernel.derive(law, cases, row, law_random(law, law_salt(first + row, trial.options.sizes)), inputs));
    Answers answers;
    if (is_formula) {
      answer_law(trial.kernel, ask, inputs, counts, cases, of_cases, answers);
    } else {
      ask(inputs, answers);
    }
    LawTally& tally = tallies[law];
    std::size_t at = 0;
    for (std::size_t row = 0; row < count && !told_to_stop(trial.options); ++row) {
      ++tally.cases;
      if (counts[row] == 0) continue;
      auto const violation = violation_of(trial.kernel, *trial.subjects[s], trial.tolerances[s], law, trial.used[law],
                                          inputs, answers, at, counts[row]);
      at += counts[row];
      if (!violation) continue;
      ++tally.applicable;
      if (*violation > 1 && !held_against(trial, s, law, inputs, at - counts[row], counts[row], *violation)) {
        ++tally.by_formula;
        continue;
      }
      if (*violation > 1 && trial.options.known &&
          trial.options.known({s, regime, std::nullopt, law, cases, row, *violation})) {
        ++tally.known;
      } else if (*violation > 1) {
        ++tally.broken;
        Example example{Table(trial.kernel.input), Table(trial.kernel.output), first + row, regime, *violation};
        if (!tally.example || tells_more(example, *tally.example)) {
          append_row(trial.kernel.input, example.input, cases, row);
          tally.example = std::move(example);
        }
      }
      tally.worst = std::max(tally.worst, *violation);
    }
  }
}

/// Measures the distance of a subject's model from the recommended formula on the first cases of a block.
void measure_model(Trial const& trial, std::size_t s, std::size_t regime, Table const& cases,
                   std::vector<AccuracyCell>& accuracy) {
  // Some formulas contain a search. With the number of digits of a truth, such a formula takes 0.1 s per case, and
  // seconds for extreme numbers. Therefore only one case per block is measured, and none in extreme regimes.
  std::size_t looked_at = 256 / trial.kernel.case_divisor;
  if (trial.kernel.case_divisor >= 50) looked_at = trial.kernel.regimes[regime].profile == Profile::extreme ? 0 : 1;
  std::size_t const formula = modelled_formula(trial, s);
  if (formula == 0 || looked_at == 0 || !trial.options.model_distance) return;
  if (told_to_stop(trial.options)) return;
  Table some(trial.kernel.input);
  for (std::size_t row = 0; row < std::min(cases.rows, looked_at); ++row)
    append_row(trial.kernel.input, some, cases, row);
  Model const model(trial.kernel, formula);
  Answers const answers = model.answers(model.truths(some, trial.options.stop));
  Truths const truths = Model(trial.kernel).truths(some, trial.options.stop);
  if (told_to_stop(trial.options)) return;
  std::vector<Judged> judged(trial.kernel.budgets.size());
  for (std::size_t row = 0; row < some.rows; ++row) {
    trial.kernel.judge(some, truths, row, answers, row, trial.tolerances[s], judged);
    for (std::size_t k = 0; k < judged.size(); ++k) {
      if (!judged[k].computed || !trial.kernel.formulas[formula].has(trial.kernel.budgets[k].output)) continue;
      ++accuracy[k].model_cases;
      accuracy[k].model_distance = std::max(accuracy[k].model_distance, judged[k].error);
    }
  }
}

/// Asks one subject the cases of a block and judges the answers.
void ask_one(Trial const& trial, std::size_t s, std::size_t regime, std::uint64_t first, std::uint64_t law_count,
             Table const& cases, Truths const& truths, std::vector<Judged>& judged, Block& result) {
  auto& accuracy = result.accuracy[s];
  for (std::size_t k = 0; k < trial.kernel.budgets.size(); ++k) accuracy.push_back(nothing_judged(regime, k));
  // One child process per block is used, so that the answers do not depend on the number of threads.
  Interview ask(*trial.subjects[s], trial.kernel);
  Answers answers;
  ask(cases, answers);
  for (std::size_t row = 0; row < cases.rows && !told_to_stop(trial.options); ++row)
    judge_and_count(trial, s, {cases, truths, answers, row, first + row}, accuracy, result.sizes[s], judged);
  measure_model(trial, s, regime, cases, accuracy);
  // If a subject answers no case, its laws are not tested: they give no information, and each answer would time out
  // again.
  if (!answers.status.empty() && std::ranges::all_of(answers.status, owed)) law_count = 0;
  ask_laws(trial, s, ask, regime, first, std::min<std::uint64_t>(law_count, cases.rows), cases, answers,
           result.laws[s]);
}

}  // namespace

Trial trial_of(Kernel const& kernel, std::vector<Subject const*> const& subjects, CheckOptions const& options) {
  Trial trial{kernel, subjects, options, {}, {}, {}, nullptr};
  for (auto const* subject : subjects) trial.tolerances.push_back(tolerance_of(kernel, *subject, options.held));
  for (auto const& law : kernel.laws) trial.used.push_back(used_outputs(kernel, law));
  for (auto const* subject : subjects) trial.models.push_back(model_of(kernel, *subject));
  return trial;
}

std::size_t modelled_formula(Trial const& trial, std::size_t s) {
  Model const& model = trial.models[s];
  return model.recommended() ? printed_formula(trial.kernel, *trial.subjects[s]) : model.formula();
}

CaseOutcome judge_and_count(Trial const& trial, std::size_t s, AnsweredCase const& asked, std::span<AccuracyCell> cells,
                            Sizing& sizes, std::span<Judged> judged) {
  if (asked.answers.status[asked.row] == Status::answered)
    trial.models[s].judge(asked.cases, asked.truths, asked.row, asked.answers, asked.row, trial.tolerances[s], judged);
  CaseOutcome outcome;
  SizeTally case_of_size;
  for (std::size_t k = 0; k < cells.size(); ++k) count_one(trial, s, cells[k], judged[k], asked, outcome, case_of_size);
  count_size(trial, asked.cases, asked.row, case_of_size, sizes);
  return outcome;
}

bool held_against(Trial const& trial, std::size_t s, std::size_t law, Table const& inputs, std::size_t first,
                  std::size_t count, double violation) {
  if (!(violation > 1)) return false;
  auto const of_formula = [&](Table const& asked, Answers const& answers) {
    return violation_of(trial.kernel, *trial.subjects[s], trial.tolerances[s], law, trial.used[law], asked, answers, 0,
                        asked.rows);
  };
  return !trial.models[s].breaks_too(inputs, first, count, violation, trial.tolerances[s].format, of_formula);
}

Block ask(Trial const& trial, std::size_t regime, std::uint64_t first, std::uint64_t count, std::uint64_t law_count,
          std::vector<bool> const& asked, std::vector<double>& spent) {
  Block result;
  result.accuracy.resize(trial.subjects.size());
  result.laws.resize(trial.subjects.size());
  result.sizes.resize(trial.subjects.size());
  Table cases(trial.kernel.input);
  for (std::uint64_t id = first; id < first + count; ++id)
    trial.kernel.generate(regime, trial.options.seed, id, cases, trial.options.sizes);
  // Truths are computed once per model.
  std::map<std::size_t, Truths> truths;
  std::vector<Judged> judged(trial.kernel.budgets.size());
  for (std::size_t s = 0; s < trial.subjects.size(); ++s) {
    if (!asked[s]) continue;
    Model const& model = trial.models[s];
    if (!trial.subjects[s]->binary32 && !truths.contains(model.formula()))
      truths.emplace(model.formula(), model.truths(cases, trial.options.stop));
    if (told_to_stop(trial.options)) break;
    Clock::time_point const begin = Clock::now();
    TimeBudget::Asking const asking(trial.budget, s);
    if (trial.subjects[s]->binary32) {
      Table const rounded = judged_cases(trial.kernel, *trial.subjects[s], cases);
      Truths const of_rounded = model.truths(rounded, trial.options.stop);
      if (told_to_stop(trial.options)) break;
      ask_one(trial, s, regime, first, law_count, rounded, of_rounded, judged, result);
    } else {
      ask_one(trial, s, regime, first, law_count, cases, truths.at(model.formula()), judged, result);
    }
    spent[s] += std::chrono::duration<double>(Clock::now() - begin).count();
  }
  return result;
}

bool still_fails(Trial const& trial, std::size_t s, RecordedFailure const& failure) {
  if (accepted(trial, s, failure)) return false;
  Answers answers;
  for (std::size_t law = 0; law < trial.kernel.laws.size(); ++law) {
    if (trial.kernel.laws[law].name != failure.law) continue;
    Table inputs(trial.kernel.input);
    auto const violation = law_violation(trial.kernel, *trial.subjects[s], law, failure.input, 0, failure.salt, inputs,
                                         answers, trial.options.held);
    return violation && held_against(trial, s, law, inputs, 0, inputs.rows, *violation);
  }
  Table const input = judged_cases(trial.kernel, *trial.subjects[s], failure.input);
  answer(*trial.subjects[s], trial.kernel, input, answers);
  if (answers.status[0] != Status::answered) return owed(answers.status[0]);
  std::vector<Judged> judged(trial.kernel.budgets.size());
  trial.models[s].judge(input, trial.models[s].truths(input), 0, answers, 0, trial.tolerances[s], judged);
  return std::any_of(judged.begin(), judged.end(),
                     [](Judged const& each) { return each.computed && each.verdict == Verdict::fail; });
}

}  // namespace demeter
