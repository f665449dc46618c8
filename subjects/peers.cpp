#include "subjects/peers.hpp"

#include <dlfcn.h>

#include <map>
#include <mutex>

namespace demeter {
namespace {

/// Loads a module and makes its subject. Returns what went wrong, or "". Modules are never closed, because their
/// functions may be called at any time.
std::string load(std::string const& name, Subject& made) {
  // The name has no folder, so that the loader searches the folders that the build or the installation has set.
  std::string const file = "demeter_peer_" + name + ".so";
  void* const module = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (module == nullptr) return dlerror();
  auto const* const interface = static_cast<char const*>(dlsym(module, "demeter_peer_interface"));
  auto* const make = reinterpret_cast<void (*)(Subject&)>(dlsym(module, "demeter_peer"));
  if (interface == nullptr || make == nullptr) return file + ": not an adapter of a peer";
  if (interface != peers::interface()) return file + ": built for another build of demeter";
  make(made);
  return "";
}

}  // namespace

Found find_peer(std::string_view name) {
  struct Asked {
    Subject subject;
    std::string wrong;
  };
  static std::mutex mutex;
  static std::map<std::string_view, Asked> asked;  // entries of a map do not move
  std::lock_guard const lock(mutex);
  for (auto const& each : peers::all()) {
    if (each.name != name) continue;
    auto const [entry, first] = asked.try_emplace(each.name);
    auto& [subject, wrong] = entry->second;
    if (first) wrong = each.left_out.empty() ? load(std::string(name), subject) : std::string(each.left_out);
    return {wrong.empty() ? &subject : nullptr, wrong};
  }
  return {};
}

Peers const& found_peers() {
  static Peers const found = [] {
    Peers made;
    for (auto const& each : peers::all()) {
      auto const peer = find_peer(each.name);
      if (peer.subject != nullptr) {
        made.subjects.push_back(*peer.subject);
      } else {
        made.missing.push_back({std::string(each.name), peer.wrong});
      }
    }
    return made;
  }();
  return found;
}

}  // namespace demeter
