// Failures: one line each on the overview. The kernel's page has all details, the smallest counterexample and the
// command that reproduces it.
#include "reports/format/words.hpp"
#include "reports/site/html.hpp"
#include "reports/site/pages.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <nlohmann/json.hpp>

namespace demeter::report {
namespace {

std::string times_budget(Number ratio) {
  if (!ratio) return "no error known";
  if (*ratio == 0) return "exact";
  if (!std::isfinite(*ratio)) return "not finite";
  return readable(ratio, 2) + " times the budget";
}

/// Returns the case, the answer and the truth in one line.
std::string answer_and_truth(Kernel const& kernel, Failure const& failure) {
  std::string line;
  if (failure.example.input->is_null()) {  // a long case: its command draws it again
    add(line, "case {} of {}", failure.example.id, escaped(failure.example.regime));
    return line;
  }
  add(line, "<code>{}</code> answers <code>{} = {}</code>, truth <code>{}</code>",
      escaped(shortened(case_line(*failure.example.input, kernel.input), 400)), escaped(failure.output),
      escaped(shortened(case_line(at_path(*failure.example.answer, failure.output), {}), 120)),
      escaped(shortened(case_line(at_path(*failure.example.truth, failure.output), {}), 120)));
  return line;
}

/// Returns the failure with the shortest input among the large failures of the first profile that has any. A failure is
/// large if its error is finite and at least 1/1000 of the largest finite error. This excludes overflows and errors in
/// the last digit. If no error of the profile is finite, all its failures count. Everyday regimes come before extreme
/// regimes.
Failure const* telling_failure(Kernel const& kernel, Contender const& contender) {
  for (std::string_view const profile : profiles_of(kernel)) {
    std::vector<Failure const*> found;
    double worst = 0;
    for (Failure const& failure : contender.failures) {
      RegimeTerm const* const regime = find_regime(kernel, failure.example.regime);
      if (regime == nullptr || !is_of(*regime, profile) || !failure.example.error) continue;
      found.push_back(&failure);
      if (std::isfinite(*failure.example.error)) worst = std::max(worst, *failure.example.error);
    }
    auto const length = [](Failure const& failure) {
      Json const& input = *failure.example.input;
      return input.is_null() ? std::numeric_limits<std::size_t>::max() : input.dump().size();
    };
    Failure const* shortest = nullptr;
    for (Failure const* failure : found) {
      double const error = *failure->example.error;
      if (worst > 0 && !(std::isfinite(error) && error >= worst / 1000)) continue;
      if (!shortest || length(*failure) < length(*shortest)) shortest = failure;
    }
    if (shortest) return shortest;
  }
  return nullptr;
}

/// Returns the value with each number rounded to `digits` digits. A truth has its numbers as strings.
std::string brief_value(Json const& value, int digits) {
  if (value.is_array()) {
    std::string text;
    for (Json const& each : value) text += (text.empty() ? "(" : ", ") + brief_value(each, digits);
    return text + ")";
  }
  if (value.is_number()) return readable(value.get<double>(), digits);
  if (!value.is_string()) return case_line(value, {});
  std::string const text = value.get<std::string>();
  char* end = nullptr;
  double const number = std::strtod(text.c_str(), &end);
  return !text.empty() && *end == '\0' ? readable(number, digits) : text;
}

/// Returns for example "2.60 instead of 0.639", with the fewest digits that show a difference.
std::string instead_of(Json const& answer, Json const& truth) {
  for (int const digits : {3, 5, 8, 12, 17}) {
    std::string const a = brief_value(answer, digits), b = brief_value(truth, digits);
    if (a != b || digits == 17) return escaped(shortened(a, 90)) + " instead of " + escaped(shortened(b, 90));
  }
  return "";
}

/// Adds all failures of one subject in one kernel, with its clearest failure or its shortest counterexample.
void add_defect(std::string& html, Kernel const& kernel, Contender const& contender) {
  AccuracyTally const sum = accuracy_tally(contender);
  add(html, "<article class=\"defect\" id=\"fails-{}\">\n<h3>{}</h3>\n<ul>", anchor(contender.name),
      escaped(contender.name));
  for (DeclaredTerm const& each : contender.declared)
    add(html, "<li><b>Declared approximation</b> of {}: {} ({}).</li>", escaped(listed(each.outputs)),
        escaped(each.what), escaped(each.source));
  if (!sum.exceeded.empty()) {
    // One entry per regime, because the outputs of one answer usually fail together.
    std::vector<Accuracy const*> rows;
    for (Accuracy const* row : sum.exceeded) {
      bool const known =
          std::any_of(rows.begin(), rows.end(), [&](auto other) { return other->regime == row->regime; });
      if (!known) rows.push_back(row);
    }
    add(html, "<li>The error exceeds the budget in {} of {}: ", rows.size(),
        counted(static_cast<std::int64_t>(kernel.regimes.size()), "regime", "regimes"));
    for (std::size_t i = 0; i < std::min<std::size_t>(rows.size(), 4); ++i) {
      Accuracy const& row = *rows[i];
      add(html, "{}<b>{}</b> ({}, {}", i > 0 ? "; " : "", escaped(row.regime), escaped(row.output),
          times_budget(over_budget(row)));
      if (row.failed > 0) add(html, ", {} of {} cases", grouped(row.failed), grouped(row.cases));
      if (row.lost() > 0) add(html, ", {}", lost_in_words(row));
      html += ")";
    }
    if (rows.size() > 4) {
      add(html, "; and {}", counted(static_cast<std::int64_t>(rows.size()) - 4, "other", "others"));
    }
    html += ".</li>";
  }
  Counterexample const* smallest = nullptr;
  LawResult const* smallest_law = nullptr;
  std::size_t smallest_length = 0;
  std::string laws;
  int broken = 0;
  for (LawResult const& law : contender.laws) {
    if (law.broken == 0) continue;
    if (++broken <= 5) {
      add(laws, "{}<b>{}</b> ({} of {}{})", laws.empty() ? "" : "; ", escaped(law.law), grouped(law.broken),
          grouped(law.applicable),
          law.worst && std::isfinite(*law.worst) ? fmt::format(", worst {} times its tolerance", readable(law.worst, 2))
                                                 : "");
    }
    if (!law.counterexample) continue;
    std::size_t length = 0;
    for (KernelJson const& input : law.counterexample->inputs) length += input->dump().size();
    if (!smallest || length < smallest_length) {
      smallest = &*law.counterexample;
      smallest_law = &law;
      smallest_length = length;
    }
  }
  if (broken > 5) add(laws, "; and {}", counted(broken - 5, "other", "others"));
  if (!laws.empty()) {
    add(html, "<li>Breaks {} of {}: {}.</li>", broken, counted(law_tally(contender).tested, "law", "laws"), laws);
  }
  if (sum.exceeded.empty() && laws.empty()) html += "<li>The verdict is “fail”, but no failing case is recorded.</li>";
  html += "</ul>\n";

  Failure const* const telling = telling_failure(kernel, contender);
  if (telling) {
    add(html, "<p><span class=\"quiet\">A short case with a large error, from regime {}:</span> {}</p>\n",
        escaped(telling->example.regime), answer_and_truth(kernel, *telling));
    html += copyable(telling->example.command);
  } else if (smallest) {
    add(html, "<p><span class=\"quiet\">Smallest counterexample, law {}:</span> ", escaped(smallest_law->law));
    if (!smallest->inputs.empty()) {
      add(html, "<code>{}</code>", escaped(shortened(case_line(*smallest->inputs.front(), kernel.input), 240)));
    }
    if (!smallest->outputs.empty()) {
      html += " answers ";
      for (std::size_t i = 0; i < std::min<std::size_t>(smallest->outputs.size(), 3); ++i) {
        add(html, "{}<code>{}</code>",
            i == 0   ? ""
            : i == 1 ? "; derived cases: "
                     : ", ",
            escaped(shortened(case_line(*smallest->outputs[i], kernel.output), 160)));
      }
    }
    html += "</p>\n" + copyable(smallest->command);
  }
  if (contender.failures.size() > 1) {
    add(html, "<details><summary>One failing case per regime ({})</summary>\n", contender.failures.size());
    for (Failure const& failure : contender.failures) {
      add(html, "<p><b>{}</b>: {}</p>\n{}", escaped(failure.example.regime), answer_and_truth(kernel, failure),
          copyable(failure.example.command));
    }
    html += "</details>\n";
  }
  html += "</article>\n";
}

}  // namespace

std::string defect_line(Kernel const& kernel, Contender const& contender) {
  std::string html;
  add(html, "<li><a href=\"{}.html#fails-{}\"><b>{}</b> in {}</a>", kernel.slug, anchor(contender.name),
      escaped(contender.name), escaped(kernel.name));
  for (std::string_view const profile : profiles_of(kernel)) {
    ProfileTally const sum = profile_tally(kernel, contender, profile);
    if (sum.standing != Standing::exceeded) continue;
    add(html, "; {}: ", profile_name(profile));
    if (sum.held < sum.regimes)
      add(html, "fails in {} of {}, worst answer: {}", sum.regimes - sum.held,
          counted(sum.regimes, "regime", "regimes"), digits_text(sum.error));
    if (sum.laws_broken > 0)
      add(html, "{}{} broken", sum.held < sum.regimes ? ", " : "", counted(sum.laws_broken, "law", "laws"));
  }
  if (Failure const* const telling = telling_failure(kernel, contender)) {
    Json const answer = at_path(*telling->example.answer, telling->output),
               truth = at_path(*telling->example.truth, telling->output);
    if (!answer.is_null() && !truth.is_null())
      add(html, ". In regime <i>{}</i>, {} is {}", escaped(telling->example.regime), escaped(telling->output),
          instead_of(answer, truth));
  }
  return html + ".</li>\n";
}

std::string declared_line(Kernel const& kernel, Contender const& contender) {
  std::string html;
  add(html, "<li><a href=\"{}.html#fails-{}\"><b>{}</b>, {}</a>: ", kernel.slug, anchor(contender.name),
      escaped(contender.name), breakable(kernel.name));
  for (DeclaredTerm const& each : contender.declared)
    add(html, "{}{}: {} ({})", &each == contender.declared.data() ? "" : "; ", escaped(listed(each.outputs)),
        escaped(each.what), escaped(each.source));
  AccuracyTally const sum = accuracy_tally(contender);
  if (sum.where != nullptr) add(html, "; largest error {}", error_text(sum.where->max_error, contender));
  return html + ".</li>\n";
}

std::string failures_section(Kernel const& kernel) {
  std::string html, only_extreme;
  for (Contender const& contender : kernel.subjects) {
    if (contender.origin == Origin::method || !has_failed(contender)) continue;
    if (fails(kernel, contender) || contender.origin == Origin::own) {
      add_defect(html, kernel, contender);
    } else {
      add_defect(only_extreme, kernel, contender);
    }
  }
  if (html.empty() && only_extreme.empty()) return "";
  std::string result = "<h2 id=\"failures\">Failures</h2>\n";
  result += html.empty() ? "<p>No failures in everyday and degenerate regimes.</p>\n" : html;
  if (!only_extreme.empty())
    result += "<details><summary>Failures in extreme regimes only</summary>\n" + only_extreme + "</details>\n";
  return result;
}

}  // namespace demeter::report
