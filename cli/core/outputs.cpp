#include "cli/core/outputs.hpp"

#include "base/files.hpp"
#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace demeter::cli {
namespace {

namespace fs = std::filesystem;
using Role = NamedFile::Role;

std::string named(NamedFile const& file) { return fmt::format("{} {}", file.option, plain_text(file.path)); }

/// Returns the name of the standard stream that is connected to the same file, or null.
char const* stream_of(NamedFile const& file) {
  constexpr char const* names[] = {"standard input", "standard output", "standard error"};
  for (int number = 0; number < 3; ++number)
    if (is_same_file(file.path, number) && (number == 1 || file.role == Role::output)) return names[number];
  return nullptr;
}

std::optional<std::string> same_file_twice(std::vector<NamedFile> const& files) {
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (files[i].role == Role::folder) continue;
    if (auto const* const stream = stream_of(files[i]))
      return fmt::format("{}: the same file as {}, expected another file", named(files[i]), stream);
    if (files[i].role != Role::output) continue;
    for (std::size_t k = 0; k < files.size(); ++k) {
      bool const counts =
          files[k].role == Role::input ? files[k].option != files[i].updated : files[k].role == Role::output && k < i;
      if (counts && is_same_file(files[i].path, files[k].path))
        return fmt::format("{}: the same file as {}, expected another file", named(files[i]), named(files[k]));
    }
  }
  return std::nullopt;
}

std::string not_ours(std::string const& what) {
  return what + ": not written by demeter, expected a new name, or --force to replace the file";
}

/// Returns true if a verb must not replace the file. Demeter marks its .html and .json.gz files: such a file may be
/// replaced only if it has the mark. Tables and figures have no mark: they may be replaced only in a folder that
/// Demeter wrote.
bool is_foreign(fs::path const& path, bool folder_is_ours) {
  auto const name = path.filename().string();
  auto const is_any_of = [&](std::initializer_list<std::string_view> endings) {
    return std::any_of(endings.begin(), endings.end(), [&](auto ending) { return name.ends_with(ending); });
  };
  std::error_code error;
  if (fs::is_directory(path, error)) return false;
  bool const is_link = fs::is_symlink(path, error);
  if (is_any_of({".html", ".json.gz"})) return is_link || !is_replaceable(path);
  return !folder_is_ours && is_any_of({".csv", ".csv.gz", ".tex", ".pdf"});
}

/// Returns the first file in an output folder that a verb must not replace, or nothing.
std::optional<std::string> foreign_file(fs::path const& folder) {
  std::error_code error;
  auto const is_ours = [&](char const* name) {
    return fs::is_regular_file(fs::symlink_status(folder / name, error)) && is_replaceable(folder / name);
  };
  bool const ours = is_ours("index.html") || is_ours("results.json.gz");
  std::vector<fs::path> found;
  for (char const* part : {"", "data", "tables", "figures"}) {
    if (*part != 0 && fs::is_symlink(folder / part, error)) continue;  // write_site() refuses a link later
    for (auto each = fs::directory_iterator(folder / part, error); !error && each != fs::directory_iterator();
         each.increment(error))
      if (is_foreign(each->path(), ours)) found.push_back(each->path());
  }
  if (found.empty()) return std::nullopt;
  return std::min_element(found.begin(), found.end())->string();
}

}  // namespace

std::optional<std::string> cannot_take(std::vector<NamedFile> const& files, bool force) {
  for (auto const& file : files)
    if (file.role == Role::output)
      if (auto why = cannot_write(file.path)) return why;
  if (auto why = same_file_twice(files)) return why;
  if (force) return std::nullopt;
  for (auto const& file : files) {
    std::error_code error;
    if (file.role == Role::folder) {
      if (auto const foreign = foreign_file(file.path)) return not_ours(plain_text(*foreign));
    } else if (file.role == Role::output && fs::is_regular_file(file.path, error) && !is_replaceable(file.path)) {
      bool const is_update = std::any_of(files.begin(), files.end(), [&](NamedFile const& other) {
        return other.role == Role::input && other.option == file.updated && is_same_file(other.path, file.path);
      });
      if (!is_update) return not_ours(named(file));
    }
  }
  return std::nullopt;
}

}  // namespace demeter::cli
