// Mass properties of capsules: one at a time, in SIMD batches with the same bits, and correctly rounded.
#pragma once

#include "fast/core/hooks.hpp"
#include "fast/core/level.hpp"
#include "reference/spec/capsule_mass_properties.hpp"

#include <array>
#include <cstddef>

namespace demeter::capsule_mass_properties::fast {

/// The levels that have code of their own.
inline constexpr std::array levels{Level::scalar, Level::avx2, Level::avx512};

/// Volume pi r^2 (4r+3a)/3, mass, moments of inertia Ixx = rho pi r^4 (16r+15a)/30 about the axis and
/// Iyy = rho pi r^2 (32r^3+45r^2 a+20 r a^2+5a^3)/60 across it, and bounding radius r + a/2 of one capsule
/// (docs/mathematics/capsules.md#capsule_mass_properties-fast-form).
///
/// Domain: every finite r > 0, a >= 0, rho > 0, subnormal numbers included; any other input gives NaN in every output.
///
/// Guarantee: |error| <= 8u |truth| + 2^-1075 (u = 2^-53) for every output whose true value rounds to a finite double,
/// whatever its factors do: a mass is right where the volume alone overflows. True values beyond the largest double
/// give +inf. The bounding radius is correctly rounded. Multiplying r and a (or rho) by a power of two multiplies the
/// outputs by exactly the power their degree asks for, as long as they stay in the normal range.
///
/// The same operations in the same order are done at every level, fma included, so the bits are the same everywhere.
/// Without the FMA instruction std::fma is emulated by the C library: right, but slow.
Output<double> evaluate(Input<double> const& in) noexcept;

/// The same for n capsules, bit for bit, in columns: in[0..2] = radius, shaft, density; out[0..4] = volume, mass, ixx,
/// iyy, bounding_radius, of n doubles each; an output column may be null and is then not computed. No alignment is
/// asked for; output columns must not overlap each other or the inputs.
///
/// `level` must be available() on this machine. Level::scalar runs everywhere.
void evaluate(demeter::Level level, std::size_t n, double const* const in[], double* const out[]) noexcept;

/// Every output rounded correctly to nearest (ties to even cannot occur except in the bounding radius), subnormal
/// results included, overflow to +inf included. NaN out of the domain, as for evaluate().
///
/// This is certain, not probable: a first pass in 128-bit integer significands has a proven one-sided error below
/// 2^-119 of the result and is accepted only if both ends of that enclosure round to the same double; otherwise
/// (about one result in 2^66) evaluate_in_integers() decides.
Output<double> evaluate_correctly_rounded(Input<double> const& in) noexcept;

/// The fallback of evaluate_correctly_rounded(), for its tests: the same results from exact integers of any length,
/// times an enclosure of pi that is made longer until both its ends round to the same double. It ends because pi is
/// irrational. About 30 microseconds a call, more for extreme ratios a/r. Memory is allocated: running out of
/// it ends the program.
Output<double> evaluate_in_integers(Input<double> const& in) noexcept;

inline constexpr FastHooks<Contract> hooks{.correctly_rounded = evaluate_correctly_rounded};

}  // namespace demeter::capsule_mass_properties::fast
