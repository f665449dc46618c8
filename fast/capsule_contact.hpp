// Contact of two capsules, fast: one pair, or many pairs in columns with SIMD.
#pragma once

#include "fast/core/hooks.hpp"
#include "fast/core/level.hpp"
#include "reference/spec/capsule_contact.hpp"

#include <array>
#include <cstddef>

namespace demeter::capsule_contact::fast {

/// The instruction-set levels for which this kernel has its own code.
inline constexpr std::array levels{Level::scalar, Level::avx2, Level::avx512};

/// Returns overlap, normal, contact point and status of two capsules. Uses the recommended formula, with the centred,
/// regularised closest points.
///
/// Lengths are in any one unit. Vectors are in the global frame. `half1` and `half2` are half-shaft vectors. uN is the
/// distance d of the axes minus R = radius1 + radius2. uN is negative when the capsules overlap. The normal points from
/// capsule 1 to capsule 2. The point is the middle of the overlap. For any force law that is continuous in uN and acts
/// along the normal at the point, force and torque are continuous as long as the axes do not meet.
///
/// Domain: every finite input with radii > 0. This includes spheres (half-shafts of zero), parallel, collinear and
/// intersecting axes, coincident capsules, subnormal sizes, sizes near the largest double, and any mixture of scales.
///
/// Error bounds, with u = 2^-53, w = centre2 - centre1, S = |half1| + |half2| + R + |w|, and mu from the contract's
/// conditioning: |uN - exact| <= 8 u S, normal 32 u S / (d mu), point 54 u of the contract's scale. 2^-1075 is added to
/// each bound. The largest errors seen are 5.5 u S for uN, 16 u S / (d mu) for the normal and 14 u of the scale for the
/// point. The length of the normal is 1 within 4 u (largest seen: 3.2 u). Axes with d <= 8 u S get the status
/// axes_intersect and the conventional normal of the contract. No result is NaN. A result is infinite only if the exact
/// result overflows. If the input is multiplied by 2^k, uN and point are multiplied by 2^k and the normal has the same
/// bits, unless an input or a result underflows.
///
/// Gives the same bits as the batch form. Source: docs/mathematics/capsules.md#capsule_contact-fast-form.
Output<double> evaluate(Input<double> const& in) noexcept;

/// Answers n pairs in columns, with the same bits as the single form.
///
/// `in`: 14 columns of n doubles in fields() order, centre1x centre1y centre1z half1x ... radius2. `out`: 8 columns,
/// uN, normal (3), point (3) and the index of the status. A null output column is skipped. A call for uN and status
/// alone takes less time. Output columns must not overlap any other column. Any n, any alignment (64 bytes is fastest).
/// Nothing is read or written outside the n rows.
///
/// Precondition: available(level). All levels give the same bits. The result of a row does not depend on other rows.
void evaluate(Level level, std::size_t n, double const* const in[], double* const out[]) noexcept;

inline constexpr FastHooks<Contract> hooks{};

}  // namespace demeter::capsule_contact::fast
