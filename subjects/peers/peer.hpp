// The interface of a peer's adapter. Each adapter is a module that contains the library it adapts, and is loaded when
// the peer is needed. If these libraries were linked into the command, they would take more than half of its start-up
// time.
#pragma once

#include "kernels/subject.hpp"

/// The adapter. Each module defines it once.
extern "C" [[gnu::visibility("default")]] void demeter_peer(demeter::Subject& made);
