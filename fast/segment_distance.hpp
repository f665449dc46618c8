// Distance of two segments, fast: one pair, or many pairs in columns with SIMD.
#pragma once

#include "fast/core/hooks.hpp"
#include "fast/core/level.hpp"
#include "reference/spec/segment_distance.hpp"

#include <array>
#include <cstddef>

namespace demeter::segment_distance::fast {

/// The instruction-set levels for which this kernel has its own code.
inline constexpr std::array levels{Level::scalar, Level::avx2, Level::avx512};

/// Returns the distance of two segments and the parameters s, t in [0, 1] of a closest pair of points.
///
/// Domain: every finite input. This includes zero-length, parallel, collinear, touching and crossing segments,
/// subnormal coordinates, coordinates near the largest double, and any mixture of scales.
///
/// Error bounds, with u = 2^-53 and S = max |coordinate|: |distance - exact| <= 8 u S + 2^-1075. The exact distance of
/// the points at s and t is at most exact + 12 u S. The result is infinite only if the exact distance overflows. If the
/// input is multiplied by 2^k, the distance is multiplied by 2^k, bit for bit, unless an input or the result
/// underflows. To keep this property, a distance below 2^-90 of the extent of the segments is returned as 0, because
/// its bits would depend on the internal scale.
///
/// Gives the same bits as the batch form. Source: docs/mathematics/capsules.md#segment_distance-fast-form.
Output<double> evaluate(Input<double> const& in) noexcept;

/// Answers n pairs in columns, with the same bits as the single form.
///
/// `in`: 12 columns of n doubles in fields() order, p0x p0y p0z p1x ... q1z. `out`: 3 columns, distance, s, t. A null
/// output column is skipped. A call for the distance alone takes less time. Output columns must not overlap any other
/// column. Any n, any alignment (64 bytes is fastest). Nothing is read or written outside the n rows.
///
/// Precondition: available(level). All levels give the same bits. The result of a row does not depend on other rows.
void evaluate(Level level, std::size_t n, double const* const in[], double* const out[]) noexcept;

inline constexpr FastHooks<Contract> hooks{};

}  // namespace demeter::segment_distance::fast
