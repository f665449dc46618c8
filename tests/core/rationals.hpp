// Exact computations for tests.
#pragma once

#include "oracles/core/enclosure.hpp"
#include "reference/core/rational.hpp"

namespace demeter::testing_kernels {

/// Returns the exact value of a long double.
inline Rational exact(long double x) {
  mpfr_t wide;
  mpfr_init2(wide, 64);
  mpfr_set_ld(wide, x, MPFR_RNDN);
  Rational result;
  mpfr_get_q(result.backend().data(), wide);
  mpfr_clear(wide);
  return result;
}
/// Returns whether the enclosure contains the number. The test is exact.
inline bool encloses(Enclosure const& truth, Rational const& x) {
  Rational const off = x - exact(truth.high) - exact(truth.low), radius = exact(truth.radius);
  return off <= radius && -off <= radius;
}

}  // namespace demeter::testing_kernels
