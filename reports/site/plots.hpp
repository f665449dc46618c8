// Figures by gnuplot. Scripts contain only numbers and fixed text. All names are in the data file.
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
  std::vector<std::string> outputs;  ///< the outputs shown
  std::string_view profile{};        ///< profile of the regimes shown; only for accuracy against speed
  std::string stem;                  ///< figures/<stem>.svg, .pdf, .gp, .dat
  int width = 0;                     ///< pixels, of the SVG
  std::string script, data;
  bool svg = false, pdf = false;  ///< whether they were drawn
};

/// Returns the figures of a kernel. For each group of outputs: accuracy against speed per profile, and error by regime.
std::vector<Figure> figures(Kernel const& kernel);

/// Returns one figure per transition with a jump: the answers of all implementations along the smallest path.
std::vector<Figure> continuity_figures(Kernel const& kernel);

/// Returns figures of the residual of every solver against sweeps and against time: one for each state of each study,
/// in the order of the studies.
std::vector<Figure> solver_figures(Results const& results);

/// Draws each figure with gnuplot into `folder`, which contains its script and data, and sets `svg` and `pdf` of each
/// figure. Equal figures give equal bytes. Returns why a figure was not drawn: gnuplot is missing or failed.
std::optional<std::string> draw(std::vector<Figure*> const& figures, std::filesystem::path const& folder);

/// Returns a name as a field of a gnuplot data file: without tabs, line ends, quotes and escapes, so that it cannot end
/// the field.
std::string plot_field(std::string_view name, std::size_t length = 40);

}  // namespace demeter::report
