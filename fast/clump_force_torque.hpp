// Resultant force and torque of the members of a clump: one clump, or many in SIMD with the same bits.
#pragma once

#include "fast/core/hooks.hpp"
#include "fast/core/level.hpp"
#include "reference/spec/clump_force_torque.hpp"

#include <array>
#include <cstddef>

namespace demeter::clump_force_torque::fast {

/// The instruction-set levels for which this kernel has its own code.
inline constexpr std::array levels{Level::scalar, Level::avx2, Level::avx512};

/// Returns the force sum F_i and the torque sum T_i + (x_i - c) x F_i about the centre c of one clump
/// (docs/mathematics/clumps.md#clump_force_torque).
///
/// Domain: finite numbers and at least one member. Any other input gives NaN in all outputs.
///
/// Error bound: |error| <= 8 u S + 2^-1075 (u = 2^-53) in every component, for up to 2^27 members, if the true result
/// rounds to a finite double. S is the sum of the magnitudes of the terms of the component (Contract::scale).
/// Intermediate overflow and underflow have no effect. S may exceed the largest double. If all positions, or all forces
/// and torques, are multiplied by a power of two, the outputs are multiplied by exactly the corresponding power of two,
/// as long as no number is subnormal before or after.
///
/// The order of the operations does not depend on the level, and no fma is used. The bits are therefore the same
/// everywhere.
Output<double> evaluate(Input<double> const& in) noexcept;

/// Answers n clumps in columns, with the same bits as the single form.
///
/// in[0..2] = centre x, y, z (n doubles each). in[3] = offsets: n+1 doubles with integers below 2^53; the members of
/// clump i are offsets[i] .. offsets[i+1]-1. Columns over all members: in[4..6] = position, in[7..9] = force,
/// in[10..12] = torque. out[0..2] = force, out[3..5] = torque (n doubles each). A null output column is not written.
/// Any alignment. Outputs must not overlap inputs.
///
/// `level` must be available() on this machine. Level::scalar runs everywhere.
void evaluate(demeter::Level level, std::size_t n, double const* const in[], double* const out[]) noexcept;

inline constexpr FastHooks<Contract> hooks{};

}  // namespace demeter::clump_force_torque::fast
