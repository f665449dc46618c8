// Integers of any size (GMP) with value semantics.
#pragma once

#include <gmp.h>

#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace demeter {

/// An integer of any size. Boost's number type would be sufficient, but its header takes longer to compile than an
/// oracle.
class BigInteger {
 public:
  BigInteger() { mpz_init(value_); }
  template <std::integral Integer>
  BigInteger(Integer x) {  // NOLINT: integers convert implicitly
    static_assert(sizeof(Integer) <= sizeof(long));
    if constexpr (std::signed_integral<Integer>) {
      mpz_init_set_si(value_, x);
    } else {
      mpz_init_set_ui(value_, x);
    }
  }
  explicit BigInteger(mpz_srcptr x) { mpz_init_set(value_, x); }
  BigInteger(BigInteger const& other) { mpz_init_set(value_, other.value_); }
  BigInteger(BigInteger&& other) noexcept : BigInteger() { mpz_swap(value_, other.value_); }
  BigInteger& operator=(BigInteger const& other) {
    mpz_set(value_, other.value_);
    return *this;
  }
  BigInteger& operator=(BigInteger&& other) noexcept {
    mpz_swap(value_, other.value_);
    return *this;
  }
  ~BigInteger() { mpz_clear(value_); }

  mpz_ptr get() { return value_; }
  mpz_srcptr get() const { return value_; }
  int sign() const { return mpz_sgn(value_); }
  bool is_zero() const { return sign() == 0; }
  explicit operator std::int64_t() const { return mpz_get_si(value_); }  ///< requires that the value fits

  friend BigInteger operator+(BigInteger const& x, BigInteger const& y) { return of(mpz_add, x.value_, y.value_); }
  friend BigInteger operator-(BigInteger const& x, BigInteger const& y) { return of(mpz_sub, x.value_, y.value_); }
  friend BigInteger operator*(BigInteger const& x, BigInteger const& y) { return of(mpz_mul, x.value_, y.value_); }
  template <std::signed_integral Integer>
  friend BigInteger operator*(Integer x, BigInteger const& y) {
    return of(mpz_mul_si, y.value_, static_cast<long>(x));
  }
  template <std::signed_integral Integer>
  friend BigInteger operator*(BigInteger const& x, Integer y) {
    return y * x;
  }
  /// Return the quotient rounded towards zero, and its remainder.
  friend BigInteger operator/(BigInteger const& x, BigInteger const& y) { return of(mpz_tdiv_q, x.value_, y.value_); }
  friend BigInteger operator%(BigInteger const& x, BigInteger const& y) { return of(mpz_tdiv_r, x.value_, y.value_); }
  friend BigInteger operator-(BigInteger const& x) { return of(mpz_neg, x.value_); }
  friend BigInteger abs(BigInteger const& x) { return of(mpz_abs, x.value_); }
  /// Returns the square root of x >= 0, rounded down.
  friend BigInteger sqrt(BigInteger const& x) { return of(mpz_sqrt, x.value_); }
  /// Return x 2^bits, and x / 2^bits rounded down.
  template <std::integral Bits>
  friend BigInteger operator<<(BigInteger const& x, Bits bits) {
    return of(mpz_mul_2exp, x.value_, places(bits));
  }
  template <std::integral Bits>
  friend BigInteger operator>>(BigInteger const& x, Bits bits) {
    return of(mpz_fdiv_q_2exp, x.value_, places(bits));
  }
  BigInteger& operator+=(BigInteger const& x) { return mpz_add(value_, value_, x.value_), *this; }
  BigInteger& operator-=(BigInteger const& x) { return mpz_sub(value_, value_, x.value_), *this; }
  BigInteger& operator*=(BigInteger const& x) { return mpz_mul(value_, value_, x.value_), *this; }

  friend bool operator==(BigInteger const& x, BigInteger const& y) { return mpz_cmp(x.value_, y.value_) == 0; }
  friend std::strong_ordering operator<=>(BigInteger const& x, BigInteger const& y) {
    return mpz_cmp(x.value_, y.value_) <=> 0;
  }

 private:
  template <std::integral Bits>
  static mp_bitcnt_t places(Bits bits) {
    return static_cast<mp_bitcnt_t>(bits);
  }
  template <class Function, class... Arguments>
  static BigInteger of(Function function, Arguments... arguments) {
    BigInteger result;
    function(result.value_, arguments...);
    return result;
  }

  mpz_t value_;
};

}  // namespace demeter
