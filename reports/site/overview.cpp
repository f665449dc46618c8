// index.html: the measurements, the findings, the machine, and the commands that reproduce them.
#include "reports/format/codes.hpp"
#include "reports/format/words.hpp"
#include "reports/site/html.hpp"
#include "reports/site/pages.hpp"

#include <algorithm>
#include <cmath>

namespace demeter::report {
namespace {

void add_headline(std::string& html, Results const& results) {
  std::int64_t judged = 0, estimated = 0, law_cases = 0, defects = 0, own = 0, undecided = 0;
  for (Kernel const& kernel : results.kernels) {
    for (Line const& line : lines(kernel)) {  // levels with equal answers count once
      Contender const& contender = *line.who.front();
      AccuracyTally const sum = accuracy_tally(contender);
      (kernel.not_bounded_because.empty() ? judged : estimated) += sum.judged;
      undecided += sum.undecided;
      for (LawResult const& law : contender.laws) law_cases += law.applicable;
      if (contender.origin == Origin::own && has_failed(contender)) ++own;
      if (contender.origin == Origin::peer && fails(kernel, contender) && !fails_as_declared(kernel, contender))
        ++defects;
    }
  }
  html += "<ul class=\"headline\">";
  auto const tile = [&](std::string const& value, std::string_view what) {
    add(html, "<li><b>{}</b><span>{}</span></li>", value, what);
  };
  tile(grouped(static_cast<std::int64_t>(results.kernels.size())), "kernels");
  tile(grouped(static_cast<std::int64_t>(results.subjects.size())), "implementations");
  tile(rounded(judged), "outputs judged against certified truth");
  if (estimated > 0) tile(rounded(estimated), "outputs judged against estimated truth");
  tile(rounded(law_cases), "trials of laws");
  tile(grouped(defects), defects == 1 ? "failure of other codes, without extreme cases"
                                      : "failures of other codes, without extreme cases");
  tile(grouped(own), own == 1 ? "failure of Demeter’s own code" : "failures of Demeter’s own code");
  if (undecided > 0) tile(grouped(undecided), undecided == 1 ? "undecided output" : "undecided outputs");
  html += "</ul>\n";
}

/// Returns a cell with the time, for example "39.1 ns". If there are several instruction sets, the cell shows the
/// smallest time, and all times below it.
std::string time_cell(Kernel const& kernel, Line const& line) {
  Number best;
  std::string best_level, others;
  std::string const regime = quoted_regime(kernel);
  for (Contender const* const each : line.who) {
    Number const time = nanoseconds(kernel, each->name, "cache", regime);
    if (time && (!best || *time < *best)) best = time, best_level = each->name;
  }
  if (!best) return "<td class=\"figure nothing\" data-label=\"time per case\">not timed</td>";
  auto const level = [](std::string const& name) { return name.substr(std::min(name.find('@') + 1, name.size())); };
  for (Contender const* const each : line.who) {
    if (line.who.size() < 2) break;
    Number const time = nanoseconds(kernel, each->name, "cache", regime);
    add(others, "{}{} {}", others.empty() ? "" : ", ", escaped(level(each->name)),
        time ? readable(time) : std::string("not timed"));
  }
  std::string html;
  add(html,
      "<td class=\"figure\" data-label=\"time per case\"><a href=\"{}.html#speed\" title=\"{} ns\">{} "
      "ns</a>{}</td>",
      kernel.slug, exact(best), readable(best), others.empty() ? "" : "<small>" + others + "</small>");
  return html;
}

std::string laws_cell(Kernel const& kernel, Contender const& contender) {
  LawTally const laws = law_tally(contender);
  std::string html;
  if (laws.tested == 0) return "<td class=\"nothing\" data-label=\"laws\">no law applies</td>";
  bool const few = overlooked(laws.fewest) > 0.01;
  add(html, "<td class=\"{}\" data-label=\"laws\"><a href=\"{}.html#laws\">{}</a></td>",
      laws.broken > 0 ? "exceeded"
      : few           ? "few"
                      : "held",
      kernel.slug,
      laws.broken > 0 ? fmt::format("✗ {} of {} broken", laws.broken, laws.tested)
      : few           ? fmt::format("✓ {}<small>n ≥ {}</small>", counted(laws.tested, "not refuted", "not refuted"),
                                    grouped(laws.fewest))
                      : fmt::format("✓ {}", counted(laws.tested, "holds", "hold")));
  return html;
}

/// Adds the rows of one kernel: Demeter's own code, formulas and sampling methods.
void add_kernel_rows(std::string& html, Kernel const& kernel, std::vector<std::string_view> const& shown) {
  std::string rows;
  for (Line const& line : lines(kernel)) {
    Contender const& first = *line.who.front();
    if (first.origin == Origin::peer) continue;
    add(rows, "<tr><th scope=\"row\">{}</th>", line_name(line));
    for (std::string_view const profile : shown) rows += profile_cell(kernel, first, profile);
    rows += laws_cell(kernel, first) + time_cell(kernel, line) + "</tr>\n";
  }
  add(html,
      "<tr class=\"group\"><th scope=\"rowgroup\" colspan=\"{}\"><a href=\"{}.html\">{}</a> "
      "<span>{}{}</span></th></tr>\n",
      shown.size() + 3, kernel.slug, breakable(kernel.name),
      kernel.not_bounded_because.empty() ? "" : "truth estimated",
      rows.empty() ? "no implementation was measured" : "");
  html += rows;
}

void add_formulas(std::string& html, Results const& results) {
  if (results.kernels.empty()) return;
  html += "<h2 id=\"formulas\">Demeter’s code and printed formulas</h2>\n";
  std::vector<std::string_view> shown;
  for (std::string_view const profile : {"everyday", "degenerate", "extreme", ""})
    for (Kernel const& kernel : results.kernels) {
      auto const of = profiles_of(kernel);
      if (std::find(of.begin(), of.end(), profile) == of.end()) continue;
      shown.push_back(profile);
      break;
    }
  html +=
      "<p>Three groups of cases. <b>Everyday</b>: ordinary scenes, 10 µm to 10 m. <b>Degenerate</b>: parallel, "
      "touching or coincident bodies of these sizes. <b>Extreme</b>: very large and very small numbers. “15.1 "
      "digits”: every answer passes, and the worst one has 15.1 correct digits. “8 of 12”: 8 of 12 regimes pass; the "
      "digits of the worst answer are below. n: the smallest number of judged cases in a regime. Time: the time per "
      "case in cache, for typical inputs and all outputs.</p>\n"
      "<p class=\"key\"><span class=\"verdict held\">✓ passes on enough cases</span><span class=\"verdict "
      "few\">passes on few cases</span><span class=\"verdict exceeded\">✗ fails</span><span class=\"verdict far\">✗ "
      "error of at least 10⁶ budgets, or not finite</span><span class=\"verdict undecided\">? undecided</span></p>\n";
  open_table(html, "Implementations by kernel", "overview stacked");
  html += "<thead><tr><th scope=\"col\">implementation</th>";
  for (std::string_view const profile : shown) add(html, "<th scope=\"col\">{}</th>", profile_name(profile));
  html += "<th scope=\"col\">laws</th><th scope=\"col\" class=\"figure\">time per case</th></tr></thead>\n<tbody>\n";
  for (Kernel const& kernel : results.kernels) add_kernel_rows(html, kernel, shown);
  close_table(html);
}

void add_defects(std::string& html, Results const& results) {
  std::string own, list, extreme, declared;
  for (Kernel const& kernel : results.kernels) {
    for (Contender const& contender : kernel.subjects) {
      if (!has_failed(contender)) continue;
      if (contender.origin == Origin::own) own += defect_line(kernel, contender);
      if (contender.origin != Origin::peer) continue;
      if (fails_as_declared(kernel, contender)) {
        declared += declared_line(kernel, contender);
        continue;
      }
      (fails(kernel, contender) ? list : extreme) += defect_line(kernel, contender);
    }
  }
  if (!own.empty()) html += "<h2 id=\"own-defects\">Failures of Demeter’s own code</h2>\n<ul>" + own + "</ul>\n";
  html += "<h2 id=\"defects\">Failures of other codes</h2>\n";
  html += list.empty() ? "<p class=\"quiet\">None in everyday and degenerate cases.</p>\n"
                       : "<ul class=\"lines\">" + list + "</ul>\n";
  if (!declared.empty())
    html += "<p>Approximations that the authors declare. They do not count as failures:</p>\n<ul class=\"lines\">" +
            declared + "</ul>\n";
  if (!extreme.empty()) html += "<p>In extreme cases only:</p>\n<ul class=\"lines\">" + extreme + "</ul>\n";
  bool const errata = std::any_of(results.kernels.begin(), results.kernels.end(),
                                  [](Kernel const& kernel) { return !kernel.errata.empty(); });
  add(html, "<p class=\"quiet\">The page of a kernel lists the mistakes of its printed formulas{}.</p>\n",
      errata ? fmt::format("; the <a href=\"{}\">errata</a> list all of them", errata_file) : "");
}

void add_machine(std::string& html, Results const& results) {
  Machine const& machine = results.machine;
  html += "<h2 id=\"machine\">The machine</h2>\n<dl>";
  auto const row = [&](std::string_view name, std::string const& value) {
    if (!value.empty()) add(html, "<dt>{}</dt><dd>{}</dd>", name, escaped(value));
  };
  std::string levels;
  for (std::string const& level : machine.levels) levels += (levels.empty() ? "" : ", ") + level;
  std::string caches;
  for (std::string const& cache : machine.caches) caches += (caches.empty() ? "" : ", ") + cache;
  row("CPU", machine.cpu + (machine.processor.empty() ? "" : " (" + machine.processor + ")"));
  row("cores", machine.cores > 0 ? std::to_string(machine.cores) : "");
  row("clock", machine.clock_mhz ? readable(machine.clock_mhz, 4) + " MHz at the start" : "");
  row("caches", caches);
  row("virtual machine", machine.virtual_machine.empty() ? "no hypervisor detected" : machine.virtual_machine);
  if (machine.load_before || machine.load_before_timings)
    row("load", readable(machine.load_before) + " before the report, " + readable(machine.load_before_timings) +
                    " before the first timing (number of processes that wanted a core; the second number includes "
                    "the report’s own checks)");
  row("memory", machine.memory_gib ? readable(machine.memory_gib) + " GiB" : "");
  row("SIMD levels",
      levels.empty() ? machine.level : levels + (machine.level.empty() ? "" : "; used: " + machine.level));
  row("compiler", machine.compiler);
  row("flags", machine.flags);
  row("system", machine.system);
  row("time taken", results.run.elapsed_seconds ? readable(results.run.elapsed_seconds) + " s" : "");
  html += "</dl>\n";
}

void add_reproduction(std::string& html, Results const& results) {
  Run const& run = results.run;
  std::uint64_t const seed = run.seed.value_or(1);
  std::string const counts = counts_option(results);
  add(html,
      "<h2 id=\"reproduce\">Reproduce these results</h2>\n"
      "<p>At the same commit, the same seed and counts give the same cases. Errors, laws and verdicts are then equal "
      "on every machine with the same SIMD levels. Times differ.{}</p>\n",
      counts.empty() ? ""
                     : " The search for jumps and the shrinking of counterexamples have time limits, so their "
                       "results can differ.");
  html += copyable(fmt::format("demeter report --seed {}{}{}", seed, run.full ? " --full" : "", counts));
  add(html, "<p class=\"quiet\">Demeter {}, commit <code>{}</code>, {}.{}</p>\n", escaped(run.version),
      escaped(run.commit), escaped(run.created),
      run.cases_per_regime && counts.empty() ? " " + grouped(*run.cases_per_regime) + " cases per regime." : "");
  if (!results.missing_peers.empty()) {
    html += "<h3 id=\"missing\">Not measured here</h3>\n<dl>";
    for (MissingPeer const& peer : results.missing_peers) {
      add(html, "<dt>{}</dt><dd>{}</dd>", escaped(peer.name), escaped(peer.why));
    }
    html += "</dl>\n";
  }
  add(html,
      "<h3 id=\"data\">Data</h3>\n<p><a href=\"results.json.gz\">results.json.gz</a> contains all results. {} <a "
      "href=\"{}\">How to cite</a>: the method, BibTeX, tables and figures for a paper.</p>\n",
      data_links(), cite_file);
}

/// Adds the figure of accuracy against speed of all codes, with a menu of the kernels. The menu is a row of radio
/// buttons, so it needs no script. Kernels that other codes answer come first.
void add_main_figure(std::string& html, Results const& results, std::vector<std::vector<Figure>> const& figures) {
  std::vector<std::pair<Kernel const*, Figure const*>> chosen;
  for (bool const others : {true, false})
    for (std::size_t i = 0; i < results.kernels.size() && i < figures.size(); ++i) {
      Kernel const& kernel = results.kernels[i];
      bool const has_others =
          std::ranges::any_of(kernel.subjects, [](Contender const& each) { return each.origin == Origin::peer; });
      auto const figure = std::ranges::find(figures[i], Figure::Kind::codes, &Figure::kind);
      if (has_others == others && figure != figures[i].end()) chosen.emplace_back(&kernel, &*figure);
    }
  if (chosen.empty()) return;
  auto const first = std::ranges::find(chosen, "segment_distance", [](auto const& each) { return each.first->name; });
  if (first != chosen.end()) std::rotate(chosen.begin(), first, first + 1);
  html += "<section class=\"menu\" id=\"figure\" aria-label=\"Accuracy against speed\">\n";
  for (auto const& [kernel, figure] : chosen)
    add(html, "<input type=\"radio\" name=\"figure\" id=\"choose-{0}\"{1}><label for=\"choose-{0}\">{2}</label>\n",
        anchor(kernel->name), kernel == chosen.front().first ? " checked" : "", breakable(kernel->name));
  html += "<style>";
  for (auto const& each : chosen)
    add(html, "#choose-{0}:checked ~ #figure-{0} {{ display: block; }}\n", anchor(each.first->name));
  html += "</style>\n";
  for (auto const& [kernel, figure] : chosen)
    add(html, "<div class=\"chosen\" id=\"figure-{}\">{}</div>\n", anchor(kernel->name),
        figure_html(
            *figure,
            "Scatter plot of worst everyday error against time per case for " + kernel->name +
                "; the same numbers are in the summary of the kernel's page.",
            fmt::format("<b><a href=\"{0}.html\">{1}</a>: accuracy against speed.</b> Each point is a code or a "
                        "printed formula. Height: the worst error of any output in everyday cases, in u on the left "
                        "and in correct digits on the right. Open symbols fail. Step line: the codes that pass, "
                        "unless another such code is faster and more accurate. “Not timed”: the code has no time per "
                        "case.",
                        kernel->slug, breakable(kernel->name))));
  html += "</section>\n";
}

}  // namespace

std::string overview_page(Results const& results, std::vector<std::vector<Figure>> const& figures) {
  std::vector<Code> const all = codes(results);
  std::string html;
  add(html,
      "<h1>Demeter: how accurate are discrete element codes?</h1>\n"
      "<p class=\"lead\">Every code answers the same generated cases. Each answer is compared with the true value, "
      "which is computed with a proved error bound{}. Every failure has an input and a command that reproduce it. <a "
      "href=\"{}\">How to read a verdict</a> explains the words and numbers.</p>\n",
      std::ranges::any_of(results.kernels, [](Kernel const& kernel) { return !kernel.not_bounded_because.empty(); })
          ? " (for some kernels, the bound is estimated)"
          : "",
      how_to_read_file);
  std::string const mutation = mutation_overview(results), continuity = continuity_overview(results),
                    solvers = solvers_overview(results), trust = trust_table(all);
  add(html,
      "<nav class=\"contents\" aria-label=\"Contents\"><a href=\"#codes\">Codes</a>{}<a href=\"#defects\">Failures of "
      "codes</a><a href=\"#formulas\">Formulas</a>{}{}{}<a href=\"#machine\">Machine</a><a "
      "href=\"#reproduce\">Reproduce</a><a href=\"#data\">Data</a></nav>\n",
      trust.empty() ? "" : "<a href=\"#trust\">Where to trust</a>",
      solvers.empty() ? "" : "<a href=\"#solvers\">Solvers</a>",
      continuity.empty() ? "" : "<a href=\"#continuity\">Continuity</a>",
      mutation.empty() ? "" : "<a href=\"#mutants\">Mutation score</a>");
  add_main_figure(html, results, figures);
  html += codes_table(results, all);
  html += trust;
  add_defects(html, results);
  add_formulas(html, results);
  html += solvers;
  html += continuity;
  html += mutation;
  add_headline(html, results);
  add_machine(html, results);
  add_reproduction(html, results);
  return page(results, "Demeter: report", html);
}

}  // namespace demeter::report
