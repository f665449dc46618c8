// Ratios of gamma functions for volumes and moments of superquadrics.
// Source: docs/mathematics/superquadrics.md#superquadric_mass_properties-oracle-and-its-proof.
#pragma once

#include "oracles/core/interval.hpp"

#include <cstddef>
#include <vector>

namespace demeter::superquadric::oracle {

/// Returns G(1 + x) = G(2 + x)/(1 + x) for x >= 0. The gamma function increases from 2 on. Each end of G(2 + x)
/// therefore follows from the corresponding end of x.
inline Interval gamma_above_1(Interval const& x) {
  Interval const one = Interval::exactly(1, x.precision()), argument = x + one + one;
  Interval result(x.precision());
  mpfr_gamma(&result.get()->left, argument.low(), MPFR_RNDD);
  mpfr_gamma(&result.get()->right, argument.high(), MPFR_RNDU);
  return result / (one + x);
}

/// R_q(e) = G(1 + e) G(1 + q e) / G(1 + (q + 1) e) for q = 1 to `most`. Each gamma function is computed once, because
/// gamma functions take most of the time.
class Ratios {
 public:
  explicit Ratios(Interval const& e, int most = 4) {
    for (int k = 1; k <= most + 1; ++k) gammas_.push_back(gamma_above_1(Interval::exactly(k, e.precision()) * e));
  }
  Interval operator()(std::size_t q) const { return gammas_[0] * gammas_[q - 1] / gammas_[q]; }

 private:
  std::vector<Interval> gammas_;
};

}  // namespace demeter::superquadric::oracle
