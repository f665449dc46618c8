#include "reports/format/describe.hpp"

#include "kernels/json_lines.hpp"
#include "properties/core/tolerance.hpp"
#include "subjects/isolation/process.hpp"
#include "subjects/outside/programs.hpp"

#include <cmath>

namespace demeter {
namespace {

using Json = nlohmann::ordered_json;

Json fields_json(Node const& node, std::string const& prefix) {
  Json fields = Json::array();
  for (auto const& child : node.children) {
    fields.push_back(
        {{"name", prefix + child.name}, {"shape", shape_of(child)}, {"unit", child.unit}, {"doc", child.doc}});
    auto const deeper = [&](Node const& inner) {
      for (auto& each : fields_json(inner, prefix + child.name + ".")) fields.push_back(std::move(each));
    };
    if (child.kind == Node::Kind::record) deeper(child);
    if (child.kind == Node::Kind::list && child.children.front().kind == Node::Kind::record)
      deeper(child.children.front());
  }
  return fields;
}

template <class Item>
Json named_json(std::vector<Item> const& items) {
  Json result = Json::array();
  for (auto const& item : items) result.push_back({{"name", item.name}, {"doc", item.doc}});
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

std::string explain_command(Kernel const& kernel, Table const& cases, std::size_t row, std::string_view subject) {
  Buffer text;
  write_record(kernel.input, cases, row, text);
  return fmt::format("demeter explain {} '{}' --subject {}", kernel.name, fmt::to_string(text), shell_quoted(subject));
}

Json describe(Kernel const& kernel) {
  Json result;
  result["name"] = kernel.name;
  result["summary"] = kernel.summary;
  result["conventions"] = kernel.conventions;
  result["source"] = kernel.source;
  result["certainty"] = certainty_word(kernel.certainty);
  if (!kernel.certainty.bounded()) result["not_bounded_because"] = kernel.certainty.not_bounded_because;
  result["input"] = fields_json(kernel.input.root, "");
  result["output"] = fields_json(kernel.output.root, "");
  result["budgets"] = Json::array();
  for (auto const& budget : kernel.budgets)
    result["budgets"].push_back({{"output", budget.output},
                                 {"measure", labels(budget.measure)[static_cast<std::size_t>(budget.measure)]},
                                 {"units", budget.units}});
  result["formulas"] = named_json(kernel.formulas);
  Json implementations = Json::array();
  for (auto const& [name, answering] : kernel.implementations)
    implementations.push_back({{"name", name}, {"doc", answering.doc}});
  result["implementations"] = implementations;
  result["regimes"] = named_json(kernel.regimes);
  if (!kernel.workloads.empty()) result["workloads"] = named_json(kernel.workloads);
  result["laws"] = Json::array();
  for (auto const& law : kernel.laws)
    result["laws"].push_back({{"name", law.name}, {"doc", law.doc}, {"tolerance", law.tolerance}, {"uses", law.uses}});
  return result;
}

void describe_subjects(Json& into) {
  into["subjects"] = Json::array();
  for (auto const* subject : subjects_and_programs())
    into["subjects"].push_back({{"name", subject->name},
                                {"doc", subject->doc},
                                {"version", version_of(*subject)},
                                {"ours", subject->ours},
                                {"approximate", subject->approximate}});
  into["missing_peers"] = Json::array();
  for (auto const* peers : {&found_peers(), &found_programs()})
    for (auto const& missing : peers->missing)
      into["missing_peers"].push_back({{"name", missing.name}, {"why", missing.why}});
}

Json describe(Kernel const& kernel, Subject const& subject, SubjectCheck const& check, CheckOptions const& options) {
  Json result;
  result["name"] = subject.name;
  result["doc"] = subject.find(kernel.name)->doc;
  result["verdict"] = check.answered_nothing() ? "no answers"
                      : !check.passed()        ? "fail"
                      : check.undecided() > 0  ? "undecided"
                                               : "pass";
  auto const example_json = [&](Example const& example) {
    Json json;
    json["id"] = example.id;
    json["regime"] = kernel.regimes[example.regime].name;
    json["input"] = record_json(kernel.input, example.input, 0);
    json["answer"] = record_json(kernel.output, example.answer, 0);
    TextTable truth;
    truth.columns.resize(kernel.output.columns.size());
    for (std::size_t i = 0; i < truth.columns.size(); ++i)
      if (kernel.output.columns[i].kind == ColumnInfo::Kind::offsets) truth.columns[i].push_back("0");
    kernel.certain_text(kernel.truths(example.input), 0, truth);
    Buffer text;
    write_record(kernel.output, truth, 0, true, text);
    json["truth"] = Json::parse(text.begin(), text.end());
    json["error"] = number_json(example.error);
    json["command"] = explain_command(kernel, example.input, 0, subject);
    return json;
  };
  result["accuracy"] = Json::array();
  for (auto const& cell : check.accuracy) {
    if (cell.judged == 0 && cell.unsupported + cell.crash + cell.timeout + cell.known == 0)
      continue;  // an output it does not answer
    Budget const budget = tolerated(kernel, cell.budget, options.budget_factors);
    Json json;
    json["regime"] = kernel.regimes[cell.regime].name;
    json["output"] = budget.output;
    json["measure"] = labels(budget.measure)[static_cast<std::size_t>(budget.measure)];
    json["budget"] = budget.units;
    json["cases"] = cell.cases;
    json["judged"] = cell.judged;
    json["unsupported"] = cell.unsupported;
    json["crash"] = cell.crash;
    json["timeout"] = cell.timeout;
    json["failed"] = cell.failed;
    json["undecided"] = cell.undecided;
    json["refined"] = cell.refined;
    if (cell.known > 0) json["known"] = cell.known;
    json["max_error"] = number_json(cell.max_error);
    json["mean_error"] = number_json(cell.mean_error());
    json["median_error"] = number_json(cell.quantile(0.5));
    json["p99_error"] = number_json(cell.quantile(0.99));
    json["max_relative"] = number_json(cell.max_relative);
    json["max_condition"] = cell.max_condition > 0 ? number_json(cell.max_condition) : Json(nullptr);
    json["worst"] = cell.worst ? example_json(*cell.worst) : Json(nullptr);
    result["accuracy"].push_back(std::move(json));
  }
  result["failures"] = Json::array();
  for (auto const& failure : check.failures) {
    Json json = example_json(failure.example);
    json["output"] = kernel.budgets[failure.budget].output;
    result["failures"].push_back(std::move(json));
  }
  if (check.recorded > 0) {
    result["recorded"] = {{"tried", check.recorded}, {"failing", Json::array()}};
    for (auto const& failure : check.still_failing)
      result["recorded"]["failing"].push_back(
          {{"regime", failure.regime},
           {failure.law.empty() ? "output" : "law", failure.law.empty() ? failure.output : failure.law},
           {"input", record_json(kernel.input, failure.input, 0)},
           {"command", explain_command(kernel, failure.input, 0, subject, failure.law, failure.salt)}});
  }
  result["laws"] = Json::array();
  for (auto const& law : check.laws) {
    if (law.applicable == 0) continue;
    Json json;
    json["law"] = kernel.laws[law.law].name;
    json["cases"] = law.cases;
    json["applicable"] = law.applicable;
    json["broken"] = law.broken;
    if (law.known > 0) json["known"] = law.known;
    json["worst"] = number_json(law.worst);
    json["regimes"] = Json::array();
    for (auto const& breach : law.regimes)
      if (breach.broken > 0)
        json["regimes"].push_back({{"regime", kernel.regimes[breach.regime].name},
                                   {"broken", breach.broken},
                                   {"worst", number_json(breach.worst)}});
    json["counterexample"] = nullptr;
    if (law.counterexample) {
      auto const& found = *law.counterexample;
      Json example;
      example["inputs"] = Json::array();
      example["outputs"] = Json::array();
      for (std::size_t row = 0; row < found.inputs.rows; ++row) {
        example["inputs"].push_back(record_json(kernel.input, found.inputs, row));
        example["outputs"].push_back(record_json(kernel.output, found.outputs, row));
      }
      example["violation"] = number_json(found.violation);
      example["command"] = explain_command(kernel, found.inputs, 0, subject, kernel.laws[law.law].name, found.salt);
      json["counterexample"] = std::move(example);
    }
    result["laws"].push_back(std::move(json));
  }
  return result;
}

std::string explain_command(Kernel const& kernel, Table const& cases, std::size_t row, Subject const& subject) {
  return explain_command(kernel, cases, row, std::string_view(subject.name)) + (subject.binary32 ? " --binary32" : "");
}

std::string explain_command(Kernel const& kernel, Table const& cases, std::size_t row, Subject const& subject,
                            std::string_view law, std::uint64_t salt) {
  return explain_command(kernel, cases, row, subject) + (law.empty() ? "" : fmt::format(" --law {}", law)) +
         (salt > 0 ? fmt::format(" --salt {}", salt) : "");
}

}  // namespace demeter
