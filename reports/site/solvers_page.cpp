// solvers.html: the residual of every solver of many contacts against sweeps and against time.
#include "reports/site/html.hpp"
#include "reports/site/pages.hpp"
#include "reports/site/tables.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace demeter::report {
namespace {

bool is_cold(SolverCurve const& curve) { return curve.start != "warm"; }

bool is_number(Number value) { return value && std::isfinite(*value); }

/// Returns a power of ten as "10⁻⁶", and any other number with one digit.
std::string power_or_number(Number value) {
  std::string text = readable(value, 1);
  return text.starts_with("1×") ? text.substr(std::string_view("1×").size()) : text;
}

std::string time_text(Number seconds) {
  if (!is_number(seconds)) return "–";
  return *seconds < 1 ? readable(1e3 * *seconds) + " ms" : readable(seconds) + " s";
}

std::string sweeps_text(std::int64_t sweeps) { return counted(sweeps, "sweep", "sweeps"); }

/// Returns the requested tolerances, the widest first.
std::vector<double> tolerances_of(SolverStudy const& study) {
  std::set<double, std::greater<>> found;
  for (SolverCurve const& curve : study.curves)
    for (SolverReached const& each : curve.reached)
      if (is_number(each.tolerance)) found.insert(*each.tolerance);
  return {found.begin(), found.end()};
}

/// Returns the sweeps and time to this tolerance, or null if it was not reached.
SolverReached const* find_reached(SolverCurve const& curve, double tolerance) {
  for (SolverReached const& each : curve.reached)
    if (each.tolerance == tolerance && each.sweeps && is_number(each.seconds)) return &each;
  return nullptr;
}

// --------------------------------------------------------------------------------------------------------------- words

/// The curve of a solver that reached a tolerance, and the cost.
struct Arrival {
  SolverCurve const* curve;
  SolverReached const* reached;
};

/// Returns the solvers that reach the tolerance from a cold start and converge to the solution, the fastest first.
std::vector<Arrival> arrivals(std::vector<SolverCurve const*> const& curves, double tolerance) {
  std::vector<Arrival> found;
  for (SolverCurve const* const curve : curves)
    if (auto const* const reached = curve->solves && is_cold(*curve) ? find_reached(*curve, tolerance) : nullptr)
      found.push_back({curve, reached});
  std::stable_sort(found.begin(), found.end(),
                   [](Arrival const& a, Arrival const& b) { return *a.reached->seconds < *b.reached->seconds; });
  return found;
}

std::string took(SolverReached const& reached, std::string_view between) {
  return sweeps_text(*reached.sweeps) + std::string(between) + time_text(reached.seconds);
}

/// Returns for example "10.9 times faster than ". Returns "faster than " if the first time is 0.
std::string times_sooner(Arrival const& first, Arrival const& later) {
  double const ratio = *later.reached->seconds / *first.reached->seconds;
  return std::isfinite(ratio) ? readable(ratio, ratio < 10 ? 2 : 3) + " times faster than " : "faster than ";
}

/// Returns a sentence about the smallest tolerance that a solver reaches: "Flowing, 500 discs: apgd reaches a residual
/// of 10⁻⁶ g dt in 295 sweeps and 0.80 ms, 10.9 times faster than nlgs (874 sweeps, 8.7 ms) ...". Returns an empty
/// text if the state was not measured.
std::string sentence(SolverStudy const& study, std::string_view state) {
  auto const curves = curves_of(study, state);
  if (curves.empty()) return "";
  std::string html;
  add(html, "{}, {}{}: ", state == "static" ? "At rest" : "Flowing", counted(study.discs, "disc", "discs"),
      study.recorded ? " (recorded)" : "");
  auto tolerances = tolerances_of(study);
  std::reverse(tolerances.begin(), tolerances.end());
  for (double const tolerance : tolerances) {
    auto const soonest = arrivals(curves, tolerance);
    if (soonest.empty()) continue;
    Arrival const& first = soonest.front();
    add(html, "<b>{}</b> reaches a residual of {} g dt in {}", escaped(first.curve->method), power_or_number(tolerance),
        took(*first.reached, " and "));
    auto const is_compared = [&](SolverCurve const& curve) { return curve.method == study.compared_with; };
    auto const compared =
        std::find_if(soonest.begin(), soonest.end(), [&](Arrival const& each) { return is_compared(*each.curve); });
    if (compared == soonest.end()) {
      for (SolverCurve const* const curve : curves)
        if (is_compared(*curve) && is_cold(*curve))
          add(html, "; {} does not reach it in {}", escaped(curve->method), sweeps_text(curve->asked));
    } else if (compared != soonest.begin()) {
      add(html, ", {}{} ({})", times_sooner(first, *compared), escaped(study.compared_with),
          took(*compared->reached, ", "));
    }
    if (soonest.size() > 1 && !is_compared(*soonest[1].curve))
      add(html, ", {}{}, the second fastest ({})", times_sooner(first, soonest[1]), escaped(soonest[1].curve->method),
          took(*soonest[1].reached, ", "));
    return html + ".";
  }
  return html + "no solver reaches a requested residual.";
}

/// Returns the sentences of all studies: first those measured in this run, and of each study the flowing state first.
std::vector<std::string> all_sentences(Results const& results) {
  std::vector<std::string> all;
  for (bool const recorded : {false, true})
    for (SolverStudy const& study : results.solvers)
      for (std::string_view const state : {"flowing", "static"})
        if (study.recorded == recorded)
          if (auto text = sentence(study, state); !text.empty()) all.push_back(std::move(text));
  return all;
}

// --------------------------------------------------------------------------------------------------------------- table

void add_reached_cell(std::string& html, SolverCurve const* curve, double tolerance, std::string_view label) {
  if (curve == nullptr) {
    add(html, "<td class=\"figure nothing\" data-label=\"{}\">–</td>", label);
    return;
  }
  auto const* const reached = find_reached(*curve, tolerance);
  if (reached == nullptr) {
    add(html, "<td class=\"figure nothing\" data-label=\"{}\">–<small>not in {}</small></td>", label,
        grouped(curve->asked));
  } else if (!curve->solves) {
    // A solver that does not converge to the solution stops by its own residual, which is not the natural residual.
    add(html,
        "<td class=\"figure nothing\" data-label=\"{}\" title=\"{} s, residual {}\">–<small>feasible: {}</small>"
        "<small>{}</small><small>residual {}</small></td>",
        label, exact(reached->seconds), exact(reached->residual), grouped(*reached->sweeps),
        time_text(reached->seconds), readable(reached->residual));
  } else {
    add(html, "<td class=\"figure\" data-label=\"{}\" title=\"{} s, residual {}\">{}<small>{}</small></td>", label,
        exact(reached->seconds), exact(reached->residual), grouped(*reached->sweeps), time_text(reached->seconds));
  }
}

/// Returns the microseconds per sweep of the longest run.
std::string sweep_time(SolverCurve const* curve) {
  if (curve == nullptr || curve->points.empty()) return "–";
  SolverPoint const& last = curve->points.back();
  if (last.sweeps <= 0 || !is_number(last.seconds)) return "–";
  return readable(1e6 * *last.seconds / static_cast<double>(last.sweeps), 2);
}

void add_reached_table(std::string& html, SolverStudy const& study) {
  auto const tolerances = tolerances_of(study);
  open_table(html, "Sweeps and time until a residual", "stacked");
  html += "<thead><tr><th scope=\"col\">solver</th>";
  for (std::string_view const state : solver_states)
    for (double const tolerance : tolerances)
      add(html, "<th scope=\"col\" class=\"figure\">{}, {}</th>", state, power_or_number(tolerance));
  html += "<th scope=\"col\" class=\"figure\">µs per sweep, flowing</th></tr></thead>\n<tbody>\n";
  std::vector<std::pair<std::string, std::string>> rows;  // method and start, in the order of the curves
  for (SolverCurve const& curve : study.curves)
    if (std::pair const row{curve.method, curve.start}; std::find(rows.begin(), rows.end(), row) == rows.end())
      rows.push_back(row);
  for (auto const& [method, start] : rows) {
    add(html, "<tr><th scope=\"row\">{}<small>{}</small></th>", breakable(method), escaped(start));
    SolverCurve const* flowing = nullptr;
    for (std::string_view const state : solver_states) {
      SolverCurve const* found = nullptr;
      for (SolverCurve const* const each : curves_of(study, state))
        if (each->method == method && each->start == start) found = each;
      if (state == "flowing") flowing = found;
      for (double const tolerance : tolerances)
        add_reached_cell(html, found, tolerance, fmt::format("{}, {}", state, power_or_number(tolerance)));
    }
    add(html, "<td class=\"figure\" data-label=\"µs per sweep\">{}</td></tr>\n", sweep_time(flowing));
  }
  close_table(html);
  html +=
      "<p class=\"quiet\">A cell shows the number of sweeps, and the processor time on one core, until the residual "
      "of the solver is at most the number of g dt in the head of the column. “not in 1,000”: the solver did not "
      "reach this residual in 1,000 sweeps, its largest number of sweeps. The residual is checked only every few "
      "sweeps, so a number of sweeps can be slightly too large. Static: discs at rest. Cold: the solver starts "
      "without impulses. Warm: it starts from the impulses of the previous step.</p>\n";
}

// ---------------------------------------------------------------------------------------------------------------- page

void add_solver_figure(std::string& html, Figure const& figure, SolverStudy const& study, std::string_view state) {
  auto const curves = curves_of(study, state);
  html += figure_html(
      figure,
      fmt::format("Natural residual of every solver against sweeps and against time, {}; the table below has the "
                  "same solvers",
                  state),
      fmt::format("<b>{}, {}, {}.</b> Natural residual divided by g dt, against the number of sweeps and against the "
                  "processor time. Solid: cold start. Dashed: warm start.",
                  state == "static" ? "At rest" : "Flowing", counted(study.discs, "disc", "discs"),
                  counted(curves.empty() ? 0 : curves.front()->contacts, "contact", "contacts")));
}

/// Returns the anchor of a study on the page, for example "study-1".
std::string study_anchor(std::size_t at) { return fmt::format("study-{}", at + 1); }

std::string study_title(SolverStudy const& study) {
  return counted(study.discs, "disc", "discs") + (study.recorded ? ", recorded earlier" : ", measured in this report");
}

void add_study(std::string& html, SolverStudy const& study, std::size_t at, std::vector<Figure> const& figures,
               std::size_t& next) {
  add(html, "<h2 id=\"{}\">{}</h2>\n", study_anchor(at), study_title(study));
  if (study.recorded)
    add(html,
        "<p>Measured earlier ({}), not in this run. The files with these results are part of the "
        "program.</p>\n",
        escaped(study.created));
  for (std::string_view const state : solver_states)
    if (!curves_of(study, state).empty() && next < figures.size())
      add_solver_figure(html, figures[next++], study, state);
  add_reached_table(html, study);
  html += "<dl>";
  auto const row = [&](std::string_view name, std::string_view value) {
    if (!value.empty()) add(html, "<dt>{}</dt><dd>{}</dd>", name, escaped(value));
  };
  row("scene", study.scene);
  row("processor", study.cpu + (study.level.empty() ? "" : ", one core, " + study.level));
  row("program", study.commit.empty() ? "" : "commit " + study.commit);
  row("measured", study.created);
  html += "</dl>\n" + copyable(study.command);
}

}  // namespace

