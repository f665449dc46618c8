// Mass, centroid, inertia and principal axes of the members of a clump: one clump, or many in columns with the same
// bits.
#pragma once

#include "fast/core/hooks.hpp"
#include "fast/core/level.hpp"
#include "reference/spec/clump_mass_properties.hpp"

#include <array>
#include <cstddef>

namespace demeter::clump_mass_properties::fast {

/// The instruction-set levels for which this kernel has its own code.
inline constexpr std::array levels{Level::scalar, Level::avx2, Level::avx512};

/// Returns these properties of one clump: the mass m, the centroid c, the inertia about c in the global axes, its
/// principal moments (ascending, >= 0), and the unit quaternion of the principal axes
/// (docs/mathematics/clumps.md#clump_mass_properties).
///
/// Domain: the domain of the contract (finite numbers, at least one member, masses > 0, moments >= 0, no quaternion 0).
/// Any other input gives NaN in all outputs.
///
/// Error bounds, for up to 2^20 members whose masses differ by up to 2^300, with u = 2^-53: mass 2 u, centroid 4 u of
/// the mean |coordinate|, inertia 24 u S, moments 32 u S. S is the sum of the largest moments of the members and of m
/// |x - c|^2 (Contract::scale). In the principal axes the off-diagonal entries are at most 64 u S. The bounds hold at
/// any distance from the origin, because lever arms are measured from the centroid. If a clump is 2^36 times its size
/// or more from the origin, the rounding of the centroid could affect the arms. The centroid is then computed in two
/// doubles, relative to the heaviest member. Intermediate overflow and underflow have no effect: every quantity is
/// first scaled to about 1 by a power of two.
///
/// The principal axes are not unique. Two moments agree if they differ by at most 2^-40 of the largest moment. An axis
/// whose moment does not agree with another moment is simple. The choice of axes is:
/// - The largest component of a simple axis is positive (the first of equal components).
/// - If two moments agree, the first axis of the pair is the projection of the coordinate axis farthest from the third
///   axis.
/// - If three moments agree, the axes are the global ones.
/// - The axes are right-handed. If all axes are simple, this determines the sign of the last axis, and its largest
///   component may be negative.
/// - The first nonzero component of the quaternion is positive.
///
/// If lengths, masses or the quaternion of a member are multiplied by powers of two, the outputs are multiplied by
/// exactly the corresponding powers of two, as long as no number is subnormal before or after.
Output<double> evaluate(Input<double> const& in) noexcept;

/// Answers n clumps in columns, with the same bits as the single form.
///
/// in[0] = offsets: n+1 doubles with integers below 2^53; the members of clump i are offsets[i] .. offsets[i+1]-1.
/// Columns over all members: in[1..3] = position, in[4..7] = orientation, in[8] = mass, in[9..11] = inertia. out[0] =
/// mass, out[1..3] = centroid, out[4..9] = inertia, out[10..12] = principal, out[13..16] = orientation (n doubles
/// each). A null output column is not written. Any alignment. Outputs must not overlap inputs.
///
/// Each lane of a vector computes one clump. Clumps with about the same number of members are grouped into one vector.
/// The order and the number of clumps do not change any bit. No fma is used. The bits are therefore the same
/// everywhere.
void evaluate(demeter::Level level, std::size_t n, double const* const in[], double* const out[]) noexcept;

inline constexpr FastHooks<Contract> hooks{};

}  // namespace demeter::clump_mass_properties::fast
