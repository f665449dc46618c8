// Oracle of superquadric_shape, in intervals. The curvature formulas are written without cancellation.
// Source: docs/mathematics/superquadrics.md#superquadric_shape-oracle-and-its-proof.
#pragma once

#include "oracles/core/hooks.hpp"
#include "reference/spec/superquadric_shape.hpp"

namespace demeter::superquadric_shape::oracle {

Output<Enclosure> truth(Input<double> const& in);
Output<Interval> refined_truth(Input<double> const& in, mpfr_prec_t bits);

/// Returns the scales of errors: see the contract's budgets.
Output<long double> scale(Input<double> const& in, Output<Enclosure> const& truth);

inline constexpr OracleHooks<Contract> hooks{.scale = scale, .case_divisor = 16};

}  // namespace demeter::superquadric_shape::oracle
