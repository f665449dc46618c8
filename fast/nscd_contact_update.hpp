// One update of a contact without friction and restitution, fast: one contact, or many in columns with SIMD.
#pragma once

#include "fast/core/hooks.hpp"
#include "fast/core/level.hpp"
#include "reference/spec/nscd_contact_update.hpp"

#include <array>
#include <cstddef>

namespace demeter::nscd_contact_update::fast {

/// The instruction-set levels for which this kernel has its own code.
inline constexpr std::array levels{Level::scalar, Level::avx2, Level::avx512};

/// Returns the normal velocity before the update, the correction, and both velocities after the update.
///
/// Domain: the domain of `Contract`. For other inputs the answer is meaningless. Within the domain, overflow or
/// underflow has no effect and the errors are within the contract's budgets. If the units of length, mass and time
/// change by powers of two, the answers change by the corresponding powers of two, bit for bit.
///
/// Gives the same bits as the batch form. Source: docs/mathematics/nonsmooth.md#nscd_contact_update-fast-form.
Output<double> evaluate(Input<double> const& in) noexcept;

/// Answers n contacts in columns, with the same bits as the single form.
///
/// `in`: 10 columns of n doubles in fields() order, both masses (infinity: a wall), velocity_i x y, velocity_j x y,
/// normal x y, gap, dt. `out`: 6 columns, normal_velocity, correction, velocity_i x y, velocity_j x y. A null output
/// column is skipped. Output columns must not overlap any other column. Any n, any alignment (64 bytes is fastest).
/// Nothing is read or written outside the n rows.
///
/// Precondition: available(level). All levels give the same bits. The result of a row does not depend on other rows.
void evaluate(Level level, std::size_t n, double const* const in[], double* const out[]) noexcept;

inline constexpr FastHooks<Contract> hooks{};

}  // namespace demeter::nscd_contact_update::fast
