// Volume, surface, mass, centroid, inertia and principal axes of the union of balls: one clump, or many in columns with
// the same bits.
#pragma once

#include "fast/core/hooks.hpp"
#include "fast/core/level.hpp"
#include "reference/spec/clump_union_mass_properties.hpp"

#include <array>
#include <cstddef>

namespace demeter::clump_union_mass_properties::fast {

/// The instruction-set levels for which this kernel has its own code. AVX-512 runs the AVX2 code.
inline constexpr std::array levels{Level::scalar, Level::avx2};

/// Returns these properties of the union of the balls of one clump: volume, surface, mass, centroid c, inertia about c
/// in the global axes, its principal moments (ascending, >= 0), and the unit quaternion of the principal axes
/// (docs/mathematics/clumps.md#clump_union_mass_properties).
///
/// Domain: the domain of the contract (finite numbers, at least one ball, radii and density > 0). Any other input gives
/// NaN in all outputs. NaN is also returned when memory runs out. Hundreds of balls around one place give NaN too, if
/// more than max(2^23, 64 n) triples or more than max(2^22, 32 n) pairs of spheres meet. Such clumps would take
/// gigabytes, and the number of triples grows with the cube of the number of balls.
///
/// Guarantee, for up to 2^20 balls: the contract's budgets, at any distance from the origin, also for touching, nested,
/// equal and otherwise degenerate balls. The power diagram divides the union into one convex body per ball. The sums
/// are therefore local and do not cancel. Where three or more spheres meet, the line of their power planes is computed
/// once and used by every facet that it bounds. If rounding changes a decision about this line, the decision is the
/// same everywhere, and its effect is only of second order.
///
/// Exception: three or more spheres that pass through one circle within 1e-3 of its radius. Only there, decisions about
/// arcs use 77 digits and perturbed radii. This takes about 0.04 ms per ball. The largest error of a volume, surface or
/// moment was 3e-15 in 30000 rotations of 3 to 6 spheres through one circle. The deviations of the spheres from the
/// circle were 1e-17 to 1e0, and 0 to 3 other balls cut the circle.
///
/// The principal axes are not unique. fast/clump_mass_properties.hpp describes the choice. If lengths or the density
/// are multiplied by powers of two, the outputs are multiplied by exactly the corresponding powers of two, as long as
/// no number is subnormal before or after.
Output<double> evaluate(Input<double> const& in) noexcept;

/// Answers n clumps in columns, with the same bits as the single form.
///
/// in[0] = density (n doubles). in[1] = offsets: n+1 doubles with integers below 2^53; the balls of clump i are
/// offsets[i] .. offsets[i+1]-1. Columns over all balls: in[2..4] = centre, in[5] = radius. out[0] = volume, out[1] =
/// surface_area, out[2] = mass, out[3..5] = centroid, out[6..11] = inertia, out[12..14] = principal, out[15..18] =
/// orientation (n doubles each). A null output column is not written. Any alignment. Outputs must not overlap inputs.
///
/// Clumps are answered one after the other. Within a clump, pairs, triples, facets and arcs are processed one by one at
/// the scalar level and four at a time at the other levels. AVX-512 runs the AVX2 code, because facets have too few
/// cuts for wider vectors. No fma is used, and no function of the mathematical library except where spheres share a
/// circle. The bits are therefore the same everywhere.
void evaluate(demeter::Level level, std::size_t n, double const* const in[], double* const out[]) noexcept;

inline constexpr FastHooks<Contract> hooks{};

}  // namespace demeter::clump_union_mass_properties::fast
