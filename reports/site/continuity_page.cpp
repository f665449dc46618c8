// The continuity of a kernel's subjects on the pages: what jumps, where, by how much, what it costs in energy, and how
// to see it again.
#include "reports/format/read.hpp"
#include "reports/site/html.hpp"
#include "reports/site/pages.hpp"
#include "reports/site/tables.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace demeter::report {
namespace {

struct QuantityName {
  std::string name, unit, natural;
  std::size_t components;
  bool derived;
};

std::vector<QuantityName> quantities_of(Json const& continuity) {
  return list(continuity, "quantities", [](Json const& value) {
    return QuantityName{text(value, "name"), text(value, "shown_unit"), text(value, "unit"),
                        static_cast<std::size_t>(std::max<std::int64_t>(count(value, "components"), 1)),
                        flag(value, "derived")};
  });
}

std::string transition_name(Json const& transition) {
  std::string name = text(transition, "transition");
  return name.empty() ? "elsewhere" : name;
}

Json const& subjects_of(Json const& continuity) { return member(continuity, "subjects"); }

/// Jumps below this are of other quantities at the same place, and of rounding.
bool shows(Number size) { return size && *size > 1e-9; }

std::string size_text(Number size) { return shows(size) ? readable(size) : "–"; }

Json const* find_transition(Json const& subject, std::string_view name) {
  Json const& all = member(subject, "transitions");
  if (!all.is_array()) return nullptr;
  for (Json const& each : all)
    if (transition_name(each) == name) return &each;
  return nullptr;
}

std::vector<std::string> transitions_of(Json const& continuity) {
  std::vector<std::string> names;
  if (!subjects_of(continuity).is_array()) return names;
  for (Json const& subject : subjects_of(continuity)) {
    if (!member(subject, "transitions").is_array()) continue;
    for (Json const& each : member(subject, "transitions")) {
      std::string const name = transition_name(each);
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

/// The largest jump of a quantity over all transitions of a subject.
Number largest_jump(Json const& subject, std::string const& quantity) {
  Number most;
  if (!member(subject, "transitions").is_array()) return most;
  for (Json const& each : member(subject, "transitions")) {
    Number const size = number(member(each, "largest"), quantity.c_str());
    if (size && (!most || *size > *most)) most = size;
  }
  return most;
}

/// "(0, 0.1, 1)", or a number alone.
std::string components(Json const& value) {
  if (!value.is_array()) return readable(number(value), 4);
  std::string text;
  for (Json const& each : value) {
    Number component = number(each);
    if (component && std::fabs(*component) < 1e-12) component = 0;
    add(text, "{}{}", text.empty() ? "(" : ", ", readable(component, 4));
  }
  return text + ")";
}

/// "0.265 (56 %)", work and its part of the energy stored on the way.
std::string work_cell(Json const& work) {
  Number const value = number(work, "work"), error = number(work, "error"), stored = number(work, "stored");
  if (!value) return "<td class=\"figure nothing\">–</td>";
  // What the quadrature leaves open is not a gain.
  bool const some = std::fabs(*value) > 1e-3 * stored.value_or(0) && std::fabs(*value) > 3 * error.value_or(0);
  std::string cell;
  add(cell, "<td class=\"figure {}\" title=\"{} to {}, of {} stored\">{}", some ? "over" : "held", exact(value),
      readable(error, 2), readable(stored), readable(value));
  if (stored && *stored > 0)
    add(cell, " <small>{} % of stored</small>", readable(100 * std::fabs(*value) / *stored, 2));
  return cell + "</td>";
}

bool of_contacts(Json const& continuity) { return !text(continuity, "overlap").empty(); }

void add_verdicts(std::string& html, Json const& continuity) {
  auto const quantities = quantities_of(continuity);
  bool const contacts = of_contacts(continuity);
  open_table(html, contacts ? "Continuity and passivity by implementation" : "Continuity by implementation");
  html += "<thead><tr><th scope=\"col\">implementation</th><th scope=\"col\">continuous</th>";
  for (auto const& quantity : quantities)
    add(html, "<th scope=\"col\" class=\"figure\">jump of {}<small>{}</small></th>", escaped(quantity.name),
        escaped(quantity.unit));
  if (contacts)
    add(html,
        "<th scope=\"col\" class=\"figure\">closed loop<small>work, {0}</small></th><th scope=\"col\" "
        "class=\"figure\">contact<small>energy gained, {0}</small></th><th scope=\"col\" class=\"figure\">overlap"
        "<small>fall on approach</small></th>",
        escaped(text(continuity, "energy_unit")));
  html += "<th scope=\"col\" class=\"figure\">paths</th></tr></thead>\n<tbody>\n";
  for (Json const& subject : subjects_of(continuity)) {
    bool const jumps = flag(subject, "jumps");
    add(html, "<tr><th scope=\"row\">{}{}</th><td class=\"{}\">{}</td>", breakable(text(subject, "subject")),
        flag(subject, "recommended") ? "<small>recommended</small>" : "", jumps ? "exceeded" : "held",
        jumps ? "✗ jumps" : "✓ no jump found");
    for (auto const& quantity : quantities) {
      Number const size = largest_jump(subject, quantity.name);
      add(html, "<td class=\"figure {}\">{}</td>", shows(size) ? "exceeded" : "nothing", size_text(size));
    }
    if (contacts) {
      Json const& passivity = member(subject, "passivity");
      html += work_cell(member(passivity, "loop")) + work_cell(member(passivity, "gain"));
      Number const fall = number(member(passivity, "fall"), "overlap");
      add(html, "<td class=\"figure {}\">{}</td>", fall ? "exceeded" : "held", fall ? readable(fall) : "none");
    }
    add(html, "<td class=\"figure\">{}</td></tr>\n", grouped(count(subject, "paths")));
  }
  close_table(html);
}

void add_transitions(std::string& html, Json const& continuity) {
  auto const quantities = quantities_of(continuity);
  auto const names = transitions_of(continuity);
  if (names.empty()) {
    html += "<p>No implementation jumps anywhere.</p>\n";
    return;
  }
  open_table(html, "Jumps by transition");
  html += "<thead><tr><th scope=\"col\">transition</th>";
  for (Json const& subject : subjects_of(continuity))
    add(html, "<th scope=\"col\">{}</th>", breakable(text(subject, "subject")));
  html += "</tr></thead>\n<tbody>\n";
  for (auto const& name : names) {
    add(html, "<tr><th scope=\"row\">{}</th>", escaped(name));
    for (Json const& subject : subjects_of(continuity)) {
      Json const* const found = find_transition(subject, name);
      if (found == nullptr) {
        html += "<td class=\"held\">none</td>";
        continue;
      }
      std::string sizes;
      for (auto const& quantity : quantities) {
        Number const size = number(member(*found, "largest"), quantity.name.c_str());
        if (quantity.derived || !shows(size)) continue;
        add(sizes, "{}{} {} {}", sizes.empty() ? "" : "<br>", escaped(quantity.name), readable(size),
            escaped(quantity.unit));
      }
      add(html, "<td class=\"exceeded\">{}{}</td>", sizes.empty() ? "derived quantities only" : sizes,
          flag(subject, "certifiable") ? "<small>confirmed</small>" : "");
    }
    html += "</tr>\n";
  }
  close_table(html);
}

void add_examples(std::string& html, Json const& continuity) {
  auto const quantities = quantities_of(continuity);
  html +=
      "<h2 id=\"examples\">Smallest readable examples</h2>\n<p>Each was found on a random path, enlarged by hill "
      "climbing and then simplified as long as at least four fifths of its jump stayed. The command bisects it again "
      "and prints what stands on both sides.</p>\n";
  for (Json const& subject : subjects_of(continuity)) {
    if (!flag(subject, "jumps")) continue;
    std::string items;
    std::size_t examples = 0;
    for (Json const& transition : member(subject, "transitions")) {
      if (!member(transition, "examples").is_array()) continue;
      for (Json const& example : member(transition, "examples")) {
        ++examples;
        std::string const quantity = text(example, "quantity");
        std::string unit;
        for (auto const& each : quantities)
          if (each.name == quantity) unit = each.unit;
        add(items, "<p><b>{}</b>: the {} jumps by {} {}", escaped(transition_name(transition)), escaped(quantity),
            readable(number(member(example, "sizes"), quantity.c_str())), escaped(unit));
        if (flag(example, "certified"))
          add(items, ", confirmed in 80 digits across {} of the path", readable(number(example, "width"), 1));
        Json const &before = member(member(example, "before"), "observed"),
                   &after = member(member(example, "after"), "observed");
        add(items, ": {} → {}.</p>\n{}", components(member(before, quantity.c_str())),
            components(member(after, quantity.c_str())), copyable(text(example, "command")));
      }
    }
    if (examples == 0) continue;
    add(html, "<details><summary>{} ({})</summary>\n{}</details>\n", escaped(text(subject, "subject")), examples,
        items);
  }
}

void add_slopes(std::string& html, Json const& continuity) {
  auto const quantities = quantities_of(continuity);
  html +=
      "<h2 id=\"steepness\">Where nothing jumps: how steep, and what bisection leaves</h2>\n<p>The steepest change for "
      "the motion that made it (both in natural units, over 10⁻⁶ of a path, climbed on), and in brackets the largest "
      "change left between adjacent binary64 parameters once what rounding may do is subtracted.</p>\n";
  open_table(html, "Steepest changes and residuals");
  html += "<thead><tr><th scope=\"col\">implementation</th>";
  for (auto const& quantity : quantities)
    add(html, "<th scope=\"col\" class=\"figure\">{}</th>", escaped(quantity.name));
  html +=
      "<th scope=\"col\" class=\"figure\">bisections</th><th scope=\"col\" class=\"figure\">suspects dismissed</th>"
      "</tr></thead>\n<tbody>\n";
  for (Json const& subject : subjects_of(continuity)) {
    add(html, "<tr><th scope=\"row\">{}</th>", breakable(text(subject, "subject")));
    for (auto const& quantity : quantities) {
      Json const& steep = member(member(subject, "steep"), quantity.name.c_str());
      add(html, "<td class=\"figure\">{} <span>({})</span>",
          readable(number(member(member(subject, "steepest"), quantity.name.c_str()), "ratio")),
          readable(number(member(subject, "residual"), quantity.name.c_str()), 2));
      if (count(steep, "found") > 0)
        add(html, "<small>like the power {} in {} places</small>", readable(number(steep, "exponent"), 2),
            grouped(count(steep, "found")));
      html += "</td>";
    }
    add(html, "<td class=\"figure\">{}</td><td class=\"figure\">{}</td></tr>\n", grouped(count(subject, "bisections")),
        grouped(count(subject, "dismissed")));
  }
  close_table(html);
}

/// What is drawn along a path: the first three quantities that are not made of others.
std::vector<QuantityName> drawn_quantities(Json const& continuity) {
  std::vector<QuantityName> drawn;
  for (auto const& quantity : quantities_of(continuity))
    if (drawn.size() < 3) drawn.push_back(quantity);
  return drawn;
}

/// Of one with more components the first three are drawn.
std::size_t lines_of(QuantityName const& quantity) { return std::min<std::size_t>(quantity.components, 3); }

std::string enumerated(std::vector<QuantityName> const& all) {
  std::string names;
  for (std::size_t i = 0; i < all.size(); ++i)
    names += (i == 0 ? "" : i + 1 < all.size() ? ", " : " and ") + all[i].name;
  return names;
}

void add_plots(std::string& html, Json const& continuity, std::vector<Figure> const& figures) {
  auto const drawn = drawn_quantities(continuity);
  Json const& plots = member(continuity, "plots");
  bool first = true;
  std::size_t next = 0;
  if (!plots.is_array()) return;
  for (Json const& plot : plots) {
    while (next < figures.size() && figures[next].kind != Figure::Kind::continuity) ++next;
    if (next == figures.size()) return;
    Figure const& figure = figures[next++];
    if (first) html += "<h2 id=\"plots\">Along the smallest paths</h2>\n";
    first = false;
    html += "<figure>";
    if (figure.svg) {
      add(html, "<div class=\"sheet\"><img src=\"figures/{}.svg\" alt=\"{}\" width=\"{}\"></div>", figure.stem,
          escaped(fmt::format("{} along the path of {}, one column an implementation", enumerated(drawn),
                              transition_name(plot))),
          figure.width);
    } else {
      html += "<p class=\"note\" role=\"note\">This figure was not drawn.</p>";
    }
    add(html,
        "<figcaption><b>{}</b>, found with {}: {} of every implementation along the same path (x, y, z in natural "
        "units; a vertical line is a jump between adjacent parameters{}). <span>",
        escaped(transition_name(plot)), escaped(text(plot, "found_with")), escaped(enumerated(drawn)),
        of_contacts(continuity) ? "; nothing is drawn where there is no contact" : "");
    if (figure.svg) add(html, "<a href=\"figures/{}.svg\">SVG</a> · ", figure.stem);
    if (figure.pdf) add(html, "<a href=\"figures/{}.pdf\">PDF</a> · ", figure.stem);
    add(html,
        "<a href=\"figures/{0}.gp\">script</a> · <a href=\"figures/{0}.dat\">data</a></span></figcaption></figure>\n",
        figure.stem);
  }
}

}  // namespace

bool has_continuity(Kernel const& kernel) {
  Json const& subjects = subjects_of(kernel.continuity);
  return subjects.is_array() && !subjects.empty();
}

std::string continuity_summary(Kernel const& kernel) {
  if (!has_continuity(kernel)) return "";
  std::string jump, clean;
  for (Json const& subject : subjects_of(kernel.continuity)) {
    std::string& names = flag(subject, "jumps") ? jump : clean;
    add(names, "{}{}", names.empty() ? "" : ", ", escaped(text(subject, "subject")));
  }
  std::string html;
  add(html,
      "<h2 id=\"continuity\">Continuity</h2>\n<p>{}{}{}{} <a href=\"{}-continuity.html\">Every transition, its "
      "smallest "
      "example, plots and energy</a>.</p>\n",
      jump.empty() ? "" : "Along smooth motions these jump: <b>" + jump + "</b>.",
      !jump.empty() && !clean.empty() ? " " : "", clean.empty() ? "" : "No jump was found in " + clean + ".", "",
      kernel.slug);
  return html;
}

std::string continuity_overview(Results const& results) {
  std::string rows;
  for (Kernel const& kernel : results.kernels) {
    if (!has_continuity(kernel)) continue;
    for (Json const& subject : subjects_of(kernel.continuity)) {
      bool const jumps = flag(subject, "jumps");
      std::string sizes;
      for (auto const& quantity : quantities_of(kernel.continuity)) {
        Number const size = largest_jump(subject, quantity.name);
        if (shows(size))
          add(sizes, "{}{} {} {}", sizes.empty() ? "" : ", ", escaped(quantity.name), readable(size),
              escaped(quantity.unit));
      }
      Json const& passivity = member(subject, "passivity");
      add(rows,
          "<tr><th scope=\"row\"><a href=\"{}-continuity.html\">{}</a><small>{}</small></th><td class=\"{}\">{}</td>"
          "<td>{}</td>",
          kernel.slug, breakable(kernel.name), breakable(text(subject, "subject")), jumps ? "exceeded" : "held",
          jumps ? "✗ jumps" : "✓ no jump found", sizes.empty() ? "–" : sizes);
      rows += work_cell(member(passivity, "loop")) + work_cell(member(passivity, "gain")) + "</tr>\n";
    }
  }
  if (rows.empty()) return "";
  std::string html =
      "<h2 id=\"continuity\">Continuity and passivity</h2>\n<p>Answers along smooth motions: where they jump, and how "
      "much energy contact "
      "forces make. No formula of those has both (a force that is continuous in torque has no potential).</p>\n";
  open_table(html, "Continuity");
  html +=
      "<thead><tr><th scope=\"col\">kernel, implementation</th><th scope=\"col\">continuous</th><th "
      "scope=\"col\">largest jumps</th><th scope=\"col\" class=\"figure\">work round a closed loop</th><th "
      "scope=\"col\" "
      "class=\"figure\">energy gained in a contact</th></tr></thead>\n<tbody>\n" +
      rows;
  close_table(html);
  return html;
}

std::string continuity_page(Results const& results, Kernel const& kernel, std::vector<Figure> const& figures) {
  Json const& continuity = kernel.continuity;
  bool const contacts = of_contacts(continuity);
  std::string html;
  std::int64_t paths = 0, bisections = 0, dismissed = 0;
  for (Json const& subject : subjects_of(continuity)) {
    paths += count(subject, "paths");
    bisections += count(subject, "bisections");
    dismissed += count(subject, "dismissed");
  }
  add(html,
      "<h1>Continuity of {0}</h1>\n<p class=\"lead\">{2} along smooth motions: what jumps, where, and by how much{3}. "
      "<a href=\"{1}.html\">Accuracy, laws and speed of {0}</a>.</p>\n"
      "<nav class=\"contents\" aria-label=\"Contents\"><a href=\"#verdicts\">Verdicts</a><a href=\"#transitions\">"
      "Transitions</a><a href=\"#plots\">Plots</a><a href=\"#examples\">Examples</a><a "
      "href=\"#steepness\">Steepness</a>"
      "<a href=\"#method\">Method</a></nav>\n",
      escaped(kernel.name), kernel.slug, contacts ? "Contact forces" : "Answers",
      contacts ? ", and what it costs in energy" : "");
  add(html,
      "<h2 id=\"verdicts\">Verdicts</h2>\n<p>{} smooth paths, {} bisections down to adjacent binary64 parameters.{}"
      "</p>\n",
      grouped(paths), grouped(bisections),
      contacts
          ? " Work and energy are of the elastic contact force alone and would be 0 for a force with a potential; "
            "no formula is both continuous in torque and the gradient of an energy, so both columns belong together."
          : "");
  add_verdicts(html, continuity);
  html +=
      "<h2 id=\"transitions\">What changes where it jumps</h2>\n<p>The largest jump found at each transition between "
      "adjacent parameters; “none” where the search found none.";
  html += contacts
              ? " Digits such as 1->2 count the ends of the axes that lie within the other body’s reach before and "
                "after.</p>\n"
              : "</p>\n";
  add_transitions(html, continuity);
  add_plots(html, continuity, figures);
  add_examples(html, continuity);
  add_slopes(html, continuity);
  add(html,
      "<h2 id=\"method\">Method</h2>\n<p>A path is a motion that is a rational function of its parameter, so it "
      "can "
      "be evaluated in any precision. Each is sampled, refined where a quantity changes "
      "faster "
      "than beside it, and every interval with a suspicious change, or with a change of the bodies’ discrete state, is "
      "bisected down to adjacent binary64 parameters. What is left there is a jump if it exceeds what the contract "
      "allows rounding to do and did not shrink over the last 2¹¹-fold refinement. For Demeter’s own formulas a "
      "suspect "
      "is then followed in 80 digits to 10⁻⁴⁰ of the path: {} suspects turned out as rounding or as steep but "
      "continuous.{}</p>\n<p>{}.</p>\n",
      grouped(dismissed),
      contacts ? " Work is integrated by the midpoint rule, refined until two refinements in a row change nothing; its "
                 "error is in the tooltip."
               : "",
      escaped(text(continuity, "excluded")));
  html += "<dl>\n";
  for (auto const& family : list(continuity, "families", [](Json const& value) {
         return Term{text(value, "name"), text(value, "doc")};
       }))
    add(html, "<dt><code>{}</code></dt><dd>{}</dd>\n", escaped(family.name), escaped(family.doc));
  add(html,
      "</dl>\n<p class=\"quiet\">The same search: <code>demeter continuity {} --seed {}</code>. Data: <a "
      "href=\"data/{}-continuity.csv\">CSV</a>, and <a href=\"results.json\">results.json</a> with every path.</p>\n",
      escaped(kernel.name), escaped(text(continuity, "seed")), kernel.slug);
  return page(results, "Continuity of " + kernel.name + " – Demeter", html);
}

std::string continuity_csv(Kernel const& kernel) {
  auto const quantities = quantities_of(kernel.continuity);
  std::vector<std::string> head{"kernel", "subject", "transition", "found", "confirmed"};
  for (auto const& quantity : quantities) head.push_back(quantity.name);
  for (char const* work : {"loop_work", "loop_error", "loop_stored", "gain", "gain_error", "gain_stored", "fall"})
    head.push_back(work);
  std::string csv;
  csv_row(csv, head);
  if (!has_continuity(kernel)) return csv;
  for (Json const& subject : subjects_of(kernel.continuity)) {
    Json const& passivity = member(subject, "passivity");
    std::vector<std::string> ends;
    for (char const* kind : {"loop", "gain"})
      for (char const* part : {"work", "error", "stored"}) ends.push_back(exact(number(member(passivity, kind), part)));
    ends.push_back(exact(number(member(passivity, "fall"), "overlap")));
    auto const row = [&](std::string const& transition, Json const& found) {
      std::vector<std::string> cells{kernel.name, text(subject, "subject"), transition, text(found, "found"),
                                     flag(subject, "certifiable") && !transition.empty() ? "yes" : "no"};
      for (auto const& quantity : quantities)
        cells.push_back(exact(number(member(found, "largest"), quantity.name.c_str())));
      cells.insert(cells.end(), ends.begin(), ends.end());
      csv_row(csv, cells);
    };
    Json const& transitions = member(subject, "transitions");
    if (!transitions.is_array() || transitions.empty()) {
      row("", Json());
    } else {
      for (Json const& each : transitions) row(transition_name(each), each);
    }
  }
  return csv;
}

// ------------------------------------------------------------------------------------------------------------- figures

std::vector<Figure> continuity_figures(Kernel const& kernel) {
  std::vector<Figure> all;
  Json const& plots = member(kernel.continuity, "plots");
  if (!plots.is_array()) return all;
  for (Json const& plot : plots) {
    std::vector<Number> const parameters = list(plot, "parameters", [](Json const& value) { return number(value); });
    // Columns: one an implementation; forms of one formula look alike, so the fast one stands for none.
    struct Column {
      std::string name;
      std::array<std::vector<std::vector<Number>>, 3> rows;
    };
    std::vector<Column> columns;
    auto const drawn = drawn_quantities(kernel.continuity);
    if (drawn.size() < 3) continue;
    if (!member(plot, "subjects").is_array()) continue;
    for (Json const& subject : member(plot, "subjects")) {
      std::string const name = text(subject, "subject");
      if (name.starts_with("fast@") || name.starts_with("documented_raw") || columns.size() == 8) continue;
      Column column{name, {}};
      for (std::size_t row = 0; row < drawn.size(); ++row) {
        Json const& lines = member(subject, drawn[row].name.c_str());
        if (!lines.is_array()) continue;
        for (Json const& line : lines) {
          column.rows[row].emplace_back();
          if (line.is_array())
            for (Json const& value : line) column.rows[row].back().push_back(number(value));
          column.rows[row].back().resize(parameters.size());
        }
      }
      columns.push_back(std::move(column));
    }
    if (columns.empty() || parameters.empty()) continue;

    // Equal scales in a row, so that columns can be compared.
    std::array<double, 3> low{}, high{};
    for (std::size_t row = 0; row < drawn.size(); ++row) {
      low[row] = std::numeric_limits<double>::infinity(), high[row] = -std::numeric_limits<double>::infinity();
      for (auto const& column : columns)
        for (auto const& line : column.rows[row])
          for (Number const& value : line)
            if (value && std::isfinite(*value))
              low[row] = std::min(low[row], *value), high[row] = std::max(high[row], *value);
      if (!(low[row] <= high[row])) low[row] = 0, high[row] = 1;
      double const margin = std::max(0.06 * (high[row] - low[row]), 1e-3);
      low[row] -= margin, high[row] += margin;
    }
    Figure figure;
    figure.kind = Figure::Kind::continuity;
    figure.stem = fmt::format("{}-continuity-{}", kernel.slug, all.size() + 1);
    constexpr double left = 62, panel = 168, gap = 10, bottom = 44, tall = 130, head = 26;
    double const width = left + static_cast<double>(columns.size()) * (panel + gap) + 12;
    double const height = bottom + 3 * (tall + gap) + head;
    figure.width = static_cast<int>(width);
    for (std::size_t c = 0; c < columns.size(); ++c) {
      if (c > 0) figure.data += "\n\n";
      add(figure.data, "t\t{}\n", plot_field(columns[c].name, 24));
      for (std::size_t i = 0; i < parameters.size(); ++i) {
        figure.data += parameters[i] ? exact(parameters[i]) : "?";
        for (std::size_t row = 0; row < drawn.size(); ++row)
          for (std::size_t k = 0; k < lines_of(drawn[row]); ++k) {
            bool const there = k < columns[c].rows[row].size() && columns[c].rows[row][k][i].has_value();
            add(figure.data, "\t{}", there ? exact(columns[c].rows[row][k][i]) : "?");
          }
        figure.data += "\n";
      }
    }
    std::string panels;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      for (std::size_t row = 0; row < drawn.size(); ++row) {
        double const x = left + static_cast<double>(c) * (panel + gap);
        double const y = bottom + static_cast<double>(2 - row) * (tall + gap);
        add(panels,
            "set lmargin at screen {:.5f}\nset rmargin at screen {:.5f}\nset bmargin at screen {:.5f}\nset tmargin "
            "at screen {:.5f}\n",
            x / width, (x + panel) / width, y / height, (y + tall) / height);
        add(panels, "set yrange [{}:{}]\n", low[row], high[row]);
        if (c == 0) {
          bool const plain = drawn[row].natural.empty() || drawn[row].natural == "rad";
          add(panels, "set ylabel '{}' offset 1\nset format y '%g'\n",
              plot_field(drawn[row].name + (plain ? "" : " / " + drawn[row].natural), 28));
        } else {
          panels += "set ylabel ''\nset format y ''\n";
        }
        panels += row == 2 ? "set format x '%.2g'\nset xlabel 't' offset 0,0.5\n" : "set format x ''\nset xlabel ''\n";
        // The name comes from the head of the data, above the topmost panel.
        panels += row == 0 ? "set key at graph 0.5,1.16 center samplen 0 noautotitle\n" : "unset key\n";
        std::string lines;
        std::size_t const number_of = lines_of(drawn[row]);
        std::size_t first = 2;
        for (std::size_t above = 0; above < row; ++above) first += lines_of(drawn[above]);
        constexpr std::array<char const*, 3> colours{"#0072B2", "#D55E00", "#009E73"};
        for (std::size_t k = 0; k < number_of; ++k)
          add(lines, "{}'{}.dat' index {} using 1:{} with lines linewidth 1.6 linecolor rgb '{}' notitle",
              lines.empty() ? "plot " : ", \\\n  ", figure.stem, c, first + k, number_of == 1 ? "#333333" : colours[k]);
        if (row == 0)
          add(lines, ", \\\n  '{}.dat' index {} using 1:(NaN) with lines linecolor rgb '#ffffff' title columnheader(2)",
              figure.stem, c);
        panels += lines + "\n";
      }
    }
    std::string const draw = "set multiplot\n" + panels + "unset multiplot";
    add(figure.script, "# Drawn by Demeter; names are in {0}.dat. Redraw: gnuplot -d {0}.gp\n", figure.stem);
    figure.script +=
        "set encoding utf8\nset datafile separator '\\t'\nset datafile commentschars ''\nset datafile missing '?'\n"
        "set grid linecolor rgb '#e4e4e4'\nset border linecolor rgb '#888888'\nset tics scale 0.5\nset xtics "
        "autofreq\n";
    add(figure.script, "set xrange [{}:{}]\n", exact(parameters.front()), exact(parameters.back()));
    add(figure.script,
        "set terminal svg noenhanced size {:.0f},{:.0f} font 'sans-serif,11' background '#ffffff'\nset output "
        "'{}.svg'\n{}\nunset output\n",
        width, height, figure.stem, draw);
    add(figure.script,
        "if (strstrt(GPVAL_TERMINALS, 'pdfcairo') > 0) {{\nset terminal pdfcairo noenhanced size {:.3f}in,{:.3f}in "
        "font "
        "'sans,11' fontscale 0.5625\nset output '{}.pdf'\n{}\nunset output\n}}\n",
        width / 96, height / 96, figure.stem, draw);
    all.push_back(std::move(figure));
  }
  return all;
}

}  // namespace demeter::report
