#include "base/json_text.hpp"
#include "cli/core/command.hpp"
#include "cli/core/screen.hpp"
#include "reports/format/describe.hpp"
#include "reports/format/members.hpp"
#include "subjects/outside/programs.hpp"

namespace demeter::cli {
namespace {

template <class Item>
void print_named(Output& out, std::string_view title, std::vector<Item> const& items) {
  out.print("  {}\n", title);
  std::size_t width = 0;
  for (auto const& item : items) width = std::max(width, item.name.size());
  for (auto const& item : items) out.print("    {:<{}}  {}\n", item.name, width, item.doc);
}

void print_fields(Output& out, Node const& node, int depth) {
  for (auto const& child : node.children) {
    out.print("    {:{}}{}: {}{}{}  {}\n", "", 2 * depth, child.name, shape_of(child), child.unit.empty() ? "" : ", ",
              child.unit, child.doc);
    for (auto const& inner : child.children)
      if (inner.kind == Node::Kind::record) print_fields(out, inner, depth + 1);
    if (child.kind == Node::Kind::record) print_fields(out, child, depth + 1);
  }
}

/// Prints the regimes, grouped by profile.
void print_regimes(Output& out, Kernel const& kernel) {
  for (auto const profile : {Profile::everyday, Profile::degenerate, Profile::extreme}) {
    std::vector<RegimeInfo> some;
    for (auto const& regime : kernel.regimes)
      if (regime.profile == profile) some.push_back(regime);
    if (!some.empty())
      print_named(out, fmt::format("regimes, {}", labels(Profile{})[static_cast<std::size_t>(profile)]), some);
  }
}

void print_subjects(Output& out, Kernel const& kernel) {
  std::vector<Named> able;
  for (auto const* subject : subjects_answering(kernel, subjects_and_programs()))
    if (!subject->ours()) able.push_back({subject->name, subject->find(kernel.name)->doc});
  if (!able.empty()) print_named(out, "other subjects that were found on this machine", able);
}

void print_kernel(Output& out, Kernel const& kernel) {
  out.print("{}: {}\n  {}\n  Source: {}\n  Truth: {}\n  input\n", kernel.name, kernel.summary, kernel.conventions,
            kernel.source, certainty_text(kernel.certainty));
  print_fields(out, kernel.input.root, 0);
  out.print("  output\n");
  print_fields(out, kernel.output.root, 0);
  out.print("  budgets (for binary64 answers, u = 2^-53, plus 2^-1075)\n");
  for (auto const& budget : kernel.budgets) out.print("    {}: {}\n", budget.output, budget_text(budget));
  std::vector<Named> implementations;
  for (auto const& each : kernel.implementations) implementations.push_back({each.name, each.answering.doc});
  std::vector<Named> methods;
  for (auto const& method : approximate_methods())
    if (method.find(kernel.name) != nullptr) methods.push_back({method.name, method.doc});
  std::vector<Named> laws;
  for (auto const& law : kernel.laws) laws.push_back({law.name, law.doc + " (tolerance " + law.tolerance + ")"});
  std::vector<Named> formulas;
  for (auto const& formula : kernel.formulas) {
    std::string_view const kind = labels(formula.kind)[static_cast<std::size_t>(formula.kind)];
    formulas.push_back({formula.name, fmt::format("{}: {}", kind, formula.doc)});
  }
  formulas.front().doc = kernel.formulas.front().doc;
  print_named(out, "formulas (any arithmetic: @double, @long-double, @mpfr:DIGITS)", formulas);
  if (kernel.formulas.is_composed())
    out.print("    and every combination of choices, such as {}: demeter list {} --choices\n",
              kernel.formulas.name_of(kernel.formulas.with_value(0, 2, 3)), kernel.name);
  print_named(out, "implementations in binary64", implementations);
  if (!methods.empty()) print_named(out, "approximate methods", methods);
  print_regimes(out, kernel);
  if (!kernel.workloads.empty()) print_named(out, "workloads (only timed)", kernel.workloads);
  print_named(out, "laws", laws);
  print_subjects(out, kernel);
  out.print("\n");
}

void print_kernels(Output& out) {
  std::size_t width = 0;
  for (auto const& kernel : kernels()) width = std::max(width, kernel.name.size());
  for (auto const& kernel : kernels())
    out.print("{}\n", cut_to(fmt::format("{:<{}}  {}", kernel.name, width, kernel.summary), screen_columns));
  out.print("\n");
}

/// Prints the columns of the C interface in their order. `input` is the schema of the inputs if `schema` is the schema
/// of the outputs, otherwise null.
void print_columns(Output& out, std::string_view array, Schema const& schema, Schema const* input) {
  // A column belongs to a field. The unit and the description of the column are stored in this field.
  struct Said {
    std::string unit, doc;
  };
  std::vector<Said> said(schema.columns.size());
  auto const walk = [&](auto const& self, Node const& node) -> void {
    std::string doc = node.doc;
    for (std::size_t i = 0; i < node.labels.size(); ++i)
      doc += fmt::format("{}{} {}", i == 0 ? (doc.empty() ? "" : ": ") : ", ", i, node.labels[i]);
    for (std::size_t k = node.column; k < node.column + node.columns; ++k) said[k] = {node.unit, doc};
    for (auto const& child : node.children) self(self, child);
    if (node.kind == Node::Kind::list) {
      std::string offsets = input == nullptr ? "n + 1 offsets: " : "n + 1 offsets, written by the subject: ";
      if (!node.length_of.empty())
        for (auto const& child : input->root.children)
          if (child.name == node.length_of) offsets = fmt::format("the offsets of in[{}]: ", child.column);
      said[node.column] = {"", offsets + node.doc};
    }
    if (node.nullable)
      said[node.column] = {"", input == nullptr ? "1 if there is a value, 0 if it is null" : "1; write 0 for null"};
  };
  walk(walk, schema.root);
  std::size_t width = 0;
  for (auto const& column : schema.columns) width = std::max(width, column.path.size());
  for (std::size_t k = 0; k < schema.columns.size(); ++k)
    out.print("  {:<9} {:<{}}  {}{}{}\n", fmt::format("{}[{}]", array, k), schema.columns[k].path, width, said[k].unit,
              said[k].unit.empty() ? "" : ", ", said[k].doc);
}

void print_abi(Output& out, Kernel const& kernel) {
  out.print("int demeter_{}(size_t n, double const* const in[], double* const out[], size_t room)\n", kernel.name);
  print_columns(out, "in", kernel.input, nullptr);
  print_columns(out, "out", kernel.output, &kernel.input);
  out.print("  {}\n\n", kernel.conventions);
}

/// Prints the choices of which the formulas of a kernel are composed, and the combinations with a name.
void print_choices(Output& out, Kernel const& kernel) {
  FormulaList const& formulas = kernel.formulas;
  Composition const& all = formulas.composition();
  out.print("{}: one value of each choice; the first is the recommended one\n", kernel.name);
  for (FormulaChoice const& choice : all.choices) {
    out.print("\n  {}: {}\n", choice.name, choice.doc);
    for (ChoiceValue const& value : choice.values) {
      out.print("    {}{}{}\n", value.name, value.other_name.empty() ? "" : fmt::format(" or {}", value.other_name),
                value.kind == FormulaKind::mistake ? "  (a mistake)" : "");
      out.print("{}", wrapped(std::string(value.formula), 8));
      out.print("{}", wrapped(std::string(value.doc), 8));
      out.print("{}", wrapped(fmt::format("Source: {}", value.source), 8));
    }
  }
  out.print("\n  laws with a name\n");
  for (NamedCombination const& law : all.combinations) {
    std::string values;
    for (std::size_t k = 0; k < all.choices.size(); ++k)
      if (std::size_t const value = formulas.value_of(law.code, k); value > 0)
        values +=
            fmt::format("{}{}={}", values.empty() ? "" : ",", all.choices[k].name, all.choices[k].values[value].name);
    out.print("    {}: {}\n", law.name, law.doc);
    if (!values.empty()) out.print("{}", wrapped(values, 8));
  }
  out.print("\n  example: demeter check {} --subject lib:PATH --formula {}\n\n", kernel.name,
            formulas.name_of(formulas.with_value(all.combinations[1].code, 4, 1)));
}

void print_peers(Output& out) {
  out.print("peers\n");
  for (auto const* peers : {&found_peers(), &found_programs()}) {
    for (auto const& peer : peers->subjects) {
      std::string answers;
      for (auto const& each : peer.answers) answers += (answers.empty() ? "" : ", ") + each.kernel;
      out.print("{}\n", cut_to(fmt::format("  {} {} ({}): {}", peer.name, version_of(peer), peer.doc, answers),
                               screen_columns));
    }
    for (auto const& missing : peers->missing)
      out.print("{}\n", cut_to(fmt::format("  {}: {}", missing.name, missing.why), screen_columns));
  }
}

}  // namespace

Verb list() {
  Verb verb{
      "list",
      "lists the kernels and the peers found on this machine; for a kernel, its fields, formulas, laws and regimes"};
  struct Options : Common {
    bool abi = false, choices = false;
  };
  auto options = std::make_shared<Options>();
  verb.option("kernel", options->kernels, "show everything about these kernels");
  verb.flag("--abi", options->abi, "show the columns of the C interface (subjects/demeter_subject.h)");
  verb.flag("--choices", options->choices,
            "show the choices of which the formulas of these kernels are composed, such as contact_force");
  verb.flag("--json", options->json, "print the list as JSON");
  verb.exclusive({"--abi", "--choices", "--json"});
  verb.example = "demeter list segment_distance";
  verb.run = [options] {
    auto const chosen = kernels_or_complain("list", options->kernels);
    if (chosen.empty()) return int{bad_usage};
    Output out;
    if (options->choices) {
      for (auto const* kernel : chosen) {
        if (kernel->formulas.is_composed())
          print_choices(out, *kernel);
        else if (!options->kernels.empty())
          return complain(bad_usage, "list",
                          fmt::format("--choices: {} has no choices; expected contact_force", kernel->name));
      }
    } else if (options->abi) {
      for (auto const* kernel : chosen) print_abi(out, *kernel);
    } else if (options->json) {
      report::Listing all{{}, describe_subjects(), missing_peers()};
      for (auto const* kernel : chosen) all.kernels.push_back(describe(*kernel));
      out.print("{}\n", json_text(report::write(all), 2));
    } else {
      if (options->kernels.empty()) {
        print_kernels(out);
        print_peers(out);
        out.print("\ndemeter list KERNEL: its fields, budgets, formulas, regimes, laws and subjects\n");
      }
      for (auto const* kernel : chosen)
        if (!options->kernels.empty()) print_kernel(out, *kernel);
    }
    if (!out.flush()) return complain(broken, "list", out.error());
    return int{held};
  };
  return verb;
}

}  // namespace demeter::cli
