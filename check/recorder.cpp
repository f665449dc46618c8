#include "check/recorder.hpp"

#include "check/calling.hpp"

#include <algorithm>

namespace demeter {
namespace {

/// Returns true if the check includes the regime of a recorded failure. A regime that does not exist any more is
/// included.
bool asked_for(Trial const& trial, RecordedFailure const& failure) {
  auto const& regimes = trial.options.regimes;
  if (regimes.empty()) return true;
  for (std::size_t regime = 0; regime < trial.kernel.regimes.size(); ++regime)
    if (trial.kernel.regimes[regime].name == failure.regime)
      return std::find(regimes.begin(), regimes.end(), regime) != regimes.end();
  return true;
}

}  // namespace

void Recorder::replay() {
  if (database_ == nullptr) return;
  for (std::size_t s = 0; s < trial_.subjects.size(); ++s) {
    std::vector<RecordedFailure> recorded;
    if (auto const error = database_->load(trial_.kernel, trial_.subjects[s]->name, recorded))
      results_[s].notes.push_back(*error);
    bool const calls = trial_.options.calls && can_be_called(*trial_.subjects[s], trial_.kernel.name);
    std::erase_if(recorded, [&](RecordedFailure const& failure) {
      return failure.call.empty() ? !asked_for(trial_, failure) : !calls;
    });
    results_[s].recorded = recorded.size();
    std::erase_if(recorded, [&](RecordedFailure& failure) {
      if (failure.call.empty()) return false;
      called_[s].push_back(std::move(failure));
      return true;
    });
    for (auto& failure : recorded)
      if (still_fails(trial_, s, failure)) results_[s].still_failing.push_back(std::move(failure));
  }
}

Table Recorder::called(std::size_t s) const {
  Table cases(trial_.kernel.input);
  for (RecordedFailure const& failure : called_[s]) append_row(trial_.kernel.input, cases, failure.input, 0);
  return cases;
}

void Recorder::look(std::size_t s, CallCheck const& calls, Table const& cases) {
  auto const accepted = [&](Way way) { return trial_.options.known_call && trial_.options.known_call(s, way); };
  for (CallFinding const& finding : calls.findings) {
    if (accepted(finding.way)) continue;
    for (RecordedFailure const& failure : called_[s])
      if (failure.call == way_name(finding.way)) results_[s].still_failing.push_back(failure);
    if (database_ == nullptr) continue;
    // A call for 0 rows has no case, but a record needs one. All cases show the failure, so the first case is recorded.
    Table const& from = finding.inputs.rows > 0 ? finding.inputs : cases;
    RecordedFailure failure{Table(trial_.kernel.input), "", "", "", 0, std::string(way_name(finding.way))};
    append_row(trial_.kernel.input, failure.input, from, finding.row.value_or(0));
    keep(s, failure);
  }
}

void Recorder::look(std::size_t s, AccuracyCell const& cell) {
  if (database_ == nullptr || cell.wrong() == 0) return;
  auto const& example = cell.worst_finite ? cell.worst_finite : cell.worst_failure;
  if (example && seen_[s].emplace(cell.regime, cell.budget).second) keep(s, cell.budget, *example);
}

void Recorder::look(std::size_t s, std::size_t law, Example const& example) {
  // The case is recorded before it is shrunk. The shrunk case is recorded later, with the salt that shows its
  // violation.
  if (database_ != nullptr && seen_[s].emplace(trial_.kernel.regimes.size(), law).second)
    keep(s, {example.input, trial_.kernel.regimes[example.regime].name, "", trial_.kernel.laws[law].name,
             law_salt(example.id, trial_.options.sizes)});
}

void Recorder::shrunk(std::size_t s, std::size_t budget, Example const& example) {
  if (database_ != nullptr) keep(s, budget, example);
}

void Recorder::shrunk(std::size_t s, std::size_t law, std::size_t regime, LawCheck::Counterexample const& found) {
  if (database_ == nullptr) return;
  RecordedFailure failure{Table(trial_.kernel.input), trial_.kernel.regimes[regime].name, "",
                          trial_.kernel.laws[law].name, found.salt};
  append_row(trial_.kernel.input, failure.input, found.inputs, 0);
  keep(s, failure);
}

void Recorder::keep(std::size_t s, std::size_t budget, Example const& example) {
  keep(s, {example.input, trial_.kernel.regimes[example.regime].name, std::string(trial_.kernel.budgets[budget].output),
           "", 0});
}

void Recorder::keep(std::size_t s, RecordedFailure const& failure) {
  auto const error = database_->add(trial_.kernel, trial_.subjects[s]->name, failure);
  if (!error) return;
  results_[s].notes.push_back(*error);
  database_ = nullptr;  // report the error once
}

}  // namespace demeter
