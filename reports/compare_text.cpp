// Writes a comparison as text, as JSON and as JUnit suites.
#include "reports/compare.hpp"
#include "reports/format/model.hpp"
#include "reports/format/verdict.hpp"
#include "reports/format/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

namespace demeter {
namespace {

using report::Json, report::Number;
using FindingKind = Finding::Kind;

/// Returns a text for one line: control characters become spaces.
std::string without_controls(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < 32 || c == 127; }, ' ');
  return text;
}

/// The numbers of results of a kernel that were compared.
struct Compared {
  std::size_t accuracy = 0, laws = 0, timings = 0;

  void count(std::string const& what) {
    ++(what.starts_with("accuracy ") ? accuracy : what.starts_with("law ") ? laws : timings);
  }
  std::size_t sum() const { return accuracy + laws + timings; }
  std::string text() const {
    std::string text;
    auto const part = [&](std::size_t number, std::string_view one, std::string_view many) {
      if (number > 0)
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", report::grouped(static_cast<std::int64_t>(number)),
                            number == 1 ? one : many);
    };
    part(accuracy, "accuracy", "accuracies");
    part(laws, "law", "laws");
    part(timings, "timing", "timings");
    return text;
  }
};

/// Returns "a", or "a -> b" if the texts differ.
std::string from_to(std::string const& before, std::string const& now) {
  return before == now || before.empty() ? now : now.empty() ? before + " -> nothing" : before + " -> " + now;
}

/// Returns the number of correct digits, rounded down: "15.1".
std::string digits(Number error) {
  if (!error) return "";
  if (!std::isfinite(*error)) return "not finite";
  double const left = std::floor(report::digits_of(*error) * 10) / 10;
  return left < 1 ? "none" : fmt::format("{:.1f}", left);
}

/// Returns the results of a subject, if it is the only compared subject of a kernel: "everyday 15.1 -> 14.8 digits,
/// laws all hold, 2.7 ns".
std::string results_of(report::Kernel const& was, report::Kernel const& is, std::string const& subject) {
  auto const* const before = report::find_named(was.subjects, subject);
  auto const* const now = report::find_named(is.subjects, subject);
  std::vector<std::string> parts;
  if (before != nullptr && now != nullptr) {
    for (std::string_view const profile : {"everyday", "degenerate"}) {
      std::string const of = from_to(digits(report::profile_tally(was, *before, profile).error),
                                     digits(report::profile_tally(is, *now, profile).error));
      if (!of.empty()) parts.push_back(fmt::format("{} {} digits", profile, of));
    }
    auto const laws = [](report::Contender const& contender) {
      report::LawTally const sum = report::law_tally(contender);
      return sum.tested == 0   ? ""
             : sum.broken == 0 ? "all hold"
                               : fmt::format("{} of {} broken", sum.broken, sum.tested);
    };
    if (std::string const of = from_to(laws(*before), laws(*now)); !of.empty()) parts.push_back("laws " + of);
  }
  auto const time = [&](report::Kernel const& kernel) {
    Number const of = report::nanoseconds(kernel, subject, "cache", report::quoted_regime(kernel));
    return of ? fmt::format("{:.3g}", *of) : std::string();
  };
  if (std::string const of = from_to(time(was), time(is)); !of.empty()) parts.push_back(of + " ns per case");
  return fmt::format("{}", fmt::join(parts, ", "));
}

/// Makes the sentence about one kernel from the results of its subjects.
class KernelSentence {
 public:
  KernelSentence(std::string const& kernel, Comparison const& comparison, Recorded const& old_run,
                 Recorded const& new_run)
      : old_(old_run), new_(new_run), kernel_(kernel) {
    for (auto const& item : comparison.compared)
      if (item.kernel == kernel) all_.count(item.what);
    for (auto const& finding : comparison.findings) {
      if (finding.kernel != kernel || finding.what.empty()) continue;
      if (finding.kind == FindingKind::regression) worse_[finding.subject].insert(finding.what);
      if (finding.kind == FindingKind::improvement) better_[finding.subject].insert(finding.what);
    }
  }

  std::string text() const {
    std::vector<std::string> const before = subjects_of(old_), now = subjects_of(new_);
    if (before.empty()) return "not in OLD";
    if (now.empty()) return "not in NEW";
    std::vector<std::string> common, gone, added;
    for (auto const& name : now) (is_in(before, name) ? common : added).push_back(name);
    for (auto const& name : before)
      if (!is_in(now, name)) gone.push_back(name);
    if (all_.sum() == 0 && !common.empty()) return "nothing that can be judged in both";
    if (common.size() == 1 && gone.empty() && added.empty()) return of_only(common.front());
    return of_many(common, gone, added);
  }

