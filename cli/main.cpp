// The command `demeter`.
#include "cli/core/command.hpp"
#include "cli/core/version.hpp"

#include <csignal>

int main(int argc, char** argv) {
  using namespace demeter::cli;
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is a write error with a message
  watch_signals();
  return run_command(
      "Demeter, the DEM meter: how wrong, how fast and how continuous contact code is, against a truth whose error is "
      "bounded or said to be estimated.",
      fmt::format("demeter {} ({})", this_build().version, this_build().commit),
      "Each verb has its own help with an example: demeter generate --help",
      {list(), generate(), evaluate(), verify(), explain(), check(), continuity(), vectors(), bench(), report(),
       compare(), errata(), clump(), simulate(), doctor()},
      argc, argv);
}
