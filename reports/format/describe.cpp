#include "reports/format/describe.hpp"

#include "base/shell.hpp"
#include "check/model.hpp"
#include "check/tolerance.hpp"
#include "kernels/json_lines.hpp"
#include "reports/format/members.hpp"
#include "reports/format/model.hpp"
#include "reports/format/verdict.hpp"
#include "subjects/outside/outside.hpp"
#include "subjects/outside/programs.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace demeter {
namespace {

using Json = nlohmann::ordered_json;

void add_fields(Node const& node, std::string const& prefix, std::vector<report::Field>& fields) {
  for (auto const& child : node.children) {
    std::string const name = prefix + child.name;
    fields.push_back({name, shape_of(child), std::string(child.unit), std::string(child.doc)});
    if (child.kind == Node::Kind::record) add_fields(child, name + ".", fields);
    if (child.kind == Node::Kind::list && child.children.front().kind == Node::Kind::record)
      add_fields(child.children.front(), name + ".", fields);
  }
}

template <class Item>
std::vector<report::Term> terms(std::vector<Item> const& items) {
  std::vector<report::Term> result;
  for (auto const& item : items) result.push_back({item.name, item.doc});
  return result;
}

}  // namespace

std::string shape_of(Node const& node) {
  std::string const null = node.nullable ? " or null" : "";
  switch (node.kind) {
    case Node::Kind::number:
      return (node.extent == 0 ? "number" : std::to_string(node.extent) + " numbers") + null;
    case Node::Kind::record:
      return "record";
    case Node::Kind::list:
      return "list of " +
             (node.children.front().kind == Node::Kind::record ? "records" : shape_of(node.children.front())) +
             (node.length_of.empty() ? "" : ", as long as " + node.length_of);
    case Node::Kind::enumeration: {
      std::string text = "one of";
      for (auto label : node.labels) text += " " + std::string(label);
      return text;
    }
  }
  return "";
}

std::string budget_text(Budget const& budget) {
  std::string const units = fmt::format("{}", budget.units) + " u";
  switch (budget.measure) {
    case Measure::relative:
      return units + " |truth|";
    case Measure::scale:
      return units + " S";
    case Measure::optimality:
      return units + " S above the optimum";
  }
  return units;
}

std::string_view certainty_word(Certainty const& of) { return of.bounded() ? "bounded" : "estimated"; }

std::string certainty_text(Certainty const& of) {
  if (of.bounded()) return "bounded: its error is proved to be within the stated radius";
  return fmt::format("estimated, not bounded: {}", of.not_bounded_because);
}

Json number_json(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return value;
}

Json record_json(Schema const& schema, Table const& table, std::size_t row) {
  Buffer text;
  write_record(schema, table, row, text);
  return Json::parse(text.begin(), text.end());
}

Json truth_json(Kernel const& kernel, Truths const& truths, std::size_t row) {
  TextTable certain = empty_text(kernel.output);
  kernel.certain_text(truths, row, certain);
  Buffer text;
  write_record(kernel.output, certain, 0, true, text);
  return Json::parse(text.begin(), text.end());
}

std::string truth_words(Kernel const& kernel, std::string_view formula) {
  if (!formula.empty() && formula != kernel.formulas.front().name)
    return fmt::format("the formula {}, in growing precision", formula);
  std::string const truth = kernel.certainty.bounded() ? "certified" : certainty_text(kernel.certainty);
  return formula.empty() ? truth : truth + "; within 4 ulps of a jump of the formula, both sides are right";
}
namespace {

std::string quoted_case(Kernel const& kernel, Table const& cases, std::size_t row) {
  Buffer text;
  write_record(kernel.input, cases, row, text);
  return shell_quoted(fmt::to_string(text));
}

/// `given` is the case in quotes, or its id with the options that draw it.
std::string explain_given(Kernel const& kernel, std::string_view given, std::string_view subject) {
  return fmt::format("demeter explain {} {} --subject {}", kernel.name, given, shell_quoted(from_anywhere(subject)));
}

std::string explain_given(Kernel const& kernel, std::string_view given, Subject const& subject,
                          std::optional<Held> const& held) {
  std::string command = explain_given(kernel, given, subject.name);
  if (subject.binary32) command += " --binary32";
  auto const* const answering = subject.find(kernel.name);
  if (answering != nullptr && !answering->formula.empty()) command += " --formula " + shell_quoted(answering->formula);
  if (!held || *held == held_by_default(subject)) return command;
  command += " --tolerance " + tolerance_text(*held);
  if (held->factor != 1) command += fmt::format(" --budget {}", held->factor);
  for (auto const& [output, units] : held->units)
    for (Budget const& budget : kernel.budgets)
      if (budget.output == output) command += fmt::format(" --budget {}={}", output, units);
  return command;
}

}  // namespace

