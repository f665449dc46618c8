// The check: asks subjects the cases of regimes, judges the answers by oracle and laws, and shrinks counterexamples.
#pragma once

#include "check/check_types.hpp"
#include "subjects/subjects.hpp"

#include <vector>

namespace demeter {

/// Returns the options with fewer cases if the answers of the subject are slow. Use it for a check for which the user
/// gave no settings.
CheckOptions affordable(Subject const& subject, CheckOptions options);

/// Counts answers without an output as malformed if other answers of the subject have this output. Call it once, after
/// all cases have been counted.
void settle_left_out(Kernel const& kernel, SubjectCheck& result);

/// Checks one kernel against several subjects. Each case is drawn once and its truth is computed once.
std::vector<SubjectCheck> check(Kernel const& kernel, std::vector<Subject const*> const& subjects,
                                CheckOptions const& options);

}  // namespace demeter
