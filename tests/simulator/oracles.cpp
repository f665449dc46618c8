// Tests the oracles of trajectories against closed forms, and the numbers of scene files.
#include "simulator/oracle/trajectories.hpp"
#include "simulator/reference/quaternion.hpp"
#include "tests/simulator/scenes.hpp"

#include <cmath>
#include <complex>

namespace demeter::simulator::oracle {
namespace {

using simulations::scene_of;

TEST(Trajectories, ASpinningCylinderAgreesWithTheClosedForm) {
  auto const scene = cast<Scene<double>>(scene_of("spun_cylinder").scene);
  auto const truths = rotation(scene, 8);
  std::vector<long double> q, spin;
  for (auto const& truth : truths) {
    if (truth.observable == "top.orientation") q = truth.values;
    if (truth.observable.starts_with("top.spin")) spin.push_back(truth.values[0]);
  }
  ASSERT_EQ(q.size(), 4u);
  ASSERT_EQ(spin.size(), 3u);
  Matrix3<long double> const R = simulator::reference::rotation_matrix<long double>({q[0], q[1], q[2], q[3]});
  Vector3<long double> const w = R.transpose() * Vector3<long double>(spin[0], spin[1], spin[2]);
  auto const& body = scene.body[0];
  long double const t = 8, tau = body.torque[0], Ix = 1, I = 2, a = (I - Ix) / I;
  EXPECT_NEAR(static_cast<double>(w[0]), static_cast<double>(body.spin[0] + tau * t / Ix), 1e-15);
  std::complex<long double> const start(body.spin[1], body.spin[2]);
  // The angular momentum is along x. The spin about y and z then rotates backwards.
  long double const angle = a * (body.spin[0] * t + tau * t * t / (2 * Ix));
  std::complex<long double> const end = start * std::exp(std::complex<long double>(0, -angle));
  EXPECT_NEAR(static_cast<double>(w[1]), static_cast<double>(end.real()), 2e-14);
  EXPECT_NEAR(static_cast<double>(w[2]), static_cast<double>(end.imag()), 2e-14);
}

TEST(Trajectories, AHertzianImpactAgreesWithTheClosedForm) {
  Impact is;
  is.law = ForceLaw::hertz;
  is.mass = 3;
  is.stiffness = 2e7L;
  is.radius = 0.1L;
  is.velocity = 0.7L;
  Rebound const after = rebound(is);
  long double const k = is.stiffness / std::sqrt(is.radius), overlap = std::pow(5 * is.mass * 0.49L / (4 * k), 0.4L);
  EXPECT_NEAR(static_cast<double>(after.overlap / overlap), 1, 1e-15);
  EXPECT_NEAR(static_cast<double>(after.velocity / is.velocity), 1, 1e-15);
  EXPECT_NEAR(static_cast<double>(after.force / (k * std::pow(overlap, 1.5L))), 1, 1e-14);
  EXPECT_NEAR(static_cast<double>(after.time / (2.9432752L * overlap / is.velocity)), 1, 1e-7);
}

TEST(Trajectories, DampingOfTsujiGivesTheRequestedRestitution) {
  for (double const e : {0.2, 0.5, 0.9}) {
    Impact is;
    is.law = ForceLaw::hertz;
    is.tension = true;
    is.mass = 2;
    is.stiffness = 1e6L;
    is.radius = 0.05L;
    is.velocity = 3;
    long double const of_e = std::log(static_cast<long double>(e)), pi = 3.14159265358979323846L;
    is.damping = std::sqrt(5.0L) * -of_e / std::sqrt(of_e * of_e + pi * pi) * std::sqrt(is.mass * is.stiffness);
    EXPECT_NEAR(static_cast<double>(rebound(is).velocity / is.velocity), e, 1e-12) << e;
    is.tension = false;
    struct Cut {
      double e, out;
    };
    for (auto const& cut : {Cut{.9, .90203}, Cut{.5, .55028}, Cut{.2, .32485}})
      if (cut.e == e) {
        EXPECT_NEAR(static_cast<double>(rebound(is).velocity / is.velocity), cut.out, 1.3e-5);
      }
  }
}

TEST(Trajectories, ADashpotAgreesWithTheClosedForm) {
  struct Measured {
    double z, allowed, cut;
  };
  for (auto const& each : {Measured{.05, .85447, .85876}, Measured{.3, .37233, .45097}, Measured{.6, .09477, .24883}}) {
    Impact is;
    is.law = ForceLaw::dashpot;
    is.mass = 2;
    is.stiffness = 1e5L;
    is.damping = 2 * static_cast<long double>(each.z) * std::sqrt(is.mass * is.stiffness);
    is.velocity = 2;
    is.tension = true;
    long double const z = each.z, w = std::sqrt(1 - z * z), pi = 3.14159265358979323846L;
    EXPECT_NEAR(static_cast<double>(rebound(is).velocity / 2), each.allowed, 1.1e-5);
    EXPECT_NEAR(static_cast<double>(rebound(is).velocity / 2 / std::exp(-pi * z / w)), 1, 1e-14);
    EXPECT_NEAR(static_cast<double>(rebound(is).time / (pi / w * std::sqrt(is.mass / is.stiffness))), 1, 1e-14);
    is.tension = false;
    EXPECT_NEAR(static_cast<double>(rebound(is).velocity / 2), each.cut, 1.1e-5);
    if (2 * z * z < 1) {
      long double const closed = std::exp(-z / w * (pi - std::atan(2 * z * w / (1 - 2 * z * z))));
      EXPECT_NEAR(static_cast<double>(rebound(is).velocity / 2 / closed), 1, 1e-13);
    }
  }
}

TEST(Numbers, NumbersOfScenesAreReadCorrectlyRounded) {
  auto const value = [](std::string_view text) { return parse_number(text)->value; };
  EXPECT_EQ(value("0.1"), 0.1);
  EXPECT_EQ(value("3/5"), 0.6);
  EXPECT_EQ(value("-pi/8"), -0x1.921fb54442d18p-2);
  EXPECT_EQ(value("pi"), 0x1.921fb54442d18p+1);
  EXPECT_EQ(value("2pi/3"), 2.0943951023931957);
  EXPECT_EQ(value("0.85pi"), 2.6703537555513241);
  EXPECT_EQ(value("-1.5e3"), -1500);
  for (std::string_view const no_number : {"", "pi/0", "1/0", "pi/", "pi/-2", "/2", "1/2pi", "pipi", "0x10", "nan",
                                           "inf", "1e400", "1e99999", "1,5", " 1", "1 ", "--1", "pi 2", "-pi/8x"})
    EXPECT_FALSE(parse_number(no_number)) << no_number;
  EXPECT_TRUE(parse_number("inf", true));
  Precision const digits(60);
  EXPECT_TRUE(exactly(*parse_number("0.1")) == Multiprecision("0.1"));
  EXPECT_TRUE(exactly(*parse_number("1/3")) == Multiprecision(1) / Multiprecision(3));
  EXPECT_TRUE(exactly(Number(0.1)) == Multiprecision(0.1)) << "a number without quotes is a double";
}

}  // namespace
}  // namespace demeter::simulator::oracle
