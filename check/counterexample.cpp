#include "check/counterexample.hpp"

#include "check/shrink.hpp"
#include "check/tolerance.hpp"
#include "subjects/subjects.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

namespace demeter {
namespace {

/// Returns the smallest violation that a simplified case must still have. A gross failure must not shrink to one that
/// barely fails.
double as_bad_as(double violation) { return violation / 1000; }

/// Evaluates `fails` for the rows of a table, in pieces, until the subject's time for shrinking is over. The remaining
/// rows count as not failing.
template <class Fails>
std::vector<bool> piece_by_piece(Trial const& trial, Patient& patience, Table const& candidates, Fails const& fails) {
  constexpr std::size_t piece = 64;
  if (trial.options.seconds == 0 || candidates.rows <= piece)
    return patience.over() ? std::vector<bool>(candidates.rows, false) : patience([&] { return fails(candidates); });
  std::vector<bool> result(candidates.rows, false);
  Table some(trial.kernel.input);
  for (std::size_t first = 0; first < candidates.rows && !patience.over(); first += piece) {
    some.clear(trial.kernel.input);
    for (std::size_t row = first; row < std::min(first + piece, candidates.rows); ++row)
      append_row(trial.kernel.input, some, candidates, row);
    auto const found = patience([&] { return fails(some); });
    std::copy(found.begin(), found.end(), result.begin() + static_cast<std::ptrdiff_t>(first));
  }
  return result;
}

std::vector<bool> law_fails(Trial const& trial, Ask const& ask, std::size_t s, std::size_t law, Table const& candidates,
                            std::uint64_t salt, double least) {
  std::vector<bool> result(candidates.rows, false);
  Table inputs(trial.kernel.input);
  std::vector<std::size_t> counts(candidates.rows, 0);
  for (std::size_t row = 0; row < candidates.rows; ++row)
    if (!trial.kernel.domain_error(candidates, row))
      counts[row] = trial.kernel.derive(law, candidates, row, law_random(law, salt), inputs);
  Answers answers;
  ask(inputs, answers);
  std::size_t at = 0;
  for (std::size_t row = 0; row < candidates.rows; ++row) {
    if (counts[row] == 0) continue;
    auto const violation = violation_of(trial.kernel, *trial.subjects[s], trial.tolerances[s], law, trial.used[law],
                                        inputs, answers, at, counts[row]);
    at += counts[row];
    result[row] = violation && *violation >= least &&
                  held_against(trial, s, law, inputs, at - counts[row], counts[row], *violation);
  }
  return result;
}

}  // namespace

std::optional<LawCheck::Counterexample> shrink_law(Trial const& trial, Patient& patience, std::size_t s,
                                                   std::size_t law, Example const& example) {
  // With a fixed salt, the random choices of the law depend only on the case. Salts are tried until the law fails with
  // one of them.
  Interview interview(*trial.subjects[s], trial.kernel);
  Ask const ask = [&](Table const& cases, Answers& answers) { interview(cases, answers); };
  for (std::uint64_t choice = 0; choice < law_salts; ++choice) {
    std::uint64_t const salt = law_salt(choice, trial.options.sizes);
    LawCheck::Counterexample found;
    Answers answers;
    auto violation = law_violation(ask, trial.kernel, *trial.subjects[s], trial.tolerances[s], law, example.input, 0,
                                   salt, found.inputs, answers);
    if (!violation || !held_against(trial, s, law, found.inputs, 0, found.inputs.rows, *violation)) continue;
    Table small = example.input;
    if (trial.options.shrink) {
      auto const fails = [&](Table const& candidates) {
        return piece_by_piece(trial, patience, candidates, [&](Table const& some) {
          return law_fails(trial, ask, s, law, some, salt, as_bad_as(*violation));
        });
      };
      small = shrink(trial.kernel.input, example.input, 0, fails, trial.kernel.simpler);
    }
    violation = law_violation(ask, trial.kernel, *trial.subjects[s], trial.tolerances[s], law, small, 0, salt,
                              found.inputs, answers);
    found.outputs = answers.output;
    found.salt = salt;
    found.violation = violation.value_or(infinite_error);
    return found;
  }
  return std::nullopt;
}

Example shrink_failure(Trial const& trial, Patient& patience, std::size_t s, std::size_t budget,
                       Example const& example) {
  Interview ask(*trial.subjects[s], trial.kernel);
  auto const fails = [&](Table const& simpler) {
    Table const candidates = judged_cases(trial.kernel, *trial.subjects[s], simpler);
    std::vector<bool> result(candidates.rows, false);
    Table valid(trial.kernel.input);
    std::vector<std::size_t> rows;
    for (std::size_t row = 0; row < candidates.rows; ++row) {
      if (trial.kernel.domain_error(candidates, row)) continue;
      append_row(trial.kernel.input, valid, candidates, row);
      rows.push_back(row);
    }
    Truths const truths = trial.models[s].truths(valid);
    Answers answers;
    ask(valid, answers);
    std::vector<Judged> judged(trial.kernel.budgets.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (answers.status[i] == Status::answered) {
        trial.models[s].judge(valid, truths, i, answers, i, trial.tolerances[s], judged);
        result[rows[i]] = judged[budget].computed && judged[budget].verdict == Verdict::fail &&
                          judged[budget].error >= as_bad_as(example.error) &&
                          std::isinf(judged[budget].error) == std::isinf(example.error);
      } else {
        // A crash counts only if the original failure has an infinite error, so that the simplified case shows the same
        // kind of failure.
        result[rows[i]] = owed(answers.status[i]) && std::isinf(example.error);
      }
    }
    return result;
  };
  Example small = example;
  if (!trial.options.shrink) {
    small.input = judged_cases(trial.kernel, *trial.subjects[s], example.input);
    return small;
  }
  small.input = shrink(
      trial.kernel.input, example.input, 0,
      [&](Table const& simpler) { return piece_by_piece(trial, patience, simpler, fails); }, trial.kernel.simpler);
  small.input = judged_cases(trial.kernel, *trial.subjects[s], small.input);
  Answers answers;
  ask(small.input, answers);
  small.answer = answers.output;
  std::vector<Judged> judged(trial.kernel.budgets.size());
  if (answers.status[0] == Status::answered)
    trial.models[s].judge(small.input, trial.models[s].truths(small.input), 0, answers, 0, trial.tolerances[s], judged);
  small.error = answers.status[0] == Status::answered ? judged[budget].error : infinite_error;
  return small;
}

}  // namespace demeter
