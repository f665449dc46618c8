// Oracle of capsule_mass_properties: exact integers, multiplied by an enclosure of pi.
#pragma once

#include "oracles/core/at_precision.hpp"
#include "oracles/core/dyadic.hpp"
#include "oracles/core/enclose.hpp"
#include "oracles/core/enclosure.hpp"
#include "oracles/core/hooks.hpp"
#include "reference/spec/capsule_mass_properties.hpp"

#include <cstdint>

namespace demeter::capsule_mass_properties::oracle {

namespace exact {

/// Returns 2^186 factor atan(1/k) by its series. There are fewer than 100 terms, and each is rounded down.
constexpr WideInteger<3> arctangent_of_inverse(std::uint64_t k, std::uint64_t factor) {
  WideInteger<3> term;
  term.limb[2] = factor << (186 - 128);
  WideInteger<3> sum = term = term / k;
  for (std::uint64_t n = 3; !is_zero(term); n += 2) {
    term = term / (k * k);
    sum = n % 4 == 3 ? sum - term / n : sum + term / n;
  }
  return sum;
}

/// Returns floor(2^126 pi), with a relative error below 2^-127: pi = 16 atan(1/5) - 4 atan(1/239) (Machin). The series
/// is accurate to 2^-178, and the compiler checks that this error changes none of the 128 bits.
constexpr Unsigned128 floor_of_pi(std::int64_t error) {
  auto const pi = arctangent_of_inverse(5, 16) - arctangent_of_inverse(239, 4) + WideInteger<1>(error);
  return static_cast<Unsigned128>(pi.limb[2]) << 68 | static_cast<Unsigned128>(pi.limb[1]) << 4 | pi.limb[0] >> 60;
}
constexpr Unsigned128 pi_bits = floor_of_pi(0);
static_assert(floor_of_pi(-256) == pi_bits && floor_of_pi(256) == pi_bits);
constexpr int pi_exponent = -126;

/// Returns pi x 2^exponent / divisor for x > 0, as an enclosure with a relative radius of 2^-122. x and pi are
/// truncated to 128 bits, with relative errors below 2^-127. The quotient of their 256-bit product is rounded down, and
/// its enclosure has a relative error of 2^-127.
template <class Integer>
Enclosure times_pi(Integer const& x, int exponent, std::uint64_t divisor) {
  if (is_zero(x)) return {};  // inputs of the domain never give x = 0
  Leading const top = leading(x);
  Enclosure result = enclose(wide(top.bits) * wide(pi_bits) / divisor, top.exponent + pi_exponent + exponent);
  result.radius = result.high * 0x1p-122L;
  return result;
}

/// Returns the recommended formula (docs/mathematics/capsules.md#capsule_mass_properties-recommended-formula). r and a
/// are multiples of 2^length, rho is a multiple of 2^density. All terms are >= 0. A WideInteger product has as many
/// limbs as its factors together. Each small factor has a limb of its own, which also holds the carries of the sums.
/// `times_pi(x, exponent, divisor)` must return pi x 2^exponent / divisor. `sum(x, y)` must return the exact sum of two
/// long doubles.
template <class Integer, class Small, class TimesPi, class Sum>
auto mass_properties(Input<double> const& in, int length, int density, TimesPi const& times_pi, Sum const& sum) {
  auto const r = on_grid<Integer>(in.radius, length), a = on_grid<Integer>(in.shaft, length);
  auto const rho = on_grid<Small>(in.density, density);
  auto const times = [](std::int64_t factor, auto const& x) { return Small(factor) * x; };
  auto const r2 = r * r, a2 = a * a;

  auto const volume = r2 * (times(4, r) + times(3, a));                                                  // pi / 3
  auto const ixx = r2 * r2 * (times(16, r) + times(15, a));                                              // pi / 30
  auto const iyy = r2 * (times(32, r2 * r) + times(45, r2 * a) + times(20, r * a2) + times(5, a2 * a));  // pi / 60

  using Enclosed = decltype(times_pi(volume, 0, 1));
  return Output<Enclosed>{
      times_pi(volume, 3 * length, 3),
      times_pi(rho * volume, density + 3 * length, 3),
      times_pi(rho * ixx, density + 5 * length, 30),
      times_pi(rho * iyy, density + 5 * length, 60),
      sum(in.radius, static_cast<long double>(in.shaft) / 2),
  };
}

/// Returns x + y exactly: the rounded sum and its error (Knuth). The range of long double is sufficient.
inline Enclosure exact_sum(long double x, long double y) {
  long double const sum = x + y, part = sum - x;
  return {sum, (x - (sum - part)) + (y - part), 0};
}

/// Two grids: on one the lengths are integers, on the other the density.
struct Grids {
  CommonGrid length, density;
};
inline Grids grids(Input<double> const& in) {
  Grids result;
  result.length.add(in.radius);
  result.length.add(in.shaft);
  result.density.add(in.density);
  return result;
}

}  // namespace exact

/// Returns the certified mass properties, as enclosures with a relative radius of 2^-122, for every input in the
/// domain. bounding_radius is exact.
/// Source: docs/mathematics/capsules.md#capsule_mass_properties-oracle-and-its-proof.
inline Output<Enclosure> truth(Input<double> const& in) {
  exact::Grids const grids = exact::grids(in);
  auto const evaluate = [&]<class Integer, class Small>() {
    return exact::mass_properties<Integer, Small>(
        in, grids.length.exponent(), grids.density.exponent(),
        [](auto const& x, int exponent, std::uint64_t divisor) { return exact::times_pi(x, exponent, divisor); },
        exact::exact_sum);
  };
  if (grids.length.bits() <= 63) return evaluate.template operator()<WideInteger<1>, WideInteger<1>>();
  if (grids.length.bits() <= 127) return evaluate.template operator()<WideInteger<2>, WideInteger<1>>();
  return evaluate.template operator()<BigInteger, BigInteger>();
}

/// Returns the truth in intervals of `bits` bits, for cases that `truth` leaves undecided.
inline Output<Interval> refined_truth(Input<double> const& in, mpfr_prec_t bits) {
  auto const grids = exact::grids(in);
  AtPrecision const at{bits};
  return exact::mass_properties<BigInteger, BigInteger>(
      in, grids.length.exponent(), grids.density.exponent(),
      [at](BigInteger const& x, int exponent, std::uint64_t divisor) { return at.times_pi(x, exponent, divisor); },
      [at](long double x, long double y) { return at.sum(x, y); });
}

/// Returns the relative condition of each output: the sum of the absolute logarithmic derivatives with respect to
/// radius, shaft and density. All terms are positive. This sum is therefore the degree of the output in the lengths (3,
/// 5, or 1 for the bounding radius), plus 1 if the density is a factor.
inline Output<double> condition(Input<double> const&) { return {3, 4, 6, 6, 1}; }

inline constexpr OracleHooks<Contract> hooks{.condition = condition};

}  // namespace demeter::capsule_mass_properties::oracle
