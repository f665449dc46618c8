// Contact of two capsules, fast: one pair, or many pairs in columns with SIMD.
#pragma once

#include "fast/core/hooks.hpp"
#include "fast/core/level.hpp"
#include "reference/spec/capsule_contact.hpp"

#include <array>
#include <cstddef>

namespace demeter::capsule_contact::fast {

/// The levels that have code of their own.
inline constexpr std::array levels{Level::scalar, Level::avx2, Level::avx512};

/// Overlap, normal, contact point and status of two capsules, by centred, regularised closest points.
///
/// Lengths in any one unit, vectors in the global frame; `half1` and `half2` are half-shaft vectors. uN is the distance
/// d of the axes less R = radius1 + radius2, negative when the capsules overlap; the normal points from capsule 1 to
/// capsule 2; the point is the middle of the overlap. Force and torque of any continuous law in uN, along the normal at
/// the point, are continuous as long as the axes do not meet.
///
/// Every finite input with radii > 0 is in the domain: spheres (half-shafts of zero), parallel, collinear and
/// intersecting axes, coincident capsules, subnormal sizes and sizes near the largest double, and any mixture of
/// scales. With u = 2^-53, w = centre2 - centre1, S = |half1| + |half2| + R + |w| and mu of the contract's conditioning
/// |uN - exact| <= 8 u S, normal 32 u S / (d mu), point 54 u of the contract's scale (the largest seen: 5.5, 16 and
/// 14), each + 2^-1075; the normal's length is 1 within 4 u (3.2). Axes with d <= 8 u S have the status axes_intersect
/// and the contract's conventional normal. No result is NaN, and none infinite unless the exact one overflows. For 2^k
/// times the input uN and point are 2^k times as large and the normal is the same, bit for bit, unless an input or a
/// result underflows.
///
/// The same arithmetic as the batch form, bit for bit. Source: docs/mathematics/capsules.md#capsule_contact-fast-form.
Output<double> evaluate(Input<double> const& in) noexcept;

/// The same for n pairs in columns.
///
/// `in`: 14 columns of n doubles in fields() order, centre1x centre1y centre1z half1x ... radius2. `out`: 8 columns,
/// uN, normal (3), point (3) and the status as its index; a null column is not wanted, and uN and status alone are
/// cheaper. No output column overlaps another column. Any n, any alignment (64 bytes is fastest); nothing is read or
/// written outside the n rows.
///
/// Precondition: available(level). All levels give the same bits, and a row's result does not depend on its neighbours.
void evaluate(Level level, std::size_t n, double const* const in[], double* const out[]) noexcept;

inline constexpr FastHooks<Contract> hooks{};

}  // namespace demeter::capsule_contact::fast
