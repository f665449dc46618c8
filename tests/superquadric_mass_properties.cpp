#include "fast/superquadric_mass_properties.hpp"
#include "oracles/superquadric_mass_properties.hpp"
#include "properties/superquadric_mass_properties.hpp"
#include "reference/printed/superquadric_mass_properties.hpp"
#include "tests/core/kernel_cases.hpp"

#include <gtest/gtest.h>

#include <cstdio>

namespace demeter::superquadric_mass_properties {
namespace {

using testing_kernels::infinity;
using testing_kernels::nan;
using Case = Input<double>;
using Answer = Output<double>;
using Number = Multiprecision;

constexpr std::uint64_t seed = 17;
constexpr double pi = 3.14159265358979323846;

void expect_within_budget(Case const& in, Answer const& answer) {
  auto const all = testing_kernels::judged<Contract, oracle::hooks>(in, oracle::truth(in), answer);
  for (std::size_t k = 0; k < all.size(); ++k) {
    EXPECT_TRUE(all[k].computed);
    EXPECT_EQ(all[k].verdict, Verdict::pass) << Contract::budgets[k].output << ": " << all[k].error;
  }
}

/// Returns the integral of f over [0, 1] by the rule of Takahasi and Mori. f gets x and 1 - x. Both are computed
/// without cancellation, so powers of both are accurate at the ends.
template <class F>
Number integral(F const& f) {
  using std::exp;
  Number const h = Number(1) / 64, half_pi = demeter::pi<Number>() / 2;
  Number sum(0);
  for (int k = -320; k <= 320; ++k) {
    Number const t = Number(k) * h, growth = exp(t), sinh = (growth - 1 / growth) / 2, cosh = (growth + 1 / growth) / 2;
    // x = 1/(1 + e^(-pi sinh t)) and 1 - x.
    Number const tail = exp(Number(-2) * half_pi * sinh), x = Number(1) / (Number(1) + tail),
                 rest = Number(1) / (Number(1) + Number(1) / tail);
    sum += Number(2) * half_pi * cosh * x * rest * f(x, rest);
  }
  return sum * h;
}

/// Returns 1 - x^n, where rest = 1 - x. Near x = 1, it is computed by series as -expm1(n log1p(-rest)).
Number one_minus_power(Number const& x, Number const& rest, Number const& n) {
  using std::exp, std::log;
  if (rest < Number(1) / 1000) {
    // Series of -log(1 - r), with 40 terms for r < 1/1000, and of 1 - e^(-y).
    Number y(0), power(1);
    for (int k = 1; k <= 40; ++k) power *= rest, y += power / Number(k);
    y *= n;
    if (y < Number(1) / 4) {
      Number term(1), sum(0);
      for (int k = 1; k <= 60; ++k) term *= -y / Number(k), sum -= term;
      return sum;
    }
    return Number(1) - exp(-y);
  }
  using std::pow;
  return Number(1) - pow(x, n);
}

TEST(SuperquadricMassProperties, TheOracleAgreesWithQuadrature) {
  // Integrates without gamma functions: the area of the section from its height over x, and the body from its sections
  // over z.
  Precision const digits(60);
  for (auto const& [n1, n2] :
       {std::pair{1., 1.}, {1.25, 3.}, {2., 2.}, {2.5, 1.5}, {4., 8.}, {20., 7.}, {200., 200.}}) {
    Case const in{{1.5, 0.75, 2.25}, n1, n2, 3};
    Number const N1(n1), N2(n2), e2 = Number(1) / N2;
    using std::pow;
    auto const edge = [&](Number const& x, Number const& rest) {
      return Number(pow(one_minus_power(x, rest, N2), e2));
    };
    auto const section = [&](Number const& z, Number const& rest, int power) {
      return Number(pow(one_minus_power(z, rest, N1), Number(Number(power) / N1)));
    };
    Number const area = Number(4) * integral(edge);
    Number const second =
        Number(4) * integral([&](Number const& x, Number const& rest) { return Number(x * x * edge(x, rest)); });
    auto const over_z = [&](int power, int of_z) {
      return Number(Number(2) * integral([&](Number const& z, Number const& rest) {
                      return Number((of_z == 2 ? z * z : Number(1)) * section(z, rest, power));
                    }));
    };
    Number const a(1.5), b(0.75), c(2.25), box = a * b * c, density(3);
    Number const V = box * area * over_z(2, 0), X = box * a * a * second * over_z(4, 0),
                 Y = box * b * b * second * over_z(4, 0), Z = box * c * c * area * over_z(2, 2);
    Output<Interval> const truth = oracle::refined_truth(in, 160);
    auto const expect_near = [](Number const& x, Interval const& of) {
      Interval value(256);
      mpfi_set_fr(value.get(), x.get());
      Interval const tolerance = Interval::exactly(1e-35L) * magnitude(value);
      EXPECT_TRUE(certainly_less(magnitude(value - of), tolerance)) << static_cast<double>(x);
    };
    expect_near(V, truth.volume);
    expect_near(density * V, truth.mass);
    expect_near(density * (Y + Z), truth.inertia[0]);
    expect_near(density * (X + Z), truth.inertia[1]);
    expect_near(density * (X + Y), truth.inertia[2]);
  }
}

TEST(SuperquadricMassProperties, TheBoundingRadiusIsTheLargestDistanceOnTheSurface) {
  // Computes the largest distance from the centre over a grid of points on one octant of the surface.
  for (auto const& [n1, n2] : {std::pair{1., 1.5}, {2., 2.}, {2.5, 3.}, {4., 20.}, {50., 2.}, {2., 50.}}) {
    Case const in{{1, 0.8, 1.2}, n1, n2, 1};
    double farthest = 0;
    for (int i = 0; i <= 600; ++i)
      for (int j = 0; j <= 600; ++j) {
        double const s = i / 600., t = j / 600.;  // the shares of |x/a|^n2 and of |z/c|^n1
        double const rho = std::pow(1 - t, 1 / n1), x = rho * std::pow(s, 1 / n2),
                     y = rho * std::pow(1 - s, 1 / n2) * .8, z = 1.2 * std::pow(t, 1 / n1);
        farthest = std::max(farthest, std::sqrt(x * x + y * y + z * z));
      }
    double const radius = fast::evaluate(in).bounding_radius;
    EXPECT_LE(farthest, radius * (1 + 1e-15));
    EXPECT_GE(farthest, radius * (1 - 1e-5));
  }
}

TEST(SuperquadricMassProperties, SimpleBodiesAgreeWithTheClosedForm) {
  // Three bodies: a ball; nearly a box, with (V/8abc - 1) n^2 about -4.93; nearly a cylinder, with (V/2 pi abc - 1) n^2
  // about -3.29.
  Answer const ball = fast::evaluate({{1, 1, 1}, 2, 2, 1});
  EXPECT_DOUBLE_EQ(ball.volume, 4 * pi / 3);
  EXPECT_DOUBLE_EQ(ball.inertia[0], 8 * pi / 15);
  EXPECT_EQ(ball.bounding_radius, 1);
  Answer const box = fast::evaluate({{1, 2, 3}, 200, 200, 1});
  EXPECT_NEAR((box.volume / 48 - 1) * 4e4, -4.93, .06);
  Answer const cylinder = fast::evaluate({{1, 2, 3}, 200, 2, 1});
  EXPECT_NEAR((cylinder.volume / (12 * pi) - 1) * 4e4, -3.29, .06);
  Answer const corners = fast::evaluate({{1, 2, 3}, 1, 1, 1});
  EXPECT_EQ(corners.volume, 8);
  EXPECT_DOUBLE_EQ(corners.inertia[0], 8 * 13 / 10.);
}

std::string text(double x, int digits) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.*f", digits, x);
  return buffer;
}

TEST(SuperquadricMassProperties, FormulasReproduceTheFiguresOfTheNote) {
  // With n = 1 and unit axes, equation (1) has the volume 16 pi/15 = 3.351. A ball has the volume 4.189.
  Answer const printed = printed::documented(Case{{1, 1, 1}, 2, 2, 1});
  EXPECT_EQ(text(printed.volume, 3), "3.351");
  EXPECT_DOUBLE_EQ(printed.volume, 16 * pi / 15);
  EXPECT_EQ(text(fast::evaluate({{1, 1, 1}, 2, 2, 1}).volume, 3), "4.189");
  // Equation (3) is the radius of a ball of equal volume, divided by (abc)^(1/3).
  auto const ratio = [](double n) {
    double const volume = fast::evaluate({{1.25, 0.5, 2}, n, n, 1}).volume;
    return text(std::cbrt(3 * volume / (4 * pi)) / std::cbrt(1.25), 4);
  };
  EXPECT_EQ(ratio(4), "1.1567");
  EXPECT_EQ(ratio(8), "1.2152");
  EXPECT_EQ(ratio(20), "1.2361");
}

TEST(SuperquadricMassProperties, TheFormulaWithBetaFunctionsIsWithinTheBudget) {
  Precision const digits(60);
  testing_kernels::for_each_in<Case>(properties::regimes(), "any_exponents", seed, 50, [](Case const& in) {
    auto const other = printed::with_beta<Number>(cast<Input<Number>>(in));
    Answer answer = cast<Answer>(other);
    answer.bounding_radius = fast::evaluate(in).bounding_radius;
    expect_within_budget(in, answer);
  });
}

TEST(SuperquadricMassProperties, DomainErrorsNameTheField) {
  Case const good{{1, 1, 1}, 1, 200, 1};
  EXPECT_FALSE(Contract::domain_error(good));
  auto const field = [&](auto const& change) {
    Case in = good;
    change(in);
    auto const wrong = Contract::domain_error(in);
    EXPECT_TRUE(!wrong || std::isnan(fast::evaluate(in).volume));
    return wrong ? wrong->field : "nothing";
  };
  EXPECT_EQ(field([](Case& in) { in.n1 = .99; }), "n1");
  EXPECT_EQ(field([](Case& in) { in.n2 = std::nextafter(200, 201); }), "n2");
  EXPECT_EQ(field([](Case& in) { in.n2 = nan; }), "n2");
  EXPECT_EQ(field([](Case& in) { in.semi_axes[0] = 0; }), "semi_axes[0]");
  EXPECT_EQ(field([](Case& in) { in.semi_axes[1] = nan; }), "semi_axes[1]");
  EXPECT_EQ(field([](Case& in) { in.density = -1; }), "density");
}

TEST(SuperquadricMassProperties, FastIsRightForLengthsAtTheEndsOfTheRange) {
  for (double const length : {1e-150, 1e150}) {
    Case const in{{length, length, length}, 4, 4, 1};
    expect_within_budget(in, fast::evaluate(in));
    Answer const out = fast::evaluate(in);
    EXPECT_EQ(out.volume, length < 1 ? 0 : infinity);
    EXPECT_NEAR(out.bounding_radius / length, std::pow(3, .25), 1e-14);
  }
  // The axes are extreme, but their product is in the range of doubles.
  Case const in{{1e-150, 1e150, 1}, 3, 5, 1e-3};
  expect_within_budget(in, fast::evaluate(in));
}

}  // namespace
}  // namespace demeter::superquadric_mass_properties
