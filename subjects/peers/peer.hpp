// A peer's adapter as the command finds it: a module of its own, loaded when the peer is asked for, with the library
// that it adapts. Linked into the command, these libraries would be more than half of the time in which it starts.
#pragma once

#include "kernels/subject.hpp"

/// The adapter, defined once in each module.
extern "C" [[gnu::visibility("default")]] void demeter_peer(demeter::Subject& made);
