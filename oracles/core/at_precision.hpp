// Conversion of exact integers to intervals.
#pragma once

#include "oracles/core/integer.hpp"
#include "oracles/core/interval.hpp"

#include <cstddef>
#include <cstdint>

namespace demeter {

/// Converts the integers of an oracle's exact formula to intervals with `bits` bits. This is the last step of the
/// formula. The alternative for this step is an enclosure in long double (enclose.hpp).
struct AtPrecision {
  mpfr_prec_t bits;

  /// Returns x 2^exponent.
  Interval number(BigInteger const& x, int exponent) const {
    Interval result(bits);
    mpfi_set_z(result.get(), x.get());
    mpfi_mul_2si(result.get(), result.get(), exponent);
    return result;
  }
  template <std::size_t Limbs>
  Interval number(WideInteger<Limbs> const& x, int exponent) const {
    WideInteger<Limbs> const size = is_negative(x) ? -x : x;
    auto const count = static_cast<mp_size_t>(limb_count(size));
    mpz_t view;  // a view of the limbs, without a copy
    mpz_roinit_n(view, reinterpret_cast<mp_limb_t const*>(size.limb.data()), is_negative(x) ? -count : count);
    Interval result(bits);
    mpfi_set_z(result.get(), view);
    mpfi_mul_2si(result.get(), result.get(), exponent);
    return result;
  }
  Interval sum(long double x, long double y) const {
    Interval result(bits);
    mpfi_add(result.get(), Interval::exactly(x).get(), Interval::exactly(y).get());
    return result;
  }
  /// Returns sqrt(numerator / denominator) 2^exponent for numerator >= 0, denominator > 0.
  Interval root_of_ratio(BigInteger const& numerator, BigInteger const& denominator, int exponent) const {
    Interval result(bits), divisor(bits);
    mpfi_set_z(result.get(), numerator.get());
    mpfi_set_z(divisor.get(), denominator.get());
    mpfi_div(result.get(), result.get(), divisor.get());
    mpfi_sqrt(result.get(), result.get());
    mpfi_mul_2si(result.get(), result.get(), exponent);
    return result;
  }
  /// Returns pi x 2^exponent / divisor.
  Interval times_pi(BigInteger const& x, int exponent, std::uint64_t divisor) const {
    Interval result = number(x, exponent), pi(bits);
    mpfi_const_pi(pi.get());
    mpfi_mul(result.get(), result.get(), pi.get());
    mpfi_div_ui(result.get(), result.get(), divisor);
    return result;
  }
};

}  // namespace demeter
