// Prints the results of `demeter check` for people: the verdict, a table by profile and regime, laws, and the most
// useful cases.
#include "cli/check.hpp"
#include "cli/core/screen.hpp"
#include "cli/core/tolerance.hpp"
#include "reports/format/describe.hpp"
#include "reports/format/difference.hpp"
#include "reports/format/model.hpp"
#include "reports/format/words.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace demeter::cli {
namespace {

using report::Outcome;

/// Returns the heading with the verdict: "passed", "FAILED", or why there is no verdict. If the user names regimes, the
/// heading names them too: "passed in typical and parallel only".
std::string heading(Checked const& checked) {
  SubjectCheck const& check = checked.check;
  std::string verdict = "passed";
  if (auto const& regimes = checked.options.regimes; !regimes.empty()) {
    std::vector<std::string> names;
    for (std::size_t const regime : regimes) names.push_back(checked.kernel.regimes[regime].name);
    verdict += " in " + report::listed(names, 3) + " only";
  }
  if (!check.not_a_verdict.empty()) verdict = check.not_a_verdict;
  if (check.answered_nothing()) verdict = "answered nothing";
  if (!check.passed()) verdict = "FAILED";
  return fmt::format("{} against {}: {}", checked.kernel.name, plain_text(checked.subject.name),
                     painted(verdict.starts_with("passed") ? Colour::good : Colour::bad, verdict));
}

void print_recorded(Output& out, Checked const& checked, std::size_t most) {
  SubjectCheck const& check = checked.check;
  if (check.recorded > 0)
    out.print("  recorded failures: {} of {} fail again\n", check.still_failing.size(), check.recorded);
  // Shorter commands come first: their cases are shrunk, so they are easier to read.
  std::vector<std::string> commands;
  for (auto const& failure : check.still_failing)
    commands.push_back(command_again(checked.kernel, failure, checked.subject, checked.options.held));
  std::stable_sort(commands.begin(), commands.end(), [](auto const& a, auto const& b) { return a.size() < b.size(); });
  for (std::size_t i = 0; i < std::min(most, commands.size()); ++i) out.print("    {}\n", commands[i]);
  if (commands.size() > most) out.print("    and {} more\n", commands.size() - most);
}

void print_sentence(Output& out, Checked const& checked) { out.print("{}", wrapped(checked.verdict.sentence, 2)); }

/// Returns the text at the end of a row, for cases that failed or were not answered: "3.5 % fail, 4 crashed".
std::string remark(Outcome const& of) {
  std::vector<std::string> said;
  auto const add = [&](std::int64_t cases, std::string_view what) {
    if (cases > 0) said.push_back(report::grouped(cases) + " " + std::string(what));
  };
  if (of.failed > 0 && of.judged > 0)
    said.push_back(report::percent(static_cast<double>(of.failed) / static_cast<double>(of.judged)) +
                   (of.failed == of.judged ? " of them" : "") + ", worst in " + of.output);
  add(of.crash, "crashed");
  add(of.timeout, "timed out");
  add(of.missing, "not answered");
  add(of.malformed, "unreadable");
  add(of.unsupported, "declined");
  add(of.not_representable, "not representable");
  add(of.not_asked, "not asked");
  add(of.undecided, "undecided");
  add(of.known, "known");
  return fmt::to_string(fmt::join(said, ", "));
}

void print_row(Output& out, std::size_t indent, std::string const& name, Outcome const& of, std::string const& said) {
  std::size_t const width = 38 - indent;
  std::string const failed = of.judged == 0 && of.failed == 0 ? "-" : report::grouped(of.wrong());
  Colour const colour = of.wrong() > 0 ? Colour::bad : of.judged > 0 ? Colour::good : Colour::faint;
  out.print("{:{}}{:<{}} {:>10} {} {}  {}\n", "", indent, cut_to(name, width), width,
            of.judged > 0 ? report::grouped(of.judged) : "-", painted(colour, fmt::format("{:>10}", failed)),
            painted(colour, fmt::format("{:>7}", digits_text(of))), cut_to(said, 48));
}

/// Regimes without failures, which share one line.
struct Folded {
  Outcome all;
  std::vector<std::string> names;
};

void print_folded(Output& out, Folded const& folded) {
  if (folded.names.empty()) return;
  std::string const name =
      folded.names.size() == 1 ? folded.names.front() : fmt::format("{} regimes pass", folded.names.size());
  print_row(out, 4, name, folded.all, remark(folded.all));
}

/// Prints the table of profiles and regimes. `rows` is the largest number of regimes to show.
void print_profiles(Output& out, Checked const& checked, std::size_t rows, bool every) {
  report::Verdict const& verdict = checked.verdict;
  out.print("  {:<36} {:>10} {:>10} {:>7}\n", "", "n", "failed", "digits");
  for (auto const& profile : verdict.profiles) {
    std::vector<Outcome const*> failing;
    Folded holding;
    for (auto const& regime : verdict.regimes) {
      if (regime.profile != profile.name || !regime.asked()) continue;
      if (regime.wrong() > 0 || every) {
        failing.push_back(&regime);
      } else {
        report::add_regime(holding.all, regime);
        holding.names.push_back(regime.name);
      }
    }
    bool const only_shown = !decides(checked.contender, profile.name) && !every;
    std::string said = remark(profile);
    if (only_shown) {
      std::vector<std::string> names;
      for (auto const* regime : failing) names.push_back(regime->name);
      said = names.empty() ? remark(profile) : report::listed(names, 3) + (names.size() == 1 ? " fails" : " fail");
    }
    print_row(out, 2, profile.name.empty() ? "all" : profile.name + (only_shown ? " (only shown)" : ""), profile, said);
    if (only_shown || failing.size() + holding.names.size() < 2) continue;
    std::stable_sort(failing.begin(), failing.end(),
                     [&](Outcome const* a, Outcome const* b) { return !every && a->digits > b->digits; });
    if (failing.empty()) continue;
    holding.all.digits = report::digits_of(holding.all.error);
    print_folded(out, holding);
    std::size_t const shown = failing.size() <= rows ? failing.size() : rows - 1;
    for (std::size_t i = 0; i < shown; ++i) print_row(out, 4, failing[i]->name, *failing[i], remark(*failing[i]));
    Folded rest;
    for (std::size_t i = shown; i < failing.size(); ++i) {
      report::add_regime(rest.all, *failing[i]);
      rest.names.push_back(failing[i]->name);
    }
    rest.all.digits = report::digits_of(rest.all.error);
    if (!rest.names.empty())
      print_row(out, 4, fmt::format("{} more that fail", rest.names.size()), rest.all, remark(rest.all));
    rows -= std::min(rows - 1, failing.size());
  }
}

std::string worst_text(report::Number const& worst) {
  if (!worst || !std::isfinite(*worst)) return "worst not finite";
  return fmt::format("worst {} tolerances", brief(*worst));
}

void print_laws(Output& out, Checked const& checked, std::size_t most) {
  auto const& laws = checked.verdict.laws;
  if (laws.empty()) return;
  out.print("  {}\n", painted(Colour::strong, laws.size() == 1 ? "law broken" : "laws broken"));
  std::size_t const shown = laws.size() <= most ? laws.size() : most - 1;
  for (std::size_t i = 0; i < shown; ++i) {
    std::vector<std::string> regimes;
    for (auto const& result : checked.contender.laws) {
      if (result.law != laws[i].law) continue;
      auto sorted = result.regimes;
      std::stable_sort(sorted.begin(), sorted.end(), [](auto const& a, auto const& b) { return a.broken > b.broken; });
      for (auto const& regime : sorted)
        if (decides(checked.contender, report::profile_of(checked.of_kernel, regime.regime)))
          regimes.push_back(regime.regime);
    }
    std::string const line =
        fmt::format("    {:<24} in {} of {} ({}), {}", laws[i].law,
                    report::percent(static_cast<double>(laws[i].broken) / static_cast<double>(laws[i].applicable)),
                    report::grouped(laws[i].applicable), report::listed(regimes, 2), worst_text(laws[i].worst));
    out.print("{}\n", cut_to(line, screen_columns));
  }
  if (shown < laws.size()) {
    std::vector<std::string> names;
    for (std::size_t i = shown; i < laws.size(); ++i) names.push_back(laws[i].law);
    out.print("{}\n", cut_to("    and " + report::listed(names), screen_columns));
  }
}

/// Prints the failures that depend on the call pattern. With `every`, also prints the call patterns that were tried.
void print_calls(Output& out, Checked const& checked, bool every) {
  CallCheck const& calls = checked.check.calls;
  if (!calls.findings.empty()) out.print("  {}\n", painted(Colour::strong, "wrong in some call patterns"));
  for (CallFinding const& finding : calls.findings)
    out.print("    {:<10} {}\n", way_name(finding.way), cut_to(finding.text, screen_columns - 15));
  auto const names = [](std::vector<Way> const& ways) {
    std::vector<std::string> result;
    for (Way const way : ways) result.emplace_back(way_name(way));
    return report::listed(result, result.size());
  };
  if (!calls.known.empty()) out.print("  known failures of call patterns: {}\n", names(calls.known));
  if (!every) return;
  if (!calls.tried.empty())
    out.print("  {} call patterns tried ({}), with {} cases in {} calls\n", calls.tried.size(), names(calls.tried),
              report::grouped(count(calls.cases)), report::grouped(count(calls.calls)));
  if (!calls.not_tried.empty()) out.print("  call patterns not tried: {}\n", names(calls.not_tried));
}

/// A case to show, and the values by which the cases are sorted.
struct Telling {
  std::size_t profile;
  bool finite;
  std::size_t length;
  std::string text, command;
};

std::size_t place_of(std::string_view profile) {
  auto const names = labels(Profile{});
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), profile) - names.begin());
}

