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

/// Returns the mass properties of one capsule with radius r, shaft a and density rho:
/// - volume pi r^2 (4r+3a)/3, and mass;
/// - moment of inertia about the axis, Ixx = rho pi r^4 (16r+15a)/30;
/// - moment of inertia across the axis, Iyy = rho pi r^2 (32r^3+45r^2 a+20 r a^2+5a^3)/60;
/// - bounding radius r + a/2.
/// Source: docs/mathematics/capsules.md#capsule_mass_properties-fast-form.
///
/// Domain: every finite r > 0, a >= 0, rho > 0, including subnormal numbers. Any other input gives NaN in every output.
///
/// Error bound: |error| <= 8u |truth| + 2^-1075 (u = 2^-53) for every output whose true value rounds to a finite
/// double. The bound holds even if a factor overflows or underflows: the mass is correct even if the volume overflows.
/// True values beyond the largest double give +inf. The bounding radius is correctly rounded. If r and a, or rho, are
/// multiplied by a power of two, the outputs are multiplied by exactly the corresponding power of two, as long as they
/// stay in the normal range.
///
/// Every level does the same operations in the same order, including fma. The bits are therefore the same everywhere.
/// On CPUs without FMA, the C library emulates std::fma. The result is the same, but the emulation is slow.
Output<double> evaluate(Input<double> const& in) noexcept;

/// Answers n capsules in columns, with the same bits as the single form.
///
/// in[0..2] = radius, shaft, density; out[0..4] = volume, mass, ixx, iyy, bounding_radius. Each column has n doubles. A
/// null output column is not computed. Any alignment. Output columns must not overlap each other or the inputs.
///
/// `level` must be available() on this machine. Level::scalar runs everywhere.
void evaluate(demeter::Level level, std::size_t n, double const* const in[], double* const out[]) noexcept;

/// Returns every output correctly rounded to nearest, including subnormal results and overflow to +inf. Ties to even
/// can only occur in the bounding radius. Inputs outside the domain give NaN, as in evaluate().
///
/// The rounding is proven, not only probable. The first pass computes with 128-bit integer significands. It gives an
/// enclosure: a lower bound, and an upper bound that is less than 2^-119 of the result above it. The result is accepted
/// only if both bounds round to the same double. Otherwise (about one result in 2^66) evaluate_in_integers() decides.
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
