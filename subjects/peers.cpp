#include "subjects/peers.hpp"

#include <dlfcn.h>

#include <list>
#include <mutex>

namespace demeter {
namespace {

/// A module stays where its functions may be called: it is never closed.
FoundPeer load(std::string const& name, std::list<Subject>& loaded) {
  // By its name alone: the loader looks where the build or the installation has told the command that modules are.
  std::string const file = "demeter_peer_" + name + ".so";
  void* const module = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (module == nullptr) return {nullptr, dlerror()};
  auto const* const interface = static_cast<char const*>(dlsym(module, "demeter_peer_interface"));
  auto* const make = reinterpret_cast<void (*)(Subject&)>(dlsym(module, "demeter_peer"));
  if (interface == nullptr || make == nullptr) return {nullptr, file + ": no adapter of a peer"};
  if (interface != peers::interface()) return {nullptr, file + ": built for another build of demeter"};
  make(loaded.emplace_back());
  return {&loaded.back(), ""};
}

}  // namespace

FoundPeer find_peer(std::string_view name) {
  static std::mutex mutex;
  static std::list<Subject> loaded;  // a list: what is in it stays where it is
  static std::map<std::string, FoundPeer, std::less<>> asked;
  std::lock_guard const lock(mutex);
  for (auto const& each : peers::all()) {
    if (each.name != name) continue;
    if (auto const before = asked.find(name); before != asked.end()) return before->second;
    FoundPeer const found =
        each.left_out.empty() ? load(std::string(name), loaded) : FoundPeer{nullptr, std::string(each.left_out)};
    return asked[std::string(name)] = found;
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
