// Mass properties of a union of balls that is sampled by a grid, row by row: one clump, or many in columns with the
// same bits.
#pragma once

#include "fast/core/hooks.hpp"
#include "fast/core/level.hpp"
#include "reference/spec/clump_grid_mass_properties.hpp"

#include <array>
#include <cstddef>

namespace demeter::clump_grid_mass_properties::fast {

/// The instruction-set levels for which this kernel has its own code. The other levels run the scalar code.
inline constexpr std::array levels{Level::scalar};

/// Returns volume, mass, centroid and inertia of one sampled clump
/// (docs/mathematics/clumps.md#clump_grid_mass_properties).
///
/// Domain: the domain of the contract. This function also accepts larger grids: `cells` may be any integer from 1 to
/// 2^20, if the grid has fewer than 2^30 cells and fewer than 2^20 cells along each axis. Any other input gives NaN in
/// all outputs. A lack of memory also gives NaN.
///
/// Guarantee (u = 2^-53): exactly those cells are counted that the comparisons of the contract count. The rounding
/// error of a squared distance is at most 2^-45 of radius times box. If squared distance and squared radius differ by
/// more, double precision decides whether a cell centre is inside a ball. Otherwise the decision is made in two
/// doubles, in integers, or with the exact sum of the 31 products of doubles. The sums over cells are integers. Half a
/// chord of a column is the rounded square root of a difference in two doubles. If 80 bits of this difference cancel,
/// the exact difference is used. Chords are summed in two doubles.
///
/// Error bounds: volume 6 u, mass 8 u, centroid 2 u of the largest coordinate of the box, inertia 4 u of
/// Contract::scale.
///
/// If lengths or the density are multiplied by powers of two, the outputs are multiplied by exactly the corresponding
/// powers of two, as long as no number is subnormal before or after.
///
/// Cost: 0.5 us per clump, and about 15 ns for each row of cells that meets a ball (30 ns for each column). The number
/// of cells per row has no effect. The balls are sorted, and a row looks only at the balls that it meets. Three balls
/// that touch take 3.2 us with 5 cells per radius, 58 us with 20 and 0.9 ms with 80. The plain loop over the cells
/// takes 31 us, 2 ms and 127 ms. With 1 cell per radius the plain loop is faster, but its answer is wrong where a cell
/// centre is next to a sphere.
Output<double> evaluate(Input<double> const& in) noexcept;

/// Answers n clumps in columns, with the same bits as the single form.
///
/// in[0] = density, in[1] = cells, in[2] = index of the method (n doubles each). in[3] = offsets: n+1 doubles with
/// integers below 2^53; the balls of clump i are offsets[i] .. offsets[i+1]-1. Columns over all balls: in[4..6] =
/// centre, in[7] = radius. out[0] = volume, out[1] = mass, out[2..4] = centroid, out[5..10] = inertia (n doubles each).
/// A null output column is not written. Any alignment. Outputs must not overlap inputs.
///
/// All levels run one scalar loop, because the rows of cells differ from clump to clump. No fma is used. The bits are
/// therefore the same everywhere.
void evaluate(demeter::Level level, std::size_t n, double const* const in[], double* const out[]) noexcept;

inline constexpr FastHooks<Contract> hooks{};

}  // namespace demeter::clump_grid_mass_properties::fast
