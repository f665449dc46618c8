// index.html: what was measured, what was found, on what machine, and how to do it again.
#include "reports/format/words.hpp"
#include "reports/site/html.hpp"
#include "reports/site/pages.hpp"

#include <algorithm>
#include <cmath>

namespace demeter::report {
namespace {

std::string times_budget(Number ratio) {
  if (!ratio) return "no error known";
  if (*ratio == 0) return "exact";
  if (!std::isfinite(*ratio)) return "not finite";
  return readable(ratio, 2) + "× budget";
}

Contender const* find_contender(Kernel const& kernel, std::string_view subject) {
  for (Contender const& contender : kernel.subjects) {
    if (contender.name == subject) return &contender;
  }
  return nullptr;
}

void add_headline(std::string& html, Results const& results) {
  std::int64_t judged = 0, estimated = 0, law_cases = 0, defects = 0, own = 0, undecided = 0;
  int pairs = 0;
  for (Kernel const& kernel : results.kernels) {
    for (Contender const& contender : kernel.subjects) {
      Tally const sum = tally(contender);
      (kernel.not_bounded_because.empty() ? judged : estimated) += sum.judged;
      undecided += sum.undecided;
      for (LawResult const& law : contender.laws) law_cases += law.applicable;
      ++pairs;
      if (has_failed(contender) && contender.origin != Origin::method)
        ++(contender.origin == Origin::own ? own : defects);
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
  tile(grouped(defects), defects == 1 ? "failing peer or printed formula" : "failing peers and printed formulas");
  tile(grouped(own), own == 1 ? "failure of Demeter’s own code" : "failures of Demeter’s own code");
  if (undecided > 0) tile(grouped(undecided), "undecided");
  html += "</ul>\n";
}

void add_matrix(std::string& html, Results const& results) {
  html += "<h2 id=\"matrix\">Every implementation, every kernel</h2>\n";
  if (results.kernels.empty()) {
    html += "<p class=\"quiet\">No kernel was measured.</p>\n";
    return;
  }
  html +=
      "<p>Each cell: the worst error over all regimes and outputs as a multiple of its declared budget, the laws that "
      "a "
      "counterexample was found for, and the time of one case (in cache, typical inputs, all outputs). A cell links to "
      "its details.</p>\n"
      "<p class=\"key\"><span class=\"verdict held\">✓ within budget</span><span class=\"verdict exceeded\">✗ exceeded"
      "</span><span class=\"verdict far\">✗ by a million times or more, or not finite</span>"
      "<span class=\"verdict undecided\">? undecided</span><span class=\"verdict nothing\">– not offered</span></p>\n"
      "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Implementations by "
      "kernel\"><table>\n<thead><tr>"
      "<th scope=\"col\">implementation</th>";
  for (Kernel const& kernel : results.kernels) {
    add(html, "<th scope=\"col\"><a href=\"{}.html\">{}</a>{}</th>", kernel.slug, breakable(kernel.name),
        kernel.not_bounded_because.empty() ? "" : "<small>truth estimated</small>");
  }
  html += "</tr></thead>\n<tbody>\n";
  for (Subject const& subject : results.subjects) {
    add(html, "<tr><th scope=\"row\">{}<small>{}{}{}</small></th>", breakable(subject.name),
        escaped(shortened(subject.doc, 90)), subject.version.empty() ? "" : " ", escaped(subject.version));
    for (Kernel const& kernel : results.kernels) {
      Contender const* const contender = find_contender(kernel, subject.name);
      Tally const sum = contender ? tally(*contender) : Tally{};
      LawTally const laws = contender ? law_tally(*contender) : LawTally{};
      if (!contender || (sum.standing == Standing::none && laws.tested == 0)) {
        html += "<td class=\"matrix nothing\">–</td>";
        continue;
      }
      // The colour is that of the accuracy, unless only a law gives the subject away.
      Standing const shown = laws.broken > 0 ? Standing::exceeded : sum.standing;
      Number const time = nanoseconds(kernel, subject.name, "cache", quoted_regime(kernel));
      Number const strength = sum.standing == Standing::exceeded ? sum.ratio : Number(1);
      add(html, "<td class=\"matrix {}\"><a href=\"{}.html#accuracy\" title=\"{}\"><b>{} {}</b></a>",
          style_class(shown, strength), kernel.slug, exact(sum.ratio), mark(sum.standing), times_budget(sum.ratio));
      if (sum.lost() > 0) {
        add(html, "<a href=\"{}.html#accuracy\">✗ {}</a>", kernel.slug, lost_in_words(sum));
      }
      if (laws.tested == 0) {
        html += "<span>no law applies</span><br>";
      } else if (laws.broken == 0) {
        add(html, "<a href=\"{}.html#laws\">✓ {}</a>", kernel.slug, counted(laws.tested, "law holds", "laws hold"));
      } else {
        add(html, "<a href=\"{}.html#laws\">✗ {} of {} laws broken</a>", kernel.slug, laws.broken, laws.tested);
      }
      if (time) {
        add(html, "<a href=\"{}.html#speed\" title=\"{} ns\">{} ns</a>", kernel.slug, exact(time), readable(time));
      } else {
        html += "<span>not timed</span>";
      }
      html += "</td>";
    }
    html += "</tr>\n";
  }
  html += "</tbody></table></div>\n";
}

/// The case, what was answered and what is right, in one line.
std::string answer_and_truth(Kernel const& kernel, Failure const& failure) {
  std::string line;
  add(line, "<code>{}</code> answers <code>{} = {}</code>, truth <code>{}</code>",
      escaped(shortened(case_line(failure.example.input, kernel.input), 400)), escaped(failure.output),
      escaped(shortened(case_line(at_path(failure.example.answer, failure.output), {}), 120)),
      escaped(shortened(case_line(at_path(failure.example.truth, failure.output), {}), 120)));
  return line;
}

/// The shortest of the gross failures: those within a thousandth of the worst that is finite, so that neither an
/// overflow nor a last digit stands for what is wrong.
Failure const* telling_failure(Contender const& contender) {
  double worst = 0;
  for (Failure const& failure : contender.failures) {
    if (failure.example.error && std::isfinite(*failure.example.error)) worst = std::max(worst, *failure.example.error);
  }
  Failure const* shortest = nullptr;
  for (Failure const& failure : contender.failures) {
    bool const gross =
        failure.example.error &&
        (worst == 0 || (std::isfinite(*failure.example.error) && *failure.example.error >= worst / 1000));
    if (!gross) continue;
    if (!shortest || failure.example.input.dump().size() < shortest->example.input.dump().size()) shortest = &failure;
  }
  return shortest;
}

/// Everything one subject does wrong in one kernel, the shortest counterexample first in mind.
void add_defect(std::string& html, Kernel const& kernel, Contender const& contender) {
  Tally const sum = tally(contender);
  add(html, "<article class=\"defect\">\n<h3>{} <span class=\"quiet\">in</span> <a href=\"{}.html\">{}</a></h3>\n<ul>",
      escaped(contender.name), kernel.slug, escaped(kernel.name));
  if (!sum.exceeded.empty()) {
    // One line a regime: outputs of one answer fail together.
    std::vector<Accuracy const*> rows;
    for (Accuracy const* row : sum.exceeded) {
      bool const known =
          std::any_of(rows.begin(), rows.end(), [&](auto other) { return other->regime == row->regime; });
      if (!known) rows.push_back(row);
    }
    add(html, "<li>Exceeds its budget in {} of {}: ", rows.size(),
        counted(static_cast<std::int64_t>(kernel.regimes.size()), "regime", "regimes"));
    for (std::size_t i = 0; i < std::min<std::size_t>(rows.size(), 4); ++i) {
      Accuracy const& row = *rows[i];
      add(html, "{}<b>{}</b> ({}, {}", i > 0 ? "; " : "", escaped(row.regime), escaped(row.output),
          times_budget(over_budget(row)));
      if (row.failed > 0) add(html, ", {} of {} cases", grouped(row.failed), grouped(row.cases));
      if (row.lost() > 0) add(html, ", {}", lost_in_words(row));
      html += ")";
    }
    if (rows.size() > 4) {
      add(html, "; and {}", counted(static_cast<std::int64_t>(rows.size()) - 4, "other", "others"));
    }
    html += ".</li>";
  }
  Counterexample const* smallest = nullptr;
  LawResult const* smallest_law = nullptr;
  std::size_t smallest_length = 0;
  std::string laws;
  int broken = 0;
  for (LawResult const& law : contender.laws) {
    if (law.broken == 0) continue;
    if (++broken <= 5) {
      add(laws, "{}<b>{}</b> ({} of {}{})", laws.empty() ? "" : "; ", escaped(law.law), grouped(law.broken),
          grouped(law.applicable),
          law.worst && std::isfinite(*law.worst) ? fmt::format(", worst {}× its tolerance", readable(law.worst, 2))
                                                 : "");
    }
    if (!law.counterexample) continue;
    std::size_t length = 0;
    for (Json const& input : law.counterexample->inputs) length += input.dump().size();
    if (!smallest || length < smallest_length) {
      smallest = &*law.counterexample;
      smallest_law = &law;
      smallest_length = length;
    }
  }
  if (broken > 5) add(laws, "; and {}", counted(broken - 5, "other", "others"));
  if (!laws.empty()) {
    add(html, "<li>Breaks {} of {}: {}.</li>", broken, counted(law_tally(contender).tested, "law", "laws"), laws);
  }
  if (sum.exceeded.empty() && laws.empty()) html += "<li>Its verdict is “fail”; no case is recorded.</li>";
  html += "</ul>\n";

  Failure const* const telling = telling_failure(contender);
  if (telling) {
    add(html, "<p><span class=\"quiet\">A small case like the worst of {}:</span> {}</p>\n",
        escaped(telling->example.regime), answer_and_truth(kernel, *telling));
    html += copyable(telling->example.command);
  } else if (smallest) {
    add(html, "<p><span class=\"quiet\">Smallest counterexample, law {}:</span> ", escaped(smallest_law->law));
    if (!smallest->inputs.empty()) {
      add(html, "<code>{}</code>", escaped(shortened(case_line(smallest->inputs.front(), kernel.input), 240)));
    }
    if (!smallest->outputs.empty()) {
      html += " answers ";
      for (std::size_t i = 0; i < std::min<std::size_t>(smallest->outputs.size(), 3); ++i) {
        add(html, "{}<code>{}</code>", i > 0 ? ", then " : "",
            escaped(shortened(case_line(smallest->outputs[i], kernel.output), 160)));
      }
    }
    html += "</p>\n" + copyable(smallest->command);
  }
  if (contender.failures.size() > 1) {
    add(html, "<details><summary>One for each regime that fails ({})</summary>\n", contender.failures.size());
    for (Failure const& failure : contender.failures) {
      add(html, "<p><b>{}</b>: {}</p>\n{}", escaped(failure.example.regime), answer_and_truth(kernel, failure),
          copyable(failure.example.command));
    }
    html += "</details>\n";
  }
  html += "</article>\n";
}

void add_defects(std::string& html, Results const& results, bool own) {
  std::string list;
  // The codes people run first, formulas on paper after them.
  for (Origin const origin : {Origin::own, Origin::peer, Origin::formula}) {
    if ((origin == Origin::own) != own) continue;
    for (Kernel const& kernel : results.kernels) {
      for (Contender const& contender : kernel.subjects) {
        if (contender.origin == origin && has_failed(contender)) add_defect(list, kernel, contender);
      }
    }
  }
  if (own && !list.empty()) {
    html += "<h2 id=\"own-defects\">Failures of Demeter’s own code</h2>\n" + list;
  } else if (!own) {
    html += "<h2 id=\"defects\">Defects found in other codes and printed formulas</h2>\n";
    html += list.empty() ? "<p class=\"quiet\">None.</p>\n" : list;
  }
}

void add_promises(std::string& html, Results const& results) {
  std::string rows;
  for (Kernel const& kernel : results.kernels) {
    for (Promise const& promise : kernel.speed.promises) {
      Number const bound = promise.promised;
      add(rows, "<tr><th scope=\"row\">{}</th><td><a href=\"{}.html#speed\">{}</a></td><td class=\"figure\">{} {}</td>",
          escaped(promise.promise), kernel.slug, escaped(kernel.name),
          promise.better == "lower" ? "at most" : "at least", number_span(bound));
      add(rows, "<td class=\"figure\">{}</td><td class=\"{}\">{}</td></tr>\n", number_span(promise.measured),
          promise.held ? "held" : "exceeded", promise.held ? "✓ kept" : "✗ not kept");
    }
  }
  if (rows.empty()) return;
  add(html,
      "<h2 id=\"promises\">Promises of speed</h2>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
      "aria-label=\"Promises of speed\"><table>\n<thead><tr><th scope=\"col\">promise</th><th scope=\"col\">kernel</th>"
      "<th scope=\"col\" class=\"figure\">promised</th><th scope=\"col\" class=\"figure\">measured here</th>"
      "<th scope=\"col\">outcome</th></tr></thead>\n<tbody>\n{}</tbody></table></div>\n",
      rows);
}

void add_machine(std::string& html, Results const& results) {
  Machine const& machine = results.machine;
  html += "<h2 id=\"machine\">The machine</h2>\n<dl>";
  auto const row = [&](std::string_view name, std::string const& value) {
    if (!value.empty()) add(html, "<dt>{}</dt><dd>{}</dd>", name, escaped(value));
  };
  std::string levels;
  for (std::string const& level : machine.levels) levels += (levels.empty() ? "" : ", ") + level;
  row("CPU", machine.cpu);
  row("cores", machine.cores > 0 ? std::to_string(machine.cores) : "");
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
  html +=
      "<h2 id=\"reproduce\">Do it again</h2>\n<p>At the same commit the same seed draws the same cases, so errors and "
      "counterexamples come out the same on any machine with the same SIMD levels; times do not";
  html += run.seconds ? ", nor how many cases fit a limited time: <code>--count</code> sets them.</p>\n" : ".</p>\n";
  std::string amount;
  if (run.seconds) {
    amount = fmt::format(" --time {}", *run.seconds);
  } else if (run.full) {
    amount = " --full";
  } else if (run.cases_per_regime && *run.cases_per_regime >= 1) {
    amount = fmt::format(" --count {}", *run.cases_per_regime);
  }
  html += copyable(fmt::format("demeter report --seed {}{}", seed, amount));
  auto const cases = [](std::optional<std::int64_t> count) { return count ? grouped(*count) : std::string("–"); };
  std::string fewer;
  for (Kernel const& kernel : results.kernels)
    if (kernel.cases_per_regime && run.cases_per_regime && *kernel.cases_per_regime < *run.cases_per_regime)
      fewer +=
          fmt::format("{}{} of {}", fewer.empty() ? "" : ", ", cases(kernel.cases_per_regime), escaped(kernel.name));
  if (!fewer.empty()) fewer = fmt::format(" ({}: truths that take long)", fewer);
  add(html, "<p class=\"quiet\">Demeter {}, commit <code>{}</code>, {}{} cases a regime{}, {}.</p>\n",
      escaped(run.version), escaped(run.commit), run.seconds ? "up to " : "", cases(run.cases_per_regime), fewer,
      escaped(run.created));
  if (!results.missing_peers.empty()) {
    html += "<h3 id=\"missing\">Not measured here</h3>\n<dl>";
    for (MissingPeer const& peer : results.missing_peers) {
      add(html, "<dt>{}</dt><dd>{}</dd>", escaped(peer.name), escaped(peer.why));
    }
    html += "</dl>\n";
  }
  html += "<h3 id=\"data\">Data</h3>\n<ul><li><a href=\"results.json\">results.json</a>: everything</li>";
  for (Kernel const& kernel : results.kernels) {
    add(html,
        "<li>{0}: <a href=\"data/{1}-accuracy.csv\">accuracy</a>, <a href=\"data/{1}-laws.csv\">laws</a>, "
        "<a href=\"data/{1}-speed.csv\">speed</a>, <a href=\"data/{1}-mutants.csv\">mutants</a> (CSV), "
        "<a href=\"tables/{1}.tex\">LaTeX tables</a></li>",
        escaped(kernel.name), kernel.slug);
  }
  html += "</ul>\n";
}

}  // namespace

std::string overview_page(Results const& results, std::optional<std::string> const& figure_note) {
  std::string html;
  html +=
      "<h1>Demeter: a report on discrete element contact code</h1>\n"
      "<p class=\"lead\">Demeter measures the formulas at the bottom of discrete element codes: every implementation "
      "answers "
      "the same generated cases, and certified truth says how wrong it is, which laws it breaks and what a case costs; "
      "where the error of a truth is only estimated, its kernel says so. "
      "Every failure below comes with the input that shows it and a command that shows it again.</p>\n";
  std::string const mutation = mutation_overview(results), continuity = continuity_overview(results);
  add(html,
      "<nav class=\"contents\" aria-label=\"Contents\"><a href=\"#matrix\">Results</a><a href=\"#defects\">Defects "
      "found</a>{}{}<a href=\"#promises\">Promises</a><a href=\"#machine\">Machine</a><a href=\"#reproduce\">Reproduce"
      "</a><a href=\"#data\">Data</a></nav>\n",
      continuity.empty() ? "" : "<a href=\"#continuity\">Continuity</a>",
      mutation.empty() ? "" : "<a href=\"#mutants\">Mutation score</a>");
  if (figure_note) add(html, "<p class=\"note\" role=\"note\">{}.</p>\n", escaped(*figure_note));
  add_headline(html, results);
  add_defects(html, results, true);
  add_matrix(html, results);
  add_defects(html, results, false);
  html += continuity;
  html += mutation;
  add_promises(html, results);
  add_machine(html, results);
  add_reproduction(html, results);
  return page(results, "Demeter: report", html);
}

}  // namespace demeter::report
