// What the checks of scenes share.
#pragma once

#include "simulator/scene_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace demeter::simulations {

/// What is wrong with the values of a scene in non-smooth dynamics.
std::optional<std::string> invalid_nonsmooth(SceneFile const& file);

/// 0.1, or "0.1" of what stands in quotes.
std::string as_written(Number const& x);

/// "body.points" of "body[1].points".
std::string without_indices(std::string_view key);

/// What is wrong with a body's name, which is added to those that there are.
std::optional<std::string> bad_name(std::string const& name, std::set<std::string>& names);

/// In 100 digits a shape, its body and its contacts take up to 20 kB: whether as many are too many.
std::optional<std::string> too_many(double shapes);

/// A scene whose values are looked at one after the other: the first that is wrong is said.
class SceneCheck {
 protected:
  explicit SceneCheck(SceneFile const& file) : file_(&file), scene_(&file.scene) {}

  void say(std::string const& key, std::string const& what) {
    if (!wrong_) wrong_ = file_->message(key, what);
  }
  void positive(std::string const& key, simulator::Number const& x, std::string_view needed = "expected > 0") {
    if (!(x.value > 0)) say(key, fmt::format("{}, {}", as_written(x), needed));
  }

  /// Of every material its name and density, and what `rest(path, material)` looks at.
  template <class Rest>
  void for_each_material(Rest const& rest) {
    std::set<std::string> names;
    for (std::size_t k = 0; k < scene_->material.size(); ++k) {
      auto const& material = scene_->material[k];
      std::string const path = fmt::format("material[{}]", k);
      if (!names.insert(material.name).second)
        say(path + ".name", fmt::format("\"{}\" is there already, expected another name", material.name));
      if (material.density) positive(path + ".density", *material.density);
      rest(path, material);
    }
  }

  /// The material that a body names, or the scene's only one; null where there is none of that name, or a choice.
  simulator::Material<simulator::Number> const* material_of(simulator::Body<simulator::Number> const& body) const {
    auto const& materials = scene_->material;
    if (body.material.empty()) return materials.size() == 1 ? &materials.front() : nullptr;
    auto const found =
        std::find_if(materials.begin(), materials.end(), [&](auto const& each) { return each.name == body.material; });
    return found == materials.end() ? nullptr : &*found;
  }

  SceneFile const* file_;
  Scene const* scene_;
  std::optional<std::string> wrong_;
};

}  // namespace demeter::simulations
