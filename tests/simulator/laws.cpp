// Tests properties of every scene: conservation, equal bits, and the exact law of a discrete impact.
#include "simulator/oracle/trajectories.hpp"
#include "simulator/reference/quaternion.hpp"
#include "tests/simulator/scenes.hpp"

#include <fmt/format.h>

#include <cmath>

namespace demeter::simulations {
namespace {

TEST(Laws, TheRestitutionOfALinearImpactObeysItsDiscreteLaw) {
  // Balls touch the wall at 1,000 different moments within a step. Each of 20 runs has 50 balls.
  long double const k = 1e5L, m = 1, dt = 5e-4L;
  double worst = 0;
  int seen = 0;
  for (int batch = 0; batch < 20; ++batch) {
    // The radius is small. Rounding of positions then changes the overlaps as little as possible.
    double const radius = 0x1p-10, first = radius + 5e-4 * (0.5 + batch) / 1000;
    SceneFile const file = read(fmt::format(R"(
[scene]
duration = 0.012
dt = 5e-4
start = "half-step"
[[material]]
name = "ball"
kn = 1e5
[[body]]
name = "ball"
radius = 0.0009765625
position = [0, 0, {}]
velocity = [0, 0, -1]
mass = {{ mass = 1, moments = [1, 1, 1] }}
copies = 50
shift = [1, 0, {}]
[[body]]
name = "wall"
shape = "wall"
)",
                                            first, 5e-4 / 50));
    auto const simulation = simulation_of(file, "reference@double");
    // For each ball: the last gap before contact, the first and the last gap in contact, and the first gap after
    // contact.
    struct Ball {
      long double gap = 0, inside = 0, before = 0, after = 0, last = 0;
      bool touched = false, left = false;
    };
    std::vector<Ball> balls(50);
    auto const look = [&](auto const& at) {
      Shown const shown = at.snapshot();
      for (std::size_t b = 0; b < balls.size(); ++b) {
        Ball& ball = balls[b];
        long double const gap = static_cast<long double>(shown.bodies[b].position[2].value) - radius;
        if (!ball.touched && gap < 0) {
          ball.touched = true;
          ball.inside = gap;
        } else if (ball.touched && !ball.left && gap >= 0) {
          ball.left = true;
          ball.after = gap;
        }
        if (!ball.touched) ball.before = gap;
        if (ball.touched && !ball.left) ball.last = gap;
      }
    };
    look(simulation);
    run_through(file, simulation, 0, look);
    Shown const end = simulation.snapshot();
    for (std::size_t b = 0; b < balls.size(); ++b) {
      Ball const& ball = balls[b];
      if (!ball.touched || !ball.left) continue;
      ++seen;
      // Two fractions of a step: from the first touch to the next step, and from the last step in contact to the loss
      // of contact.
      long double const a = -ball.inside / (ball.before - ball.inside), e = end.bodies[b].velocity[2].value,
                        out = -ball.last / (ball.after - ball.last);
      long double const squared = simulator::oracle::discrete_restitution_squared(dt, k, m, a, out);
      worst = std::max(worst, static_cast<double>(std::fabs(std::sqrt(squared) - e)));
    }
  }
  EXPECT_GE(seen, 990);
  EXPECT_LE(worst, 1e-14);
}

/// Returns the scene of an oblique impact of two spheres with friction and spins.
std::string oblique(std::string const& kinematics) {
  return fmt::format(R"(
[scene]
duration = 0.2
dt = 1e-4
[model]
law = "dashpot"
kinematics = "{}"
[[material]]
name = "m"
density = 2600
kn = 1e5
kt_over_kn = 0.2
tan_phi = 0.5
damping_ratio = 0.1
tangential_damping = 0.5
[[body]]
name = "one"
radius = 0.1
velocity = [1, 0, 0]
spin = [3, 1, -2]
[[body]]
name = "two"
radius = 0.12
position = [0.225, 0.05, 0.02]
velocity = [-1, 0, 0]
spin = [0, 5, 1]
)",
                     kinematics);
}

