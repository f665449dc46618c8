// Cases a few ulps away from a given case, for formulas that jump or amplify rounding there.
#pragma once

#include "kernels/kernel.hpp"

namespace demeter {

/// Returns neighbours of case `row` that are inside the domain, at most `count`. Equal cases have equal neighbours.
/// Numbers move by up to four ulps of the format with unit roundoff `roundoff`: first one number at a time, then all of
/// them. A component of a vector moves by ulps of the vector's largest component, because rounding a vector causes such
/// changes. Therefore two axes along z are not exactly parallel in a neighbour. Numbers with only a few valid values
/// (an axis, a sense) do not move.
Table neighbours(Kernel const& kernel, Table const& cases, std::size_t row, std::size_t count,
                 long double roundoff = unit_roundoff);

}  // namespace demeter
