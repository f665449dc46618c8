// Exact rationals. They satisfy `field_scalar`, but not `real_scalar`.
#pragma once

#include "reference/core/scalars.hpp"

#include <boost/multiprecision/gmp.hpp>

namespace demeter {

// Expression templates are off. With them, `auto` would keep references to destroyed temporaries.
using Rational = boost::multiprecision::number<boost::multiprecision::gmp_rational, boost::multiprecision::et_off>;

/// Converts a rational to MPFR with one rounding.
template <>
struct ScalarCast<Multiprecision, Rational> {
  static Multiprecision apply(Rational const& value) { return Multiprecision(value.backend().data()); }
};

}  // namespace demeter