std::vector<Telling> telling_cases(Checked const& checked) {
  // A longer command would hide the other cases. It is replaced by a command with the id of the case.
  constexpr std::size_t long_command = 2000;
  std::vector<Telling> cases;
  double const u = report::unit_of(checked.contender);
  for (auto const& failure : checked.contender.failures) {
    std::string command = failure.example.command;
    std::size_t const length = command.size();
    bool const as_drawn = command.size() > long_command && checked.drawn && checked.options.sizes == Sizes{};
    if (as_drawn)
      command = explain_drawn(checked.kernel, failure.example.id, failure.example.regime, checked.seed, checked.subject,
                              checked.options.held);
    cases.push_back({place_of(report::profile_of(checked.of_kernel, failure.example.regime)),
                     failure.example.error && std::isfinite(*failure.example.error), length,
                     failure.example.regime + ": " + report::what_is_wrong(checked.of_kernel, failure, u) +
                         (as_drawn ? " (part of the case below)" : ""),
                     std::move(command)});
  }
  auto const more_telling = [](Telling const& a, Telling const& b) {
    return std::tie(a.profile, b.finite, a.length) < std::tie(b.profile, a.finite, b.length);
  };
  std::stable_sort(cases.begin(), cases.end(), more_telling);
  std::vector<Telling> laws;
  for (auto const& law : checked.verdict.laws)
    for (auto const& result : checked.contender.laws)
      if (result.law == law.law && result.counterexample)
        laws.push_back({0, result.counterexample->violation && std::isfinite(*result.counterexample->violation),
                        result.counterexample->command.size(),
                        fmt::format("law {}: {}", law.law, worst_text(result.counterexample->violation)),
                        result.counterexample->command});
  std::stable_sort(laws.begin(), laws.end(), more_telling);
  cases.insert(cases.end(), laws.begin(), laws.end());
  return cases;
}

