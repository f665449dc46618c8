// Which subject of an old run is compared with which subject of a new run.
#pragma once

#include "reports/compare.hpp"

#include <optional>
#include <string>

namespace demeter {

/// Gives subjects of `old_run` the names that they have in `new_run`, so that compare() compares them. A subject that
/// only one run has is matched, in this order, by
///  1. the name that a library gives itself (demeter_subject_name), if the library has another path;
///  2. the names of files without their folders: "lib:old/libmine.so" and "lib:new/libmine.so", "pipe:python3
///  a/mine.py"
///     and "pipe:python3 b/mine.py";
///  3. being the only subject of its run, if each run has one subject.
/// A name that two subjects of a run share matches nothing. Adds a remark to `old_run` for each match.
void match_subjects(Recorded& old_run, Recorded const& new_run);

/// Keeps only the results of one subject. Returns the reason if the run has none.
std::optional<std::string> select_subject(Recorded& run, std::string const& subject);

/// Keeps only the subject `first` of `old_run` and the subject `second` of `new_run`, in the kernels that both answer,
/// under the name of the second. A name is one of the run, the name that a library gives itself, or a name without its
/// level or arithmetic ("fast": the highest level that the run has). If the subjects compute in different precisions,
/// all errors and budgets become units of binary64. Returns the reason if there is nothing to compare.
std::optional<std::string> select_subjects(Recorded& old_run, Recorded& new_run, std::string const& first,
                                           std::string const& second);

}  // namespace demeter
