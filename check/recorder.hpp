// What a check adds to the failure database, and tries again from it.
#pragma once

#include "check/trial.hpp"

#include <set>
#include <utility>
#include <vector>

namespace demeter {

/// Keeps failures in the database as they are found: one a regime and output, one a law.
class Recorder {
 public:
  Recorder(Trial const& trial, std::vector<SubjectCheck>& results)
      : trial_(trial),
        database_(trial.options.failures),
        results_(results),
        seen_(trial.subjects.size()),
        called_(trial.subjects.size()) {}

  /// Tries what is recorded again.
  void replay();
  /// The cases of a subject that are recorded as failures in a way of calling. None of them has been tried.
  Table called(std::size_t subject) const;
  /// What calling showed, with these cases.
  void look(std::size_t subject, CallCheck const& calls, Table const& cases);
  /// What a block of cases showed.
  void look(std::size_t subject, AccuracyCell const& cell);
  void look(std::size_t subject, std::size_t law, Example const& example);
  /// The same, shrunk.
  void shrunk(std::size_t subject, std::size_t budget, Example const& example);
  void shrunk(std::size_t subject, std::size_t law, std::size_t regime, LawCheck::Counterexample const& found);

 private:
  void keep(std::size_t subject, std::size_t budget, Example const& example);
  void keep(std::size_t subject, RecordedFailure const& failure);

  Trial const& trial_;
  FailureDatabase* database_;
  std::vector<SubjectCheck>& results_;
  std::vector<std::set<std::pair<std::size_t, std::size_t>>> seen_;
  std::vector<std::vector<RecordedFailure>> called_;  ///< by subject
};

}  // namespace demeter
