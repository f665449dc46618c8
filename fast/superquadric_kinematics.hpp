// Kinematics at the contact point of two superquadrics, fast: one pair, or many pairs in columns with SIMD.
#pragma once

#include "fast/core/hooks.hpp"
#include "fast/core/level.hpp"
#include "reference/spec/superquadric_kinematics.hpp"

#include <array>
#include <cstddef>

namespace demeter::superquadric_kinematics::fast {

/// The levels that have code of their own.
inline constexpr std::array levels{Level::scalar, Level::avx2, Level::avx512};

/// Relative velocity at the contact point, the point's predicted place, and the pair's effective radius.
///
/// Any coherent units; vectors in the global frame. Where the equations of the prediction are singular the point moves
/// with the mean of both bodies. The same arithmetic as the batch form, bit for bit. Source:
/// docs/mathematics/superquadrics.md#superquadric_kinematics-fast-form.
Output<double> evaluate(Input<double> const& in) noexcept;

/// The same for n pairs in columns: `in` 46 columns in fields() order (overlap is not read, curvature by its index),
/// `out` 8; a null column is not wanted. Precondition: available(level).
void evaluate(Level level, std::size_t n, double const* const in[], double* const out[]) noexcept;

inline constexpr FastHooks<Contract> hooks{};

}  // namespace demeter::superquadric_kinematics::fast
