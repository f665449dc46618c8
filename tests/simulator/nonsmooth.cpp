// Tests non-smooth scenes: their expectations in double and with fifty digits, the laws of every step, and the known
// errors of the documented schemes.
#include "simulator/against.hpp"
#include "simulator/ensemble.hpp"
#include "simulator/reference/layout.hpp"
#include "tests/simulator/scenes.hpp"

#include "tests/core/sanitized.hpp"

#include <fmt/format.h>

#include <cmath>
#include <random>

namespace demeter::simulations {
namespace {

double value(Shown const& shown, simulator::Simulation const& simulation, std::string const& name) {
  return value_of(shown, *find_observable(simulation, name)).value;
}

class Nonsmooth : public testing::TestWithParam<std::string> {
 protected:
  /// Checks each expectation of the scene at its time. Calls `look(file, state)` after each step.
  template <class Look>
  void expect_all(std::string const& implementation, Look const& look) const {
    SceneFile const file = scene_of(GetParam());
    auto const simulation = simulation_of(file, implementation);
    ASSERT_FALSE(file.scene.expect.empty());
    std::size_t judged = 0;
    auto const judge = [&](Shown const& shown, bool last) {
      for (auto const& expect : file.scene.expect) {
        double const half = simulation.dt() / 2, time = simulation.time();
        if (expect.at ? !(time > expect.at->value - half && time <= expect.at->value + half) : !last) continue;
        auto const observed = find_observable(simulation, expect.observable);
        ASSERT_TRUE(observed) << expect.observable;
        ++judged;
        EXPECT_TRUE(holds(expect, value_of(shown, *observed)))
            << expect.observable << ": " << value_of(shown, *observed).digits << ", expected " << expect.reason;
      }
    };
    Length const length = length_of(file.scene, simulation.dt(), 0);
    while (!at_end(length, simulation)) {
      simulation.advance();
      ASSERT_FALSE(simulation.trouble()) << simulation.trouble()->text;
      Shown const shown = simulation.snapshot();
      judge(shown, at_end(length, simulation));
      look(file, shown);
    }
    EXPECT_EQ(judged, file.scene.expect.size());
  }
};

TEST_P(Nonsmooth, ScenesGiveTheExpectedResultAndObeyTheLaws) {
  double dissipated = 0, overlap = 0;
  expect_all("reference@double", [&](SceneFile const& file, Shown const& shown) {
    auto const& all = *shown.nonsmooth;
    EXPECT_LE(std::fabs(all.missing.value), 1e-13 * all.kinetic_max.value);
    for (Index k = 0; k < 2; ++k)
      EXPECT_LE(std::fabs(all.missing_momentum[k].value),
                1e-12 * (std::fabs(all.wall_impulse[0].value) + std::fabs(all.wall_impulse[1].value) + 1e-3));
    for (auto const& contact : shown.contacts) {
      // The force on the first body is against the normal, because no contact attracts.
      double along = 0;
      for (Index k = 0; k < 3; ++k) along += contact.force[k].value * contact.normal[k].value;
      EXPECT_LE(along, 0);
    }
    if (file.scene.solver.method == simulator::SolverMethod::documented_jacobi) return;
    EXPECT_GE(all.dissipated.value, dissipated - 1e-15 * all.kinetic_max.value) << "no impulse gives energy";
    dissipated = all.dissipated.value;
    double const tolerance = file.scene.solver.tolerance.value;
    EXPECT_LE(all.residual.value, tolerance);
    double const pull = std::fabs(file.scene.scene.gravity[1].value), dt = all.dt.value,
                 speed = tolerance * (pull > 0 ? pull * dt : 1);
    EXPECT_LE(all.overlap.value, overlap + speed * dt + 1e-15) << "no step makes more overlap than its tolerance";
    overlap = all.overlap.value;
  });
}

TEST_P(Nonsmooth, ScenesGiveTheExpectedResultInFiftyDigits) {
  if (sanitized) GTEST_SKIP() << "the same code as without";
  expect_all("reference@mpfr:50", [&](SceneFile const&, Shown const& shown) {
    auto const& all = *shown.nonsmooth;
    EXPECT_LE(std::fabs(all.missing.value), 1e-46 * (all.kinetic_max.value + 1e-3));
    EXPECT_LE(std::fabs(all.missing_momentum[1].value), 1e-46);
  });
}

INSTANTIATE_TEST_SUITE_P(, Nonsmooth, testing::Values("one_grain", "row_of_five", "pyramid", "slot", "orifice_20"),
                         [](auto const& each) { return each.param; });

Shown after(std::string const& scene, Sets const& sets) {
  SceneFile const file = scene_of(scene, sets);
  return run_through(file, simulation_of(file, "reference@double"));
}

TEST(NonsmoothSolvers, AllRightMethodsConvergeToTheSameVelocities) {
  for (std::string const method : {"nlgs", "apgd", "jacobi", "mass_splitting_jacobi"}) {
    Shown const shown = after("pyramid", {"scene.steps=1", "solver.method=" + method, "solver.itmax=100000"});
    EXPECT_NEAR(shown.nonsmooth->kinetic.value / (9. / 820000), 1, 1e-9) << method;
    EXPECT_LE(shown.nonsmooth->residual.value, 1e-11) << method;
    Shown const still = after("slot", {"solver.method=" + method, "solver.itmax=1000"});
    EXPECT_NEAR(still.bodies[0].velocity[0].value, 0, 1e-6) << method;
    EXPECT_EQ(still.nonsmooth->capped.value, 0) << method;
  }
}

TEST(NonsmoothSolvers, TheDocumentedSchemeConvergesToWrongVelocities) {
  Shown const shown = after("pyramid", {"scene.steps=1", "solver.method=documented"});
  EXPECT_NEAR(shown.nonsmooth->kinetic.value / 1e-4, .109765, 5e-7) << "and not 9/82 = .109756";
  EXPECT_GT(shown.nonsmooth->residual.value, 1e-3) << "by its own stop test it has converged";
  EXPECT_EQ(shown.nonsmooth->capped.value, 0);
  EXPECT_GT(std::fabs(shown.bodies[0].velocity[0].value + shown.bodies[1].velocity[0].value), 1e-7)
      << "left and right are no longer alike";
}

TEST(NonsmoothSolvers, DocumentedJacobiDoublesTheVelocityPerSweep) {
  for (int const sweeps : {1, 5, 12}) {
    Shown const shown = after("slot", {fmt::format("solver.itmax={}", sweeps)});
    EXPECT_EQ(shown.bodies[0].velocity[0].value, std::ldexp(sweeps % 2 == 0 ? 1 : -1, sweeps));
  }
}

std::string joint_scene(std::string const& boundary) {
  return fmt::format(R"(
[scene]
steps = 1
dt = 0.5
[model]
dynamics = "nonsmooth"
[solver]
method = "documented"
boundary = "{}"
tolerance = 1e-9
alert = 0.5
[[body]]
shape = "disc"
name = "grain"
radius = 1
mass = {{ mass = 1 }}
position = [0, 1]
velocity = [1, 0]
[[body]]
shape = "polyline"
points = [[-5, 0], ["3/4", 0], [5, 0]]
)",
                     boundary);
}

TEST(NonsmoothBoundary, WithoutTheRuleForJointsAFlatJointCausesAGhostCollision) {
  auto const after_a_step = [](std::string const& boundary) {
    SceneFile const file = read(joint_scene(boundary));
    return run_through(file, simulation_of(file, "reference@double"));
  };
  Shown const documented = after_a_step("documented"), joint = after_a_step("joint");
  EXPECT_NEAR(documented.bodies[0].velocity[0].value, 47. / 50, 1e-15);
  EXPECT_NEAR(documented.bodies[0].velocity[1].value, 2. / 25, 1e-15);
  EXPECT_EQ(joint.bodies[0].velocity[0].value, 1);
  EXPECT_EQ(joint.bodies[0].velocity[1].value, 0);
}

TEST(NonsmoothBoundary, TheEndOfAWallSupportsAGrain) {
  // A grain falls on the upper end of a vertical wall. It is exactly above the end and stays on this point.
  SceneFile const file = read(R"(
[scene]
steps = 200
dt = 1e-3
gravity = [0, -10]
[model]
dynamics = "nonsmooth"
[solver]
alert = 0.1
[[body]]
shape = "disc"
radius = 0.1
mass = { mass = 1 }
position = [1, 0.2]
[[body]]
shape = "polyline"
points = [[1, 0], [1, -1]]
)");
  Shown const end = run_through(file, simulation_of(file, "reference@double"));
  EXPECT_NEAR(end.bodies[0].position[1].value, 0.1, 1e-14);
  EXPECT_EQ(end.bodies[0].position[0].value, 1);
}

TEST(Filling, PositionsAndRadiiFollowTheDocumentedRule) {
  SceneFile const file = scene_of("hourglass");
  auto const laid = simulator::lay_out(file.scene);
  ASSERT_EQ(laid.layout.discs.size(), 5000u);
  EXPECT_EQ(laid.discs.front(), "grain1");
  EXPECT_EQ(laid.discs.back(), "grain5000");
  EXPECT_EQ(laid.layout.segments.size(), 10u);
  EXPECT_EQ(laid.layout.vertices.size(), 10u) << "the gate ends where the glass has corners";
  // Computes the filling again, by the same rule in long double.
  std::mt19937_64 twister(2024);
  auto const u = [&] { return std::ldexp(static_cast<long double>(twister() >> 11U), -53); };
  std::size_t at = 0;
  for (int row = 0; at < 5000; ++row) {
    long double const y = 3e-3L + 2.42e-3L * row, half = std::min(.06L, .006L + .9L * y) - 2.6e-3L;
    int const M = static_cast<int>(std::floor(2 * half / 2.45e-3L));
    for (int k = 0; k <= M && at < 5000; ++k, ++at) {
      long double const x = -half + (2 * half - M * 2.45e-3L) / 2 + 2.45e-3L * k + (row % 2 == 1 ? 1.225e-3L : 0) -
                            6.125e-4L + 1e-5L * (u() - .5L),
                        above = y + 1e-5L * (u() - .5L), r = 1e-3L * (.8L + .4L * u());
      auto const& disc = laid.layout.discs[at];
      EXPECT_NEAR(disc.position[0].value, static_cast<double>(x), 2e-17);
      EXPECT_NEAR(disc.position[1].value, static_cast<double>(above), 6e-17);
      EXPECT_NEAR(disc.radius.value, static_cast<double>(r), 3e-19);
    }
  }
  SceneFile const other = scene_of("hourglass_500", {"body.grain.fill.seed=7"});
  EXPECT_NE(simulator::lay_out(other.scene).layout.discs[0].position[0].value, laid.layout.discs[0].position[0].value);
}

TEST(Filling, TheFilledHourglassHasNoOverlap) {
  SceneFile const file = scene_of("hourglass");
  auto const simulation = simulation_of(file, "reference@double");
  EXPECT_TRUE(simulation.warnings.empty());
  EXPECT_EQ(simulation.snapshot().nonsmooth->overlap.value, 0);
}

TEST(NonsmoothScene, AnEventRemovesAGateAtTheSameStepInEveryArithmetic) {
  for (std::string const arithmetic : {"double", "long-double", "mpfr:30"}) {
    SceneFile const file = scene_of("one_grain", {"event=[{at=0.15,remove=\"floor\"}]", "scene.duration=0.152"});
    auto const simulation = simulation_of(file, "reference@" + arithmetic);
    for (int k = 0; k < 150; ++k) simulation.advance();
    EXPECT_NEAR(value(simulation.snapshot(), simulation, "grain.velocity[1]"), 0, 1e-12);
    simulation.advance();
    EXPECT_NEAR(value(simulation.snapshot(), simulation, "grain.velocity[1]"), -9.81e-3, 1e-12) << arithmetic;
  }
}

TEST(NonsmoothScene, AWarmStartNeedsFewerSweeps) {
  Shown const warm = after("orifice_20", {"scene.steps=500", "solver.method=nlgs"}),
              cold = after("orifice_20", {"scene.steps=500", "solver.method=nlgs", "solver.warm=false"});
  EXPECT_LT(warm.nonsmooth->all_sweeps.value, 0.9 * cold.nonsmooth->all_sweeps.value);
}

TEST(NonsmoothScene, AGrainThatLeavesTheBoundaryStopsTheRunAndTheStepIsReported) {
  SceneFile const open = scene_of("orifice_20", {"body.glass.points=[[-0.003,0],[-0.02,0.02],[-0.02,0.05]]"});
  auto const simulation = simulation_of(open, "reference@double");
  while (!simulation.trouble()) {
    simulation.advance();
    ASSERT_LT(simulation.step(), 1500u);
  }
  EXPECT_NE(simulation.trouble()->text.find("has left the bounding box of the boundary at ("), std::string::npos)
      << simulation.trouble()->text;
  std::uint64_t const step = simulation.step();
  EXPECT_TRUE(simulation.trouble()->text.starts_with("step " + std::to_string(step) + ": "))
      << simulation.trouble()->text;
  simulation.advance();
  EXPECT_EQ(simulation.step(), step);

  SceneFile const fast = scene_of("orifice_20", {"solver.alert=1e-4"});
  auto const other = simulation_of(fast, "reference@double");
  while (!other.trouble()) {
    other.advance();
    ASSERT_LT(other.step(), 1500u);
  }
  EXPECT_NE(other.trouble()->text.find("solver.alert: got 0.0001 m, expected at least the motion of grain"),
            std::string::npos)
      << other.trouble()->text;
}

Against compared(std::string const& scene, Sets const& sets, std::string const& implementation,
                 std::string const& reference) {
  Against against;
  std::atomic<bool> const never{false};
  auto const failure = compare_steps(
      scene_of(scene, sets), manner_of(implementation), manner_of(reference), [](double, auto const&) {}, never,
      against);
  if (failure) throw std::runtime_error(failure->message);
  return against;
}

TEST(NonsmoothCompared, AStepInDoubleAgreesWithFiftyDigits_long) {
  if (sanitized) GTEST_SKIP() << "the same code as without";
  auto const against = compared("orifice_20", {"scene.steps=900"}, "reference@double", "reference@mpfr:50");
  EXPECT_EQ(against.steps, 900u);
  EXPECT_LE(against.position.value, 2e-17);
  EXPECT_GT(against.position.value, 1e-19) << "so good it cannot be";
  EXPECT_LE(against.tied.value, 1e-16);
  EXPECT_LT(against.other_contacts + against.other_sweeps, 45u) << "ties are few";
  EXPECT_LE(against.given, 1e-18) << "no impulse gives energy";
  EXPECT_LE(against.overlapped, 1e-10 * 9.81 * 4e-8 + 2e-17);
  EXPECT_LE(against.residual, 1e-10);
  EXPECT_EQ(against.capped, 0u);
}

TEST(NonsmoothCompared, AStepOfTheFastFormAgreesWithTheReference_long) {
  // If the two implementations do different numbers of sweeps in a step, positions may differ by 1e-10 g dt^2.
  for (std::string const method : {"nlgs", "apgd", "documented"}) {
    auto const against =
        compared("orifice_20", {"scene.steps=700", "solver.method=" + method}, "fast", "reference@double");
    EXPECT_EQ(against.other_contacts, 0u) << method;
    EXPECT_LE(std::max(against.position.value, against.tied.value), 2e-15) << method;
  }
}

TEST(Compared, AStepOfASmoothSceneAgreesWithFiftyDigits_long) {
  auto const against = compared("chung_ooi_7", {}, "reference@double", "reference@mpfr:50");
  EXPECT_LE(against.position.value, 1e-15);
  EXPECT_GT(against.position.value, 0);
  EXPECT_EQ(against.other_contacts, 0u);
  EXPECT_FALSE(against.nonsmooth);
}

TEST(Ensemble, GivesTheMeanWithItsConfidenceInterval) {
  // The quantile of Student's distribution is t(3) = 3.18244630 at 97.5 %, and s = sqrt(5/3).
  Mean const mean = mean_of({1, 2, 3, 4});
  EXPECT_EQ(mean.value, 2.5);
  EXPECT_NEAR(mean.half_width, 3.182446305 * std::sqrt(5. / 3) / 2, 1e-8);

  Ensemble ensemble;
  std::atomic<bool> const never{false};
  auto const failure = run_seeds(
      scene_of("orifice_20"), manner_of("fast"), 5, [](double, auto const&) {}, never, ensemble);
  ASSERT_FALSE(failure);
  ASSERT_EQ(ensemble.windows.size(), 10u);
  EXPECT_NEAR(ensemble.windows[0].from, 0.1, 1e-12) << "from when the gate is opened";
  EXPECT_NEAR(ensemble.windows[9].to, 0.3, 1e-12);
  double discs = 0, spread = 0;
  for (auto const& window : ensemble.windows) {
    discs += window.discs.value * (window.to - window.from);
    spread += window.discs.half_width;
  }
  EXPECT_NEAR(discs, ensemble.passed.value, 1e-9);
  EXPECT_GT(spread, 0) << "every seed is another heap";
  EXPECT_EQ(ensemble.capped, 0u);
}

}  // namespace
}  // namespace demeter::simulations
