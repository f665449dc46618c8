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

/// A published code, with the address of its source or of its documentation. Addresses of GPL code are given for the
/// reader: no line of that code is in Demeter.
struct PublishedCode {
  std::string_view name;  ///< with the version on which the behaviour was observed, if it was run
  std::string_view address = {};
};

namespace published {

inline constexpr PublishedCode liggghts_superquadrics{
    "LIGGGHTS 3.8.0, surface_model_superquadric.h",
    "https://github.com/CFDEMproject/LIGGGHTS-PUBLIC/blob/master/src/surface_model_superquadric.h"};
inline constexpr PublishedCode woo_capsules{"Woo, pkg/dem/Capsule.cpp",
                                            "https://github.com/woodem/woo/blob/master/pkg/dem/Capsule.cpp"};
inline constexpr PublishedCode woo_clumps{"Woo, pkg/dem/Clump.cpp",
                                          "https://github.com/woodem/woo/blob/master/pkg/dem/Clump.cpp"};
inline constexpr PublishedCode woo{"Woo", "https://woodem.org"};
inline constexpr PublishedCode lammps{"LAMMPS 29 Sep 2021, pair_style gran/*/history",
                                      "https://docs.lammps.org/pair_gran.html"};
inline constexpr PublishedCode liggghts{"LIGGGHTS-PUBLIC 3.8.0, pair_style gran with tangential history",
                                        "https://www.cfdem.com/media/DEM/docu/gran_tangential_history.html"};
inline constexpr PublishedCode yade{"YADE 2023.02a", "https://yade-dem.org/doc/formulation.html"};
inline constexpr PublishedCode fcl_issue{"FCL, issue 567",
                                         "https://github.com/flexible-collision-library/fcl/issues/567"};
inline constexpr PublishedCode course{"a course’s exercise: an hourglass by non-smooth contact dynamics"};

}  // namespace published

/// One error in a source. Texts are sentences or formulas in plain text. A text that does not apply is empty.
struct Erratum {
  std::string_view where;                 ///< the place in the source: an equation number, or a word of the source
  std::string_view documented = {};       ///< what the source prints
  std::string_view implemented = {};      ///< what codes that follow the source compute
  std::vector<PublishedCode> codes = {};  ///< the codes that do this; empty: unknown, or no code was examined
  std::string_view recommended = {};      ///< what the reference computes, or what the source should say
  std::vector<ErratumFigure> figures = {};
};

}  // namespace demeter
