// Overlap of two spheres, one pair or many.
#pragma once

#include "fast/core/hooks.hpp"
#include "fast/core/level.hpp"
#include "reference/spec/sphere_sphere_overlap.hpp"

#include <array>
#include <cstddef>

namespace demeter::sphere_sphere_overlap::fast {

/// The levels that have code of their own: the others run the same.
inline constexpr std::array levels{Level::scalar};

/// |error| <= 4 u S + 2^-1075; the status is the sign of the overlap that is returned.
Output<double> evaluate(Input<double> const& in) noexcept;

/// The same for n pairs, bit for bit, in columns: `in` a's centre x, y, z and radius, then b's; `out` overlap, status.
/// A null column of `out` is not wanted. Precondition: available(level).
void evaluate(Level level, std::size_t n, double const* const in[], double* const out[]) noexcept;

inline constexpr FastHooks<Contract> hooks{};

}  // namespace demeter::sphere_sphere_overlap::fast
