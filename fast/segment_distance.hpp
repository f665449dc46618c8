// Distance of two segments, fast: one pair, or many pairs in columns with SIMD.
#pragma once

#include "fast/core/hooks.hpp"
#include "fast/core/level.hpp"
#include "reference/spec/segment_distance.hpp"

#include <array>
#include <cstddef>

namespace demeter::segment_distance::fast {

/// The levels that have code of their own.
inline constexpr std::array levels{Level::scalar, Level::avx2, Level::avx512};

/// The distance of two segments and the parameters s, t in [0, 1] of a closest pair of points.
///
/// Every finite input is in the domain: zero-length, parallel, collinear, touching and crossing segments, subnormal
/// coordinates and coordinates near the largest double, and any mixture of scales.
///
/// |distance - exact| <= 8 u S + 2^-1075 with u = 2^-53 and S = max |coordinate|; the exact distance of the points s
/// and t name is <= exact + 12 u S. The result is infinite only where the exact distance overflows. The distance of 2^k
/// times the input is 2^k times the distance, bit for bit, unless an input or the result underflows (so that this holds
/// across the internal change of scale, a distance below 2^-90 of the segments' extent is returned as 0).
///
/// The same arithmetic as the batch form, bit for bit. Source: docs/mathematics/capsules.md#segment_distance-fast-form.
Output<double> evaluate(Input<double> const& in) noexcept;

/// The same for n pairs in columns.
///
/// `in`: 12 columns of n doubles in fields() order, p0x p0y p0z p1x ... q1z. `out`: 3 columns, distance, s, t; a null
/// column is not wanted, and distance alone is cheaper. No output column overlaps another column. Any n, any alignment
/// (64 bytes is fastest); nothing is read or written outside the n rows.
///
/// Precondition: available(level). All levels give the same bits, and a row's result does not depend on its neighbours.
void evaluate(Level level, std::size_t n, double const* const in[], double* const out[]) noexcept;

inline constexpr FastHooks<Contract> hooks{};

}  // namespace demeter::segment_distance::fast
