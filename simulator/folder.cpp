#include "simulator/folder.hpp"

#include "base/json_text.hpp"
#include "simulator/files.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

namespace demeter::simulations {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr std::string_view run_format = "demeter run 1";
constexpr std::size_t most_of_run_json = std::size_t{1} << 24;

/// The name of a file in OUT.partial that marks a run as unfinished. If OUT contains this file, a complete run has just
/// replaced the previous run at OUT. The previous run is then in OUT.partial and must be removed.
constexpr std::string_view mark = "unfinished";
/// The name of a folder for the previous run, inside the folder of the new run. Only used if the system cannot exchange
/// two folders.
constexpr std::string_view previous = "previous";
constexpr std::string_view ending = ".partial";

Failure failure(fs::path const& path, std::string_view what, Cause cause) {
  return {fmt::format("{}: {}", path.string(), what), cause};
}

bool is_marked(fs::path const& folder) {
  std::error_code error;
  return fs::is_regular_file(fs::symlink_status(folder / mark, error));
}

/// Returns OUT without a slash at the end, and with links and dots at the end resolved.
fs::path resolved(fs::path named) {
  while (named.filename().empty() && named.has_relative_path()) named = named.parent_path();
  std::error_code error;
  if (named.filename() == "." || named.filename() == ".." || fs::is_symlink(named, error))
    if (auto const is = fs::canonical(named, error); !error) return is;
  return named;
}

fs::path partial_of(fs::path const& out) { return out.string() + std::string(ending); }

/// Returns OUT of a run that exists. The user may name OUT or OUT.partial.
fs::path out_of_run(fs::path const& named) {
  auto const out = resolved(named);
  std::string const text = out.string();
  return text.ends_with(ending) && is_marked(out) ? fs::path(text.substr(0, text.size() - ending.size())) : out;
}

/// Returns the folder that contains the files of the run OUT now.
fs::path current(fs::path const& out) {
  auto const partial = partial_of(out);
  return is_marked(partial) && !is_marked(out) ? partial : out;
}

bool has_digits_between(std::string_view text, std::string_view before, std::string_view after) {
  if (text.size() <= before.size() + after.size() || !text.starts_with(before) || !text.ends_with(after)) return false;
  text.remove_prefix(before.size());
  text.remove_suffix(after.size());
  return text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// Returns whether a run writes files with this name.
bool is_run_file(std::string_view name) {
  static constexpr std::array<std::string_view, 14> names{
      "scene.toml",   "run.json",   "start",           "checkpoint",      "results.json",
      "film.html",    mark,         "observables.csv", "trajectory.dump", "contacts.csv",
      "boundary.msh", "bodies.pvd", "contacts.pvd",    "boundary.vtp"};
  return std::find(names.begin(), names.end(), name) != names.end() || has_digits_between(name, "mesh-", ".msh") ||
         has_digits_between(name, "bodies_", ".vtp") || has_digits_between(name, "contacts_", ".vtp") ||
         (name.starts_with(".demeter-") && name.ends_with(".part"));
}

/// Returns the name of an entry of a folder that is not a file of a run, or nothing.
std::optional<std::string> foreign_in(fs::path const& folder) {
  std::error_code error;
  for (auto each = fs::directory_iterator(folder, error); !error && each != fs::directory_iterator();
       each.increment(error)) {
    std::string const name = each->path().filename().string();
    auto const type = each->symlink_status(error).type();
    if (type == fs::file_type::directory && (name == "vtk" || name == previous)) {
      if (auto const inner = foreign_in(each->path())) return fmt::format("{}/{}", name, *inner);
    } else if (type != fs::file_type::regular || !is_run_file(name)) {
      return name;
    }
  }
  return error ? std::optional(error.message()) : std::nullopt;
}

/// Removes the files of a run from a folder, except the mark.
void clear(fs::path const& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (auto each = fs::directory_iterator(folder, error); !error && each != fs::directory_iterator();
       each.increment(error))
    files.push_back(each->path());
  for (auto const& path : files) {
    auto const type = fs::symlink_status(path, error).type();
    std::string const name = path.filename().string();
    if (type == fs::file_type::regular && is_run_file(name) && name != mark) ::unlink(path.c_str());
    if (type != fs::file_type::directory || (name != "vtk" && name != previous)) continue;
    clear(path);
    ::unlink((path / mark).c_str());
    ::rmdir(path.c_str());
  }
}

void unmark(fs::path const& folder) { ::unlink((folder / mark).c_str()); }

/// Forces the names of the files in a folder to the disk.
void sync_names(fs::path const& folder) {
  int const opened = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (opened < 0) return;
  ::fsync(opened);
  ::close(opened);
}

std::string run_text(SceneFile const& file, Manner const& manner) {
  ordered_json json;
  json["format"] = run_format;
  json["version"] = manner.version;
  json["scene"] = file.name;
  json["source"] = file.source;
  json["implementation"] = manner.implementation;
  json["set"] = manner.sets;
  return json_text(json, 1) + "\n";
}

/// Returns the files that define the run, as pairs of name and text. scene.toml is the last one: if it exists, all
/// these files are complete.
std::vector<std::pair<std::string, std::string>> inputs_of(SceneFile const& file, Manner const& manner) {
  std::vector<std::pair<std::string, std::string>> inputs;
  for (auto const& [body, mesh] : file.meshes) inputs.emplace_back(kept_mesh(body), mesh);
  if (!manner.start.empty()) inputs.emplace_back("start", manner.start);
  inputs.emplace_back("run.json", run_text(file, manner));
  inputs.emplace_back("scene.toml", file.text);
  return inputs;
}

/// Reads run.json. Its keys must be exactly the keys that `run_text` writes. All values are strings, except the list
/// "set".
bool read_run_text(std::string const& text, SceneFile& file, Manner& manner) {
  auto const json = ordered_json::parse(text, nullptr, false);
  if (!json.is_object() || json.size() != 6) return false;
  for (auto const* key : {"format", "version", "scene", "source", "implementation"})
    if (!json.contains(key) || !json[key].is_string()) return false;
  if (json["format"].get<std::string>() != run_format || !json.contains("set") || !json["set"].is_array()) return false;
  manner.sets.clear();
  for (auto const& set : json["set"]) {
    if (!set.is_string()) return false;
    manner.sets.push_back(set.get<std::string>());
  }
  manner.version = json["version"].get<std::string>();
  file.name = json["scene"].get<std::string>();
  file.source = json["source"].get<std::string>();
  return !file.name.empty() && read_implementation(json["implementation"].get<std::string>(), manner);
}

/// Reads the definition of a run from its folder.
std::optional<Failure> read_inputs(fs::path const& folder, SceneFile& file, Manner& manner) {
  auto const text = read_whole(folder / "run.json", most_of_run_json);
  auto scene = read_whole(folder / "scene.toml");
  if (!text || !scene)
    return failure(folder, "expected a folder that demeter simulate wrote, with run.json and scene.toml", Cause::data);
  if (!read_run_text(*text, file, manner))
    return failure(folder / "run.json", "expected a file that demeter simulate wrote", Cause::data);
  manner.start = read_whole(folder / "start").value_or("");
  file.text = std::move(*scene);
  file.folder = folder;
  file.kept = true;
  return std::nullopt;
}

/// Returns whether a folder cannot be renamed: it is a mount point, the root, the current folder or a parent of it.
bool is_pinned(fs::path const& folder) {
  struct stat here {
  }, above{};
  if (::stat(folder.c_str(), &here) != 0 || ::stat((folder / "..").c_str(), &above) != 0) return false;
  if (here.st_dev != above.st_dev || here.st_ino == above.st_ino) return true;  // a mount point, or the root
  std::error_code error;
  for (auto each = fs::current_path(error); !error && !each.empty(); each = each.parent_path()) {
    if (fs::equivalent(each, folder, error)) return true;
    if (each == each.parent_path()) break;
  }
  return false;
}

}  // namespace

std::string source_of(fs::path const& scene, fs::path const& out) {
  std::error_code error;
  if (!fs::is_regular_file(scene, error)) return "";
  auto const path = fs::absolute(scene, error).lexically_normal();
  auto const beside = fs::absolute(resolved(out), error).lexically_normal().parent_path();
  return error ? "" : path.lexically_relative(beside).string();
}

bool is_run_path(fs::path const& named) {
  std::error_code error;
  return fs::is_directory(named, error) || (!fs::exists(named, error) && is_marked(partial_of(resolved(named))));
}

std::optional<Failure> read_folder(fs::path& named, SceneFile& file, Manner& manner) {
  named = out_of_run(named);
  return read_inputs(current(named), file, manner);
}

std::optional<Failure> read_start(fs::path const& named, Manner& manner) {
  auto const out = out_of_run(named);
  std::error_code error;
  auto const path = (fs::exists(out / "checkpoint", error) ? out : current(out)) / "checkpoint";
  auto const text = read_whole(path);
  if (!text) return failure(path, "expected the checkpoint of a run", Cause::usage);
  auto state = state_in_checkpoint(*text);
  if (!state) return failure(path, "truncated or changed, expected the complete file", Cause::data);
  manner.start = std::move(*state);
  return std::nullopt;
}

RunFolder::RunFolder(fs::path const& named, SceneFile const& file, Manner const& manner)
    : file_(file), manner_(manner), out_(resolved(named)), partial_(partial_of(out_)), path_(partial_) {}

bool RunFolder::has_same_inputs(fs::path const& folder) const {
  auto const inputs = inputs_of(file_, manner_);
  std::error_code error;
  return fs::exists(folder / "start", error) != manner_.start.empty() &&
         std::all_of(inputs.begin(), inputs.end(),
                     [&](auto const& each) { return read_whole(folder / each.first) == each.second; });
}

bool RunFolder::is_same_scene(fs::path const& folder) const {
  SceneFile there;
  Manner manner;
  if (read_inputs(folder, there, manner)) return false;
  // Compares the JSON texts of the paths: a path that is not valid UTF-8 changes when it is written as JSON.
  return (!file_.source.empty() && json_text(file_.source) == json_text(there.source)) || file_.text == there.text;
}

std::optional<Failure> RunFolder::unfit_out() const {
  static constexpr std::string_view expected = "expected a new folder, an empty folder or the folder of a run";
  struct stat status {};
  if (out_.string().ends_with(ending))
    return failure(out_, "expected a name that does not end in .partial", Cause::usage);
  if (::lstat(out_.c_str(), &status) != 0) return std::nullopt;
  if (!S_ISDIR(status.st_mode)) return failure(out_, "not a folder", Cause::usage);
  if (is_pinned(out_))
    return failure(out_,
                   "got a mount point, the current folder or a parent of it, expected a folder that can be renamed",
                   Cause::usage);
  std::error_code error;
  if (fs::is_empty(out_, error)) return std::nullopt;
  if (auto const name = foreign_in(out_))
    return failure(out_, fmt::format("contains other files ({}), {}", *name, expected), Cause::usage);
  SceneFile there;
  Manner manner;
  if (auto const wrong = read_inputs(out_, there, manner))
    return failure(out_, fmt::format("contains other files ({}), {}", wrong->message, expected), Cause::usage);
  if (!is_same_scene(out_))
    return failure(out_,
                   fmt::format("contains a run of another scene, {}: choose another --out, or remove this folder",
                               there.source.empty() ? there.name : there.source),
                   Cause::usage);
  return std::nullopt;
}

std::optional<Failure> RunFolder::lock(fs::path const& folder) {
  lock_.emplace(folder, std::chrono::seconds(0));
  return lock_->error() ? std::optional(Failure{*lock_->error(), Cause::usage}) : std::nullopt;
}

void RunFolder::finish_exchange() const {
  std::error_code error;
  if (!fs::exists(out_, error) && fs::is_directory(partial_ / previous, error))
    fs::rename(partial_ / previous, out_, error);
  if (!is_marked(out_)) return;
  if (!is_marked(partial_)) {
    clear(partial_);
    ::rmdir(partial_.c_str());
  }
  clear(out_ / previous);
  ::rmdir((out_ / previous).c_str());
  unmark(out_);
}

std::optional<Failure> RunFolder::begin(bool go_on, std::vector<std::string>& warnings) {
  if (go_on) return take_up();
  if (auto unfit = unfit_out()) return unfit;
  auto const above = partial_.parent_path();
  if (auto wrong = above.empty() ? std::nullopt : make_folder(above)) return failure(out_, *wrong, Cause::usage);
  bool const made = ::mkdir(partial_.c_str(), 0777) == 0;
  if (!made && errno != EEXIST) return failure(partial_, std::strerror(errno), Cause::usage);
  auto wrong = take_partial(warnings);
  // rmdir only removes an empty folder.
  if (wrong && made) ::rmdir(partial_.c_str());
  return wrong;
}

std::optional<Failure> RunFolder::take_partial(std::vector<std::string>& warnings) {
  struct stat status {};
  if (::lstat(partial_.c_str(), &status) != 0 || !S_ISDIR(status.st_mode))
    return failure(partial_, "not a folder", Cause::usage);
  if (auto wrong = cannot_write_into(partial_)) return Failure{*wrong, Cause::usage};
  if (auto locked = lock(partial_)) return locked;
  finish_exchange();
  // finish_exchange() may have removed the locked folder.
  if (::mkdir(partial_.c_str(), 0777) == 0)
    if (auto locked = lock(partial_)) return locked;
  if (auto unfit = unfit_out()) return unfit;  // checked again, because now no other process can change OUT
  if (auto const name = foreign_in(partial_))
    return failure(partial_, fmt::format("contains other files ({}), expected only files of a run", *name),
                   Cause::usage);
  std::error_code error;
  bool const is_unfinished = is_marked(partial_);
  if (!is_unfinished && !fs::is_empty(partial_, error))
    return failure(partial_, "contains a finished run, expected an unfinished run", Cause::usage);
  if (is_unfinished && has_same_inputs(partial_)) {
    resumes_ = true;
    return std::nullopt;
  }
  if (is_unfinished && fs::exists(partial_ / "scene.toml", error)) {
    if (!is_same_scene(partial_))
      return failure(partial_,
                     "contains an unfinished run of another scene: choose another --out, or remove this folder",
                     Cause::usage);
    if (fs::exists(partial_ / "checkpoint", error))
      warnings.push_back(
          fmt::format("the unfinished run in {} had other settings and starts again", partial_.string()));
  }
  return write_inputs();
}

std::optional<Failure> RunFolder::write_inputs() const {
  int const file = ::open((partial_ / mark).c_str(), O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (file < 0) return failure(partial_ / mark, std::strerror(errno), Cause::harness);
  ::close(file);
  // Removes the scene first. If the process is killed after this line, the remaining files are not treated as the old
  // run.
  ::unlink((partial_ / "scene.toml").c_str());
  clear(partial_);
  for (auto const& [name, text] : inputs_of(file_, manner_))
    if (auto wrong = write_whole(partial_ / name, text, Links::replaced)) return Failure{*wrong, Cause::harness};
  return std::nullopt;
}

std::optional<Failure> RunFolder::take_up() {
  std::error_code error;
  if (fs::is_directory(fs::symlink_status(partial_, error)) && (is_marked(partial_) || is_marked(out_)))
    if (auto locked = lock(partial_)) return locked;
  finish_exchange();
  path_ = current(out_);
  if (auto wrong = path_ == out_ ? lock(out_) : unfit_out()) return wrong;
  resumes_ = true;
  if (has_same_inputs(path_)) return std::nullopt;
  return failure(path_, "another process changed the run in this folder", Cause::usage);
}

std::optional<Failure> RunFolder::place() {
  if (is_complete()) return std::nullopt;
  auto const complete_in_partial = [&](Failure failure) {
    failure.message += fmt::format("; the complete run is in {}", partial_.string());
    return failure;
  };
  if (auto unfit = unfit_out()) return complete_in_partial(*unfit);
  std::error_code error;
  fs::rename(partial_, out_, error);  // if OUT does not exist or is an empty folder
  if (error) {
    FolderLock const old(out_, std::chrono::seconds(10));
    if (old.error()) return complete_in_partial({*old.error(), Cause::harness});
    error.clear();
    if (::renameat2(AT_FDCWD, partial_.c_str(), AT_FDCWD, out_.c_str(), RENAME_EXCHANGE) != 0) {
      fs::rename(out_, partial_ / previous, error);
      if (!error) fs::rename(partial_, out_, error);
    }
    if (error) return complete_in_partial(failure(out_, error.message(), Cause::harness));
    sync_names(out_.parent_path());
    finish_exchange();
  }
  unmark(out_);
  sync_names(out_.parent_path());
  path_ = out_;
  return std::nullopt;
}

}  // namespace demeter::simulations
