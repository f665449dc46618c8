// Reads scenes in TOML and checks them. An error message is one line: file, line, column, the value that was found and
// the expected values.
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

/// A scene, its text, and the position of each key in the text, such as "12:3". A key that was set outside the file has
/// no position.
struct SceneFile {
  std::string name;  ///< name of the file, for messages
  std::string text;
  Scene scene;
  std::map<std::string, std::string> places;
  std::set<std::string> given = {};                  ///< all keys that have a value, from the file or from --set
  std::optional<std::filesystem::path> folder = {};  ///< folder that contains the meshes; empty: the scene may not name
                                                     ///< meshes
  bool kept = false;                                 ///< true: the folder is the folder of a run, where `kept_mesh`
                                                     ///< gives the names of the meshes
  std::map<std::size_t, std::string> meshes = {};    ///< the text of each mesh, by the index of the body that uses it
  std::string source = {};                           ///< source of the scene; empty: unknown
  std::vector<std::string> warnings = {};            ///< keys that have no effect in a changed scene

  /// Returns "NAME:LINE:COLUMN: KEY: MESSAGE" for a key such as body[1].radius. If the key is not in the text, the
  /// position is that of the nearest key that contains it, such as body[1].
  std::string message(std::string const& key, std::string const& what) const;
};

/// Returns the name of the file to which a run copies the mesh of a body. This name does not depend on the name in the
/// scene, because that name may be the name of another file of the run.
std::string kept_mesh(std::size_t body);

/// Values of --set: "scene.start=raw", "material.steel.kn=1e5", "body[2].radius='3/5'".
using Sets = std::vector<std::string>;

/// Reads `file.text`, applies `sets` and checks everything that can be checked without a run. Returns what is wrong, or
/// nothing.
std::optional<std::string> read_scene(SceneFile& file, Sets const& sets);

/// A key without effect, and the reason.
struct UnusedKey {
  std::string key, why;
};
/// Returns the keys of a smooth scene that have no effect.
std::vector<UnusedKey> unused_keys(SceneFile const& file);

/// Returns what is wrong with the values of a scene that was read, or nothing.
std::optional<std::string> invalid(SceneFile const& file);

/// A built-in scene.
struct BuiltIn {
  std::string_view name;
  std::string_view text;
};
std::vector<BuiltIn> const& built_in_scenes();

}  // namespace demeter::simulations
