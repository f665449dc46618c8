// A real number with adjustable precision (MPFR), as a scalar of the references.
#pragma once

#include <mpfr.h>

#include <algorithm>
#include <compare>
#include <concepts>
#include <cstddef>

namespace demeter {

/// Sets the number of decimal digits for `Multiprecision` results of the current thread while this object exists.
class Precision {
 public:
  explicit Precision(unsigned digits) : before_(digits_) { digits_ = digits; }
  ~Precision() { digits_ = before_; }
  Precision(Precision const&) = delete;
  Precision& operator=(Precision const&) = delete;

  /// Returns the digits of the innermost `Precision` object, or 50 without such an object.
  static unsigned digits() { return digits_; }
  /// Returns the number of bits that this number of decimal digits needs, for any leading digit.
  static mpfr_prec_t bits() { return static_cast<mpfr_prec_t>(digits_) * 3322 / 1000 + 3; }

 private:
  static inline constinit thread_local unsigned digits_ = 50;
  unsigned before_;
};

/// Returns the result of `compute()`, computed with `digits` decimal digits.
template <class Compute>
auto with_digits(unsigned digits, Compute const& compute) {
  Precision const those(digits);
  return compute();
}

/// A number whose results are rounded to nearest at the precision of the innermost `Precision` object. Copies are
/// exact.
///
/// One type is used for every number of digits, and its operators are not templates. Therefore a reference compiles
/// once. Boost's number does not allow this: each fixed precision is a type of its own, and all threads share the
/// variable precision (Boost 1.74).
class Multiprecision {
 public:
  Multiprecision() : Multiprecision(0) {}
  template <std::integral Integer>
  Multiprecision(Integer x) {  // NOLINT: numbers convert implicitly, as to any scalar
    initialise(Precision::bits());
    if constexpr (std::signed_integral<Integer>) {
      mpfr_set_si(value_, x, MPFR_RNDN);
    } else {
      mpfr_set_ui(value_, x, MPFR_RNDN);
    }
  }
  template <std::floating_point Float>
  Multiprecision(Float x) {  // NOLINT
    initialise(Precision::bits());
    auto const rounded = static_cast<double>(x);  // many times faster to set than a long double
    rounded == x ? mpfr_set_d(value_, rounded, MPFR_RNDN) : mpfr_set_ld(value_, x, MPFR_RNDN);
  }
  /// Converts from a decimal number.
  explicit Multiprecision(char const* text) {
    initialise(Precision::bits());
    mpfr_set_str(value_, text, 10, MPFR_RNDN);
  }
  /// Convert from GMP and MPFR numbers.
  explicit Multiprecision(mpq_srcptr x) {
    initialise(Precision::bits());
    mpfr_set_q(value_, x, MPFR_RNDN);
  }
  explicit Multiprecision(mpfr_srcptr x) {
    initialise(Precision::bits());
    mpfr_set(value_, x, MPFR_RNDN);
  }

  Multiprecision(Multiprecision const& other) {
    initialise(mpfr_get_prec(other.value_));
    mpfr_set(value_, other.value_, MPFR_RNDN);
  }
  Multiprecision(Multiprecision&& other) noexcept { take(other); }
  Multiprecision& operator=(Multiprecision const& other) {
    if (mpfr_get_prec(value_) == mpfr_get_prec(other.value_)) {
      mpfr_set(value_, other.value_, MPFR_RNDN);
      return *this;
    }
    return *this = Multiprecision(other);
  }
  Multiprecision& operator=(Multiprecision&& other) noexcept {
    if (this == &other) return *this;
    clear();
    take(other);
    return *this;
  }
  ~Multiprecision() { clear(); }

  mpfr_ptr get() { return value_; }
  mpfr_srcptr get() const { return value_; }

  static Multiprecision power_of_two(long exponent) {
    Multiprecision result(1);
    mpfr_mul_2si(result.value_, result.value_, exponent, MPFR_RNDN);
    return result;
  }

  /// Rounds once, to nearest even, with gradual underflow.
  template <std::floating_point Float>
  explicit operator Float() const {
    if constexpr (std::same_as<Float, float>) {
      return mpfr_get_flt(value_, MPFR_RNDN);
    } else if constexpr (std::same_as<Float, double>) {
      return mpfr_get_d(value_, MPFR_RNDN);
    } else {
      return mpfr_get_ld(value_, MPFR_RNDN);
    }
  }