bool has_solvers(Results const& results) {
  return std::any_of(results.solvers.begin(), results.solvers.end(),
                     [](SolverStudy const& study) { return !study.curves.empty(); });
}

namespace {

/// Adds the verdicts on the solvers that solve an exercise of a course.
void add_exercises(std::string& html, Results const& results) {
  std::string rows;
  for (Kernel const& kernel : results.kernels)
    for (Contender const& each : kernel.exercises) {
      add(rows, "<tr><th scope=\"row\">{}<small>{}</small></th>", breakable(each.name), escaped(each.doc));
      for (std::string_view const profile : {"everyday", "degenerate"}) rows += profile_cell(kernel, each, profile);
      rows += "</tr>\n";
    }
  if (rows.empty()) return;
  html +=
      "<h2 id=\"exercises\">Solvers of exercises</h2>\n"
      "<p>These programs are solutions of a course's exercise. They are judged like other codes, but the tables of "
      "codes do not contain them.</p>\n";
  open_table(html, "Solvers of exercises", "stacked");
  html +=
      "<thead><tr><th scope=\"col\">program</th><th scope=\"col\">everyday</th><th "
      "scope=\"col\">degenerate</th></tr></thead>\n<tbody>\n" +
      rows;
  close_table(html);
}

}  // namespace

