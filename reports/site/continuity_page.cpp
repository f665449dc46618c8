// The continuity of a kernel's subjects on the pages: the jumps, their places and sizes, the energy error, and commands
// that reproduce them.
#include "reports/format/members.hpp"
#include "reports/site/html.hpp"
#include "reports/site/pages.hpp"
#include "reports/site/tables.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace demeter::report {
namespace {

std::string transition_name(std::string const& name) { return name.empty() ? "elsewhere" : name; }

/// Returns whether a jump is shown. Smaller jumps come from rounding, or belong to another quantity that jumps at the
/// same place.
bool shows(Number size) { return size && *size > 1e-9; }

std::string size_text(Number size) { return shows(size) ? readable(size) : "–"; }

Transition const* find_transition(Watched const& subject, std::string_view name) {
  for (Transition const& each : subject.transitions)
    if (transition_name(each.transition) == name) return &each;
  return nullptr;
}

std::vector<std::string> transitions_of(Continuity const& continuity) {
  std::vector<std::string> names;
  for (Watched const& subject : continuity.subjects) {
    for (Transition const& each : subject.transitions) {
      std::string const name = transition_name(each.transition);
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

Number of_quantity(ByName<Number> const& numbers, Quantity const& quantity) {
  Number const* const found = numbers.find(quantity.name);
  return found == nullptr ? std::nullopt : *found;
}

/// Returns the largest jump of a quantity over all transitions of a subject.
Number largest_jump(Watched const& subject, Quantity const& quantity) {
  Number most;
  for (Transition const& each : subject.transitions) {
    Number const size = of_quantity(each.largest, quantity);
    if (size && (!most || *size > *most)) most = size;
  }
  return most;
}

/// Returns the observed value of the quantity `name`, or null.
Json at_key(Json const& observed, std::string const& name) {
  return observed.is_object() && observed.contains(name) ? observed[name] : Json();
}

Number component(Json const& value) {
  Mistakes ignored;
  return read<Number>(value, ignored);
}

/// Returns for example "(0, 0.1, 1)", or a single number without parentheses.
std::string components(Json const& value) {
  if (!value.is_array()) return readable(component(value), 4);
  std::string text;
  for (Json const& each : value) {
    Number number = component(each);
    if (number && std::fabs(*number) < 1e-12) number = 0;
    add(text, "{}{}", text.empty() ? "(" : ", ", readable(number, 4));
  }
  return text + ")";
}

/// Returns a cell with the work and its share of the energy stored along the path: "0.265", "56 % of stored".
std::string work_cell(std::optional<Work> const& work) {
  if (!work || !work->work) return "<td class=\"figure nothing\">–</td>";
  auto const& [value, error, stored, path] = *work;
  // Work within three times the quadrature error is not counted as a gain.
  bool const some = std::fabs(*value) > 1e-3 * stored.value_or(0) && std::fabs(*value) > 3 * error.value_or(0);
  std::string cell;
  add(cell, "<td class=\"figure {}\" title=\"{} ± {}, stored: {}\">{}", some ? "over" : "held", exact(value),
      readable(error, 2), readable(stored), readable(value));
  if (stored && *stored > 0)
    add(cell, " <small>{} % of stored</small>", readable(100 * std::fabs(*value) / *stored, 2));
  return cell + "</td>";
}

bool of_contacts(Continuity const& continuity) { return !continuity.overlap.empty(); }

/// Returns the cell of the verdict: jumps, no jump found, not searched, or open if suspected jumps were not examined.
std::string verdict_cell(Watched const& subject) {
  if (subject.jumps) return "<td class=\"exceeded\">✗ jumps</td>";
  if (subject.paths == 0)
    return "<td class=\"nothing\">not searched<small>time limit reached before one path per "
           "family</small></td>";
  std::string cell;
  if (subject.unexamined == 0)
    add(cell, "<td class=\"held\">✓ no jump found<small>in {} {}</small></td>", grouped(subject.paths),
        subject.paths == 1 ? "path" : "paths");
  else
    add(cell, "<td class=\"nothing\">open<small>{} suspected jumps not examined</small></td>",
        grouped(subject.unexamined));
  return cell;
}

void add_verdicts(std::string& html, Continuity const& continuity) {
  auto const& quantities = continuity.quantities;
  bool const contacts = of_contacts(continuity);
  open_table(html, contacts ? "Continuity and passivity by implementation" : "Continuity by implementation");
  html += "<thead><tr><th scope=\"col\">implementation</th><th scope=\"col\">continuous</th>";
  for (auto const& quantity : quantities)
    add(html, "<th scope=\"col\" class=\"figure\">jump of {}<small>{}</small></th>", escaped(quantity.name),
        escaped(quantity.shown_unit));
  if (contacts)
    add(html,
        "<th scope=\"col\" class=\"figure\">closed loop<small>work, {0}</small></th><th scope=\"col\" "
        "class=\"figure\">contact<small>energy gained, {0}</small></th><th scope=\"col\" "
        "class=\"figure\">overlap<small>decrease on approach</small></th>",
        escaped(continuity.energy_unit));
  html += "<th scope=\"col\" class=\"figure\">paths</th></tr></thead>\n<tbody>\n";
  for (Watched const& subject : continuity.subjects) {
    add(html, "<tr><th scope=\"row\">{}{}</th>{}", breakable(subject.subject),
        subject.recommended ? "<small>recommended</small>" : "", verdict_cell(subject));
    for (auto const& quantity : quantities) {
      Number const size = largest_jump(subject, quantity);
      add(html, "<td class=\"figure {}\">{}</td>", shows(size) ? "exceeded" : "nothing", size_text(size));
    }
    if (contacts) {
      Passivity const& passivity = subject.passivity;
      html += work_cell(passivity.loop) + work_cell(passivity.gain);
      Number const fall = passivity.fall ? passivity.fall->overlap : std::nullopt;
      html += fall                 ? "<td class=\"figure exceeded\">" + readable(fall) + "</td>"
              : subject.paths == 0 ? "<td class=\"nothing\">not searched</td>"
                                   : "<td class=\"figure held\">none</td>";
    }
    add(html, "<td class=\"figure\">{}</td></tr>\n", grouped(subject.paths));
  }
  close_table(html);
}

void add_transitions(std::string& html, Continuity const& continuity) {
  auto const& quantities = continuity.quantities;
  auto const names = transitions_of(continuity);
  if (names.empty()) {
    html += "<p>No jump was found in any implementation.</p>\n";
    return;
  }
  open_table(html, "Jumps by transition");
  html += "<thead><tr><th scope=\"col\">transition</th>";
  for (Watched const& subject : continuity.subjects) add(html, "<th scope=\"col\">{}</th>", breakable(subject.subject));
  html += "</tr></thead>\n<tbody>\n";
  for (auto const& name : names) {
    add(html, "<tr><th scope=\"row\">{}</th>", escaped(name));
    for (Watched const& subject : continuity.subjects) {
      Transition const* const found = find_transition(subject, name);
      if (found == nullptr) {
        html += subject.paths == 0        ? "<td class=\"nothing\">not searched</td>"
                : subject.unexamined == 0 ? "<td class=\"held\">none</td>"
                                          : "<td class=\"nothing\">open</td>";
        continue;
      }
      std::string sizes;
      for (auto const& quantity : quantities) {
        Number const size = of_quantity(found->largest, quantity);
        if (quantity.derived || !shows(size)) continue;
        add(sizes, "{}{} {} {}", sizes.empty() ? "" : "<br>", escaped(quantity.name), readable(size),
            escaped(quantity.shown_unit));
      }
      add(html, "<td class=\"exceeded\">{}{}</td>", sizes.empty() ? "derived quantities only" : sizes,
          subject.certifiable ? "<small>confirmed</small>" : "");
    }
    html += "</tr>\n";
  }
  close_table(html);
}

void add_examples(std::string& html, Continuity const& continuity) {
  auto const& quantities = continuity.quantities;
  html +=
      "<h2 id=\"examples\">Smallest readable examples</h2>\n"
      "<p>Each example was found on a random path. Hill climbing enlarged its jump. Then the path was simplified as "
      "long as at least four fifths of the jump remained. The command bisects the path again and prints the values "
      "on both sides of the jump.</p>\n";
  for (Watched const& subject : continuity.subjects) {
    if (!subject.jumps) continue;
    std::string items;
    std::size_t examples = 0;
    for (Transition const& transition : subject.transitions) {
      for (Jump const& example : transition.examples) {
        ++examples;
        Quantity quantity;
        quantity.name = example.quantity;
        for (auto const& each : quantities)
          if (each.name == example.quantity) quantity = each;
        add(items, "<p><b>{}</b>: the {} jumps by {} {}", escaped(transition_name(transition.transition)),
            escaped(quantity.name), readable(of_quantity(example.sizes, quantity)), escaped(quantity.shown_unit));
        if (example.certified) add(items, ", confirmed in 80 digits across {} of the path", readable(example.width, 1));
        add(items, ": {} → {}.</p>\n{}", components(at_key(*example.before.observed, quantity.name)),
            components(at_key(*example.after.observed, quantity.name)), copyable(example.command));
      }
    }
    if (examples == 0) continue;
    add(html, "<details><summary>{} ({})</summary>\n{}</details>\n", escaped(subject.subject), examples, items);
  }
}

void add_slopes(std::string& html, Continuity const& continuity) {
  auto const& quantities = continuity.quantities;
  html +=
      "<h2 id=\"steepness\">Steepest changes that are not jumps</h2>\n"
      "<p>A cell shows the largest change of the quantity per unit of motion, over 10⁻⁶ of a path, enlarged by hill "
      "climbing. Changes and motions are in natural units. The number in brackets is the largest change between "
      "adjacent binary64 parameters, minus the largest change that rounding can cause. “like motion^0.5”: over short "
      "motions, the change is proportional to this power of the motion.</p>\n";
  open_table(html, "Steepest changes and residuals");
  html += "<thead><tr><th scope=\"col\">implementation</th>";
  for (auto const& quantity : quantities)
    add(html, "<th scope=\"col\" class=\"figure\">{}</th>", escaped(quantity.name));
  html +=
      "<th scope=\"col\" class=\"figure\">bisections</th><th scope=\"col\" class=\"figure\">suspected jumps "
      "dismissed</th></tr></thead>\n<tbody>\n";
  for (Watched const& subject : continuity.subjects) {
    add(html, "<tr><th scope=\"row\">{}</th>", breakable(subject.subject));
    for (auto const& quantity : quantities) {
      auto const* const steepest = subject.steepest.find(quantity.name);
      add(html, "<td class=\"figure\">{} <span>({})</span>",
          readable(steepest != nullptr && *steepest ? (*steepest)->ratio : std::nullopt),
          readable(of_quantity(subject.residual, quantity), 2));
      auto const* const steep = subject.steep.find(quantity.name);
      if (steep != nullptr && *steep && (*steep)->found > 0)
        add(html, "<small>like motion^{} at {}</small>", readable((*steep)->exponent, 2),
            counted((*steep)->found, "place", "places"));
      html += "</td>";
    }
    add(html, "<td class=\"figure\">{}</td><td class=\"figure\">{}</td></tr>\n", grouped(subject.bisections),
        grouped(subject.dismissed) +
            (subject.unexamined > 0 ? "<small>" + grouped(subject.unexamined) + " not examined</small>" : ""));
  }
  close_table(html);
}

std::string enumerated(std::vector<Quantity> const& all) {
  std::string names;
  for (std::size_t i = 0; i < all.size(); ++i)
    names += (i == 0 ? "" : i + 1 < all.size() ? ", " : " and ") + all[i].name;
  return names;
}

void add_plots(std::string& html, Continuity const& continuity, std::vector<Figure> const& figures) {
  auto const drawn = drawn_quantities(continuity);
  html += "<h2 id=\"plots\">Answers along the smallest paths</h2>\n";
  if (std::none_of(figures.begin(), figures.end(),
                   [](Figure const& each) { return each.kind == Figure::Kind::continuity; }))
    html += "<p>There is no jump to draw.</p>\n";
  std::size_t next = 0;
  for (Plot const& plot : continuity.plots) {
    while (next < figures.size() && figures[next].kind != Figure::Kind::continuity) ++next;
    if (next == figures.size()) return;
    Figure const& figure = figures[next++];
    html += figure_html(
        figure,
        fmt::format("{} along the path of {}, one column per implementation", enumerated(drawn),
                    transition_name(plot.transition)),
        fmt::format("<b>{}</b>, found with {}: {} of up to eight implementations along the same path. x, y and z are "
                    "in natural units. A vertical line is a jump between adjacent parameters.{}",
                    escaped(transition_name(plot.transition)), escaped(plot.found_with), escaped(enumerated(drawn)),
                    of_contacts(continuity) ? " No line is drawn where there is no contact." : ""));
  }
}

/// Returns a sentence that lists the subjects with jumps, without jumps, and with an unfinished search.
std::string who_jumps(Kernel const& kernel) {
  std::string jump, clean, open;
  for (Watched const& subject : kernel.continuity.subjects) {
    std::string& names = subject.jumps ? jump : subject.unexamined == 0 && subject.paths > 0 ? clean : open;
    add(names, "{}{}", names.empty() ? "" : ", ", escaped(subject.subject));
  }
  std::string text;
  if (!jump.empty()) text = "jumps were found in <b>" + jump + "</b>.";
  if (!clean.empty()) add(text, "{} jump was found in {}.", text.empty() ? "no" : " No", clean);
  if (!open.empty()) add(text, "{} search did not finish for {} (time limit).", text.empty() ? "the" : " The", open);
  return text;
}

}  // namespace

bool has_continuity(Kernel const& kernel) { return !kernel.continuity.subjects.empty(); }

std::string continuity_summary(Kernel const& kernel) {
  if (!has_continuity(kernel)) return "";
  std::string html;
  add(html,
      "<h2 id=\"continuity\">Continuity</h2>\n<p>Along smooth motions {} <a href=\"{}-continuity.html\">All "
      "transitions, examples, plots and energies</a>.</p>\n",
      who_jumps(kernel), kernel.slug);
  return html;
}

std::string continuity_overview(Results const& results) {
  std::string rows;
  for (Kernel const& kernel : results.kernels) {
    if (!has_continuity(kernel)) continue;
    for (Watched const& subject : kernel.continuity.subjects) {
      std::string sizes;
      for (auto const& quantity : kernel.continuity.quantities) {
        Number const size = largest_jump(subject, quantity);
        if (shows(size))
          add(sizes, "{}{} {} {}", sizes.empty() ? "" : ", ", escaped(quantity.name), readable(size),
              escaped(quantity.shown_unit));
      }
      add(rows,
          "<tr><th scope=\"row\"><a href=\"{}-continuity.html\">{}</a><small>{}</small></th>{}"
          "<td>{}</td>",
          kernel.slug, breakable(kernel.name), breakable(subject.subject), verdict_cell(subject),
          sizes.empty() ? "–" : sizes);
      rows += work_cell(subject.passivity.loop) + work_cell(subject.passivity.gain) + "</tr>\n";
    }
  }
  if (rows.empty()) return "";
  std::string html =
      "<h2 id=\"continuity\">Continuity and passivity</h2>\n"
      "<p>These tests follow the answers along smooth motions. They find jumps, and the energy that contact forces "
      "create. Every formula for contact forces has one of the two defects: a force that is continuous in torque has "
      "no potential.</p>\n<ul class=\"lines\">\n";
  for (Kernel const& kernel : results.kernels)
    if (has_continuity(kernel))
      add(html, "<li><a href=\"{}-continuity.html\">{}</a>: {}</li>\n", kernel.slug, escaped(kernel.name),
          who_jumps(kernel));
  html += "</ul>\n<details><summary>Size of the jumps and created energy, by implementation</summary>\n";
  open_table(html, "Continuity");
  html +=
      "<thead><tr><th scope=\"col\">kernel, implementation</th><th scope=\"col\">continuous</th><th "
      "scope=\"col\">largest jumps</th><th scope=\"col\" class=\"figure\">work along a closed loop</th><th "
      "scope=\"col\" class=\"figure\">energy gained in a contact</th></tr></thead>\n"
      "<tbody>\n" +
      rows;
  close_table(html);
  return html + "</details>\n";
}

std::string continuity_page(Results const& results, Kernel const& kernel, std::vector<Figure> const& figures) {
  Continuity const& continuity = kernel.continuity;
  bool const contacts = of_contacts(continuity);
  std::string html;
  std::int64_t paths = 0, bisections = 0, dismissed = 0;
  for (Watched const& subject : continuity.subjects) {
    paths += subject.paths;
    bisections += subject.bisections;
    dismissed += subject.dismissed;
  }
  add(html,
      "<h1>Continuity of {0}</h1>\n<p class=\"lead\">{2} along smooth motions: the jumps, their places and sizes{3}. "
      "<a href=\"{1}.html\">Accuracy, laws and speed of {0}</a>.</p>\n"
      "<nav class=\"contents\" aria-label=\"Contents\"><a href=\"#verdicts\">Verdicts</a><a "
      "href=\"#transitions\">Transitions</a><a href=\"#plots\">Plots</a><a href=\"#examples\">Examples</a><a "
      "href=\"#steepness\">Steepness</a><a href=\"#method\">Method</a></nav>\n",
      escaped(kernel.name), kernel.slug, contacts ? "Contact forces" : "Answers",
      contacts ? ", and the created energy" : "");
  add(html,
      "<h2 id=\"verdicts\">Verdicts</h2>\n<p>{} smooth paths, {} bisections down to adjacent binary64 parameters.{}"
      "</p>\n",
      grouped(paths), grouped(bisections),
      contacts
          ? " Closed loop: the largest work along a closed path. Contact: the largest energy gained between two "
            "states without contact. Overlap: the largest decrease of the overlap while the bodies approach each "
            "other. Work and energy are those of the elastic contact force alone. For a force with a potential they "
            "are 0. No formula is both continuous in torque and the gradient of an energy, so read the columns of "
            "jumps and of energy together."
          : "");
  add_verdicts(html, continuity);
  html +=
      "<h2 id=\"transitions\">Jumps by transition</h2>\n"
      "<p>A transition is a change of the discrete state of the bodies. A cell shows the largest jump between "
      "adjacent parameters that was found at this transition. “none”: no jump was found.";
  html += contacts ? " “1->2”: the number of ends of the axes within the other body’s reach changes between 1 and "
                     "2.</p>\n"
                   : "</p>\n";
  add_transitions(html, continuity);
  add_plots(html, continuity, figures);
  add_examples(html, continuity);
  add_slopes(html, continuity);
  add(html,
      "<h2 id=\"method\">Method</h2>\n<p>A path is a motion. It is a rational function of its parameter, so it can "
      "be evaluated in any precision. The search samples each path. It adds samples where a quantity changes faster "
      "than in the neighbouring intervals. It bisects every interval with a suspicious change, or with a change of "
      "the bodies’ discrete state, down to adjacent binary64 parameters. The remaining change is a suspected jump if "
      "it exceeds the rounding errors that the contract allows, and if it did not shrink while the interval shrank "
      "by the last factor of 2¹¹. For Demeter’s own formulas, each suspected jump is then followed in 80 digits to "
      "10⁻⁴⁰ of the path. {} suspected jumps were dismissed: they are rounding, or steep but continuous.{}</p>\n"
      "<p>{}.</p>\n",
      grouped(dismissed),
      contacts ? " Work is integrated by the midpoint rule. The step is refined until two refinements in a row do "
                 "not change the result. The tooltip shows the error of the work."
               : "",
      escaped(continuity.excluded));
  html += "<dl>\n";
  for (Family const& family : continuity.families)
    add(html, "<dt><code>{}</code></dt><dd>{}</dd>\n", escaped(family.name), escaped(family.doc));
  add(html,
      "</dl>\n<p class=\"quiet\">Command for the same search: <code>demeter continuity {} --seed {}</code>. Data: <a "
      "href=\"data/{}-continuity.csv\">CSV</a>, and <a href=\"results.json.gz\">results.json.gz</a> with all "
      "paths.</p>\n",
      escaped(kernel.name), escaped(std::to_string(continuity.seed)), kernel.slug);
  return page(results, "Continuity of " + kernel.name + " – Demeter", html);
}

std::string continuity_csv(Kernel const& kernel, Provenance const& of) {
  auto const& quantities = kernel.continuity.quantities;
  std::vector<std::string> head{"seed", "commit", "kernel", "subject", "paths", "transition", "found", "confirmed"};
  for (auto const& quantity : quantities) head.push_back(quantity.name);
  for (char const* work : {"loop_work", "loop_error", "loop_stored", "gain", "gain_error", "gain_stored", "fall"})
    head.push_back(work);
  std::string csv;
  csv_row(csv, head);
  if (!has_continuity(kernel)) return csv;
  for (Watched const& subject : kernel.continuity.subjects) {
    Passivity const& passivity = subject.passivity;
    std::vector<std::string> ends;
    for (auto const* work : {&passivity.loop, &passivity.gain}) {
      Work const numbers = work->value_or(Work{});
      for (Number const part : {numbers.work, numbers.error, numbers.stored}) ends.push_back(exact(part));
    }
    ends.push_back(exact(passivity.fall ? passivity.fall->overlap : std::nullopt));
    auto const row = [&](Transition const* found) {
      std::vector<std::string> cells{std::to_string(kernel.continuity.seed),
                                     of.commit,
                                     kernel.name,
                                     subject.subject,
                                     std::to_string(subject.paths),
                                     found == nullptr ? "" : transition_name(found->transition),
                                     found == nullptr ? "" : std::to_string(found->found),
                                     found != nullptr && subject.certifiable ? "yes" : "no"};
      for (auto const& quantity : quantities)
        cells.push_back(exact(found == nullptr ? std::nullopt : of_quantity(found->largest, quantity)));
      cells.insert(cells.end(), ends.begin(), ends.end());
      csv_row(csv, cells);
    };
    for (Transition const& each : subject.transitions) row(&each);
    if (subject.transitions.empty()) row(nullptr);
  }
  return csv;
}

}  // namespace demeter::report
