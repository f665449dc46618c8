// Intervals of any precision (MPFI). The judge uses them if an enclosure in long double does not decide.
#pragma once

#include "oracles/core/enclosure.hpp"

#include <mpfi.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>

namespace demeter {

/// A real number between two MPFR numbers of `precision()` bits. Results are rounded outwards to the larger precision
/// of the operands. There is no operator <, because overlapping intervals have no order.
class Interval {
 public:
  /// Constructs an interval with NaN ends. It means "any number" until a value is set.
  explicit Interval(mpfr_prec_t precision = 64) { initialise(precision); }
  /// Returns the interval [x, x]. Results computed from it have this precision.
  static Interval exactly(long double x, mpfr_prec_t precision = 64) {
    Interval result(std::max<mpfr_prec_t>(precision, 64));
    auto const rounded = static_cast<double>(x);  // mpfr_set_d is many times faster than mpfr_set_ld
    bool const same = rounded == x;
    for (mpfr_ptr end : {&result.value_->left, &result.value_->right})
      same ? mpfr_set_d(end, rounded, MPFR_RNDN) : mpfr_set_ld(end, x, MPFR_RNDN);
    return result;
  }
  /// Returns an interval that means "any number", for an output that is not unique.
  static Interval anything() { return Interval(); }

  Interval(Interval const& other) {
    initialise(other.precision());
    mpfi_set(value_, other.value_);
  }
  Interval(Interval&& other) noexcept { take(other); }
  Interval& operator=(Interval other) noexcept {
    clear();
    take(other);
    return *this;
  }
  ~Interval() { clear(); }

  mpfr_prec_t precision() const { return mpfi_get_prec(value_); }
  mpfr_srcptr low() const { return &value_->left; }
  mpfr_srcptr high() const { return &value_->right; }
  bool is_anything() const { return mpfi_nan_p(value_) != 0; }

  mpfi_ptr get() { return value_; }
  mpfi_srcptr get() const { return value_; }

 private:
  // Up to 256 bits are stored in the object itself: allocation takes as long as adding two intervals.
  static constexpr mpfr_prec_t bits_inside = 256;

  bool inside() const { return value_->left._mpfr_d == limbs_[0]; }
  void initialise(mpfr_prec_t precision) {
    if (precision > bits_inside) return mpfi_init2(value_, precision);
    mpfr_custom_init_set(&value_->left, MPFR_NAN_KIND, 0, precision, limbs_[0]);
    mpfr_custom_init_set(&value_->right, MPFR_NAN_KIND, 0, precision, limbs_[1]);
  }
  /// Takes the other's value. Heap storage is moved; storage inside the object is copied.
  void take(Interval& other) {
    value_[0] = other.value_[0];
    if (other.inside()) {
      std::copy_n(&other.limbs_[0][0], 2 * limbs, &limbs_[0][0]);
      value_->left._mpfr_d = limbs_[0];
      value_->right._mpfr_d = limbs_[1];
    } else {
      other.initialise(bits_inside);
    }
  }
  void clear() {
    if (!inside()) mpfi_clear(value_);
  }

