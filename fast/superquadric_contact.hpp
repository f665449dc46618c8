// Contact of two superquadrics, fast: one pair, or many in columns with SIMD.
#pragma once

#include "fast/core/hooks.hpp"
#include "fast/core/level.hpp"
#include "reference/spec/superquadric_contact.hpp"

#include <array>
#include <cstddef>

namespace demeter::superquadric_contact::fast {

/// The instruction-set levels for which this kernel has its own code.
inline constexpr std::array levels{Level::scalar, Level::avx2, Level::avx512};

/// Returns growth distance, contact point, normal, overlaps and status of two superquadrics.
///
/// Domain: exponents 2 to 200; semi-axes > 0 within a factor of 1e100 of each other and of the distance of the centres;
/// the largest semi-axis of one body at most 10,000 times that of the other; nonzero quaternions of any length whose
/// components are 0 or within 1e140 of the largest. For other inputs the answer is meaningless. The solver starts at
/// `previous`, if it is given. If this point is near the contact point, the solver needs a third of the evaluations.
/// The answer is then the same within the budgets.
///
/// The errors are within the contract's budgets, in units of the oracle's scales. If all lengths are multiplied by 2^k,
/// the answer is multiplied by 2^k, bit for bit, as long as no number is subnormal.
///
/// Source: docs/mathematics/superquadrics.md#superquadric_contact-fast-form.
Output<double> evaluate(Input<double> const& in) noexcept;

/// Answers n pairs in columns, with the same bits as the single form.
///
/// `in`: 28 columns in fields() order, first body i, then body j: position x y z, orientation w x y z, semi-axes, n1,
/// n2; then whether a previous point exists (0, 1), and the previous point. `out`: 15 columns: sigma, point x y z,
/// whether a normal exists, normal x y z, whether overlap_b exists, overlap_b, the same two columns for overlap_n and
/// overlap_phi, status (0 to 4). A null output column is skipped. Output columns must not overlap any other column. Any
/// n, any alignment.
///
/// Precondition: available(level). All levels give the same bits. The result of a row does not depend on other rows.
void evaluate(Level level, std::size_t n, double const* const in[], double* const out[]) noexcept;

inline constexpr FastHooks<Contract> hooks{};

}  // namespace demeter::superquadric_contact::fast
