// Contact of a disc and a segment, fast: one, or many in columns with SIMD.
#pragma once

#include "fast/core/hooks.hpp"
#include "fast/core/level.hpp"
#include "reference/spec/disc_segment_contact.hpp"

#include <array>
#include <cstddef>

namespace demeter::disc_segment_contact::fast {

/// The levels that have code of their own.
inline constexpr std::array levels{Level::scalar, Level::avx2, Level::avx512};

/// Gap, normal, nearest part of the segment, and whether the gap is below the alert distance.
///
/// Domain: that of `Contract`. Outside of it the answer means nothing. Within it nothing over- or underflows to any
/// effect, and the errors are within the contract's budgets. Which side of the segment the centre is on, and whether it
/// is on it, is exact. 2^k times the unit of length gives 2^k times the gap and the same normal and labels, bit for
/// bit.
///
/// The same arithmetic as the batch form, bit for bit. Source:
/// docs/mathematics/nonsmooth.md#disc_segment_contact-fast-form.
Output<double> evaluate(Input<double> const& in) noexcept;

/// The same for n pairs in columns.
///
/// `in`: 8 columns of n doubles in fields() order, centre x y, radius, p0 x y, p1 x y, alert. `out`: 6 columns, gap,
/// whether there is a normal (0, 1), normal x y, feature (0, 1, 2), present (0, 1); a null column is not wanted. No
/// output column overlaps another column. Any n, any alignment (64 bytes is fastest); nothing is read or written
/// outside the n rows.
///
/// Precondition: available(level). All levels give the same bits, and a row's result does not depend on its neighbours.
void evaluate(Level level, std::size_t n, double const* const in[], double* const out[]) noexcept;

inline constexpr FastHooks<Contract> hooks{};

}  // namespace demeter::disc_segment_contact::fast
