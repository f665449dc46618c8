// What makes a forked process a harmless place for somebody else's code: one recipe for libraries, which run in a fork
// of ours, and for programs. It makes system calls only, since the process that forks may have threads.
#pragma once

#include <sys/resource.h>
#include <sys/types.h>

#include <initializer_list>

namespace demeter::isolation {

/// The process ends with `parent`, and at once if that is gone already, and has a process group of its own, so that
/// what it starts can be ended with it.
void follow(pid_t parent);

/// No signal is handled, ignored or blocked: a handler of the parent's (a sanitizer's, a test framework's) would hide
/// which signal ended the child.
void default_signals();

/// Gives `files` the numbers from `first` on, whatever numbers they have, and closes all others: the end of another
/// subject's pipe, held here, would keep it open. Standard streams that `files` do not become are /dev/null, and so is
/// a file that is -1. What is no standard stream is closed by an exec. Exits if it cannot.
void keep_only(std::initializer_list<int> files, int first);

/// Lowers a limit, for what the process starts too.
void lower_limit(decltype(RLIMIT_AS) resource, rlim_t value);

/// The process leaves no core file, and is the one that the kernel ends if memory runs out all the same.
void be_expendable();

}  // namespace demeter::isolation
