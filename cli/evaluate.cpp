#include "cli/command.hpp"

#include "fast/core/level.hpp"

#include <charconv>

namespace demeter::cli {
namespace {

/// What --implementation names, resolved for one kernel.
struct Chosen {
  Answering const* answering = nullptr;  ///< binary64
  Subject const* subject = nullptr;      ///< set with `answering`
  std::size_t formula = 0;
  Arithmetic arithmetic;
};

std::optional<Chosen> choose(Kernel const& kernel, std::string const& name, bool many_digits, std::string& wrong) {
  std::string const formula = name.substr(0, name.find('@'));
  std::string const arithmetic = name.find('@') == std::string::npos ? "" : name.substr(name.find('@') + 1);
  for (std::size_t i = 0; i < kernel.formulas.size(); ++i) {
    if (kernel.formulas[i].name != formula) continue;
    Chosen chosen;
    chosen.formula = i;
    if (arithmetic.empty()) return chosen;
    if (arithmetic == "long-double") {
      chosen.arithmetic.kind = Arithmetic::Kind::long_double;
      return chosen;
    }
    if (arithmetic == "double" && many_digits) {
      chosen.arithmetic.kind = Arithmetic::Kind::binary64;
      return chosen;
    }
    if (arithmetic.starts_with("mpfr:")) {
      unsigned digits = 0;
      auto const text = std::string_view(arithmetic).substr(5);
      auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), digits);
      if (error == std::errc{} && end == text.data() + text.size() && digits >= 2 && digits <= 100000) {
        chosen.arithmetic = {Arithmetic::Kind::multiprecision, digits};
        return chosen;
      }
      wrong = fmt::format("\"{}\": expected mpfr:DIGITS with 2 to 100000 digits", name);
      return std::nullopt;
    }
    if (arithmetic != "double") {
      wrong = fmt::format("unknown arithmetic \"{}\"; expected double, long-double or mpfr:DIGITS", arithmetic);
      return std::nullopt;
    }
  }
  if (auto const* subject = find_subject(name); subject != nullptr && subject->find(kernel.name) != nullptr) {
    if (many_digits) {
      wrong = fmt::format("--digits above 17 needs an arithmetic that has them; {} answers in binary64", name);
      return std::nullopt;
    }
    Chosen chosen;
    chosen.subject = subject;
    chosen.answering = subject->find(kernel.name);
    return chosen;
  }
  std::string names;
  for (auto const& each : kernel.formulas) names += each.name + ", ";
  names += "fast";
  for (auto const& subject : subjects())
    if (subject.find(kernel.name) != nullptr) names += ", " + subject.name;
  wrong = fmt::format("unknown implementation \"{}\" of {}; expected {}", name, kernel.name, names);
  return std::nullopt;
}

/// The line up to where its answer goes: the line itself without its last brace, or, where it has an answer already,
/// what the reader understood of it.
void echo(Kernel const& kernel, std::string_view line, Line const& read, Table const& cases, std::size_t row, Buffer& out) {
  if (read.answer == Line::Answer::none) {
    line = line.substr(0, line.rfind('}'));
    while (!line.empty() && (line.back() == ' ' || line.back() == '\t')) line.remove_suffix(1);
    out.append(line);
    return;
  }
  auto to = fmt::appender(out);
  out.push_back('{');
  if (read.id) fmt::format_to(to, "\"id\":{},", *read.id);
  fmt::format_to(to, "\"kernel\":\"{}\",", kernel.name);
  if (!read.regime.empty()) {
    out.append(std::string_view("\"regime\":"));
    write_string(read.regime, out);
    out.push_back(',');
  }
  out.append(std::string_view("\"input\":"));
  write_record(kernel.input, cases, row, out);
}

}  // namespace

