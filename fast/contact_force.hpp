// One step of a force law at one contact, fast: one contact, or many in columns with SIMD.
#pragma once

#include "fast/core/hooks.hpp"
#include "fast/core/level.hpp"
#include "reference/spec/contact_force.hpp"

#include <array>
#include <cstddef>

namespace demeter::contact_force::fast {

/// The instruction-set levels for which this kernel has its own code.
inline constexpr std::array levels{Level::scalar, Level::avx2, Level::avx512};

/// Returns the force on body 1, the spring, the energies and the status after one step, for linear, dashpot and
/// Hertzian contacts.
///
/// Domain: the domain of `Contract`, with numbers of 1e-60 to 1e60 or 0. For other inputs the answer is meaningless.
/// Within the domain, overflow or underflow of intermediate results has no effect and the errors are within the
/// contract's budgets. If the units of length, mass and time change by powers of two, the answers change by the
/// corresponding powers of two, bit for bit.
///
/// Gives the same bits as the batch form. Source: docs/mathematics/forces.md#contact_force-fast-form.
Output<double> evaluate(Input<double> const& in) noexcept;

/// Answers n contacts in columns, with the same bits as the single form.
///
/// `in`: 24 columns of n doubles in fields() order, law (0, 1, 2), both stiffnesses, both dampings, friction, tension
/// (0, 1), radius, dt, uN, uN_before, normal x y z, normal_before x y z, velocity x y z, twist, spring x y z. `out`: 9
/// columns, force x y z, spring x y z, stored, dissipated, status (0, 1, 2). A null output column is skipped. Output
/// columns must not overlap any other column. Any n, any alignment (64 bytes is fastest). Nothing is read or written
/// outside the n rows.
///
/// Precondition: available(level). All levels give the same bits. The result of a row does not depend on other rows.
void evaluate(Level level, std::size_t n, double const* const in[], double* const out[]) noexcept;

/// The same for any law: `by` has one value of each choice. The combination must have a meaning: see
/// `demeter list contact_force --choices`. The errors are within the contract's budgets of that law.
void evaluate(Choices const& by, Level level, std::size_t n, double const* const in[], double* const out[]) noexcept;

inline constexpr FastHooks<Contract> hooks{};

}  // namespace demeter::contact_force::fast
