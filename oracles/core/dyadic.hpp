// Doubles as integers times a power of two.
#pragma once

#include "oracles/core/integer.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace demeter {

/// A finite double, exactly: (-1)^negative mantissa 2^exponent. The mantissa has at most 53 bits.
struct Dyadic {
  std::uint64_t mantissa;
  int exponent;
  bool negative;
};

/// Returns the parts of a double from its bits (IEEE 754). An exponent field of 0 means a subnormal number, which has
/// the same exponent as numbers with field 1.
inline Dyadic split(double x) {
  auto const bits = std::bit_cast<std::uint64_t>(x);
  auto const field = static_cast<int>(bits >> 52 & 0x7ff);
  std::uint64_t const fraction = bits & ((std::uint64_t{1} << 52) - 1);
  return {field == 0 ? fraction : fraction | std::uint64_t{1} << 52, std::max(field, 1) - 1075, bits >> 63 != 0};
}

/// The coarsest grid 2^exponent on which all added doubles are integers. `bits()` is the number of bits that these
/// integers need.
class CommonGrid {
 public:
  void add(double x) {
    Dyadic const part = split(x);
    if (part.mantissa == 0) return;
    lowest_ = std::min(lowest_, part.exponent + std::countr_zero(part.mantissa));
    highest_ = std::max(highest_, part.exponent + 64 - std::countl_zero(part.mantissa));
  }
  int exponent() const { return highest_ > lowest_ ? lowest_ : 0; }
  /// Returns the smallest number of bits with |x| < 2^bits for every added x. x is in units of the grid.
  int bits() const { return highest_ > lowest_ ? highest_ - lowest_ : 0; }

 private:
  int lowest_ = 5000, highest_ = -5000;  // initial values outside the range of doubles
};

/// Returns x / 2^exponent, which must be an integer. It must fit if the type is a WideInteger.
template <class Integer>
Integer on_grid(double x, int exponent) {
  Dyadic const part = split(x);
  int const shift = part.exponent - exponent;  // if shift < 0, the bits that are shifted out are zero
  Integer value;
  if constexpr (std::is_same_v<Integer, BigInteger>) {
    value = shift >= 0 ? BigInteger(part.mantissa) << shift : BigInteger(part.mantissa) >> -shift;
  } else if (shift <= 0) {
    value.limb[0] = shift > -64 ? part.mantissa >> -shift : 0;
  } else {
    auto const limb = static_cast<std::size_t>(shift / 64);
    Unsigned128 const spread = static_cast<Unsigned128>(part.mantissa) << shift % 64;
    if (limb < value.limb.size()) value.limb[limb] = static_cast<std::uint64_t>(spread);
    if (limb + 1 < value.limb.size()) value.limb[limb + 1] = static_cast<std::uint64_t>(spread >> 64);
  }
  return part.negative ? -value : value;
}

}  // namespace demeter
