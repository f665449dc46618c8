// Oracle of superquadric_contact. A point and a plane give bounds of sigma. Krawczyk's method encloses the other
// outputs.
// Source: docs/mathematics/superquadrics.md#superquadric_contact-oracle-and-its-proof.
#pragma once

#include "oracles/core/hooks.hpp"
#include "reference/spec/superquadric_contact.hpp"

namespace demeter::superquadric_contact::oracle {

Output<Enclosure> truth(Input<double> const& in);
Output<Interval> refined_truth(Input<double> const& in, mpfr_prec_t bits);

/// Return the amount by which sigma or the growth distance of the boxes is on the wrong side of 1 for the answered
/// status.
Enclosure excess(Input<double> const& in, Output<Enclosure> const& truth, Output<double> const& answer);
Interval refined_excess(Input<double> const& in, Output<Interval> const& truth, Output<double> const& answer);
/// Returns the scales at the solution: docs/mathematics/superquadrics.md#superquadric_contact-definitions.
Output<long double> scale(Input<double> const& in, Output<Enclosure> const& truth);

inline constexpr OracleHooks<Contract> hooks{
    .excess = excess, .refined_excess = refined_excess, .scale = scale, .case_divisor = 60};

}  // namespace demeter::superquadric_contact::oracle
