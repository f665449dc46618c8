// Contact of a capsule with an axis-aligned wall, fast: one capsule, or many in columns with SIMD.
#pragma once

#include "fast/core/hooks.hpp"
#include "fast/core/level.hpp"
#include "reference/spec/wall_capsule_contact.hpp"

#include <array>
#include <cstddef>

namespace demeter::wall_capsule_contact::fast {

/// The instruction-set levels for which this kernel has its own code.
inline constexpr std::array levels{Level::scalar, Level::avx2, Level::avx512};

/// Returns the smallest gap, the unit normal, the contact point and the status of a capsule at a wall, by the monotone
/// form.
///
/// Domain: axis 0, 1 or 2, sense -1 or 1, radius > 0, all other inputs finite, including subnormal numbers. For other
/// inputs the answer is meaningless.
///
/// Error bounds, with u = 2^-53 and S = |wall| + |centre[axis]| + |half[axis]| + radius: |uN - exact| <= 4 u S; point 4
/// u S along the axis of the wall and 4 u (|centre[i]| + |half[i]|) parallel to the wall. 2^-1075 is added to each
/// bound. The bounds hold for nearly level capsules and for the slightest touch. The normal is exact. The status is
/// correct unless a gap is within 4 u S of 0. The choice of the nearer end is exact. Overflow or underflow of
/// intermediate results has no effect. A result is infinite only if the exact result rounds to infinity. If the input
/// is multiplied by 2^k, the answer is multiplied by 2^k, bit for bit, as long as no input or result is subnormal and
/// the inputs are within a factor of 2^1900 of each other.
///
/// Gives the same bits as the batch form. Source: docs/mathematics/capsules.md#wall_capsule_contact-fast-form.
Output<double> evaluate(Input<double> const& in) noexcept;

/// Answers n capsules in columns, with the same bits as the single form.
///
/// `in`: 10 columns of n doubles in fields() order, wall, axis, sense, centre x y z, half x y z, radius. `out`: 8
/// columns, uN, normal x y z, point x y z, status (0, 1, 2). A null output column is skipped. Output columns must not
/// overlap any other column. Any n, any alignment (64 bytes is fastest). Nothing is read or written outside the n rows.
///
/// Precondition: available(level). All levels give the same bits. The result of a row does not depend on other rows.
void evaluate(Level level, std::size_t n, double const* const in[], double* const out[]) noexcept;

inline constexpr FastHooks<Contract> hooks{};

}  // namespace demeter::wall_capsule_contact::fast
