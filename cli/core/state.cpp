#include "cli/core/state.hpp"

#include "cli/core/version.hpp"
#include "subjects/outside/outside.hpp"

#include <fmt/format.h>

#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <string_view>

namespace demeter::cli {
namespace {

/// " PATH@TIME:SIZE", or nothing if there is no such file.
std::string changed_when(std::filesystem::path const& path) {
  std::error_code error;
  auto const time = std::filesystem::last_write_time(path, error);
  if (error) return "";
  auto const size = std::filesystem::file_size(path, error);
  return fmt::format(" {}@{}:{}", path.string(), time.time_since_epoch().count(), error ? 0 : size);
}

/// Where a program of this name is found; the name itself if it is nowhere, or no bare name.
std::filesystem::path on_search_path(std::string const& word) {
  char const* const path = std::getenv("PATH");
  if (path == nullptr || word.find('/') != std::string::npos) return word;
  std::istringstream folders(path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    std::error_code error;
    auto const there = std::filesystem::path(folder) / word;
    if (std::filesystem::is_regular_file(there, error)) return there;
  }
  return word;
}

/// A hash, since they may be secrets, of all variables but those in which a shell keeps its own books.
std::string environment() {
  std::vector<std::string> variables;
  for (char** each = environ; *each != nullptr; ++each) {
    std::string_view const name = std::string_view(*each).substr(0, std::string_view(*each).find('='));
    if (name != "_" && name != "SHLVL" && name != "OLDPWD" && name != "COLUMNS" && name != "LINES")
      variables.emplace_back(*each);
  }
  std::sort(variables.begin(), variables.end());
  return fmt::format(" environment {:x}", std::hash<std::string>()(fmt::format("{}", fmt::join(variables, "\n"))));
}

}  // namespace

std::filesystem::path state_folder() {
  if (char const* const state = std::getenv("XDG_STATE_HOME"); state != nullptr && *state == '/')
    return std::filesystem::path(state) / "demeter";
  if (char const* const home = std::getenv("HOME"); home != nullptr && *home == '/')
    return std::filesystem::path(home) / ".local/state/demeter";
  // Where everybody writes, a folder of that name may be another's.
  std::error_code error;
  auto const temporary = std::filesystem::temp_directory_path(error);
  if (error) return {};
  auto const own = temporary / fmt::format("demeter-{}", ::geteuid());
  struct stat status {};
  if (::lstat(own.c_str(), &status) == 0 && (!S_ISDIR(status.st_mode) || status.st_uid != ::geteuid())) return {};
  return own;
}

std::string failure_folder(std::string const& named, std::vector<Subject const*> const& subjects) {
  if (!named.empty()) return named;
  for (auto const* subject : subjects)
    if (is_outside(*subject)) return "demeter-failures";
  return "";
}

std::string identity_of(std::vector<Subject const*> const& subjects) {
  std::string identity = fmt::format("{} {}", this_build().commit, changed_when("/proc/self/exe"));
  bool outside = false;
  for (auto const* subject : subjects) {
    identity += fmt::format("\n{}{} {} {} {}", subject->name, subject->binary32 ? " in binary32" : "",
                            subject->limits.time_per_chunk.count(), subject->limits.memory, subject->limits.chunk);
    if (!is_outside(*subject)) continue;
    outside = true;
    // The words of a command that are files: the program, which may stand on the search path, and its scripts.
    std::istringstream words(subject->name.substr(subject->name.find(':') + 1));
    for (std::string word; words >> word;) identity += changed_when(on_search_path(word));
    identity += changed_when(subject->name.substr(subject->name.find(':') + 1));
    for (auto const& file : subject->files) identity += changed_when(file);
  }
  if (outside) identity += environment();
  return identity;
}

}  // namespace demeter::cli
