#include "reports/format/verdict.hpp"

#include "check/enough.hpp"
#include "reports/format/model.hpp"
#include "reports/format/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace demeter::report {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Combines the counts of one output with the counts of the other outputs of the regime. All outputs have the same
/// cases, so each count is the largest count of an output.
void add_output(Outcome& to, Accuracy const& cell, double u) {
  to.cases = std::max(to.cases, cell.cases);
  to.judged = std::max(to.judged, cell.judged);
  to.unsupported = std::max(to.unsupported, cell.unsupported);
  to.crash = std::max(to.crash, cell.crash);
  to.timeout = std::max(to.timeout, cell.timeout);
  to.missing = std::max(to.missing, cell.missing);
  to.malformed = std::max(to.malformed, cell.malformed);
  to.not_representable = std::max(to.not_representable, cell.not_representable);
  to.not_asked = std::max(to.not_asked, cell.not_asked);
  to.not_finite = std::max(to.not_finite, cell.not_a_number + cell.not_finite);
  to.failed = std::max(to.failed, cell.failed);
  to.undecided = std::max(to.undecided, cell.undecided);
  to.known = std::max(to.known, cell.known);
  double const error = cell.judged > 0 ? cell.max_error.value_or(0) * u : 0;
  if (to.output.empty() || !(error <= to.error)) to.output = cell.output;
  if (!(error <= to.error)) to.error = std::isnan(error) ? infinity : error;
}

int whole(double digits) { return static_cast<int>(std::floor(digits)); }

std::string digits_in_words(double digits, std::string_view what) {
  int const count = whole(digits);
  return fmt::format("{} {} digit{}", what, count, count == 1 ? "" : "s");
}

/// Returns "right to 15 digits", for results that passed.
std::string right_to(double digits) {
  return digits < 1 ? "within the tolerance" : digits_in_words(digits, "right to");
}

/// Returns a description of a regime that fails: "to 8 digits", "wrong", "wrong in up to 3.5 % of cases".
std::string fails_with(Outcome const& regime, bool first) {
  std::int64_t const lost = regime.lost(), all = regime.judged + lost;
  if (regime.failed == 0)
    return fmt::format("{} in {} of {} cases",
                       lost == regime.crash                    ? "crashed"
                       : lost == regime.timeout                ? "hung"
                       : regime.missing + regime.malformed > 0 ? "no answer"
                                                               : "crashed or hung",
                       grouped(lost), grouped(all));
  if (regime.digits >= 1)
    return first ? digits_in_words(regime.digits, "to") : fmt::format("to {}", whole(regime.digits));
  if (regime.failed == regime.judged) return "wrong";
  return fmt::format("wrong in up to {} of cases",
                     percent(static_cast<double>(regime.failed) / static_cast<double>(regime.judged)));
}

/// Regimes that fail in the same way, with the counts of the regime that has the largest share of wrong answers.
struct Group {
  std::vector<std::string> regimes;
  Outcome all;
};

std::vector<Group> grouped_alike(std::vector<Outcome const*> failing) {
  std::stable_sort(failing.begin(), failing.end(), [](Outcome const* a, Outcome const* b) {
    if (whole(a->digits) != whole(b->digits)) return a->digits > b->digits;
    return false;
  });
  std::vector<Group> groups;
  for (auto const* regime : failing) {
    auto const alike = [&](Group const& group) {
      return (group.all.failed == 0) == (regime->failed == 0) && whole(group.all.digits) == whole(regime->digits);
    };
    auto group = std::find_if(groups.begin(), groups.end(), alike);
    if (group == groups.end()) group = groups.insert(groups.end(), Group{});
    group->regimes.push_back(phrase_of(regime->name));
    // The sentence says "in up to", so it needs the regime with the largest share of wrong answers.
    bool const more =
        group->regimes.size() == 1 || static_cast<double>(regime->wrong()) * static_cast<double>(group->all.cases) >
                                          static_cast<double>(group->all.wrong()) * static_cast<double>(regime->cases);
    double const digits = group->regimes.size() == 1 ? regime->digits : std::min(group->all.digits, regime->digits);
    if (more) group->all = *regime;
    group->all.digits = digits;
  }
  return groups;
}

