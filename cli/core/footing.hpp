// Prepares the process before any other work.
#pragma once

#include <functional>

namespace demeter::cli {

/// If a standard stream is closed, opens a file in its place, so that no other file gets its number. Reading or writing
/// the stream still fails. A closed pipe and the limit on file size then cause write errors and do not end the program.
///
/// A program that links this file is also prepared before main: std::terminate prints one line and exits with the code
/// `broken`. A floating-point environment that makes every verdict unreliable ends the program in the same way.
void stand_firmly();

/// Runs `work` with a stack that is large enough for the program. If the stack of the first thread is too small, `work`
/// runs in a new thread.
int with_enough_stack(std::function<int()> const& work);

}  // namespace demeter::cli
