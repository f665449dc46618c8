// The folder of a run. A run is written into OUT.partial under a lock. The complete run replaces OUT. OUT therefore
// contains complete runs only, and a run that ends early leaves OUT unchanged.
#pragma once

#include "base/files.hpp"
#include "simulator/manner.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace demeter::simulations {

/// Returns the source of a scene, as run.json records it: the path of the file of the scene relative to the folder that
/// contains OUT. Returns an empty string if the source is not a regular file.
std::string source_of(std::filesystem::path const& scene, std::filesystem::path const& out);

/// Returns whether a path is the path of a complete or unfinished run: OUT or OUT.partial.
bool is_run_path(std::filesystem::path const& named);

/// Reads the scene and the manner of the run at `named`, from OUT.partial if it exists. Sets `named` to OUT. Returns
/// what is wrong, or nothing.
std::optional<Failure> read_folder(std::filesystem::path& named, SceneFile& file, Manner& manner);

/// Reads the state of the last checkpoint of a run. The run may have another scene with the same bodies. Returns what
/// is wrong, or nothing.
std::optional<Failure> read_start(std::filesystem::path const& named, Manner& manner);

class RunFolder {
 public:
  /// `named` is OUT as the user wrote it. A slash at the end, "." and links are resolved.
  RunFolder(std::filesystem::path const& named, SceneFile const& file, Manner const& manner);

  /// Locks and prepares the folder to write. Returns a failure before any change if another process writes there, if
  /// OUT is not a run of Demeter, or if OUT is a run of another scene. With `go_on`, continues the existing run.
  /// Otherwise continues an unfinished run of the same scene in the same manner. An unfinished run of the same scene in
  /// another manner is started again, with a warning.
  std::optional<Failure> begin(bool go_on, std::vector<std::string>& warnings);

  /// Replaces OUT by the complete run in one operation, then removes the previous run.
  std::optional<Failure> place();

  /// Returns the current folder of the files of the run.
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
