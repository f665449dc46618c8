// Box test of two superquadrics, fast: one pair, or many pairs in columns with SIMD.
#pragma once

#include "fast/core/hooks.hpp"
#include "fast/core/level.hpp"
#include "reference/spec/superquadric_box_test.hpp"

#include <array>
#include <cstddef>

namespace demeter::superquadric_box_test::fast {

/// The levels that have code of their own.
inline constexpr std::array levels{Level::scalar, Level::avx2, Level::avx512};

/// Growth distance of the boxes of two superquadrics, and whether it is above 1.
///
/// Positions and semi-axes in any one unit; quaternions w, x, y, z from the body's frame to the global one, of any
/// length but 0; the exponents are not read. sigma_box is 1 where the boxes touch, 0 where the centres are equal.
///
/// Every finite input of the contract's domain is answered, none with NaN. With A the largest semi-axis of both bodies
/// over the larger of their two least ones, the error is at most 16 u of sigma_box, and 2^-1075, for A up to 2^20, at
/// any angle of the edges down to exactly parallel ones (the largest seen is 4.9 u, the largest found by climbing 7.5
/// u). Beyond that it grows with A. An infinite result is one that overflows. For 2^k times all lengths, 2^k times a
/// quaternion or 2^k times both quaternions the result is the same, bit for bit, unless an input is subnormal.
///
/// The same arithmetic as the batch form, bit for bit. Source:
/// docs/mathematics/superquadrics.md#superquadric_box_test-fast-form.
Output<double> evaluate(Input<double> const& in) noexcept;

/// The same for n pairs in columns.
///
/// `in`: 24 columns of n doubles in fields() order, those of i and then those of j: position (3), orientation (4),
/// semi_axes (3), n1, n2; the last two are not read. `out`: sigma_box, and 1 where separated, else 0; a null column is
/// not wanted. No output column overlaps another column. Any n, any alignment (64 bytes is fastest); nothing is read or
/// written outside the n rows.
///
/// Precondition: available(level). All levels give the same bits, and a row's result does not depend on its neighbours.
void evaluate(Level level, std::size_t n, double const* const in[], double* const out[]) noexcept;

inline constexpr FastHooks<Contract> hooks{};

}  // namespace demeter::superquadric_box_test::fast
