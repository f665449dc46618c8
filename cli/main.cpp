// The command `demeter`.
#include "cli/core/command.hpp"
#include "cli/core/version.hpp"

#include <csignal>
#include <sstream>

namespace {

/// --help and --version.
int print_help(CLI::App const& app, std::string_view verb, CLI::ParseError const& error) {
  using namespace demeter::cli;
  std::ostringstream text;
  app.exit(error, text, text);
  Output out;
  out.print("{}", text.str());
  if (!out.flush()) return complain(broken, verb, out.error());
  return held;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace demeter::cli;
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is a write error with a message

  CLI::App app{"Demeter, the DEM meter: how wrong, how fast and how continuous contact code is, with certified truth."};
  app.name("demeter");
  app.set_version_flag("--version", fmt::format("demeter {} ({})", this_build().version, this_build().commit));
  app.require_subcommand(1);
  app.footer("Each verb has its own help with an example: demeter generate --help");

  std::vector<std::pair<CLI::App*, Run>> verbs;
  for (auto const& add :
       {list, generate, evaluate, verify, explain, check, continuity, vectors, bench, report, compare, clump, doctor}) {
    Run run = add(app);
    verbs.emplace_back(app.get_subcommands({}).back(), std::move(run));
  }
  try {
    app.parse(argc, argv);
  } catch (CLI::ParseError const& error) {
    CLI::App const* parsed = nullptr;
    std::string names;
    for (auto const& [command, run] : verbs) {
      if (command->parsed()) parsed = command;
      names += (names.empty() ? "" : ", ") + command->get_name();
    }
    std::string const verb = parsed != nullptr ? parsed->get_name() : "";
    if (error.get_exit_code() == 0) return print_help(app, verb, error);
    if (verb.empty() && argc < 2) return complain(bad_usage, "", "expected a verb: " + names);
    if (verb.empty() && argv[1][0] != '-')
      return complain(bad_usage, "", fmt::format("unknown verb \"{}\"; expected {}", argv[1], names));
    return complain(bad_usage, verb, std::string(error.what()) + " (see --help)");
  }
  try {
    for (auto const& [command, run] : verbs)
      if (command->parsed()) return run();
  } catch (std::exception const& error) {
    return complain(broken, "", error.what());
  }
  return bad_usage;
}
