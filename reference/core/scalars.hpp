// Functions for the real scalar types in which references are evaluated.
#pragma once

#include "reference/core/multiprecision.hpp"
#include "reference/spec/core/fields.hpp"

#include <cmath>
#include <limits>
#include <type_traits>

namespace demeter {

/// Returns pi in the scalar's own precision.
template <class Scalar>
Scalar pi() {
  if constexpr (std::is_floating_point_v<Scalar>) {
    return static_cast<Scalar>(3.14159265358979323846264338327950288L);
  } else {
    Scalar value;
    mpfr_const_pi(value.get(), MPFR_RNDN);
    return value;
  }
}

/// Returns the distance from 1 to the next larger number.
template <class Scalar>
Scalar spacing_of_one() {
  if constexpr (std::is_floating_point_v<Scalar>)
    return std::numeric_limits<Scalar>::epsilon();
  else
    return Multiprecision::power_of_two(1 - Precision::bits());
}

}  // namespace demeter
