// The shape of a superquadric at a point, fast: one point, or many in columns with SIMD.
#pragma once

#include "fast/core/hooks.hpp"
#include "fast/core/level.hpp"
#include "reference/spec/superquadric_shape.hpp"

#include <array>
#include <cstddef>

namespace demeter::superquadric_shape::fast {

/// The instruction-set levels for which this kernel has its own code.
inline constexpr std::array levels{Level::scalar, Level::avx2, Level::avx512};

/// Returns F, the gauge N, its gradient and Hessian, and the curvatures of the surface on the ray through the point.
///
/// Domain: the domain of the contract. For other inputs the answer is meaningless.
///
/// The largest errors of a million cases, with u = 2^-53 and n = n1 + n2: F 4.3 u (1 + n1 N^n1), N 4.4 u N, a component
/// of the gradient 3.8 n u of itself, an entry ij of the Hessian 3.7 n u sqrt(H_ii H_jj), the mean curvature 5.5 n u of
/// itself, the Gaussian curvature 8.3 n u of itself. This holds for results down to 2^-600 of their natural sizes.
/// Results below 2^-700 of their natural sizes are 0. The budgets are at most eight times these errors. Whether a
/// Hessian exists is decided exactly. If the lengths are multiplied by 2^k, the outputs are multiplied by the
/// corresponding powers of two, bit for bit.
///
/// Gives the same bits as the batch form. Source: docs/mathematics/superquadrics.md#superquadric_shape-fast-form.
Output<double> evaluate(Input<double> const& in) noexcept;

/// Answers n points in columns, with the same bits as the single form.
///
/// `in`: 8 columns of n doubles in fields() order, semi_axes x y z, n1, n2, point x y z. `out`: 16 columns, value,
/// gauge, gradient x y z, whether a Hessian exists (1 or 0) and its 6 entries, whether the mean curvature exists and
/// its value, whether the Gaussian curvature exists and its value. Null members are written as 0. A null output column
/// is skipped. Output columns must not overlap any other column. Any n, any alignment. Nothing is read or written
/// outside the n rows.
///
/// Precondition: available(level). All levels give the same bits. The result of a row does not depend on other rows.
void evaluate(Level level, std::size_t n, double const* const in[], double* const out[]) noexcept;

inline constexpr FastHooks<Contract> hooks{};

}  // namespace demeter::superquadric_shape::fast
