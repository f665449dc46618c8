// The complementarity problem of a time step, fast: one problem, or many in columns.
#pragma once

#include "fast/core/hooks.hpp"
#include "fast/core/level.hpp"
#include "reference/spec/nscd_solve.hpp"

#include <array>
#include <cstddef>

namespace demeter::nscd_solve::fast {

/// The instruction-set levels for which this kernel has its own code. The other levels run the scalar code.
inline constexpr std::array levels{Level::scalar};

/// Returns the velocities after contact and the contact impulses.
///
/// Domain: the domain of `Contract`. For other inputs the answer is meaningless. Error bound: the contract's budgets,
/// 16 u S kappa, for up to 64 contacts and kappa <= 1e8. The contract defines S and kappa. Above 256 contacts, a
/// gradient method with conjugate gradients replaces the active set. No bound is proven for its remaining error. If the
/// units of length, mass and time change by powers of two, the answers change by the corresponding powers of two, bit
/// for bit.
///
/// Source: docs/mathematics/nonsmooth.md#nscd_solve-fast-form.
Output<double> evaluate(Input<double> const& in);

/// Answers n problems in columns, with the same bits as the single form.
///
/// `in`: offsets of the masses (n+1), masses; offsets of the velocities, velocity x, y; offsets of the contacts, i, j,
/// normal x, y, gap; dt. `out`: offsets of the velocities, velocity x, y; offsets of the impulses, impulses. The output
/// offsets are not written: they equal the offsets of the masses and of the contacts. A null output column is skipped.
/// Output columns must not overlap any other column.
///
/// All levels run one scalar loop, because the steps of the solver differ from problem to problem. Memory grows with
/// contacts times bodies of one problem, up to 256 contacts.
void evaluate(Level level, std::size_t n, double const* const in[], double* const out[]);

inline constexpr FastHooks<Contract> hooks{};

}  // namespace demeter::nscd_solve::fast
