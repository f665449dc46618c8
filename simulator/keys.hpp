// What every key of a scene and every observable means, as tables of Markdown.
#pragma once

#include <string>

namespace demeter::simulations {

/// A heading and a table for each part of a scene, and for observables; docs/simulate.md has them.
std::string keys_text();

}  // namespace demeter::simulations
