// Turns a call with a problem into a finding: the exact problem, and the fewest rows or calls that show it.
#pragma once

#include "check/call_trial.hpp"

#include <string>
#include <vector>

namespace demeter {

/// The smallest call found that has the same problem.
struct SmallCall {
  Call call;
  Trouble trouble;
};
SmallCall smallest(CallTrial& trial, Call const& call, Trouble const& trouble);

/// Returns the exact misbehaviour of a call that gives no answers. If the call crashes with protected pages around its
/// columns, it is repeated with fewer protected pages to find the cause. Ends the trial after a hang.
Misdeed diagnosed(CallTrial& trial, Call const& call, Trouble const& trouble);
/// Returns the misbehaviour as text, such as "writes to its inputs", "crashes (signal 11 (SIGSEGV))".
std::string diagnosed_text(CallTrial& trial, Call const& call, Trouble const& trouble);

/// Adds a finding for a batch that crashes, or in which a row has a different answer than in a call of its own.
void add_batch(CallTrial& trial, Call const& call, Trouble const& trouble);

/// Adds a finding for the call at index `at` of the script: its answer differs from the answer in a new process, or the
/// call ends its process.
void add_again(CallTrial& trial, std::vector<Call> const& script, std::size_t at, Trouble const& trouble);

}  // namespace demeter
