#include "cli/core/selection.hpp"

#include "cli/core/command.hpp"
#include "cli/core/suggest.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace demeter::cli {
namespace {

constexpr double smallest = 1e-30, largest = 1e30;

/// Returns x with 10^x = `value`. Computes 10^x with the function that also draws the cases, so that every machine gets
/// the same x. Returns a whole number for a power of ten.
double exponent_of(double value) {
  double low = -31, high = 31;
  for (int step = 0; step < 100; ++step) {
    double const middle = low + (high - low) / 2;
    (power_of_ten(middle) < value ? low : high) = middle;
  }
  double const whole = std::round(high);
  return std::fabs(high - whole) < 1e-12 ? whole : high;
}

bool reads_as_size(std::string_view text, double& value) {
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size() && value >= smallest && value <= largest;
}

std::string profile_names() {
  std::string names;
  for (auto const label : labels(Profile{})) names += std::string(label) + ", ";
  return names + "all";
}

/// Returns the profiles of these names: an empty list if there are no names. Returns nothing after an error message.
std::optional<std::vector<Profile>> profiles_or_complain(std::string_view verb, std::vector<std::string> const& names) {
  std::vector<Profile> wanted;
  auto const known = labels(Profile{});
  for (auto const& name : names) {
    auto const found = std::find(known.begin(), known.end(), name);
    if (found == known.end() && name != "all") {
      complain(bad_usage, verb,
               fmt::format("--profile: unknown profile \"{}\"; {}", name,
                           meant(name, {known.begin(), known.end()}, profile_names())));
      return std::nullopt;
    }
    for (std::size_t i = 0; i < known.size(); ++i)
      if (name == "all" || known[i] == name) wanted.push_back(static_cast<Profile>(i));
  }
  return wanted;
}

}  // namespace

std::optional<Sizes> read_sizes(std::string_view text, std::string& wrong) {
  auto const colon = text.find(':');
  double low = 0, high = 0;
  if (colon == std::string_view::npos || !reads_as_size(text.substr(0, colon), low) ||
      !reads_as_size(text.substr(colon + 1), high)) {
    wrong = fmt::format("got \"{}\", expected two lengths in metres from {} to {}, such as 1e-3:1", text, smallest,
                        largest);
    return std::nullopt;
  }
  if (low > high) {
    wrong = fmt::format("got \"{}\", expected the smaller length first", text);
    return std::nullopt;
  }
  return Sizes{exponent_of(low), exponent_of(high)};
}

void add_selection(Verb& verb, Selection& selection, std::string const& regime_help) {
  verb.list("--regime", selection.regimes, regime_help + " (a,b or repeated; ^a excludes a)");
  verb.list("--profile", selection.profiles, "only regimes of these profiles: " + profile_names());
  verb.option("--sizes", selection.sizes,
              "range of the sizes of everyday and degenerate cases, in metres; each case has one size; 1e-5:10 if not "
              "given")
      .type_name("LOW:HIGH");
}

std::optional<Selected> select_or_complain(std::string_view verb, Kernel const& kernel, Selection const& selection,
                                           Among among) {
  Selected selected;
  if (!selection.sizes.empty()) {
    std::string wrong;
    auto const sizes = read_sizes(selection.sizes, wrong);
    if (!sizes) return complain(bad_usage, verb, "--sizes: " + wrong), std::nullopt;
    selected.sizes = *sizes;
  }
  auto const profiles = profiles_or_complain(verb, selection.profiles);
  if (!profiles) return std::nullopt;

  std::vector<bool> named(kernel.regimes.size(), false), left_out(kernel.regimes.size(), false);
  bool any_named = false;
  for (std::string_view const given : selection.regimes) {
    bool const out = given.starts_with('^');
    std::string_view const name = out ? given.substr(1) : given;
    auto const is_it = [&](auto const& each) { return each.name == name; };
    auto const regime = std::find_if(kernel.regimes.begin(), kernel.regimes.end(), is_it);
    auto const workload = std::find_if(kernel.workloads.begin(), kernel.workloads.end(), is_it);
    if (workload != kernel.workloads.end() && among == Among::workloads_too) {
      if (selection.regimes.size() > 1 || out || !selection.profiles.empty() || !selection.sizes.empty())
        return complain(bad_usage, verb,
                        fmt::format(
                            "--regime: the workload \"{}\" cannot be combined with other regimes, --profile or --sizes",
                            name)),
               std::nullopt;
      selected.workload = static_cast<std::size_t>(workload - kernel.workloads.begin());
      selected.all = false;
      return selected;
    }
    if (regime == kernel.regimes.end()) {
      std::vector<std::string> names = names_of(kernel.regimes);
      if (among == Among::workloads_too)
        for (auto const& each : kernel.workloads) names.push_back(each.name);
      return complain(bad_usage, verb,
                      fmt::format("unknown regime \"{}\" of {}; {}", name, kernel.name, meant(name, names))),
             std::nullopt;
    }
    (out ? left_out : named)[static_cast<std::size_t>(regime - kernel.regimes.begin())] = true;
    any_named = any_named || !out;
  }
  for (std::size_t i = 0; i < kernel.regimes.size(); ++i) {
    RegimeInfo const& regime = kernel.regimes[i];
    bool const wanted =
        (any_named ? named[i] : regime.size == 0 || among == Among::recorded_too) && !left_out[i] &&
        (profiles->empty() || std::find(profiles->begin(), profiles->end(), regime.profile) != profiles->end());
    if (wanted) selected.regimes.push_back(i);
  }
  selected.all = selection.regimes.empty() && profiles->empty();
  selected.asked_for = any_named || !profiles->empty();
  if (selected.regimes.empty())
    return complain(bad_usage, verb,
                    fmt::format("--regime and --profile: expected at least one regime of {}", kernel.name)),
           std::nullopt;
  return selected;
}

}  // namespace demeter::cli
