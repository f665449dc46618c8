// The times on a kernel's page: by implementation, by regime, and of the workloads.
#include "reports/site/html.hpp"
#include "reports/site/pages.hpp"

#include <algorithm>

namespace demeter::report {
namespace {

constexpr std::string_view workload = "workload", cache = "cache";

/// A row of the tables: a subject or comparison routine, with the requested outputs.
struct SpeedRow {
  std::string subject, outputs;
  bool comparison = false;
  std::string call = {};  ///< "batch" or "single"
};

/// The rows and columns of the tables, and the kernel whose times are in them.
struct SpeedTable {
  Kernel const& kernel;
  std::vector<SpeedRow> rows{};
  std::vector<std::string> regimes{}, settings{};
  std::string typical{};  ///< the regime of the first table
  double least_workload;  ///< of the kernel's timings: see report::least_workload
};

Timing const* find_timing(Kernel const& kernel, SpeedRow const& row, std::string_view setting,
                          std::string_view regime) {
  for (Timing const& timing : kernel.speed.timings) {
    if (timing.subject == row.subject && timing.outputs == row.outputs && timing.setting == setting &&
        timing.regime == regime) {
      return &timing;
    }
  }
  return nullptr;
}

Number time_of(Kernel const& kernel, SpeedRow const& row, std::string_view setting, std::string_view regime) {
  Timing const* const timing = find_timing(kernel, row, setting, regime);
  return timing ? timing->nanoseconds : std::nullopt;
}

/// Adds the row of a timing unless it is in the list.
void remember_row(std::vector<SpeedRow>& rows, Timing const& timing) {
  bool const known = std::any_of(rows.begin(), rows.end(), [&](SpeedRow const& row) {
    return row.subject == timing.subject && row.outputs == timing.outputs;
  });
  if (!known) rows.push_back({timing.subject, timing.outputs, timing.kind == "baseline", timing.call});
}

void remember_name(std::vector<std::string>& names, std::string const& name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

/// Returns the table. Subjects come before comparison routines, and faster rows before slower ones.
SpeedTable make_table(Kernel const& kernel) {
  SpeedTable table{.kernel = kernel, .typical = quoted_regime(kernel), .least_workload = least_workload(kernel)};
  for (Timing const& timing : kernel.speed.timings) {
    if (timing.setting == workload) continue;
    remember_name(table.regimes, timing.regime);
    remember_name(table.settings, timing.setting);
    remember_row(table.rows, timing);
  }
  std::stable_sort(table.rows.begin(), table.rows.end(), [&](SpeedRow const& a, SpeedRow const& b) {
    if (a.comparison != b.comparison) return b.comparison;
    Number const x = time_of(kernel, a, cache, table.typical), y = time_of(kernel, b, cache, table.typical);
    return x && (!y || *x < *y);
  });
  return table;
}

/// Returns the smallest time of the subjects with the same outputs and the same number of cases per call as `like`.
Number fastest(SpeedTable const& table, SpeedRow const& like, std::string_view setting, std::string_view regime) {
  Number least;
  for (SpeedRow const& row : table.rows) {
    if (row.comparison || row.outputs != like.outputs || row.call != like.call) continue;
    Timing const* const timing = find_timing(table.kernel, row, setting, regime);
    if (timing == nullptr || timed_under_load(*timing, table.least_workload)) continue;
    Number const time = timing->nanoseconds;
    if (time && (!least || *time < *least)) least = time;
  }
  return least;
}

std::string times_fastest(double time, Number least) {
  if (!least || *least <= 0) return "–";
  return readable(time / *least, 2) + "×";
}

std::string timing_title(Timing const& timing) {
  std::string title = "median " + exact(timing.nanoseconds) + " ns";
  if (!timing.samples.empty()) {
    auto const [least, most] = std::minmax_element(timing.samples.begin(), timing.samples.end());
    add(title, ", {} samples from {} to {} ns", timing.samples.size(), *least, *most);
  }
  return title + fmt::format(", {} cases", timing.count);
}

/// Returns the interval of the median in nanoseconds, divided by `unit`: "38.9 to 40.2".
std::string interval_text(Timing const& timing, double unit = 1) {
  auto const interval = median_interval(timing.samples);
  if (!interval || timing.samples.size() < 2) return "one sample";
  return readable(interval->low / unit) + " to " + readable(interval->high / unit);
}

std::string setting_text(std::string const& setting) { return setting == cache ? "in cache" : escaped(setting); }

/// Adds the time, its interval, its ratio to the fastest subject of the column, and the rate.
void add_time_cell(std::string& html, SpeedTable const& table, SpeedRow const& row, std::string_view setting,
                   std::string_view regime) {
  Timing const* const timing = find_timing(table.kernel, row, setting, regime);
  if (!timing || !timing->nanoseconds) {
    html += "<td class=\"figure nothing\" data-value=\"\">not timed</td>";
    return;
  }
  double const time = *timing->nanoseconds;
  bool const busy = timed_under_load(*timing, table.least_workload);
  Number const least = fastest(table, row, setting, regime);
  add(html, "<td class=\"figure\"{} title=\"{}\">{}{}<small>{}</small><small>{}, {} M/s</small></td>", data_value(time),
      timing_title(*timing), readable(time),
      busy            ? " †"
      : time == least ? " ★"
                      : "",
      interval_text(*timing), busy ? "under load" : times_fastest(time, least) + " the fastest",
      time > 0 ? readable(1000 / time) : "–");
}

void add_row_head(std::string& html, SpeedRow const& row) {
  add(html, "<tr><th scope=\"row\">{}{}</th><td>{}</td><td>{}</td>", breakable(row.subject),
      row.comparison ? "<small>comparison routine, not judged</small>" : "", escaped(row.outputs),
      row.call == "single"  ? "one case"
      : row.call == "batch" ? "all cases"
                            : "–");
}

/// Adds the time of the slowest regime in cache relative to the ordinary regime, if all regimes were timed.
void add_hardest_regime(std::string& html, SpeedTable const& table, SpeedRow const& row) {
  Number slowest;
  std::string where;
  std::size_t timed = 0;
  for (std::string const& regime : table.regimes) {
    Number const time = time_of(table.kernel, row, cache, regime);
    if (time) ++timed;
    if (time && (!slowest || *time > *slowest)) {
      slowest = time;
      where = regime;
    }
  }
  Number const usual = time_of(table.kernel, row, cache, table.typical);
  if (usual && slowest && *usual > 0 && timed == table.regimes.size()) {
    add(html, "<td class=\"figure\"{}>{}×<small>{}, {} ns</small></td>", data_value(*slowest / *usual),
        readable(*slowest / *usual, 3), escaped(where), readable(slowest));
  } else if (timed > 1) {
    add(html, "<td class=\"figure nothing\" data-value=\"\">not timed<small>in {} of {} regimes</small></td>",
        table.regimes.size() - timed, table.regimes.size());
  } else {
    html += "<td class=\"figure nothing\" data-value=\"\">not timed</td>";
  }
}

/// Adds which cases were timed, and which subjects were not timed.
void add_cases(std::string& html, Speed const& speed) {
  auto const whole = [](std::optional<std::int64_t> value) { return value ? grouped(*value) : std::string("–"); };
  add(html,
      "<p>Timed on <b>{} of {}</b> cases: those that every implementation answers with an error of at most 10⁻⁶ S. S "
      "is the size of the problem.",
      whole(speed.used), whole(speed.total));
  std::string screened, ignored;
  for (ScreenedOut const& row : speed.screened_out) {
    if (row.cases == 0) continue;
    std::string& list = row.contender ? screened : ignored;
    add(list, "{}{} {}{}", list.empty() ? "" : ", ", grouped(row.cases),
        row.contender ? "cases because of " : "answers of ", escaped(row.subject));
  }
  add(html, " {}.", screened.empty() ? "No case was left out" : "Left out: " + screened);
  if (!ignored.empty())
    add(html,
        " Not used for this choice, because more than a tenth of the answers are wrong or "
        "missing: {}.",
        ignored);
  html += "</p>\n";
  for (NotTimed const& each : speed.not_timed)
    add(html, "<p>Not timed: <b>{}</b>, {}.</p>\n", escaped(each.subject), escaped(each.why));
}

void add_ordinary_regime(std::string& html, SpeedTable const& table) {
  open_table(html, "Time per case", "sortable");
  html +=
      "<thead><tr><th scope=\"col\">implementation</th><th scope=\"col\">outputs</th><th scope=\"col\">per call</th>";
  for (std::string const& setting : table.settings)
    add(html, "<th scope=\"col\" class=\"figure\">{}, ns</th>", setting_text(setting));
  if (table.regimes.size() > 1) html += "<th scope=\"col\" class=\"figure\">hardest regime</th>";
  html += "</tr></thead>\n<tbody>\n";
  for (SpeedRow const& row : table.rows) {
    add_row_head(html, row);
    for (std::string const& setting : table.settings) add_time_cell(html, table, row, setting, table.typical);
    if (table.regimes.size() > 1) add_hardest_regime(html, table, row);
    html += "</tr>\n";
  }
  close_table(html);
  add(html,
      "<p class=\"quiet\">Regime {0}. Median time per case. Below it: the 95 % confidence interval of the median "
      "(the smallest and the largest sample if there are fewer than six samples), the ratio to the fastest "
      "implementation (★) with the same outputs and the same number of cases per call, and million cases per second "
      "(M/s). “Per call”: compare code that gets one case per call only with other such code. †: the machine was "
      "busy, so this time is not ranked. The reference workload beside the samples took more than 1.2 times its "
      "shortest time for this kernel. “Hardest regime”: the time of the slowest regime in cache, divided by the time "
      "of {0}. It is shown only if all regimes were timed. Every sample is in <a href=\"data/speed.csv.gz\">the "
      "data</a>.</p>\n",
      escaped(table.typical));
}

void add_every_regime(std::string& html, SpeedTable const& table) {
  if (table.regimes.size() < 2) return;
  add(html, "<details><summary>Every regime ({})</summary>\n", table.regimes.size());
  for (std::string const& setting : table.settings) {
    add(html, "<h3>{}</h3>\n", setting_text(setting));
    open_table(html, "Time by regime, " + setting);
    html +=
        "<thead><tr><th scope=\"col\">implementation</th><th scope=\"col\">outputs</th><th scope=\"col\">per call</th>";
    for (std::string const& regime : table.regimes)
      add(html, "<th scope=\"col\" class=\"figure name\">{}</th>", escaped(regime));
    html += "</tr></thead>\n<tbody>\n";
    for (SpeedRow const& row : table.rows) {
      add_row_head(html, row);
      for (std::string const& regime : table.regimes) add_time_cell(html, table, row, setting, regime);
      html += "</tr>\n";
    }
    close_table(html);
  }
  html += "</details>\n";
}

/// Adds a row for each workload, and a column for each subject that was timed on one.
void add_workloads(std::string& html, Kernel const& kernel) {
  std::vector<SpeedRow> who;
  for (Timing const& timing : kernel.speed.timings)
    if (timing.setting == workload) remember_row(who, timing);
  if (who.empty()) return;
  html +=
      "<h3 id=\"workloads\">Workloads</h3>\n<p>These cases are timed and not judged, because their truths take too "
      "long to compute.</p>\n";
  open_table(html, "Time per case of a workload");
  html += "<thead><tr><th scope=\"col\">workload</th>";
  for (SpeedRow const& row : who) add(html, "<th scope=\"col\" class=\"figure\">{}, µs</th>", breakable(row.subject));
  html += "</tr></thead>\n<tbody>\n";
  for (Term const& each : kernel.workloads) {
    add(html, "<tr><th scope=\"row\">{}<small>{}</small></th>", breakable(each.name), escaped(each.doc));
    for (SpeedRow const& row : who) {
      Timing const* const timing = find_timing(kernel, row, workload, each.name);
      if (timing == nullptr || !timing->nanoseconds)
        html += "<td class=\"figure nothing\" data-value=\"\">not timed</td>";
      else
        add(html, "<td class=\"figure\"{} title=\"{}\">{}<small>{}</small></td>", data_value(*timing->nanoseconds),
            timing_title(*timing), readable(*timing->nanoseconds * 1e-3), interval_text(*timing, 1e3));
    }
    html += "</tr>\n";
  }
  close_table(html);
}

}  // namespace

std::string speed_section(Kernel const& kernel) {
  std::string html = "<h2 id=\"speed\">Speed</h2>\n";
  if (kernel.speed.timings.empty()) return html + "<p class=\"quiet\">Nothing was timed.</p>\n";
  add_cases(html, kernel.speed);
  SpeedTable const table = make_table(kernel);
  add_ordinary_regime(html, table);
  add_every_regime(html, table);
  html += ahead_section(kernel);
  add_workloads(html, kernel);
  return html;
}

}  // namespace demeter::report
