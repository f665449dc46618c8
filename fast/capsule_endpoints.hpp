// Ends, bounding box and bounding sphere of a capsule, fast: one, or many in columns with SIMD.
#pragma once

#include "fast/core/hooks.hpp"
#include "fast/core/level.hpp"
#include "reference/spec/capsule_endpoints.hpp"

#include <array>
#include <cstddef>

namespace demeter::capsule_endpoints::fast {

/// The levels that have code of their own.
inline constexpr std::array levels{Level::scalar, Level::avx2, Level::avx512};

/// Half-shaft vector, ends of the axis, axis-aligned box and radius of the bounding sphere of one capsule.
///
/// Domain: radius > 0, shaft >= 0, any finite quaternion but 0, subnormal and huge ones included: it need not have
/// length 1. Outside of it the answer means nothing.
///
/// With u = 2^-53: |half - exact| <= 4 u shaft, the ends are within 9 u (|position| + shaft/2) and the box within
/// 9 u (|position| + shaft/2 + radius) of the exact ones, coordinate by coordinate (plus 2^-1075 each). The bounding
/// radius is correctly rounded. That is half of the contract's budgets. No intermediate result over- or underflows to
/// any effect; a result is infinite only where the exact one rounds to that. q, -q and 2^k q give the same bits (of 2^k
/// q, if no component is less than 2^-900 of the greatest without being 0); 2^k times the lengths gives 2^k times the
/// answer, bit for bit, as long as none is subnormal.
///
/// The same arithmetic as the batch form, bit for bit. Source:
/// docs/mathematics/capsules.md#capsule_endpoints-fast-form.
Output<double> evaluate(Input<double> const& in) noexcept;

/// The same for n capsules in columns.
///
/// `in`: 9 columns of n doubles in fields() order, position x y z, orientation w x y z, radius, shaft. `out`: 16
/// columns, half, end0, end1, box_low, box_high (x y z each), bounding_radius; a null column is not wanted. No output
/// column overlaps another column. Any n, any alignment (64 bytes is fastest); nothing is read or written outside the n
/// rows.
///
/// Precondition: available(level). All levels give the same bits, and a row's result does not depend on its neighbours.
void evaluate(Level level, std::size_t n, double const* const in[], double* const out[]) noexcept;

inline constexpr FastHooks<Contract> hooks{};

}  // namespace demeter::capsule_endpoints::fast
