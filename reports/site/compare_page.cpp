#include "reports/site/compare_page.hpp"

#include "reports/site/html.hpp"

#include <algorithm>
#include <map>

namespace demeter::report {
namespace {

using Kind = Finding::Kind;

/// Returns the names of both runs: first the names of the new run in its order, then names only in the old run.
template <class Named>
std::vector<std::string> names_of(std::vector<Named> const* now, std::vector<Named> const* before) {
  std::vector<std::string> names;
  for (auto const* all : {now, before})
    for (std::size_t i = 0; all != nullptr && i < all->size(); ++i)
      if (std::find(names.begin(), names.end(), (*all)[i].name) == names.end()) names.push_back((*all)[i].name);
  return names;
}

/// Returns "15.1 digits", "8 of 12, 3.1 digits", then the number of broken laws. Returns an empty text if there
/// are no answers.
std::string profile_words(Kernel const* kernel, Contender const* contender, std::string_view profile) {
  if (kernel == nullptr || contender == nullptr) return "";
  ProfileTally const sum = profile_tally(*kernel, *contender, profile);
  if (sum.standing == Standing::none) return "";
  std::string words = sum.held == sum.regimes
                          ? sum.fewest > 0 ? few_text(sum.fewest) : digits_text(sum.error)
                          : fmt::format("{} of {}, {}", sum.held, sum.regimes, digits_text(sum.error));
  if (sum.laws_broken > 0) words += ", " + counted(sum.laws_broken, "law", "laws") + " broken";
  return words;
}

std::string laws_words(Contender const* contender) {
  if (contender == nullptr) return "";
  LawTally const laws = law_tally(*contender);
  return laws.tested == 0   ? ""
         : laws.broken == 0 ? "all hold"
                            : fmt::format("{} of {} broken", laws.broken, laws.tested);
}

std::string time_words(Kernel const* kernel, std::string const& subject) {
  if (kernel == nullptr) return "";
  Number const time = nanoseconds(*kernel, subject, "cache", quoted_regime(*kernel));
  return time ? readable(time) + " ns" : "";
}

/// Returns "a", or "a → b" with b in bold.
std::string change(std::string const& before, std::string const& now, bool& changed) {
  auto const shown = [](std::string const& text) { return text.empty() ? std::string("–") : escaped(text); };
  if (before == now) return shown(now);
  changed = true;
  return shown(before) + " → <b>" + shown(now) + "</b>";
}

std::string_view colour(Kind kind) {
  switch (kind) {
    case Kind::regression:
    case Kind::gone:
      return "exceeded";
    case Kind::improvement:
      return "held";
    case Kind::added:
    case Kind::note:
      break;
  }
  return "nothing";
}

void add_findings(std::string& html, Comparison const& comparison, std::string_view kernel, std::string_view subject) {
  std::string items;
  for (Finding const& finding : comparison.findings)
    if (finding.kernel == kernel && finding.subject == subject)
      add(items, "<li><span class=\"verdict {}\">{}</span> {}{}{}</li>\n", colour(finding.kind),
          kind_word(finding.kind, comparison.are_subjects), escaped(finding.what), finding.what.empty() ? "" : ": ",
          escaped(finding.text));
  if (!items.empty()) html += "<ul class=\"lines\">" + items + "</ul>\n";
}

void add_kernel(std::string& html, std::string const& name, Kernel const* before, Kernel const* now,
                std::string const& sentence, Comparison const& comparison) {
  Kernel const& any = now != nullptr ? *now : *before;
  auto const shown = profiles_of(any);
  std::string rows, words;
  std::int64_t same = 0;
  for (std::string const& subject : names_of(now ? &now->subjects : nullptr, before ? &before->subjects : nullptr)) {
    Contender const* const was = before ? find_named(before->subjects, subject) : nullptr;
    Contender const* const is = now ? find_named(now->subjects, subject) : nullptr;
    bool changed = false, faster = false;
    std::string row;
    add(row, "<tr><th scope=\"row\">{}</th><td>{}</td>", breakable(subject),
        change(was ? was->verdict : "", is ? is->verdict : "", changed));
    for (std::string_view const profile : shown)
      add(row, "<td>{}</td>", change(profile_words(before, was, profile), profile_words(now, is, profile), changed));
    add(row, "<td>{}</td><td class=\"figure\">{}</td></tr>\n", change(laws_words(was), laws_words(is), changed),
        change(time_words(before, subject), time_words(now, subject), faster));
    std::string of_subject;
    add_findings(of_subject, comparison, name, subject);
    if (!of_subject.empty()) add(words, "<h3>{}</h3>\n{}", escaped(subject), of_subject);
    // Times always differ in the last digits, so `faster` is ignored: the findings list significant differences.
    if (changed || !of_subject.empty())
      rows += row;
    else
      ++same;
  }
  add(html, "<h2 id=\"{}\">{}</h2>\n<p>{}.</p>\n", anchor(name), escaped(name), escaped(sentence));
  add_findings(html, comparison, name, "");
  if (!rows.empty()) {
    open_table(html, (comparison.are_subjects ? "The two subjects compared in " : "What changed in ") + name);
    html += "<thead><tr><th scope=\"col\">implementation</th><th scope=\"col\">verdict</th>";
    for (std::string_view const profile : shown) add(html, "<th scope=\"col\">{}</th>", profile_name(profile));
    html +=
        "<th scope=\"col\">laws</th><th scope=\"col\" class=\"figure\">time per case</th></tr></thead>\n"
        "<tbody>\n" +
        rows;
    close_table(html);
  }
  html += words;
  if (same > 0)
    add(html, "<p class=\"quiet\">{}: {}.</p>\n", comparison.are_subjects ? "Equal" : "Unchanged",
        counted(same, "implementation", "implementations"));
}

/// Returns for example "0.1.0, commit abc, seed 1, on AMD EPYC".
std::string run_words(Recorded const& run) {
  std::string words = run.version;
  auto const part = [&](std::string_view before, std::string const& text) {
    if (!text.empty()) words += (words.empty() ? "" : ", ") + std::string(before) + text;
  };
  part("commit ", run.commit);
  part("seed ", run.seed);
  part("on ", run.cpu);
  return words.empty() ? "not recorded" : words;
}

}  // namespace

std::string compare_page(Recorded const& old_run, Recorded const& new_run, Comparison const& comparison,
                         CompareOptions const& rules) {
  std::string html;
  std::size_t const better = comparison.count(Kind::improvement), worse = comparison.count(Kind::regression);
  std::string const title =
      rules.are_subjects() ? fmt::format("{} compared with {}", rules.second, rules.first) : "What changed";
  if (rules.are_subjects())
    add(html, "<h1>{}</h1>\n<p class=\"lead\">{} is worse in {} and better in {}.</p>\n", escaped(title),
        escaped(rules.second), counted(static_cast<std::int64_t>(worse), "result", "results"),
        counted(static_cast<std::int64_t>(better), "result", "results"));
  else
    add(html, "<h1>{}</h1>\n<p class=\"lead\">{}, {}, {} gone, {} new.</p>\n", title,
        worse == 0 ? std::string("No regressions")
                   : counted(static_cast<std::int64_t>(worse), "regression", "regressions"),
        better == 0 ? "no improvements" : counted(static_cast<std::int64_t>(better), "improvement", "improvements"),
        comparison.count(Kind::gone), comparison.count(Kind::added));
  add(html, "<dl><dt>{}</dt><dd>{}</dd><dt>{}</dt><dd>{}</dd><dt>compared</dt><dd>{}, {} and {}</dd></dl>\n",
      rules.are_subjects() ? escaped(rules.first) : "before", escaped(run_words(old_run)),
      rules.are_subjects() ? escaped(rules.second) : "now", escaped(run_words(new_run)),
      counted(static_cast<std::int64_t>(comparison.accuracy), "largest error", "largest errors"),
      counted(static_cast<std::int64_t>(comparison.laws), "law", "laws"),
      counted(static_cast<std::int64_t>(comparison.timings), "timing", "timings"));
  add_findings(html, comparison, "", "");
  auto const kernels = names_of(&new_run.kernels, &old_run.kernels);
  std::string contents;
  for (std::string const& name : kernels) add(contents, "<a href=\"#{}\">{}</a>", anchor(name), escaped(name));
  if (!contents.empty()) html += "<nav class=\"contents\" aria-label=\"Kernels\">" + contents + "</nav>\n";
  std::map<std::string, std::string> sentence_of;
  for (auto const& [kernel, sentence] : sentences(comparison, old_run, new_run)) sentence_of[kernel] = sentence;
  for (std::string const& name : kernels)
    add_kernel(html, name, find_named(old_run.kernels, name), find_named(new_run.kernels, name), sentence_of[name],
               comparison);
  // A run that contains only timings does not describe its kernels, so these findings are listed separately.
  std::string others;
  for (Finding const& finding : comparison.findings)
    if (!finding.kernel.empty() && std::find(kernels.begin(), kernels.end(), finding.kernel) == kernels.end())
      add(others, "<li><span class=\"verdict {}\">{}</span> {}</li>\n", colour(finding.kind),
          kind_word(finding.kind, comparison.are_subjects),
          escaped(fmt::format("{} {} {}: {}", finding.kernel, finding.subject, finding.what, finding.text)));
  if (!others.empty()) html += "<h2 id=\"others\">Findings</h2>\n<ul class=\"lines\">" + others + "</ul>\n";
  html += "<h2 id=\"rules\">Rules</h2>\n<ul>";
  for (std::string const& rule : rules_text(rules)) add(html, "<li>{}</li>", escaped(rule));
  html += "</ul>\n";
  return framed("Demeter: " + (rules.are_subjects() ? title : "what changed"), "", html, "");
}

}  // namespace demeter::report