std::string solvers_page(Results const& results, std::vector<Figure> const& figures) {
  std::string html = "<h1>Solvers of many contacts</h1>\n";
  auto const sentences = all_sentences(results);
  bool first = true;
  for (auto const& each : sentences) {
    if (first)
      html += "<p class=\"lead\">" + each + "</p>\n";
    else
      html += (&each == &sentences[1] ? "<ul class=\"sentences\">\n<li>" : "<li>") + each + "</li>\n";
    first = false;
  }
  if (sentences.size() > 1) html += "</ul>\n";
  html += "<nav class=\"contents\" aria-label=\"Contents\">";
  for (std::size_t at = 0; at < results.solvers.size(); ++at)
    if (!results.solvers[at].curves.empty())
      add(html, "<a href=\"#{}\">{}</a>", study_anchor(at), study_title(results.solvers[at]));
  html += "<a href=\"#methods\">Solvers</a><a href=\"#documented\">Documented solvers</a></nav>\n";
  html +=
      "<p>Every solver gets the same two steps of discs in an hourglass: one step at rest, and one step some time "
      "after the gate was opened. A sweep processes every contact once. The natural residual is the largest "
      "|min(W<sub>kk</sub> p<sub>k</sub>, w<sub>k</sub>)| of all contacts k. Here p is the impulse, w is the normal "
      "velocity after the step plus max(0, gap) / dt, and W is the matrix that maps impulses to changes of w. The "
      "residual is a speed, and it is 0 only at the solution. g dt is the speed that gravity adds in one step. "
      "Description of the solvers, and proofs of convergence: " +
      with_mathematics_links("docs/mathematics/nonsmooth.md#solvers") + ".</p>\n";
  std::size_t next = 0;
  for (std::size_t at = 0; at < results.solvers.size(); ++at)
    if (!results.solvers[at].curves.empty()) add_study(html, results.solvers[at], at, figures, next);
  add_exercises(html, results);
  html += "<h2 id=\"methods\">Solvers</h2>\n<dl>";
  std::vector<std::string> told;
  for (SolverStudy const& study : results.solvers)
    for (Term const& method : study.methods) {
      if (std::find(told.begin(), told.end(), method.name) != told.end()) continue;
      told.push_back(method.name);
      add(html, "<dt>{}</dt><dd>{}</dd>", escaped(method.name), escaped(method.doc));
    }
  html +=
      "</dl>\n<h2 id=\"documented\">Why the residual of the documented solvers does not fall</h2>\n"
      "<p>The documented solvers do not accumulate impulses. Each visit of a contact can only add to its impulse. No "
      "visit reduces an impulse that other contacts have made superfluous. A sweep therefore projects the velocities "
      "onto one condition w ≥ 0 after the other. If the sweeps converge, the velocities satisfy all these "
      "conditions. Such velocities are feasible, but the solution must also satisfy p w = 0 for every contact. In "
      "general, the sweeps end at feasible velocities that are not the solution, and more sweeps do not help. The "
      "residual of these solvers themselves, the largest max(0, −w), does fall, and they stop when it is at most the "
      "tolerance. The tables show this number of sweeps as “feasible”.</p>\n"
      "<p class=\"quiet\">Data: <a href=\"data/solvers-curves.csv\">curves</a>, <a "
      "href=\"data/solvers-tolerances.csv\">tolerances</a> (CSV).</p>\n";
  return page(results, "Solvers – Demeter", html);
}

