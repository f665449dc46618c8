// Peers that are libraries: modules beside the command, made from subjects/peers/ and loaded when they are needed.
#pragma once

#include "kernels/subject.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace demeter {

struct Found {
  Subject const* subject = nullptr;
  std::string wrong;  ///< why a subject from outside, a program or a peer is not available; empty for an unknown name
};

struct MissingPeer {
  std::string name;
  std::string why;
};

struct Peers {
  std::vector<Subject> subjects;
  std::vector<MissingPeer> missing;
};

/// Returns a peer, or why the peer is not available. Possible reasons: the peer was left out of this build, its module
/// or the library of the module is not found, or the module belongs to another build. Returns neither if no peer has
/// the name. Loads only the module of this peer.
Found find_peer(std::string_view name);

/// Returns all peers. Loads all modules.
Peers const& found_peers();

namespace peers {
// The build generates these functions from subjects/peers/.
struct Listed {
  std::string_view name;
  std::string_view left_out;  ///< why it was left out of this build; empty: there is a module
};
std::vector<Listed> const& all();
/// Returns a fingerprint of the headers that the command and a module share. A module with another fingerprint must not
/// be called.
std::string_view interface();
}  // namespace peers

}  // namespace demeter
