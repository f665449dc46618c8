// Mass properties of superquadrics: one at a time, or in columns with the same bits.
#pragma once

#include "fast/core/hooks.hpp"
#include "fast/core/level.hpp"
#include "reference/spec/superquadric_mass_properties.hpp"

#include <array>
#include <cstddef>

namespace demeter::superquadric_mass_properties::fast {

/// The levels that have code of their own: the others run the same.
inline constexpr std::array levels{Level::scalar};

/// Volume, mass, moments of inertia about the body's own axes, and bounding radius of one superquadric
/// (docs/mathematics/superquadrics.md#superquadric_mass_properties-fast-form).
///
/// Domain: that of the contract, subnormal lengths and densities included; any other input gives NaN in all outputs.
///
/// With u = 2^-53 volume, mass and moments are within 1.1 u of the truth plus 2^-1075, the bounding radius within 3.8 u
/// (the largest of 100,000 cases). Intermediate over- and underflow do no harm: a result is infinite or 0
/// only where the truth rounds to that. 2^k times the lengths, or the density, gives the same powers of two times the
/// answer, bit for bit, as long as nothing is subnormal before or after.
Output<double> evaluate(Input<double> const& in) noexcept;

/// The same for n bodies, bit for bit, in columns: in[0..2] = semi_axes x y z, in[3], in[4] = n1, n2, in[5] = density;
/// out[0] = volume, out[1] = mass, out[2..4] = inertia x y z, out[5] = bounding_radius (n doubles each); an output
/// column may be null and is then not written. No alignment is asked for; outputs must not overlap inputs. All levels
/// run one scalar loop: mass properties are computed once a body.
void evaluate(demeter::Level level, std::size_t n, double const* const in[], double* const out[]) noexcept;

inline constexpr FastHooks<Contract> hooks{};

}  // namespace demeter::superquadric_mass_properties::fast
