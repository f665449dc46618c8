#include "fast/capsule_mass_properties.hpp"
#include "oracles/capsule_mass_properties.hpp"
#include "oracles/core/judge.hpp"
#include "properties/capsule_mass_properties.hpp"
#include "reference/capsule_mass_properties.hpp"
#include "reference/core/exact.hpp"
#include "reference/printed/capsule_mass_properties.hpp"
#include "tests/core/kernel_cases.hpp"
#include "tests/core/rationals.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

namespace demeter::capsule_mass_properties {
namespace {

using namespace testing_kernels;
using Case = Input<double>;
using Answer = Output<double>;

// ------------------------------------------------------------------------------------------------------------ helpers

constexpr std::uint64_t seed = 20;
constexpr Tested<Contract, oracle::hooks> tested{properties::regimes, properties::laws, oracle::truth, seed, 500};
constexpr double largest = std::numeric_limits<double>::max();
constexpr double least = 0x1p-1074;

std::string text(Case const& in) { return fmt::format("r {:a} a {:a} rho {:a}", in.radius, in.shaft, in.density); }

constexpr std::array<double Answer::*, 5> outputs{&Answer::volume, &Answer::mass, &Answer::ixx, &Answer::iyy,
                                                  &Answer::bounding_radius};

void expect_same_bits(Answer const& got, Answer const& expected) {
  for (auto const output : outputs) EXPECT_EQ(bits(got.*output), bits(expected.*output)) << got.*output;
}

/// Returns two rationals below and above pi, about 2^-1000 apart.
std::pair<Rational, Rational> pi_bounds() {
  mpfr_t value;
  mpfr_init2(value, 1001);
  Rational low, high;
  mpfr_const_pi(value, MPFR_RNDD);
  mpfr_get_q(low.backend().data(), value);
  mpfr_const_pi(value, MPFR_RNDU);
  mpfr_get_q(high.backend().data(), value);
  mpfr_clear(value);
  return {low, high};
}

/// Returns whether pi x is in the enclosure. The test is exact: it uses rational bounds of pi with 300 digits.
bool encloses_times_pi(Enclosure const& truth, Rational const& x) {
  static std::pair<Rational, Rational> const pi = pi_bounds();
  Rational const middle = exact(truth.high) + exact(truth.low), radius = exact(truth.radius);
  return middle - radius <= pi.first * x && pi.second * x <= middle + radius;
}

/// Returns the double nearest to pi x. The result is certain, because both bounds of pi round to it.
double nearest_times_pi(Rational const& x) {
  static std::pair<Rational, Rational> const pi = pi_bounds();
  double const rounded = nearest(Rational(pi.first * x));
  EXPECT_EQ(rounded, nearest(Rational(pi.second * x)));
  return rounded;
}

/// Returns the exact result of the reference, rounded once: the answer of a correctly rounded implementation.
Answer rounded_reference(Case const& in) {
  auto const over_pi = reference::over_pi(cast<Input<Rational>>(in));
  return {nearest_times_pi(over_pi.volume), nearest_times_pi(over_pi.mass), nearest_times_pi(over_pi.ixx),
          nearest_times_pi(over_pi.iyy), nearest(over_pi.bounding_radius)};
}

void expect_within_budget(Case const& in, Answer const& answer) {
  auto const all = tested.judged(in, answer);
  for (std::size_t k = 0; k < all.size(); ++k) {
    EXPECT_TRUE(all[k].computed);
    EXPECT_EQ(all[k].verdict, Verdict::pass)
        << Contract::budgets[k].output << ": " << answer.*outputs[k] << ", " << all[k].error << " u";
  }
}

struct Columns {
  std::vector<double> radius, shaft, density;
  std::array<std::vector<double>, 5> out;

