// Describes a verb: name, options and the function that runs it. The description is plain data. options.cpp passes the
// data to the library that reads the command line.
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

/// A condition on the value of an option.
struct Check {
  /// Returns what is wrong with the text of a value, or nothing.
  std::function<std::optional<std::string>(std::string_view)> wrong;
  std::string described = {};  ///< text in the help, after the type
};
// These checks replace those of CLI11, which let -1 wrap around and accept NaN.
Check whole_number(std::uint64_t least = 0, std::uint64_t most = std::numeric_limits<std::uint64_t>::max());
/// Largest number of cases that an option accepts. No machine draws more cases. A larger value is a typing mistake.
inline constexpr std::uint64_t most_cases = 1'000'000'000'000;
/// Accepts numbers of cases from `least` to `most_cases`.
Check number_of_cases(std::uint64_t least = 1);
Check positive_number();
Check share_of_one();
Check one_of(std::vector<std::string> const& words);

/// An option, and the variable that gets its value. The functions return the option, so that calls can be chained.
struct Option {
  using Texts = std::vector<std::string>;
  /// A bool is set by a flag. `Texts` gets all values that the command line gives. A function is called with all
  /// values.
  using Target = std::variant<bool*, int*, unsigned*, std::uint64_t*, double*, std::string*, InputPath*, OutputPath*,
                              OutputFolder*, Texts*, std::function<void(Texts const&)>>;

  std::string name;  ///< with dashes; a name without dashes is a positional argument
  Target target;
  std::string help;
  bool commas = false;  ///< one text may contain several values, separated by commas
  bool is_required = false, default_is_shown = false;
  std::string type = {};  ///< shown in the help instead of TEXT
  std::vector<Check> checks = {};
  Texts needed = {};                 ///< at least one of these options of the verb must be given too
  std::string updated = {};          ///< for an output: the option whose input file this output may replace
  std::function<Texts()> read = {};  ///< returns the files that the values name, if the type of `target` does not show
                                     ///< them
  bool* given = nullptr;

  Option& required();
  /// Shows the default in the help. This is the value of the target before the command line is read.
  Option& shows_default();
  Option& check(Check wanted);
  Option& type_name(std::string shown);
  /// The option has an effect only with one of the other options.
  Option& needs(Texts others);
  /// Allows the output to be the file of this input, which the output then updates.
  Option& updates(std::string input);
  /// Declares that the values can name files. `files` returns these files.
  Option& reads(std::function<Texts()> files);
  /// Sets `is_given` if the command line names the option.
  Option& notes(bool& is_given);
};

struct Verb {
  std::string name, summary;
  std::string example = {};
  std::deque<Option> options = {};  ///< options in the order of the help; a deque keeps references valid
  std::vector<std::vector<std::string>> exclusives = {};
  struct Mode {
    std::string name;
    std::vector<std::string> others;
    bool with_positionals;
  };
  std::vector<Mode> modes = {};
  /// Runs the verb. The targets of the options must live as long as this function.
  std::function<int()> run = {};

  /// Adds an option with a value, or a positional argument if `name` has no dashes.
  template <class Value>
  Option& option(std::string option_name, Value& value, std::string help) {
    return options.emplace_back(Option{std::move(option_name), &value, std::move(help)});
  }
  Option& flag(std::string option_name, bool& value, std::string help) {
    return option(std::move(option_name), value, std::move(help));
  }
  /// Adds an option that may be given several times, or once with commas. An argument after its value is a positional
  /// argument, such as a kernel.
  Option& list(std::string option_name, std::vector<std::string>& values, std::string help);
  /// Adds an option that may be given several times. A comma is part of the value. The function is called with all
  /// values.
  Option& list(std::string option_name, std::function<void(Option::Texts const&)> take, std::string help);
  /// If the option `mode` is given, only the options `others` have an effect. With `with_positionals`, positional
  /// arguments have an effect too. Any other option is then an error.
  void only_with(std::string mode, std::vector<std::string> others, bool with_positionals = true);
  /// Allows at most one of these options.
  void exclusive(std::vector<std::string> names) { exclusives.push_back(std::move(names)); }
};

/// Reads the command line and runs the verb that it names. Returns the exit code. Prints every error as one line, also
/// an uncaught exception or unreliable arithmetic.
int run_command(std::string const& about, std::string const& version, std::string const& footer,
                std::function<std::vector<Verb>()> const& verbs, int argc, char const* const* argv);

}  // namespace demeter::cli
