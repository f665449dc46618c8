// The shape of a superquadric at a point, fast: one, or many in columns with SIMD.
#pragma once

#include "fast/core/hooks.hpp"
#include "fast/core/level.hpp"
#include "reference/spec/superquadric_shape.hpp"

#include <array>
#include <cstddef>

namespace demeter::superquadric_shape::fast {

/// The levels that have code of their own.
inline constexpr std::array levels{Level::scalar, Level::avx2, Level::avx512};

/// F, the gauge N, its gradient and Hessian, and the curvatures of the surface on the ray through the point.
///
/// Domain: that of the contract; outside of it the answer means nothing.
///
/// With u = 2^-53 and n = n1 + n2 the largest errors of a million cases are: F 4.3 u (1 + n1 N^n1), N 4.4 u N, a
/// component of the gradient 3.8 n u of itself, an entry ij of the Hessian 3.7 n u sqrt(H_ii H_jj), the mean curvature
/// 5.5 n u and the Gaussian one 8.3 n u of itself, down to 2^-600 of their natural sizes (below 2^-700 they are 0). The
/// budgets are at most eight times that. Whether there is a Hessian is decided exactly. 2^k times the lengths gives the
/// same powers of two times the answer, bit for bit.
///
/// The same arithmetic as the batch form, bit for bit. Source:
/// docs/mathematics/superquadrics.md#superquadric_shape-fast-form.
Output<double> evaluate(Input<double> const& in) noexcept;

/// The same for n points in columns.
///
/// `in`: 8 columns of n doubles in fields() order, semi_axes x y z, n1, n2, point x y z. `out`: 16 columns, value,
/// gauge, gradient x y z, whether there is a Hessian (1 or 0) and its 6 entries, the same of the mean and of the
/// Gaussian curvature, with 0 for what is null; a null column is not wanted. No output column overlaps another column.
/// Any n, any alignment; nothing is read or written outside the n rows.
///
/// Precondition: available(level). All levels give the same bits, and a row's result does not depend on its neighbours.
void evaluate(Level level, std::size_t n, double const* const in[], double* const out[]) noexcept;

inline constexpr FastHooks<Contract> hooks{};

}  // namespace demeter::superquadric_shape::fast
