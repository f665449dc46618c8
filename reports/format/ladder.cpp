#include "reports/format/ladder.hpp"

#include "reports/format/describe.hpp"
#include "reports/site/html.hpp"

#include <algorithm>
#include <cmath>

namespace demeter {

report::Ladder describe(Kernel const& kernel, std::vector<LadderRow> const& rows) {
  report::Ladder result;
  for (auto const& rung : ladder) result.arithmetics.push_back({std::string(rung.name), rung.digits});
  // Rows are grouped by output, as on the page.
  std::vector<LadderRow> sorted = rows;
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](LadderRow const& a, LadderRow const& b) { return a.budget < b.budget; });
  for (auto const& row : sorted) {
    Budget const& budget = kernel.budgets[row.budget];
    report::LadderLine line{
        kernel.regimes[row.regime].name, std::string(budget.output), measure_name(budget.measure), {}};
    for (std::size_t rung = 0; rung < ladder.size(); ++rung) line.lost.push_back(rounded(digits_lost(row, rung), 4));
    result.rows.push_back(std::move(line));
  }
  return result;
}

namespace report {

void add_ladder(std::string& html, Kernel const& kernel) {
  if (kernel.ladder.rows.empty()) return;
  html +=
      "<h2 id=\"ladder\">The precision ladder</h2>\n<p>Decimal digits that the reference formula loses in each "
      "arithmetic, in the worst case of each regime, in the measure of the output's budget. The head of a column shows "
      "the digits of the arithmetic; a cell shows how many of them are wrong. If a cell reaches the digits of its "
      "column, no digit of the answer is right. If the loss does not shrink from left to right, more digits do not "
      "help.</p>\n";
  std::string output;
  for (LadderLine const& line : kernel.ladder.rows) {
    if (line.output != output) {
      if (!output.empty()) html += "</tbody></table></div>\n</details>\n";
      add(html, "<details{}><summary><b>{}</b>, {}</summary>\n", output.empty() ? " open" : "", escaped(line.output),
          line.measure == "relative" ? "relative to the truth" : "relative to the scale of the input");
      output = line.output;
      add(html, "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Digits lost, {}\"><table>\n",
          escaped(line.output));
      html += "<thead><tr><th scope=\"col\">regime</th>";
      for (Rung const& arithmetic : kernel.ladder.arithmetics)
        add(html, "<th scope=\"col\" class=\"figure\">{}<small>{} digits</small></th>", escaped(arithmetic.name),
            exact(arithmetic.digits));
      html += "</tr></thead>\n<tbody>\n";
    }
    add(html, "<tr><th scope=\"row\">{}</th>", breakable(line.regime));
    for (Number const& lost : line.lost) {
      // NaN means that no case could be judged, because the arithmetic cannot represent the cases.
      if (lost && std::isnan(*lost)) {
        html += "<td class=\"figure\" title=\"no case of this regime fits the arithmetic\">–</td>";
      } else {
        add(html, "<td class=\"figure\" title=\"{}\">{}</td>", exact(lost), lost ? fmt::format("{:.1f}", *lost) : "–");
      }
    }
    html += "</tr>\n";
  }
  html += "</tbody></table></div>\n</details>\n";
}

}  // namespace report
}  // namespace demeter
