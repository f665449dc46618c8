// The depth of two superquadrics, enclosed: branch and bound over directions, and around each least value a disc in
// which the function is convex. Source: docs/mathematics/superquadrics.md#superquadric_depth-oracle-and-its-proof.
#pragma once

#include "oracles/core/hooks.hpp"
#include "oracles/family/superquadric/placed.hpp"
#include "reference/spec/superquadric_depth.hpp"

namespace demeter::superquadric_depth::oracle {

using namespace superquadric::oracle;
using Real = long double;
using Wide = Vector3<Real>;
using Basis = Matrix<Real, 3, 2>;

inline Real above(Interval const& x) { return mpfr_get_ld(x.high(), MPFR_RNDU); }

/// Two directions across a third.
Basis across(Wide const& u);

/// By how much h(u0 + t) is at least bent in every direction t across u0, for |t| <= radius: a symmetric matrix in the
/// basis E of these directions, of which the entries are enclosed.
struct Bending {
  Interval xx, yy, xy;
};
Bending bending(Placed const& body, Wide const& u0, Basis const& E, Real radius);
/// Of a sum of two such matrices the least eigenvalue, at least.
Real least_bending(Bending const& A, Bending const& B);

Output<Enclosure> truth(Input<double> const& in);
Output<Interval> refined_truth(Input<double> const& in, mpfr_prec_t bits);

/// By how much psi along the answered direction is above the depth; a length that is not 1 counts by all lengths.
Enclosure excess(Input<double> const& in, Output<Enclosure> const& truth, Output<double> const& answer);
Interval refined_excess(Input<double> const& in, Output<Interval> const& truth, Output<double> const& answer);
/// Directions with a component that is about 0 have no digits there.
Output<Enclosure> recorded_truth(Input<double> const& in);
/// Where the depth is not known, no direction is judged.
Output<Real> scale(Input<double> const& in, Output<Enclosure> const& truth);

inline constexpr OracleHooks<Contract> hooks{.excess = excess,
                                             .refined_excess = refined_excess,
                                             .recorded_truth = recorded_truth,
                                             .scale = scale,
                                             .case_divisor = 200};

}  // namespace demeter::superquadric_depth::oracle
