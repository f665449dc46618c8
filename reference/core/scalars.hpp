// The scalars a reference runs on, and the one place where Eigen learns about them.
#pragma once

#include "reference/spec/core/fields.hpp"

#include <boost/multiprecision/gmp.hpp>
#include <boost/multiprecision/mpfr.hpp>

#include <cmath>
#include <limits>
#include <string>

namespace demeter {

// Expression templates off everywhere: `auto` and Eigen would otherwise keep references to dead temporaries.

/// MPFR with the precision of the innermost `Precision` guard.
using Multiprecision =
    boost::multiprecision::number<boost::multiprecision::mpfr_float_backend<0>, boost::multiprecision::et_off>;
/// MPFR of fixed precision on the stack: several times faster than the allocating one.
template <unsigned Digits>
using FixedPrecision = boost::multiprecision::number<
    boost::multiprecision::mpfr_float_backend<Digits, boost::multiprecision::allocate_stack>,
    boost::multiprecision::et_off>;
/// Exact rational: a `field_scalar`, not a `real_scalar`.
using Rational = boost::multiprecision::number<boost::multiprecision::gmp_rational, boost::multiprecision::et_off>;

/// Sets the decimal digits of `Multiprecision` while it lives. Process-wide (Boost 1.74 keeps one default for all
/// threads), so only one thread at a time works in `Multiprecision`.
class Precision {
 public:
  explicit Precision(unsigned digits) : before_(Multiprecision::default_precision()) {
    Multiprecision::default_precision(digits);
  }
  ~Precision() { Multiprecision::default_precision(before_); }
  Precision(Precision const&) = delete;
  Precision& operator=(Precision const&) = delete;

 private:
  unsigned before_;
};

/// Pi in the scalar's own precision.
template <class Scalar>
Scalar pi() {
  if constexpr (std::is_floating_point_v<Scalar>) {
    return static_cast<Scalar>(3.14159265358979323846264338327950288L);
  } else {
    Scalar value;
    mpfr_const_pi(value.backend().data(), MPFR_RNDN);
    return value;
  }
}

/// Rationals reach MPFR with one rounding.
template <unsigned Digits, boost::multiprecision::mpfr_allocation_type Allocation>
struct ScalarCast<boost::multiprecision::number<boost::multiprecision::mpfr_float_backend<Digits, Allocation>,
                                                boost::multiprecision::et_off>,
                  Rational> {
  using To = boost::multiprecision::number<boost::multiprecision::mpfr_float_backend<Digits, Allocation>,
                                           boost::multiprecision::et_off>;
  static To apply(Rational const& value) {
    To result;
    mpfr_set_q(result.backend().data(), value.backend().data(), MPFR_RNDN);
    return result;
  }
};

/// MPFR to binary64: one rounding to nearest even, gradual underflow included.
template <unsigned Digits, boost::multiprecision::mpfr_allocation_type Allocation>
struct ScalarCast<double, boost::multiprecision::number<boost::multiprecision::mpfr_float_backend<Digits, Allocation>,
                                                        boost::multiprecision::et_off>> {
  static double apply(boost::multiprecision::number<boost::multiprecision::mpfr_float_backend<Digits, Allocation>,
                                                    boost::multiprecision::et_off> const& value) {
    return mpfr_get_d(value.backend().data(), MPFR_RNDN);
  }
};

}  // namespace demeter

namespace Eigen {

// Boost 1.74's own eigen.hpp has no infinity() and a wrong lowest(); it must not be included.
template <class Backend>
struct NumTraits<boost::multiprecision::number<Backend, boost::multiprecision::et_off>>
    : GenericNumTraits<boost::multiprecision::number<Backend, boost::multiprecision::et_off>> {
  using Real = boost::multiprecision::number<Backend, boost::multiprecision::et_off>;
  using NonInteger = Real;
  using Literal = Real;
  using Nested = Real;
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 1,
    ReadCost = 1,
    AddCost = 8,
    MulCost = 16,
  };
  static Real epsilon() { return std::numeric_limits<Real>::epsilon(); }
  static Real dummy_precision() { return epsilon() * 1000; }
  static Real highest() { return (std::numeric_limits<Real>::max)(); }
  static Real lowest() { return -(std::numeric_limits<Real>::max)(); }
  static Real infinity() { return std::numeric_limits<Real>::infinity(); }
  static Real quiet_NaN() { return std::numeric_limits<Real>::quiet_NaN(); }
  static int digits10() { return std::numeric_limits<Real>::digits10; }
};

}  // namespace Eigen
