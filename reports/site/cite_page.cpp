// cite.html: a paragraph about the method, BibTeX, and the tables and figures for a paper, made from the results.
#include "reports/format/words.hpp"
#include "reports/site/html.hpp"
#include "reports/site/pages.hpp"
#include "reports/site/tables.hpp"

#include <algorithm>
#include <set>

namespace demeter::report {
namespace {

constexpr std::string_view title =
    "Demeter: the DEM meter, verification and benchmarking of discrete element contact code";

std::string date_of(Run const& run) { return run.created.substr(0, run.created.find_first_of("T ")); }

/// Returns "8", or "2 to 50".
std::string range_text(std::vector<double> const& values) {
  if (values.empty()) return "";
  auto const [least, most] = std::minmax_element(values.begin(), values.end());
  return *least < *most ? fmt::format("{} to {}", exact(*least), exact(*most)) : exact(*least);
}

std::string cases_sentence(Results const& results) {
  std::vector<double> counts;
  std::vector<std::string> profiles_found;
  for (Kernel const& kernel : results.kernels) {
    if (kernel.cases_per_regime) counts.push_back(static_cast<double>(*kernel.cases_per_regime));
    for (std::string_view const profile : profiles_of(kernel))
      if (!profile.empty() && std::ranges::find(profiles_found, profile) == profiles_found.end())
        profiles_found.emplace_back(profile);
  }
  if (counts.empty() && results.run.cases_per_regime)
    counts.push_back(static_cast<double>(*results.run.cases_per_regime));
  std::string text = "Cases were generated";
  if (results.run.seed) add(text, " with seed {}", *results.run.seed);
  if (!counts.empty()) add(text, ", {} per regime", range_text(counts));
  if (!profiles_found.empty())
    add(text, ", in regimes of the {} {}", profiles_found.size() == 1 ? "profile" : "profiles", listed(profiles_found));
  return text + ".";
}

std::string truth_sentence(Results const& results) {
  std::vector<std::string> estimated;
  for (Kernel const& kernel : results.kernels)
    if (!kernel.not_bounded_because.empty()) estimated.push_back(kernel.name);
  std::string text =
      "The truth of each case was computed by a second algorithm that shares no code with the implementations, with "
      "integers or with intervals of growing precision";
  text += "; its error bound is proved";
  if (!estimated.empty()) text += ", except for " + listed(estimated) + ", where it is estimated";
  bool const formulas = std::ranges::any_of(results.kernels, [](Kernel const& kernel) {
    return std::ranges::any_of(kernel.subjects, [](Contender const& each) { return !each.formula.empty(); });
  });
  return text + (formulas ? ". Code that implements another formula was judged by that formula, evaluated in growing "
                            "precision."
                          : ".");
}

std::string tolerance_sentence(Results const& results) {
  std::vector<double> own, others;
  for (Kernel const& kernel : results.kernels)
    for (Contender const& contender : kernel.subjects)
      for (Accuracy const& row : contender.accuracy)
        if (row.budget) (contender.origin == Origin::own ? own : others).push_back(*row.budget);
  std::string text = "Errors are in units of u = 2^-53 of the measure in each kernel's contract.";
  if (!own.empty()) add(text, " Demeter's own implementations pass within budgets of {} u", range_text(own));
  if (!others.empty())
    add(text, "{} within tolerances of {} u", own.empty() ? " Implementations pass" : "; other implementations pass",
        range_text(others));
  return own.empty() && others.empty() ? text : text + ".";
}

std::string machine_sentence(Results const& results) {
  Machine const& machine = results.machine;
  std::string text = "Times are medians per case, in cache, on the cases that every implementation answers";
  if (!machine.cpu.empty())
    add(text, ", on {}{}", machine.cpu, machine.processor.empty() ? "" : " (" + machine.processor + ")");
  if (!machine.level.empty()) add(text, " with {}", machine.level);
  if (!machine.virtual_machine.empty()) add(text, ", a virtual machine ({})", machine.virtual_machine);
  if (!machine.compiler.empty()) add(text, "; the code was compiled by {} {}", machine.compiler, machine.flags);
  return text + ".";
}

/// Returns a key of BibTeX: only letters, digits and hyphens.
std::string bibtex_key(Run const& run) {
  std::string key = "demeter-";
  for (char const c : run.version + "-" + shortened(run.commit, 12))
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '-') key += c;
  return key;
}

/// Returns text for a field of BibTeX. Single hyphens need no protection there.
std::string bibtex_text(std::string_view text) {
  std::string escaped_text = latex_escaped(text);
  for (std::size_t at = 0; (at = escaped_text.find("-{}", at)) != std::string::npos; ++at)
    escaped_text.erase(at + 1, 2);
  return escaped_text;
}

}  // namespace

