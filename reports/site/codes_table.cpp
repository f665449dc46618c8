// The first tables of index.html: codes by kernels, and the grain sizes and situations in which each code is right.
#include "reports/format/codes.hpp"
#include "reports/format/words.hpp"
#include "reports/site/html.hpp"
#include "reports/site/pages.hpp"

#include <algorithm>
#include <cmath>

namespace demeter::report {
namespace {

constexpr std::array<std::string_view, 2> matrix_profiles{"everyday", "degenerate"};

/// Returns the number of cases of a profile that a code declines. Adds the number of all its cases to `asked`.
std::int64_t unsupported_cases(Contender const& contender, std::string_view profile, Kernel const& kernel,
                               std::int64_t& asked) {
  std::int64_t unsupported = 0;
  for (Outcome const& outcome : verdict(kernel, contender).profiles) {
    if (outcome.profile != profile) continue;
    unsupported += outcome.unsupported;
    asked += outcome.judged + outcome.lost() + outcome.unsupported;
  }
  return unsupported;
}

/// Returns the digits of the worst answer in a profile as a part of a cell: "15.4", "✗ 1.6", "✗" for no correct digit.
std::string digits_part(Kernel const& kernel, Contender const& contender, std::string_view profile) {
  ProfileTally const sum = profile_tally(kernel, contender, profile);
  std::string html;
  if (sum.standing == Standing::none) {
    add(html, "<span class=\"none\" title=\"{}: no answers\">–</span>", profile);
    return html;
  }
  bool const few = sum.standing == Standing::held && sum.fewest > 0;
  double const digits = sum.error ? std::floor(10 * digits_of(*sum.error)) / 10 : 16;
  std::string const number = digits < 1 ? "" : fmt::format("{:.1f}", digits);
  bool const declared = sum.standing == Standing::exceeded && fails_as_declared(kernel, contender);
  std::int64_t asked = 0;
  std::int64_t const declined = unsupported_cases(contender, profile, kernel, asked);
  add(html, "<span class=\"{}\" title=\"{}: {}\">{}{}</span>",
      few || declared ? "few" : style_class(sum.standing, sum.error), profile,
      few ? few_text(sum.fewest) : fmt::format("{} of {} regimes pass", sum.held, sum.regimes),
      declared                              ? number.empty() ? "≈" : "≈ "
      : sum.standing == Standing::exceeded  ? number.empty() ? "✗" : "✗ "
      : sum.standing == Standing::undecided ? "? "
                                            : "",
      number);
  if (declined > 0)
    add(html, "<small>answers {}</small>", percent(static_cast<double>(asked - declined) / static_cast<double>(asked)));
  return html;
}

void add_cell(std::string& html, Kernel const& kernel, Contender const* contender) {
  if (contender == nullptr) {
    add(html, "<td class=\"nothing\" data-label=\"{}\" data-value=\"\"></td>", escaped(kernel.name));
    return;
  }
  Number const error = profile_tally(kernel, *contender, "everyday").error;
  add(html, "<td data-label=\"{}\"{}><a href=\"{}.html{}\">", escaped(kernel.name),
      data_value(error ? Number(digits_of(*error)) : Number()), kernel.slug,
      fails(kernel, *contender) ? "#fails-" + anchor(contender->name) : "#summary");
  for (std::string_view const profile : matrix_profiles) html += digits_part(kernel, *contender, profile);
  html += "</a></td>";
}

std::string_view phrase(Trust trust) {
  switch (trust) {
    case Trust::twelve_digits:
      return "held";
    case Trust::six_digits:
      return "six";
    case Trust::wrong:
      return "exceeded";
    case Trust::few:
      return "few";
    case Trust::untested:
      break;
  }
  return "nothing";
}

constexpr std::array<std::string_view, decades> decade_names{"below 0.1 mm", "0.1 to 1 mm", "1 to 10 mm",
                                                             "1 to 10 cm",   "0.1 to 1 m",  "above 1 m"};

/// Returns the cell of one decade: the correct digits of the worst answer, and the share of wrong answers if not 0.
std::string decade_cell(Decade const& decade, std::string_view name) {
  Trust const trust = trust_in(decade.judged, decade.failed, decade.error);
  std::string text = "not tested";
  if (trust != Trust::untested) {
    double const digits = std::floor(10 * digits_of(decade.error)) / 10;
    text = digits < 1 ? "no digit" : fmt::format("{:.1f} digits", digits);
  }
  if (trust == Trust::few) text += fmt::format("<small>{}</small>", counted(decade.judged, "case", "cases"));
  if (decade.failed > 0)
    text += fmt::format("<small>{} wrong</small>",
                        percent(static_cast<double>(decade.failed) / static_cast<double>(decade.judged)));
  return fmt::format("<td class=\"{}\" data-label=\"{}\">{}</td>", phrase(trust), name, text);
}

/// Returns the regimes of the deciding profiles in which the worst answer has fewer than twelve correct digits.
std::string situations(Kernel const& kernel, Contender const& contender) {
  std::vector<std::string> wrong, six;
  for (Outcome const& regime : verdict(kernel, contender).regimes) {
    if (!decides(contender, regime.profile) || !regime.asked() || regime.judged + regime.lost() == 0) continue;
    double const error = regime.lost() > 0 ? 1 : regime.error;
    Trust const trust = trust_in(regime.judged + regime.lost(), regime.wrong(), error);
    std::string const name =
        phrase_of(regime.name) + (regime.wrong() > 0 ? fmt::format(" ({} of {})", grouped(regime.wrong()),
                                                                   grouped(regime.judged + regime.lost()))
                                                     : "");
    if (trust == Trust::wrong) wrong.push_back(name);
    if (trust == Trust::six_digits || (trust == Trust::few && error > 1e-12)) six.push_back(name);
  }
  std::string html;
  constexpr std::size_t most = 6;
  if (!wrong.empty()) add(html, "<b>wrong:</b> {}", escaped(listed(wrong, most)));
  if (!six.empty()) add(html, "{}<b>6 to 12 digits:</b> {}", html.empty() ? "" : "<br>", escaped(listed(six, most)));
  return html.empty() ? "at least 12 digits in all situations" : html;
}

}  // namespace

std::string codes_table(Results const& results, std::vector<Code> const& codes) {
  std::string html = "<h2 id=\"codes\">Codes by kernels</h2>\n";
  if (codes.empty()) return html + "<p class=\"quiet\">No code was measured.</p>\n";
  html +=
      "<p>Each cell shows the correct digits of the worst answer: in everyday cases above, in degenerate cases "
      "below. ✗: some answers fail. ≈: the authors declare an approximation. ?: undecided. Grey: too few cases for a "
      "verdict. “answers 20 %”: the code declines the other cases. A cell links to the details.</p>\n";
  open_table(html, "Codes by kernels", "codes stacked sortable filterable");
  html += "<thead><tr><th scope=\"col\">code</th>";
  for (Kernel const& kernel : results.kernels)
    add(html, "<th scope=\"col\" class=\"steep\"><a href=\"{}.html\">{}</a></th>", kernel.slug, breakable(kernel.name));
  html += "</tr></thead>\n<tbody>\n";
  std::string const date = results.run.created.substr(0, 10);
  for (Code const& code : codes) {
    add(html, "<tr id=\"code-{}\"><th scope=\"row\"><a href=\"#code-{}\">{}</a><small>{}{}{}{}</small></th>",
        anchor(code.name), anchor(code.name), code.ours ? "Demeter fast" : breakable(code.name), escaped(code.version),
        code.version.empty() || date.empty() ? "" : ", ", escaped(date),
        code.home.empty() ? "" : ", " + outside_link(code.home, "home page"));
    for (Kernel const& kernel : results.kernels) add_cell(html, kernel, code.of(kernel));
    html += "</tr>\n";
  }
  close_table(html);
  if (!results.missing_peers.empty()) {
    std::vector<std::string> names;
    for (MissingPeer const& peer : results.missing_peers) names.push_back(peer.name);
    add(html, "<p>Not measured, because not installed: {} (<a href=\"#missing\">why</a>).</p>\n",
        escaped(listed(names)));
  }
  html +=
      "<p>Your own code gets a row here with <code>demeter report --subject lib:./libyours.so</code>. <a "
      "href=\"check-your-code.html\">How to connect your code</a>.</p>\n";
  return html;
}

std::string trust_table(std::vector<Code> const& codes) {
  std::string rows;
  for (Code const& code : codes) {
    if (code.ours) continue;
    for (auto const& [kernel, result] : code.results) {
      add(rows, "<tr><th scope=\"row\">{}<small><a href=\"{}.html\">{}</a></small></th>", breakable(code.name),
          kernel->slug, breakable(kernel->name));
      auto const of = by_decade(*result);
      for (std::size_t at = 0; at < decades; ++at) rows += decade_cell(of[at], decade_names[at]);
      add(rows, "<td data-label=\"situations\">{}</td></tr>\n", situations(*kernel, *result));
    }
  }
  if (rows.empty()) return "";
  std::string html =
      "<h2 id=\"trust\">Where each code can be trusted</h2>\n"
      "<p>Columns: the size of the grains in everyday cases. A cell shows the correct digits of the worst answer for "
      "grains of this size. The last column lists the situations in which the worst answer has fewer than 12 correct "
      "digits.</p>\n<p class=\"key\"><span class=\"verdict held\">12 digits or more</span><span class=\"verdict "
      "six\">6 to 12 digits</span><span class=\"verdict exceeded\">fewer than 6 digits</span><span class=\"verdict "
      "few\">fewer than 299 cases</span></p>\n";
  open_table(html, "Where each code can be trusted", "trust stacked filterable");
  html += "<thead><tr><th scope=\"col\">code</th>";
  for (std::string_view const name : decade_names) add(html, "<th scope=\"col\">{}</th>", name);
  html += "<th scope=\"col\">situations</th></tr></thead>\n<tbody>\n" + rows;
  close_table(html);
  return html;
}

}  // namespace demeter::report