/// Returns " in 2,000 cases" if the number of cases is large enough. Otherwise returns ", no failure in 36 cases (at
/// most 8 % fail, 95 % confidence)".
std::string in_so_many(std::int64_t judged) {
  if (is_enough(static_cast<std::uint64_t>(judged))) return fmt::format(" in {} cases", grouped(judged));
  double const most = 1 - std::pow(0.05, 1 / static_cast<double>(judged));
  return fmt::format(", no failure in {} case{} (at most {} fail, 95 % confidence)", judged, judged == 1 ? "" : "s",
                     percent(most));
}

void add_profile(std::vector<std::string>& clauses, Outcome const& profile, std::vector<Outcome> const& regimes,
                 std::optional<Threshold> const& threshold, bool decides) {
  std::string const name = profile.name.empty() ? "" : profile.name + ": ";
  if (profile.wrong() == 0) {
    if (profile.judged > 0) clauses.push_back(name + right_to(profile.digits) + in_so_many(profile.judged));
    return;
  }
  if (threshold) {
    clauses.push_back(name + right_to(digits_of(threshold->error_above)) +
                      fmt::format(" in {} cases", grouped(threshold->judged_above)));
    clauses.push_back(fmt::format("below {}: {}", length_rounded_up(threshold->size),
                                  profile.digits < 1 ? "wrong" : digits_in_words(profile.digits, "to")));
    return;
  }
  std::vector<Outcome const*> failing;
  Outcome holding;
  std::int64_t held = 0;
  for (auto const& regime : regimes) {
    if (regime.profile != profile.name || !regime.asked()) continue;
    if (regime.wrong() > 0) {
      failing.push_back(&regime);
    } else if (regime.judged > 0) {
      ++held, add_regime(holding, regime);
    }
  }
  if (!decides) {
    clauses.push_back(held > 0 ? fmt::format("{}{} of {} regimes fail", name, failing.size(),
                                             static_cast<std::size_t>(held) + failing.size())
                               : fmt::format("{}fails in every regime", name));
    return;
  }
  bool first = true;
  if (held > 0) {
    clauses.push_back(fmt::format("{}{} in {} of {} regimes", name, right_to(digits_of(holding.error)), held,
                                  static_cast<std::size_t>(held) + failing.size()));
    first = false;
  }
  auto const groups = grouped_alike(failing);
  if (groups.size() == 1 && held == 0) {
    clauses.push_back(name + fails_with(groups.front().all, true));
    return;
  }
  constexpr std::size_t names = 3;
  for (auto const& group : groups) {
    std::string const who = listed(group.regimes, names);
    clauses.push_back(
        fmt::format("{}{}: {}", first && !name.empty() ? profile.name + ", " : "", who, fails_with(group.all, first)));
    first = false;
  }
}

std::vector<LawOutcome> broken_laws(Kernel const& kernel, Contender const& contender) {
  std::vector<LawOutcome> laws;
  for (auto const& law : contender.laws) {
    // Results files of earlier versions do not contain `deciding`, the number of cases that count for the verdict.
    LawOutcome all{law.law, law.deciding > 0 ? law.deciding : law.applicable, 0, {}};
    for (auto const& breach : law.regimes) {
      RegimeTerm const* const of = find_regime(kernel, breach.regime);
      if (of != nullptr && !decides(contender, of->profile)) continue;
      all.broken += breach.broken;
      if (breach.worst && (!all.worst || *breach.worst > *all.worst)) all.worst = breach.worst;
    }
    if (all.broken > 0) laws.push_back(std::move(all));
  }
  std::stable_sort(laws.begin(), laws.end(), [](LawOutcome const& a, LawOutcome const& b) {
    return static_cast<double>(a.broken) * static_cast<double>(b.applicable) >
           static_cast<double>(b.broken) * static_cast<double>(a.applicable);
  });
  return laws;
}

