// solvers.html: the residual of every solver of many contacts against sweeps and against time.
#include "reports/site/html.hpp"
#include "reports/site/pages.hpp"
#include "reports/site/tables.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
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

std::vector<SolverCurve const*> curves_of(SolverStudy const& study, std::string_view state) {
  std::vector<SolverCurve const*> found;
  for (SolverCurve const& each : study.curves)
    if (each.state == state) found.push_back(&each);
  return found;
}

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

/// A solver that reached a tolerance.
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

/// Returns for example "10.9 times sooner than ", without the factor if the first time is 0.
std::string times_sooner(Arrival const& first, Arrival const& later) {
  double const ratio = *later.reached->seconds / *first.reached->seconds;
  return std::isfinite(ratio) ? readable(ratio, ratio < 10 ? 2 : 3) + " times sooner than " : "sooner than ";
}

/// Returns a sentence about the smallest tolerance that a solver reaches: "Flowing, 500 discs: apgd reaches 10⁻⁶ g dt
/// in 295 sweeps and 0.80 ms, 10.9 times sooner than nlgs (874 sweeps, 8.7 ms) ...". Empty if the state was not
/// measured.
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
    add(html, "<b>{}</b> reaches {} g dt in {}", escaped(first.curve->method), power_or_number(tolerance),
        took(*first.reached, " and "));
    auto const is_compared = [&](SolverCurve const& curve) { return curve.method == study.compared_with; };
    auto const compared =
        std::find_if(soonest.begin(), soonest.end(), [&](Arrival const& each) { return is_compared(*each.curve); });
    if (compared == soonest.end()) {
      for (SolverCurve const* const curve : curves)
        if (is_compared(*curve) && is_cold(*curve))
          add(html, "; {} does not in {}", escaped(curve->method), sweeps_text(curve->asked));
    } else if (compared != soonest.begin()) {
      add(html, ", {}{} ({})", times_sooner(first, *compared), escaped(study.compared_with),
          took(*compared->reached, ", "));
    }
    if (soonest.size() > 1 && !is_compared(*soonest[1].curve))
      add(html, ", {}{}, the next ({})", times_sooner(first, soonest[1]), escaped(soonest[1].curve->method),
          took(*soonest[1].reached, ", "));
    return html + ".";
  }
  return html + "no solver reaches what was asked.";
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
  html += "<th scope=\"col\" class=\"figure\">µs a sweep, flowing</th></tr></thead>\n<tbody>\n";
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
    add(html, "<td class=\"figure\" data-label=\"µs a sweep\">{}</td></tr>\n", sweep_time(flowing));
  }
  close_table(html);
  html +=
      "<p class=\"quiet\">Sweeps, and the processor’s time on one core, until the solver’s residual is at most so many "
      "g dt; “not in”: at most so many sweeps were asked. It is looked at every few sweeps, so that a count may be "
      "some "
      "too high. Cold: from no impulses; warm: from those of the step before.</p>\n";
}

// ---------------------------------------------------------------------------------------------------------------- page

void add_solver_figure(std::string& html, Figure const& figure, SolverStudy const& study, std::string_view state) {
  auto const curves = curves_of(study, state);
  html += "<figure>";
  if (figure.svg)
    add(html,
        "<div class=\"sheet\"><img src=\"figures/{}.svg\" alt=\"Natural residual of every solver against sweeps and "
        "against time, {}; the table below has the same solvers\" width=\"{}\"></div>",
        figure.stem, state, figure.width);
  else
    html += "<p class=\"note\" role=\"note\">This figure was not drawn.</p>";
  add(html,
      "<figcaption><b>{}, {}, {}.</b> Natural residual over g dt against sweeps over all contacts, and against the "
      "processor’s time. Solid: cold; dashed: warm. <span>",
      state == "static" ? "At rest" : "Flowing", counted(study.discs, "disc", "discs"),
      counted(curves.empty() ? 0 : curves.front()->contacts, "contact", "contacts"));
  if (figure.svg) add(html, "<a href=\"figures/{}.svg\">SVG</a> · ", figure.stem);
  if (figure.pdf) add(html, "<a href=\"figures/{}.pdf\">PDF</a> · ", figure.stem);
  add(html,
      "<a href=\"figures/{0}.gp\">script</a> · <a href=\"figures/{0}.dat\">data</a></span></figcaption></figure>\n",
      figure.stem);
}

