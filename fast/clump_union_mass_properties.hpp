// Volume, surface, mass, centroid, inertia and principal axes of the union of balls: one clump, or many in columns with
// the same bits.
#pragma once

#include "fast/core/hooks.hpp"
#include "fast/core/level.hpp"
#include "reference/spec/clump_union_mass_properties.hpp"

#include <array>
#include <cstddef>

namespace demeter::clump_union_mass_properties::fast {

/// The levels that have code of their own: the others run the same.
inline constexpr std::array levels{Level::scalar, Level::avx2};

/// Volume, surface, mass, centroid c, inertia about c in the global axes, its principal moments (ascending, >= 0) and
/// the unit quaternion of its principal axes of the union of one clump's balls
/// (docs/mathematics/clumps.md#clump_union_mass_properties).
///
/// Domain: that of the contract (finite numbers, at least one ball, radii and density > 0); anything else gives NaN in
/// all outputs. So do hundreds of balls about one place, where more than max(2^23, 64 n) times three spheres meet or
/// max(2^22, 32 n) times two do, and a machine that has no memory left: as many would take gigabytes, and grow with the
/// cube of their number.
///
/// Guarantee, for up to 2^20 balls: the contract's budgets, at touching, nested, equal and otherwise degenerate balls
/// as anywhere else, at any distance from the origin. The union is cut along the power diagram into one convex body a
/// ball, so what is summed up is local and does not cancel; where three spheres or more meet, the line of their power
/// planes is found once and used by all that it bounds, so a decision that rounding makes either way is made the same
/// way everywhere, and then matters in second order only. Except where three spheres or more pass through one circle
/// but for 1e-3 of its radius: there, and only there, arcs are decided in 77 digits with perturbed radii, which takes
/// about 0.04 ms a ball. A volume, surface or moment was off by at
/// most 3e-15 in 30000 rotations of 3 to 6 spheres through one circle, but for 1e-17 to 1e0, with 0 to 3 balls that cut
/// it.
///
/// Of the axes, which are not unique, one choice, that of fast/clump_mass_properties.hpp. Multiplying lengths or the
/// density by powers of two multiplies the outputs by exactly what follows, as long as nothing is subnormal before or
/// after.
Output<double> evaluate(Input<double> const& in) noexcept;

/// The same for n clumps, bit for bit, in columns: in[0] = density (n doubles), in[1] = offsets (n+1 doubles that hold
/// integers below 2^53: the balls of clump i are offsets[i] .. offsets[i+1]-1); of all balls: in[2..4] = centre, in[5]
/// = radius. out[0] = volume, out[1] = surface_area, out[2] = mass, out[3..5] = centroid, out[6..11] = inertia,
/// out[12..14] = principal, out[15..18] = orientation (n doubles each); an output column may be null and is then not
/// written. No alignment is asked for; outputs must not overlap inputs.
///
/// A clump at a time; within it pairs, triples, facets and arcs go side by side, one by one at the scalar level and
/// four at a time at the others: AVX-512 runs what AVX2 runs, for facets have too few cuts for more. No fma is used,
/// and no function of the mathematical library but where spheres share a circle: the bits are the same everywhere.
void evaluate(demeter::Level level, std::size_t n, double const* const in[], double* const out[]) noexcept;

inline constexpr FastHooks<Contract> hooks{};

}  // namespace demeter::clump_union_mass_properties::fast
