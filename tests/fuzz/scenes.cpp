// Fuzzes scenes: the TOML reader and the checks of values. If a scene passes the checks, it must be possible to build
// it and to do a step.
#include "simulator/reference/simulation.hpp"
#include "simulator/scene_file.hpp"
#include "tests/fuzz/expect.hpp"

namespace demeter::fuzz::scenes {
namespace {

/// Returns whether a scene is small enough to build. Larger scenes take longer and test no other code.
bool is_small(simulations::Scene const& scene) {
  std::uint64_t bodies = 0;
  for (auto const& body : scene.body) bodies += std::min<std::uint64_t>(body.copies, 1000) * (1 + body.members.size());
  for (auto const& body : scene.body) bodies += body.fill ? std::min<std::uint64_t>(body.fill->count, 1000) : 0;
  // The time per step is proportional to the number of sweeps.
  if (scene.solver.itmax == 0 || scene.solver.itmax > 1000) return false;
  return bodies <= 12 && scene.scene.dt.period <= 1000;
}

void check(std::string_view text) {
  if (text.size() > 20000) return;
  simulations::SceneFile file{"scene", std::string(text), {}, {}};
  if (auto const wrong = simulations::read_scene(file, {})) {
    // Does not check the characters of the message, because the TOML reader may quote its input.
    expect(!wrong->empty(), "what is wrong is said");
    return;
  }
  if (!is_small(file.scene)) return;
  // The mass of the union of a clump can take long.
  for (auto const& body : file.scene.body)
    if (body.mass.rule == simulator::MassRule::joined) return;
  simulator::reference::Unfit unfit;
  auto const simulation = simulator::reference::simulate(file.scene, {}, 0, unfit);
  if (!simulation) {
    expect(!unfit.key.empty() && !unfit.expected.empty(), "what is unfit is said");
    return;
  }
  for (int step = 0; step < 3; ++step) simulation->advance();
  auto const shown = simulation->snapshot();
  if (auto const trouble = simulation->trouble()) {
    expect(!trouble->text.empty(), "trouble is said");
    return;
  }
  expect(shown.step == 3, "a step is a step");
  std::string const saved = simulation->save();
  expect(simulation->load(saved), "a state that is saved is read");
  expect(simulation->save() == saved, "and is the same");
}

}  // namespace

void hold(std::string_view text) { check(text); }

}  // namespace demeter::fuzz::scenes
