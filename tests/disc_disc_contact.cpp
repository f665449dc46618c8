#include "fast/disc_disc_contact.hpp"
#include "oracles/disc_disc_contact.hpp"
#include "properties/disc_disc_contact.hpp"
#include "reference/core/multiprecision.hpp"
#include "reference/disc_disc_contact.hpp"
#include "tests/core/kernel_cases.hpp"

#include <gtest/gtest.h>

namespace demeter::disc_disc_contact {
namespace {

using testing_kernels::cases;
using Case = Input<double>;
using Answer = Output<double>;
using Vector = Vector2<double>;

constexpr std::uint64_t seed = 19;
constexpr testing_kernels::Tested<Contract, oracle::hooks> tested{properties::regimes, properties::laws, oracle::truth,
                                                                  seed};

Answer in_50_digits(Case const& in) {
  return testing_kernels::in_digits<Contract, reference::evaluate<Multiprecision>>(in, 50);
}

TEST(DiscDiscContact, ATriangleOfPythagorasIsKnown) {
  Case in{{4, 5}, 1, {1, 1}, 2, 2.5};
  for (Answer const& out : {fast::evaluate(in), reference::evaluate(in), in_50_digits(in)}) {
    EXPECT_EQ(out.gap, 2);
    ASSERT_TRUE(out.normal);
    EXPECT_NEAR((*out.normal - Vector(0.6, 0.8)).norm(), 0, 0x1p-52);  // 3 times a rounded 1/5
    EXPECT_EQ(out.present, Present::yes);
  }
  in.alert = 2;  // not below
  EXPECT_EQ(fast::evaluate(in).present, Present::no);
  EXPECT_EQ(oracle::truth(in).present, Present::no);
  in.radius_j = 0;
  EXPECT_EQ(fast::evaluate(in).gap, 4);
}

TEST(DiscDiscContact, EqualCentresHaveNoNormal) {
  Case const in{{3, 4}, 1, {3, 4}, 2, 0};
  for (Answer const& out : {fast::evaluate(in), reference::evaluate(in)}) {
    EXPECT_EQ(out.gap, -3);
    EXPECT_FALSE(out.normal);
    EXPECT_EQ(out.present, Present::yes);
  }
  Case const nearly{{3, std::nextafter(4, 5)}, 1, {3, 4}, 2, 0};
  EXPECT_EQ(*fast::evaluate(nearly).normal, Vector(0, 1));
}

TEST(DiscDiscContact, TheReferenceAgreesWithTheOracle) {
  tested.for_each_case(cases(500), [](Case const& in) { tested.expect_within_budget(in, in_50_digits(in)); });
}

TEST(DiscDiscContact, TheReferenceAgreesWithItselfAtTwiceThePrecision) {
  tested.for_each_case(50, [](Case const& in) {
    auto const at = [&](unsigned digits) {
      return testing_kernels::in_digits<Contract, reference::evaluate<Multiprecision>, long double>(in, digits);
    };
    Output<long double> const coarse = at(200), fine = at(400);
    EXPECT_LE(std::fabs(coarse.gap - fine.gap), 1e-18L * Contract::scale(in).gap);
    EXPECT_EQ(coarse.present, fine.present);
    ASSERT_EQ(coarse.normal.has_value(), fine.normal.has_value());
    if (!coarse.normal) return;
    for (Index k = 0; k < 2; ++k) EXPECT_LE(std::fabs((*coarse.normal)[k] - (*fine.normal)[k]), 1e-18L);
  });
}

TEST(DiscDiscContact, MoreBitsNarrowTheEnclosure) {
  tested.for_each_case(50, [](Case const& in) {
    Output<Enclosure> const truth = oracle::truth(in);
    Output<Interval> const refined = oracle::refined_truth(in, 512);
    EXPECT_EQ(truth.present, refined.present);
    Enclosure const again = enclosure_of(refined.gap);
    EXPECT_LE(std::fabs((truth.gap.high - again.high) + (truth.gap.low - again.low)),
              truth.gap.radius + again.radius + std::fabs(truth.gap.high) * 0x1p-115L);
    EXPECT_LE(again.radius, truth.gap.radius + std::fabs(truth.gap.high) * 0x1p-115L);
  });
}

TEST(DiscDiscContact, TheFastFormIsWithinItsBudgets) {
  tested.for_each_case(cases(2000), [](Case const& in) { tested.expect_within_budget(in, fast::evaluate(in)); });
}

TEST(DiscDiscContact, WhatIsOutsideItsDomainIsNamed) {
  Case const good{{0, 0}, 1, {3, 0}, 0, 0};
  EXPECT_FALSE(Contract::domain_error(good));
  auto const named = [&](auto const& change) { return testing_kernels::field_refused<Contract>(good, change); };
  EXPECT_EQ(named([](Case& in) { in.radius_i = 0; }), "radius_i");
  EXPECT_EQ(named([](Case& in) { in.radius_j = -1; }), "radius_j");
  EXPECT_EQ(named([](Case& in) { in.alert = -1; }), "alert");
  EXPECT_EQ(named([](Case& in) { in.centre_i[1] = 1e101; }), "centre_i[1]");
}

}  // namespace
}  // namespace demeter::disc_disc_contact
