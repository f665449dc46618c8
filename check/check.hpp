// The check: regimes, oracle and laws against subjects, with statistics, worst inputs and shrunk counterexamples.
#pragma once

#include "check/check_types.hpp"
#include "subjects/subjects.hpp"

#include <vector>

namespace demeter {

/// What a subject is asked in a check that is told nothing about it: the same, but little of one whose answers are
/// dear.
CheckOptions affordable(Subject const& subject, CheckOptions options);

/// Counts answers as malformed that leave out an output which other answers of the subject give. To be called once,
/// when all cases have been counted.
void settle_left_out(Kernel const& kernel, SubjectCheck& result);

/// Checks one kernel against several subjects: each case is drawn once and its truth computed once.
std::vector<SubjectCheck> check(Kernel const& kernel, std::vector<Subject const*> const& subjects,
                                CheckOptions const& options);

}  // namespace demeter
