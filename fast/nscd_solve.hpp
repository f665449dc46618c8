// The complementarity problem of a time step, fast: one, or many in columns.
#pragma once

#include "fast/core/hooks.hpp"
#include "fast/core/level.hpp"
#include "reference/spec/nscd_solve.hpp"

#include <array>
#include <cstddef>

namespace demeter::nscd_solve::fast {

/// The levels that have code of their own: the others run the same.
inline constexpr std::array levels{Level::scalar};

/// Velocities after contact and the impulses that lead to them.
///
/// Domain: that of `Contract`. Outside of it the answer means nothing. Guarantee: within the contract's budgets, 16 u S
/// kappa, for up to 64 contacts, as long as kappa is at most 1e8. Beyond 256 contacts a gradient method and conjugate
/// gradients take the place of the active set: no bound is proved of what they leave. 2^k times the units of length,
/// mass and time give 2^k times the answers, bit for bit. Source: docs/mathematics/nonsmooth.md#nscd_solve-fast-form.
Output<double> evaluate(Input<double> const& in);

/// The same for n problems in columns.
///
/// `in`: offsets of the masses (n+1), masses; offsets of the velocities, velocity x, y; offsets of the contacts, i, j,
/// normal x, y, gap; dt. `out`: offsets (not written: those of the masses), velocity x, y; offsets (those of the
/// contacts), impulses; a null column is not wanted. No output column overlaps another column.
///
/// All levels run one scalar loop: problems differ in their course. Memory grows with the product of contacts and
/// bodies of one problem, up to 256 contacts.
void evaluate(Level level, std::size_t n, double const* const in[], double* const out[]);

inline constexpr FastHooks<Contract> hooks{};

}  // namespace demeter::nscd_solve::fast
