// Contact of a disc and a segment, fast: one pair, or many in columns with SIMD.
#pragma once

#include "fast/core/hooks.hpp"
#include "fast/core/level.hpp"
#include "reference/spec/disc_segment_contact.hpp"

#include <array>
#include <cstddef>

namespace demeter::disc_segment_contact::fast {

/// The instruction-set levels for which this kernel has its own code.
inline constexpr std::array levels{Level::scalar, Level::avx2, Level::avx512};

/// Returns the gap, the normal, the nearest part of the segment, and whether the gap is below the alert distance.
///
/// Domain: the domain of `Contract`. For other inputs the answer is meaningless. Within the domain, overflow or
/// underflow has no effect and the errors are within the contract's budgets. The side of the segment on which the
/// centre lies is exact, including a centre on the segment. If all lengths are multiplied by 2^k, the gap is multiplied
/// by 2^k, and the normal and the labels stay the same, bit for bit.
///
/// Gives the same bits as the batch form. Source: docs/mathematics/nonsmooth.md#disc_segment_contact-fast-form.
Output<double> evaluate(Input<double> const& in) noexcept;

/// Answers n pairs in columns, with the same bits as the single form.
///
/// `in`: 8 columns of n doubles in fields() order, centre x y, radius, p0 x y, p1 x y, alert. `out`: 6 columns, gap,
/// whether a normal exists (0, 1), normal x y, feature (0, 1, 2), present (0, 1). A null output column is skipped.
/// Output columns must not overlap any other column. Any n, any alignment (64 bytes is fastest). Nothing is read or
/// written outside the n rows.
///
/// Precondition: available(level). All levels give the same bits. The result of a row does not depend on other rows.
void evaluate(Level level, std::size_t n, double const* const in[], double* const out[]) noexcept;

inline constexpr FastHooks<Contract> hooks{};

}  // namespace demeter::disc_segment_contact::fast
