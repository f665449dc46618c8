// Prepares a forked process to run foreign code safely: a library in a fork of this process, or a program. Makes system
// calls only, because the process that forks may have threads.
#pragma once

#include <sys/resource.h>
#include <sys/types.h>

#include <initializer_list>

namespace demeter::isolation {

/// Makes this process end when `parent` ends, and at once if `parent` has ended already. Gives this process its own
/// process group, so that it can be ended together with the processes that it starts.
void follow(pid_t parent);

/// Resets all signals to their default action and unblocks them. A handler of the parent (from a sanitizer or a test
/// framework) would hide which signal ended the child.
void default_signals();

/// Gives `files` the numbers from `first` on and closes all other files. (Reason: a pipe of another subject stays open
/// as long as any process has inherited its end.) A file number -1 in `files` means /dev/null. Standard streams that
/// are not among the new numbers also become /dev/null. An exec closes all files except the standard streams. Ends this
/// process on failure.
void keep_only(std::initializer_list<int> files, int first);

/// Lowers a limit for this process and its children.
void lower_limit(decltype(RLIMIT_AS) resource, rlim_t value);

/// Prevents a core file. Also makes this process the first one that the operating system ends if memory runs out.
void be_expendable();

}  // namespace demeter::isolation
