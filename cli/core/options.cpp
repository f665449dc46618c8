// The only file that includes CLI11, because CLI11 takes longer to compile than all verbs together.
#include "cli/core/options.hpp"

#include "base/ground.hpp"
#include "cli/core/memory.hpp"
#include "cli/core/output.hpp"
#include "cli/core/suggest.hpp"

#include <CLI/CLI.hpp>

#include <charconv>
#include <cmath>
#include <new>
#include <sstream>

namespace demeter::cli {
namespace {

template <class Number>
bool reads_as(std::string_view text, Number& value) {
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size();
}

}  // namespace

Check whole_number(std::uint64_t least, std::uint64_t most) {
  auto const range = most == std::numeric_limits<std::uint64_t>::max() ? fmt::format("from {}", least)
                                                                       : fmt::format("from {} to {}", least, most);
  return {[=](std::string_view text) -> std::optional<std::string> {
    std::uint64_t value = 0;
    if (reads_as(text, value) && least <= value && value <= most) return std::nullopt;
    return fmt::format("got \"{1}\", expected a whole number {0}", range, text);
  }};
}

Check number_of_cases(std::uint64_t least) { return whole_number(least, most_cases); }

Check positive_number() {
  return {[](std::string_view text) -> std::optional<std::string> {
    double value = 0;
    if (reads_as(text, value) && std::isfinite(value) && value > 0) return std::nullopt;
    return fmt::format("got \"{}\", expected a number above 0", text);
  }};
}

Check share_of_one() {
  return {[](std::string_view text) -> std::optional<std::string> {
    double value = 0;
    if (reads_as(text, value) && 0 <= value && value <= 1) return std::nullopt;
    return fmt::format("got \"{}\", expected a number from 0 to 1", text);
  }};
}

Check one_of(std::vector<std::string> const& words) {
  auto const set = fmt::format("{{{}}}", fmt::join(words, ","));
  return {[=](std::string_view text) -> std::optional<std::string> {
            if (std::find(words.begin(), words.end(), text) != words.end()) return std::nullopt;
            return fmt::format("got \"{}\", expected one of {}", text, set);
          },
          set};
}

Option& Option::required() {
  is_required = true;
  return *this;
}
Option& Option::shows_default() {
  default_is_shown = true;
  return *this;
}
Option& Option::check(Check wanted) {
  checks.push_back(std::move(wanted));
  return *this;
}
Option& Option::type_name(std::string shown) {
  type = std::move(shown);
  return *this;
}
Option& Option::needs(Texts others) {
  needed = std::move(others);
  return *this;
}
Option& Option::updates(std::string input) {
  updated = std::move(input);
  return *this;
}
Option& Option::reads(std::function<Texts()> files) {
  read = std::move(files);
  return *this;
}
Option& Option::notes(bool& is_given) {
  given = &is_given;
  return *this;
}

Option& Verb::list(std::string option_name, std::vector<std::string>& values, std::string help) {
  Option& made = option(std::move(option_name), values, std::move(help));
  made.commas = true;
  return made;
}

Option& Verb::list(std::string option_name, std::function<void(Option::Texts const&)> take, std::string help) {
  return options.emplace_back(Option{std::move(option_name), std::move(take), std::move(help)});
}

void Verb::only_with(std::string mode, std::vector<std::string> others, bool with_positionals) {
  modes.push_back({std::move(mode), std::move(others), with_positionals});
}

namespace {

CLI::Option* add(CLI::App& app, Option const& option) {
  return std::visit(
      [&](auto const& target) -> CLI::Option* {
        using Target = std::remove_cvref_t<decltype(target)>;
        if constexpr (std::is_same_v<Target, bool*>) {
          return app.add_flag(option.name, *target, option.help);
        } else if constexpr (std::is_same_v<Target, std::function<void(Option::Texts const&)>>) {
          return app.add_option_function<Option::Texts>(option.name, target, option.help)->allow_extra_args(false);
        } else if constexpr (std::is_same_v<Target, Option::Texts*>) {
          CLI::Option* const list = app.add_option(option.name, *target, option.help);
          return option.commas ? list->allow_extra_args(false)->delimiter(',') : list;
        } else if constexpr (std::is_base_of_v<std::string, std::remove_pointer_t<Target>>) {
          return app.add_option(option.name, static_cast<std::string&>(*target), option.help);
        } else {
          return app.add_option(option.name, *target, option.help);
        }
      },
      option.target);
}

bool is_allowed(Verb::Mode const& mode, std::string const& option) {
  return option == mode.name || std::count(mode.others.begin(), mode.others.end(), option) > 0 ||
         (mode.with_positionals && !option.starts_with('-'));
}

bool is_output(Option const& option) {
  return std::holds_alternative<OutputPath*>(option.target) || std::holds_alternative<OutputFolder*>(option.target);
}

/// A verb as a CLI11 subcommand, with the options in the same order.
struct Added {
  CLI::App* app;
  std::vector<CLI::Option*> options;
};

Added add(CLI::App& app, Verb const& verb) {
  Added added{app.add_subcommand(verb.name, verb.summary), {}};
  if (!verb.example.empty()) added.app->footer("Example:\n  " + verb.example);
  for (Option const& option : verb.options) {
    CLI::Option* const made = add(*added.app, option);
    for (Check const& check : option.checks)
      made->check(CLI::Validator([wrong = check.wrong](std::string& text) { return wrong(text).value_or(""); },
                                 check.described, option.name));
    if (!option.type.empty()) made->type_name(option.type);
    if (option.is_required) made->required();
    if (option.default_is_shown) made->capture_default_str();
    added.options.push_back(made);
  }
  if (std::any_of(verb.options.begin(), verb.options.end(), is_output))
    added.app->add_flag("--force")->description("replace files that demeter did not write");
  for (std::size_t i = 0; i < added.options.size(); ++i)
    if (auto const& others = verb.options[i].needed; others.size() == 1)
      added.options[i]->needs(added.app->get_option(others.front()));
  for (auto const& mode : verb.modes) {
    for (std::size_t i = 0; i < added.options.size(); ++i) {
      if (!is_allowed(mode, verb.options[i].name)) added.options[i]->excludes(added.app->get_option(mode.name));
    }
  }
  for (auto const& names : verb.exclusives)
    for (std::size_t i = 0; i < names.size(); ++i)
      for (std::size_t k = 0; k < i; ++k) added.app->get_option(names[i])->excludes(added.app->get_option(names[k]));
  return added;
}

/// Returns the files that a command line names. Also returns the files of default values, if the option has an effect.
std::vector<NamedFile> named_files(Verb const& verb, CLI::App const& app) {
  std::vector<NamedFile> files;
  for (Option const& option : verb.options) {
    auto const is_idle = [&](Verb::Mode const& mode) {
      return app.count(mode.name) > 0 && !is_allowed(mode, option.name);
    };
    if (std::any_of(verb.modes.begin(), verb.modes.end(), is_idle)) continue;
    auto const add_file = [&](NamedFile::Role role, std::string const& path) {
      if (!path.empty()) files.push_back({role, option.name, path, option.updated});
    };
    if (auto const* const input = std::get_if<InputPath*>(&option.target)) add_file(NamedFile::Role::input, **input);
    if (auto const* const output = std::get_if<OutputPath*>(&option.target))
      add_file(NamedFile::Role::output, **output);
    if (auto const* const folder = std::get_if<OutputFolder*>(&option.target))
      add_file(NamedFile::Role::folder, **folder);
    if (option.read)
      for (auto const& path : option.read()) add_file(NamedFile::Role::input, path);
  }
  return files;
}

/// Prints the text of --help or --version.
int print_help(CLI::App const& app, std::string_view verb, CLI::ParseError const& error) {
  std::ostringstream text;
  app.exit(error, text, text);
  Output out;
  out.print("{}", text.str());
  if (!out.flush()) return complain(broken, verb, out.error());
  return held;
}

int complain_of_usage(CLI::App const& app, std::string_view verb, std::vector<Verb> const& verbs,
                      CLI::ParseError const& error, int argc, char const* const* argv) {
  if (error.get_exit_code() == 0) return print_help(app, verb, error);
  std::string names;
  for (auto const& each : verbs) names += (names.empty() ? "" : ", ") + each.name;
  if (verb.empty() && argc < 2) return complain(bad_usage, "", "expected a verb: " + names);
  if (verb.empty() && argv[1][0] != '-')
    return complain(bad_usage, "", fmt::format("unknown verb \"{}\"; {}", argv[1], meant(argv[1], names_of(verbs))));
  return complain(bad_usage, verb, std::string(error.what()) + " (see --help)");
}

int parse_and_run(std::string const& about, std::string const& version, std::string const& footer,
                  std::vector<Verb> verbs, int argc, char const* const* argv) {
  CLI::App app{about};
  app.name("demeter");
  app.set_version_flag("--version", version);
  app.require_subcommand(1);
  app.footer(footer);
  std::vector<Added> added;
  std::uint64_t memory = usual_memory();
  for (Verb& verb : verbs) {
    // In a verb that judges, --memory is the limit of the subject. The limit of the command then has another name.
    bool const taken = std::ranges::any_of(verb.options, [](Option const& each) { return each.name == "--memory"; });
    verb.option(
            taken ? "--own-memory" : "--memory", memory,
            "memory limit of this command in MiB, 0: no limit; if not given, a quarter of the memory of the machine")
        .check(whole_number(0, 1 << 24));
    added.push_back(add(app, verb));
  }

  std::size_t chosen = verbs.size();
  auto const find_chosen = [&] {
    for (std::size_t i = 0; i < verbs.size(); ++i)
      if (added[i].app->parsed()) chosen = i;
  };
  try {
    app.parse(argc, argv);
    find_chosen();
  } catch (CLI::ParseError const& error) {
    find_chosen();
    return complain_of_usage(app, chosen < verbs.size() ? std::string_view(verbs[chosen].name) : "", verbs, error, argc,
                             argv);
  }
  if (chosen == verbs.size()) return bad_usage;
  Verb const& verb = verbs[chosen];
  for (std::size_t i = 0; i < verb.options.size(); ++i)
    if (verb.options[i].given != nullptr) *verb.options[i].given = added[chosen].options[i]->count() > 0;
  CLI::App const& app_of_verb = *added[chosen].app;
  for (Option const& option : verb.options) {
    auto const is_given = [&](std::string const& name) { return app_of_verb.count(name) > 0; };
    if (option.needed.size() > 1 && is_given(option.name) && std::ranges::none_of(option.needed, is_given))
      return complain(bad_usage, verb.name,
                      fmt::format("{} requires {} (see --help)", option.name, fmt::join(option.needed, " or ")));
  }
  bool const force = app_of_verb.get_option_no_throw("--force") != nullptr && app_of_verb.count("--force") > 0;
  if (auto const why = cannot_take(named_files(verb, app_of_verb), force)) return complain(bad_usage, verb.name, *why);
  MemoryWatch const watch(verb.name, memory);
  int const code = verb.run();
  if (has_reason_to_end()) return complain(broken, verb.name, "");
  // This thread has judged answers too, so its floating-point environment is checked.
  require_sound_arithmetic();
  return code;
}

}  // namespace

int run_command(std::string const& about, std::string const& version, std::string const& footer,
                std::function<std::vector<Verb>()> const& verbs, int argc, char const* const* argv) {
  try {
    require_sound_arithmetic();
    return parse_and_run(about, version, footer, verbs(), argc, argv);
  } catch (std::bad_alloc const&) {
    be_the_one_that_ends();
    say("demeter: out of memory\n");
  } catch (std::exception const& error) {
    return complain(broken, "", error.what());
  } catch (...) {
    say("demeter: unknown error\n");
  }
  return broken;
}

}  // namespace demeter::cli