std::string methods_text(Results const& results) {
  Run const& run = results.run;
  std::string text;
  add(text, "The implementations were measured by Demeter {}, commit {}", run.version, run.commit);
  if (!run.created.empty()) add(text, ", on {}", date_of(run));
  std::set<std::string_view> names;
  for (Kernel const& kernel : results.kernels)
    for (Contender const& contender : kernel.subjects) names.insert(contender.name);
  add(text, ": {} of {}. ", counted(static_cast<std::int64_t>(names.size()), "implementation", "implementations"),
      counted(static_cast<std::int64_t>(results.kernels.size()), "kernel", "kernels"));
  return text + cases_sentence(results) + " " + truth_sentence(results) + " " + tolerance_sentence(results) +
         " The largest error over n cases is a lower bound of the true maximum. " + machine_sentence(results);
}

std::string methods_latex(Results const& results) {
  constexpr std::string_view unit = "2^-53";
  std::string const text = methods_text(results);
  std::size_t const at = text.find(unit);
  return "% Written by Demeter. \\input this file.\n" + latex_escaped(text.substr(0, at)) + "$2^{-53}$" +
         latex_escaped(text.substr(at + unit.size())) + "\n";
}

std::string bibtex(Results const& results) {
  Run const& run = results.run;
  std::string const date = date_of(run), year = date.substr(0, date.find('-'));
  std::string text;
  add(text, "@misc{{{},\n  author = {{{{The Demeter authors}}}},\n  title = {{{{{}}}}},\n", bibtex_key(run), title);
  if (!year.empty()) add(text, "  year = {{{}}},\n", bibtex_text(year));
  add(text, "  howpublished = {{Software, version {}, commit {}}}", bibtex_text(run.version), bibtex_text(run.commit));
  if (run.seed) add(text, ",\n  note = {{Report of {}, seed {}}}", bibtex_text(date), *run.seed);
  return text + "\n}\n";
}

std::string data_links() {
  return "Data of all kernels as compressed CSV (<code>gzip -d</code>): <a href=\"data/accuracy.csv.gz\">accuracy</a>, "
         "<a "
         "href=\"data/laws.csv.gz\">laws</a>, <a href=\"data/speed.csv.gz\">speed</a>, <a "
         "href=\"data/mutants.csv.gz\">mutants</a>.";
}

std::string cite_page(Results const& results, std::size_t pdfs) {
  std::string html;
  add(html,
      "<h1>For a paper</h1>\n<p class=\"lead\">The method, a citation, tables and figures of this report.</p>\n"
      "<h2 id=\"methods\">Method</h2>\n<p>{}</p>\n"
      "<p class=\"quiet\">This paragraph in <a href=\"tables/methods.tex\">LaTeX</a>.</p>\n"
      "<h2 id=\"bibtex\">BibTeX</h2>\n",
      escaped(methods_text(results)));
  html += copyable(bibtex(results));
  html +=
      "<h2 id=\"tables\">Tables in LaTeX</h2>\n<p><a href=\"tables/codes-by-kernels.tex\">Codes by kernels</a>: "
      "version, "
      "budget, digits in everyday and degenerate cases, and verdict.";
  if (results.has_paper && !results.kernels.empty()) {
    html += " Errors by regime:";
    for (Kernel const& kernel : results.kernels)
      add(html, "{} <a href=\"tables/{}.tex\">{}</a>", &kernel == &results.kernels.front() ? "" : ",", kernel.slug,
          breakable(kernel.name));
    html += ".";
  }
  html += "</p>\n<h2 id=\"figures\">Figures as PDF</h2>\n";
  if (pdfs > 0)
    add(html,
        "<p>Each figure has two versions: 240 pt wide for one column, and 500 pt wide for two columns. The type size "
        "is 8 pt. The links are below the figures of the kernels; there are {}.</p>\n",
        counted(static_cast<std::int64_t>(pdfs), "file", "files"));
  else
    html +=
        "<p>This report has no PDF files. The following command draws each figure 240 pt and 500 pt wide, with a "
        "type size of 8 pt. It also writes a LaTeX table of the errors by regime for each kernel.</p>\n" +
        copyable("demeter report --from results.json.gz --paper --out .");
  add(html,
      "<h2 id=\"data\">Data</h2>\n<p><a href=\"results.json.gz\">results.json.gz</a> contains all results. "
      "{}</p>\n",
      data_links());
  return page(results, "For a paper – Demeter", html);
}

}  // namespace demeter::report