  static constexpr std::size_t limbs = bits_inside / 64;
  mpfi_t value_;
  mp_limb_t limbs_[2][limbs];
};

/// Return whether x < y, or x <= y, for every number in x and every number in y.
inline bool certainly_less(Interval const& x, Interval const& y) { return mpfr_less_p(x.high(), y.low()) != 0; }
inline bool certainly_at_most(Interval const& x, Interval const& y) { return mpfr_lessequal_p(x.high(), y.low()) != 0; }

inline Interval operator-(Interval const& x, Interval const& y) {
  Interval result(std::max(x.precision(), y.precision()));
  mpfi_sub(result.get(), x.get(), y.get());
  return result;
}
inline Interval operator+(Interval const& x, Interval const& y) {
  Interval result(std::max(x.precision(), y.precision()));
  mpfi_add(result.get(), x.get(), y.get());
  return result;
}
inline Interval operator*(Interval const& x, Interval const& y) {
  Interval result(std::max(x.precision(), y.precision()));
  mpfi_mul(result.get(), x.get(), y.get());
  return result;
}
inline Interval operator-(Interval const& x) {
  Interval result(x.precision());
  mpfi_neg(result.get(), x.get());
  return result;
}
/// Returns x / y, or all real numbers if y contains 0.
inline Interval operator/(Interval const& x, Interval const& y) {
  Interval result(std::max(x.precision(), y.precision()));
  mpfi_div(result.get(), x.get(), y.get());
  return result;
}
inline Interval square(Interval const& x) {
  Interval result(x.precision());
  mpfi_sqr(result.get(), x.get());
  return result;
}
/// Returns the square root of the non-negative part of x.
inline Interval square_root(Interval const& x) {
  Interval result(x);
  if (mpfr_sgn(result.low()) < 0) mpfr_set_zero(&result.get()->left, 1);
  mpfi_sqrt(result.get(), result.get());
  return result;
}
inline Interval exponential(Interval const& x) {
  Interval result(x.precision());
  mpfi_exp(result.get(), x.get());
  return result;
}
/// Returns the logarithm of the positive part of x.
inline Interval logarithm(Interval const& x) {
  Interval result(x.precision());
  mpfi_log(result.get(), x.get());
  return result;
}
inline Interval cosine(Interval const& x) {
  Interval result(x.precision());
  mpfi_cos(result.get(), x.get());
  return result;
}
inline Interval sine(Interval const& x) {
  Interval result(x.precision());
  mpfi_sin(result.get(), x.get());
  return result;
}
/// Returns x^n for the non-negative part of x, n > 0. MPFI 1.5.3 has no power, so MPFR computes both ends, rounded
/// outwards. The power increases with x. It increases with n if x > 1, and decreases with n if x < 1.
inline Interval power(Interval const& x, Interval const& n) {
  Interval result(std::max(x.precision(), n.precision()));
  auto const end = [](mpfr_ptr to, mpfr_srcptr base, mpfr_srcptr if_small, mpfr_srcptr if_large, mpfr_rnd_t rounding) {
    if (mpfr_sgn(base) <= 0) {
      mpfr_set_zero(to, 1);
    } else {
      mpfr_pow(to, base, mpfr_cmp_ui(base, 1) < 0 ? if_small : if_large, rounding);
    }
  };
  end(&result.get()->left, x.low(), n.high(), n.low(), MPFR_RNDD);
  end(&result.get()->right, x.high(), n.low(), n.high(), MPFR_RNDU);
  return result;
}
/// Returns x 2^exponent.
inline Interval scaled(Interval const& x, int exponent) {
  Interval result(x.precision());
  mpfi_mul_2si(result.get(), x.get(), exponent);
  return result;
}
inline Interval minimum(Interval const& x, Interval const& y) {
  Interval result(std::max(x.precision(), y.precision()));
  mpfr_min(&result.get()->left, x.low(), y.low(), MPFR_RNDD);
  mpfr_min(&result.get()->right, x.high(), y.high(), MPFR_RNDU);
  return result;
}
inline Interval maximum(Interval const& x, Interval const& y) {
  Interval result(std::max(x.precision(), y.precision()));
  mpfr_max(&result.get()->left, x.low(), y.low(), MPFR_RNDD);
  mpfr_max(&result.get()->right, x.high(), y.high(), MPFR_RNDU);
  return result;
}
/// Returns the smallest interval that contains both.
inline Interval hull(Interval const& x, Interval const& y) {
  Interval result(std::max(x.precision(), y.precision()));
  mpfi_union(result.get(), x.get(), y.get());
  return result;
}
inline Interval magnitude(Interval const& x) {
  Interval result(x.precision());
  mpfi_abs(result.get(), x.get());
  return result;
}

/// Returns an interval as a number with a certified radius. The radius is infinite if the interval is not bounded.
inline Enclosure enclosure_of(Interval const& x) {
  if (mpfi_bounded_p(x.get()) == 0) return {0, 0, std::numeric_limits<long double>::infinity()};
  Interval middle(x.precision() + 64), rest(x.precision() + 64);
  mpfi_mid(&middle.get()->left, x.get());
  long double const high = mpfr_get_ld(middle.low(), MPFR_RNDN);
  mpfr_sub(&rest.get()->left, middle.low(), Interval::exactly(high).low(), MPFR_RNDN);
  long double const low = mpfr_get_ld(rest.low(), MPFR_RNDN);
  Interval const error = magnitude(x - Interval::exactly(high) - Interval::exactly(low));
  return {high, low, mpfr_get_ld(error.high(), MPFR_RNDU)};
}

}  // namespace demeter