/// Returns clauses such as "misses contacts (12 of 2,000: in a row)" for labels that were confused. Reports the regime
/// with the largest share. In every contract, the label for no contact is "separated".
std::vector<std::string> mistaken_contacts(Kernel const& kernel, Contender const& contender) {
  constexpr std::string_view none = "separated";
  struct Worst {
    std::int64_t cases = 0, judged = 1;
    std::string regime;
  };
  Worst missed, imagined;
  auto const take = [](Worst& worst, std::int64_t cases, Accuracy const& cell) {
    if (cases > 0 && cases * worst.judged > worst.cases * cell.judged) worst = {cases, cell.judged, cell.regime};
  };
  for (auto const& cell : contender.accuracy) {
    RegimeTerm const* const regime = find_regime(kernel, cell.regime);
    if (regime == nullptr || !decides(contender, regime->profile)) continue;
    std::int64_t misses = 0, finds = 0;
    for (auto const& label : cell.labels) {
      if (label.answer == none) misses += label.cases;
      if (label.truth == none) finds += label.cases;
    }
    take(missed, misses, cell);
    take(imagined, finds, cell);
  }
  std::vector<std::string> clauses;
  auto const say = [&](std::string_view what, Worst const& worst) {
    if (worst.cases > 0)
      clauses.push_back(
          fmt::format("{} ({} of {}: {})", what, grouped(worst.cases), grouped(worst.judged), phrase_of(worst.regime)));
  };
  say("misses contacts", missed);
  say("finds contacts where there are none", imagined);
  return clauses;
}

/// Returns the name of a formula for a sentence: "textbook with limit=sum", "the recommended law with slip=current".
std::string formula_phrase(std::string_view name) {
  if (name == "reference") return "the recommended law";
  std::string_view const base = name.substr(0, name.find(','));
  std::string_view const rest = name.substr(std::min(base.size() + 1, name.size()));
  if (base.find('=') != std::string_view::npos) return fmt::format("the recommended law with {}", name);
  return rest.empty() ? std::string(base) : fmt::format("{} with {}", base, rest);
}

/// Returns the clause that says which formula the answers show, or "".
std::string identified_clause(Contender const& contender) {
  if (!contender.identified || contender.identified->answered == 0) return "";
  IdentifiedTerm const& is = *contender.identified;
  std::string const name = formula_phrase(is.formula),
                    share = fmt::format("{} of {} cases",
                                        percent(static_cast<double>(is.agree) / static_cast<double>(is.answered)),
                                        grouped(is.answered));
  if (is.fits && is.judged_by == is.formula)
    return is.kind == "equal" ? "" : fmt::format("implements {} ({}), judged as such", name, share);
  if (is.fits) return fmt::format("implements {} ({}), a mistake", name, share);
  bool const judged = is.judged_by != "reference" && is.judged_by == is.formula;
  return fmt::format("fits no known law, nearest is {} ({}){}", name, share, judged ? ", judged as such" : "");
}

std::string sentence_of(Kernel const& kernel, Verdict const& verdict, Contender const& contender) {
  bool judged = false;
  std::int64_t crashed = 0, hung = 0, known = 0;
  for (auto const& profile : verdict.profiles) {
    judged = judged || profile.judged > 0;
    if (!decides(contender, profile.name)) continue;
    crashed += profile.crash, hung += profile.timeout, known += profile.known;
  }
  std::vector<std::string> clauses;
  if (auto clause = identified_clause(contender); !clause.empty()) clauses.push_back(std::move(clause));
  if (!judged) clauses.push_back("answered nothing");
  if (judged)
    for (auto const& profile : verdict.profiles)
      add_profile(clauses, profile, verdict.regimes, profile.name == "everyday" ? verdict.threshold : std::nullopt,
                  decides(contender, profile.name));
  for (auto& clause : mistaken_contacts(kernel, contender)) clauses.push_back(std::move(clause));
  if (crashed > 0) clauses.push_back(fmt::format("crashed in {} case{}", grouped(crashed), crashed == 1 ? "" : "s"));
  if (hung > 0) clauses.push_back(fmt::format("hung in {} case{}", grouped(hung), hung == 1 ? "" : "s"));
  if (!verdict.laws.empty()) {
    std::vector<std::string> laws;
    for (auto const& law : verdict.laws)
      laws.push_back(fmt::format("{} in {}", phrase_of(law.law),
                                 percent(static_cast<double>(law.broken) / static_cast<double>(law.applicable))));
    constexpr std::size_t most = 3;
    clauses.push_back(fmt::format("law{} broken: {}", laws.size() == 1 ? "" : "s", listed(laws, most)));
  }
  if (contender.calls && !contender.calls->faults.empty()) {
    std::vector<std::string> ways;
    for (auto const& fault : contender.calls->faults) ways.push_back(fault.way);
    clauses.push_back("wrong in some call patterns: " + listed(ways, ways.size()));
  }
  if (known > 0)
    clauses.push_back(fmt::format("{} known failure{} not counted", grouped(known), known == 1 ? "" : "s"));
  return fmt::to_string(fmt::join(clauses, "; "));
}