std::string explain_command(Kernel const& kernel, Table const& cases, std::size_t row, std::string_view subject) {
  return explain_given(kernel, quoted_case(kernel, cases, row), subject);
}

double rounded(double value, int digits) {
  if (value == 0 || !std::isfinite(value)) return value;
  return std::strtod(fmt::format("{:.{}e}", value, digits - 1).c_str(), nullptr);
}

double rounded_beside(double limit, double value) {
  double const result = rounded(value);
  return (result > limit) == (value > limit) ? result : value;
}

std::string measure_name(Measure measure) { return std::string(labels(measure)[static_cast<std::size_t>(measure)]); }

report::Kernel describe(Kernel const& kernel) {
  report::Kernel result;
  result.name = kernel.name;
  result.summary = kernel.summary;
  result.conventions = kernel.conventions;
  result.source = kernel.source;
  result.certainty = certainty_word(kernel.certainty);
  result.not_bounded_because = kernel.certainty.not_bounded_because;
  add_fields(kernel.input.root, "", result.input);
  add_fields(kernel.output.root, "", result.output);
  for (auto const& budget : kernel.budgets)
    result.budgets.push_back({std::string(budget.output), measure_name(budget.measure), budget.units});
  for (auto const& formula : kernel.formulas)
    result.formulas.push_back(
        {formula.name, formula.doc, std::string(labels(formula.kind)[static_cast<std::size_t>(formula.kind)])});
  for (auto const& each : kernel.implementations) result.implementations.push_back({each.name, each.answering.doc});
  for (auto const& regime : kernel.regimes)
    result.regimes.push_back({regime.name, regime.doc,
                              std::string(labels(regime.profile)[static_cast<std::size_t>(regime.profile)]),
                              count(regime.size)});
  result.workloads = terms(kernel.workloads);
  for (auto const& law : kernel.laws) {
    auto outputs = law.uses;
    outputs.insert(outputs.end(), law.compares.begin(), law.compares.end());
    result.laws.push_back({law.name, law.doc, law.tolerance, std::move(outputs)});
  }
  return result;
}

std::vector<report::Subject> describe_subjects(std::vector<Subject const*> const& outside) {
  std::vector<Subject const*> all = subjects_and_programs();
  all.insert(all.end(), outside.begin(), outside.end());
  std::vector<report::Subject> result;
  for (auto const* subject : all)
    result.push_back(
        {subject->name, subject->doc, version_of(*subject), subject->ours(), subject->approximate(), subject->home});
  return result;
}

std::vector<report::MissingPeer> missing_peers() {
  std::vector<report::MissingPeer> result;
  for (auto const* peers : {&found_peers(), &found_programs()})
    for (auto const& missing : peers->missing) result.push_back({missing.name, missing.why});
  return result;
}

