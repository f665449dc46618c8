// <kernel>.html: all measurements of one kernel.
#include "check/enough.hpp"
#include "reports/format/ladder.hpp"
#include "reports/format/words.hpp"
#include "reports/site/html.hpp"
#include "reports/site/pages.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace demeter::report {
namespace {

std::string joined(std::vector<std::string> const& names) {
  std::string text;
  for (std::string const& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

std::string_view measure_meaning(std::string_view measure) {
  if (measure == "relative") return "|x − truth| / (u |truth|)";
  if (measure == "scale") return "|x − truth| / (u S), where S is the size of the problem";
  if (measure == "optimality") return "distance from the optimum / (u S), where S is the size of the problem";
  return "";
}

/// Returns the size of a violation as text between `before` and `after`. Returns an empty text if it is not finite.
std::string excess(std::string_view before, Number violation, std::string_view after) {
  if (!violation || !std::isfinite(*violation)) return "";
  return fmt::format("{}{}{}", before, readable(violation, 2), after);
}

void add_fields(std::string& html, Kernel const& kernel) {
  html += "<h2 id=\"contract\">Contract</h2>\n<dl>";
  if (!kernel.conventions.empty()) add(html, "<dt>conventions</dt><dd>{}</dd>", escaped(kernel.conventions));
  if (!kernel.source.empty()) add(html, "<dt>source</dt><dd>{}</dd>", with_mathematics_links(kernel.source));
  if (!kernel.not_bounded_because.empty())
    add(html, "<dt>truth</dt><dd>estimated, not bounded: {}</dd>", escaped(kernel.not_bounded_because));
  html += "</dl>\n";
  open_table(html, "Fields");
  html +=
      "<thead><tr><th scope=\"col\">field</th><th scope=\"col\">role</th><th scope=\"col\">shape</th>"
      "<th scope=\"col\">unit</th><th scope=\"col\">meaning</th><th scope=\"col\">budget</th></tr></thead>\n<tbody>\n";
  for (auto const& [role, fields] : {std::pair{"input", &kernel.input}, std::pair{"output", &kernel.output}}) {
    for (Field const& field : *fields) {
      add(html, "<tr><th scope=\"row\"><code>{}</code></th><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>",
          escaped(field.name), role, escaped(field.shape), field.unit.empty() ? "–" : escaped(field.unit),
          escaped(field.doc));
      for (OutputBudget const& budget : kernel.budgets) {
        bool const inside = budget.output.starts_with(field.name) &&
                            (budget.output.size() == field.name.size() || budget.output[field.name.size()] == '.');
        if (role != std::string_view("output") || !inside) continue;
        add(html, "{}{} {} <span class=\"quiet\">({})</span> ",
            budget.output == field.name ? "" : escaped(budget.output) + ": ", exact(budget.units),
            escaped(measure_unit(budget.measure)), escaped(budget.measure));
      }
      html += "</td></tr>\n";
    }
  }
  close_table(html);
  html += "<p class=\"quiet\">u = 2<sup>−53</sup> ≈ 1.11×10⁻¹⁶. ";
  std::vector<std::string> shown;
  for (OutputBudget const& budget : kernel.budgets) {
    if (measure_meaning(budget.measure).empty()) continue;
    if (std::find(shown.begin(), shown.end(), budget.measure) != shown.end()) continue;
    shown.push_back(budget.measure);
    add(html, "Measure <i>{}</i>: {}. ", escaped(budget.measure), measure_meaning(budget.measure));
  }
  html += "Half the smallest subnormal number, 2<sup>−1075</sup>, is added to every budget.</p>\n";
}

/// Adds the largest difference between the formula by which a contender is judged and the recommended formula.
void add_model_distance(std::string& html, Contender const& contender) {
  Accuracy const* farthest = nullptr;
  for (Accuracy const& row : contender.accuracy)
    if (row.model_distance && (farthest == nullptr || *row.model_distance > *farthest->model_distance)) farthest = &row;
  if (farthest == nullptr) {
    html += "<td class=\"nothing\" data-label=\"model distance\" data-value=\"\">–</td>";
    return;
  }
  add(html, "<td data-label=\"model distance\"{}>{}<small>{}: {}, {}</small></td>",
      data_value(farthest->model_distance), error_text(farthest->model_distance, contender), escaped(contender.model),
      escaped(farthest->regime), escaped(farthest->output));
}

void add_summary(std::string& html, Kernel const& kernel) {
  std::string const regime = quoted_regime(kernel);
  auto const shown = profiles_of(kernel);
  bool const models = std::any_of(kernel.subjects.begin(), kernel.subjects.end(),
                                  [](Contender const& each) { return !each.formula.empty(); });
  html += "<h2 id=\"summary\">Summary</h2>\n";
  open_table(html, "Summary by implementation", "sortable stacked");
  html += "<thead><tr><th scope=\"col\">implementation</th><th scope=\"col\">verdict</th>";
  for (std::string_view const profile : shown) add(html, "<th scope=\"col\">{}</th>", profile_name(profile));
  add(html,
      "<th scope=\"col\">worst error</th>{}<th scope=\"col\" class=\"figure\">laws broken</th><th scope=\"col\" "
      "class=\"figure\">ns per case</th></tr></thead>\n"
      "<tbody>\n",
      models ? "<th scope=\"col\">model distance</th>" : "");
  for (Line const& line : lines(kernel)) {
    Contender const& contender = *line.who.front();
    AccuracyTally const sum = accuracy_tally(contender);
    LawTally const laws = law_tally(contender);
    Number time;
    for (Contender const* const each : line.who) {
      Number const of = nanoseconds(kernel, each->name, "cache", regime);
      if (of && (!time || *of < *time)) time = of;
    }
    add(html, "<tr><th scope=\"row\">{}<small>{}</small></th><td data-label=\"verdict\">{}</td>", line_name(line),
        escaped(shortened(contender.doc, 120)) +
            (contender.settings.empty() ? "" : "; " + escaped(contender.settings)) +
            (contender.formula.empty() ? "" : "; judged by the formula " + escaped(contender.formula)),
        verdict_badge(kernel, contender));
    for (std::string_view const profile : shown) html += profile_cell(kernel, contender, profile);
    double const order = sum.ratio && std::isinf(*sum.ratio) ? 1e308 : 0;
    add(html, "<td class=\"{}\" data-label=\"worst error\"{}>{}<small>{}</small></td>",
        style_class(sum.standing, sum.ratio), data_value(order > 0 ? Number(order) : sum.ratio),
        sum.where ? error_text(sum.where->max_error, contender) : "–",
        sum.where ? escaped(sum.where->regime + ", " + sum.where->output) +
                        (sum.where->budget ? fmt::format("; budget {} u", exact(sum.where->budget)) : "")
                  : "");
    if (models) add_model_distance(html, contender);
    add(html, "<td class=\"figure {}\" data-label=\"laws broken\" data-value=\"{}\">{}<small>of {}</small></td>",
        laws.broken > 0   ? "exceeded"
        : laws.tested > 0 ? "held"
                          : "nothing",
        laws.broken, laws.broken, laws.tested);
    if (time)
      add(html, "<td class=\"figure\" data-label=\"ns per case\"{}>{}</td></tr>\n", data_value(time),
          number_span(time, "ns"));
    else
      html += "<td class=\"figure nothing\" data-label=\"ns per case\" data-value=\"\">not timed</td></tr>\n";
  }
  close_table(html);
  add(html,
      "<p class=\"quiet\">“15.1 digits”: every answer passes, and the worst one has 15.1 correct digits. “8 of 12”: "
      "8 of 12 regimes pass. n: the smallest number of judged cases in a regime. Worst error: the error with the "
      "largest ratio to its budget, over all regimes and outputs.{} Times: in cache, regime {}, all outputs.</p>\n",
      models
          ? " Model distance: the largest difference between the formula of a code and the recommended formula. It is "
            "not an error of the code."
          : "",
      escaped(regime));
}

/// Returns the largest number of cases judged in a regime, for captions of figures that show maxima.
std::string cases_text(Kernel const& kernel) {
  std::int64_t most = 0;
  for (Contender const& contender : kernel.subjects)
    for (Accuracy const& row : contender.accuracy) most = std::max(most, row.judged);
  return fmt::format("up to {} per regime", counted(most, "case", "cases"));
}

void add_figure(std::string& html, Figure const& figure, Kernel const& kernel) {
  std::string const outputs = escaped(joined(figure.outputs));
  std::string caption, alternative;
  if (figure.kind == Figure::Kind::speed) {
    caption = fmt::format(
        "<b>Accuracy against speed, {}, {}.</b> Horizontal axis: time per case in cache, regime {}, for this output "
        "alone if that was timed. Vertical axis: worst error over {}, {}. Equal errors have equal heights, whatever "
        "the budget. Dashed lines: the budget of the contract, and the tolerance of other codes. Open symbols: "
        "implementations that fail in this profile. Step line: the Pareto frontier of the implementations that pass. "
        "Grey lines: comparison routines, which are not judged.",
        outputs, profile_name(figure.profile), escaped(quoted_regime(kernel)),
        figure.profile.empty() ? "all regimes" : fmt::format("the {} regimes", figure.profile), cases_text(kernel));
    alternative = fmt::format(
        "Scatter plot of worst error, {}, against time for {}; the same numbers are in the summary and "
        "speed tables.",
        profile_name(figure.profile), joined(figure.outputs));
  } else if (figure.kind == Figure::Kind::sizes) {
    caption =
        "<b>Error by grain size.</b> Worst error of any output in everyday cases. Each point covers sizes that "
        "differ by at most a factor of two. A horizontal line: the error is proportional to the size. A line that "
        "rises to the left: the error does not shrink with the size, as with an absolute tolerance.";
    alternative = "Lines of the worst error by grain size, one per code.";
  } else {
    caption = fmt::format(
        "<b>Error by regime, {}.</b> Worst error in {}, {}. Blue: passes, darker for smaller errors. Grey: passes on "
        "few cases. Yellow to red: fails, redder for larger errors.",
        outputs, measure_unit(budget_of(kernel, figure.outputs.front()).measure), cases_text(kernel));
    alternative =
        "Heat map of the worst error of " + joined(figure.outputs) + "; the same numbers are in the table by regime.";
  }
  html += figure_html(figure, alternative, caption);
}

void add_figures(std::string& html, std::vector<Figure> const& figures, Figure::Kind kind, Kernel const& kernel) {
  std::vector<Figure const*> chosen;
  for (Figure const& figure : figures) {
    if (figure.kind == kind) chosen.push_back(&figure);
  }
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    if (i == 1)
      add(html, "<details><summary>{} ({})</summary>\n",
          kind == Figure::Kind::speed ? "Other profiles and outputs" : "Other outputs", chosen.size() - 1);
    add_figure(html, *chosen[i], kernel);
  }
  if (chosen.size() > 1) html += "</details>\n";
}

std::string accuracy_title(Accuracy const& row) {
  return fmt::format("median {} u, 99 % quantile {} u", readable(row.median_error), readable(row.p99_error));
}

void add_accuracy_cell(std::string& html, Kernel const& kernel, Contender const& contender, Accuracy const* row) {
  if (!row || row->cases == 0) {
    html += "<td class=\"figure nothing\">–</td>";
    return;
  }
  Standing const held = standing(*row);
  bool const few = held == Standing::held && is_few(kernel, *row);
  add(html, "<td class=\"figure {}\" title=\"{}\">{} {} <span>({})</span>",
      few ? "few" : style_class(held, over_budget(*row)), accuracy_title(*row), mark(held),
      row->judged > 0 ? error_text(row->max_error, contender) : "–",
      row->judged > 0 ? error_text(row->mean_error, contender) : "–");
  auto const line = [&](std::int64_t count, std::string_view what) {
    if (count > 0) add(html, "<small>{} {} of {}</small>", what, grouped(count), grouped(row->cases));
  };
  line(row->failed, "failed");
  line(row->crash, "crashed");
  line(row->timeout, "timed out");
  line(row->missing, "not answered");
  line(row->malformed, "unreadable");
  line(row->undecided, "undecided");
  line(row->unsupported, "unsupported");
  line(row->not_representable, "not representable");
  line(row->not_asked, "not asked");
  if (few)
    add(html, "<small>{}</small>", few_text(row->judged));
  else if (row->failed == 0 || row->judged != row->cases)
    add(html, "<small>n = {}</small>", grouped(row->judged));
  html += "</td>";
}

void add_regime_tables(std::string& html, Kernel const& kernel) {
  bool first = true;
  auto const columns = lines(kernel);
  for (auto const& group : output_groups(kernel)) {
    OutputBudget const budget = budget_of(kernel, group.front());
    int within = 0, offered = 0;
    for (Line const& line : columns) {
      AccuracyTally const sum = accuracy_tally(*line.who.front(), group.front());
      if (sum.standing != Standing::none) ++offered;
      if (sum.standing == Standing::held) ++within;
    }
    std::string const outputs = escaped(joined(group));
    add(html,
        "<details id=\"regimes-{}\"{}><summary><b>{}</b>: measure {}, budget {} {}; {} of {} pass in every "
        "regime</summary>\n",
        anchor(group.front()), first ? " open" : "", outputs, escaped(budget.measure),
        budget.units ? exact(budget.units) : "none", escaped(measure_unit(budget.measure)), within,
        counted(offered, "implementation", "implementations"));
    first = false;
    open_table(html, "Error by regime, " + joined(group));
    html += "<thead><tr><th scope=\"col\">regime<small>max (mean)</small></th>";
    for (Line const& line : columns) add(html, "<th scope=\"col\" class=\"figure name\">{}</th>", line_name(line));
    html += "</tr></thead>\n<tbody>\n";
    for (std::string_view const profile : profiles_of(kernel)) {
      if (!profile.empty())
        add(html, "<tr class=\"group\"><th scope=\"rowgroup\" colspan=\"{}\">{}</th></tr>\n", columns.size() + 1,
            profile);
      for (RegimeTerm const& regime : kernel.regimes) {
        if (!is_of(regime, profile)) continue;
        add(html, "<tr><th scope=\"row\" title=\"{}\">{}</th>", escaped(regime.doc), breakable(regime.name));
        for (Line const& line : columns)
          add_accuracy_cell(html, kernel, *line.who.front(),
                            find_accuracy(*line.who.front(), regime.name, group.front()));
        html += "</tr>\n";
      }
    }
    close_table(html);
    html += "</details>\n";
  }
}

void add_worst_inputs(std::string& html, Kernel const& kernel) {
  std::string failing, rows;
  auto const groups = output_groups(kernel);
  for (Line const& line : lines(kernel)) {  // levels with equal answers are one row
    Contender const& contender = *line.who.front();
    for (auto const& group : groups) {
      std::string const& output = group.front();
      Accuracy const* worst = nullptr;
      for (Accuracy const& row : contender.accuracy) {
        if (row.output != output || !row.worst) continue;
        if (!worst || worse(over_budget(row), over_budget(*worst))) worst = &row;
      }
      if (!worst) continue;
      Example const& found = *worst->worst;
      Standing const held = standing(*worst);
      // An output without a unique truth has no value there and is omitted.
      auto const values = [&](Json const& from) {
        std::string text;
        for (std::string const& name : group) {
          Json const value = at_path(from, name);
          if (value.is_null()) continue;
          add(text, "{}<code>{}{}</code>", text.empty() ? "" : ", ", group.size() > 1 ? escaped(name) + " = " : "",
              escaped(case_line(value, {})));
        }
        return text;
      };
      std::string& list = held == Standing::exceeded ? failing : rows;  // failures come first
      add(list,
          "<tr><th scope=\"row\">{}</th><td>{}</td><td>{}<small>case {}</small></td><td class=\"figure {}\">{} "
          "{}<small>budget {} {}</small></td>",
          breakable(line.name), escaped(joined(group)), escaped(worst->regime), found.id,
          style_class(held, over_budget(*worst)), mark(held), error_text(worst->max_error, contender),
          worst->budget ? exact(worst->budget) : "none", escaped(measure_unit(worst->measure)));
      if (found.input->is_null()) {
        add(list, "<td>{}</td></tr>\n", copyable(found.command));
        continue;
      }
      add(list, "<td>{}", values(*found.answer));
      std::string const truth = values(*found.truth);
      if (!truth.empty()) add(list, "<small>truth {}</small>", truth);
      add(list, "<details><summary>input and command</summary><pre>{}</pre>{}</details></td></tr>\n",
          escaped(case_text(*found.input, kernel.input)), copyable(found.command));
    }
  }
  rows = failing + rows;
  html += "<h3 id=\"worst\">Worst inputs</h3>\n";
  if (rows.empty()) {
    html += "<p class=\"quiet\">No inputs are recorded.</p>\n";
    return;
  }
  open_table(html, "Worst inputs");
  html +=
      "<thead><tr><th scope=\"col\">implementation</th><th scope=\"col\">output</th><th scope=\"col\">regime</th>"
      "<th scope=\"col\" class=\"figure\">error</th><th scope=\"col\">answer</th></tr></thead>\n<tbody>\n" +
      rows;
  close_table(html);
}

void add_counterexample(std::string& html, Kernel const& kernel, Contender const& contender, LawResult const& law) {
  add(html, "<div class=\"defect\"><h3>{}</h3>\n<p>Broken in {} of {} cases{}", escaped(contender.name),
      grouped(law.broken), grouped(law.applicable), excess(", worst ", law.worst, "× the tolerance"));
  std::vector<LawRegime> regimes;
  for (LawRegime const& regime : law.regimes) {
    if (regime.broken > 0) regimes.push_back(regime);
  }
  std::stable_sort(regimes.begin(), regimes.end(), [](auto const& a, auto const& b) { return a.broken > b.broken; });
  for (std::size_t i = 0; i < regimes.size(); ++i) {
    add(html, "{}{} ({})", i == 0 ? ": " : ", ", escaped(regimes[i].regime), grouped(regimes[i].broken));
  }
  html += ".</p>\n";
  if (law.counterexample) {
    Counterexample const& example = *law.counterexample;
    std::string text;
    for (std::size_t i = 0; i < std::max(example.inputs.size(), example.outputs.size()); ++i) {
      add(text, "{}{}\n", i > 0 ? "\n\n" : "",
          i == 0                       ? std::string("the case")
          : example.inputs.size() <= 2 ? std::string("the derived case")
                                       : fmt::format("derived case {}", i));
      if (i < example.inputs.size()) text += case_text(*example.inputs[i], kernel.input);
      if (i < example.outputs.size()) add(text, "\n  → {}", case_line(*example.outputs[i], kernel.output));
    }
    add(html, "<p class=\"quiet\">Smallest counterexample{}:</p>\n<pre>{}</pre>\n{}",
        excess(", ", example.violation, "× the tolerance"), escaped(text), copyable(example.command));
  }
  html += "</div>\n";
}

void add_laws(std::string& html, Kernel const& kernel) {
  html +=
      "<h2 id=\"laws\">Laws</h2>\n<p>A law is a property that every right answer has. The test of a law does not "
      "need the truth. A violation is measured in units of the law’s tolerance.</p>\n";
  if (kernel.laws.empty()) {
    html += "<p class=\"quiet\">This kernel has no laws.</p>\n";
    return;
  }
  open_table(html, "Laws by implementation", "compact");
  html += "<thead><tr><th scope=\"col\">law</th>";
  auto const columns = lines(kernel);
  for (Line const& line : columns) add(html, "<th scope=\"col\" class=\"name\">{}</th>", line_name(line));
  html += "</tr></thead>\n<tbody>\n";
  for (LawTerm const& law : kernel.laws) {
    add(html, "<tr><th scope=\"row\">{}<small>{}</small></th>", breakable(law.name), escaped(law.tolerance));
    for (Line const& line : columns) {
      LawResult const* const row = find_law(*line.who.front(), law.name);
      if (!row || row->applicable == 0) {
        add(html, "<td class=\"nothing\">{}</td>", row ? "– never applies" : "– not tested");
      } else if (row->broken == 0) {
        bool const few = !is_enough(static_cast<std::uint64_t>(row->applicable));
        add(html, "<td class=\"{}\">✓ holds<small>{}</small></td>", few ? "few" : "held",
            few ? few_text(row->applicable) : "n = " + grouped(row->applicable));
      } else {
        add(html,
            "<td class=\"{}\" title=\"worst {}\"><a href=\"#law-{}\" style=\"color:inherit\">✗ broken</a>"
            "<small>{} of {}{}</small></td>",
            style_class(Standing::exceeded, row->worst), exact(row->worst), anchor(law.name), grouped(row->broken),
            grouped(row->applicable), excess("<br>worst ", row->worst, "×"));
      }
    }
    html += "</tr>\n";
  }
  close_table(html);
  for (LawTerm const& law : kernel.laws) {
    std::string examples;
    int broken = 0;
    for (Contender const& contender : kernel.subjects) {
      LawResult const* const row = find_law(contender, law.name);
      if (!row || row->broken == 0) continue;
      ++broken;
      add_counterexample(examples, kernel, contender, *row);
    }
    add(html,
        "<details id=\"law-{}\"><summary><b>{}</b>: {} <span class=\"quiet\">Tolerance {}{}. "
        "{}.</span></summary>\n{}</details>\n",
        anchor(law.name), escaped(law.name), escaped(law.doc), law.tolerance.empty() ? "–" : escaped(law.tolerance),
        law.uses.empty() ? "" : "; uses " + escaped(joined(law.uses)),
        broken == 0 ? "No implementation breaks it"
                    : "Broken by " + counted(broken, "implementation", "implementations"),
        examples);
  }
}

void add_glossary(std::string& html, Kernel const& kernel) {
  html += "<h2 id=\"glossary\">Glossary</h2>\n";
  html += "<h3 id=\"regimes\">Regimes: named ways to draw cases</h3>\n<dl>";
  for (RegimeTerm const& regime : kernel.regimes)
    add(html, "<dt>{}</dt><dd>{}{}{}</dd>", escaped(regime.name), regime.profile.empty() ? "" : "<i>",
        regime.profile.empty() ? "" : escaped(regime.profile) + "</i>: ",
        regime.doc.empty() ? "–" : escaped(regime.doc));
  html += "</dl>\n";
  if (kernel.formulas.empty()) return;
  html += "<h3 id=\"formulas\">Formulas</h3>\n<dl>";
  for (FormulaTerm const& formula : kernel.formulas)
    add(html, "<dt>{}</dt><dd>{}{}</dd>", escaped(formula.name),
        formula.kind.empty() ? "" : fmt::format("<i>{}</i>: ", escaped(formula.kind)),
        formula.doc.empty() ? "–" : escaped(formula.doc));
  html +=
      "</dl>\n<p class=\"quiet\">equal: the recommended formula in another form. model: a different model; code that "
      "implements it is judged by this formula. mistake: laws or an erratum refute the formula; code that implements "
      "it fails.</p>\n";
}

}  // namespace

std::string verdict_badge(Kernel const& kernel, Contender const& contender) {
  if (fails_as_declared(kernel, contender)) return "<span class=\"verdict few\">≈ declared</span>";
  if (fails(kernel, contender)) return "<span class=\"verdict exceeded\">✗ fail</span>";
  if (has_failed(contender))
    return "<span class=\"verdict exceeded\">✗ fail</span><small>in extreme regimes only</small>";
  if (contender.verdict == "pass") return "<span class=\"verdict held\">✓ pass</span>";
  if (contender.verdict == "undecided") return "<span class=\"verdict undecided\">? undecided</span>";
  return fmt::format("<span class=\"verdict nothing\">{}</span>",
                     contender.verdict.empty() ? "– no verdict" : escaped(contender.verdict));
}

namespace {

/// Returns the beginning of the page: one sentence per verdict on other codes and on Demeter's own code.
std::string sentences(Kernel const& kernel) {
  std::string items;
  for (Line const& line : lines(kernel)) {
    Contender const& contender = *line.who.front();
    if (contender.sentence.empty() || (contender.origin != Origin::peer && contender.origin != Origin::own)) continue;
    add(items, "<li><b>{}</b> {}.</li>\n", escaped(line.name), escaped(contender.sentence));
  }
  return items.empty() ? "" : "<ul class=\"sentences\">\n" + items + "</ul>\n";
}

}  // namespace

std::string kernel_page(Results const& results, Kernel const& kernel, std::vector<Figure> const& figures) {
  std::string html;
  add(html, "<h1>{}</h1>\n<p class=\"lead\">{}</p>\n", escaped(kernel.name), escaped(kernel.summary));
  html += sentences(kernel);
  if (!kernel.not_bounded_because.empty())
    add(html, "<p class=\"note\" role=\"note\">The truth behind these verdicts is estimated, not bounded: {}.</p>\n",
        escaped(kernel.not_bounded_because));
  std::string const mutation = mutation_details(kernel), failures = failures_section(kernel),
                    errata = errata_section(kernel);
  bool const measured = !kernel.subjects.empty();
  add(html,
      "<nav class=\"contents\" aria-label=\"Contents\">{}{}{}{}{}"
      "{}{}<a href=\"#contract\">Contract</a><a href=\"#glossary\">Glossary</a></nav>\n",
      measured ? "<a href=\"#summary\">Summary</a>" : "",
      measured && !failures.empty() ? "<a href=\"#failures\">Failures</a>" : "",
      measured ? "<a href=\"#accuracy\">Accuracy</a><a href=\"#worst\">Worst inputs</a><a href=\"#laws\">Laws</a><a "
                 "href=\"#speed\">Speed</a>"
               : "",
      kernel.ladder.rows.empty() ? "" : "<a href=\"#ladder\">Precision ladder</a>",
      mutation.empty() ? "" : "<a href=\"#mutants\">Mutants</a>",
      has_continuity(kernel) ? "<a href=\"#continuity\">Continuity</a>" : "",
      errata.empty() ? "" : "<a href=\"#errata\">Errata</a>");
  if (kernel.subjects.empty()) {
    html += "<p class=\"quiet\">No implementation was measured.</p>\n";
  } else {
    add_summary(html, kernel);
    add_figures(html, figures, Figure::Kind::speed, kernel);
    add_figures(html, figures, Figure::Kind::sizes, kernel);
    html += failures;
    html +=
        "<h2 id=\"accuracy\">Accuracy by regime</h2>\n"
        "<p>Each cell shows the largest error found in a regime and, in brackets, the mean error. ✗: in at least one "
        "case there is no answer, or the error exceeds the budget by more than the uncertainty of the truth.</p>\n";
    add_regime_tables(html, kernel);
    add_figures(html, figures, Figure::Kind::regimes, kernel);
    add_worst_inputs(html, kernel);
    add_ladder(html, kernel);
    add_laws(html, kernel);
    html += speed_section(kernel);
  }
  html += mutation;
  html += solvers_summary(results, kernel);
  html += continuity_summary(kernel);
  html += errata;
  add_fields(html, kernel);
  add_glossary(html, kernel);
  add(html, "<p class=\"quiet\">{}{}</p>\n", data_links(),
      results.has_paper ? fmt::format(" <a href=\"tables/{}.tex\">LaTeX tables</a> of this kernel.", kernel.slug) : "");
  return page(results, kernel.name + " – Demeter", html);
}

}  // namespace demeter::report