 private:
  static bool is_in(std::vector<std::string> const& names, std::string const& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  }
  std::vector<std::string> subjects_of(Recorded const& run) const {
    std::vector<std::string> names;
    for (auto const& [kernel, subject] : run.pairs)
      if (kernel == kernel_) names.push_back(subject);
    return names;
  }
  static std::size_t count(std::map<std::string, std::set<std::string>> const& in, std::string const& subject) {
    auto const found = in.find(subject);
    return found == in.end() ? 0 : found->second.size();
  }

  std::string of_only(std::string const& subject) const {
    auto const former = old_.former_names.find({kernel_, subject});
    std::string text = former != old_.former_names.end() ? former->second + " -> " + subject : subject;
    std::size_t const worse = count(worse_, subject), better = count(better_, subject);
    if (worse + better == 0) text += former != old_.former_names.end() ? " without a change" : " as before";
    if (worse > 0) text += fmt::format(" worse in {}", worse);
    if (better > 0) text += fmt::format("{} better in {}", worse > 0 ? "," : "", better);
    if (worse + better > 0) text += fmt::format(" of {} results", all_.sum());
    auto const* const was = report::find_named(old_.kernels, kernel_);
    auto const* const is = report::find_named(new_.kernels, kernel_);
    std::string const results = was != nullptr && is != nullptr ? results_of(*was, *is, subject) : "";
    return text + ": " + (results.empty() ? all_.text() : results);
  }

  std::string of_many(std::vector<std::string> const& common, std::vector<std::string> const& gone,
                      std::vector<std::string> const& added) const {
    std::vector<std::string> worse, mixed, better;
    std::size_t same = 0;
    for (auto const& name : common) {
      bool const is_worse = count(worse_, name) > 0, is_better = count(better_, name) > 0;
      if (is_worse || is_better)
        (is_worse && is_better ? mixed : is_worse ? worse : better).push_back(name);
      else
        ++same;
    }
    std::string text;
    auto const part = [&](std::string_view what, std::vector<std::string> const& names) {
      if (!names.empty()) text += fmt::format("{}: {}; ", what, report::listed(names, 5));
    };
    part("worse", worse);
    part("worse and better", mixed);
    part("better", better);
    part("gone", gone);
    part("new", added);
    text += fmt::format("{} {} as before", same, same == 1 ? "subject" : "subjects");
    return all_.sum() == 0 ? text : fmt::format("{} ({})", text, all_.text());
  }

  Recorded const& old_;
  Recorded const& new_;
  std::string kernel_;
  Compared all_;
  std::map<std::string, std::set<std::string>> worse_, better_;
};

}  // namespace

std::vector<std::pair<std::string, std::string>> sentences(Comparison const& comparison, Recorded const& old_run,
                                                           Recorded const& new_run) {
  std::vector<std::pair<std::string, std::string>> result;
  std::set<std::string> seen;
  for (auto const* run : {&new_run, &old_run})
    for (auto const& pair : run->pairs)
      if (seen.insert(pair.first).second)
        result.emplace_back(without_controls(pair.first),
                            without_controls(KernelSentence(pair.first, comparison, old_run, new_run).text()));
  return result;
}

std::vector<std::string> rules_text(CompareOptions const& options) {
  std::vector<std::string> rules{
      fmt::format(
          "accuracy, by subject, kernel, regime and output: newly over budget; more crashes, timeouts or "
          "undecided cases; on the same cases a maximum above {} times the old one and above {} of the budget, a "
          "mean above {} times the old one and above {} of the budget, more than 10 failures and {} times as many, "
          "fewer answers",
          options.error_factor, options.maximum_share, options.error_factor, options.mean_share, options.error_factor),
      "laws: newly broken; on the same cases broken more than 10 times and " +
          fmt::format("{} times as often", options.error_factor),
      fmt::format("speed, each sample divided by its reference workload: medians that differ by more than {:.0f} % and "
                  "one-sided Mann-Whitney p < {} for all timings together (Bonferroni; samples without overlap always "
                  "suffice), at least {} repetitions in both runs",
                  100 * (options.slower - 1), options.significance, options.repetitions),
      options.allow_gone ? "items that only OLD has are listed"
                         : "items that only OLD has count as regressions (change with --allow-gone)"};
  if (options.are_subjects()) {
    rules.back() = "results of only one of the two subjects are listed";
    rules.push_back(
        fmt::format("{} is compared as OLD, {} as NEW; the smaller budget of the two decides which errors "
                    "are small",
                    options.first, options.second));
  }
  return rules;
}

std::string_view kind_word(FindingKind kind, bool are_subjects) {
  if (are_subjects && kind == FindingKind::regression) return "WORSE";
  if (are_subjects && (kind == FindingKind::gone || kind == FindingKind::added)) return "only one";
  return labels(FindingKind{})[static_cast<std::size_t>(kind)];
}

