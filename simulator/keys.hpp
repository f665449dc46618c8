// Prints tables in Markdown with the meaning of every key of a scene and of every observable.
#pragma once

#include <string>

namespace demeter::simulations {

/// Returns a heading and a table for each table of a scene and for the observables. docs/simulate.md contains this
/// text.
std::string keys_text();

}  // namespace demeter::simulations
