#include "fast/superquadric_shape.hpp"
#include "oracles/superquadric_shape.hpp"
#include "properties/superquadric_shape.hpp"
#include "reference/printed/superquadric_shape.hpp"
#include "reference/superquadric_shape.hpp"
#include "tests/core/kernel_cases.hpp"

#include <gtest/gtest.h>

namespace demeter::superquadric_shape {
namespace {

using testing_kernels::cases;
using testing_kernels::nan;
using Case = Input<double>;
using Answer = Output<double>;

constexpr std::uint64_t seed = 17;

template <class Check>
void for_each_case(std::uint64_t count, Check&& check) {
  testing_kernels::for_each_case<Case>(properties::regimes(), seed, count, check);
}

void expect_within_budget(Case const& in, Answer const& answer) {
  auto const all = testing_kernels::judged<Contract, oracle::hooks>(in, oracle::truth(in), answer);
  for (std::size_t k = 0; k < all.size(); ++k) {
    EXPECT_TRUE(all[k].computed);
    EXPECT_EQ(all[k].verdict, Verdict::pass) << Contract::budgets[k].output << ": " << all[k].error;
  }
}

TEST(SuperquadricShape, TheScalesOfTheContractBoundTheScalesOfTheTruth) {
  for_each_case(cases(100), [](Case const& in) {
    Output<Enclosure> const truth = oracle::truth(in);
    Output<long double> const bound = Contract::scale(in), size = oracle::scale(in, truth);
    EXPECT_LE(size.value, bound.value);
    EXPECT_LE(size.gauge, bound.gauge);
    for (Index k = 0; k < 3; ++k) EXPECT_LE(size.gradient[k], bound.gradient[k] * 1.001L);
    if (!truth.hessian) return;
    for (Index k = 0; k < 6; ++k) EXPECT_LE((*size.hessian)[k], (*bound.hessian)[k]);
    EXPECT_LE(*size.mean_curvature, *bound.mean_curvature);
    EXPECT_LE(*size.gaussian_curvature, *bound.gaussian_curvature);
  });
}

TEST(SuperquadricShape, BallAndCylinderAgreeWithTheClosedForm) {
  // A ball of radius 2, at the point (0, 0, 4): N = 2, and the curvatures are 1/2 (mean) and 1/4 (Gaussian).
  Case const ball{{2, 2, 2}, 2, 2, {0, 0, 4}};
  Answer const of_ball = fast::evaluate(ball);
  EXPECT_EQ(of_ball.value, 3);
  EXPECT_EQ(of_ball.gauge, 2);
  EXPECT_EQ(of_ball.gradient, Vector3<double>(0, 0, .5));
  ASSERT_TRUE(of_ball.hessian && of_ball.mean_curvature && of_ball.gaussian_curvature);
  Tensor<double> H{.125, .125, 0, 0, 0, 0};
  EXPECT_EQ(*of_ball.hessian, H);
  EXPECT_EQ(*of_ball.mean_curvature, .5);
  EXPECT_EQ(*of_ball.gaussian_curvature, .25);

  // The side of a body with a round section (n2 = 2) and a flat profile (n1 = 8) has the principal curvatures 1/R and
  // 0.
  Case const side{{2, 2, 3}, 8, 2, {2, 0, 0}};
  Answer const of_side = fast::evaluate(side);
  EXPECT_EQ(of_side.gauge, 1);
  EXPECT_EQ(*of_side.mean_curvature, .25);
  EXPECT_EQ(*of_side.gaussian_curvature, 0);
}

TEST(SuperquadricShape, RoundingAnExponentGivesTheDocumentedError) {
  // docs/mathematics/superquadrics.md: a code that rounds n = 2.991 to 3 computes F = -.118 instead of -.11557. The
  // point is on the diagonal of a unit body with equal exponents, where F = 3 x^n - 1.
  double const x = std::pow(3.0, -1 / 3.0) * std::pow(1 - .118, 1 / 3.0);
  Answer const right = fast::evaluate({{1, 1, 1}, 2.991, 2.991, {x, x, x}});
  Answer const rounded = fast::evaluate({{1, 1, 1}, 3, 3, {x, x, x}});
  EXPECT_NEAR(rounded.value, -.118, 1e-12);
  EXPECT_NEAR(right.value, 3 * std::pow(x, 2.991) - 1, 1e-14);
  EXPECT_GT(right.value - rounded.value, .002);
}

TEST(SuperquadricShape, CurvaturesAreNullOnlyAtPoles) {
  for (auto const& evaluate :
       {+[](Case const& in) { return fast::evaluate(in); }, +[](Case const& in) { return reference::evaluate(in); }}) {
    auto const there = [&](double n1, double n2, double x) {
      Answer const out = evaluate({{1, 2, 3}, n1, n2, {x, 0, 1}});
      EXPECT_EQ(out.hessian.has_value(), out.mean_curvature.has_value());
      EXPECT_EQ(out.hessian.has_value(), out.gaussian_curvature.has_value());
      return out.hessian.has_value();
    };
    EXPECT_FALSE(there(2, 4, 0));
    EXPECT_FALSE(there(2, std::nextafter(2, 3), -0.0));
    EXPECT_TRUE(there(2, 2, 0));
    EXPECT_TRUE(there(std::nextafter(2, 3), 4, 0));
    EXPECT_TRUE(there(2, 4, 1e-70));
  }
}

TEST(SuperquadricShape, DomainErrorsNameTheField) {
  Case const good{{1, 1, 1}, 2, 4, {.5, .5, .5}};
  EXPECT_FALSE(Contract::domain_error(good));
  auto const field = [&](auto const& change) { return testing_kernels::field_refused<Contract>(good, change); };
  EXPECT_EQ(field([](Case& in) { in.n1 = 1.99; }), "n1");
  EXPECT_EQ(field([](Case& in) { in.n2 = std::nextafter(2, 1); }), "n2");
  EXPECT_EQ(field([](Case& in) { in.n2 = 200.5; }), "n2");
  EXPECT_EQ(field([](Case& in) { in.n1 = nan; }), "n1");
  EXPECT_EQ(field([](Case& in) { in.semi_axes[1] = 0; }), "semi_axes[1]");
  EXPECT_EQ(field([](Case& in) { in.semi_axes[2] = nan; }), "semi_axes[2]");
  EXPECT_EQ(field([](Case& in) { in.semi_axes[0] = 1e150; }), "semi_axes[0]");
  EXPECT_EQ(field([](Case& in) { in.semi_axes[0] = 1e-150; }), "semi_axes[0]");
  EXPECT_EQ(field([](Case& in) { in.point.setZero(); }), "point");
  EXPECT_EQ(field([](Case& in) { in.point[0] = nan; }), "point[0]");
  EXPECT_EQ(field([](Case& in) { in.point[1] = 1e-150; }), "point[1]");
  EXPECT_EQ(field([](Case& in) { in.point[2] = -1e150; }), "point[2]");
  EXPECT_EQ(field([](Case& in) { in.point = {0, -0.0, 1e-75}; }), "");
}

TEST(SuperquadricShape, FastIsWithinTheBudgetAtTheEndsOfTheDomain) {
  for (double const length : {1e-75, 1., 1e75})
    for (double const away : {1e-75, 1., 1e75})
      for (double const n1 : {2., 2.5, 200.})
        for (double const n2 : {2., 3., 200.}) {
          expect_within_budget({{length, length, length}, n1, n2, {away, away / 2, away / 3}},
                               fast::evaluate({{length, length, length}, n1, n2, {away, away / 2, away / 3}}));
          Case const flat{{length, 1, 1}, n1, n2, {away, 1e-75, -1e-75}};
          Answer const out = fast::evaluate(flat);
          EXPECT_TRUE(std::isfinite(out.gauge) && out.gradient.allFinite());
        }
}

TEST(SuperquadricShape, PrintedFormulasAgreeWithHandComputedValues) {
  // Equation (1) with n = 1 means exponents of 2. The surface of the unit body is then rho + z^2 - 1 = 0.
  Case const in{{1, 1, 1}, 2, 2, {.5, 0, .5}};
  EXPECT_EQ(printed::documented(in).value, .5 + .25 - 1);
  EXPECT_EQ(printed::with_factor(in, 1.0).value, -.5);
  EXPECT_EQ(printed::factor_of(in), 1);
  EXPECT_EQ(printed::factor_of(Case{{1, 1, 1}, 4, 6, {1, 1, 1}}), 1 / 16.);
  // The printed derivatives must agree with central differences.
  Case const at{{.7, 1.1, 1.3}, 3.5, 5, {.4, -.5, .6}};
  double const h = 1e-6;
  for (Index k = 0; k < 3; ++k) {
    Case before = at, after = at;
    before.point[k] -= h;
    after.point[k] += h;
    auto const slope = [&](auto const& formula) { return (formula(after).value - formula(before).value) / (2 * h); };
    auto const documented = [](Case const& x) { return printed::documented(x); };
    auto const scaled = [](Case const& x) { return printed::with_factor(x, printed::factor_of(x)); };
    EXPECT_NEAR(documented(at).gradient[k], slope(documented), 1e-8);
    EXPECT_NEAR(scaled(at).gradient[k], slope(scaled), 1e-8);
    Answer const low = scaled(before), high = scaled(after);
    EXPECT_NEAR((*scaled(at).hessian)[k], (high.gradient[k] - low.gradient[k]) / (2 * h), 1e-7);
  }
}

}  // namespace
}  // namespace demeter::superquadric_shape
