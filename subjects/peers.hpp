// Peers that are libraries: modules beside the command, made from subjects/peers/ and loaded when they are asked for.
#pragma once

#include "kernels/subject.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace demeter {

struct Found {
  Subject const* subject = nullptr;
  std::string wrong;  ///< why a subject from outside, a program or a peer cannot be had; empty for an unknown name
};

struct MissingPeer {
  std::string name;
  std::string why;
};

struct Peers {
  std::vector<Subject> subjects;
  std::vector<MissingPeer> missing;
};

/// A peer, or why it cannot be had: left out when this was built, or a module that is gone, that needs a library which
/// is, or that was built for another command. Neither for what is no peer's name. Loads the one module.
Found find_peer(std::string_view name);

/// All of them, loaded, and the others with the reason.
Peers const& found_peers();

namespace peers {
// Generated from subjects/peers/.
struct Listed {
  std::string_view name;
  std::string_view left_out;  ///< when this was built, why; empty: there is a module
};
std::vector<Listed> const& all();
/// Of the headers that a module shares with the command: one of other headers is not to be called.
std::string_view interface();
}  // namespace peers

}  // namespace demeter
