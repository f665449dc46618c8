// What a source prints, or a code does, that is not what it should be, with figures that show by how much.
#pragma once

#include <string_view>
#include <vector>

namespace demeter {

/// A number by which an erratum is seen: what formulas answer to one case, each beside the figure that is stated of it.
struct ErratumFigure {
  struct Value {
    std::string_view formula;  ///< "reference" is the recommended one
    std::string_view stated;   ///< in decimal; its last digit is rounded
  };

  std::string_view what;    ///< the case in words
  std::string_view input;   ///< the same as JSON, as a line of `demeter evaluate` has it
  std::string_view column;  ///< of the output: "effective_radius", "point[2]"
  std::vector<Value> values;
};

/// Texts are sentences or formulas in plain text, empty where nothing is said.
struct Erratum {
  std::string_view where;             ///< equation, or the word of the source
  std::string_view documented = {};   ///< as the source prints it
  std::string_view implemented = {};  ///< as codes have it that follow the source
  std::string_view recommended = {};  ///< what the reference computes, or what the source should say
  std::vector<ErratumFigure> figures = {};
};

}  // namespace demeter
