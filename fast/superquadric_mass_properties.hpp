// Mass properties of superquadrics: one body at a time, or many in columns with the same bits.
#pragma once

#include "fast/core/hooks.hpp"
#include "fast/core/level.hpp"
#include "reference/spec/superquadric_mass_properties.hpp"

#include <array>
#include <cstddef>

namespace demeter::superquadric_mass_properties::fast {

/// The instruction-set levels for which this kernel has its own code. The other levels run the scalar code.
inline constexpr std::array levels{Level::scalar};

/// Returns volume, mass, moments of inertia about the body's own axes, and bounding radius of one superquadric
/// (docs/mathematics/superquadrics.md#superquadric_mass_properties-fast-form).
///
/// Domain: the domain of the contract, including subnormal lengths and densities. Any other input gives NaN in all
/// outputs.
///
/// Error bounds, with u = 2^-53: volume, mass and moments 1.1 u + 2^-1075, bounding radius 3.8 u (the largest errors of
/// 100,000 cases). Intermediate overflow and underflow have no effect: a result is infinite or 0 only if the true value
/// rounds to infinity or 0. If the lengths or the density are multiplied by 2^k, the outputs are multiplied by exactly
/// the corresponding powers of two, as long as no number is subnormal before or after.
Output<double> evaluate(Input<double> const& in) noexcept;

/// Answers n bodies in columns, with the same bits as the single form.
///
/// in[0..2] = semi_axes x y z, in[3], in[4] = n1, n2, in[5] = density. out[0] = volume, out[1] = mass, out[2..4] =
/// inertia x y z, out[5] = bounding_radius (n doubles each). A null output column is not written. Any alignment.
/// Outputs must not overlap inputs. All levels run one scalar loop, because mass properties are computed only once per
/// body.
void evaluate(demeter::Level level, std::size_t n, double const* const in[], double* const out[]) noexcept;

inline constexpr FastHooks<Contract> hooks{};

}  // namespace demeter::superquadric_mass_properties::fast
