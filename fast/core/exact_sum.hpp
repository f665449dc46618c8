// Sums without any rounding error, for decisions that double precision cannot make.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace demeter::fast_core {

__extension__ typedef unsigned __int128 Unsigned128;

/// An exact sum of terms. Each term is an integer times the product of two doubles. The sum is a fixed-point number in
/// two's complement: a sign and the bits 2^-2148 to 2^2202.
class ExactSum {
 public:
  // Adds multiple * x * y. |multiple| must be below 2^63.
  void add(std::int64_t multiple, double x, double y) {
    if (multiple == 0 || x == 0 || y == 0) return;
    auto const [a, a_exponent] = split(x);
    auto const [b, b_exponent] = split(y);
    bool const negative = (multiple < 0) != (std::signbit(x) != std::signbit(y));
    auto const factor = static_cast<std::uint64_t>(multiple < 0 ? -multiple : multiple);
    Unsigned128 const product = static_cast<Unsigned128>(a) * b;
    Unsigned128 const low = static_cast<Unsigned128>(static_cast<std::uint64_t>(product)) * factor;
    Unsigned128 const high = (product >> 64) * factor + (low >> 64);
    std::uint64_t const words[3] = {static_cast<std::uint64_t>(low), static_cast<std::uint64_t>(high),
                                    static_cast<std::uint64_t>(high >> 64)};
    auto const place = static_cast<unsigned>(a_exponent + b_exponent - lowest);
    std::size_t at = place / 64;
    unsigned const shift = place % 64;
    std::uint64_t below = 0, carry = 0;
    for (std::size_t i = 0; i < 4; ++i, ++at) {
      std::uint64_t const word = i < 3 ? words[i] : 0;
      put(at, shift == 0 ? word : word << shift | below >> (64 - shift), negative, carry);
      below = word;
    }
    for (; carry != 0 && at < limbs; ++at) put(at, 0, negative, carry);
  }

  // Returns the sum times 2^exponent, with a relative error of about 2^-52 at most unless the result is subnormal.
  double value(int exponent = 0) const {
    bool const negative = limb_[limbs - 1] >> 63 != 0;
    std::array<std::uint64_t, limbs> size = limb_;
    if (negative) {
      std::uint64_t carry = 1;
      for (auto& limb : size) {
        limb = ~limb + carry;
        carry = carry != 0 && limb == 0 ? 1 : 0;
      }
    }
    std::size_t top = limbs;
    while (top > 0 && size[top - 1] == 0) --top;
    if (top == 0) return 0;
    double const next = top > 1 ? static_cast<double>(size[top - 2]) : 0;
    double const leading = static_cast<double>(size[top - 1]) + 0x1p-64 * next;
    double const magnitude = std::ldexp(leading, lowest + 64 * static_cast<int>(top - 1) + exponent);
    return negative ? -magnitude : magnitude;
  }
  int sign() const {
    if (limb_[limbs - 1] >> 63 != 0) return -1;
    return std::any_of(limb_.begin(), limb_.end(), [](std::uint64_t limb) { return limb != 0; }) ? 1 : 0;
  }

 private:
  static constexpr int lowest = 2 * -1074;
  static constexpr std::size_t limbs = (2148 + 2048 + 64 + 63 + 64) / 64;

  struct Split {
    std::uint64_t mantissa;
    int exponent;
  };
  static Split split(double x) {
    auto const bits = std::bit_cast<std::uint64_t>(x);
    auto const field = static_cast<int>(bits >> 52 & 0x7ff);
    std::uint64_t const fraction = bits & ((std::uint64_t{1} << 52) - 1);
    return {field == 0 ? fraction : fraction | std::uint64_t{1} << 52, std::max(field, 1) - 1075};
  }
  void put(std::size_t at, std::uint64_t word, bool negative, std::uint64_t& carry) {
    std::uint64_t const before = limb_[at];
    if (negative) {
      std::uint64_t const middle = before - word;
      limb_[at] = middle - carry;
      carry = (before < word ? 1u : 0u) + (middle < carry ? 1u : 0u);
    } else {
      std::uint64_t const middle = before + word;
      limb_[at] = middle + carry;
      carry = (middle < word ? 1u : 0u) + (limb_[at] < carry ? 1u : 0u);
    }
  }

  std::array<std::uint64_t, limbs> limb_{};
};

}  // namespace demeter::fast_core
