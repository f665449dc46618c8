// Tests every built-in scene of smooth dynamics. It must meet its expectations. Its energy ledger must close up to
// rounding. Computations with 50 and 100 digits must agree to 35 digits.
#include "tests/simulator/scenes.hpp"

#include "tests/core/sanitized.hpp"

#include <cmath>
#include <map>

namespace demeter::simulations {
namespace {

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (auto const& each : built_in_scenes())
    if (scene_of(std::string(each.name)).scene.model.dynamics == simulator::Dynamics::smooth)
      all.emplace_back(each.name);
  return all;
}

double largest_term(Shown const& shown) {
  auto const& all = shown.all;
  double most = 0;
  for (auto const* term : {&all.kinetic, &all.gravity_work, &all.normal_work, &all.tangential_work, &all.damping_work,
                           &all.applied_work, &all.blocked_work, &all.kinetic_max})
    most = std::max(most, std::fabs(term->value));
  return most;
}

class Scenes : public testing::TestWithParam<std::string> {};

TEST_P(Scenes, ScenesGiveTheExpectedResultAndTheirEnergyLedgerCloses) {
  SceneFile const file = scene_of(GetParam());
  auto const simulation = simulation_of(file, "reference@double");
  EXPECT_FALSE(file.scene.expect.empty()) << "a scene without expectations tests nothing";
  double worst = 0;
  std::uint64_t const often = std::max<std::uint64_t>(1, length_of(file.scene, simulation.dt(), 0).about / 200);
  Shown const end = run_through(file, simulation, 0, [&](auto const& at) {
    if (at.step() % often != 0) return;
    Shown const shown = at.snapshot();
    worst = std::max(worst, std::fabs(shown.all.missing.value) / largest_term(shown));
  });
  EXPECT_LE(worst, 1e-12) << "of the largest term";
  for (auto const& expect : file.scene.expect) {
    auto const observed = find_observable(simulation, expect.observable);
    ASSERT_TRUE(observed) << expect.observable;
    EXPECT_TRUE(holds(expect, value_of(end, *observed))) << expect.observable << ": " << value_of(end, *observed).digits
                                                         << ", expected " << expect.value.value << " " << expect.reason;
    EXPECT_FALSE(expect.reason.empty()) << expect.observable;
  }
}

/// Returns the kind of an observable. All components of a vector, of all bodies, have the same kind.
std::string kind_of(std::string const& name) { return name.substr(0, name.find('[')); }
Multiprecision size_of(Multiprecision const& x) { return x < 0 ? -x : x; }

TEST_P(Scenes, ComputationsWithFiftyDigitsAreCorrectToThirtyFive) {
  if (sanitized) GTEST_SKIP() << "the same code as without";
  SceneFile const file = scene_of(GetParam());
  Precision const enough(110);
  auto const fifty = simulation_of(file, "reference@mpfr:50"), hundred = simulation_of(file, "reference@mpfr:100");
  Shown const end = run_through(file, fifty);
  EXPECT_LE(std::fabs(end.all.missing.value), 1e-44 * largest_term(end));
  // Differences are relative to the largest value of the same kind in the whole run, because bodies at rest have values
  // near zero.
  std::map<std::string, Multiprecision> scales;
  std::uint64_t const often = std::max<std::uint64_t>(1, length_of(file.scene, hundred.dt(), 0).about / 50);
  auto const note = [&](Shown const& shown) {
    for (auto const& body : hundred.bodies)
      for (auto const& name : body_observables()) {
        auto& scale = scales[kind_of(name)];
        Multiprecision const size = size_of(number(value_of(shown, *find_observable(hundred, body.name + "." + name))));
        if (scale < size) scale = size;
      }
  };
  Shown const truth = run_through(file, hundred, 0, [&](auto const& at) {
    if (at.step() % often == 0) note(at.snapshot());
  });
  ASSERT_EQ(end.step, truth.step);
  auto const compare = [&](std::string const& name, Multiprecision const& scale) {
    auto const observed = *find_observable(hundred, name);
    Multiprecision const off = size_of(number(value_of(end, observed)) - number(value_of(truth, observed)));
    EXPECT_TRUE(off <= Multiprecision("1e-35") * scale)
        << name << " differs by " << static_cast<double>(off) << " of " << static_cast<double>(scale);
  };
  for (auto const& body : hundred.bodies)
    for (auto const& name : body_observables()) compare(body.name + "." + name, scales[kind_of(name)]);
  for (std::string const name : {"kinetic", "potential", "stored", "dissipated", "energy", "gained"})
    compare(name, number(truth.all.kinetic_max));
}

INSTANTIATE_TEST_SUITE_P(, Scenes, testing::ValuesIn(names()), [](auto const& each) { return each.param; });

TEST(Scene, ThePrintedForceOnTheClumpNeedsAllChoicesOfWoo) {
  // With all of Woo's choices, the scene gives the printed force to 1e-12. Without one of these choices, the force
  // differs.
  struct Without {
    std::string set;
    double force;  ///< the z component of the force without this choice
  };
  for (auto const& without : {Without{"scene.dt.rule=fixed", 2346720.7}, Without{"model.stiffness=woo", 2324835.6}}) {
    SceneFile const file = scene_of("clump_as_printed", {without.set});
    auto const simulation = simulation_of(file, "reference@double");
    // shapes[0] is the member whose force the documentation prints
    EXPECT_NEAR(run_through(file, simulation).shapes[0].force[2].value, without.force, 0.1) << without.set;
  }
}

TEST(Scene, WithoutAHalfStepAtTheStartErrorsAreOfFirstOrder) {
  auto const at_start = refined("clump_clean", 6), raw = refined("clump_clean", 6, {"scene.start=raw"});
  for (std::string const name : {"clump.position[2]", "clump.position[1]", "clump.velocity[2]"}) {
    EXPECT_NEAR(observable(at_start, name).slope, 2, 0.02) << name;
    EXPECT_NEAR(observable(raw, name).slope, 1, 0.02) << name;
  }
  struct Limit {
    std::string name;
    double value;
  };
  for (auto const& each : {Limit{"clump.position[2]", .561710046039}, Limit{"clump.position[1]", .332871952509},
                           Limit{"clump.velocity[2]", 41.595191943}, Limit{"clump.angular_momentum[0]", 10274.603923},
                           Limit{"clump.member0.force[2]", 2306101.588}})
    EXPECT_NEAR(observable(at_start, each.name).limit / each.value, 1, 1e-9) << each.name;
  auto const smooth = refined("clump_clean", 6, {"material.woo.tan_phi=0"});
  EXPECT_NEAR(observable(smooth, "clump.position[2]").limit, .561708189150, 1e-9);
  EXPECT_NEAR(observable(smooth, "clump.angular_momentum[0]").limit / 10415.218121, 1, 1e-9);
}

TEST(Scene, RotationsConvergeWithTheExpectedOrder) {
  struct Measured {
    std::string rotation;
    double order, first, last;  ///< errors at dt = 0.02 and dt = 0.0025
  };
  for (auto const& each : {Measured{"dlm", 2, 1.8e-4, 2.8e-6}, Measured{"midpoint", 2, 5.0e-4, 7.8e-6},
                           Measured{"fincham", 2, 1.4e-3, 2.0e-5}, Measured{"delvalle", 2, 1.9e-4, 2.7e-6},
                           Measured{"woo", 1, .73, .084}}) {
    auto const refinement = refined("free_top", 3, {"model.rotation=" + each.rotation});
    auto const& found = observable(refinement, "top.orientation");
    EXPECT_NEAR(found.slope, each.order, each.order > 1 ? 0.05 : 0.1) << each.rotation;
    EXPECT_NEAR(found.errors.front() / each.first, 1, 0.05) << each.rotation;
    EXPECT_NEAR(found.errors.back() / each.last, 1, 0.05) << each.rotation;
    auto const spun = refined("spun_cylinder", 4, {"model.rotation=" + each.rotation});
    EXPECT_NEAR(observable(spun, "top.orientation").slope, each.order, 0.1) << each.rotation;
  }
}

TEST(Scene, ImpactsConvergeWithTheExpectedOrder) {
  struct Measured {
    std::string scene;
    double slope, first, last;
  };
  for (auto const& each :
       {Measured{"impact_linear", 3, 2.5e-4, 7.6e-9}, Measured{"impact_hertz", 2.5, 4.3e-4, 6.8e-8}}) {
    auto const refinement = refined(each.scene, 5);
    auto const& found = observable(refinement, "ball.velocity[2]");
    EXPECT_EQ(found.copies, 64u);
    EXPECT_NEAR(found.slope, each.slope, 0.05) << each.scene;
    EXPECT_NEAR(found.errors.front() / each.first, 1, 0.02) << each.scene;
    EXPECT_NEAR(found.errors.back() / each.last, 1, 0.02) << each.scene;
  }
  auto const lagged = refined("impact_dashpot", 5),
             extrapolated = refined("impact_dashpot", 5, {"model.velocity=extrapolated"});
  EXPECT_NEAR(observable(lagged, "ball.velocity[2]").slope, 1, 0.05);
  EXPECT_NEAR(observable(lagged, "ball.velocity[2]").errors.front(), 1.3e-2, 5e-4);
  EXPECT_GT(observable(extrapolated, "ball.velocity[2]").slope, 1.6) << "which is what it is for";
}

TEST(Scene, TestEightOfChungAndOoiAgreesWithTestSix) {
  auto const end_of = [](std::string const& name) {
    SceneFile const file = scene_of(name);
    auto const simulation = simulation_of(file, "reference@double");
    return run_through(file, simulation);
  };
  Shown const six = end_of("chung_ooi_6"), eight = end_of("chung_ooi_8");
  for (std::size_t k = 0; k < 4; ++k)
    for (Index axis : {0, 2}) {
      double const a = six.bodies[k].velocity[axis].value, b = eight.bodies[2 * k].velocity[axis].value;
      EXPECT_NEAR(b / a, 1, 1e-2) << k;
    }
}

TEST(Scene, OnlyTheGeometricFormulaKeepsTheEnergyOfACradledCapsule) {
  auto const gained = [](std::string const& formula, unsigned refinement) {
    SceneFile const file = scene_of("capsule_cradle", {"use.capsule_contact=" + formula});
    auto const simulation = simulation_of(file, "reference@double", refinement);
    Shown const end = run_through(file, simulation, refinement);
    return end.all.gained.value / end.all.kinetic_max.value;
  };
  struct Measured {
    std::string formula;
    double gained;
  };
  // The steps are 1/4, 1/16 and 1/64 of the step that just resolves a contact.
  for (unsigned const refinement : {0u, 2u, 4u})
    for (auto const& each : {Measured{"documented", .550}, Measured{"woo", .313}, Measured{"reference", .221}})
      EXPECT_NEAR(gained(each.formula, refinement), each.gained, .01) << each.formula << " " << refinement;
  EXPECT_NEAR(gained("geometric", 0), 1.2e-3, 1e-4);
  EXPECT_LT(std::fabs(gained("geometric", 2)), 2e-5);
  EXPECT_LT(std::fabs(gained("geometric", 4)), 1e-5);
}

TEST(Scene, OnlyTheConservativeWallFormulaKeepsTheEnergyOfACapsule) {
  auto const gained = [](std::string const& formula, unsigned refinement) {
    SceneFile const file =
        scene_of("capsule_on_wall",
                 {"use.wall_capsule_contact=" + formula, "model.damping=0", "material.softwood.tan_phi=0",
                  "scene.dt={dt=1e-3}", "scene.duration=2", "body.capsule.orientation={axis=[0,1,0],angle=0.05}"});
    auto const simulation = simulation_of(file, "reference@double", refinement);
    return std::fabs(run_through(file, simulation, refinement).all.gained.value);
  };
  EXPECT_GT(gained("woo", 4), 30);
  EXPECT_GT(gained("reference", 4), 30);
  EXPECT_LT(gained("conservative", 2), 1e-2);
  EXPECT_LT(gained("conservative", 4), 1e-3);
}

}  // namespace
}  // namespace demeter::simulations
