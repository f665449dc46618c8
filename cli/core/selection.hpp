// Which cases are drawn: --regime, --profile and --sizes, with one meaning in every verb that draws some.
#pragma once

#include "cli/core/options.hpp"
#include "kernels/kernel.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace demeter::cli {

/// What the command line says.
struct Selection {
  std::vector<std::string> regimes;   ///< names, and ^names to leave out
  std::vector<std::string> profiles;  ///< names, or "all"
  std::string sizes;                  ///< LOW:HIGH in metres
};
/// Adds the three options; `regime_help` says what --regime is about in this verb. --regime and --profile are lists.
void add_selection(Verb& verb, Selection& selection, std::string const& regime_help);

/// What it is of one kernel.
struct Selected {
  std::vector<std::size_t> regimes;  ///< at least one, unless there is a workload
  std::optional<std::size_t> workload = {};
  Sizes sizes = {};
  bool all = true;         ///< nothing is left out
  bool asked_for = false;  ///< by name or by profile, so that each of them is what the verdict is about
  /// Of the id-th generated case: the regimes take turns.
  std::size_t regime_of(std::uint64_t id) const { return regimes[static_cast<std::size_t>(id % regimes.size())]; }
};

/// What a verb selects among. Recorded regimes may be named in every one.
enum class Among {
  drawn,          ///< regimes that cases are drawn from
  workloads_too,  ///< and a workload, by its name
  recorded_too,   ///< and cases that are recorded
};

/// Nothing after a complaint in one line: an unknown regime or profile with those there are, sizes that are none, or
/// nothing left.
std::optional<Selected> select_or_complain(std::string_view verb, Kernel const& kernel, Selection const& selection,
                                           Among among = Among::drawn);

/// "1e-3:1" as powers of ten, or what is wrong with it.
std::optional<Sizes> read_sizes(std::string_view text, std::string& wrong);

}  // namespace demeter::cli
