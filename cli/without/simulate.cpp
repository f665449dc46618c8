// Replaces cli/simulate.cpp in a build that lacks a kernel that simulations need.
#include "cli/core/command.hpp"

namespace demeter::cli {

Verb simulate() {
  Verb verb{"simulate", "a scene, step by step (this build lacks kernels for it)"};
  verb.example = "demeter simulate || true";
  verb.run = []() -> int {
    return complain(bad_usage, "simulate",
                    "this build lacks kernels that a simulation is made of; expected one of all in CMakeLists.txt");
  };
  return verb;
}

}  // namespace demeter::cli
