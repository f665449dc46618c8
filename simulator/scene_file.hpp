// Reads scenes in TOML and checks them. An error is one line with file, line, column, the value found and the value
// expected.
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

/// A scene, with the position of each of its keys in the text, such as "12:3". Keys that were set outside the file have
/// no position.
struct SceneFile {
  std::string name;  ///< name of the file, for messages
  std::string text;
  Scene scene;
  std::map<std::string, std::string> places;
  std::set<std::string> given = {};                  ///< every key that was given, in the file or outside
  std::optional<std::filesystem::path> folder = {};  ///< the folder of the meshes that the scene names; empty: the
                                                     ///< scene may not name meshes
  bool kept = false;                                 ///< the folder belongs to a run: meshes have the names of
                                                     ///< `kept_mesh`
  std::map<std::size_t, std::string> meshes = {};    ///< texts of the meshes, by the index of the body that names them
  std::string source = {};                           ///< source of the scene; empty: unknown

  /// Returns "NAME:LINE:COLUMN: KEY: MESSAGE" for a key such as body[1].radius. The position is that of the key or of
  /// the nearest key above it.
  std::string message(std::string const& key, std::string const& what) const;
};

/// Returns the file name of the mesh of a body in the folder of a run. The name in the scene could be the name of
/// another file of the run.
std::string kept_mesh(std::size_t body);

/// Values of --set: "scene.start=raw", "material.steel.kn=1e5", "body[2].radius='3/5'".
using Sets = std::vector<std::string>;

/// Reads a scene and checks everything that does not need a run. Returns what is wrong, or nothing.
std::optional<std::string> read_scene(SceneFile& file, Sets const& sets);

/// Returns what is wrong with the values of a scene that was read, or nothing.
std::optional<std::string> invalid(SceneFile const& file);

/// A built-in scene.
struct BuiltIn {
  std::string_view name;
  std::string_view text;
};
std::vector<BuiltIn> const& built_in_scenes();

}  // namespace demeter::simulations
