// The ways of calling: whether what a subject answers to a case depends on how it is asked. Each case is answered
// alone, and compared bit for bit with its answers in every other way in which codes call a library.
#pragma once

#include "check/calling_types.hpp"
#include "subjects/subjects.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace demeter {

/// Whether a subject can be tried so: not one of recorded answers, nor one whose answers are dear, nor a formula
/// of our own.
bool can_be_called(Subject const& subject, std::string_view kernel);

/// Cases of all these regimes, some of each.
Table cases_to_call_with(Kernel const& kernel, std::vector<std::size_t> const& regimes, std::uint64_t seed,
                         Sizes const& sizes);

/// Calls the subject in every way that its form has: a function over columns in all of them, a program in its process
/// again and in another order, others in batches and again. `cases` are as the subject is judged at them. Every trial
/// of what is no program takes processes of its own, so that a crash is a finding.
CallCheck call_in_every_way(Kernel const& kernel, Subject const& subject, Table const& cases,
                            CallOptions const& options);

}  // namespace demeter
