// A union of balls sampled by a grid, row by row: one clump, or many in columns with the same bits.
#pragma once

#include "fast/core/hooks.hpp"
#include "fast/core/level.hpp"
#include "reference/spec/clump_grid_mass_properties.hpp"

#include <array>
#include <cstddef>

namespace demeter::clump_grid_mass_properties::fast {

/// The levels that have code of their own: the others run the same.
inline constexpr std::array levels{Level::scalar};

/// Volume, mass, centroid and inertia of one sampled clump (docs/mathematics/clumps.md#clump_grid_mass_properties).
///
/// Domain: that of the contract, and beyond it grids of up to 2^30 cells, 2^20 along an axis, whatever their `cells`;
/// anything else gives NaN in all outputs, as does a lack of memory.
///
/// Guarantee (u = 2^-53): the cells that are counted are exactly those of the contract's comparisons. Whether a centre
/// is inside is decided in double where the squared distance is farther from the squared radius than its rounding can
/// be (2^-45 of radius times box), and otherwise in two doubles, in integers, or by the exact sum of the 31 products of
/// doubles; the sums over cells are integers. Volume within 6 u, mass within 8 u, centroid within 2 u of the box's
/// largest coordinate, inertia within 4 u of Contract::scale. Half a chord of a column is the rounded root of a
/// difference in two doubles (exact where that cancels 80 bits), and chords are summed in two doubles.
///
/// Multiplying lengths or the density by powers of two multiplies the outputs by exactly what follows, as long as
/// nothing is subnormal before or after.
///
/// Cost: that of the rows of cells through each ball, whatever the number of cells in them: about 15 ns a row, 30 ns a
/// column, and 0.5 us. Of many balls only those that a row meets are looked at, after sorting. Three balls that touch
/// take 3.2 us with 5 cells in the radius, 58 us with 20 and 0.9 ms with 80, where the plain loop over the cells takes
/// 31 us, 2 ms and 127 ms; with 1 cell that loop is faster, and wrong where a centre is next to a sphere.
Output<double> evaluate(Input<double> const& in) noexcept;

/// The same for n clumps, bit for bit, in columns: in[0] = density, in[1] = cells, in[2] = method (its index), in[3] =
/// offsets (n+1 doubles that hold integers below 2^53: the balls of clump i are offsets[i] .. offsets[i+1]-1); of all
/// balls in[4..6] = centre, in[7] = radius. out[0] = volume, out[1] = mass, out[2..4] = centroid, out[5..10] = inertia
/// (n doubles each); an output column may be null and is then not written. No alignment is asked for; outputs must not
/// overlap inputs.
///
/// All levels run one scalar loop: rows differ from clump to clump. No fma is used: the bits are the same everywhere.
void evaluate(demeter::Level level, std::size_t n, double const* const in[], double* const out[]) noexcept;

inline constexpr FastHooks<Contract> hooks{};

}  // namespace demeter::clump_grid_mass_properties::fast
