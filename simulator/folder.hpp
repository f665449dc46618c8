// The folder of a run. OUT is the folder that the user chose. A run is written into OUT.partial under a lock. When the
// run is complete, OUT.partial replaces OUT. OUT therefore contains complete runs only, and a run that ends early
// leaves OUT unchanged.
#pragma once

#include "base/files.hpp"
#include "simulator/manner.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace demeter::simulations {

/// Returns the path of the scene file relative to the folder that contains OUT. run.json records this path as the
/// source of the scene. Returns an empty string if `scene` is not a regular file.
std::string source_of(std::filesystem::path const& scene, std::filesystem::path const& out);

/// Returns whether `named` can be the path of a run: a folder, or a missing OUT with an unfinished run in OUT.partial.
bool is_run_path(std::filesystem::path const& named);

/// Reads the scene and the options of a run. `named` is OUT or OUT.partial, and becomes OUT. Reads OUT.partial if it
/// contains an unfinished run, otherwise OUT. Returns what is wrong, or nothing.
std::optional<Failure> read_folder(std::filesystem::path& named, SceneFile& file, Manner& manner);

/// Reads the state of the last checkpoint of the run `named` into `manner.start`. The scene of this run may be another
/// scene, but it must have the same bodies. Returns what is wrong, or nothing.
std::optional<Failure> read_start(std::filesystem::path const& named, Manner& manner);

class RunFolder {
 public:
  /// `named` is OUT as the user wrote it. The constructor removes slashes at the end, and resolves "." and links.
  RunFolder(std::filesystem::path const& named, SceneFile const& file, Manner const& manner);

  /// Locks the folder and prepares it. Returns a failure before any change if another process writes there, if OUT is
  /// not a run of Demeter, or if OUT is a run of another scene. With `go_on`, continues the existing run. Without
  /// `go_on`, continues an unfinished run only if its scene and its options are the same. An unfinished run of the same
  /// scene with other options starts again, with a warning.
  std::optional<Failure> begin(bool go_on, std::vector<std::string>& warnings);

  /// Replaces OUT by the complete run, then removes the previous run. If the system can exchange two folders, the
  /// replacement is one operation.
  std::optional<Failure> place();

  /// Returns the folder that contains the files of the run now.
  std::filesystem::path const& path() const { return path_; }
  /// Returns whether the folder already has files of this run.
  bool resumes() const { return resumes_; }
  /// Returns whether this run continues the complete run at OUT.
  bool is_complete() const { return path_ == out_; }

 private:
  std::optional<Failure> unfit_out() const;
  std::optional<Failure> lock(std::filesystem::path const& folder);
  std::optional<Failure> take_up();
  std::optional<Failure> take_partial(std::vector<std::string>& warnings);
  std::optional<Failure> write_inputs() const;
  bool has_same_inputs(std::filesystem::path const& folder) const;
  bool is_same_scene(std::filesystem::path const& folder) const;
  void finish_exchange() const;

  SceneFile const& file_;
  Manner const& manner_;
  std::filesystem::path out_, partial_, path_;
  std::optional<FolderLock> lock_;
  bool resumes_ = false;
};

}  // namespace demeter::simulations
