// Exact rationals: a `field_scalar`, not a `real_scalar`.
#pragma once

#include "reference/core/scalars.hpp"

#include <boost/multiprecision/gmp.hpp>

namespace demeter {

// Expression templates off: `auto` would otherwise keep references to dead temporaries.
using Rational = boost::multiprecision::number<boost::multiprecision::gmp_rational, boost::multiprecision::et_off>;

/// Rationals reach MPFR with one rounding.
template <>
struct ScalarCast<Multiprecision, Rational> {
  static Multiprecision apply(Rational const& value) { return Multiprecision(value.backend().data()); }
};

}  // namespace demeter
