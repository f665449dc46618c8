// Kinematics at the contact point of two superquadrics, fast: one pair, or many pairs in columns with SIMD.
#pragma once

#include "fast/core/hooks.hpp"
#include "fast/core/level.hpp"
#include "reference/spec/superquadric_kinematics.hpp"

#include <array>
#include <cstddef>

namespace demeter::superquadric_kinematics::fast {

/// The instruction-set levels for which this kernel has its own code.
inline constexpr std::array levels{Level::scalar, Level::avx2, Level::avx512};

/// Returns the relative velocity at the contact point, the predicted position of the point, and the effective radius of
/// the pair.
///
/// Any coherent units; vectors in the global frame. Where the equations of the prediction are singular, the point moves
/// with the mean velocity of both bodies. Gives the same bits as the batch form. Source:
/// docs/mathematics/superquadrics.md#superquadric_kinematics-fast-form.
Output<double> evaluate(Input<double> const& in) noexcept;

/// Answers n pairs in columns, with the same bits as the single form.
///
/// `in`: 46 columns in fields() order. The column overlap is not read. The column curvature contains the index of a
/// label. `out`: 8 columns. A null output column is skipped. Precondition: available(level).
void evaluate(Level level, std::size_t n, double const* const in[], double* const out[]) noexcept;

inline constexpr FastHooks<Contract> hooks{};

}  // namespace demeter::superquadric_kinematics::fast
