// Converts the TeX formulas of our documents to MathML, which browsers draw without a script.
#pragma once

#include <string>
#include <string_view>

namespace demeter::documents {

struct Formula {
  std::string mathml;  ///< a <math> element
  std::string error;   ///< the first error; empty if there is none
};

/// Converts a formula to MathML. Supports the part of TeX that docs/ uses: scripts, fractions, roots, accents, fences,
/// Greek letters, operators and words. With `display`, the formula is on a line of its own.
Formula mathml(std::string_view tex, bool display);

}  // namespace demeter::documents
