// What a verb is: its name, its options and what runs it. Plain data, which options.cpp gives to the library that reads
// the command line.
#pragma once

#include "cli/core/outputs.hpp"

#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace demeter::cli {

/// What an option's value must be.
struct Check {
  /// What is wrong with the text of a value, or nothing.
  std::function<std::optional<std::string>(std::string_view)> wrong;
  std::string described = {};  ///< in the help, behind the type
};
// The library's own checks let -1 wrap around and NaN through.
Check whole_number(std::uint64_t least = 0, std::uint64_t most = std::numeric_limits<std::uint64_t>::max());
/// What no machine ever draws is a mistake.
inline constexpr std::uint64_t most_cases = 1'000'000'000'000;
/// A number of cases.
Check number_of_cases(std::uint64_t least = 1);
Check positive_number();
Check share_of_one();
Check one_of(std::vector<std::string> const& words);

/// What the command line may give, and where it goes. The functions return the option, so that they follow each other.
struct Option {
  using Texts = std::vector<std::string>;
  /// A flag sets its bool; `Texts` holds every value that was given; a function is called with them.
  using Target = std::variant<bool*, int*, unsigned*, std::uint64_t*, double*, std::string*, InputPath*, OutputPath*,
                              OutputFolder*, Texts*, std::function<void(Texts const&)>>;

  std::string name;  ///< with its dashes; without them a positional
  Target target;
  std::string help;
  bool commas = false;  ///< several values may stand in one text
  bool is_required = false, default_is_shown = false;
  std::string type = {};  ///< in the help, in place of TEXT
  std::vector<Check> checks = {};
  Texts needed = {};                 ///< one of these options of the verb must be given too
  std::string updated = {};          ///< the name of an option for an input that this output may replace
  std::function<Texts()> read = {};  ///< the files that the values name, where the target does not say so
  bool* given = nullptr;

  Option& required();
  /// The help shows the value that the target has before the command line is read.
  Option& shows_default();
  Option& check(Check wanted);
  Option& type_name(std::string shown);
  /// The option has an effect only with one of these others.
  Option& needs(Texts others);
  /// An output that may be the file of this input, which it then brings up to date.
  Option& updates(std::string input);
  /// The values name files among other things: those that `files` returns.
  Option& reads(std::function<Texts()> files);
  /// Sets `is_given` if the command line names the option.
  Option& notes(bool& is_given);
};

struct Verb {
  std::string name, summary;
  std::string example = {};
  std::deque<Option> options = {};  ///< in the order of the help; a deque, since references to them are kept
  std::vector<std::vector<std::string>> exclusives = {};
  struct Mode {
    std::string name;
    std::vector<std::string> others;
    bool with_positionals;
  };
  std::vector<Mode> modes = {};
  /// What the options' targets belong to must live as long as this.
  std::function<int()> run = {};

  /// An option with a value, or a positional if `name` has no dashes.
  template <class Value>
  Option& option(std::string option_name, Value& value, std::string help) {
    return options.emplace_back(Option{std::move(option_name), &value, std::move(help)});
  }
  Option& flag(std::string option_name, bool& value, std::string help) {
    return option(std::move(option_name), value, std::move(help));
  }
  /// An option that may be given several times, or once with commas, and leaves what follows its value to the kernels.
  Option& list(std::string option_name, std::vector<std::string>& values, std::string help);
  /// The same without commas, for a function that is called with all values.
  Option& list(std::string option_name, std::function<void(Option::Texts const&)> take, std::string help);
  /// With `mode` only these options have an effect, and the positional ones if `with_positionals`: any other is
  /// refused.
  void only_with(std::string mode, std::vector<std::string> others, bool with_positionals = true);
  /// At most one of these options may be given.
  void exclusive(std::vector<std::string> names) { exclusives.push_back(std::move(names)); }
};

/// Reads the command line and runs the verb that it names; returns the exit code. What is wrong is said in one line,
/// an exception that nobody caught and arithmetic that no verdict can rest on too.
int run_command(std::string const& about, std::string const& version, std::string const& footer,
                std::function<std::vector<Verb>()> const& verbs, int argc, char const* const* argv);

}  // namespace demeter::cli
