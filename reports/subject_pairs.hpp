// Finds the subjects of an old and a new run that are compared with each other.
#pragma once

#include "reports/compare.hpp"

#include <optional>
#include <string>

namespace demeter {

/// Renames subjects of `old_run` as they are named in `new_run`, so that compare() compares them. A subject that only
/// one run has is matched by one of these rules, in this order:
///  1. Two libraries with different paths give themselves the same name (demeter_subject_name).
///  2. The names without folders are the same: "lib:old/libmine.so" and "lib:new/libmine.so", or
///     "pipe:python3 a/mine.py" and "pipe:python3 b/mine.py".
///  3. Each run has only one subject.
/// If two subjects of a run have the same name by a rule, they are not matched by this rule. Adds a remark to `old_run`
/// for each match.
void match_subjects(Recorded& old_run, Recorded const& new_run);

/// Keeps only the results of one subject. Returns the reason if the run has no results of this subject.
std::optional<std::string> select_subject(Recorded& run, std::string const& subject);

/// Keeps only the results of the subject `first` in `old_run` and of the subject `second` in `new_run`, for the kernels
/// that both answer. Both get the name of `second`. The user may name a subject as the run does, by the name that a
/// library gives itself, or without its level or arithmetic. The name "fast" means the highest level in the run. If the
/// subjects compute in different precisions, all errors and budgets are converted to units of binary64. Returns the
/// reason if there is nothing to compare.
std::optional<std::string> select_subjects(Recorded& old_run, Recorded& new_run, std::string const& first,
                                           std::string const& second);

}  // namespace demeter