/// Returns the cases of a profile by size. Each size includes the cases of all regimes.
std::vector<OfSize> by_size(Contender const& contender, std::string_view profile) {
  std::vector<OfSize> sizes;
  for (auto const& bin : contender.sizes)
    if (bin.profile == profile && bin.up_to)
      sizes.push_back({*bin.up_to, bin.judged, bin.failed, bin.max_error.value_or(0) * unit_of(contender)});
  std::sort(sizes.begin(), sizes.end(), [](OfSize const& a, OfSize const& b) { return a.up_to < b.up_to; });
  return sizes;
}

}  // namespace

void add_regime(Outcome& to, Outcome const& regime) {
  to.cases += regime.cases;
  to.judged += regime.judged;
  to.unsupported += regime.unsupported;
  to.crash += regime.crash;
  to.timeout += regime.timeout;
  to.missing += regime.missing;
  to.malformed += regime.malformed;
  to.not_representable += regime.not_representable;
  to.not_asked += regime.not_asked;
  to.not_finite += regime.not_finite;
  to.failed += regime.failed;
  to.undecided += regime.undecided;
  to.known += regime.known;
  if (to.output.empty() || regime.error > to.error) to.output = regime.output;
  to.error = std::max(to.error, regime.error);
}

double digits_of(double error) {
  if (!(error < 1)) return 0;
  return std::min(16.0, -std::log10(error));
}

bool decides(Contender const& contender, std::string_view profile) {
  if (contender.deciding.empty()) return profile != "extreme";
  return std::find(contender.deciding.begin(), contender.deciding.end(), profile) != contender.deciding.end();
}

std::string digits_text(Outcome const& outcome) {
  if (outcome.judged == 0) return "-";
  return outcome.digits < 1 ? "no" : fmt::format("{:.1f}", std::floor(10 * outcome.digits) / 10);
}

std::optional<Threshold> threshold(std::vector<OfSize> const& sizes) {
  auto const last = std::find_if(sizes.rbegin(), sizes.rend(), [](OfSize const& each) { return each.failed > 0; });
  if (last == sizes.rend()) return std::nullopt;
  Threshold found;
  found.size = last->up_to;
  std::int64_t judged = 0, failed = 0;
  for (auto each = sizes.rbegin(); each != last; ++each) {
    found.judged_above += each->judged;
    found.error_above = std::max(found.error_above, each->error);
  }
  for (auto each = last; each != sizes.rend(); ++each) judged += each->judged, failed += each->failed;
  // Returns a threshold only if chance does not explain it. If the failures did not depend on the size, at least ten
  // failures would be expected above the threshold.
  constexpr double expected = 10;
  if (!is_enough(static_cast<std::uint64_t>(found.judged_above))) return std::nullopt;
  if (static_cast<double>(failed) / static_cast<double>(judged) * static_cast<double>(found.judged_above) < expected)
    return std::nullopt;
  return found;
}

Verdict verdict(Kernel const& kernel, Contender const& contender) {
  Verdict result;
  for (auto const& regime : kernel.regimes) {
    Outcome outcome;
    outcome.name = regime.name;
    outcome.profile = regime.profile;
    for (auto const& cell : contender.accuracy)
      if (cell.regime == regime.name) add_output(outcome, cell, unit_of(contender));
    outcome.digits = digits_of(outcome.error);
    if (outcome.cases > 0) result.regimes.push_back(std::move(outcome));
  }
  for (std::string_view const name : {"everyday", "degenerate", "extreme", ""}) {
    Outcome outcome;
    outcome.name = outcome.profile = name;
    for (auto const& regime : result.regimes)
      if (regime.profile == name) add_regime(outcome, regime);
    outcome.digits = digits_of(outcome.error);
    if (outcome.cases > 0) result.profiles.push_back(std::move(outcome));
  }
  result.threshold = threshold(by_size(contender, "everyday"));
  result.laws = broken_laws(kernel, contender);
  result.sentence = sentence_of(kernel, result, contender);
  return result;
}

}  // namespace demeter::report
