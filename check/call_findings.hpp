// From a call in which something is wrong to a finding: what is wrong exactly, and the fewest rows or calls that show
// it.
#pragma once

#include "check/call_trial.hpp"

#include <string>
#include <vector>

namespace demeter {

/// A call with fewer rows that has the same trouble.
struct SmallCall {
  Call call;
  Trouble trouble;
};
SmallCall smallest(CallTrial& trial, Call const& call, Trouble const& trouble);

/// What exactly a call does that gives no answers. A call that dies with protected pages around its columns is made
/// again with fewer protected pages. Ends the trial after a hang.
Misdeed diagnosed(CallTrial& trial, Call const& call, Trouble const& trouble);
/// The same as text: "writes to its inputs", "dies (signal 11 (SIGSEGV))".
std::string diagnosed_text(CallTrial& trial, Call const& call, Trouble const& trouble);

/// Adds a call for some rows in which a row is answered otherwise than alone, or which is not survived.
void add_batch(CallTrial& trial, Call const& call, Trouble const& trouble);

/// Adds a finding for the call at `at` of the script: its answer differs from the answer in a new process, or the call
/// ends its process.
void add_again(CallTrial& trial, std::vector<Call> const& script, std::size_t at, Trouble const& trouble);

}  // namespace demeter
