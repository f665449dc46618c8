// Contact of a capsule with an axis-aligned wall, fast: one, or many in columns with SIMD.
#pragma once

#include "fast/core/hooks.hpp"
#include "fast/core/level.hpp"
#include "reference/spec/wall_capsule_contact.hpp"

#include <array>
#include <cstddef>

namespace demeter::wall_capsule_contact::fast {

/// The levels that have code of their own.
inline constexpr std::array levels{Level::scalar, Level::avx2, Level::avx512};

/// Least gap, unit normal, contact point and status of a capsule at a wall: the monotone form.
///
/// Domain: axis 0, 1 or 2, sense -1 or 1, radius > 0, everything else finite, subnormal numbers included. Outside of it
/// the answer means nothing.
///
/// With u = 2^-53 and S = |wall| + |centre[axis]| + |half[axis]| + radius: |uN - exact| <= 4 u S, and the point is
/// within 4 u S along the wall's axis, within 4 u (|centre[i]| + |half[i]|) along the wall (plus 2^-1075 each), however
/// nearly level the capsule is and however slightly it touches. The normal is exact. The status is right unless a gap
/// is within 4 u S of 0. The nearer end is told exactly. No intermediate result over- or underflows to any effect; a
/// result is infinite only where the exact one rounds to that. 2^k times the input gives 2^k times the answer, bit for
/// bit, as long as no input or result is subnormal and the inputs are within a factor of 2^1900 of each other.
///
/// The same arithmetic as the batch form, bit for bit. Source:
/// docs/mathematics/capsules.md#wall_capsule_contact-fast-form.
Output<double> evaluate(Input<double> const& in) noexcept;

/// The same for n capsules in columns.
///
/// `in`: 10 columns of n doubles in fields() order, wall, axis, sense, centre x y z, half x y z, radius. `out`: 8
/// columns, uN, normal x y z, point x y z, status (0, 1, 2); a null column is not wanted. No output column overlaps
/// another column. Any n, any alignment (64 bytes is fastest); nothing is read or written outside the n rows.
///
/// Precondition: available(level). All levels give the same bits, and a row's result does not depend on its neighbours.
void evaluate(Level level, std::size_t n, double const* const in[], double* const out[]) noexcept;

inline constexpr FastHooks<Contract> hooks{};

}  // namespace demeter::wall_capsule_contact::fast
