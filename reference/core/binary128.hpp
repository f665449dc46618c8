// IEEE binary128 as a scalar of the references: the fourth step of the precision ladder.
#pragma once

#include "reference/core/scalars.hpp"

#include <cmath>

namespace demeter {

__extension__ typedef __float128 NativeBinary128;

/// A 128-bit scalar. The type of the compiler has the arithmetic, but `using std::sqrt` does not find a square root for
/// it.
class Binary128 {
 public:
  Binary128() = default;
  Binary128(double x) : value_(x) {}       // numbers convert implicitly to every scalar
  Binary128(int x) : value_(x) {}          // NOLINT
  Binary128(long double x) : value_(x) {}  // NOLINT
  explicit Binary128(NativeBinary128 x) : value_(x) {}

  NativeBinary128 native() const { return value_; }
  explicit operator long double() const { return static_cast<long double>(value_); }
  explicit operator double() const { return static_cast<double>(value_); }

  friend Binary128 operator+(Binary128 x, Binary128 y) { return Binary128(x.value_ + y.value_); }
  friend Binary128 operator-(Binary128 x, Binary128 y) { return Binary128(x.value_ - y.value_); }
  friend Binary128 operator*(Binary128 x, Binary128 y) { return Binary128(x.value_ * y.value_); }
  friend Binary128 operator/(Binary128 x, Binary128 y) { return Binary128(x.value_ / y.value_); }
  friend Binary128 operator-(Binary128 x) { return Binary128(-x.value_); }
  Binary128& operator+=(Binary128 x) { return *this = *this + x; }
  Binary128& operator-=(Binary128 x) { return *this = *this - x; }
  Binary128& operator*=(Binary128 x) { return *this = *this * x; }
  Binary128& operator/=(Binary128 x) { return *this = *this / x; }
  friend bool operator<(Binary128 x, Binary128 y) { return x.value_ < y.value_; }
  friend bool operator>(Binary128 x, Binary128 y) { return x.value_ > y.value_; }
  friend bool operator<=(Binary128 x, Binary128 y) { return x.value_ <= y.value_; }
  friend bool operator>=(Binary128 x, Binary128 y) { return x.value_ >= y.value_; }
  friend bool operator==(Binary128 x, Binary128 y) { return x.value_ == y.value_; }
  friend bool operator!=(Binary128 x, Binary128 y) { return x.value_ != y.value_; }

  /// Returns the square root within 1 ulp: one Newton step from the 64-bit long double root gives 127 bits.
  friend Binary128 sqrt(Binary128 x) {
    long double const start = std::sqrt(static_cast<long double>(x.value_));
    if (!(start > 0) || std::isinf(start)) return Binary128(start);
    NativeBinary128 const root = start;
    return Binary128(root + (x.value_ - root * root) / (2 * root));
  }
  /// Returns the angle within a few ulps; 0 if both arguments are 0.
  friend Binary128 atan2(Binary128 y, Binary128 x);

  // MPFR computes these functions. The result is rounded once more and is within 1 ulp.
  friend Binary128 exp(Binary128 x) { return by_mpfr(mpfr_exp, x); }
  friend Binary128 log(Binary128 x) { return by_mpfr(mpfr_log, x); }
  friend Binary128 cos(Binary128 x) { return by_mpfr(mpfr_cos, x); }
  friend Binary128 sin(Binary128 x) { return by_mpfr(mpfr_sin, x); }
  /// Requires x > 0.
  friend Binary128 lgamma(Binary128 x) { return by_mpfr(mpfr_lngamma, x); }
  friend Binary128 pow(Binary128 x, Binary128 y) { return by_mpfr(mpfr_pow, x, y); }

 private:
  /// Calls an MPFR function with 128 bits. A number of 128 bits is the sum of two long doubles. A long double has the
  /// exponent range of binary128.
  template <class Function, class... Arguments>
  static Binary128 by_mpfr(Function function, Arguments... arguments);

  NativeBinary128 value_;
};

namespace detail {
/// A 128-bit MPFR number that converts from and to the sum of two long doubles.
class MpfrOfBinary128 {
 public:
  MpfrOfBinary128() { mpfr_custom_init_set(value_, MPFR_NAN_KIND, 0, 128, limbs_); }
  explicit MpfrOfBinary128(NativeBinary128 x) : MpfrOfBinary128() {
    auto const high = static_cast<long double>(x);
    mpfr_set_ld(value_, high, MPFR_RNDN);
    if (!std::isfinite(high)) return;
    MpfrOfBinary128 low;
    mpfr_set_ld(low.value_, static_cast<long double>(x - high), MPFR_RNDN);
    mpfr_add(value_, value_, low.value_, MPFR_RNDN);
  }
  MpfrOfBinary128(MpfrOfBinary128 const&) = delete;
  MpfrOfBinary128& operator=(MpfrOfBinary128 const&) = delete;

  mpfr_ptr get() { return value_; }
  NativeBinary128 native() {
    long double const high = mpfr_get_ld(value_, MPFR_RNDN);
    if (!std::isfinite(high)) return high;
    MpfrOfBinary128 rest;
    mpfr_set_ld(rest.value_, high, MPFR_RNDN);
    mpfr_sub(rest.value_, value_, rest.value_, MPFR_RNDN);
    return static_cast<NativeBinary128>(high) + mpfr_get_ld(rest.value_, MPFR_RNDN);
  }

 private:
  mpfr_t value_;
  mp_limb_t limbs_[128 / GMP_NUMB_BITS];
};
}  // namespace detail

template <class Function, class... Arguments>
Binary128 Binary128::by_mpfr(Function function, Arguments... arguments) {
  detail::MpfrOfBinary128 result;
  function(result.get(), detail::MpfrOfBinary128(arguments.value_).get()..., MPFR_RNDN);
  return Binary128(result.native());
}

template <>
inline Binary128 pi<Binary128>();
/// Reduces the angle to the angle from the nearest axis. Then halves it four times: tan(a / 2) = t / (1 + sqrt(1 +
/// t^2)). The tangent is then at most 1/20, where thirteen terms of the series give 113 bits.
inline Binary128 atan2(Binary128 y, Binary128 x) {
  Binary128 const zero(0), one(1), size_x = x < zero ? -x : x, size_y = y < zero ? -y : y;
  if (!(zero < size_x) && !(zero < size_y)) return zero;
  bool const steep = size_x < size_y;
  Binary128 t = steep ? size_x / size_y : size_y / size_x;
  for (int halving = 0; halving < 4; ++halving) t = t / (one + sqrt(one + t * t));
  Binary128 const square = t * t;
  Binary128 sum = zero;
  for (int k = 12; k >= 0; --k) sum = (k % 2 == 0 ? one : -one) / Binary128(2 * k + 1) + square * sum;
  Binary128 angle = Binary128(16) * t * sum;
  if (steep) angle = pi<Binary128>() / Binary128(2) - angle;
  if (x < zero) angle = pi<Binary128>() - angle;
  return y < zero ? -angle : angle;
}

template <>
inline Binary128 spacing_of_one<Binary128>() {
  return 0x1p-112;
}
template <>
inline Binary128 pi<Binary128>() {
  // pi is the sum of its first 64 bits and its next 64 bits.
  return Binary128(static_cast<NativeBinary128>(0xc.90fdaa22168c235p-2L) +
                   static_cast<NativeBinary128>(-0xe.ce675d1fc8f8cbbp-68L));
}

}  // namespace demeter
