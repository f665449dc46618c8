// Computes the figures in the errata of a kernel.
#pragma once

#include "kernels/kernel.hpp"

#include <string>
#include <vector>

namespace demeter {

/// A figure that a source states, compared with the value of the formula in 50 digits.
struct FigureFound {
  std::string computed;  ///< shortest text of the nearest double; empty if the formula has no answer
  bool agrees = false;   ///< true if the stated figure is the computed figure, rounded to the stated number of decimals
};

/// Returns true if `stated`, for example "0.0455" or "1.7e-4", is `computed` rounded to the number of decimals of
/// `stated`.
bool is_rounded(std::string_view stated, std::string_view computed);

/// Computes the figures in the order of `figure.values`. An invalid case or an unknown name is reported in `wrong`.
std::vector<FigureFound> find_figure(Kernel const& kernel, ErratumFigure const& figure, std::string& wrong);

}  // namespace demeter
