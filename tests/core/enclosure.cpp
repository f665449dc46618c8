#include "oracles/core/enclosure.hpp"
#include "kernels/random.hpp"
#include "kernels/texts.hpp"
#include "oracles/core/accumulator.hpp"
#include "oracles/core/dyadic.hpp"
#include "oracles/core/enclose.hpp"
#include "oracles/core/integer.hpp"
#include "reference/core/exact.hpp"
#include "tests/core/kernel_cases.hpp"
#include "tests/core/rationals.hpp"

#include <gtest/gtest.h>

namespace demeter {
namespace enclosure_test {

using testing_kernels::encloses;
using testing_kernels::exact;

Rational power_of_two(int exponent) {
  Rational result = 1;
  auto const bits = static_cast<mp_bitcnt_t>(std::abs(exponent));
  if (exponent >= 0) {
    mpq_mul_2exp(result.backend().data(), result.backend().data(), bits);
  } else {
    mpq_div_2exp(result.backend().data(), result.backend().data(), bits);
  }
  return result;
}
Rational exact(Dyadic const& x) {
  Rational const magnitude = Rational(x.mantissa) * power_of_two(x.exponent);
  return x.negative ? Rational(-magnitude) : magnitude;
}

/// Returns whether the enclosure contains the square root of x.
bool encloses_root(Enclosure const& truth, Rational const& x) {
  Rational const middle = exact(truth.high) + exact(truth.low), radius = exact(truth.radius);
  Rational const low = middle - radius, high = middle + radius;
  return high >= 0 && high * high >= x && (low <= 0 || low * low <= x);
}

std::uint64_t limb_bits(Random& random) {
  switch (random.integer(0, 4)) {
    case 0:
      return 0;
    case 1:
      return ~std::uint64_t{0};
    case 2:
      return std::uint64_t{1} << 63;
    default: {
      auto const shift = random.integer(0, 63);
      return random.bits() >> shift;
    }
  }
}
template <std::size_t Limbs>
WideInteger<Limbs> any_integer(Random& random) {
  WideInteger<Limbs> value;
  for (auto& limb : value.limb) limb = limb_bits(random);
  return value;
}
template <std::size_t Limbs>
BigInteger big(WideInteger<Limbs> const& x) {
  BigInteger value = 0;
  for (std::size_t i = Limbs; i-- > 0;) value = (value << 64) + x.limb[i];
  if (x.negative()) value -= BigInteger(1) << (64 * Limbs);
  return value;
}
Rational rational(BigInteger const& x) {
  Rational result;
  mpq_set_z(result.backend().data(), x.get());
  return result;
}

TEST(WideInteger, ArithmeticAgreesWithGmp) {
  Random random(1, 0, 0);
  for (int i = 0; i < 100'000; ++i) {
    auto const a = any_integer<3>(random);
    auto const b = any_integer<3>(random);
    auto const c = any_integer<2>(random);
    BigInteger const A = big(a), B = big(b), C = big(c);
    WideInteger<4> const wide_a = a, wide_b = b;
    ASSERT_EQ(big(wide_a), A);
    ASSERT_EQ(big(a * b), A * B);
    ASSERT_EQ(big(a * c), A * C);
    ASSERT_EQ(big(c * a), A * C);
    ASSERT_EQ(big(wide_a + b), A + B);
    ASSERT_EQ(big(wide_a - b), A - B);
    ASSERT_EQ(big(c - wide_a), C - A);
    ASSERT_EQ(big(-wide_a), -A);
    ASSERT_EQ(wide_a < wide_b, A < B);
    ASSERT_EQ(wide_a < c, A < C);
    ASSERT_EQ(a == b, A == B);
    ASSERT_EQ(a == a, true);
    ASSERT_EQ(is_zero(a), A == 0);
    ASSERT_EQ(is_negative(a), A < 0);
    std::uint64_t const divisor = limb_bits(random) | 1;
    if (A >= 0) {
      ASSERT_EQ(big(a / divisor), A / divisor);
    }
  }
  for (std::int64_t const value : {std::int64_t{0}, std::int64_t{-1}, std::numeric_limits<std::int64_t>::min()})
    EXPECT_EQ(big(WideInteger<2>(value)), BigInteger(value));
  EXPECT_EQ(big(wide(~Unsigned128{0})), (BigInteger(1) << 128) - 1);
}

TEST(WideInteger, OddPartAndLeadingBitsAgreeWithGmp) {
  Random random(2, 0, 0);
  for (int i = 0; i < 50'000; ++i) {
    auto const x = any_integer<4>(random);
    BigInteger const X = big(x);
    if (X <= 0) continue;
    ASSERT_EQ(big(odd_part(x)), odd_part(X));
    ASSERT_EQ(trailing_zeros(x), trailing_zeros(X));
    ASSERT_EQ(odd_part(X) << trailing_zeros(X), X);
    ASSERT_EQ(odd_part(X) % 2, 1);
    Leading const top = leading(x), other = leading(X);
    ASSERT_TRUE(top.bits == other.bits && top.exponent == other.exponent && top.exact == other.exact);
    ASSERT_TRUE(top.bits >> 127 == 1);
    Rational const low = ((Rational(static_cast<std::uint64_t>(top.bits >> 64)) * power_of_two(64)) +
                          Rational(static_cast<std::uint64_t>(top.bits))) *
                         power_of_two(top.exponent);
    ASSERT_LE(low, rational(X));
    ASSERT_LT(rational(X), low + power_of_two(top.exponent));
    ASSERT_EQ(top.exact, low == rational(X));
  }
}

TEST(Dyadic, SplitDoublesAreExact) {
  Random random(3, 0, 0);
  for (int i = 0; i < 50'000; ++i) {
    double const x = random.sign() * random.any_positive();
    Dyadic const part = split(x);
    ASSERT_EQ(exact(part), Rational(x));
    ASSERT_LT(part.mantissa, std::uint64_t{1} << 53);
  }
  EXPECT_EQ(split(0.0).mantissa, 0u);
  EXPECT_TRUE(split(-0.0).negative);
  EXPECT_EQ(exact(split(0x1p-1074)), Rational(0x1p-1074));
  EXPECT_EQ(exact(split(std::numeric_limits<double>::max())), Rational(std::numeric_limits<double>::max()));
}

TEST(CommonGrid, EveryNumberIsAMultipleOfItsUnit) {
  Random random(4, 0, 0);
  for (int i = 0; i < 20'000; ++i) {
    CommonGrid grid;
    std::vector<double> numbers;
    double const size = random.any_positive();
    for (int k = 0; k < 4; ++k) {
      double x = random.chance(0.2) ? 0 : random.sign() * size * random.uniform(0.25, 4);
      if (!std::isfinite(x)) x = size;
      numbers.push_back(x);
      grid.add(x);
    }
    bool odd = false;
    for (double const x : numbers) {
      auto const integer = on_grid<BigInteger>(x, grid.exponent());
      ASSERT_EQ(rational(integer) * power_of_two(grid.exponent()), Rational(x));
      ASSERT_LT(abs(integer), BigInteger(1) << grid.bits());
      if (integer % 2 != 0) odd = true;
      if (grid.bits() <= 127) {
        ASSERT_EQ(big(on_grid<WideInteger<2>>(x, grid.exponent())), integer);
      }
      if (grid.bits() <= 63) {
        ASSERT_EQ(big(on_grid<WideInteger<1>>(x, grid.exponent())), integer);
      }
    }
    ASSERT_TRUE(odd || grid.bits() == 0) << "not the coarsest grid";
  }
  CommonGrid empty;
  empty.add(0);
  EXPECT_EQ(empty.bits(), 0);
}

TEST(Enclose, IntegersHaveARelativeRadiusOfAtMost2ToMinus127) {
  Random random(5, 0, 0);
  for (int i = 0; i < 50'000; ++i) {
    auto const x = any_integer<4>(random);
    auto const exponent = static_cast<int>(random.integer(-2500, 2000));
    Enclosure const truth = enclose(x, exponent);
    Rational const value = rational(big(x)) * power_of_two(exponent);
    ASSERT_TRUE(encloses(truth, value));
    ASSERT_LE(exact(truth.radius), abs(value) * power_of_two(-127));
    ASSERT_LE(std::fabs(truth.low), std::fabs(truth.high) * 0x1p-63L);
    Enclosure const other = enclose(big(x), exponent);
    ASSERT_TRUE(other.high == truth.high && other.low == truth.low && other.radius == truth.radius);
  }
}

TEST(Enclose, RootsOfRatiosHaveARelativeRadiusOfAbout2ToMinus122) {
  Random random(6, 0, 0);
  int exactly = 0;
  for (int i = 0; i < 50'000; ++i) {
    WideInteger<4> numerator = any_integer<3>(random);
    WideInteger<2> denominator = any_integer<2>(random);
    if (i % 3 == 0) {  // a square over a square, times an even power of two
      std::uint64_t const root = random.bits() >> random.integer(1, 60),
                          other = std::uint64_t{1} << random.integer(0, 20);
      numerator = WideInteger<1>(static_cast<std::int64_t>(root)) * WideInteger<1>(static_cast<std::int64_t>(root));
      denominator = WideInteger<1>(static_cast<std::int64_t>(other * other));
    }
    if (is_negative(numerator) || is_negative(denominator) || is_zero(denominator)) continue;
    auto const exponent = static_cast<int>(random.integer(-1200, 1200));
    Enclosure const root = root_of_ratio(numerator, denominator, exponent);
    Rational const square = rational(big(numerator)) / rational(big(denominator)) * power_of_two(2 * exponent);
    ASSERT_TRUE(encloses_root(root, square));
    ASSERT_LE(root.radius, root.high * 0x1.01p-122L);
    if (root.radius == 0) ++exactly;
    if (i % 3 == 0) {
      ASSERT_EQ(root.radius, 0) << "the root is a binary number of at most 63 bits";
    }
    Enclosure const other = root_of_ratio(big(numerator), big(denominator), exponent);
    ASSERT_TRUE(other.high == root.high && other.low == root.low && other.radius == root.radius);
  }
  EXPECT_GT(exactly, 10'000);
}

TEST(Enclose, RootsNextToSquaresAreEnclosed) {
  // A number next to a square must not be treated as the square, for roots of any length.
  for (int bits = 1; bits < 116; ++bits) {
    BigInteger const root = (BigInteger(1) << bits) + 1;
    for (int change : {-1, 0, 1}) {
      BigInteger const square = root * root + change;
      Enclosure const truth = root_of_ratio(square, BigInteger(1), 0);
      ASSERT_TRUE(encloses_root(truth, rational(square))) << bits << " " << change;
      ASSERT_EQ(truth.radius == 0, change == 0) << bits << " " << change;
    }
  }
}

TEST(Enclose, EnclosuresOfDifferencesContainTheExactDifference) {
  Random random(7, 0, 0);
  for (int i = 0; i < 50'000; ++i) {
    auto const any = [&] {
      Enclosure x{static_cast<long double>(random.uniform(-1, 1)), 0, 0};
      x.low = x.high * 0x1p-65L * static_cast<long double>(random.uniform(-1, 1));
      x.radius = random.chance(0.5) ? 0 : std::fabs(x.high) * 0x1p-122L;
      return x;
    };
    Enclosure const x = any();
    Enclosure y = any();
    if (random.chance(0.5)) {
      y = x;
      y.low = x.low * 0.75L;
    }
    Enclosure const result = difference(x, y);
    Rational const middle = exact(x.high) + exact(x.low) - exact(y.high) - exact(y.low);
    for (int side : {-1, 1})
      ASSERT_TRUE(encloses(result, Rational(middle + side * (exact(x.radius) + exact(y.radius)))));
  }
}

TEST(Enclosure, ErrorBoundsContainTheTrueError) {
  Random random(8, 0, 0);
  for (int i = 0; i < 100'000; ++i) {
    long double const size = random.any_positive();
    Enclosure truth{size * static_cast<long double>(random.uniform(1, 2)), 0, 0};
    if (i % 3 != 0) truth.low = truth.high * 0x1p-65L * static_cast<long double>(random.uniform(-1, 1));
    if (i % 5 == 0) truth.radius = truth.high * 0x1p-122L;
    double x = static_cast<double>(truth.high);
    for (std::int64_t steps = random.integer(0, 40); steps > 0; --steps) x = std::nextafter(x, 1e308);
    if (i % 10 == 0) x = random.uniform(-1, 1);
    if (!std::isfinite(x)) continue;
    ErrorBounds const bounds = error_bounds(x, truth);
    Rational const offset = Rational(x) - exact(truth.high) - exact(truth.low), radius = exact(truth.radius);
    for (int side : {-1, 1}) {
      Rational const error = abs(Rational(offset + side * radius));
      ASSERT_GE(error, exact(bounds.lower));
      ASSERT_LE(error, exact(bounds.upper));
    }
    ASSERT_LE(bounds.upper - bounds.lower, bounds.upper * 0x1p-58L + 3 * truth.radius) << "and is not much wider";
  }
}

TEST(Enclosure, IfTheTruthIsExactTheErrorIsExact) {
  for (auto const& [x, truth, error] : {std::tuple{1.0, 1.0L, 0.0L},
                                        {1 + 0x1p-52, 1.0L, 0x1p-52L},
                                        {0.0, 0x1p-1074L, 0x1p-1074L},
                                        {-2.0, 1.0L, 3.0L},
                                        {3.0, 1e300L, 0.0L}}) {
    ErrorBounds const bounds = error_bounds(x, {truth, 0, 0});
    if (truth > 1e299L) {
      EXPECT_LT(bounds.lower, bounds.upper) << "a difference that rounds is not called exact";
      continue;
    }
    EXPECT_EQ(bounds.lower, error);
    EXPECT_EQ(bounds.upper, error);
  }
}

TEST(Enclosure, NonFiniteAnswersHaveInfiniteErrors) {
  for (double const x : {std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(),
                         std::numeric_limits<double>::quiet_NaN()}) {
    ErrorBounds const bounds = error_bounds(x, {1, 0, 0});
    EXPECT_TRUE(std::isinf(bounds.lower) && std::isinf(bounds.upper));
  }
}

TEST(ExactSum, AgreesWithSumsInRationals) {
  Random random(9, 0, 0);
  for (int i = 0; i < 3000; ++i) {
    ExactSum sum;
    Rational truth = 0;
    for (std::int64_t terms = random.integer(1, 30); terms > 0; --terms) {
      double const x = random.sign() * random.any_positive(), y = random.sign() * random.any_positive();
      switch (random.integer(0, 3)) {
        case 0:
          sum.add(x);
          truth += Rational(x);
          break;
        case 1:
          sum.add_product(split(x), split(y));
          truth += Rational(x) * Rational(y);
          break;
        case 2:
          sum.subtract_product(split(x), split(y));
          truth -= Rational(x) * Rational(y);
          break;
        default:  // almost all terms cancel
          sum.add_product(split(x), split(y));
          sum.subtract_product(split(x), split(y));
          sum.add(y);
          sum.add(-y);
      }
    }
    Enclosure const enclosed = sum.enclosed();
    ASSERT_TRUE(encloses(enclosed, truth));
    ASSERT_LE(exact(enclosed.radius), abs(truth) * power_of_two(-127));
  }
  EXPECT_EQ(ExactSum().enclosed().high, 0);
}

TEST(EnclosureText, ShowsThirtyDigitsWithoutTrailingZeros) {
  EXPECT_EQ(detail::enclosure_text({1, 0, 0}, false), "1");
  EXPECT_EQ(detail::enclosure_text({0.5L, 0, 0}, false), "5e-1");
  EXPECT_EQ(detail::enclosure_text({0, 0, 0}, false), "0");
  EXPECT_EQ(detail::enclosure_text({-1500, 0, 0}, false), "-1.5e3");
  EXPECT_EQ(detail::enclosure_text({1, 0x1p-70L, 0}, false), "1.00000000000000000000084703295");
  EXPECT_EQ(detail::enclosure_text(root_of_ratio(WideInteger<1>(2), WideInteger<1>(1), 0), false),
            "1.41421356237309504880168872421");
}

TEST(EnclosureText, ShowsOnlyCertainDigitsIfRequested) {
  EXPECT_EQ(detail::enclosure_text({0.5L, 0, 0}, true), "5e-1") << "exact";
  EXPECT_EQ(detail::enclosure_text({4.0L / 3, 0, 1e-5L}, true), "1.33333");
  EXPECT_EQ(detail::enclosure_text({1500, 0, 0.2L}, true), "1.500e3") << "a zero that is certain says something";
  EXPECT_EQ(detail::enclosure_text({1e-20L, 0, 1e-18L}, true), "0");
  EXPECT_EQ(detail::enclosure_text({4.0L / 3, 0, 1e-40L}, true), detail::enclosure_text({4.0L / 3, 0, 0}, true));
}

}  // namespace enclosure_test
}  // namespace demeter
