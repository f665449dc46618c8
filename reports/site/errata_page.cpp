// Errata on the pages: the formula as documented, as implemented and as recommended, with numbers that show the
// difference.
#include "reports/site/html.hpp"
#include "reports/site/pages.hpp"

#include <algorithm>

namespace demeter::report {
namespace {

constexpr std::string_view what_errata_are =
    "An erratum is a statement of a source, or the behaviour of a code, that is wrong or incomplete. A dash: there "
    "is nothing to state. The report computes the figures with 50 digits. ✓: the stated figure is the computed "
    "figure, rounded to the number of stated digits.";

std::string text_cell(std::string_view text, std::string const& below = "") {
  return "<td>" + (text.empty() ? "–" : escaped(text)) + below + "</td>";
}

/// Returns the cell of the implemented form, with the codes that have this form.
std::string implemented_cell(Erratum const& erratum) {
  std::string codes;
  for (PublishedCode const& code : erratum.codes)
    codes += (codes.empty() ? "" : "; ") + outside_link(code.address, code.name);
  return text_cell(erratum.implemented, codes.empty() ? "" : "<small>" + codes + "</small>");
}

void add_texts(std::string& html, Kernel const& kernel) {
  open_table(html, "Errata of " + kernel.name);
  html +=
      "<thead><tr><th scope=\"col\">where</th><th scope=\"col\">as documented</th><th scope=\"col\">as implemented</th>"
      "<th scope=\"col\">recommended</th></tr></thead>\n<tbody>\n";
  for (Erratum const& erratum : kernel.errata)
    add(html, "<tr><th scope=\"row\">{}</th>{}{}{}</tr>\n", escaped(erratum.where), text_cell(erratum.documented),
        implemented_cell(erratum), text_cell(erratum.recommended));
  close_table(html);
}

void add_figure(std::string& html, Erratum const& erratum, ErratumFigure const& figure) {
  bool first = true;
  for (ErratumValue const& value : figure.values) {
    html += "<tr>";
    if (first)
      add(html, "<th scope=\"rowgroup\" rowspan=\"{}\">{}: {}<small>{}</small></th>", figure.values.size(),
          escaped(erratum.where), escaped(figure.what), escaped(figure.output));
    first = false;
    add(html, "<td>{}</td><td class=\"figure\">{}</td><td class=\"figure\">{}</td><td class=\"{}\">{}</td></tr>\n",
        escaped(value.formula == "reference" ? "recommended" : value.formula), escaped(value.stated),
        value.computed.empty() ? "–" : escaped(value.computed), value.agrees ? "held" : "exceeded",
        value.agrees ? "✓" : "✗");
  }
}

/// Adds the tables of one kernel: the texts of its errata and, if there are any, their figures.
void add_tables(std::string& html, Kernel const& kernel) {
  add_texts(html, kernel);
  bool const any = std::any_of(kernel.errata.begin(), kernel.errata.end(),
                               [](Erratum const& erratum) { return !erratum.figures.empty(); });
  if (!any) return;
  open_table(html, "Figures of " + kernel.name);
  html +=
      "<thead><tr><th scope=\"col\">case</th><th scope=\"col\">formula</th><th scope=\"col\" "
      "class=\"figure\">stated</th>"
      "<th scope=\"col\" class=\"figure\">computed</th><th scope=\"col\">agrees</th></tr></thead>\n<tbody>\n";
  for (Erratum const& erratum : kernel.errata)
    for (ErratumFigure const& figure : erratum.figures) add_figure(html, erratum, figure);
  close_table(html);
}

}  // namespace

std::string errata_section(Kernel const& kernel) {
  if (kernel.errata.empty()) return "";
  std::string html;
  add(html, "<h2 id=\"errata\">Errata of sources and codes</h2>\n<p>{}</p>\n", what_errata_are);
  add_tables(html, kernel);
  return html + "<p>" + copyable("demeter errata " + kernel.name) + "</p>\n";
}

std::string errata_page(Results const& results) {
  std::string html, contents;
  for (Kernel const& kernel : results.kernels) {
    if (kernel.errata.empty()) continue;
    add(contents, "<a href=\"#{0}\">{1}</a>", anchor(kernel.slug), breakable(kernel.name));
    add(html, "<h2 id=\"{}\"><a href=\"{}.html#errata\">{}</a></h2>\n", anchor(kernel.slug), kernel.slug,
        escaped(kernel.name));
    add(html, "<p class=\"quiet\">{}</p>\n", with_mathematics_links(kernel.source));
    add_tables(html, kernel);
  }
  if (html.empty()) return "";
  std::string head = "<h1>Errata: documented, implemented, recommended</h1>\n";
  add(head, "<p class=\"lead\">{}</p>\n<nav class=\"contents\" aria-label=\"Contents\">{}</nav>\n", what_errata_are,
      contents);
  return page(results, "Errata – Demeter", head + html + "<p>" + copyable("demeter errata") + "</p>\n");
}

}  // namespace demeter::report
