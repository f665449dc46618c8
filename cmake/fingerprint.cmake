# Writes OUTPUT, if it has changed. OUTPUT defines the fingerprint of HEADERS below SOURCE. A module of a peer and the
# command must be compiled with equal headers, and therefore have equal fingerprints.
cmake_minimum_required(VERSION 3.25)
set(sums "")
foreach(header IN LISTS HEADERS)
  file(SHA256 "${header}" sum)
  file(RELATIVE_PATH name "${SOURCE}" "${header}")
  string(APPEND sums "${name} ${sum}\n")
endforeach()
string(SHA256 fingerprint "${sums}")
file(CONFIGURE OUTPUT "${OUTPUT}" @ONLY CONTENT "// Generated: the headers that a module of a peer shares with the command.
#include \"subjects/peers.hpp\"

extern \"C\" [[gnu::visibility(\"default\")]] char const demeter_peer_interface[];
char const demeter_peer_interface[] = \"@fingerprint@\";

namespace demeter::peers {
std::string_view interface() { return demeter_peer_interface; }
}  // namespace demeter::peers
")
