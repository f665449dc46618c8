// Figures by gnuplot: scripts are made of numbers and fixed text only, every name travels in the data file.
#pragma once

#include "reports/format/model.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace demeter::report {

struct Figure {
  enum class Kind { speed, regimes, continuity, solvers };
  Kind kind = Kind::speed;
  std::vector<std::string> outputs;  ///< the outputs that it is about
  std::string_view profile{};        ///< the regimes that it is about; of one of accuracy against speed
  std::string stem;                  ///< figures/<stem>.svg, .pdf, .gp, .dat
  int width = 0;                     ///< pixels, of the SVG
  std::string script, data;
  bool svg = false, pdf = false;  ///< whether they were drawn
};

/// The figures of a kernel: accuracy against speed by profile, and the error by regime, for each group of outputs.
std::vector<Figure> figures(Kernel const& kernel);

/// What every implementation does along the smallest path of each transition that somebody jumps at.
std::vector<Figure> continuity_figures(Kernel const& kernel);

/// The residual of every solver against sweeps and against time: one figure for each state of each study, in their
/// order.
std::vector<Figure> solver_figures(Results const& results);

/// Runs gnuplot on each figure, whose script and data stand in `folder`, and sets what was drawn: the same bytes for
/// the same figure at any time. Returns why some were not: no gnuplot, or what it said.
std::optional<std::string> draw(std::vector<Figure*> const& figures, std::filesystem::path const& folder);

/// A name as a field of a gnuplot data file: no tabs, line ends, quotes or escapes, so that it cannot leave the field.
std::string plot_field(std::string_view name, std::size_t length = 40);

}  // namespace demeter::report