std::string counts_text(Comparison const& comparison) {
  std::size_t const worse = comparison.count(FindingKind::regression);
  return fmt::format("{} {}, {} {}, {} better, {} new", worse,
                     comparison.are_subjects ? "worse"
                     : worse == 1            ? "regression"
                                             : "regressions",
                     comparison.count(FindingKind::gone), comparison.are_subjects ? "missing" : "gone",
                     comparison.count(FindingKind::improvement), comparison.count(FindingKind::added));
}

std::string finding_text(Finding const& finding, bool are_subjects) {
  std::string line(kind_word(finding.kind, are_subjects));
  for (auto const* part : {&finding.kernel, &finding.subject, &finding.what})
    if (!part->empty()) line += " " + *part;
  line += ": " + finding.text;
  return without_controls(std::move(line));
}

Json describe(Comparison const& comparison, Recorded const& old_run, Recorded const& new_run,
              CompareOptions const& options) {
  auto const run = [](Recorded const& from) {
    return Json{{"version", from.version}, {"commit", from.commit},     {"seed", from.seed},
                {"cpu", from.cpu},         {"compiler", from.compiler}, {"flags", from.flags}};
  };
  Json result;
  result["old"] = run(old_run);
  result["new"] = run(new_run);
  if (options.are_subjects()) result["subjects"] = {options.first, options.second};
  result["kernels"] = Json::array();
  for (auto const& [kernel, sentence] : sentences(comparison, old_run, new_run))
    result["kernels"].push_back({{"kernel", kernel}, {"sentence", sentence}});
  result["rules"] = rules_text(options);
  result["compared"] = {{"accuracy", comparison.accuracy}, {"laws", comparison.laws}, {"timings", comparison.timings}};
  result["level"] = comparison.level;
  result["regressions"] = comparison.regressions();
  result["findings"] = Json::array();
  for (auto const& finding : comparison.findings)
    result["findings"].push_back({{"kind", finding.kind == FindingKind::regression    ? "regression"
                                           : finding.kind == FindingKind::gone        ? "gone"
                                           : finding.kind == FindingKind::improvement ? "improvement"
                                           : finding.kind == FindingKind::added       ? "added"
                                                                                      : "note"},
                                  {"kernel", finding.kernel},
                                  {"subject", finding.subject},
                                  {"what", finding.what},
                                  {"text", finding.text}});
  return result;
}

std::vector<junit::Suite> junit_suites(Comparison const& comparison) {
  std::vector<junit::Suite> suites;
  auto const case_of = [&](std::string const& kernel, std::string const& subject,
                           std::string const& what) -> junit::Case& {
    std::string const name = subject.empty() ? kernel : kernel + " x " + subject;
    auto suite =
        std::find_if(suites.begin(), suites.end(), [&](junit::Suite const& each) { return each.name == name; });
    if (suite == suites.end())
      suite = suites.insert(suites.end(), {name, subject.empty() ? kernel : kernel + "." + subject, {}});
    std::string const title = what.empty() ? "present" : what;
    // Searches from the end, because the findings of an item come soon after the item. If there is no case with this
    // name, adds one.
    for (auto each = suite->cases.rbegin(); each != suite->cases.rend(); ++each)
      if (each->name == title) return *each;
    suite->cases.push_back({});
    suite->cases.back().name = title;
    return suite->cases.back();
  };
  std::map<std::tuple<std::string, std::string, std::string>, std::vector<Finding const*>> findings;
  for (auto const& finding : comparison.findings)
    if (!finding.kernel.empty()) findings[{finding.kernel, finding.subject, finding.what}].push_back(&finding);
  auto const fill = [&](junit::Case& into, std::vector<Finding const*> const& from) {
    for (auto const* finding : from) {
      bool const bad =
          finding->kind == FindingKind::regression || (finding->kind == FindingKind::gone && comparison.gone_counts);
      if (bad && into.outcome != junit::Case::Outcome::failed) {
        into.outcome = junit::Case::Outcome::failed;
        into.message = finding->text;
      }
      into.detail += finding_text(*finding, comparison.are_subjects) + "\n";
    }
  };
  for (auto const& item : comparison.compared) {
    junit::Case& of_item = case_of(item.kernel, item.subject, item.what);
    auto const found = findings.find({item.kernel, item.subject, item.what});
    if (found == findings.end()) continue;
    fill(of_item, found->second);
    findings.erase(found);
  }
  for (auto const& rest : findings) {
    auto const kind = rest.second.front()->kind;
    if (kind == FindingKind::gone)
      fill(case_of(std::get<0>(rest.first), std::get<1>(rest.first), std::get<2>(rest.first)), rest.second);
  }
  return suites;
}

}  // namespace demeter
