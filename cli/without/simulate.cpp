// Replaces cli/simulate.cpp in a build that lacks a kernel that simulations need.
#include "cli/core/command.hpp"

namespace demeter::cli {

Verb simulate() {
  Verb verb{"simulate", "simulates a scene (this build does not have the kernels for it)"};
  verb.example = "demeter simulate || true";
  verb.run = []() -> int {
    return complain(
        bad_usage, "simulate",
        "this build does not have all kernels that a simulation needs; build all kernels of CMakeLists.txt");
  };
  return verb;
}

}  // namespace demeter::cli
