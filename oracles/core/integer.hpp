// Exact integers of the oracles. If a bound on the bits is known, they have a fixed number of limbs on the stack.
// Otherwise they are integers of GMP. A formula written with `auto` works with both types (neither has expression
// templates).
#pragma once

#include "oracles/core/big_integer.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace demeter {

__extension__ typedef unsigned __int128 Unsigned128;

/// A two's complement integer of 64 Limbs bits, least significant limb first.
///
/// A product is as wide as its factors together, so it never overflows. A sum or a difference is only as wide as its
/// wider operand. The author of a formula must prove that the sums fit (see `family/capsule/segments.hpp`).
template <std::size_t Limbs>
class WideInteger {
 public:
  constexpr WideInteger() = default;
  constexpr WideInteger(std::int64_t value) {  // NOLINT: integers convert implicitly
    limb.fill(value < 0 ? ~std::uint64_t{0} : 0);
    limb[0] = static_cast<std::uint64_t>(value);
  }
  template <std::size_t Narrower>
  requires(Narrower < Limbs) constexpr WideInteger(WideInteger<Narrower> const& value) {  // NOLINT: widening is exact
    limb.fill(value.negative() ? ~std::uint64_t{0} : 0);
    for (std::size_t i = 0; i < Narrower; ++i) limb[i] = value.limb[i];
  }

  constexpr bool negative() const { return limb[Limbs - 1] >> 63 != 0; }

  std::array<std::uint64_t, Limbs> limb{};
};

/// Returns an unsigned 128-bit number as a signed integer; the third limb is for the sign.
constexpr WideInteger<3> wide(Unsigned128 x) {
  WideInteger<3> value;
  value.limb[0] = static_cast<std::uint64_t>(x);
  value.limb[1] = static_cast<std::uint64_t>(x >> 64);
  return value;
}

namespace detail {
/// Returns x + y if `flip` is 0. Returns x - y = x + ~y + 1 if all bits of `flip` are 1.
template <std::size_t Limbs>
constexpr WideInteger<Limbs> add(WideInteger<Limbs> const& x, WideInteger<Limbs> const& y, std::uint64_t flip) {
  WideInteger<Limbs> sum;
  Unsigned128 carry = flip & 1;
  for (std::size_t i = 0; i < Limbs; ++i) {
    carry += static_cast<Unsigned128>(x.limb[i]) + (y.limb[i] ^ flip);
    sum.limb[i] = static_cast<std::uint64_t>(carry);
    carry >>= 64;
  }
  return sum;
}
}  // namespace detail

template <std::size_t Limbs, std::size_t Others>
constexpr auto operator+(WideInteger<Limbs> const& x, WideInteger<Others> const& y) {
  using Sum = WideInteger<(Limbs > Others ? Limbs : Others)>;
  return detail::add(Sum(x), Sum(y), 0);
}

template <std::size_t Limbs, std::size_t Others>
constexpr auto operator-(WideInteger<Limbs> const& x, WideInteger<Others> const& y) {
  using Difference = WideInteger<(Limbs > Others ? Limbs : Others)>;
  return detail::add(Difference(x), Difference(y), ~std::uint64_t{0});
}

template <std::size_t Limbs>
constexpr WideInteger<Limbs> operator-(WideInteger<Limbs> const& x) {
  return WideInteger<Limbs>() - x;
}

template <std::size_t Limbs, std::size_t Others>
constexpr WideInteger<Limbs + Others> operator*(WideInteger<Limbs> const& x, WideInteger<Others> const& y) {
  WideInteger<Limbs + Others> product;
  for (std::size_t i = 0; i < Limbs; ++i) {
    std::uint64_t carry = 0;
    for (std::size_t j = 0; j < Others; ++j) {
      Unsigned128 const term = static_cast<Unsigned128>(x.limb[i]) * y.limb[j] + product.limb[i + j] + carry;
      product.limb[i + j] = static_cast<std::uint64_t>(term);
      carry = static_cast<std::uint64_t>(term >> 64);
    }
    product.limb[i + Others] = carry;
  }
  // The limbs were multiplied as unsigned. A negative x was read as x + 2^(64 Limbs), so y 2^(64 Limbs) must be
  // subtracted.
  auto const subtract_at = [&product](std::size_t place, auto const& other, bool wanted) {
    std::uint64_t const mask = wanted ? ~std::uint64_t{0} : 0;
    Unsigned128 carry = 1;
    for (std::size_t i = 0; i < other.limb.size(); ++i) {
      carry += static_cast<Unsigned128>(product.limb[place + i]) + ~(other.limb[i] & mask);
      product.limb[place + i] = static_cast<std::uint64_t>(carry);
      carry >>= 64;
    }
  };
  subtract_at(Limbs, y, x.negative());
  subtract_at(Others, x, y.negative());
  return product;
}

