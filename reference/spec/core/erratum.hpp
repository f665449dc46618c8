// Errors in sources and in codes, with figures that show how large each error is.
#pragma once

#include <string_view>
#include <vector>

namespace demeter {

/// One number that shows an erratum: the values that several formulas give for one case.
struct ErratumFigure {
  struct Value {
    std::string_view formula;  ///< "reference" is the recommended formula
    std::string_view stated;   ///< the value as a decimal; its last digit is rounded
  };

  std::string_view what;    ///< the case in words
  std::string_view input;   ///< the case as JSON, as one input line of `demeter evaluate`
  std::string_view column;  ///< the column of the output: "effective_radius", "point[2]"
  std::vector<Value> values;
};

/// One error in a source. Texts are sentences or formulas in plain text. A text that does not apply is empty.
struct Erratum {
  std::string_view where;             ///< the place in the source: an equation number, or a word of the source
  std::string_view documented = {};   ///< what the source prints
  std::string_view implemented = {};  ///< what codes that follow the source compute
  std::string_view recommended = {};  ///< what the reference computes, or what the source should say
  std::vector<ErratumFigure> figures = {};
};

}  // namespace demeter