namespace {

/// Returns an example. A brief example has no input, answer and truth, and its command draws the case again.
report::Example describe(Kernel const& kernel, Subject const& subject, Example const& example,
                         CheckOptions const& options, bool brief) {
  report::Example result;
  result.id = example.id;
  result.regime = kernel.regimes[example.regime].name;
  result.error = example.error;
  if (brief) {
    result.command = explain_drawn(kernel, result.id, result.regime, options.seed, subject, options.held);
    return result;
  }
  result.input = record_json(kernel.input, example.input, 0);
  result.answer = record_json(kernel.output, example.answer, 0);
  result.truth = truth_json(kernel, model_of(kernel, subject).truths(example.input), 0);
  result.command = explain_command(kernel, example.input, 0, subject, options.held);
  return result;
}

bool is_long(Kernel const& kernel, Example const& example) {
  constexpr std::size_t very_long = 1000;
  return record_json(kernel.input, example.input, 0).dump().size() > very_long;
}

report::Accuracy describe(Kernel const& kernel, Subject const& subject, AccuracyCell const& cell,
                          CheckOptions const& options, Examples examples) {
  Budget const budget = tolerated(kernel, cell.budget, tolerance_of(kernel, subject, options.held));
  report::Accuracy result;
  result.regime = kernel.regimes[cell.regime].name;
  result.output = budget.output;
  result.measure = measure_name(budget.measure);
  result.budget = budget.units;
  result.cases = count(cell.cases);
  result.judged = count(cell.judged);
  result.unsupported = count(cell.unsupported);
  result.not_representable = count(cell.not_representable);
  result.not_asked = count(cell.not_asked);
  result.missing = count(cell.missing);
  result.malformed = count(cell.malformed);
  result.crash = count(cell.crash);
  result.timeout = count(cell.timeout);
  result.failed = count(cell.failed);
  result.undecided = count(cell.undecided);
  result.refined = count(cell.refined);
  result.known = count(cell.known);
  result.not_a_number = count(cell.not_a_number);
  result.not_finite = count(cell.not_finite);
  auto const& labels = kernel.output.root.children[kernel.budgeted[cell.budget]].labels;
  for (auto const& [mixed_up, times] : cell.labels)
    result.labels.push_back({std::string(labels[mixed_up.first]), std::string(labels[mixed_up.second]), count(times)});
  result.max_error = rounded_beside(budget.units, cell.max_error);
  // Rounded to four digits, because the quantiles are accurate to 0.1 %.
  result.mean_error = rounded(cell.errors.mean(), 4);
  result.median_error = rounded(cell.errors.quantile(0.5), 4);
  result.p99_error = rounded(cell.errors.quantile(0.99), 4);
  result.max_relative = rounded(cell.max_relative);
  if (cell.model_cases > 0) result.model_distance = rounded(cell.model_distance);
  result.model_cases = count(cell.model_cases);
  if (cell.max_condition > 0) result.max_condition = rounded(cell.max_condition);
  if (!cell.worst) return result;
  bool const brief = examples == Examples::brief &&
                     (report::standing(result) != report::Standing::exceeded || is_long(kernel, *cell.worst));
  result.worst = describe(kernel, subject, *cell.worst, options, brief);
  return result;
}

/// Returns the results by size of the case. They show at which size failures begin.
std::vector<report::SizeBin> describe_sizes(Kernel const& kernel, SubjectCheck const& check) {
  std::vector<report::SizeBin> bins;
  std::size_t const budgets = kernel.budgets.size();
  for (Profile const profile : {Profile::everyday, Profile::degenerate}) {
    Sizing all(size_bins);
    for (std::size_t i = 0; i < check.sizes.size(); ++i)
      if (kernel.regimes[check.accuracy[i * budgets].regime].profile == profile) merge(all, check.sizes[i]);
    for (std::size_t bin = 0; bin < size_bins; ++bin) {
      SizeTally const& tally = all[bin];
      if (tally.judged == 0) continue;
      bins.push_back({std::string(labels(Profile{})[static_cast<std::size_t>(profile)]), largest_of_bin(bin),
                      count(tally.judged), count(tally.failed), rounded(tally.max_error)});
    }
  }
  return bins;
}

report::LawResult describe(Kernel const& kernel, Subject const& subject, LawCheck const& law,
                           std::optional<Held> const& held) {
  report::LawResult result;
  result.law = kernel.laws[law.law].name;
  result.cases = count(law.cases);
  result.applicable = count(law.applicable);
  result.broken = count(law.broken);
  result.known = count(law.known);
  result.by_formula = count(law.by_formula);
  result.worst = rounded_beside(1, law.worst);
  for (auto const& breach : law.regimes) {
    auto const& regime = kernel.regimes[breach.regime];
    if (breach.decides) result.deciding += count(breach.applicable);
    if (breach.broken > 0)
      result.regimes.push_back(
          {regime.name, count(breach.applicable), count(breach.broken), rounded_beside(1, breach.worst)});
  }
  if (!law.counterexample) return result;
  auto const& found = *law.counterexample;
  auto& example = result.counterexample.emplace();
  for (std::size_t row = 0; row < found.inputs.rows; ++row) {
    example.inputs.push_back(record_json(kernel.input, found.inputs, row));
    example.outputs.push_back(record_json(kernel.output, found.outputs, row));
  }
  example.violation = found.violation;
  example.salt = found.salt;
  example.command = explain_command(kernel, found.inputs, 0, subject, held, result.law, found.salt);
  return result;
}

std::optional<report::Calls> describe(Kernel const& kernel, CallCheck const& check) {
  if (check.tried.empty() && check.not_tried.empty()) return std::nullopt;
  constexpr std::size_t few = 65;
  auto const names = [](std::vector<Way> const& ways) {
    std::vector<std::string> result;
    for (Way const way : ways) result.emplace_back(way_name(way));
    return result;
  };
  report::Calls result{count(check.cases),     count(check.calls), names(check.tried),
                       names(check.not_tried), names(check.known), {}};
  for (CallFinding const& finding : check.findings) {
    report::CallFault& fault = result.faults.emplace_back();
    fault.way = way_name(finding.way);
    fault.text = finding.text;
    fault.rows = count(finding.inputs.rows);
    if (finding.calls > 1) fault.calls = count(finding.calls);
    if (finding.row) fault.row = static_cast<double>(*finding.row);
    for (std::size_t row = 0; finding.inputs.rows <= few && row < finding.inputs.rows; ++row)
      fault.inputs.push_back(record_json(kernel.input, finding.inputs, row));
  }
  return result;
}

}  // namespace

