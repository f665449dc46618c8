// Overlap of two spheres, one pair or many.
#pragma once

#include "fast/core/hooks.hpp"
#include "fast/core/level.hpp"
#include "reference/spec/sphere_sphere_overlap.hpp"

#include <array>
#include <cstddef>

namespace demeter::sphere_sphere_overlap::fast {

/// The levels with code of their own; the other levels run the same code.
inline constexpr std::array levels{Level::scalar};

/// Returns the overlap with |error| <= 4 u S + 2^-1075, and the sign of the returned overlap as the status.
Output<double> evaluate(Input<double> const& in) noexcept;

/// Answers n pairs in columns, with the same bits as the single form. `in`: centre x, y, z and radius of a, then of b.
/// `out`: overlap, status. A null output column is skipped. Precondition: available(level).
void evaluate(Level level, std::size_t n, double const* const in[], double* const out[]) noexcept;

inline constexpr FastHooks<Contract> hooks{};

}  // namespace demeter::sphere_sphere_overlap::fast