TEST(Laws, MomentumIsConservedAndOnlyLammpsLosesAngularMomentum) {
  for (std::string const kinematics : {"demeter", "woo", "yade", "lammps"}) {
    SceneFile const file = read(oblique(kinematics));
    auto const simulation = simulation_of(file, "reference@double");
    Shown const start = simulation.snapshot();
    Shown const end = run_through(file, simulation);
    EXPECT_GT(end.bodies[0].contact_time.value, 0.005) << kinematics;
    EXPECT_GT(end.all.dissipated.value, 0.1) << kinematics;
    double momentum = 0, turning = 0, size = 0;
    for (Index k = 0; k < 3; ++k) {
      momentum = std::max(momentum, std::fabs(end.all.momentum[k].value - start.all.momentum[k].value));
      turning = std::max(turning, std::fabs(end.all.angular_momentum[k].value - start.all.angular_momentum[k].value));
      size = std::max(size, std::fabs(start.all.angular_momentum[k].value));
    }
    EXPECT_LE(momentum, 1e-12 * 20) << kinematics;
    if (kinematics == "lammps") {
      EXPECT_GT(turning, 1e-4 * size) << "arms that end beside the contact";
    } else if (kinematics != "yade") {
      EXPECT_LE(turning, 1e-12 * size) << kinematics;
    }
  }
}

TEST(Laws, DlmKeepsTheAngularMomentumOverAMillionSteps) {
  SceneFile const file = scene_of("free_top", {"scene.duration=20000"});
  auto const simulation = simulation_of(file, "reference@double");
  double const before = std::sqrt(.3 * .3 + 16 + 1.5 * 1.5);
  Shown const end = run_through(file, simulation);
  EXPECT_EQ(end.step, 1000000u);
  double squared = 0;
  // The angular momentum is computed from the reported spin, in the frame of the body at the end.
  Quaternion<double> q;
  for (Index k = 0; k < 4; ++k) q[k] = end.bodies[0].orientation[k].value;
  Vector3<double> w;
  for (Index k = 0; k < 3; ++k) w[k] = end.bodies[0].spin[k].value;
  Vector3<double> const of_body = simulator::reference::rotation_matrix(q).transpose() * w;
  for (Index k = 0; k < 3; ++k) squared += std::pow(static_cast<double>(k + 1) * of_body[k], 2);
  EXPECT_NEAR(std::sqrt(squared) / before, 1, 1e-12);
  EXPECT_NEAR(q.norm(), 1, 1e-14);
  EXPECT_LT(std::fabs(end.all.gained.value), 1e-3) << "its energy swings and does not drift";
}

TEST(Laws, ScalingUnitsByPowersOfTwoScalesResultsExactly) {
  // Scales lengths by 2^7 and masses by 2^-3. Times do not change. Stiffness then scales as mass, and force as mass
  // times length.
  SceneFile const file = scene_of("clump_clean");
  auto const simulation = simulation_of(file, "reference@double");
  SceneFile larger = scene_of("clump_clean");
  auto& scene = larger.scene;
  auto const by = [](Number& x, double factor) { x = Number(x.value * factor); };
  for (auto* s : {&scene}) {
    for (Index k = 0; k < 3; ++k) by(s->scene.gravity[k], 128);
    by(*s->material[0].density, 0.125 / (128. * 128 * 128));
    by(*s->material[0].young, 0.125 / 128);
    for (auto& body : s->body)
      for (auto& member : body.members) {
        by(*member.radius, 128);
        for (Index k = 0; k < 3; ++k) by(member.position[k], 128);
      }
  }
  auto const other = simulation_of(larger, "reference@double");
  Shown const a = run_through(file, simulation), b = run_through(larger, other);
  for (Index k = 0; k < 3; ++k) {
    EXPECT_EQ(a.bodies[0].position[k].value * 128, b.bodies[0].position[k].value);
    EXPECT_EQ(a.bodies[0].force[k].value * 16, b.bodies[0].force[k].value);
    EXPECT_EQ(a.bodies[0].spin[k].value, b.bodies[0].spin[k].value);
  }
  EXPECT_EQ(a.all.energy.value * 2048, b.all.energy.value);
}

