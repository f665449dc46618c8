// One update of a contact without friction and restitution, fast: one, or many in columns with SIMD.
#pragma once

#include "fast/core/hooks.hpp"
#include "fast/core/level.hpp"
#include "reference/spec/nscd_contact_update.hpp"

#include <array>
#include <cstddef>

namespace demeter::nscd_contact_update::fast {

/// The levels that have code of their own.
inline constexpr std::array levels{Level::scalar, Level::avx2, Level::avx512};

/// Normal velocity before, correction, and both velocities after one update.
///
/// Domain: that of `Contract`. Outside of it the answer means nothing. Within it nothing over- or underflows to any
/// effect, and the errors are within the contract's budgets. 2^k times the units of length, mass and time give 2^k
/// times the answers, bit for bit.
///
/// The same arithmetic as the batch form, bit for bit. Source:
/// docs/mathematics/nonsmooth.md#nscd_contact_update-fast-form.
Output<double> evaluate(Input<double> const& in) noexcept;

/// The same for n contacts in columns.
///
/// `in`: 10 columns of n doubles in fields() order, both masses (infinity: a wall), velocity_i x y, velocity_j x y,
/// normal x y, gap, dt. `out`: 6 columns, normal_velocity, correction, velocity_i x y, velocity_j x y; a null column is
/// not wanted. No output column overlaps another column. Any n, any alignment (64 bytes is fastest); nothing is read or
/// written outside the n rows.
///
/// Precondition: available(level). All levels give the same bits, and a row's result does not depend on its neighbours.
void evaluate(Level level, std::size_t n, double const* const in[], double* const out[]) noexcept;

inline constexpr FastHooks<Contract> hooks{};

}  // namespace demeter::nscd_contact_update::fast
