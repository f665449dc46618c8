// Certified kinematics at the contact point of two superquadrics, in intervals: exit points between two parameters at
// which N - 1 has opposite signs, elimination with intervals.
// Source: docs/mathematics/superquadrics.md#superquadric_kinematics-oracle-and-its-proof.
#pragma once

#include "oracles/core/hooks.hpp"
#include "reference/spec/superquadric_kinematics.hpp"

namespace demeter::superquadric_kinematics::oracle {

/// To a relative 2^-90 of their scales for nearly all inputs.
Output<Enclosure> truth(Input<double> const& in);
/// In intervals of `bits` bits.
Output<Interval> refined_truth(Input<double> const& in, mpfr_prec_t bits);

/// The contract's, but for what is conditioned beyond any use: that is not judged.
Output<long double> scale(Input<double> const& in, Output<Enclosure> const&);

inline constexpr OracleHooks<Contract> hooks{.scale = scale, .case_divisor = 60};

}  // namespace demeter::superquadric_kinematics::oracle
