// The figures of the report. On the screen they are part of the pages; for a paper gnuplot draws them as PDF.
#pragma once

#include "reports/format/model.hpp"
#include "reports/site/drawing.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace demeter::report {

struct Figure {
  enum class Kind { codes, sizes, speed, regimes, continuity, solvers };
  Kind kind = Kind::speed;
  std::vector<std::string> outputs;  ///< the outputs shown
  std::string_view profile{};        ///< profile of the regimes shown; only for accuracy against speed
  std::string stem;                  ///< the beginning of the name; equal on the screen and on paper
  Drawing drawing{};
  std::string file{};               ///< on paper: the name in figures/, with the width and the part
  std::vector<std::string> pdfs{};  ///< on the screen: the files of this figure that were drawn for a paper
};

/// Returns the figures of a kernel. For each group of outputs: accuracy against speed per profile, and error by regime.
/// On paper a heat map with too many columns for the width becomes several figures.
std::vector<Figure> figures(Kernel const& kernel, Sheet const& sheet = screen);

/// Returns the figure of all codes of a kernel: the worst everyday error of any output against the time per case. Codes
/// without a time are at the right edge. Returns nothing if no code was judged.
std::optional<Figure> codes_figure(Kernel const& kernel, Sheet const& sheet = screen);

/// Returns the figure of the worst everyday error by grain size, with a line per code and formula. Returns nothing for
/// kernels without lengths.
std::optional<Figure> sizes_figure(Kernel const& kernel, Sheet const& sheet = screen);

/// Returns the heat maps of the errors by regime.
std::vector<Figure> regimes_figures(Kernel const& kernel, std::vector<std::string> const& outputs, Sheet const& sheet);

/// Returns the quantities that are drawn along a path: the first three.
std::vector<Quantity> drawn_quantities(Continuity const& continuity);

/// Returns one figure per transition with a jump: the answers of all implementations along the smallest path.
std::vector<Figure> continuity_figures(Kernel const& kernel, Sheet const& sheet = screen);

/// Returns the curves of a study in a state.
std::vector<SolverCurve const*> curves_of(SolverStudy const& study, std::string_view state);

/// Returns figures of the residual of every solver against sweeps and against time: one for each state of each study,
/// in the order of the studies.
std::vector<Figure> solver_figures(Results const& results, Sheet const& sheet = screen);

/// Returns the name of the file of a figure on paper. It contains the width, and the number of the part if there are
/// several parts.
std::string paper_file(std::string_view stem, Sheet const& sheet, std::size_t part = 0, std::size_t parts = 1);

/// Returns a figure on a page with its caption and links to its PDF files, if there are any. `caption` is HTML.
std::string figure_html(Figure const& figure, std::string_view alternative, std::string_view caption);

/// The line of the frontier, and the mark of the implementations of an origin.
inline constexpr Drawing::Stroke frontier_stroke{"#009E73", 2};
Drawing::Mark mark_of(Origin origin, bool passes, Sheet const& sheet = screen);

/// The axis of errors in u on the left, and the axis of correct digits on the right.
struct ErrorAxes {
  ErrorAxis axis;
  std::vector<Tic> errors, digits;
};
ErrorAxes error_axes(std::vector<double> const& levels);
/// Draws both axes with their titles, and returns the scale of the axis of errors. `title` names the error.
Scale draw_error_axes(Drawing& drawing, Box const& frame, ErrorAxes const& axes, std::string_view title);
/// Returns the largest width of the texts of tics.
double widest(std::vector<Tic> const& tics);

/// Converts a relative error to log10 of the error in u = 2^-53.
double level_of_relative(double error);
/// Converts an error in the contender's own unit u to log10 of the error in u = 2^-53.
double level_of(double error, Contender const& contender);

/// Returns the first part of a figure's name.
std::string stem_of(Kernel const& kernel, std::string_view kind, std::string_view output);

/// Returns whether gnuplot is installed.
bool can_draw_paper();

/// Draws each figure with gnuplot into `folder` as <file>.pdf. Equal figures give equal bytes. Figures that were not
/// drawn lose their `file`. Returns why a figure was not drawn: gnuplot is missing or failed.
std::optional<std::string> draw_paper(std::vector<Figure>& figures, std::filesystem::path const& folder);

}  // namespace demeter::report
