// Prints the meaning of every key of a scene and of every observable, as tables in Markdown.
#pragma once

#include <string>

namespace demeter::simulations {

/// Returns a heading and a table for each part of a scene and for the observables. docs/simulate.md contains this text.
std::string keys_text();

}  // namespace demeter::simulations