/// Returns the anchor of a study on the page, for example "study-1".
std::string study_anchor(std::size_t at) { return fmt::format("study-{}", at + 1); }

std::string study_title(SolverStudy const& study) {
  return counted(study.discs, "disc", "discs") + (study.recorded ? ", as recorded" : ", measured in this report");
}

void add_study(std::string& html, SolverStudy const& study, std::size_t at, std::vector<Figure> const& figures,
               std::size_t& next) {
  add(html, "<h2 id=\"{}\">{}</h2>\n", study_anchor(at), study_title(study));
  if (study.recorded)
    add(html, "<p>Measured then, {}, and not in this run; the files come with the program.</p>\n",
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

std::string solvers_page(Results const& results, std::vector<Figure> const& figures,
                         std::optional<std::string> const& figure_note) {
  std::string html = "<h1>Which solver: sweeps over many contacts</h1>\n";
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
  html += "<a href=\"#methods\">Solvers</a><a href=\"#documented\">Why the documented ones stay</a></nav>\n";
  if (figure_note) add(html, "<p class=\"note\" role=\"note\">{}.</p>\n", escaped(*figure_note));
  html +=
      "<p>One step of discs in an hourglass, on which every solver is tried: at rest, and some time after the gate was "
      "opened. A sweep goes once over all contacts. The natural residual, the greatest |min(W<sub>kk</sub> p<sub>k"
      "</sub>, w<sub>k</sub>)|, is a speed and 0 at the solution alone; g dt is the speed that gravity gives in a "
      "step. "
      "What each does and why it converges: " +
      with_mathematics_links("docs/mathematics/nonsmooth.md#solvers") + ".</p>\n";
  std::size_t next = 0;
  for (std::size_t at = 0; at < results.solvers.size(); ++at)
    if (!results.solvers[at].curves.empty()) add_study(html, results.solvers[at], at, figures, next);
  html += "<h2 id=\"methods\">Solvers</h2>\n<dl>";
  std::vector<std::string> told;
  for (SolverStudy const& study : results.solvers)
    for (Term const& method : study.methods) {
      if (std::find(told.begin(), told.end(), method.name) != told.end()) continue;
      told.push_back(method.name);
      add(html, "<dt>{}</dt><dd>{}</dd>", escaped(method.name), escaped(method.doc));
    }
  html +=
      "</dl>\n<h2 id=\"documented\">Why the residual of the documented ones does not fall</h2>\n<p>They accumulate "
      "nothing: a contact only adds to what it gave, and none takes back what others have made superfluous. Such "
      "sweeps project the velocities onto one w ≥ 0 after the other. They end where all of these hold, which the "
      "solution asks for too, but it also asks for p w = 0, and among the velocities that are feasible theirs are in "
      "general others. Their own residual, the greatest max(0, −w), does fall, and they stop by it: “feasible” in the "
      "tables says when it is at most the tolerance. More sweeps only bring them closer to another point.</p>\n"
      "<p class=\"quiet\">Data: <a href=\"data/solvers-curves.csv\">curves</a>, <a "
      "href=\"data/solvers-tolerances.csv\">tolerances</a> (CSV).</p>\n";
  return page(results, "Which solver – Demeter", html);
}

std::string solvers_overview(Results const& results) {
  auto const sentences = all_sentences(results);
  if (!has_solvers(results) || sentences.empty()) return "";
  std::string html;
  add(html,
      "<h2 id=\"solvers\">Which solver</h2>\n<p>{} <a href=\"{}\">Residual against sweeps and time of every "
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
        "<h2 id=\"solvers\">Solvers</h2>\n<p>Of many contacts at once: <a href=\"{}\">the residual of every solver "
        "against sweeps and time</a>.</p>\n",
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

// ------------------------------------------------------------------------------------------------------------- figures

namespace {

/// A logarithmic axis that contains the given values, with powers of ten as tics.
struct LogAxis {
  double low = 1, high = 10;

  LogAxis(std::vector<double> const& values, double least, double most) {
    double smallest = std::numeric_limits<double>::infinity(), largest = 0;
    for (double const value : values) smallest = std::min(smallest, value), largest = std::max(largest, value);
    if (!(smallest <= largest)) return;
    low = std::clamp(0.7 * smallest, least, 0.1 * most);
    high = std::clamp(1.4 * largest, 2 * low, most);
  }
  std::string range() const { return fmt::format("[{}:{}]", low, high); }
  std::string tics(bool named) const {
    std::string text;
    for (int power = static_cast<int>(std::ceil(std::log10(low))); power <= std::log10(high); ++power)
      add(text, "{}'{}' 1e{}", text.empty() ? "" : ", ", named ? power_of_ten(power) : "", power);
    return text;
  }
  static std::string power_of_ten(int power) {
    return power >= -2 && power <= 3 ? fmt::format("{:.{}f}", std::pow(10.0, power), std::max(0, -power))
                                     : power_or_number(std::pow(10.0, power));
  }
};

bool is_drawn(SolverPoint const& point) {
  return point.sweeps > 0 && is_number(point.seconds) && *point.seconds > 0 && is_number(point.residual) &&
         *point.residual > 0;
}

// Colours of Okabe and Ito, which colour-blind readers can distinguish, and a grey. The symbols differ too.
constexpr std::array<std::string_view, 8> solver_colours{"#0072B2", "#56B4E9", "#E69F00", "#CC79A7",
                                                         "#D55E00", "#000000", "#8a8a8a", "#009E73"};
constexpr std::array<int, 8> solver_symbols{7, 6, 5, 4, 9, 11, 10, 13};

Figure solver_figure(SolverStudy const& study, std::string_view state, std::string stem) {
  constexpr double width = 1090, height = 430, left = 84, gap = 30, right = 864, bottom = 62, top = 412;
  constexpr double panel = (right - left - gap) / 2;
  Figure figure;
  figure.kind = Figure::Kind::solvers;
  figure.stem = std::move(stem);
  figure.width = static_cast<int>(width);

  // One block per curve. The header line of a block has the name of the solver.
  std::vector<std::string> methods;
  std::vector<double> sweeps, milliseconds, residuals;
  struct Drawn {
    std::size_t method;
    bool cold;
  };
  std::vector<Drawn> drawn;
  for (SolverCurve const* const curve : curves_of(study, state)) {
    std::string rows;
    for (SolverPoint const& point : curve->points) {
      if (!is_drawn(point)) continue;
      sweeps.push_back(static_cast<double>(point.sweeps));
      milliseconds.push_back(1e3 * *point.seconds);
      residuals.push_back(*point.residual);
      add(rows, "{}\t{}\t{}\n", point.sweeps, 1e3 * *point.seconds, *point.residual);
    }
    if (rows.empty()) continue;
    auto const at = std::find(methods.begin(), methods.end(), curve->method);
    drawn.push_back({static_cast<std::size_t>(at - methods.begin()), is_cold(*curve)});
    if (at == methods.end()) methods.push_back(curve->method);
    add(figure.data, "{}sweeps\tms\t{}\n{}", figure.data.empty() ? "" : "\n\n", plot_field(curve->method, 28), rows);
  }
  LogAxis const upwards(residuals, 1e-9, 1e4);

  std::string panels;
  for (int const at : {0, 1}) {
    LogAxis const across(at == 0 ? sweeps : milliseconds, 1e-9, 1e12);
    double const from = left + at * (panel + gap);
    add(panels, "set lmargin at screen {:.5f}\nset rmargin at screen {:.5f}\n", from / width, (from + panel) / width);
    add(panels, "set xrange {}\nset yrange {}\nset xtics ({})\nset ytics ({})\n", across.range(), upwards.range(),
        across.tics(true), upwards.tics(at == 0));
    add(panels, "set xlabel '{}'\n", at == 0 ? "sweeps" : "time of the processor, ms");
    panels += at == 0 ? fmt::format("set key at screen {:.5f}, graph 1 left top vertical Left reverse samplen 2.5\n",
                                    (right + 14) / width)
                      : "unset key\nunset label\n";
    std::string plot;
    for (std::size_t i = 0; i < drawn.size(); ++i) {
      auto const [method, cold] = drawn[i];
      bool const titled = at == 0 && std::find_if(drawn.begin(), drawn.begin() + static_cast<std::ptrdiff_t>(i),
                                                  [method = method](Drawn const& each) {
                                                    return each.method == method;
                                                  }) == drawn.begin() + static_cast<std::ptrdiff_t>(i);
      std::size_t const look = method % solver_colours.size();
      add(plot,
          "{}'{}.dat' index {} using {}:3 with linespoints linewidth {} dashtype {} pointtype {} pointsize {} "
          "linecolor "
          "rgb '{}' {}",
          plot.empty() ? "plot " : ", \\\n  ", figure.stem, i, at + 1, cold ? "1.8" : "1.2", cold ? 1 : 2,
          solver_symbols[look], cold ? "0.7" : "0.5", solver_colours[look],
          titled ? "title columnheader(3)" : "notitle");
    }
    panels += plot + "\n";
  }
  std::string const draw =
      "set multiplot\nset label 1 'natural residual / (g dt)' at screen 0.018, graph 0.5 center "
      "rotate by 90\nset label 2 'solid: cold, dashed: warm' at graph 0.02, graph 0.05 left font "
      "',11' textcolor rgb '#5a5a5a'\n" +
      panels + "unset multiplot";
  add(figure.script, "# Drawn by Demeter; names are in {0}.dat. Redraw: gnuplot -d {0}.gp\n", figure.stem);
  figure.script +=
      "set encoding utf8\nset datafile separator '\\t'\nset datafile commentschars ''\nset datafile missing '?'\n"
      "set logscale xy\nset grid linecolor rgb '#e2e2e2'\nset border 3 linecolor rgb '#555555'\nset tics nomirror out "
      "scale 0.6\n";
  add(figure.script, "set bmargin at screen {:.5f}\nset tmargin at screen {:.5f}\n", bottom / height, top / height);
  add(figure.script,
      "set terminal svg noenhanced size {:.0f},{:.0f} font 'sans-serif,13' background '#ffffff'\nset output '{}.svg'\n"
      "{}\nunset output\n",
      width, height, figure.stem, draw);
  add(figure.script,
      "if (strstrt(GPVAL_TERMINALS, 'pdfcairo') > 0) {{\nset terminal pdfcairo noenhanced size {:.3f}in,{:.3f}in font "
      "'sans,13' fontscale 0.5625\nset output '{}.pdf'\n{}\nunset output\n}}\n",
      width / 96, height / 96, figure.stem, draw);
  return figure;
}

}  // namespace

std::vector<Figure> solver_figures(Results const& results) {
  std::vector<Figure> all;
  std::set<std::string> taken;
  for (SolverStudy const& study : results.solvers)
    for (std::string_view const state : solver_states) {
      if (curves_of(study, state).empty()) continue;
      std::string const stem = fmt::format("solvers-{}-{}", study.discs, state);
      std::string unique = stem;
      for (int i = 2; !taken.insert(unique).second; ++i) unique = fmt::format("{}-{}", stem, i);
      all.push_back(solver_figure(study, state, unique));
    }
  return all;
}

}  // namespace demeter::report
