// Scenes from TOML, and what is wrong with them: a line with file, line, column, what was found and what was expected.
#pragma once

#include "simulator/spec/scene.hpp"

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace demeter::simulations {

using simulator::Number;
using Scene = simulator::Scene<Number>;

/// A scene with the place of each of its keys in its text, "12:3"; of those that were set from outside there is none.
struct SceneFile {
  std::string name;  ///< of the file, for messages
  std::string text;
  Scene scene;
  std::map<std::string, std::string> places;
  std::set<std::string> given = {};                  ///< every key that was given, from the file or outside
  std::optional<std::filesystem::path> folder = {};  ///< in which the meshes that it names are; none: it may name none
  bool kept = false;                                 ///< that folder is one of a run: a mesh is `kept_mesh` there
  std::map<std::size_t, std::string> meshes = {};    ///< their texts, by the numbers of the bodies that name them
  std::string source = {};                           ///< where the scene comes from; empty: unknown

  /// "NAME:LINE:COLUMN: KEY: MESSAGE", of a key such as body[1].radius, or of the nearest key above it.
  std::string message(std::string const& key, std::string const& what) const;
};

/// The name that a body's mesh has in the folder of a run: that of the scene may be the name of another file there.
std::string kept_mesh(std::size_t body);

/// "scene.start=raw", "material.steel.kn=1e5", "body[2].radius='3/5'".
using Sets = std::vector<std::string>;

/// Reads a scene and checks all that can be checked without running it. Returns what is wrong, or nothing.
std::optional<std::string> read_scene(SceneFile& file, Sets const& sets);

/// What is wrong with a scene that was read.
std::optional<std::string> invalid(SceneFile const& file);

/// The scenes that are built in, by their names.
struct BuiltIn {
  std::string_view name;
  std::string_view text;
};
std::vector<BuiltIn> const& built_in_scenes();

}  // namespace demeter::simulations
