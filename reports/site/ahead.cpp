// The section "Ahead of fast" on a kernel's page, below the times. It lists the routines that are faster than a batch
// form with the same or a wider instruction set, and the reason for each.
#include "bench/core/timings.hpp"
#include "reports/format/verdict.hpp"
#include "reports/format/words.hpp"
#include "reports/site/html.hpp"
#include "reports/site/pages.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace demeter::report {
namespace {

bool is_fast(std::string_view name) { return name.starts_with("fast@"); }

/// Returns whether `a` is faster than `b` beyond timing noise: the intervals of the medians do not overlap.
bool is_faster(Timing const& a, Timing const& b) {
  auto const of_a = median_interval(a.samples), of_b = median_interval(b.samples);
  return of_a && of_b && of_a->high < of_b->low;
}

/// A faster routine, with the pairs of times that show this: "in cache 50 ns (fast@avx2: 58 ns)".
struct Ahead {
  std::string name, outputs, times;
};

std::vector<Ahead> all_ahead(Kernel const& kernel) {
  std::string const typical = quoted_regime(kernel);
  std::vector<Ahead> found;
  for (Timing const& other : kernel.speed.timings) {
    bool const judged_or_plain =
        find_named(kernel.subjects, other.subject) || find_named(kernel.speed.baselines, other.subject);
    if (other.regime != typical || is_fast(other.subject) || !judged_or_plain) continue;
    for (Timing const& fast : kernel.speed.timings) {
      bool const alike = fast.setting == other.setting && fast.regime == typical && fast.outputs == other.outputs;
      if (!alike || !is_fast(fast.subject) || bench::level_of(other.subject) > bench::level_of(fast.subject)) continue;
      if (!is_faster(other, fast)) continue;
      auto entry = std::find_if(found.begin(), found.end(), [&](Ahead const& each) {
        return each.name == other.subject && each.outputs == other.outputs;
      });
      if (entry == found.end()) entry = found.insert(found.end(), {other.subject, other.outputs, ""});
      add(entry->times, "{}{} {} ns ({}: {} ns)", entry->times.empty() ? "" : ", ",
          other.setting == "cache" ? "in cache" : other.setting, readable(other.nanoseconds), fast.subject,
          readable(fast.nanoseconds));
    }
  }
  return found;
}

/// Returns whether `contender` has more wrong cases or fewer whole correct digits than `than` in at least one profile.
bool is_less_right(Kernel const& kernel, Contender const& contender, Contender const& than) {
  auto const mine = verdict(kernel, contender).profiles, theirs = verdict(kernel, than).profiles;
  return std::any_of(theirs.begin(), theirs.end(), [&](Outcome const& other) {
    auto const same =
        std::find_if(mine.begin(), mine.end(), [&](Outcome const& each) { return each.name == other.name; });
    if (same == mine.end() || !same->asked()) return other.asked();
    return same->wrong() > other.wrong() || std::floor(same->digits) < std::floor(other.digits);
  });
}

/// Returns the outputs that have a budget and that the contender does not answer.
std::vector<std::string> left_out(Kernel const& kernel, Contender const& contender) {
  std::vector<std::string> names;
  for (OutputBudget const& budget : kernel.budgets) {
    bool const answered = std::any_of(contender.accuracy.begin(), contender.accuracy.end(), [&](Accuracy const& row) {
      return row.output == budget.output && row.judged > 0;
    });
    if (!answered) names.push_back(budget.output);
  }
  return names;
}

std::string reason(Kernel const& kernel, Contender const& fast, std::string_view name) {
  Baseline const* const baseline = find_named(kernel.speed.baselines, name);
  std::string text = baseline && !baseline->leaves_out.empty() ? escaped(baseline->leaves_out) : "";
  Contender const* const judged = find_named(kernel.subjects, baseline ? baseline->judged_as : name);
  if (judged == nullptr) return text.empty() ? "these results have no verdict on it" : text;
  if (!text.empty()) text += "; ";
  if (baseline) add(text, "the same values as {}, except for extreme numbers; its verdict: ", escaped(judged->name));
  std::vector<std::string> const missing = baseline ? std::vector<std::string>() : left_out(kernel, *judged);
  if (!missing.empty()) add(text, "without {}; ", escaped(listed(missing)));
  if (!judged->formula.empty() && judged->formula != fast.formula)
    add(text, "another model, the formula {}; ", escaped(judged->formula));
  text += judged->sentence.empty() ? "no verdict" : escaped(judged->sentence);
  bool const explained = (baseline && !baseline->leaves_out.empty()) || !missing.empty() ||
                         judged->formula != fast.formula || is_less_right(kernel, *judged, fast);
  return explained ? text : text + ". <b>As accurate as fast</b>: the reason for the difference in time is not known";
}

}  // namespace

std::string ahead_section(Kernel const& kernel) {
  Contender const* fast = nullptr;
  for (Timing const& timing : kernel.speed.timings)
    if (is_fast(timing.subject) && fast == nullptr) fast = find_named(kernel.subjects, timing.subject);
  if (fast == nullptr) return "";
  std::string html = "<h3 id=\"ahead\">Ahead of fast</h3>\n";
  auto const found = all_ahead(kernel);
  if (found.empty()) {
    add(html,
        "<p>Regime {}: no routine takes significantly less time than <code>fast</code> for the same outputs. Each "
        "routine is compared with <code>fast</code> at its own and at wider instruction sets.</p>\n",
        escaped(quoted_regime(kernel)));
    return html;
  }
  add(html,
      "<p>Regime {}: these routines take less time than <code>fast</code> for the same outputs. Each routine is "
      "compared with <code>fast</code> at its own and at wider instruction sets. The intervals of the two times do "
      "not overlap. Each line also shows what the routine gives up. <code>fast</code> itself: {}.</p>\n"
      "<ul>\n",
      escaped(quoted_regime(kernel)), escaped(fast->sentence));
  for (Ahead const& each : found)
    add(html, "<li><b>{}</b>{}, {}: {}.</li>\n", escaped(each.name),
        each.outputs == "all" ? "" : " (" + escaped(each.outputs) + ")", escaped(each.times),
        reason(kernel, *fast, each.name));
  return html + "</ul>\n";
}

}  // namespace demeter::report
