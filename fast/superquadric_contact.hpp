// Contact of two superquadrics, fast: one pair, or many in columns with SIMD.
#pragma once

#include "fast/core/hooks.hpp"
#include "fast/core/level.hpp"
#include "reference/spec/superquadric_contact.hpp"

#include <array>
#include <cstddef>

namespace demeter::superquadric_contact::fast {

/// The levels that have code of their own.
inline constexpr std::array levels{Level::scalar, Level::avx2, Level::avx512};

/// Growth distance, contact point, normal, overlaps and status of two superquadrics.
///
/// Domain: exponents 2 to 200, semi-axes > 0 within a factor of 1e100 of each other and of the distance of the centres,
/// the largest of one body at most 10,000 times that of the other, quaternions of any length but 0 whose components are
/// 0 or within 1e140 of the largest. Outside of it the answer means nothing. `previous`, if there, is where the solver
/// starts: near the point it takes a third of the evaluations; the answer is the same within the budgets.
///
/// The budgets of the contract hold, in units of the scales that the oracle gives. 2^k times all lengths gives 2^k
/// times the answer, bit for bit, as long as nothing is subnormal. Source:
/// docs/mathematics/superquadrics.md#superquadric_contact-fast-form.
Output<double> evaluate(Input<double> const& in) noexcept;

/// The same for n pairs in columns, bit for bit.
///
/// `in`: 28 columns in fields() order: of i, then of j, position x y z, orientation w x y z, semi-axes, n1, n2; then
/// whether there is a previous point (0, 1), and that. `out`: 15 columns: sigma, point x y z, whether there is a
/// normal, normal x y z, whether there is an overlap_b, overlap_b, the same of overlap_n and overlap_phi, status (0 to
/// 4); a null column is not wanted. No output column overlaps another column. Any n, any alignment.
///
/// Precondition: available(level). All levels give the same bits, and a row's result does not depend on its neighbours.
void evaluate(Level level, std::size_t n, double const* const in[], double* const out[]) noexcept;

inline constexpr FastHooks<Contract> hooks{};

}  // namespace demeter::superquadric_contact::fast
