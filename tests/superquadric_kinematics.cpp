#include "fast/superquadric_kinematics.hpp"
#include "oracles/superquadric_kinematics.hpp"
#include "properties/superquadric_kinematics.hpp"
#include "reference/superquadric_contact.hpp"
#include "reference/superquadric_kinematics.hpp"
#include "tests/core/kernel_cases.hpp"

#include <gtest/gtest.h>

namespace demeter::superquadric_kinematics {
namespace {

using testing_kernels::text;
using Case = Input<double>;
using Answer = Output<double>;
using Part = Body<double>;
using Point = Vector3<double>;
using Number = Multiprecision;

constexpr std::uint64_t seed = 17;
constexpr testing_kernels::Tested<Contract, oracle::hooks> tested{properties::regimes, properties::laws, oracle::truth,
                                                                  seed};

Answer in_50_digits(Case const& in) {
  return testing_kernels::in_digits<Contract, reference::evaluate<Multiprecision>>(in, 50);
}

Part sphere(Point const& centre, double radius, Point const& velocity, Point const& spin) {
  return {centre, {1, 0, 0, 0}, {radius, radius, radius}, 2, 2, velocity, spin};
}

/// Returns spheres of radii 1 and 2 that touch at the origin.
Case touching_spheres() {
  return {sphere({0, 0, 1}, 1, {1, 0, -1}, {0, 3, 0}),
          sphere({0, 0, -2}, 2, {0, 0.5, 0}, {1, 0, 0}),
          {0, 0, 0},
          {0, 0, 5},
          1e-3,
          0.25,
          0,
          Curvature::mean};
}

// ---------------------------------------------------------------------------------------------------------- by hand

/// If spheres touch, the contact point moves with the line of the centres. The spins have no influence.
TEST(SuperquadricKinematics, SpheresAgreeWithTheClosedForm) {
  Case const in = touching_spheres();
  for (Answer const& out : {fast::evaluate(in), in_50_digits(in)}) {
    EXPECT_EQ(out.normal_velocity, -1);
    // w_i = (1, 0, -1) + (0, 3, 0) x (0, 0, -1) = (-2, 0, -1), w_j = (0, .5, 0) + (1, 0, 0) x (0, 0, 2) = (0, -1.5, 0).
    EXPECT_EQ(out.tangential_velocity, Point(-2, 1.5, 0));
    Point const expected = 0.25 * Point(2. / 3, 0.5 / 3, -2. / 3);
    EXPECT_LE((out.predicted_point - expected).cwiseAbs().maxCoeff(), 1e-15);
    EXPECT_NEAR(out.effective_radius, 2. / 3, 1e-15);
  }
  Case limited = in;
  for (Curvature const which : {Curvature::mean, Curvature::gaussian}) {
    limited.curvature = which;
    limited.curvature_limit = 0.5;
    EXPECT_NEAR(fast::evaluate(limited).effective_radius, 1. / 3, 1e-15);
    limited.curvature_limit = 5;  // 1 / (1/1 + 1/2)
    EXPECT_NEAR(fast::evaluate(limited).effective_radius, 2. / 3, 1e-15);
  }
}

/// At this pole of an ellipsoid, the curvatures are c/a^2 and c/b^2.
TEST(SuperquadricKinematics, PolesOfEllipsoidsAgreeWithTheClosedForm) {
  Case in{{{0, 0, 3}, {1, 0, 0, 0}, {1, 2, 3}, 2, 2, {0, 0, 0}, {0, 0, 0}},
          sphere({0, 0, -1}, 1, {0, 0, 0}, {0, 0, 0}),
          {0, 0, 0},
          {0, 0, 1},
          0,
          0,
          1e6,
          Curvature::mean};
  EXPECT_NEAR(fast::evaluate(in).effective_radius, 1 / (1 + (3. / 1 + 3. / 4) / 2), 1e-15);
  in.curvature = Curvature::gaussian;
  EXPECT_NEAR(fast::evaluate(in).effective_radius, 1 / (1 + 3. / 2), 1e-15);
}

// -------------------------------------------------------------------------------------------------------- two truths

/// The predicted velocity must be the derivative of the contact point. The contact points come from the reference of
/// superquadric_contact in 60 digits. The derivative is a central difference over 1e-15 s. Its error is about 1e-30.
TEST(SuperquadricKinematics, ThePredictionIsTheDerivativeOfTheContactPoint) {
  Random random(seed, 1, 0);
  for (int trial = 0; trial < 6; ++trial) {
    Case in = properties::draw_typical(random);
    with_digits(60, [&] {
      Input<Number> moving = cast<Input<Number>>(in);
      auto const contact = [&](Number const& t) {
        superquadric_contact::Input<Number> at;
        for (bool const first : {true, false}) {
          Body<Number> const& from = first ? moving.i : moving.j;
          Superquadric<Number>& to = first ? at.i : at.j;
          // The orientation is q + t (0, spin) q / 2. Its length need not be 1.
          Quaternion<Number> const& q = from.orientation;
          Vector3<Number> const h = Number(t / 2) * from.spin, v(q[1], q[2], q[3]);
          Vector3<Number> const turned = v + q[0] * h + h.cross(v);
          to.position = from.position + t * from.velocity;
          to.orientation = Quaternion<Number>(Number(q[0] - h.dot(v)), turned[0], turned[1], turned[2]);
          to.semi_axes = from.semi_axes;
          to.n1 = from.n1;
          to.n2 = from.n2;
        }
        return superquadric_contact::reference::evaluate<Number>(at);
      };
      auto const now = contact(Number(0));
      moving.point = now.point;
      moving.normal = *now.normal;
      moving.dt = Number(1);
      Number const h = Number(1) / Number(1'000'000'000'000'000);
      Vector3<Number> const velocity = reference::evaluate<Number>(moving).predicted_point - moving.point;
      Vector3<Number> const difference = (contact(h).point - contact(-h).point) / Number(2 * h);
      Number const off = Vector3<Number>(velocity - difference).norm(), size = velocity.norm();
      EXPECT_LT(static_cast<double>(off / size), 1e-15) << text(in);
    });
  }
}

// -------------------------------------------------------------------------------------------------------------- fast

/// If faces lie on each other, the equations are singular. The point then moves with the mean velocity of both bodies.
TEST(SuperquadricKinematics, ThePointOfFacesInContactMovesWithTheMeanVelocity) {
  Case const in{{{0, 0, 1}, {1, 0, 0, 0}, {1, 1, 1}, 20, 20, {1, 2, 3}, {0, 0, 0}},
                {{0, 0, -1}, {1, 0, 0, 0}, {1, 1, 1}, 20, 20, {3, 0, 1}, {0, 0, 0}},
                {0, 0, 0},
                {0, 0, 1},
                0,
                0.5,
                0,
                Curvature::mean};
  Answer const out = fast::evaluate(in);
  EXPECT_EQ(out.predicted_point, Point(1, 0.5, 1));
  // If the equations are singular, the predicted point is not judged.
  Answer wrong = out;
  wrong.predicted_point *= 2;
  tested.expect_within_budget(in, wrong);
  wrong.normal_velocity *= 2;
  auto const all = testing_kernels::judged<Contract, oracle::hooks>(in, oracle::truth(in), wrong);
  EXPECT_EQ(all[0].verdict, Verdict::fail);
}

TEST(SuperquadricKinematics, DomainErrorsNameTheField) {
  Case const good = touching_spheres();
  EXPECT_FALSE(Contract::domain_error(good));
  auto const named = [&](auto const& change) { return testing_kernels::field_refused<Contract>(good, change); };
  EXPECT_EQ(named([](Case& in) { in.j.n1 = 1.5; }), "j.n1");
  EXPECT_EQ(named([](Case& in) { in.i.orientation.setZero(); }), "i.orientation");
  EXPECT_EQ(named([](Case& in) { in.i.semi_axes[1] = 0; }), "i.semi_axes[1]");
  EXPECT_EQ(named([](Case& in) { in.point = in.j.position; }), "point");
  EXPECT_EQ(named([](Case& in) { in.normal.setZero(); }), "normal");
  EXPECT_EQ(named([](Case& in) { in.curvature_limit = -1; }), "curvature_limit");
}

}  // namespace
}  // namespace demeter::superquadric_kinematics
