// Mass properties of capsules: one at a time, in SIMD batches with the same bits, or correctly rounded.
#pragma once

#include "fast/core/hooks.hpp"
#include "fast/core/level.hpp"
#include "reference/spec/capsule_mass_properties.hpp"

#include <array>
#include <cstddef>

namespace demeter::capsule_mass_properties::fast {

/// The instruction-set levels for which this kernel has its own code.
inline constexpr std::array levels{Level::scalar, Level::avx2, Level::avx512};

/// Returns the mass properties of one capsule with radius r, shaft a and density rho: volume pi r^2 (4r+3a)/3, mass,
/// moments of inertia Ixx = rho pi r^4 (16r+15a)/30 about the axis and Iyy = rho pi r^2 (32r^3+45r^2 a+20 r
/// a^2+5a^3)/60 across the axis, and bounding radius r + a/2. Source:
/// docs/mathematics/capsules.md#capsule_mass_properties-fast-form.
///
/// Domain: every finite r > 0, a >= 0, rho > 0, including subnormal numbers. Any other input gives NaN in every output.
///
/// Error bound: |error| <= 8u |truth| + 2^-1075 (u = 2^-53) for every output whose true value rounds to a finite
/// double. The bound holds even if a factor overflows or underflows: a mass is correct where the volume alone
/// overflows. True values beyond the largest double give +inf. The bounding radius is correctly rounded. If r and a, or
/// rho, are multiplied by a power of two, the outputs are multiplied by exactly the corresponding power of two, as long
/// as they stay in the normal range.
///
/// Every level does the same operations in the same order, including fma. The bits are therefore the same everywhere.
/// On CPUs without FMA, the C library emulates std::fma. The result is the same, but the emulation is slow.
Output<double> evaluate(Input<double> const& in) noexcept;

/// Answers n capsules in columns, with the same bits as the single form: in[0..2] = radius, shaft, density; out[0..4] =
/// volume, mass, ixx, iyy, bounding_radius, of n doubles each. A null output column is not computed. Any alignment.
/// Output columns must not overlap each other or the inputs.
///
/// `level` must be available() on this machine. Level::scalar runs everywhere.
void evaluate(demeter::Level level, std::size_t n, double const* const in[], double* const out[]) noexcept;

/// Returns every output correctly rounded to nearest, including subnormal results and overflow to +inf. Ties to even
/// can only occur in the bounding radius. Inputs outside the domain give NaN, as in evaluate().
///
/// The rounding is proven, not only probable. A first pass in 128-bit integer significands has a proven one-sided error
/// below 2^-119 of the result. Its result is accepted only if both ends of the enclosure round to the same double.
/// Otherwise (about one result in 2^66) evaluate_in_integers() decides.
Output<double> evaluate_correctly_rounded(Input<double> const& in) noexcept;

/// Returns the same results as evaluate_correctly_rounded(), from exact integers of any length. This is the fallback of
/// that function, declared here for its tests.
///
/// The integers are multiplied by an enclosure of pi. The enclosure is refined until both ends of the result round to
/// the same double. The loop ends because pi is irrational. Takes about 30 microseconds per call, more for extreme
/// ratios a/r. Allocates memory; running out of memory ends the program.
Output<double> evaluate_in_integers(Input<double> const& in) noexcept;

inline constexpr FastHooks<Contract> hooks{.correctly_rounded = evaluate_correctly_rounded};

}  // namespace demeter::capsule_mass_properties::fast