std::string solvers_overview(Results const& results) {
  auto const sentences = all_sentences(results);
  if (!has_solvers(results) || sentences.empty()) return "";
  std::string html;
  add(html,
      "<h2 id=\"solvers\">Solvers</h2>\n<p>{} <a href=\"{}\">Residual against sweeps and time of every "
      "solver</a>.</p>\n",
      sentences.front(), solvers_file);
  return html;
}

std::string solvers_summary(Results const& results, Kernel const& kernel) {
  bool const solved = std::any_of(results.solvers.begin(), results.solvers.end(), [&](SolverStudy const& study) {
    return study.kernel == kernel.name && !study.curves.empty();
  });
  std::string html;
  if (solved)
    add(html,
        "<h2 id=\"solvers\">Solvers</h2>\n<p>Solvers of many contacts at once: <a href=\"{}\">residual of every "
        "solver against sweeps and time</a>.</p>\n",
        solvers_file);
  return html;
}

// ---------------------------------------------------------------------------------------------------------------- data

namespace {

std::vector<std::string> provenance_cells(SolverStudy const& study, SolverCurve const& curve) {
  return {study.commit,
          study.created,
          study.cpu,
          study.level,
          study.kernel,
          study.scene,
          std::to_string(study.discs),
          study.recorded ? "yes" : "no",
          curve.state,
          std::to_string(curve.contacts),
          curve.start,
          curve.method};
}

std::vector<std::string> with_provenance(std::vector<std::string> const& more) {
  std::vector<std::string> cells{"commit", "created",  "cpu",   "level",    "kernel", "scene",
                                 "discs",  "recorded", "state", "contacts", "start",  "method"};
  cells.insert(cells.end(), more.begin(), more.end());
  return cells;
}

}  // namespace

