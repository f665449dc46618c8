// The folder of a run. A run is written into OUT.partial under a lock, and takes OUT's place when it is complete: OUT
// holds complete runs only, and whatever ends a run leaves OUT as it was.
#pragma once

#include "base/files.hpp"
#include "simulator/manner.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace demeter::simulations {

/// Where a scene comes from, as run.json records it: the path of its file relative to the folder that holds OUT. Empty
/// for what is not a regular file.
std::string source_of(std::filesystem::path const& scene, std::filesystem::path const& out);

/// Whether a path is that of a run, complete or not: OUT or OUT.partial.
bool is_run_path(std::filesystem::path const& named);

/// The scene and the manner of the run at `named`, which becomes OUT. Reads OUT.partial if there is one. Returns what
/// is wrong with them.
std::optional<Failure> read_folder(std::filesystem::path& named, SceneFile& file, Manner& manner);

/// The state of the last checkpoint of a run, which may be one of another scene with the same bodies. Returns what is
/// wrong with it.
std::optional<Failure> read_start(std::filesystem::path const& named, Manner& manner);

class RunFolder {
 public:
  /// `named`: OUT as the user wrote it; a slash at its end, "." and links are resolved.
  RunFolder(std::filesystem::path const& named, SceneFile const& file, Manner const& manner);

  /// Locks the folder that is to be written, and makes it ready. Refuses OUT before anything is touched if another
  /// process writes there, if OUT is not a run of ours, or if it is a run of another scene. With `go_on` the run that
  /// is there is taken up, and otherwise an unfinished run of the same scene in the same manner. An unfinished run of
  /// the same scene in another manner is begun anew, with a warning.
  std::optional<Failure> begin(bool go_on, std::vector<std::string>& warnings);

  /// Puts the complete run in the place of OUT, at once; a run that was there is removed afterwards.
  std::optional<Failure> place();

  /// Where the files of the run are now.
  std::filesystem::path const& path() const { return path_; }
  /// Whether files of the run are there already.
  bool resumes() const { return resumes_; }
  /// Whether the run at OUT, which is complete, is taken up.
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
