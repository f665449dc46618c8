#include "cli/core/state.hpp"

#include "cli/core/version.hpp"
#include "subjects/outside/outside.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <sstream>
#include <string_view>

namespace demeter::cli {
namespace {

std::string changed_when(std::filesystem::path const& path) {
  std::error_code error;
  auto const time = std::filesystem::last_write_time(path, error);
  if (error) return "";
  return fmt::format("{}@{}", path.string(), time.time_since_epoch().count());
}

}  // namespace

std::filesystem::path state_folder() {
  if (char const* const state = std::getenv("XDG_STATE_HOME"); state != nullptr && *state == '/')
    return std::filesystem::path(state) / "demeter";
  if (char const* const home = std::getenv("HOME"); home != nullptr && *home == '/')
    return std::filesystem::path(home) / ".local/state/demeter";
  return std::filesystem::temp_directory_path() / "demeter";
}

std::string failure_folder(std::string const& named, std::vector<Subject const*> const& subjects) {
  if (!named.empty()) return named;
  for (auto const* subject : subjects)
    if (is_outside(subject->name)) return "demeter-failures";
  return "";
}

std::string identity_of(std::vector<Subject const*> const& subjects) {
  std::string identity = fmt::format("{} {}", this_build().commit, changed_when("/proc/self/exe"));
  for (auto const* subject : subjects) {
    if (!is_outside(subject->name)) continue;
    // The words of a command that are files: the program and its scripts.
    std::istringstream words(subject->name.substr(subject->name.find(':') + 1));
    for (std::string word; words >> word;) identity += " " + changed_when(word);
    identity += " " + changed_when(subject->name.substr(subject->name.find(':') + 1));
  }
  return identity;
}

}  // namespace demeter::cli
