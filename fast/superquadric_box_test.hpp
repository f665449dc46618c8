// Box test of two superquadrics, fast: one pair, or many pairs in columns with SIMD.
#pragma once

#include "fast/core/hooks.hpp"
#include "fast/core/level.hpp"
#include "reference/spec/superquadric_box_test.hpp"

#include <array>
#include <cstddef>

namespace demeter::superquadric_box_test::fast {

/// The instruction-set levels for which this kernel has its own code.
inline constexpr std::array levels{Level::scalar, Level::avx2, Level::avx512};

/// Returns the growth distance of the boxes of two superquadrics, and whether it is above 1.
///
/// Positions and semi-axes are in any one unit. Quaternions w, x, y, z rotate from the body frame to the global frame
/// and may have any nonzero length. The exponents are not read. sigma_box, the growth distance, is 1 where the boxes
/// touch and 0 where the centres are equal.
///
/// Every finite input of the contract's domain is answered. No answer is NaN. Let A be the largest semi-axis of both
/// bodies divided by the larger of their two smallest semi-axes. For A up to 2^20 the error is at most 16 u of
/// sigma_box + 2^-1075, for any angle of the edges including exactly parallel ones. (Largest error in random cases: 4.9
/// u. Largest error found by climbing: 7.5 u.) For larger A the error grows with A. A result is infinite only if the
/// exact result overflows. If all lengths, or one or both quaternions, are multiplied by 2^k, the result has the same
/// bits unless an input is subnormal.
///
/// Gives the same bits as the batch form. Source: docs/mathematics/superquadrics.md#superquadric_box_test-fast-form.
Output<double> evaluate(Input<double> const& in) noexcept;

/// Answers n pairs in columns, with the same bits as the single form.
///
/// `in`: 24 columns of n doubles in fields() order, first body i, then body j: position (3), orientation (4), semi_axes
/// (3), n1, n2. n1 and n2 are not read. `out`: sigma_box, and 1 for separated boxes, else 0. A null output column is
/// skipped. Output columns must not overlap any other column. Any n, any alignment (64 bytes is fastest). Nothing is
/// read or written outside the n rows.
///
/// Precondition: available(level). All levels give the same bits. The result of a row does not depend on other rows.
void evaluate(Level level, std::size_t n, double const* const in[], double* const out[]) noexcept;

inline constexpr FastHooks<Contract> hooks{};

}  // namespace demeter::superquadric_box_test::fast