void print_cases(Output& out, Checked const& checked, std::size_t most) {
  auto const cases = telling_cases(checked);
  std::size_t const shown = std::min(most, cases.size());
  for (std::size_t i = 0; i < shown; ++i)
    out.print("  {}\n    {}\n", cut_to(cases[i].text, screen_columns - 2), painted(Colour::faint, cases[i].command));
  if (shown < cases.size()) out.print("  and {} more (--all)\n", cases.size() - shown);
}

/// Prints the difference between a model and the recommended formula, for each output. This difference is not a defect
/// of the subject.
void print_model(Output& out, Checked const& checked) {
  Kernel const& kernel = checked.kernel;
  std::string farthest;
  std::uint64_t cases = 0;
  for (std::size_t k = 0; k < kernel.budgets.size(); ++k) {
    double most = -1;
    std::uint64_t looked_at = 0;
    for (auto const& cell : checked.check.accuracy) {
      if (cell.budget != k || cell.model_cases == 0 || !cell.decides) continue;
      looked_at += cell.model_cases;
      most = std::max(most, cell.model_distance);
    }
    if (most < 0) continue;
    cases = std::max(cases, looked_at);
    if (std::isinf(most)) {  // the output is a label
      farthest += fmt::format("{}{} differs", farthest.empty() ? "" : ", ", kernel.budgets[k].output);
      continue;
    }
    farthest += fmt::format("{}{} {} u{}", farthest.empty() ? "" : ", ", kernel.budgets[k].output, brief(most),
                            kernel.budgets[k].measure == Measure::relative ? " |truth|" : " S");
  }
  if (!farthest.empty())
    out.print("{}", wrapped(fmt::format(
                                "largest difference between the formula {} and the recommended formula in {} cases: {}",
                                checked.check.model, report::grouped(count(cases)), farthest),
                            2));
}

