// The command `demeter`.
#include "cli/core/command.hpp"
#include "cli/core/footing.hpp"
#include "cli/core/version.hpp"

int main(int argc, char** argv) {
  using namespace demeter::cli;
  stand_firmly();
  watch_signals();
  return with_enough_stack([&] {
    return run_command(
        "Demeter, the DEM meter, measures how accurate, fast and continuous contact code is. The truth has a proven "
        "error bound, or is reported as estimated.",
        fmt::format("demeter {} ({})", this_build().version, this_build().commit),
        "Each verb has its own help with an example: demeter generate --help",
        [] {
          return std::vector{list(),  generate(), evaluate(), verify(), explain(), check(),    continuity(), vectors(),
                             bench(), report(),   compare(),  errata(), clump(),   simulate(), doctor()};
        },
        argc, argv);
  });
}
