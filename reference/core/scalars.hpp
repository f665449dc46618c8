// The real scalars a reference runs on, and the one place where Eigen learns about Multiprecision.
#pragma once

#include "reference/core/multiprecision.hpp"
#include "reference/spec/core/fields.hpp"

#include <cmath>
#include <type_traits>

namespace demeter {

/// Pi in the scalar's own precision.
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

}  // namespace demeter

namespace Eigen {

/// What Eigen is told of a real scalar of ours; the costs are those of a load, an addition and a multiplication in
/// terms of a double's.
template <class Scalar, int load, int addition, int multiplication, bool has_constructor = true>
struct RealNumTraits : GenericNumTraits<Scalar> {
  using Real = Scalar;
  using NonInteger = Scalar;
  using Literal = Scalar;
  using Nested = Scalar;
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = has_constructor,
    ReadCost = load,
    AddCost = addition,
    MulCost = multiplication,
  };
};

template <>
struct NumTraits<demeter::Multiprecision> : RealNumTraits<demeter::Multiprecision, 1, 8, 16> {
  static Real epsilon() { return Real::power_of_two(1 - demeter::Precision::bits()); }
  static Real dummy_precision() { return epsilon() * 1000; }
  static Real highest() { return -lowest(); }
  static Real lowest() {
    Real value = -infinity();
    mpfr_nextabove(value.get());
    return value;
  }
  static Real infinity() {
    Real value;
    mpfr_set_inf(value.get(), 1);
    return value;
  }
  static Real quiet_NaN() {
    Real value;
    mpfr_set_nan(value.get());
    return value;
  }
  static int digits10() { return static_cast<int>(demeter::Precision::digits()); }
};

}  // namespace Eigen
