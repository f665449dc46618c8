// The interface of a peer's adapter. Each adapter is a module that is linked to the library of the peer. The command
// loads the module when the peer is needed. If these libraries were linked into the command, they would take more than
// half of its start-up time.
#pragma once

#include "kernels/subject.hpp"

/// Sets `made` to the subject of the peer. Each module defines this function.
extern "C" [[gnu::visibility("default")]] void demeter_peer(demeter::Subject& made);