Run evaluate(CLI::App& app) {
  struct Options : Common {
    std::string implementation = "reference";
    unsigned digits = 17;
    std::string cases;
  };
  auto* verb = app.add_subcommand("evaluate", "answers cases: JSON lines in, the same lines with their output out");
  auto options = std::make_shared<Options>();
  verb->add_option("kernel", options->kernel, "the kernel")->required();
  verb->add_option("--implementation", options->implementation,
                   "formula@arithmetic, or a peer: reference (correctly rounded), reference@mpfr:50, fast, documented@double, ...")
      ->capture_default_str();
  verb->add_option("--digits", options->digits, "significant digits; above 17 numbers are written as decimal strings")
      ->check(CLI::Range(1u, 10000u))
      ->capture_default_str();
  verb->add_option("--cases", options->cases, "read this file instead of standard input");
  verb->footer(
      "Example:\n  echo '{\"input\":{\"radius\":\"0.1\",\"shaft\":\"1/3\",\"density\":2600}}' | demeter evaluate "
      "capsule_mass_properties --digits 40");
  return [options]() -> int {
    Kernel const* kernel = kernel_or_complain("evaluate", options->kernel);
    if (kernel == nullptr) return bad_usage;
    bool const many_digits = options->digits > 17;
    std::string wrong;
    auto const chosen = choose(*kernel, options->implementation, many_digits, wrong);
    if (!chosen) return complain(bad_usage, "evaluate", wrong);
    std::FILE* in = stdin;
    if (!options->cases.empty() && (in = std::fopen(options->cases.c_str(), "r")) == nullptr)
      return complain(bad_usage, "evaluate", fmt::format("{}: {}", options->cases, std::strerror(errno)));

    LineReader reader(*kernel);
    LineSource source(in);
    Output out;
    Table cases(kernel->input);
    Answers answers;
    std::uint64_t line_number = 0, invalid = 0;
    std::string first_invalid;
    struct Read {
      std::string_view text;
      Line line;
      std::optional<std::size_t> row;
      std::string error;
      bool malformed = false;
      std::uint64_t number = 0;
    };
    std::vector<Read> lines;
    for (;;) {
      auto const& block = source.next_block();
      if (block.empty()) break;
      lines.clear();
      cases.clear(kernel->input);
      for (auto const text : block) {
        ++line_number;
        if (text.find_first_not_of(" \t\r") == std::string_view::npos) continue;  // an empty line is no case
        Read read{text, {}, std::nullopt, "", false, line_number};
        if (auto error = reader.read(text, &cases, nullptr, read.line)) {
          read.error = *error;
          read.malformed = true;
        } else if (!read.line.has_input) {
          read.error = "missing key \"input\"";
          read.malformed = true;
        } else if (auto outside = kernel->domain_error(cases, cases.rows - 1)) {
          read.error = domain_message(*kernel, cases, cases.rows - 1, *outside);
          read.row = cases.rows - 1;
        } else {
          read.row = cases.rows - 1;
        }
        lines.push_back(std::move(read));
      }
      // Cases outside the domain are answered with an error; the formulas never see them.
      Table valid(kernel->input);
      std::vector<std::size_t> valid_row(cases.rows, 0);
      bool all_valid = true;
      for (auto const& read : lines) all_valid = all_valid && read.error.empty();
      Table const* evaluated = &cases;
      if (!all_valid) {
        for (auto const& read : lines) {
          if (!read.error.empty()) continue;
          valid_row[*read.row] = valid.rows;
          append_row(kernel->input, valid, cases, *read.row);
        }
        evaluated = &valid;
      } else {
        for (std::size_t i = 0; i < cases.rows; ++i) valid_row[i] = i;
      }
      if (chosen->answering != nullptr) answer(*chosen->subject, *chosen->answering, kernel->output, *evaluated, answers);
      TextTable text_answer;
      for (auto const& read : lines) {
        auto& buffer = out.buffer();
        if (read.malformed) {
          out.print("{{\"line\":{},\"error\":", read.number);
          write_string(read.error, buffer);
          out.print("}}\n");
        } else {
          echo(*kernel, read.text, read.line, cases, *read.row, buffer);
          if (!read.error.empty()) {
            buffer.append(std::string_view(",\"error\":"));
            write_string(read.error, buffer);
          } else if (chosen->answering != nullptr) {
            std::size_t const row = valid_row[*read.row];
            if (answers.status[row] == Status::answered) {
              buffer.append(std::string_view(",\"output\":"));
              write_record(kernel->output, answers.output, row, buffer);
            } else {
              bool const unsupported = answers.status[row] == Status::unsupported;
              buffer.append(std::string_view(unsupported ? ",\"unsupported\":" : ",\"error\":"));
              write_string(answers.message[row], buffer);
            }
          } else {
            text_answer.rows = 0;
            text_answer.columns.assign(kernel->output.columns.size(), {});
            for (std::size_t i = 0; i < kernel->output.columns.size(); ++i)
              if (kernel->output.columns[i].kind == ColumnInfo::Kind::offsets) text_answer.columns[i].push_back("0");
            kernel->evaluate_text(chosen->formula, chosen->arithmetic, options->digits, cases, *read.row, text_answer);
            buffer.append(std::string_view(",\"output\":"));
            write_record(kernel->output, text_answer, 0, many_digits, buffer);
          }
          out.print("}}\n");
        }
        if (!read.error.empty()) {
          ++invalid;
          if (first_invalid.empty()) first_invalid = fmt::format("line {}: {}", read.number, read.error);
        }
      }
      if (!out.flush()) return complain(broken, "evaluate", out.error());
    }
    if (source.failed()) return complain(broken, "evaluate", "reading the cases failed");
    if (!out.flush()) return complain(broken, "evaluate", out.error());
    if (invalid > 0)
      return complain(bad_data, "evaluate",
                      invalid == 1 ? first_invalid
                                   : fmt::format("{} of {} lines could not be evaluated; the first is {}", invalid,
                                                 line_number, first_invalid));
    return held;
  };
}

}  // namespace demeter::cli
