// Oracle of superquadric_depth: branch and bound over all directions. Around each local minimum, the bound is proved
// for a disc in which the function is convex.
// Source: docs/mathematics/superquadrics.md#superquadric_depth-oracle-and-its-proof.
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

/// Returns two unit vectors perpendicular to u and to each other.
Basis across(Wide const& u);

/// A lower bound of the second derivative of h(u0 + t) in every direction t perpendicular to u0, for |t| <= radius. The
/// bound is a symmetric matrix in the basis E of these directions. The entries are intervals.
struct Bending {
  Interval xx, yy, xy;
};
Bending bending(Placed const& body, Wide const& u0, Basis const& E, Real radius);
/// Returns a lower bound of the smallest eigenvalue of A + B.
Real least_bending(Bending const& A, Bending const& B);

Output<Enclosure> truth(Input<double> const& in);
Output<Interval> refined_truth(Input<double> const& in, mpfr_prec_t bits);

/// Return the difference between psi along the answered direction and the depth. If the length of the direction is not
/// 1, add the error of the length times the scale of the depth.
Enclosure excess(Input<double> const& in, Output<Enclosure> const& truth, Output<double> const& answer);
Interval refined_excess(Input<double> const& in, Output<Interval> const& truth, Output<double> const& answer);
/// Returns the truth for test vectors. The direction is left out if a component is so close to 0 that it has too few
/// digits.
Output<Enclosure> recorded_truth(Input<double> const& in);
/// Returns the scales of the errors. If the depth is not known, the scale of the direction is NaN: the direction is not
/// judged.
Output<Real> scale(Input<double> const& in, Output<Enclosure> const& truth);

inline constexpr OracleHooks<Contract> hooks{.excess = excess,
                                             .refined_excess = refined_excess,
                                             .recorded_truth = recorded_truth,
                                             .scale = scale,
                                             .case_divisor = 200};

}  // namespace demeter::superquadric_depth::oracle
