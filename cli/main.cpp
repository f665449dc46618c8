// The command `demeter`.
#include "cli/command.hpp"
#include "version.hpp"

#include <csignal>

int main(int argc, char** argv) {
  using namespace demeter::cli;
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is a write error with a message

  CLI::App app{"Demeter, the DEM meter: how wrong, how fast and how continuous contact code is, with certified truth."};
  app.name("demeter");
  app.set_version_flag("--version", "demeter " DEMETER_VERSION " (" DEMETER_COMMIT ")");
  app.require_subcommand(1);
  app.footer("Each verb has its own help with an example: demeter generate --help");

  std::vector<std::pair<CLI::App*, Run>> verbs;
  for (auto const& add : {list, generate, evaluate, verify, explain, check, bench, report, doctor}) {
    Run run = add(app);
    verbs.emplace_back(app.get_subcommands({}).back(), std::move(run));
  }
  try {
    app.parse(argc, argv);
  } catch (CLI::ParseError const& error) {
    if (error.get_exit_code() == 0) {
      app.exit(error);  // --help and --version
      return std::fflush(stdout) == 0 ? held : broken;
    }
    std::string what = error.what();
    std::replace(what.begin(), what.end(), '\n', ' ');
    std::string verb;
    for (auto const& [command, run] : verbs)
      if (command->parsed()) verb = command->get_name();
    return complain(bad_usage, verb, what + " (see --help)");
  }
  try {
    for (auto const& [command, run] : verbs)
      if (command->parsed()) return run();
  } catch (std::exception const& error) {
    return complain(broken, "", error.what());
  }
  return bad_usage;
}