/// Prints the laws that the formula itself breaks in the same cases. These violations do not count.
void print_laws_of_formula(Output& out, Checked const& checked) {
  std::string laws;
  for (auto const& law : checked.check.laws)
    if (law.by_formula > 0)
      laws += fmt::format("{}{} {}", laws.empty() ? "" : ", ", checked.kernel.laws[law.law].name,
                          report::grouped(count(law.by_formula)));
  if (!laws.empty())
    out.print("{}", wrapped(fmt::format("laws that the formula {} breaks too, with the number of cases: {}",
                                        checked.check.formula, laws),
                            2));
}

/// Prints what is wrong with a choice that is a mistake.
void print_mistakes(Output& out, Checked const& checked) {
  if (!checked.check.identified || !checked.check.identified->fits()) return;
  FormulaList const& formulas = checked.kernel.formulas;
  auto const code = formulas.code(checked.check.identified->formula);
  if (!code) return;
  auto const& choices = formulas.composition().choices;
  for (std::size_t k = 0; k < choices.size(); ++k) {
    ChoiceValue const& value = choices[k].values[formulas.value_of(*code, k)];
    if (value.kind == FormulaKind::mistake)
      out.print("{}", wrapped(fmt::format("{}={}: {}", choices[k].name, value.name, value.doc), 2));
  }
}

/// Prints the choices that the answers do not determine, and a case that would determine one of them.
void print_open_choices(Output& out, Checked const& checked) {
  if (!checked.contender.identified || checked.contender.identified->open.empty()) return;
  report::IdentifiedTerm const& is = *checked.contender.identified;
  std::vector<std::string> open;
  for (auto const& each : is.open) open.push_back(fmt::format("{} ({})", each.choice, fmt::join(each.values, ", ")));
  out.print("{}", wrapped("not determined by the answers: " + report::listed(open, open.size()), 2));
  if (!is.telling.empty())
    out.print("  not answered, and would determine one of them:\n    {}\n", painted(Colour::faint, is.telling));
}

void print_truth(Output& out, Checked const& checked) {
  if (!checked.kernel.certainty.bounded() || !checked.check.formula.empty())
    out.print("{}", wrapped("truth: " + truth_words(checked.kernel, checked.check.formula), 2));
}

/// Prints seed, tolerance and other information that is not in the table.
void print_about(Output& out, Checked const& checked) {
  CheckOptions const& options = checked.options;
  std::string by = fmt::format("seed {}, tolerance {}", checked.seed, checked.contender.tolerance);
  out.print("{}", wrapped(by, 2));
  if (checked.subject.cases > 0)
    out.print("  {}: {} cases per regime{}; failing cases are not shrunk\n",
              checked.subject.approximate() ? "an approximation" : "a program", report::grouped(count(options.cases)),
              options.law_cases > 0 ? "" : ", laws not checked (--count, --laws)");
  print_mistakes(out, checked);
  print_truth(out, checked);
  print_open_choices(out, checked);
  print_laws_of_formula(out, checked);
  print_model(out, checked);
}

/// Prints one output, with a line per regime.
void print_output(Output& out, Checked const& checked, std::size_t k) {
  Kernel const& kernel = checked.kernel;
  std::vector<AccuracyCell const*> cells;
  for (auto const& cell : checked.check.accuracy)
    if (cell.budget == k && cell.judged > 0) cells.push_back(&cell);
  if (cells.empty()) return;
  out.print("  {} (budget {})\n", kernel.budgets[k].output,
            tolerance_text(kernel, k, tolerance_of(kernel, checked.subject, checked.options.held)));
  for (auto const* cell : cells) out.print("    {:<24} {}\n", kernel.regimes[cell->regime].name, accuracy_text(*cell));
}

}  // namespace

std::string accuracy_text(AccuracyCell const& cell) {
  return fmt::format("max {:>8}  mean {:>8}  {} of {} failed, worst id {}", brief(cell.max_error),
                     brief(cell.errors.mean()), report::grouped(count(cell.failed)),
                     report::grouped(count(cell.judged)), cell.worst ? cell.worst->id : 0);
}

