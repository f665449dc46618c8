// Contact of two discs, fast: one, or many in columns with SIMD.
#pragma once

#include "fast/core/hooks.hpp"
#include "fast/core/level.hpp"
#include "reference/spec/disc_disc_contact.hpp"

#include <array>
#include <cstddef>

namespace demeter::disc_disc_contact::fast {

/// The levels that have code of their own.
inline constexpr std::array levels{Level::scalar, Level::avx2, Level::avx512};

/// Gap, normal and whether the gap is below the alert distance.
///
/// Domain: that of `Contract`. Outside of it the answer means nothing. Within it nothing over- or underflows to any
/// effect, and the errors are within the contract's budgets. 2^k times the unit of length gives 2^k times the gap and
/// the same normal, bit for bit.
///
/// The same arithmetic as the batch form, bit for bit. Source:
/// docs/mathematics/nonsmooth.md#disc_disc_contact-fast-form.
Output<double> evaluate(Input<double> const& in) noexcept;

/// The same for n pairs in columns.
///
/// `in`: 7 columns of n doubles in fields() order, centre_i x y, radius_i, centre_j x y, radius_j, alert. `out`: 5
/// columns, gap, whether there is a normal (0, 1), normal x y, present (0, 1); a null column is not wanted. No output
/// column overlaps another column. Any n, any alignment (64 bytes is fastest); nothing is read or written outside the n
/// rows.
///
/// Precondition: available(level). All levels give the same bits, and a row's result does not depend on its neighbours.
void evaluate(Level level, std::size_t n, double const* const in[], double* const out[]) noexcept;

inline constexpr FastHooks<Contract> hooks{};

}  // namespace demeter::disc_disc_contact::fast
