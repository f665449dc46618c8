// Ratios of gamma functions that volumes and moments of superquadrics are made of.
// Source: docs/mathematics/superquadrics.md#superquadric_mass_properties-oracle-and-its-proof.
#pragma once

#include "oracles/core/interval.hpp"

namespace demeter::superquadric::oracle {

/// G(1 + x) = G(2 + x)/(1 + x) for x >= 0: from 2 on the gamma function grows, so that its ends come from those of x.
inline Interval gamma_above_1(Interval const& x) {
  Interval const one = Interval::exactly(1, x.precision()), argument = x + one + one;
  Interval result(x.precision());
  mpfr_gamma(&result.get()->left, argument.low(), MPFR_RNDD);
  mpfr_gamma(&result.get()->right, argument.high(), MPFR_RNDU);
  return result / (one + x);
}

/// G(1 + e) G(1 + q e) / G(1 + (q + 1) e). Where several q are asked of one e, `Ratios` takes half of the time.
inline Interval ratio(Interval const& e, int q) {
  auto const times = [&](int k) { return Interval::exactly(k, e.precision()) * e; };
  Interval const first = gamma_above_1(e);
  return first * (q == 1 ? first : gamma_above_1(times(q))) / gamma_above_1(times(q + 1));
}

/// R_q(e) = G(1 + e) G(1 + q e) / G(1 + (q + 1) e) for q = 1 to 4, from one gamma function each: these take the time.
class Ratios {
 public:
  explicit Ratios(Interval const& e) {
    for (int k = 1; k <= 5; ++k) gammas_[k - 1] = gamma_above_1(Interval::exactly(k, e.precision()) * e);
  }
  Interval operator()(int q) const { return gammas_[0] * gammas_[q - 1] / gammas_[q]; }

 private:
  Interval gammas_[5];
};

}  // namespace demeter::superquadric::oracle