namespace {

report::IdentifiedTerm describe(Kernel const& kernel, Identified const& identified) {
  FormulaInfo const& formula = kernel.formulas[identified.formula];
  report::IdentifiedTerm result;
  result.formula = formula.name;
  result.kind = labels(formula.kind)[static_cast<std::size_t>(formula.kind)];
  result.judged_by = kernel.formulas[judging_formula(kernel, identified)].name;
  result.agree = count(identified.agree);
  result.answered = count(identified.answered);
  result.fits = identified.fits();
  for (OpenChoice const& open : identified.open) result.open.push_back({open.choice, open.values});
  if (identified.telling)
    result.telling = fmt::format("demeter explain {} {}", kernel.name, quoted_case(kernel, *identified.telling, 0));
  return result;
}

}  // namespace

report::Contender describe(Kernel const& kernel, Subject const& subject, SubjectCheck const& check,
                           CheckOptions const& options, Examples examples) {
  report::Contender result;
  result.name = subject.name;
  result.formula = check.formula;
  result.model = check.model;
  Answering const& answering = *subject.find(kernel.name);
  result.doc = answering.doc;
  result.settings = answering.settings;
  for (Declared const& each : answering.declared) result.declared.push_back({each.what, each.source, each.outputs});
  result.verdict = !check.passed()                ? "fail"
                   : check.answered_nothing()     ? "no answers"
                   : !check.not_a_verdict.empty() ? "not refuted"
                   : check.undecided() > 0        ? "undecided"
                                                  : "pass";
  result.not_a_verdict = check.not_a_verdict;
  for (auto const& cell : check.accuracy) {
    if (!cell.any()) continue;  // the subject does not answer this output
    result.accuracy.push_back(describe(kernel, subject, cell, options, examples));
  }
  result.sizes = describe_sizes(kernel, check);
  for (auto const& failure : check.failures)
    result.failures.push_back({describe(kernel, subject, failure.example, options,
                                        examples == Examples::brief && is_long(kernel, failure.example)),
                               std::string(kernel.budgets[failure.budget].output)});
  result.recorded.tried = count(check.recorded);
  for (auto const& failure : check.still_failing)
    result.recorded.failing.push_back({failure.regime, failure.law.empty() ? failure.output : "", failure.law,
                                       failure.call, record_json(kernel.input, failure.input, 0),
                                       command_again(kernel, failure, subject, options.held)});
  for (auto const& law : check.laws)
    if (law.applicable > 0) result.laws.push_back(describe(kernel, subject, law, options.held));
  result.calls = describe(kernel, check.calls);
  if (check.identified) result.identified = describe(kernel, *check.identified);
  result.binary32 = subject.binary32;
  result.tolerance = tolerance_text(options.held.value_or(held_by_default(subject)));
  for (std::string_view const profile : labels(Profile{}))
    if (std::any_of(check.accuracy.begin(), check.accuracy.end(), [&](AccuracyCell const& cell) {
          return cell.decides &&
                 labels(Profile{})[static_cast<std::size_t>(kernel.regimes[cell.regime].profile)] == profile;
        }))
      result.deciding.emplace_back(profile);
  result.sentence = verdict(describe(kernel), result).sentence;
  return result;
}

std::string explain_command(Kernel const& kernel, Table const& cases, std::size_t row, Subject const& subject,
                            std::optional<Held> const& held) {
  return explain_given(kernel, quoted_case(kernel, cases, row), subject, held);
}

std::string explain_drawn(Kernel const& kernel, std::uint64_t id, std::string_view regime, std::uint64_t seed,
                          Subject const& subject, std::optional<Held> const& held) {
  return explain_given(kernel, fmt::format("{} --regime {} --seed {}", id, regime, seed), subject, held);
}

std::string explain_command(Kernel const& kernel, Table const& cases, std::size_t row, Subject const& subject,
                            std::optional<Held> const& held, std::string_view law, std::uint64_t salt) {
  return explain_command(kernel, cases, row, subject, held) + (law.empty() ? "" : fmt::format(" --law {}", law)) +
         (salt > 0 ? fmt::format(" --salt {}", salt) : "");
}

std::string command_again(Kernel const& kernel, RecordedFailure const& failure, Subject const& subject,
                          std::optional<Held> const& held) {
  if (failure.call.empty()) return explain_command(kernel, failure.input, 0, subject, held, failure.law, failure.salt);
  return fmt::format("demeter check {} --subject {}", kernel.name, shell_quoted(from_anywhere(subject.name)));
}

}  // namespace demeter
