// Oracle of superquadric_kinematics, in intervals. An exit point is between two parameters at which N - 1 has opposite
// signs. Linear equations are solved by elimination with intervals.
// Source: docs/mathematics/superquadrics.md#superquadric_kinematics-oracle-and-its-proof.
#pragma once

#include "oracles/core/hooks.hpp"
#include "reference/spec/superquadric_kinematics.hpp"

namespace demeter::superquadric_kinematics::oracle {

/// Returns the truth. For nearly all inputs, the radii of the enclosures are at most 2^-90 of the scales.
Output<Enclosure> truth(Input<double> const& in);
/// Returns the truth in intervals of `bits` bits.
Output<Interval> refined_truth(Input<double> const& in, mpfr_prec_t bits);

/// Returns the scales of the contract. An infinite scale is replaced by NaN (not judged).
Output<long double> scale(Input<double> const& in, Output<Enclosure> const&);

inline constexpr OracleHooks<Contract> hooks{.scale = scale, .case_divisor = 60};

}  // namespace demeter::superquadric_kinematics::oracle