void print_verdict(Output& out, Checked const& checked) {
  print_sentence(out, checked);
  print_truth(out, checked);
  if (!checked.verdict.profiles.empty()) print_profiles(out, checked, 10, false);
}

void print_screen(Output& out, Checked const& checked) {
  out.print("\n{}\n", heading(checked));
  print_sentence(out, checked);
  print_about(out, checked);
  print_recorded(out, checked, 1);
  if (!checked.verdict.profiles.empty()) print_profiles(out, checked, 10, false);
  print_laws(out, checked, 4);
  print_calls(out, checked, false);
  print_cases(out, checked, 3);
}

void print_overview_head(Output& out) {
  out.print("{:<29} {:<24} {:<16} {:>10} {:>9} {:>11} {:>8}\n", "kernel", "subject", "", "n", "everyday", "degenerate",
            "extreme");
}

void print_overview(Output& out, Checked const& checked) {
  std::int64_t judged = 0;
  for (auto const& profile : checked.verdict.profiles) judged += profile.judged;
  auto const cell = [&](std::string_view name, std::size_t width) {
    for (auto const& profile : checked.verdict.profiles)
      if (profile.name == name)
        return painted(profile.wrong() > 0  ? Colour::bad
                       : profile.judged > 0 ? Colour::good
                                            : Colour::faint,
                       fmt::format("{:>{}}", digits_text(profile), width));
    return fmt::format("{:>{}}", "-", width);
  };
  std::string_view const verdict = !checked.check.passed()                ? "FAILED"
                                   : checked.check.answered_nothing()     ? "answered nothing"
                                   : !checked.check.not_a_verdict.empty() ? "not refuted"
                                                                          : "passed";
  out.print("{:<29} {:<24} {} {:>10} {} {} {}\n", cut_to(checked.kernel.name, 29),
            cut_to(plain_text(checked.subject.name), 24),
            painted(verdict == "passed" ? Colour::good : Colour::bad, fmt::format("{:<16}", verdict)),
            report::grouped(judged), cell("everyday", 9), cell("degenerate", 11), cell("extreme", 8));
  print_recorded(out, checked, 1);
}

void print_failing(Output& out, std::vector<Checked> const& some, std::size_t failing) {
  for (auto const& checked : some) {
    out.print("\n{} against {}\n", checked.kernel.name, plain_text(checked.subject.name));
    print_sentence(out, checked);
    print_calls(out, checked, false);
    print_cases(out, checked, 1);
  }
  if (failing > some.size())
    out.print("\n{} more fail: show them with --all, or check one of them alone\n", failing - some.size());
}

void print_everything(Output& out, Checked const& checked) {
  Kernel const& kernel = checked.kernel;
  SubjectCheck const& check = checked.check;
  out.print("\n{}\n", heading(checked));
  print_sentence(out, checked);
  print_about(out, checked);
  print_recorded(out, checked, 5);
  std::uint64_t verdicts = 0, refined = 0;
  for (auto const& cell : check.accuracy) verdicts += cell.judged, refined += cell.refined;
  if (verdicts > 0)
    out.print("  {} verdicts, {} of them with intervals of higher precision, {} undecided\n",
              report::grouped(count(verdicts)), report::grouped(count(refined)),
              report::grouped(count(check.undecided())));
  print_profiles(out, checked, kernel.regimes.size(), true);
  for (std::size_t k = 0; k < kernel.budgets.size(); ++k) print_output(out, checked, k);
  for (auto const& law : check.laws) {
    if (law.applicable == 0) continue;
    LawInfo const& info = kernel.laws[law.law];
    if (law.known > 0)
      out.print("  law {:<24} broken in {} accepted cases\n", info.name, report::grouped(count(law.known)));
    if (law.broken == 0) {
      out.print("  law {:<24} holds in {} cases, worst {} of its tolerance\n", info.name,
                report::grouped(count(law.applicable)), brief(law.worst));
      continue;
    }
    out.print("  law {} BROKEN in {} of {} cases, {} ({}):", info.name, report::grouped(count(law.broken)),
              report::grouped(count(law.applicable)), worst_text(law.worst), info.tolerance);
    for (auto const& breach : law.regimes)
      if (breach.broken > 0)
        out.print(" {} {}", kernel.regimes[breach.regime].name, report::grouped(count(breach.broken)));
    out.print("\n");
  }
  print_calls(out, checked, true);
  print_cases(out, checked, ~std::size_t{0});
}

}  // namespace demeter::cli
