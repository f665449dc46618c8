// Finds keys of a smooth scene that have no effect.
#include "simulator/force_law.hpp"
#include "simulator/scene_file.hpp"

#include <fmt/format.h>

namespace demeter::simulations {
namespace {

using namespace simulator;

class Unused {
 public:
  explicit Unused(SceneFile const& file) : file_(file), scene_(file.scene) {}

  std::vector<UnusedKey> find() {
    time_step();
    model();
    force_law();
    for (std::size_t k = 0; k < scene_.material.size(); ++k) material(fmt::format("material[{}].", k));
    return std::move(found_);
  }

 private:
  bool has(std::string const& key) const { return file_.given.contains(key); }
  /// Adds the key if the scene gives it.
  void unused(std::string const& key, std::string_view why) {
    if (has(key)) found_.push_back({key, fmt::format("has no effect {}", why)});
  }

  void time_step() {
    auto const& dt = scene_.scene.dt;
    if (dt.rule != StepRule::woo) unused("scene.dt.period", "without the rule woo");
    if (dt.rule == StepRule::fixed) unused("scene.dt.safety", "with the rule fixed");
    if (dt.dt && dt.rule != StepRule::fixed && dt.rule != StepRule::woo) unused("scene.dt.rule", "beside dt");
  }

  void model() {
    Model<Number> const& model = scene_.model;
    for (std::string const key : {"model.velocity_arms", "model.ratcheting_factor"})
      if (!is_of_spheres(model.kinematics)) unused(key, "with the kinematics demeter and woo");
    if (model.law == ForceLaw::linear)
      for (std::string const key : {"model.velocity", "model.restitution", "model.tangential_damping"})
        unused(key, "with law = \"linear\"");
    if (model.law == ForceLaw::hertz) unused("model.stiffness", "with law = \"hertz\"");
    if (model.stiffness != Stiffness::liggghts_hooke)
      unused("model.characteristic_velocity", "without stiffness = \"liggghts-hooke\"");
  }

  void force_law() {
    std::string const& text = scene_.use.contact_force;
    auto const law = named_law(text).law;
    if (!law) return;
    if (law->tension != contact_force::Pull::given)
      unused("model.tension", fmt::format("with contact_force = \"{}\", which decides it", text));
    if (scene_.model.law != ForceLaw::hertz &&
        (text.find("memory=") != text.npos || text.find("damping=") != text.npos))
      found_.push_back({"use.contact_force",
                        fmt::format("got \"{}\": memory and damping have no effect without law = \"hertz\"", text)});
  }

  void material(std::string const& path) {
    Model<Number> const& model = scene_.model;
    bool const linear = model.law == ForceLaw::linear, hertz = model.law == ForceLaw::hertz;
    if (linear)
      for (std::string const key :
           {"restitution", "damping_ratio", "normal_damping", "damping_rate", "tangential_damping"})
        unused(path + key, "with law = \"linear\"");
    if (!linear)
      for (std::string const key : {"damping_ratio", "normal_damping", "damping_rate"})
        if (has(path + "restitution")) unused(path + key, "beside restitution");
    if (!linear && model.tangential_damping == TangentialDamping::stiffness)
      unused(path + "tangential_damping", "with tangential_damping = \"stiffness\" in [model]");
    if (hertz) {
      unused(path + "kn", "with law = \"hertz\"");
      if (!has(path + "kn_hertz")) unused(path + "kt_over_kn", "with law = \"hertz\" and young");
      return;
    }
    unused(path + "kn_hertz", "without law = \"hertz\"");
    if (model.stiffness != Stiffness::liggghts_hooke) unused(path + "poisson", "without law = \"hertz\"");
    if (!is_from_kn(model.stiffness)) unused(path + "kn", "with this stiffness in [model]");
  }

  SceneFile const& file_;
  Scene const& scene_;
  std::vector<UnusedKey> found_;
};

}  // namespace

std::vector<UnusedKey> unused_keys(SceneFile const& file) { return Unused(file).find(); }

}  // namespace demeter::simulations
