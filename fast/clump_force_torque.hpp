// Resultant force and torque of a clump's members: one clump, or many in SIMD with the same bits.
#pragma once

#include "fast/core/hooks.hpp"
#include "fast/core/level.hpp"
#include "reference/spec/clump_force_torque.hpp"

#include <array>
#include <cstddef>

namespace demeter::clump_force_torque::fast {

/// The levels that have code of their own.
inline constexpr std::array levels{Level::scalar, Level::avx2, Level::avx512};

/// Force sum F_i and torque sum T_i + (x_i - c) x F_i about the centre c of one clump
/// (docs/mathematics/clumps.md#clump_force_torque).
///
/// Domain: finite numbers, at least one member; a number that is not finite, or no member, gives NaN in all outputs.
///
/// Guarantee: |error| <= 8 u S + 2^-1075 (u = 2^-53) in every component, S the sum of the magnitudes of its terms
/// (Contract::scale), for up to 2^27 members, as long as the true result rounds to a finite double; intermediate
/// overflow and underflow, and an S beyond the largest double, do no harm. Multiplying all positions, or all forces,
/// by a power of two (and the torques with them) multiplies the outputs by exactly that, as long as nothing is
/// subnormal before or after.
///
/// The order of the operations does not depend on the level, and no fma is used: the bits are the same everywhere.
Output<double> evaluate(Input<double> const& in) noexcept;

/// The same for n clumps, bit for bit, in columns: in[0..2] = centre x, y, z (n doubles each); in[3] = offsets (n+1
/// doubles that hold integers below 2^53: the members of clump i are offsets[i] .. offsets[i+1]-1); of all members:
/// in[4..6] = position, in[7..9] = force, in[10..12] = torque. out[0..2] = force, out[3..5] = torque (n doubles
/// each); an output column may be null and is then not written. No alignment is asked for; outputs must not overlap
/// inputs.
///
/// `level` must be available() on this machine. Level::scalar runs everywhere.
void evaluate(demeter::Level level, std::size_t n, double const* const in[], double* const out[]) noexcept;

inline constexpr FastHooks<Contract> hooks{};

}  // namespace demeter::clump_force_torque::fast
