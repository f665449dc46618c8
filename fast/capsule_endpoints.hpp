// Ends, bounding box and bounding sphere of a capsule, fast: one capsule, or many in columns with SIMD.
#pragma once

#include "fast/core/hooks.hpp"
#include "fast/core/level.hpp"
#include "reference/spec/capsule_endpoints.hpp"

#include <array>
#include <cstddef>

namespace demeter::capsule_endpoints::fast {

/// The instruction-set levels for which this kernel has its own code.
inline constexpr std::array levels{Level::scalar, Level::avx2, Level::avx512};

/// Returns the half-shaft vector, the ends of the axis, the axis-aligned box and the radius of the bounding sphere of
/// one capsule.
///
/// Domain: radius > 0, shaft >= 0, any finite quaternion except 0. The quaternion may be subnormal or huge and need not
/// have length 1. For other inputs the answer is meaningless.
///
/// Error bounds for each coordinate, with u = 2^-53: half 4 u shaft, ends 9 u (|position| + shaft/2), box 9 u
/// (|position| + shaft/2 + radius). 2^-1075 is added to each bound. The bounding radius is correctly rounded. These
/// bounds are half of the contract's budgets. Overflow or underflow of intermediate results has no effect. A result is
/// infinite only if the exact result rounds to infinity.
///
/// The quaternions q, -q and 2^k q give the same bits. For 2^k q, every nonzero component must be at least 2^-900 of
/// the largest. If the lengths are multiplied by 2^k, the answer is multiplied by 2^k, bit for bit, as long as no
/// number is subnormal.
///
/// Gives the same bits as the batch form. Source: docs/mathematics/capsules.md#capsule_endpoints-fast-form.
Output<double> evaluate(Input<double> const& in) noexcept;

/// Answers n capsules in columns, with the same bits as the single form.
///
/// `in`: 9 columns of n doubles in fields() order, position x y z, orientation w x y z, radius, shaft. `out`: 16
/// columns, half, end0, end1, box_low, box_high (x y z each), bounding_radius. A null output column is skipped. Output
/// columns must not overlap any other column. Any n, any alignment (64 bytes is fastest). Nothing is read or written
/// outside the n rows.
///
/// Precondition: available(level). All levels give the same bits. The result of a row does not depend on other rows.
void evaluate(Level level, std::size_t n, double const* const in[], double* const out[]) noexcept;

inline constexpr FastHooks<Contract> hooks{};

}  // namespace demeter::capsule_endpoints::fast
