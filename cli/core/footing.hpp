// What the process needs of the system before anything else is done.
#pragma once

#include <functional>

namespace demeter::cli {

/// Standard streams that are closed are opened on nothing, so that no file of ours gets their number: reading and
/// writing them still fails. A closed pipe and a file's limit are errors of a write, not ends of the program.
///
/// Before main, where this is linked: what ends in std::terminate says so in one line and exits with the code of a
/// broken harness, and so does arithmetic that no verdict can rest on.
void stand_firmly();

/// Runs `work` with as much stack as the program needs, in a thread of its own if the system gives the first less.
int with_enough_stack(std::function<int()> const& work);

}  // namespace demeter::cli
