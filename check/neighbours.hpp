// Cases a few ulps away from a given one, for formulas that jump or amplify there.
#pragma once

#include "kernels/kernel.hpp"

namespace demeter {

/// Neighbours of case `row`, the same for the same case: its numbers are moved by up to four ulps of
/// the format of which `roundoff` is the u, one at a time and
/// then all of them. A component of a vector moves by ulps of the vector's largest, since that is what rounding a
/// vector does: parallel axes along z are so no longer parallel. Numbers that only certain values may have (an axis, a
/// sense) stay.
Table neighbours(Kernel const& kernel, Table const& cases, std::size_t row, std::size_t count,
                 long double roundoff = unit_roundoff);

}  // namespace demeter