TEST(Laws, PermutingTheAxesDoesNotChangeTheResult) {
  // Permutes x, y, z to y, z, x. Only the order of sums then changes.
  SceneFile const file = scene_of("clump_clean");
  SceneFile turned = scene_of("clump_clean");
  auto const shifted = [](Vector3<Number>& v) { v = {v[2], v[0], v[1]}; };
  shifted(turned.scene.scene.gravity);
  for (auto& body : turned.scene.body) {
    shifted(body.position);
    for (auto& member : body.members) shifted(member.position);
    body.axis = (body.axis + 1) % 3;
  }
  auto const one = simulation_of(file, "reference@mpfr:50"), two = simulation_of(turned, "reference@mpfr:50");
  Shown const a = run_through(file, one), b = run_through(turned, two);
  for (Index k = 0; k < 3; ++k) {
    EXPECT_NEAR(a.bodies[0].velocity[k].value, b.bodies[0].velocity[(k + 1) % 3].value, 1e-13);
    EXPECT_NEAR(a.bodies[0].spin[k].value, b.bodies[0].spin[(k + 1) % 3].value, 1e-13);
  }
}

TEST(Laws, ASavedStateContinuesWithTheSameBits) {
  for (std::string const name : {"clump_as_printed", "chung_ooi_6", "capsule_on_wall", "orifice_20"})
    for (std::string const arithmetic : {"double", "long-double", "mpfr:40"}) {
      SceneFile const file = scene_of(name);
      auto const whole = simulation_of(file, "reference@" + arithmetic),
                 half = simulation_of(file, "reference@" + arithmetic),
                 other = simulation_of(file, "reference@" + arithmetic);
      for (int k = 0; k < 300; ++k) whole.advance();
      for (int k = 0; k < 137; ++k) half.advance();
      ASSERT_TRUE(other.load(half.save()));
      EXPECT_EQ(other.save(), half.save());
      for (int k = 137; k < 300; ++k) other.advance();
      EXPECT_EQ(other.save(), whole.save()) << name << " " << arithmetic;
    }
}

TEST(Laws, DamagedStatesAreRefused) {
  SceneFile const file = scene_of("clump_clean");
  auto const simulation = simulation_of(file, "reference@double");
  simulation.advance();
  std::string const saved = simulation.save();
  EXPECT_FALSE(simulation.load(""));
  EXPECT_FALSE(simulation.load(saved + "1\n"));
  for (std::size_t size = 0; size < saved.size(); size += 7) EXPECT_FALSE(simulation.load(saved.substr(0, size)));
  EXPECT_FALSE(simulation.load(simulation_of(scene_of("chung_ooi_6"), "reference@double").save()));
  EXPECT_EQ(simulation.save(), saved);
}

TEST(Laws, BlockedDegreesOfFreedomDoNotMove) {
  SceneFile const file = read(R"(
[scene]
gravity = [0, 0, -10]
steps = 200
dt = 1e-3
[[material]]
name = "m"
density = 1000
kn = 1e5
[[body]]
name = "free"
radius = 0.1
position = [3, 0, 0.5]
[[body]]
name = "blocked"
radius = 0.1
position = [0, 0, 0.05]
velocity = [0.5, 0, 0]
spin = [0, 0, 2]
blocked = "xyzXYZ"
[[body]]
name = "wall"
shape = "wall"
)");
  auto const simulation = simulation_of(file, "reference@double");
  Shown const end = run_through(file, simulation);
  EXPECT_EQ(end.bodies[1].velocity[0].value, 0.5);
  EXPECT_EQ(end.bodies[1].velocity[2].value, 0);
  EXPECT_EQ(end.bodies[1].position[2].value, 0.05);
  EXPECT_EQ(end.bodies[1].spin[2].value, 2);
  EXPECT_NEAR(end.bodies[1].position[0].value, 0.1, 1e-13);
  EXPECT_LT(end.bodies[0].velocity[2].value, -0.5);
  EXPECT_NEAR(end.all.missing.value, 0, 1e-13);
}

TEST(Laws, DampingReducesTheAccelerationOfFreeFallByTheGivenShare) {
  SceneFile const file = read(R"(
[scene]
gravity = [0, 0, -10]
steps = 100
dt = 1e-2
[model]
damping = "0.4"
[[material]]
name = "m"
density = 1000
kn = 1
[[body]]
name = "ball"
radius = 0.1
)");
  auto const simulation = simulation_of(file, "reference@double");
  EXPECT_NEAR(run_through(file, simulation).bodies[0].velocity[2].value, -6, 1e-12);
}

}  // namespace
}  // namespace demeter::simulations
