// One step of a force law at one contact, fast: one, or many in columns with SIMD.
#pragma once

#include "fast/core/hooks.hpp"
#include "fast/core/level.hpp"
#include "reference/spec/contact_force.hpp"

#include <array>
#include <cstddef>

namespace demeter::contact_force::fast {

/// The levels that have code of their own.
inline constexpr std::array levels{Level::scalar, Level::avx2, Level::avx512};

/// Force on body 1, spring, energies and status after one step: linear, dashpot and Hertzian contacts alike.
///
/// Domain: that of `Contract`, numbers of 1e-60 to 1e60 or 0. Outside of it the answer means nothing. Within it no
/// intermediate result over- or underflows to any effect; the errors are within the contract's budgets. 2^k times the
/// units of length, mass and time give 2^k times the answers, bit for bit.
///
/// The same arithmetic as the batch form, bit for bit. Source: docs/mathematics/forces.md#contact_force-fast-form.
Output<double> evaluate(Input<double> const& in) noexcept;

/// The same for n contacts in columns.
///
/// `in`: 24 columns of n doubles in fields() order, law (0, 1, 2), both stiffnesses, both dampings, friction, tension
/// (0, 1), radius, dt, uN, uN_before, normal x y z, normal_before x y z, velocity x y z, twist, spring x y z. `out`: 9
/// columns, force x y z, spring x y z, stored, dissipated, status (0, 1, 2); a null column is not wanted. No output
/// column overlaps another column. Any n, any alignment (64 bytes is fastest); nothing is read or written outside the n
/// rows.
///
/// Precondition: available(level). All levels give the same bits, and a row's result does not depend on its neighbours.
void evaluate(Level level, std::size_t n, double const* const in[], double* const out[]) noexcept;

inline constexpr FastHooks<Contract> hooks{};

}  // namespace demeter::contact_force::fast
