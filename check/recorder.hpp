// Adds the failures of a check to the failure database, and tries recorded failures again.
#pragma once

#include "check/trial.hpp"

#include <set>
#include <utility>
#include <vector>

namespace demeter {

/// Stores failures in the database as they are found: one per regime and output, and one per law.
class Recorder {
 public:
  Recorder(Trial const& trial, std::vector<SubjectCheck>& results)
      : trial_(trial),
        database_(trial.options.failures),
        results_(results),
        seen_(trial.subjects.size()),
        called_(trial.subjects.size()) {}

  /// Tries recorded failures again.
  void replay();
  /// Returns the cases of a subject that are recorded as failures with a call pattern. They have not been tried yet.
  Table called(std::size_t subject) const;
  /// Records the findings about call patterns. `cases` are the cases that were used.
  void look(std::size_t subject, CallCheck const& calls, Table const& cases);
  /// Record the failures of a block of cases.
  void look(std::size_t subject, AccuracyCell const& cell);
  void look(std::size_t subject, std::size_t law, Example const& example);
  /// Record failures that have been shrunk.
  void shrunk(std::size_t subject, std::size_t budget, Example const& example);
  void shrunk(std::size_t subject, std::size_t law, std::size_t regime, LawCheck::Counterexample const& found);

 private:
  void keep(std::size_t subject, std::size_t budget, Example const& example);
  void keep(std::size_t subject, RecordedFailure const& failure);

  Trial const& trial_;
  FailureDatabase* database_;
  std::vector<SubjectCheck>& results_;
  std::vector<std::set<std::pair<std::size_t, std::size_t>>> seen_;
  std::vector<std::vector<RecordedFailure>> called_;  ///< recorded failures with call patterns, by subject
};

}  // namespace demeter
