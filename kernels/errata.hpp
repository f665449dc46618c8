// The figures of a kernel's errata, computed.
#pragma once

#include "kernels/kernel.hpp"

#include <string>
#include <vector>

namespace demeter {

/// A stated figure beside what the formula gives in 50 digits.
struct FigureFound {
  std::string computed;  ///< the shortest text of the nearest double; empty if the formula has no answer
  bool agrees = false;   ///< the stated figure is the computed one, rounded to as many decimals as it has
};

/// Whether `stated`, "0.0455" or "1.7e-4", is the number nearest to `computed` with as many decimals.
bool is_rounded(std::string_view stated, std::string_view computed);

/// In the order of `figure.values`. A case that is none, or a name that the kernel does not have, is in `wrong`.
std::vector<FigureFound> find_figure(Kernel const& kernel, ErratumFigure const& figure, std::string& wrong);

}  // namespace demeter