/// Returns floor(x / y) for x >= 0, y > 0.
template <std::size_t Limbs>
constexpr WideInteger<Limbs> operator/(WideInteger<Limbs> const& x, std::uint64_t y) {
  WideInteger<Limbs> quotient;
  std::uint64_t remainder = 0;
  for (std::size_t i = Limbs; i-- > 0;) {
    Unsigned128 const dividend = static_cast<Unsigned128>(remainder) << 64 | x.limb[i];
    quotient.limb[i] = static_cast<std::uint64_t>(dividend / y);
    remainder = static_cast<std::uint64_t>(dividend % y);
  }
  return quotient;
}

template <std::size_t Limbs, std::size_t Others>
constexpr bool operator==(WideInteger<Limbs> const& x, WideInteger<Others> const& y) {
  using Common = WideInteger<(Limbs > Others ? Limbs : Others)>;
  return Common(x).limb == Common(y).limb;
}

/// Returns whether x < y. x - y must fit into the limbs of the wider operand.
template <std::size_t Limbs, std::size_t Others>
constexpr bool operator<(WideInteger<Limbs> const& x, WideInteger<Others> const& y) {
  return (x - y).negative();
}

template <std::size_t Limbs>
constexpr bool is_zero(WideInteger<Limbs> const& x) {
  std::uint64_t any = 0;
  for (std::uint64_t const limb : x.limb) any |= limb;
  return any == 0;
}
template <std::size_t Limbs>
constexpr bool is_negative(WideInteger<Limbs> const& x) {
  return x.negative();
}
inline bool is_zero(BigInteger const& x) { return x.is_zero(); }
inline bool is_negative(BigInteger const& x) { return x.sign() < 0; }

/// Return the number of limbs of |x| without leading zeros, and limb i of |x|. A WideInteger x must be >= 0.
template <std::size_t Limbs>
constexpr std::size_t limb_count(WideInteger<Limbs> const& x) {
  std::size_t count = Limbs;
  while (count > 0 && x.limb[count - 1] == 0) --count;
  return count;
}
template <std::size_t Limbs>
constexpr std::uint64_t limb_at(WideInteger<Limbs> const& x, std::size_t i) {
  return x.limb[i];
}
inline std::size_t limb_count(BigInteger const& x) { return mpz_size(x.get()); }
inline std::uint64_t limb_at(BigInteger const& x, std::size_t i) {
  return mpz_getlimbn(x.get(), static_cast<mp_size_t>(i));
}
static_assert(GMP_NUMB_BITS == 64);

/// Returns the number of trailing zero bits of x > 0.
template <class Integer>
int trailing_zeros(Integer const& x) {
  std::size_t i = 0;
  while (limb_at(x, i) == 0) ++i;
  return static_cast<int>(64 * i) + std::countr_zero(limb_at(x, i));
}

/// Returns x > 0 without its trailing zero bits.
template <std::size_t Limbs>
constexpr WideInteger<Limbs> odd_part(WideInteger<Limbs> const& x) {
  WideInteger<Limbs> odd;
  auto const zeros = static_cast<std::size_t>(trailing_zeros(x));
  std::size_t const limbs = zeros / 64, bits = zeros % 64;
  for (std::size_t i = 0; i + limbs < Limbs; ++i) {
    std::uint64_t const above = i + limbs + 1 < Limbs ? x.limb[i + limbs + 1] : 0;
    odd.limb[i] = bits == 0 ? x.limb[i + limbs] : x.limb[i + limbs] >> bits | above << (64 - bits);
  }
  return odd;
}
inline BigInteger odd_part(BigInteger const& x) { return x >> trailing_zeros(x); }

/// The leading 128 bits of a positive integer: bits 2^exponent <= x < (bits + 1) 2^exponent, with the top bit of `bits`
/// set.
struct Leading {
  Unsigned128 bits;
  int exponent;
  bool exact;  ///< x equals bits 2^exponent
};

template <class Integer>
Leading leading(Integer const& x) {
  std::size_t const count = limb_count(x);
  auto const limb = [&](std::size_t below_top) { return count > below_top ? limb_at(x, count - 1 - below_top) : 0; };
  int const shift = std::countl_zero(limb(0));
  Unsigned128 bits = static_cast<Unsigned128>(limb(0)) << 64 | limb(1);
  std::uint64_t rest = limb(2);
  if (shift > 0) {
    bits = bits << shift | rest >> (64 - shift);
    rest <<= shift;
  }
  for (std::size_t i = 0; rest == 0 && i + 3 < count; ++i) rest |= limb_at(x, i);
  return {bits, 64 * (static_cast<int>(count) - 2) - shift, rest == 0};
}

}  // namespace demeter
