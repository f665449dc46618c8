#include "cli/command.hpp"

#include "properties/core/check.hpp"
#include "reports/describe.hpp"

namespace demeter::cli {
namespace {

TextTable empty_text(Schema const& schema) {
  TextTable table;
  table.columns.resize(schema.columns.size());
  for (std::size_t i = 0; i < schema.columns.size(); ++i)
    if (schema.columns[i].kind == ColumnInfo::Kind::offsets) table.columns[i].push_back("0");
  return table;
}

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

}  // namespace

Run explain(CLI::App& app) {
  struct Options : Common {
    std::string given, law, subject_name = "fast";
    std::uint64_t salt = 0;
  };
  auto* verb = app.add_subcommand("explain", "one case: truth, answer, error, condition, verdict, laws");
  auto options = std::make_shared<Options>();
  verb->add_option("kernel", options->kernel, "the kernel")->required();
  verb->add_option("case", options->given, "the case as JSON, or the id of a generated case (with --seed and --regime)")->required();
  verb->add_option("--subject", options->subject_name, "whose answer")->capture_default_str();
  verb->add_option("--law", options->law, "show what this law compares");
  verb->add_option("--salt", options->salt, "of the law's random choices, as a report prints it")->capture_default_str();
  verb->add_option("--seed", options->seed, "of the generated case")->capture_default_str();
  verb->add_option("--regime", options->regime, "of the generated case");
  verb->footer("Example:\n  demeter explain capsule_mass_properties '{\"radius\":0.5,\"shaft\":1,\"density\":1000}' "
               "--subject documented");
  return [options]() -> int {
    Kernel const* kernel = kernel_or_complain("explain", options->kernel);
    if (kernel == nullptr) return bad_usage;
    Subject const* subject = subject_or_complain("explain", options->subject_name);
    if (subject == nullptr) return bad_usage;
    if (subject->find(kernel->name) == nullptr)
      return complain(bad_usage, "explain", fmt::format("{} does not answer {}", subject->name, kernel->name));
    std::optional<std::size_t> law;
    for (std::size_t i = 0; i < kernel->laws.size(); ++i)
      if (kernel->laws[i].name == options->law) law = i;
    if (!options->law.empty() && !law)
      return complain(bad_usage, "explain", fmt::format("unknown law \"{}\" of {}; see demeter list {}", options->law,
                                                        kernel->name, kernel->name));
    Table cases(kernel->input);
    if (options->given.find_first_not_of("0123456789") == std::string::npos) {
      std::optional<std::size_t> regime;
      if (!options->regime.empty()) {
        regime = regime_or_complain("explain", *kernel, options->regime);
        if (!regime) return bad_usage;
      }
      std::uint64_t const id = std::strtoull(options->given.c_str(), nullptr, 10);
      kernel->generate(regime_of(*kernel, regime, id), options->seed, id, cases);
    } else if (auto wrong = read_case(*kernel, options->given, cases)) {
      return complain(bad_data, "explain", *wrong);
    }
    if (auto outside = kernel->domain_error(cases, 0))
      return complain(bad_data, "explain", domain_message(*kernel, cases, 0, *outside));

    Output out;
    using Json = nlohmann::ordered_json;
    print_record(out, "input (hexfloats are exact)", record_json(kernel->input, cases, 0), true);
    auto const text_json = [&](TextTable const& text) {
      Buffer buffer;
      write_record(kernel->output, text, 0, true, buffer);
      return Json::parse(buffer.begin(), buffer.end());
    };
    Truths const truths = kernel->truths(cases);
    TextTable truth = empty_text(kernel->output);
    kernel->truth_text(truths, 0, truth);
    print_record(out, "truth (oracle, 30 digits; an answer that is not unique has no one truth)", text_json(truth), false);
    TextTable reference = empty_text(kernel->output);
    kernel->evaluate_text(0, Arithmetic{}, 30, cases, 0, reference);
    print_record(out, "reference (30 digits)", text_json(reference), false);

    Answers answers;
    answer(*subject, *subject->find(kernel->name), kernel->output, cases, answers);
    Table condition(kernel->output);
    bool const conditioned = kernel->condition(cases, 0, condition);
    bool held_all = true;
    if (answers.status[0] != Status::answered) {
      out.print("{}: {}: {}\n", subject->name, labels(Status{})[static_cast<std::size_t>(answers.status[0])], answers.message[0]);
      held_all = answers.status[0] == Status::unsupported;
    } else {
      print_record(out, subject->name, record_json(kernel->output, answers.output, 0), true);
      std::vector<Judged> judged(kernel->budgets.size());
      kernel->judge(cases, truths, 0, answers, 0, 1, judged);
      out.print("verdict\n");
      for (std::size_t k = 0; k < judged.size(); ++k) {
        if (!judged[k].computed) continue;
        auto const& budget = kernel->budgets[k];
        out.print("  {:<16} {:<9} error {} u{}, budget {}", budget.output,
                  labels(Verdict{})[static_cast<std::size_t>(judged[k].verdict)], brief(judged[k].error),
                  budget.measure == Measure::relative ? " |truth|" : " S", budget_text(budget));
        if (budget.measure != Measure::relative) {
          if (!std::isnan(judged[k].relative) && budget.measure == Measure::scale)
            out.print("; relative error {} u", brief(judged[k].relative));
        } else if (conditioned) {
          out.print("; error over condition {} u", brief(judged[k].condition));
        }
        out.print("\n");
        held_all = held_all && judged[k].verdict == Verdict::pass;
      }
    }
    out.print("laws\n");
    for (std::size_t i = 0; i < kernel->laws.size(); ++i) {
      if (law && *law != i) continue;
      Table inputs(kernel->input);
      Answers lawful;
      auto const violation = law_violation(*kernel, *subject, i, cases, 0, options->salt, inputs, lawful);
      if (!violation) {
        out.print("  {:<20} says nothing of this case\n", kernel->laws[i].name);
        continue;
      }
      bool const holds = *violation <= 1;
      held_all = held_all && holds;
      out.print("  {:<20} {} ({} of the tolerance, {})\n", kernel->laws[i].name, holds ? "holds" : "BROKEN", brief(*violation),
                kernel->laws[i].tolerance);
      if (!law) continue;
      out.print("  {}\n", kernel->laws[i].doc);
      for (std::size_t row = 0; row < inputs.rows; ++row) {
        out.print("    {}\n", record_json(kernel->input, inputs, row).dump());
        out.print("    -> {}\n", record_json(kernel->output, lawful.output, row).dump());
      }
    }
    if (!out.flush()) return complain(broken, "explain", out.error());
    if (!held_all) return complain(failed, "explain", fmt::format("{} does not hold on this case", subject->name));
    return held;
  };
}

}  // namespace demeter::cli
