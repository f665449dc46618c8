#include "check/enough.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace demeter {
namespace {

/// Returns the sum of a count over the deciding regimes of a profile. Each regime contributes the largest count among
/// its outputs.
template <class Count>
std::uint64_t sum_over_regimes(Kernel const& kernel, SubjectCheck const& check, Profile profile, Count const& count) {
  std::uint64_t sum = 0, of_regime = 0;
  for (std::size_t i = 0; i < check.accuracy.size(); ++i) {
    AccuracyCell const& cell = check.accuracy[i];
    if (!cell.decides || kernel.regimes[cell.regime].profile != profile) continue;
    of_regime = std::max(of_regime, count(cell));
    bool const last = i + 1 == check.accuracy.size() || check.accuracy[i + 1].regime != cell.regime;
    if (last) sum += std::exchange(of_regime, 0);
  }
  return sum;
}

std::string joined(std::vector<std::string> const& texts) {
  std::string all;
  for (std::size_t i = 0; i < texts.size(); ++i)
    all += (i == 0 ? "" : i + 1 == texts.size() ? " and " : ", ") + texts[i];
  return all;
}

}  // namespace

std::uint64_t judged_cases_of(Kernel const& kernel, SubjectCheck const& check, Profile profile) {
  return sum_over_regimes(kernel, check, profile, [](AccuracyCell const& cell) { return cell.judged; });
}

std::string why_not_a_verdict(Kernel const& kernel, SubjectCheck const& check, CheckOptions const& options) {
  std::vector<std::string> few;
  for (std::size_t k = 0; k < labels(Profile{}).size(); ++k) {
    auto const profile = static_cast<Profile>(k);
    bool decides = false, all_there_are = !options.every_case;
    for (AccuracyCell const& cell : check.accuracy) {
      RegimeInfo const& regime = kernel.regimes[cell.regime];
      if (!cell.decides || regime.profile != profile) continue;
      decides = true;
      all_there_are = all_there_are && regime.size > 0 && cell.cases >= regime.size;
    }
    // A regime of recorded cases may have few cases. It is complete when all of them were drawn.
    if (!decides || all_there_are) continue;
    std::uint64_t const judged = judged_cases_of(kernel, check, profile);
    std::uint64_t const declined = sum_over_regimes(
        kernel, check, profile, [](AccuracyCell const& cell) { return cell.unsupported + cell.not_representable; });
    if (is_enough(judged + (options.declining_allowed ? declined : 0))) continue;
    few.push_back(fmt::format("{} {}", judged, options.every_case ? "recorded" : labels(Profile{})[k]));
  }
  std::vector<std::string> left_out;
  if (!check.laws.empty() && std::ranges::all_of(check.laws, [](LawCheck const& law) { return law.cases == 0; }))
    left_out.emplace_back("laws");
  bool const may_decline_all = options.declining_allowed && check.answered_nothing();
  if (auto const& ways = check.calls.not_tried; !ways.empty() && !may_decline_all) {
    std::vector<std::string> names;
    for (Way const way : ways) names.emplace_back(way_name(way));
    left_out.push_back("call patterns (" + joined(names) + ")");
  }
  if (few.empty() && left_out.empty()) return "";
  std::string text = "not refuted";
  if (!few.empty()) text += fmt::format(" in {} cases (expected {})", joined(few), enough_cases);
  if (!left_out.empty()) text += ", not tried: " + joined(left_out);
  return text;
}

}  // namespace demeter
