#include "cli/core/command.hpp"
#include "cli/core/formula.hpp"
#include "cli/core/screen.hpp"
#include "cli/core/selection.hpp"
#include "cli/core/suggest.hpp"
#include "cli/core/tolerance.hpp"

#include "check/check.hpp"
#include "check/model.hpp"
#include "reports/format/describe.hpp"
#include "reports/format/difference.hpp"
#include "reports/format/verdict.hpp"
#include "reports/format/words.hpp"

#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

namespace demeter::cli {
namespace {

std::string hexfloats(nlohmann::ordered_json const& value) {
  if (value.is_number()) return fmt::format("{:a}", value.get<double>());
  if (value.is_array() || value.is_object()) {
    std::string text;
    for (auto const& [key, item] : value.items())
      text += (text.empty() ? "" : " ") + (value.is_object() ? key + "=" : "") + hexfloats(item);
    return "(" + text + ")";
  }
  return value.dump();
}

void print_record(Output& out, std::string_view title, nlohmann::ordered_json const& record, bool hex) {
  out.print("{}\n", title);
  for (auto const& [key, value] : record.items())
    out.print("  {:<16} {}{}\n", key, value.is_string() ? value.get<std::string>() : value.dump(),
              hex && !value.is_null() && !value.is_string() ? "   " + hexfloats(value) : "");
}

struct ExplainArguments : Common {
  Selection selection;
  std::string given, law, formula, subject_name = "fast";
  std::uint64_t salt = 0;
  bool all = false, seed_given = false;
};

/// Reads the given case: JSON, or the id of a generated case. Returns `held` (success), or the exit code after an error
/// message.
int read_given(Kernel const& kernel, ExplainArguments const& options, Table& cases) {
  std::string const& given = options.given;
  auto const begin = given.find_first_not_of(" \t\r\n");
  if (begin != std::string::npos && given[begin] == '{') {
    Selection const& selection = options.selection;
    if (options.seed_given || !selection.regimes.empty() || !selection.profiles.empty() || !selection.sizes.empty())
      return complain(bad_usage, "explain", "--seed, --regime, --profile and --sizes: got a case, expected an id");
    if (auto const wrong = read_case(kernel, given, cases)) return complain(bad_data, "explain", *wrong);
  } else {
    std::uint64_t id = 0;
    auto const [end, error] = std::from_chars(given.data(), given.data() + given.size(), id);
    if (error != std::errc{} || end != given.data() + given.size())
      return complain(bad_usage, "explain",
                      fmt::format("case: got \"{}\", expected a JSON object or the id of a generated case", given));
    auto const selected = select_or_complain("explain", kernel, options.selection);
    if (!selected) return bad_usage;
    kernel.generate(selected->regime_of(id), options.seed, id, cases, selected->sizes);
  }
  if (auto const outside = kernel.domain_error(cases, 0))
    return complain(bad_data, "explain", domain_message(kernel, cases, 0, *outside));
  return held;
}

void print_text(Output& out, std::string_view title, Kernel const& kernel, TextTable const& text) {
  Buffer buffer;
  write_record(kernel.output, text, 0, true, buffer);
  print_record(out, title, nlohmann::ordered_json::parse(buffer.begin(), buffer.end()), false);
}

void print_truth(Output& out, Kernel const& kernel, Model const& model, Table const& cases, Truths const& truths) {
  TextTable truth = empty_text(kernel.output);
  kernel.certain_text(truths, 0, truth);
  if (!model.recommended())
    return print_text(out,
                      fmt::format("truth: {} (the digits on which two precisions agree, at most 30)",
                                  truth_words(kernel, model.name())),
                      kernel, truth);
  print_text(out,
             fmt::format("truth (oracle, the {} digits, at most 30; none if the answer is not unique)",
                         kernel.certainty.bounded() ? "certain" : "estimated"),
             kernel, truth);
  if (!kernel.certainty.bounded()) out.print("  {}\n", certainty_text(kernel.certainty));
  TextTable reference = empty_text(kernel.output);
  kernel.evaluate_text(0, Arithmetic{}, 30, cases, 0, reference);
  print_text(out, "reference (30 digits)", kernel, reference);
}

/// Returns the error as text: in u if it is below 1e6 u, otherwise as "correct to 8.9 digits" or "45 % of the truth".
std::string error_text(Budget const& budget, double error, double u) {
  bool const relative = budget.measure == Measure::relative;
  std::string_view const of = relative ? "|truth|" : "S";
  if (std::isinf(error)) return "error not finite";
  if (error < 1e6) return fmt::format("error {} u {}", brief(error), of);
  if (error * u < 1e-3) return fmt::format("correct to {:.1f} digits of {}", report::digits_of(error * u), of);
  if (error * u < 10) return fmt::format("error {} of {}", report::percent(error * u), of);
  return fmt::format("error {} {}", brief(error * u), of);
}

void print_verdict(Output& out, Budget const& budget, Judged const& judged, bool conditioned, double u,
                   std::optional<report::Difference> const& difference) {
  bool const relative = budget.measure == Measure::relative, wrong = judged.verdict == Verdict::fail;
  std::string const verdict(labels(Verdict{})[static_cast<std::size_t>(judged.verdict)]);
  out.print("  {:<16} {}  ", budget.output,
            wrong ? painted(Colour::bad, fmt::format("{:<9}", "FAIL"))
                  : painted(verdict == "pass" ? Colour::good : Colour::plain, fmt::format("{:<9}", verdict)));
  if (wrong && difference) {
    std::string const by = report::relative_text(*difference);
    std::string part = difference->where.substr(budget.output.size());  // "", "[1]", ".x"
    if (part.starts_with('.')) part.erase(0, 1);
    out.print("{}{}, truth {}{}; ", part.empty() ? "" : part + " ", difference->answer, difference->truth,
              by.empty() ? "" : ": " + by);
  }
  if (wrong && !difference && budget.measure == Measure::optimality) out.print("distance from the optimum: ");
  out.print("{}, budget {}", error_text(budget, judged.error, u), budget_text(budget));
  if (relative && conditioned && judged.error < 1e6) out.print("; error over condition {} u", brief(judged.condition));
  if (budget.measure == Measure::scale && judged.relative < 1e6)
    out.print("; relative error {} u", brief(judged.relative));
  out.print("\n");
}

/// Prints the answer and the verdict of each output. Returns false if a judged output does not pass, or if the subject
/// failed to answer.
bool print_answer(Output& out, Kernel const& kernel, Model const& model, Subject const& subject, Table const& cases,
                  Truths const& truths, Tolerance const& tolerance) {
  Answers answers;
  answer(subject, kernel, cases, answers);
  if (answers.status[0] != Status::answered) {
    out.print("{}: {}: {}\n", plain_text(subject.name), labels(Status{})[static_cast<std::size_t>(answers.status[0])],
              plain_text(answers.message[0]));
    return answers.status[0] == Status::unsupported || answers.status[0] == Status::not_representable;
  }
  print_record(out, plain_text(subject.name), record_json(kernel.output, answers.output, 0), true);
  std::vector<Judged> judged(kernel.budgets.size());
  model.judge(cases, truths, 0, answers, 0, tolerance, judged);
  bool const conditioned = !truths.conditions.columns.empty();
  bool holds = true;
  out.print("verdict{}\n", model.name().empty() ? "" : ", by " + truth_words(kernel, model.name()));
  TextTable certain = empty_text(kernel.output);
  kernel.certain_text(truths, 0, certain);
  Buffer text;
  write_record(kernel.output, certain, 0, true, text);
  auto const truth = nlohmann::ordered_json::parse(text.begin(), text.end());
  auto const given = record_json(kernel.output, answers.output, 0);
  for (std::size_t k = 0; k < judged.size(); ++k) {
    std::string const output(kernel.budgets[k].output);
    if (!judged[k].computed) {
      if (given.contains(output)) out.print("  {:<16} not judged: its error is not measured\n", output);
      continue;
    }
    std::optional<report::Difference> difference;
    if (given.contains(output) && truth.contains(output))
      difference = report::difference(output, given[output], truth[output]);
    print_verdict(out, tolerated(kernel, k, tolerance), judged[k], conditioned,
                  static_cast<double>(tolerance.format.roundoff), difference);
    holds = holds && judged[k].verdict == Verdict::pass;
  }
  return holds;
}

bool all_finite(Table const& outputs) {
  for (auto const& column : outputs.columns)
    for (double const cell : column)
      if (!std::isfinite(cell) && !is_not_computed(cell)) return false;
  return true;
}

enum class LawSaid { holds, broken, nothing };

/// Prints whether a law holds. With `every_input`, also prints the cases that the law compares. Prints a law that does
/// not apply to the case only with `every_input` or `every_law`.
LawSaid print_law(Output& out, Kernel const& kernel, Model const& model, Subject const& subject, std::size_t law,
                  Table const& cases, std::uint64_t salt, std::optional<Held> const& own, bool every_input,
                  bool every_law) {
  LawInfo const& info = kernel.laws[law];
  Table inputs(kernel.input);
  Answers answers;
  auto const violation = law_violation(kernel, subject, law, cases, 0, salt, inputs, answers, own);
  Tolerance const tolerance = tolerance_of(kernel, subject, own);
  auto const of_formula = [&](Table const& asked, Answers const& of) {
    return violation_of(kernel, subject, tolerance, law, used_outputs(kernel, info), asked, of, 0, asked.rows);
  };
  bool const broken = violation && !(*violation <= 1);
  bool const too = broken && model.breaks_too(inputs, 0, inputs.rows, *violation, tolerance.format, of_formula);
  LawSaid const said = !violation ? LawSaid::nothing : !broken || too ? LawSaid::holds : LawSaid::broken;
  if (said == LawSaid::nothing) {
    if (every_input || every_law) out.print("  {:<20} not applicable\n", info.name);
  } else {
    std::string const size = !std::isinf(*violation)      ? brief(*violation) + " of the tolerance"
                             : all_finite(answers.output) ? "the violation is not finite"
                                                          : "an answer is NaN or infinite";
    out.print("  {:<20} {} ({}, {})\n", info.name,
              too                      ? "also broken by the formula"
              : said == LawSaid::holds ? "holds"
                                       : painted(Colour::bad, "BROKEN"),
              size, info.tolerance);
  }
  if (!every_input) return said;
  out.print("  {}\n", info.doc);
  for (std::size_t row = 0; row < inputs.rows; ++row) {
    out.print("    {}\n", record_json(kernel.input, inputs, row).dump());
    if (row < answers.status.size() && answers.status[row] == Status::answered) {
      out.print("    -> {}\n", record_json(kernel.output, answers.output, row).dump());
    } else if (row < answers.status.size()) {
      out.print("    -> {}\n", labels(Status{})[static_cast<std::size_t>(answers.status[row])]);
    }
  }
  return said;
}

int run_explain(ExplainArguments const& options) {
  Kernel const* kernel = kernel_or_complain("explain", options.kernel);
  if (kernel == nullptr) return bad_usage;
  SubjectOptions asked_once = options.subject_options();
  asked_once.timeouts = 1;  // otherwise a case that hangs would hang again in every law
  Subject const* subject = subject_or_complain("explain", options.subject_name, asked_once);
  if (subject == nullptr) return bad_usage;
  auto const* const asked = std::exchange(subject, subject_for(*kernel, *subject));
  if (subject == nullptr) return complain(bad_usage, "explain", why_not(*kernel, *asked));
  if (!formula_or_complain("explain", options.formula, {kernel})) return bad_usage;
  subject = by_formula(subject, options.formula);
  std::optional<std::size_t> law;
  for (std::size_t i = 0; i < kernel->laws.size(); ++i)
    if (kernel->laws[i].name == options.law) law = i;
  if (!options.law.empty() && !law)
    return complain(
        bad_usage, "explain",
        fmt::format("unknown law \"{}\" of {}; {}", options.law, kernel->name,
                    meant(options.law, names_of(kernel->laws), "one of the laws in demeter list " + kernel->name)));
  std::optional<Held> own;
  if (!held_or_complain("explain", options, {kernel}, own)) return bad_usage;
  Table cases(kernel->input);
  if (int const code = read_given(*kernel, options, cases); code != held) return code;
  cases = judged_cases(*kernel, *subject, cases);

  Output out;
  print_record(out, subject->binary32 ? "input, rounded to binary32 (u = 2^-24 below)" : "input (hexfloats are exact)",
               record_json(kernel->input, cases, 0), true);
  Model const model = model_of(*kernel, *subject);
  Truths const truths = model.truths(cases);
  print_truth(out, *kernel, model, cases, truths);
  bool holds = print_answer(out, *kernel, model, *subject, cases, truths, tolerance_of(*kernel, *subject, own));
  out.print("laws\n");
  std::size_t silent = 0;
  for (std::size_t i = 0; i < kernel->laws.size(); ++i) {
    if (law && *law != i) continue;
    auto const said =
        print_law(out, *kernel, model, *subject, i, cases, options.salt, own, law.has_value(), options.all);
    holds = holds && said != LawSaid::broken;
    silent += said == LawSaid::nothing ? 1 : 0;
  }
  if (silent > 0 && !law && !options.all)
    out.print("  {} law{} not applicable (--all)\n", silent, silent == 1 ? "" : "s");
  if (!out.flush()) return complain(broken, "explain", out.error());
  if (!holds) return complain(failed, "explain", fmt::format("{} fails on this case", subject->name));
  return complain_of_strays("explain", {subject});
}

}  // namespace

Verb explain() {
  Verb verb{"explain", "explains one case: truth, answer, error, condition, verdict, laws"};
  auto options = std::make_shared<ExplainArguments>();
  verb.option("kernel", options->kernel, "the kernel").required();
  verb.option("case", options->given, "the case as JSON, or the id of a generated case (with --seed and --regime)")
      .required();
  verb.option("--subject", options->subject_name,
              "subject to explain: fast, documented, bullet, lib:PATH, pipe:COMMAND, ...")
      .shows_default();
  add_limits(verb, *options);
  add_tolerance(verb, *options);
  add_formula(verb, options->formula);
  verb.option("--law", options->law, "show what this law compares");
  verb.flag("--all", options->all, "also show the laws that do not apply to the case");
  verb.option("--salt", options->salt, "seed of the random choices of the law, as a report prints it")
      .check(whole_number())
      .shows_default();
  verb.option("--seed", options->seed, "seed of the generated case")
      .check(whole_number())
      .shows_default()
      .notes(options->seed_given);
  add_selection(verb, options->selection, "regimes of the generated case, as given to generate");
  verb.exclusive({"--law", "--all"});
  verb.example =
      "demeter explain capsule_mass_properties '{\"radius\":0.5,\"shaft\":1,\"density\":1000}' "
      "--subject documented";
  verb.run = [options] { return run_explain(*options); };
  return verb;
}

}  // namespace demeter::cli
