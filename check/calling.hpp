// Tests of call patterns: does the answer to a case depend on how the case is asked? Each case is first asked in a call
// of its own. This answer is compared bit by bit with the answers in the other call patterns that codes use.
#pragma once

#include "check/calling_types.hpp"
#include "subjects/subjects.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace demeter {

/// Returns true if the call patterns of a subject can be tested. They cannot be tested for recorded answers,
/// approximate methods, subjects whose answers are slow, and formulas of our own.
bool can_be_called(Subject const& subject, std::string_view kernel);

/// Returns some cases of each of these regimes.
Table cases_to_call_with(Kernel const& kernel, std::vector<std::size_t> const& regimes, std::uint64_t seed,
                         Sizes const& sizes);

/// Tests all call patterns that the form of the subject allows. All patterns apply to a function over columns. A
/// program is asked the same cases again, in another order and one by one. Other subjects are asked in batches, and the
/// same cases again. `cases` are the cases at which the subject is judged (see judged_cases()). Except for programs,
/// each trial uses new processes, so that a crash is a finding.
CallCheck call_in_every_way(Kernel const& kernel, Subject const& subject, Table const& cases,
                            CallOptions const& options);

}  // namespace demeter
