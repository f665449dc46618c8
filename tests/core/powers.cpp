// Tests exp, log, lgamma and pow of the scalars of the references, and powers of intervals.
#include "kernels/random.hpp"
#include "oracles/core/interval.hpp"
#include "reference/core/binary128.hpp"
#include "reference/spec/core/contract.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace demeter {
namespace powers_test {

static_assert(power_scalar<float> && power_scalar<double> && power_scalar<long double>);
static_assert(power_scalar<Binary128> && power_scalar<Multiprecision>);

Multiprecision exactly(Binary128 x) {
  auto const high = static_cast<long double>(x);
  return Multiprecision(high) + Multiprecision(static_cast<long double>(x - Binary128(high)));
}

TEST(Powers, Binary128IsAccurateToTheLastPlace) {
  Precision const guard(60);
  double worst = 0;
  auto const compare = [&](Binary128 is, Multiprecision const& should) {
    worst = std::max(worst, std::fabs(static_cast<double>((exactly(is) - should) / should)));
  };
  Random random(1, 0, 0);
  for (int i = 0; i < 2000; ++i) {
    double const x = random.log_uniform(-3, 2), y = random.uniform(-50, 50);
    compare(exp(Binary128(y)), exp(Multiprecision(y)));
    compare(log(Binary128(x)), log(Multiprecision(x)));
    compare(pow(Binary128(x), Binary128(y)), pow(Multiprecision(x), Multiprecision(y)));
    compare(lgamma(Binary128(x)), lgamma(Multiprecision(x)));
  }
  EXPECT_LE(worst, 0x1p-112);
  EXPECT_GT(worst, 0x1p-116) << "nothing was rounded";
  EXPECT_TRUE(pow(Binary128(0), Binary128(3)) == Binary128(0));
  EXPECT_TRUE(pow(Binary128(0), Binary128(0)) == Binary128(1));
  EXPECT_TRUE(std::isinf(static_cast<double>(exp(Binary128(1e6)))));
}

TEST(Powers, IntervalsContainThePowersOfTheirNumbers) {
  Precision const guard(80);
  Random random(2, 0, 0);
  for (int i = 0; i < 2000; ++i) {
    double const x = random.chance(0.1) ? 0 : random.log_uniform(-3, 1), wider = x + random.log_uniform(-9, 0);
    double const n = random.log_uniform(-2, 2.3), more = n + random.log_uniform(-9, 0);
    Interval const powers = power(hull(Interval::exactly(x, 128), Interval::exactly(wider, 128)),
                                  hull(Interval::exactly(n, 128), Interval::exactly(more, 128)));
    Multiprecision const low(powers.low()), high(powers.high());
    Multiprecision least(0), largest(0);
    bool first = true;
    for (double const base : {x, wider})
      for (double const exponent : {n, more}) {
        Multiprecision const value = pow(Multiprecision(base), Multiprecision(exponent));
        EXPECT_LE(low, value);
        EXPECT_GE(high, value);
        least = first || value < least ? value : least;
        largest = first || largest < value ? value : largest;
        first = false;
      }
    // Except for rounding, the interval must not be wider than the range of the powers.
    EXPECT_GE(low, least - least * Multiprecision(0x1p-126));
    EXPECT_LE(high, largest + largest * Multiprecision(0x1p-126));
  }
}

}  // namespace powers_test
}  // namespace demeter
