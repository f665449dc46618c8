// Exact rationals: a `field_scalar`, not a `real_scalar`.
#pragma once

#include "reference/core/scalars.hpp"

#include <boost/multiprecision/gmp.hpp>

namespace demeter {

// Expression templates off: `auto` and Eigen would otherwise keep references to dead temporaries.
using Rational = boost::multiprecision::number<boost::multiprecision::gmp_rational, boost::multiprecision::et_off>;

/// Rationals reach MPFR with one rounding.
template <>
struct ScalarCast<Multiprecision, Rational> {
  static Multiprecision apply(Rational const& value) { return Multiprecision(value.backend().data()); }
};

}  // namespace demeter

namespace Eigen {

// What vectors of a field need: a rational has no largest and no smallest. (Boost 1.74's own eigen.hpp must not be
// included.)
template <>
struct NumTraits<demeter::Rational> : RealNumTraits<demeter::Rational, 1, 8, 16> {};

}  // namespace Eigen