  explicit Columns(std::vector<Case> const& all) {
    for (Case const& in : all) {
      radius.push_back(in.radius);
      shaft.push_back(in.shaft);
      density.push_back(in.density);
    }
    for (auto& column : out) column.assign(all.size(), 0);
  }
  void run(Level level) {
    double const* const in[] = {radius.data(), shaft.data(), density.data()};
    double* const results[] = {out[0].data(), out[1].data(), out[2].data(), out[3].data(), out[4].data()};
    fast::evaluate(level, radius.size(), in, results);
  }
  Answer row(std::size_t i) const { return {out[0][i], out[1][i], out[2][i], out[3][i], out[4][i]}; }
};

/// A number and its derivative with respect to the shaft.
struct Dual {
  Rational value, slope;
  Dual(Rational v = 0, Rational s = 0) : value(std::move(v)), slope(std::move(s)) {}
  Dual(int v) : value(v), slope(0) {}
  friend Dual operator+(Dual const& x, Dual const& y) { return {x.value + y.value, x.slope + y.slope}; }
  [[maybe_unused]] friend Dual operator-(Dual const& x, Dual const& y) {
    return {x.value - y.value, x.slope - y.slope};
  }
  friend Dual operator*(Dual const& x, Dual const& y) {
    return {x.value * y.value, x.slope * y.value + x.value * y.slope};
  }
  friend Dual operator/(Dual const& x, Dual const& y) {
    return {x.value / y.value, (x.slope * y.value - x.value * y.slope) / (y.value * y.value)};
  }
  [[maybe_unused]] friend bool operator<(Dual const& x, Dual const& y) { return x.value < y.value; }
};

// ---------------------------------------------------------------------------------------------------------- reference

TEST(CapsuleMassProperties, AnswersAgreeWithClosedFormExamples) {
  // r = 1/2, a = 1, rho = 1000: V = 5 pi / 12, Ixx = 1000 pi 23 / 480, Iyy = 1000 pi (4 + 11.25 + 10 + 5) / 240.
  Rational const half = Rational(1) / 2;
  auto const out = reference::over_pi(Input<Rational>{half, 1, 1000});
  EXPECT_EQ(out.volume, Rational(5) / 12);
  EXPECT_EQ(out.mass, Rational(5000) / 12);
  EXPECT_EQ(out.ixx, Rational(23000) / 480);
  EXPECT_EQ(out.iyy, Rational(1000) * 121 / 4 / 240);
  EXPECT_EQ(out.bounding_radius, 1);
  Answer const answer = fast::evaluate_correctly_rounded({0.5, 1, 1000});
  EXPECT_DOUBLE_EQ(answer.volume, 1.3089969389957472);
  EXPECT_DOUBLE_EQ(answer.mass, 1308.9969389957472);
  EXPECT_DOUBLE_EQ(answer.ixx, 150.53464798451092);
  EXPECT_DOUBLE_EQ(answer.iyy, 395.97157404621353);
  EXPECT_EQ(answer.bounding_radius, 1);
  // Without a shaft, the capsule is a sphere: m = 4/3 pi r^3 rho, I = 2/5 m r^2. If r is much smaller than a, it is a
  // thin rod: I = m a^2 / 12.
  for (int r = 1; r < 9; ++r) {
    auto const sphere = reference::over_pi(Input<Rational>{r, 0, 7});
    EXPECT_EQ(sphere.volume, Rational(4 * r * r * r) / 3);
    EXPECT_EQ(sphere.ixx, Rational(2) / 5 * sphere.mass * r * r);
    EXPECT_EQ(sphere.iyy, sphere.ixx);
  }
  Rational const thin = Rational(1) / Rational("1000000000000");
  auto const rod = reference::over_pi(Input<Rational>{thin, 1, 1});
  EXPECT_LT(abs(Rational(rod.iyy / (rod.mass / 12) - 1)), thin * 10);
}

TEST(CapsuleMassProperties, DerivativesWithRespectToTheShaftAgreeWithClosedForms) {
  tested.for_each_case(cases(300), [](Case const& in) {
    Rational const r = Rational(in.radius), a = Rational(in.shaft), rho = Rational(in.density);
    auto const out = reference::over_pi(Input<Dual>{Dual(r), Dual(a, 1), Dual(rho)});
    EXPECT_EQ(out.volume.slope, r * r);
    EXPECT_EQ(out.mass.slope, rho * r * r);
    EXPECT_EQ(out.ixx.slope, rho * r * r * r * r / 2);
    EXPECT_EQ(out.iyy.slope, rho * r * r * (3 * a * a + 8 * a * r + 9 * r * r) / 12);
    EXPECT_EQ(out.bounding_radius.slope, Rational(1) / 2);
    EXPECT_EQ(out.iyy.value - out.ixx.value, rho * a * r * r * (a + r) * (a + 3 * r) / 12);
  });
}

TEST(CapsuleMassProperties, TheDocumentedFormulasEqualTheReference) {
  // The terms of Woo's documentation, divided by pi, are exactly equal to the reference in rationals.
  tested.for_each_case(cases(500), [](Case const& in) {
    Rational const r = Rational(in.radius), a = Rational(in.shaft), rho = Rational(in.density);
    Rational const caps = Rational(4) / 3 * r * r * r, shaft = r * r * a, offset = a / 2 + Rational(3) / 8 * r;
    auto const out = reference::over_pi(Input<Rational>{r, a, rho});
    EXPECT_EQ(out.volume, caps + shaft);
    EXPECT_EQ(out.ixx, rho * (Rational(2) / 5 * caps * r * r + Rational(1) / 2 * shaft * r * r));
    EXPECT_EQ(out.iyy, rho * (Rational(83) / 320 * caps * r * r + caps * offset * offset +
                              Rational(1) / 12 * shaft * (3 * r * r + a * a)));
  });
  // The printed code uses pow and pi. It agrees with the reference to 95 of 100 digits.
  tested.for_each_case(cases(500), [](Case const& in) {
    using Scalar = Multiprecision;
    Precision const enough(100);
    auto const wide = cast<Input<Scalar>>(in);
    auto const expected = reference::evaluate(wide);
    for (auto const& out : {printed::documented(wide), printed::factored(wide)})
      for_each_field<Output<Scalar>>([&](auto const& field) {
        EXPECT_LE(abs(out.*(field.member) - expected.*(field.member)), expected.*(field.member) * Scalar("1e-95"))
            << field.name;
      });
  });
}

// ------------------------------------------------------------------------------------------------------------- oracle

TEST(CapsuleMassProperties, OracleEnclosesTheExactProperties) {
  tested.for_each_case(cases(3000), [](Case const& in) {
    auto const truth = oracle::truth(in);
    auto const over_pi = reference::over_pi(cast<Input<Rational>>(in));
    EXPECT_TRUE(encloses_times_pi(truth.volume, over_pi.volume));
    EXPECT_TRUE(encloses_times_pi(truth.mass, over_pi.mass));
    EXPECT_TRUE(encloses_times_pi(truth.ixx, over_pi.ixx));
    EXPECT_TRUE(encloses_times_pi(truth.iyy, over_pi.iyy));
    for (Enclosure const* each : {&truth.volume, &truth.mass, &truth.ixx, &truth.iyy}) {
      EXPECT_GT(each->radius, 0);
      EXPECT_LE(each->radius, each->high * 0x1.01p-122L);
    }
    EXPECT_EQ(exact(truth.bounding_radius.high) + exact(truth.bounding_radius.low), over_pi.bounding_radius);
    EXPECT_EQ(truth.bounding_radius.radius, 0);
  });
}

TEST(CapsuleMassProperties, OracleEnclosesTheExactPropertiesAtTheEndsOfTheRange) {
  for (double const r : {least, 0x1p-1022, 1.0, 0x1p1023, largest})
    for (double const a : {0.0, least, 0x1p-1022, 1.0, 0x1p1023, largest})
      for (double const rho : {least, 1.0, largest}) {
        Case const in{r, a, rho};
        auto const truth = oracle::truth(in);
        auto const over_pi = reference::over_pi(cast<Input<Rational>>(in));
        EXPECT_TRUE(encloses_times_pi(truth.volume, over_pi.volume)) << text(in);
        EXPECT_TRUE(encloses_times_pi(truth.mass, over_pi.mass)) << text(in);
        EXPECT_TRUE(encloses_times_pi(truth.ixx, over_pi.ixx)) << text(in);
        EXPECT_TRUE(encloses_times_pi(truth.iyy, over_pi.iyy)) << text(in);
        EXPECT_EQ(exact(truth.bounding_radius.high) + exact(truth.bounding_radius.low), over_pi.bounding_radius);
      }
}

// ---------------------------------------------------------------------------------------------------------- known bugs

TEST(CapsuleMassProperties, KnownTyposOfPublishedFormulasFail) {
  Case const in{1, 2, 1};
  Answer const right = fast::evaluate(in);
  EXPECT_DOUBLE_EQ(right.iyy, static_cast<double>(242 * pi_wide / 60));
  expect_within_budget(in, right);
  auto const caught = [&](Answer const& wrong, std::size_t output, double percent) {
    auto const all = tested.judged(in, wrong);
    EXPECT_EQ(all[output].verdict, Verdict::fail);
    EXPECT_NEAR(100 * all[output].relative * unit_roundoff, percent, 0.005);
    for (std::size_t k = 0; k < all.size(); ++k) EXPECT_EQ(all[k].verdict == Verdict::fail, k == output);
  };
  double const caps = static_cast<double>(4 * pi_wide / 3);
  Answer wrong = right;
  wrong.iyy += caps * (in.shaft * in.shaft / 4);  // H^2/2 instead of H^2/4
  caught(wrong, 3, 33.06);
  wrong = right;
  wrong.iyy = right.mass / 12 * (4 + 16);  // the inertia of the bounding box
  caught(wrong, 3, 37.74);
  wrong = right;
  wrong.ixx = right.mass / 12 * (4 + 4);
  caught(wrong, 2, 44.93);
}

TEST(CapsuleMassProperties, FastIsRightWherePrintedFormulasOverflowOrUnderflow) {
  struct Example {
    Case in;
    double Answer::*output;
    double value;
  };
  for (Example const& each : {Example{{1e-200, 1e300, 1}, &Answer::volume, 3.14159e-100},
                              Example{{1e-160, 1e160, 1}, &Answer::iyy, 2.61799e159},
                              Example{{1e-160, 1e160, 1}, &Answer::volume, 3.14159e-160},
                              Example{{1e-162, 1e200, 1}, &Answer::iyy, 2.61799e275}}) {
    EXPECT_NEAR(fast::evaluate(each.in).*each.output / each.value, 1, 1e-5) << text(each.in);
    expect_within_budget(each.in, fast::evaluate(each.in));
    expect_within_budget(each.in, fast::evaluate_correctly_rounded(each.in));
    expect_same_bits(fast::evaluate_correctly_rounded(each.in), rounded_reference(each.in));
  }
  // For these inputs, the printed formulas underflow or overflow.
  EXPECT_EQ(printed::documented<double>({1e-200, 1e300, 1}).volume, 0);
  EXPECT_FALSE(std::isfinite(printed::documented<double>({1e-160, 1e160, 1}).iyy));
  EXPECT_FALSE(std::isfinite(printed::documented<double>({1e-162, 1e200, 1}).iyy));
}

// --------------------------------------------------------------------------------------------------------------- fast

TEST(CapsuleMassProperties, RowsOutsideTheDomainAreNaNAndDoNotChangeNeighbours) {
  for (Case const& bad : {Case{0, 1, 1}, Case{-0.0, 1, 1}, Case{-1, 1, 1}, Case{nan, 1, 1}, Case{infinity, 1, 1},
                          Case{1, -least, 1}, Case{1, -1, 1}, Case{1, nan, 1}, Case{1, infinity, 1}, Case{1, 1, 0},
                          Case{1, 1, -1}, Case{1, 1, nan}, Case{1, 1, infinity}, Case{-1, -1, -1}}) {
    for (Answer const& answer :
         {fast::evaluate(bad), fast::evaluate_correctly_rounded(bad), fast::evaluate_in_integers(bad)})
      for (auto const output : outputs) EXPECT_TRUE(std::isnan(answer.*output)) << text(bad);
    if (std::isfinite(bad.radius) && std::isfinite(bad.shaft) && std::isfinite(bad.density)) {
      EXPECT_TRUE(Contract::domain_error(bad)) << text(bad);
    }
    for (Level const level : levels())
      for (std::size_t place = 0; place < 19; ++place) {
        std::vector<Case> all;
        for (std::uint64_t id = 0; id < 19; ++id) all.push_back(tested.draw(id % properties::regimes().size(), id));
        all[place] = bad;
        Columns columns(all);
        columns.run(level);
        for (std::size_t i = 0; i < all.size(); ++i)
          for (auto const output : outputs) {
            if (i == place) {
              ASSERT_TRUE(std::isnan(columns.row(i).*output)) << text(bad);
            } else {
              ASSERT_EQ(bits(columns.row(i).*output), bits(fast::evaluate(all[i]).*output)) << text(bad);
            }
          }
      }
  }
  EXPECT_FALSE(Contract::domain_error(Case{least, 0, least}));
  EXPECT_FALSE(Contract::domain_error(Case{least, -0.0, least})) << "-0 is zero";
}

TEST(CapsuleMassProperties, TheBoundingRadiusIsCorrectlyRounded) {
  tested.for_each_case(cases(5000), [](Case const& in) {
    EXPECT_EQ(fast::evaluate(in).bounding_radius, nearest(Rational(Rational(in.radius) + Rational(in.shaft) / 2)));
  });
  for (double const a : {least, 3 * least, 5 * least, largest})
    for (double const r : {least, 2 * least, 1.0, largest}) {
      Case const in{r, a, 1};
      Rational const truth = Rational(r) + Rational(a) / 2;
      EXPECT_EQ(fast::evaluate(in).bounding_radius, nearest(truth)) << text(in);
      EXPECT_EQ(fast::evaluate_correctly_rounded(in).bounding_radius, nearest(truth)) << text(in);
    }
}

TEST(CapsuleMassProperties, TheCorrectlyRoundedFormGivesTheNearestDoubleInEveryRegime) {
  std::uint64_t subnormal = 0, infinite = 0;
  tested.for_each_case(cases(5000), [&](Case const& in) {
    Answer const answer = fast::evaluate_correctly_rounded(in);
    expect_same_bits(answer, rounded_reference(in));
    for (auto const output : outputs) {
      if (answer.*output < std::numeric_limits<double>::min()) ++subnormal;
      if (std::isinf(answer.*output)) ++infinite;
    }
  });
  EXPECT_GT(subnormal, cases(5000) / 5);
  EXPECT_GT(infinite, cases(5000) / 5);
}

TEST(CapsuleMassProperties, CorrectRoundingInIntegersGivesTheSameBits) {
  tested.for_each_case(cases(1000), [](Case const& in) {
    expect_same_bits(fast::evaluate_in_integers(in), fast::evaluate_correctly_rounded(in));
  });
}

TEST(CapsuleMassProperties, TheCorrectlyRoundedFormIsRightAcrossTheSubnormalRange) {
  // With these radii, results lie on both sides of the least normal number and of the least subnormal number.
  Random random(seed, 4, 0);
  for (std::uint64_t i = 0; i < cases(20'000); ++i) {
    int const degree = random.chance(0.5) ? 3 : 5;
    double const size = random.uniform(-1080, -1015) / degree;
    Case const in{std::exp2(size), std::exp2(size) * random.uniform(0, 3), random.uniform(0.5, 2)};
    expect_same_bits(fast::evaluate_correctly_rounded(in), rounded_reference(in));
    ASSERT_FALSE(HasFailure()) << text(in);
  }
}

TEST(CapsuleMassProperties, TheCorrectlyRoundedFormIsRightNearOverflow) {
  Random random(seed, 5, 0);
  std::uint64_t finite = 0;
  for (std::uint64_t i = 0; i < cases(20'000); ++i) {
    int const degree = random.chance(0.5) ? 3 : 5;
    double const size = random.uniform(1021, 1025) / degree;
    Case const in{std::exp2(size) * 0.6, std::exp2(size) * random.uniform(0, 1), random.uniform(0.5, 2)};
    Answer const answer = fast::evaluate_correctly_rounded(in);
    expect_same_bits(answer, rounded_reference(in));
    expect_within_budget(in, fast::evaluate(in));
    if (std::isfinite(answer.iyy)) ++finite;
    ASSERT_FALSE(HasFailure()) << text(in);
  }
  EXPECT_GT(finite, cases(20'000) / 10);
}

RC_GTEST_PROP(CapsuleMassProperties, AnySeedIsAnsweredWithinBudgetAndRoundedCorrectly, ()) {
  auto const regime = *rc::gen::inRange<std::size_t>(0, properties::regimes().size());
  Random random(*rc::gen::arbitrary<std::uint64_t>(), regime, *rc::gen::arbitrary<std::uint64_t>());
  Case const in = properties::regimes()[regime].draw(random);
  for (Judged const& each : tested.judged(in, fast::evaluate(in))) RC_ASSERT(each.verdict == Verdict::pass);
  Answer const rounded = fast::evaluate_correctly_rounded(in), expected = rounded_reference(in);
  for (auto const output : outputs) RC_ASSERT(bits(rounded.*output) == bits(expected.*output));
}

// --------------------------------------------------------------------------------------------------------------- laws

TEST(CapsuleMassProperties, LawsDetectErrorsOfAThousandUnits) {
  // Some results are wrong by 1000 u. A law whose tolerance is far too wide would not detect this. Two kinds of laws
  // cannot detect it: a law that only tests whether a result is in a range, and a law with a bound that results seldom
  // approach.
  auto const rough = [](Case const& in) {
    Answer answer = fast::evaluate(in);
    std::uint64_t hash = mix_in(mix_in(mix_in(1, in.radius), in.shaft), in.density);
    for (auto const output : outputs) {
      hash = mix_in(hash, 1);
      if (hash >> 63 != 0)
        answer.*output *= (hash >> 62 & 1) != 0 ? 1 + 1000 * unit_roundoff : 1 - 1000 * unit_roundoff;
    }
    return answer;
  };
  for (auto const& law : properties::laws())
    if (law.name.find("in_range") == std::string_view::npos) {
      EXPECT_GT(tested.hold(law, rough, cases(1500), true).worst, 1) << law.name;
    }
}

// ------------------------------------------------------------------------------------------------------------ regimes

TEST(CapsuleMassProperties, CasesHaveTheShapesThatTheirRegimesState) {
  tested.for_each_in("typical", [](Case const& in) {
    double const size = std::max(in.radius, in.shaft);
    EXPECT_TRUE(size >= 0.999e-5 && size <= 10.01 && in.density >= 99.9 && in.density <= 1.001e4);
    EXPECT_GE(in.shaft, 0.0999 * in.radius);
    EXPECT_LE(in.shaft, 31.7 * in.radius);
  });
  tested.for_each_in("sphere", [](Case const& in) { EXPECT_EQ(in.shaft, 0); });
  tested.for_each_in("thin",
                     [](Case const& in) { EXPECT_TRUE(in.shaft > 999 * in.radius && in.shaft < 1.01e12 * in.radius); });
  tested.for_each_in(
      "stubby", [](Case const& in) { EXPECT_TRUE(in.shaft < 1.01e-3 * in.radius && in.shaft > 0.99e-15 * in.radius); });
  tested.for_each_in("dyadic", [](Case const& in) {
    for (double const x : {in.radius, in.shaft, in.density}) {
      int exponent;
      double const digits = std::ldexp(std::frexp(x, &exponent), 7);
      EXPECT_EQ(digits, std::round(digits));
    }
  });
}

TEST(CapsuleMassProperties, CasesHaveTheSizesThatTheirRegimesState) {
  double most = 0;
  tested.for_each_in("large", [&](Case const& in) {
    auto const truth = oracle::truth(in);
    long double const top = std::max(truth.volume.high, truth.iyy.high);
    EXPECT_LT(top, static_cast<long double>(largest));
    EXPECT_GT(top, 1e304L);
    most = std::max(most, static_cast<double>(top));
  });
  EXPECT_GT(most, 0x1p1022);
  std::uint64_t subnormal = 0;
  tested.for_each_in("small", [&](Case const& in) {
    auto const truth = oracle::truth(in);
    long double const low = std::min(truth.volume.high, truth.iyy.high);
    EXPECT_LT(low, 1e-290L);
    if (low < 0x1p-1022L) ++subnormal;
  });
  EXPECT_GT(subnormal, 100);
  std::uint64_t lost = 0;
  tested.for_each_in("mixed_extreme", [&](Case const& in) {
    EXPECT_TRUE(in.shaft / in.radius > 1e50 || in.radius / in.shaft > 1e50 || in.shaft / in.radius == infinity);
    Answer const right = fast::evaluate(in), naive = printed::documented(in);
    if ((right.volume > 0) != (naive.volume > 0) || std::isfinite(right.iyy) != std::isfinite(naive.iyy)) ++lost;
  });
  EXPECT_GT(lost, 50);
  std::uint64_t subnormal_input = 0;
  std::set<int> exponents;
  tested.for_each_in("any_bits", [&](Case const& in) {
    exponents.insert(std::ilogb(in.radius));
    for (double const x : {in.radius, in.shaft, in.density})
      if (x > 0 && x < 0x1p-1000) ++subnormal_input;
  });
  EXPECT_GT(exponents.size(), 350);
  EXPECT_GT(subnormal_input, 5);
}

}  // namespace
}  // namespace demeter::capsule_mass_properties