std::string solver_curves_csv(Results const& results) {
  std::string csv;
  csv_row(csv, with_provenance({"sweeps", "seconds", "residual_over_g_dt"}));
  for (SolverStudy const& study : results.solvers)
    for (SolverCurve const& curve : study.curves)
      for (SolverPoint const& point : curve.points) {
        auto cells = provenance_cells(study, curve);
        for (auto const& each : {std::to_string(point.sweeps), exact(point.seconds), exact(point.residual)})
          cells.push_back(each);
        csv_row(csv, cells);
      }
  return csv;
}

std::string solver_tolerances_csv(Results const& results) {
  std::string csv;
  csv_row(csv, with_provenance({"sweeps_asked", "tolerance_over_g_dt", "sweeps", "seconds", "residual_over_g_dt"}));
  for (SolverStudy const& study : results.solvers)
    for (SolverCurve const& curve : study.curves)
      for (SolverReached const& reached : curve.reached) {
        auto cells = provenance_cells(study, curve);
        for (auto const& each : {std::to_string(curve.asked), exact(reached.tolerance),
                                 reached.sweeps ? std::to_string(*reached.sweeps) : std::string(),
                                 exact(reached.seconds), exact(reached.residual)})
          cells.push_back(each);
        csv_row(csv, cells);
      }
  return csv;
}

}  // namespace demeter::report
