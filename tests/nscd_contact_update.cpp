#include "fast/nscd_contact_update.hpp"
#include "oracles/nscd_contact_update.hpp"
#include "properties/nscd_contact_update.hpp"
#include "reference/core/rational.hpp"
#include "reference/nscd_contact_update.hpp"
#include "reference/printed/nscd_contact_update.hpp"
#include "tests/core/kernel_cases.hpp"

#include <gtest/gtest.h>

namespace demeter::nscd_contact_update {
namespace {

using Case = Input<double>;
using Answer = Output<double>;
using Vector = Vector2<double>;

constexpr std::uint64_t seed = 19;
constexpr testing_kernels::Tested<Contract, oracle::hooks> tested{properties::regimes, properties::laws, oracle::truth,
                                                                  seed};
constexpr double wall = std::numeric_limits<double>::infinity();

Answer in_digits(Case const& in, unsigned digits) {
  return testing_kernels::in_digits<Contract, reference::evaluate<Multiprecision>>(in, digits);
}

TEST(NscdContactUpdate, TwoEqualGrainsStopEachOther) {
  Case const in{1, 1, {-1, 0.5}, {1, 0.25}, {1, 0}, 0, 0.125};
  for (Answer const& out : {fast::evaluate(in), reference::evaluate(in), in_digits(in, 50)}) {
    EXPECT_EQ(out.normal_velocity, -2);
    EXPECT_EQ(out.correction, 2);
    EXPECT_EQ(out.velocity_i, Vector(0, 0.5));
    EXPECT_EQ(out.velocity_j, Vector(0, 0.25));
  }
}

TEST(NscdContactUpdate, RemovesOnlyTheApproachSpeedThatWouldCauseOverlap) {
  Case in{1, 3, {-1, 0}, {0, 0}, {1, 0}, 0.0625, 0.125};
  Answer const out = fast::evaluate(in);
  EXPECT_EQ(out.correction, 0.5);
  EXPECT_EQ(out.velocity_i, Vector(-0.625, 0));
  EXPECT_EQ(out.velocity_j, Vector(-0.125, 0));
  in.gap = 0.125;  // the motion exactly closes the gap
  EXPECT_EQ(fast::evaluate(in).correction, 0);
  in.gap = 1;
  EXPECT_EQ(fast::evaluate(in).velocity_i, in.velocity_i);
  in.gap = -1;  // an overlap counts as a gap of 0
  EXPECT_EQ(fast::evaluate(in).correction, 1);
}

TEST(NscdContactUpdate, AWallKeepsItsVelocity) {
  Case in{2, wall, {0, -3}, {1, 1}, {0, 1}, 0, 0.5};
  for (Answer const& out : {fast::evaluate(in), reference::evaluate(in), in_digits(in, 50)}) {
    EXPECT_EQ(out.correction, 4);
    EXPECT_EQ(out.velocity_i, Vector(0, 1));
    EXPECT_EQ(out.velocity_j, Vector(1, 1));
  }
  std::swap(in.mass_i, in.mass_j);
  std::swap(in.velocity_i, in.velocity_j);
  in.normal = -in.normal;
  EXPECT_EQ(fast::evaluate(in).velocity_j, Vector(0, 1));
  Output<double> const printed = printed::documented(in);
  EXPECT_TRUE(std::isnan(printed.velocity_i[0])) << "infinity over infinity";
}

/// A grain in the corner of two walls whose normals form an acute angle. Repeated updates of single contacts end at a
/// wrong velocity.
TEST(NscdContactUpdate, RepeatedUpdatesOfTwoContactsEndAtAWrongVelocity) {
  using Exact = Rational;
  auto const update = [](Input<Exact> in, Vector2<Exact> const& normal) {
    in.normal = normal;
    return reference::evaluate(in).velocity_i;
  };
  Exact const zero(0);
  Input<Exact> in{
      Exact(1), Exact("1" + std::string(200, '0')), {Exact(-1), Exact(-1)}, {zero, zero}, {zero, Exact(1)}, zero,
      Exact(1)};
  Vector2<Exact> const first(zero, Exact(1)), second(Exact(3) / Exact(5), Exact(4) / Exact(5));
  for (int sweep = 0; sweep < 3; ++sweep) {
    in.velocity_i = update(in, first);
    in.velocity_i = update(in, second);
  }
  // The right velocity is the projection on both half-planes, (-4/25, 3/25). Its energy is 1/50; after the updates it
  // is 8/25.
  EXPECT_EQ(in.velocity_i[0], Exact(-16) / Exact(25));
  EXPECT_EQ(in.velocity_i[1], Exact(12) / Exact(25));
}

/// The oracle computes the truth from ratios of integers, and the refined truth from intervals. Both agree to 2^-115.
TEST(NscdContactUpdate, TruthFromRatiosAgreesWithTruthFromIntervals) {
  tested.for_each_case(100, [](Case const& in) {
    Output<Enclosure> const truth = oracle::truth(in);
    Output<Interval> const refined = oracle::refined_truth(in, 512);
    auto const within = [&](Enclosure const& coarse, Interval const& fine) {
      Enclosure const again = enclosure_of(fine);
      long double const off = std::fabs((coarse.high - again.high) + (coarse.low - again.low));
      EXPECT_LE(off, coarse.radius + again.radius + std::fabs(coarse.high) * 0x1p-115L);
      EXPECT_LE(coarse.radius, std::fabs(coarse.high) * 0x1p-115L);
    };
    within(truth.normal_velocity, refined.normal_velocity);
    within(truth.correction, refined.correction);
    for (Index k = 0; k < 2; ++k) {
      within(truth.velocity_i[k], refined.velocity_i[k]);
      within(truth.velocity_j[k], refined.velocity_j[k]);
    }
  });
}

TEST(NscdContactUpdate, DomainErrorsNameTheField) {
  Case const good{1, 1, {0, 0}, {0, 0}, {0, 1}, 0, 1};
  EXPECT_FALSE(Contract::domain_error(good));
  auto const named = [&](auto const& change) { return testing_kernels::field_refused<Contract>(good, change); };
  EXPECT_EQ(named([](Case& in) { in.mass_i = 0; }), "mass_i");
  EXPECT_EQ(named([](Case& in) { in.mass_j = -1; }), "mass_j");
  EXPECT_EQ(named([](Case& in) { in.mass_i = in.mass_j = wall; }), "mass_j");
  EXPECT_EQ(named([](Case& in) { in.mass_i = wall; }), "");
  EXPECT_EQ(named([](Case& in) { in.normal = {1, 1}; }), "normal");
  EXPECT_EQ(named([](Case& in) { in.normal = {0, 1 + 1e-14}; }), "normal");
  EXPECT_EQ(named([](Case& in) { in.normal = {0.6, 0.8}; }), "");
  EXPECT_EQ(named([](Case& in) { in.velocity_j[1] = 1e61; }), "velocity_j[1]");
  EXPECT_EQ(named([](Case& in) { in.gap = 1e-61; }), "gap");
  EXPECT_EQ(named([](Case& in) { in.dt = 0; }), "dt");
}

}  // namespace
}  // namespace demeter::nscd_contact_update
