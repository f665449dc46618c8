// The mutation score on the pages: the share of deliberate defects that the check finds.
#include "reports/site/html.hpp"
#include "reports/site/pages.hpp"

namespace demeter::report {
namespace {

std::string share(std::int64_t part, std::int64_t whole) {
  if (whole == 0) return "–";
  std::string text;
  add(text, "{} <small>{} %</small>", part, readable(100 * static_cast<double>(part) / static_cast<double>(whole), 3));
  return text;
}

std::vector<LawUse const*> idle_laws(Kernel const& kernel) {
  std::vector<LawUse const*> idle;
  for (LawUse const& law : kernel.mutation.laws)
    if (law.mutants + law.implementations == 0) idle.push_back(&law);
  return idle;
}

constexpr std::string_view meaning =
    "A mutant is a right implementation with one deliberate mistake. Many of these mistakes are taken from real "
    "bugs. Each mutant gets the same check as the implementations above. The check kills a mutant if it detects the "
    "mistake. A mutant that survives has a mistake that the check does not detect.";

}  // namespace

std::string mutation_overview(Results const& results) {
  std::string rows;
  std::int64_t killed = 0, total = 0;
  for (Kernel const& kernel : results.kernels) {
    Mutation const& mutation = kernel.mutation;
    if (mutation.total == 0) continue;
    killed += mutation.killed;
    total += mutation.total;
    std::string idle;
    for (LawUse const* law : idle_laws(kernel)) idle += (idle.empty() ? "" : ", ") + escaped(law->law);
    add(rows,
        "<tr><th scope=\"row\"><a href=\"{}.html#mutants\">{}</a></th><td class=\"figure\">{}</td>"
        "<td class=\"figure {}\">{}</td><td class=\"figure\">{}</td><td class=\"figure\">{}</td><td>{}</td></tr>\n",
        kernel.slug, breakable(kernel.name), mutation.total, mutation.killed == mutation.total ? "held" : "exceeded",
        share(mutation.killed, mutation.total), share(mutation.killed_by_budgets, mutation.total),
        share(mutation.killed_by_laws, mutation.total), idle.empty() ? "–" : idle);
  }
  if (rows.empty()) return "";
  std::string html;
  add(html, "<h2 id=\"mutants\">Mutation score</h2>\n<p>{}</p>\n<details><summary>{} of {} mutants killed</summary>\n",
      meaning, grouped(killed), grouped(total));
  open_table(html, "Mutation score");
  html +=
      "<thead><tr><th scope=\"col\">kernel</th><th scope=\"col\" class=\"figure\">mutants</th><th scope=\"col\" "
      "class=\"figure\">killed</th><th scope=\"col\" class=\"figure\">by the truth alone</th><th scope=\"col\" "
      "class=\"figure\">by laws alone</th><th scope=\"col\">laws that are never broken</th></tr></thead>\n"
      "<tbody>\n" +
      rows;
  close_table(html);
  return html + "</details>\n";
}

std::string mutation_details(Kernel const& kernel) {
  Mutation const& mutation = kernel.mutation;
  if (mutation.total == 0) return "";
  std::string html;
  add(html,
      "<h2 id=\"mutants\">Mutation score</h2>\n<p>{} {} of {} mutants are killed. In a survey with {} cases per "
      "regime, the comparison with the truth alone kills {}, and the laws alone kill {}.</p>\n",
      meaning, mutation.killed, mutation.total, grouped(mutation.survey_cases), mutation.killed_by_budgets,
      mutation.killed_by_laws);
  for (Mutant const& mutant : mutation.mutants) {
    if (mutant.killed) continue;
    add(html, "<p class=\"note\">✗ <b>{}</b> survives after {} cases: {}</p>\n", escaped(mutant.name),
        grouped(mutant.cases), escaped(mutant.change));
  }
  add(html,
      "<details><summary>Every mutant ({})</summary>\n"
      "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Mutants\"><table>\n"
      "<thead><tr><th scope=\"col\">mutant</th><th scope=\"col\">what is wrong</th><th scope=\"col\">origin</th><th "
      "scope=\"col\">killed by</th><th scope=\"col\" class=\"figure\">cases tried</th><th scope=\"col\">laws it "
      "breaks</th></tr></thead>\n<tbody>\n",
      mutation.mutants.size());
  for (Mutant const& mutant : mutation.mutants) {
    std::string laws;
    for (std::string const& law : mutant.laws) laws += (laws.empty() ? "" : ", ") + breakable(law);
    add(html,
        "<tr><th scope=\"row\">{}</th><td>{}</td><td>{}</td><td class=\"{}\">{}</td><td class=\"figure\">{}</td>"
        "<td>{}</td></tr>\n",
        breakable(mutant.name), escaped(mutant.change), escaped(mutant.source), mutant.killed ? "held" : "exceeded",
        mutant.killed ? "✓ " + escaped(mutant.found_by()) : "✗ survives", grouped(mutant.cases),
        laws.empty() ? "none" : laws);
  }
  html += "</tbody></table></div>\n</details>\n";
  if (auto const idle = idle_laws(kernel); !idle.empty()) {
    html += "<p class=\"note\">No mutant and no implementation breaks ";
    for (std::size_t i = 0; i < idle.size(); ++i) add(html, "{}{}", i > 0 ? ", " : "", escaped(idle[i]->law));
    html += " in this survey. Demeter’s tests use more cases.</p>\n";
  }
  return html;
}

}  // namespace demeter::report
