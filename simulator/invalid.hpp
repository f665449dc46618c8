// Checks of the values of a scene: the functions and the base class that all these checks share.
#pragma once

#include "simulator/scene_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace demeter::simulations {

/// Returns what is wrong with the values of a scene in non-smooth dynamics, or nothing.
std::optional<std::string> invalid_nonsmooth(SceneFile const& file);

/// Returns the number as the scene writes it: 0.1, or "0.1" for a text in quotes.
std::string as_written(Number const& x);

/// Returns the key without its indices: "body.points" for "body[1].points".
std::string without_indices(std::string_view key);

/// Returns what is wrong with the name of a body, or nothing. A valid name is added to `names`.
std::optional<std::string> bad_name(std::string const& name, std::set<std::string>& names);

/// Returns an error if the number of shapes is too large. A shape with its body and its contacts takes up to 20 kB in
/// an arithmetic of 100 digits.
std::optional<std::string> too_many(double shapes);

inline std::string_view shape_name(simulator::Form form) {
  static constexpr auto names = labels(simulator::Form{});
  return names[static_cast<std::size_t>(form)];
}

/// Checks the values of a scene one after the other. Only the first error is kept.
class SceneCheck {
 protected:
  explicit SceneCheck(SceneFile const& file) : file_(&file), scene_(&file.scene) {}

  void say(std::string const& key, std::string const& what) {
    if (!wrong_) wrong_ = file_->message(key, what);
  }
  void positive(std::string const& key, simulator::Number const& x, std::string_view needed = "expected > 0") {
    if (!(x.value > 0)) say(key, fmt::format("got {}, {}", as_written(x), needed));
  }

  /// Checks the name and the density of every material. Then calls `rest(path, material)` for this material.
  template <class Rest>
  void for_each_material(Rest const& rest) {
    std::set<std::string> names;
    for (std::size_t k = 0; k < scene_->material.size(); ++k) {
      auto const& material = scene_->material[k];
      std::string const path = fmt::format("material[{}]", k);
      if (!names.insert(material.name).second)
        say(path + ".name", fmt::format("got \"{}\" twice, expected different names", material.name));
      if (material.density) positive(path + ".density", *material.density);
      rest(path, material);
    }
  }

  /// Returns the material that a body names, or the only material of the scene if the body names none. Returns null if
  /// there is no such material, or if several are possible.
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
