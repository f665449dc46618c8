// The options --regime, --profile and --sizes, which select the cases to draw. They have the same meaning in every
// verb.
#pragma once

#include "cli/core/options.hpp"
#include "kernels/kernel.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace demeter::cli {

/// The values of the options.
struct Selection {
  std::vector<std::string> regimes;   ///< names of regimes; ^name leaves a regime out
  std::vector<std::string> profiles;  ///< names of profiles, or "all"
  std::string sizes;                  ///< range of sizes "LOW:HIGH" in metres
};
/// Adds the three options. `regime_help` is the help of --regime in this verb. --regime and --profile are lists.
void add_selection(Verb& verb, Selection& selection, std::string const& regime_help);

/// The selection for one kernel.
struct Selected {
  std::vector<std::size_t> regimes;  ///< at least one regime, unless a workload is selected
  std::optional<std::size_t> workload = {};
  Sizes sizes = {};
  bool all = true;         ///< true: neither --regime nor --profile is given
  bool asked_for = false;  ///< true: the user names regimes or profiles, so every selected regime decides the verdict
  /// Returns the regime of the generated case `id`. The cases use the regimes in turn.
  std::size_t regime_of(std::uint64_t id) const { return regimes[static_cast<std::size_t>(id % regimes.size())]; }
};

/// The regimes and workloads among which a verb selects. Every verb accepts the name of a recorded regime.
enum class Among {
  drawn,          ///< regimes from which cases are drawn
  workloads_too,  ///< these regimes, and a workload if it is named
  recorded_too,   ///< these regimes and regimes of recorded cases
};

/// Returns the selection, or nothing after an error message. The errors are an unknown regime or profile (the message
/// has the known names), invalid sizes, and an empty selection.
std::optional<Selected> select_or_complain(std::string_view verb, Kernel const& kernel, Selection const& selection,
                                           Among among = Among::drawn);

/// Reads sizes such as "1e-3:1" and returns their decimal exponents. If the text is invalid, returns nothing and sets
/// `wrong`.
std::optional<Sizes> read_sizes(std::string_view text, std::string& wrong);

}  // namespace demeter::cli
