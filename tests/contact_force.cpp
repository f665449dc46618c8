#include "fast/contact_force.hpp"
#include "reference/contact_force.hpp"
#include "reference/printed/contact_force.hpp"
#include "tests/core/kernel_cases.hpp"

#include <gtest/gtest.h>

namespace demeter::contact_force {
namespace {

using Case = Input<double>;
using Answer = Output<double>;
using Vector = Vector3<double>;

Output<Multiprecision> recommended(Input<Multiprecision> const& in) { return reference::evaluate<Multiprecision>(in); }
Answer in_50_digits(Case const& in) { return testing_kernels::in_digits<Contract, recommended>(in, 50); }

/// Returns a contact along z with stiffnesses 100 and 50 and a constant overlap of 0.01.
Case plain(ForceLaw law) {
  Case in;
  in.law = law;
  in.normal_stiffness = 100;
  in.tangential_stiffness = 50;
  in.normal_damping = in.tangential_damping = 0;
  in.friction = 0.5;
  in.tension = Tension::cut;
  in.radius = 1;
  in.dt = 0.125;
  in.uN = in.uN_before = -0.01;
  in.normal = in.normal_before = {0, 0, 1};
  in.velocity.setZero();
  in.twist = 0;
  in.spring.setZero();
  return in;
}

// ---------------------------------------------------------------------------------------------------------- by hand

TEST(ContactForce, ALinearContactAgreesWithTheClosedForm) {
  Case in = plain(ForceLaw::linear);
  in.velocity = {0.0625, 0, 1};  // the spring grows by 1/128; its force 50/128 is below the friction limit 0.5
  for (Answer const& out : {fast::evaluate(in), in_50_digits(in)}) {
    EXPECT_EQ(out.force, Vector(50. / 128, 0, -1));
    EXPECT_EQ(out.spring, Vector(1. / 128, 0, 0));
    EXPECT_NEAR(out.stored, 0.005 + 25. / 128 / 128, 1e-17);
    EXPECT_EQ(out.dissipated, 0);
    EXPECT_EQ(out.status, Status::stick);
  }
  in.velocity = {0, 0.25, 0};  // the spring grows by 1/32; its force 1.5625 exceeds the friction limit 0.5
  for (Answer const& out : {fast::evaluate(in), in_50_digits(in)}) {
    EXPECT_NEAR((out.force - Vector(0, 0.5, -1)).norm(), 0, 1e-15);
    EXPECT_NEAR((out.spring - Vector(0, 0.01, 0)).norm(), 0, 1e-17);
    EXPECT_NEAR(out.dissipated, 0.5 * (1. / 32 - 0.01), 1e-16);
    EXPECT_EQ(out.status, Status::slide);
  }
}

TEST(ContactForce, ADashpotPullsOnlyIfTensionIsAllowed) {
  Case in = plain(ForceLaw::dashpot);
  in.normal_damping = 4;
  in.velocity = {0, 0, 1};
  EXPECT_EQ(fast::evaluate(in).force[2], 0);
  EXPECT_NEAR(fast::evaluate(in).dissipated, 0.125, 1e-17);  // the work that the spring force of 1 does during dt
  in.tension = Tension::allowed;
  EXPECT_EQ(fast::evaluate(in).force[2], 3);
  EXPECT_EQ(fast::evaluate(in).dissipated, 0.5);
}

/// The force law is F = 4/3 E* sqrt(R) overlap^1.5. The normal stiffness of this case is 4/3 E* R = 100.
TEST(ContactForce, AHertzianContactAgreesWithTheClosedForm) {
  Case in = plain(ForceLaw::hertz);
  in.radius = 4;
  in.uN = in.uN_before = -0.04;
  Answer const out = fast::evaluate(in);
  EXPECT_NEAR(out.force[2], -100 * 0.04 * 0.1, 1e-15);
  EXPECT_NEAR(out.stored, 0.4 * 100 * 0.0016 * 0.1, 1e-17);
}

/// The energies of a closed cycle. With `load_after_shear`, the contact is sheared, loaded, sheared back and unloaded.
/// Without it, the contact is unloaded between the two shears. The answer of each step is the history of the next step.
struct Cycle {
  double work, left;  ///< work: done by shearing; left: tangential energy stored at the end
};
template <class Law>
Cycle cycle(Law const& law, bool load_after_shear) {
  Case in = plain(ForceLaw::hertz);
  in.friction = 1e6;
  in.normal_stiffness = 1;
  in.dt = 1;
  double work = 0;
  Vector force = Vector::Zero();
  Answer out{};
  auto const step = [&](double uN, double slip) {
    in.uN_before = in.uN;
    in.uN = uN;
    in.velocity = {slip, 0, 0};
    out = law(in);
    work += slip * (force[0] + out.force[0]) / 2;
    force = out.force;
    in.spring = out.spring;
  };
  double const weak = -0.01, strong = -0.04;
  in.uN = load_after_shear ? weak : strong;
  int const steps = 64;
  for (int k = 0; k < steps; ++k) step(in.uN, 0.001);
  step(load_after_shear ? strong : weak, 0);
  for (int k = 0; k < steps; ++k) step(in.uN, -0.001);
  step(load_after_shear ? weak : strong, 0);
  double const normal = 0.4 * in.uN * in.uN * std::sqrt(-in.uN / in.radius);
  return {work, out.stored - normal};
}
TEST(ContactForce, ACycleOfShearAndLoadGainsNoEnergy) {
  auto const gained = [](auto const& law, bool load_after_shear) {
    Cycle const of = cycle(law, load_after_shear);
    return of.left - of.work;  // > 0: the stored energy exceeds the work
  };
  for (bool const first : {true, false}) {
    double const ours = gained([](Case const& in) { return reference::evaluate<double>(in); }, first);
    EXPECT_LE(ours, 1e-12) << first;
    EXPECT_NEAR(gained([](Case const& in) { return fast::evaluate(in); }, first), ours, 1e-12);
  }
  // The tangential stiffness is 50 * 0.2 in the strong contact and 50 * 0.1 in the weak contact. The spring has the
  // length 0.064. The cycle therefore gains or loses the energy 5 * 0.064^2 / 2.
  double const difference = 5 * 0.064 * 0.064 / 2;
  auto const with_memory = [](Memory memory) {
    return [memory](Case const& in) { return reference::evaluate<double>(in, Choices{.memory = memory}); };
  };
  auto const total = with_memory(Memory::total), increment = with_memory(Memory::increment);
  EXPECT_NEAR(gained(total, true), difference, 0.02 * difference);
  EXPECT_LT(gained(total, false), 0);
  EXPECT_GT(gained(increment, false), 0);
}

/// The normal moves in small steps round a spherical triangle with three right angles. The transported spring must come
/// back rotated by a right angle.
TEST(ContactForce, ASpringTransportedAroundARightTriangleReturnsRotatedByARightAngle) {
  Case in = plain(ForceLaw::linear);
  in.friction = 1e6;
  in.spring = {0.001, 0, 0};
  Vector const corner[] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  constexpr int steps = 1000;
  for (int side = 0; side < 3; ++side)
    for (int k = 1; k <= steps; ++k) {
      double const angle = 1.5707963267948966 * k / steps;
      in.normal_before = in.normal;
      in.normal = std::cos(angle) * corner[side] + std::sin(angle) * corner[side + 1];
      in.spring = fast::evaluate(in).spring;
    }
  EXPECT_NEAR((in.spring - Vector(0, 0.001, 0)).norm(), 0, 1e-15);
}

// -------------------------------------------------------------------------------------------------------------- fast

TEST(ContactForce, DomainErrorsNameTheField) {
  Case const good = plain(ForceLaw::hertz);
  EXPECT_FALSE(Contract::domain_error(good));
  double const nan = std::numeric_limits<double>::quiet_NaN();
  auto const named = [&](auto const& change) { return testing_kernels::field_refused<Contract>(good, change); };
  EXPECT_EQ(named([](Case& in) { in.normal_stiffness = 0; }), "normal_stiffness");
  EXPECT_EQ(named([](Case& in) { in.tangential_stiffness = -1; }), "tangential_stiffness");
  EXPECT_EQ(named([](Case& in) { in.normal_damping = -1; }), "normal_damping");
  EXPECT_EQ(named([&](Case& in) { in.tangential_damping = nan; }), "tangential_damping");
  EXPECT_EQ(named([](Case& in) { in.friction = 1e70; }), "friction");
  EXPECT_EQ(named([](Case& in) { in.radius = 0; }), "radius");
  EXPECT_EQ(named([](Case& in) { in.dt = 0; }), "dt");
  EXPECT_EQ(named([&](Case& in) { in.uN = nan; }), "uN");
  EXPECT_EQ(named([](Case& in) { in.uN_before = -1e-70; }), "uN_before");
  EXPECT_EQ(named([](Case& in) { in.normal.setZero(); }), "normal");
  EXPECT_EQ(named([&](Case& in) { in.velocity = {nan, 1, 0}; }), "velocity");
  EXPECT_EQ(named([](Case& in) { in.spring = {0, 0, 1e-70}; }), "spring");
  EXPECT_EQ(named([](Case& in) { in.normal_before = {1, 0, 0}; }), "normal_before");
  EXPECT_EQ(named([](Case& in) { in.twist = 9; }), "twist");
}

}  // namespace
}  // namespace demeter::contact_force