  friend Multiprecision operator+(Multiprecision const& x, Multiprecision const& y) { return of(mpfr_add, x, y); }
  friend Multiprecision operator-(Multiprecision const& x, Multiprecision const& y) { return of(mpfr_sub, x, y); }
  friend Multiprecision operator*(Multiprecision const& x, Multiprecision const& y) { return of(mpfr_mul, x, y); }
  friend Multiprecision operator/(Multiprecision const& x, Multiprecision const& y) { return of(mpfr_div, x, y); }
  friend Multiprecision operator-(Multiprecision const& x) { return of(mpfr_neg, x); }
  Multiprecision& operator+=(Multiprecision const& x) { return *this = *this + x; }
  Multiprecision& operator-=(Multiprecision const& x) { return *this = *this - x; }
  Multiprecision& operator*=(Multiprecision const& x) { return *this = *this * x; }
  Multiprecision& operator/=(Multiprecision const& x) { return *this = *this / x; }

  friend bool operator==(Multiprecision const& x, Multiprecision const& y) {
    return mpfr_equal_p(x.value_, y.value_) != 0;
  }
  friend std::partial_ordering operator<=>(Multiprecision const& x, Multiprecision const& y) {
    if (mpfr_unordered_p(x.value_, y.value_) != 0) return std::partial_ordering::unordered;
    return mpfr_cmp(x.value_, y.value_) <=> 0;
  }

  friend Multiprecision sqrt(Multiprecision const& x) { return of(mpfr_sqrt, x); }
  friend Multiprecision abs(Multiprecision const& x) { return of(mpfr_abs, x); }
  friend Multiprecision sin(Multiprecision const& x) { return of(mpfr_sin, x); }
  friend Multiprecision cos(Multiprecision const& x) { return of(mpfr_cos, x); }
  friend Multiprecision acos(Multiprecision const& x) { return of(mpfr_acos, x); }
  friend Multiprecision log10(Multiprecision const& x) { return of(mpfr_log10, x); }
  friend Multiprecision atan2(Multiprecision const& y, Multiprecision const& x) { return of(mpfr_atan2, y, x); }
  friend Multiprecision exp(Multiprecision const& x) { return of(mpfr_exp, x); }
  friend Multiprecision log(Multiprecision const& x) { return of(mpfr_log, x); }
  /// Requires x > 0.
  friend Multiprecision lgamma(Multiprecision const& x) { return of(mpfr_lngamma, x); }
  friend Multiprecision pow(Multiprecision const& x, Multiprecision const& y) { return of(mpfr_pow, x, y); }
  friend bool isfinite(Multiprecision const& x) { return mpfr_number_p(x.value_) != 0; }
  friend bool isinf(Multiprecision const& x) { return mpfr_inf_p(x.value_) != 0; }
  friend bool isnan(Multiprecision const& x) { return mpfr_nan_p(x.value_) != 0; }

 private:
  // Up to 384 bits (115 digits) are stored in the object itself, because an allocation takes longer than an addition.
  static constexpr mpfr_prec_t bits_inside = 384;

  struct Uninitialised {};
  explicit Multiprecision(Uninitialised) { initialise(Precision::bits()); }

  template <class Function, class... Arguments>
  static Multiprecision of(Function function, Arguments const&... arguments) {
    Multiprecision result{Uninitialised{}};
    function(result.value_, arguments.value_..., MPFR_RNDN);
    return result;
  }

  bool inside() const { return value_->_mpfr_d == limbs_; }
  void initialise(mpfr_prec_t precision) {
    if (precision > bits_inside) return mpfr_init2(value_, precision);
    mpfr_custom_init_set(value_, MPFR_NAN_KIND, 0, precision, limbs_);
  }
  /// Takes the value of `other`. Storage on the heap is moved. Storage inside the object is copied.
  void take(Multiprecision& other) {
    value_[0] = other.value_[0];
    if (other.inside()) {
      std::copy_n(other.limbs_, limbs, limbs_);
      value_->_mpfr_d = limbs_;
    } else {
      other.initialise(bits_inside);
    }
  }
  void clear() {
    if (!inside()) mpfr_clear(value_);
  }

  static constexpr std::size_t limbs = bits_inside / 64;
  mpfr_t value_;
  mp_limb_t limbs_[limbs];
};

}  // namespace demeter
