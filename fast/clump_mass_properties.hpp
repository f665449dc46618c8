// Mass, centroid, inertia and principal axes of a clump's members: one clump, or many in columns with the same bits.
#pragma once

#include "fast/core/hooks.hpp"
#include "fast/core/level.hpp"
#include "reference/spec/clump_mass_properties.hpp"

#include <array>
#include <cstddef>

namespace demeter::clump_mass_properties::fast {

/// The levels that have code of their own.
inline constexpr std::array levels{Level::scalar, Level::avx2, Level::avx512};

/// Mass m, centroid c, inertia about c in the global axes, its principal moments (ascending, >= 0) and the unit
/// quaternion of its principal axes of one clump (docs/mathematics/clumps.md#clump_mass_properties).
///
/// Domain: that of the contract (finite numbers, at least one member, masses > 0, moments >= 0, no quaternion 0);
/// anything else gives NaN in all outputs.
///
/// Guarantee, for up to 2^20 members whose masses differ by up to 2^300: mass within 2 u (u = 2^-53), centroid within
/// 4 u of the mean |coordinate|, inertia within 24 u S and moments within 32 u S of the truth, S the sum of the largest
/// moments of the members and of m |x - c|^2 (Contract::scale); the axes leave at most 64 u S beside the diagonal. As
/// far from the origin as doubles go: arms are taken from the centroid, and where its rounding could be seen in them
/// (from 2^36 sizes on) it is found in two doubles, from the heaviest member. Intermediate over- and underflow do no
/// harm: every quantity is brought to about 1 by a power of two first.
///
/// Of the axes, which are not unique, one choice: a simple axis has its largest component positive (of equal ones the
/// first); where two moments agree to 2^-40 of the largest, the first axis of the pair is the projection of the
/// coordinate axis farthest from the third one; where three do, the axes are the global ones. Right-handed, by the sign
/// of the last if all are simple. The first component of the quaternion that is not zero is positive.
///
/// Multiplying lengths, masses, or a member's quaternion by powers of two multiplies the outputs by exactly what
/// follows, as long as nothing is subnormal before or after.
Output<double> evaluate(Input<double> const& in) noexcept;

/// The same for n clumps, bit for bit, in columns: in[0] = offsets (n+1 doubles that hold integers below 2^53: the
/// members of clump i are offsets[i] .. offsets[i+1]-1); of all members: in[1..3] = position, in[4..7] = orientation,
/// in[8] = mass, in[9..11] = inertia. out[0] = mass, out[1..3] = centroid, out[4..9] = inertia, out[10..12] =
/// principal, out[13..16] = orientation (n doubles each); an output column may be null and is then not written. No
/// alignment is asked for; outputs must not overlap inputs.
///
/// Clumps stand side by side in the lanes of a vector, those of about the same length together; their order and number
/// change no bit. No fma is used: the bits are the same everywhere.
void evaluate(demeter::Level level, std::size_t n, double const* const in[], double* const out[]) noexcept;

inline constexpr FastHooks<Contract> hooks{};

}  // namespace demeter::clump_mass_properties::fast
