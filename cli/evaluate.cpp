#include "cli/core/command.hpp"
#include "cli/core/suggest.hpp"

#include <algorithm>
#include <charconv>

namespace demeter::cli {
namespace {

/// The value of --implementation for one kernel: a subject that answers in binary64, or a formula in any arithmetic.
struct Implementation {
  Subject const* subject = nullptr;
  std::size_t formula = 0;
  Arithmetic arithmetic;
};

/// Returns the arithmetic that the text after the @ names. If the text is not known, returns nothing and sets `wrong`.
std::optional<Arithmetic> read_arithmetic(std::string_view text, std::string& wrong) {
  if (text == "double") return Arithmetic{Arithmetic::Kind::binary64, 0};
  if (text == "long-double") return Arithmetic{Arithmetic::Kind::long_double, 0};
  if (text.starts_with("mpfr:")) {
    unsigned digits = 0;
    auto const number = text.substr(5);
    auto const [end, error] = std::from_chars(number.data(), number.data() + number.size(), digits);
    if (error == std::errc{} && end == number.data() + number.size() && digits >= 2 && digits <= 100000)
      return Arithmetic{Arithmetic::Kind::multiprecision, digits};
  }
  wrong = fmt::format("unknown arithmetic \"{}\"; expected double, long-double or mpfr:DIGITS with 2 to 100000 digits",
                      text);
  return std::nullopt;
}

std::string implementation_names(Kernel const& kernel) {
  std::string names;
  for (auto const& each : kernel.formulas) names += each.name + ", ";
  names += "fast";
  for (auto const* subject : subjects_answering(kernel)) names += ", " + subject->name;
  return names;
}

std::optional<Implementation> find_implementation(Kernel const& kernel, std::string_view name, bool many_digits,
                                                  std::string& wrong) {
  Implementation found;
  std::size_t const at = name.find('@');
  if (auto const formula = kernel.formulas.find(name.substr(0, at)).index) {
    found.formula = *formula;
    if (at == std::string_view::npos) return found;
    auto const arithmetic = read_arithmetic(name.substr(at + 1), wrong);
    if (!arithmetic) return std::nullopt;
    found.arithmetic = *arithmetic;
    // The subject with this name computes the same formula in double, without converting numbers to text. A combination
    // of choices has no such subject.
    bool const has_subject = arithmetic->kind == Arithmetic::Kind::binary64 && *formula < kernel.formulas.size();
    if (!has_subject || many_digits) return found;
  }
  SubjectOptions hurried;
  hurried.timeouts = 2;
  Found const outside = find_subject(name, hurried);
  auto const* subject = outside.subject;
  if (!outside.wrong.empty()) {
    wrong = outside.wrong;
    return std::nullopt;
  }
  if (subject != nullptr && subject->origin == Origin::fast && subject->find(kernel.name) == nullptr) {
    wrong = why_not(kernel, *subject);
    return std::nullopt;
  }
  if (subject == nullptr || subject->find(kernel.name) == nullptr) {
    std::vector<std::string> names = names_of(kernel.formulas);
    for (auto const& each : kernel.implementations) names.push_back(each.name);
    wrong = fmt::format("unknown implementation \"{}\" of {}; {}", name, kernel.name,
                        meant(name, names, implementation_names(kernel)));
    return std::nullopt;
  }
  if (many_digits) {
    wrong = fmt::format("--digits: expected at most 17, because {} answers in binary64", name);
    return std::nullopt;
  }
  found.subject = subject;
  return found;
}

/// One line of the input. A valid line has a row in the table of cases. An invalid line has an error message.
struct CaseLine {
  std::string_view text;
  std::uint64_t number = 0;
  Line line;
  std::size_t row = 0;
  std::string error;
  bool malformed = false;  ///< true: the line has no readable case that could be repeated in the output
};

/// Reads a line. A case gets a row only if it is in the domain, so that formulas get no other cases.
CaseLine read_case_line(Kernel const& kernel, LineReader& reader, Lines::Numbered const& from, Table& cases) {
  CaseLine read;
  read.text = from.text;
  read.number = from.number;
  TableMark const before(cases);
  auto wrong = reader.read(from.text, &cases, nullptr, read.line);
  if (!wrong && !read.line.has_input) wrong = "missing key \"input\"";
  if (wrong) {
    read.error = *wrong;
    read.malformed = true;
  } else if (auto const outside = kernel.domain_error(cases, cases.rows - 1)) {
    read.error = domain_message(kernel, cases, cases.rows - 1, *outside);
    before.restore(cases);
  } else {
    read.row = cases.rows - 1;
  }
  return read;
}

/// Returns the end of the string or value that begins at `at`. The text must be valid JSON.
std::size_t end_of_value(std::string_view text, std::size_t at) {
  int depth = 0;
  bool quoted = false;
  for (; at < text.size(); ++at) {
    char const c = text[at];
    if (quoted) {
      if (c == '\\') ++at;
      if (c == '"') quoted = false;
    } else if (c == '"') {
      quoted = true;
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if (depth > 0 && (c == '}' || c == ']')) {
      --depth;
    } else if (depth == 0 && (c == ',' || c == ':' || c == '}')) {
      break;
    }
  }
  return at;
}

/// Writes the members of a line that already has an answer, without the answer.
void write_other_members(std::string_view line, Buffer& out) {
  out.push_back('{');
  bool first = true;
  for (std::size_t at = line.find('{') + 1; at < line.size();) {
    std::size_t const colon = end_of_value(line, at), end = end_of_value(line, colon + 1);
    auto const key = trimmed(line.substr(at, colon - at));
    if (key != "\"output\"" && key != "\"unsupported\"" && key != "\"error\"") {
      if (!std::exchange(first, false)) out.push_back(',');
      out.append(trimmed(line.substr(at, end - at)));
    }
    if (end >= line.size() || line[end] == '}') break;
    at = end + 1;
  }
}

/// Writes the part of the output line before the answer: the members of the case, without the closing brace.
void echo(CaseLine const& read, Buffer& out) {
  std::size_t const before = out.size();
  if (read.line.answer != Line::Answer::none) {
    write_other_members(read.text, out);
  } else {
    out.append(trimmed(read.text.substr(0, read.text.rfind('}'))));
  }
  std::string_view const echoed(out.data() + before, out.size() - before);
  if (std::all_of(echoed.begin(), echoed.end(), [](char c) { return 0 <= c && c < 127; })) return;
  std::string const text = escaped_json(std::string(echoed));
  out.resize(before);
  out.append(text);
}

/// The implementation that answers the lines, and the counts so far.
struct Evaluation {
  Kernel const& kernel;
  Implementation implementation;
  unsigned digits = 17;
  Answers answers = {};        ///< answers to a block of lines, if a subject answers
  TextTable text_answer = {};  ///< answer to one case, if a formula answers
  std::uint64_t invalid = 0, crashed = 0;
  std::string first_invalid = {}, first_crash = {};

  bool many_digits() const { return digits > 17; }
};

void write_formula_answer(Evaluation& evaluation, Table const& cases, std::size_t row, Buffer& out) {
  Kernel const& kernel = evaluation.kernel;
  evaluation.text_answer = empty_text(kernel.output);
  kernel.evaluate_text(evaluation.implementation.formula, evaluation.implementation.arithmetic, evaluation.digits,
                       cases, row, evaluation.text_answer);
  out.append(std::string_view(",\"output\":"));
  write_record(kernel.output, evaluation.text_answer, 0, evaluation.many_digits(), out);
}

void write_subject_answer(Evaluation& evaluation, CaseLine const& read, Buffer& out) {
  Status const status = evaluation.answers.status[read.row];
  if (status == Status::answered) {
    out.append(std::string_view(",\"output\":"));
    return write_record(evaluation.kernel.output, evaluation.answers.output, read.row, out);
  }
  std::string message = evaluation.answers.message[read.row];
  bool const declined = status == Status::unsupported || status == Status::not_representable;
  if (!declined) {
    auto const label = labels(status)[static_cast<std::size_t>(status)];
    message = message.empty() ? std::string(label) : fmt::format("{}: {}", label, message);
    if (evaluation.crashed++ == 0) evaluation.first_crash = fmt::format("line {}: {}", read.number, message);
  }
  out.append(std::string_view(declined ? ",\"unsupported\":" : ",\"error\":"));
  write_string(message, out);
}

void write_answer(Evaluation& evaluation, CaseLine const& read, Table const& cases, Output& out) {
  auto& buffer = out.buffer();
  if (!read.error.empty() && evaluation.invalid++ == 0)
    evaluation.first_invalid = fmt::format("line {}: {}", read.number, read.error);
  if (read.malformed) {
    out.print("{{");
    if (read.line.id) out.print("\"id\":{},", *read.line.id);
    out.print("\"line\":{}", read.number);
  } else {
    echo(read, buffer);
  }
  if (!read.error.empty()) {
    buffer.append(std::string_view(",\"error\":"));
    write_string(read.error, buffer);
  } else if (evaluation.implementation.subject != nullptr) {
    write_subject_answer(evaluation, read, buffer);
  } else {
    write_formula_answer(evaluation, cases, read.row, buffer);
  }
  out.print("}}\n");
}

int conclusion(Evaluation const& evaluation, std::uint64_t lines) {
  if (evaluation.invalid == 1) return complain(bad_data, "evaluate", evaluation.first_invalid);
  if (evaluation.invalid > 0)
    return complain(bad_data, "evaluate",
                    fmt::format("{} of {} lines could not be evaluated; the first: {}", evaluation.invalid, lines,
                                evaluation.first_invalid));
  if (evaluation.crashed > 0)
    return complain(
        failed, "evaluate",
        fmt::format("{} of {} lines have no answer; the first: {}", evaluation.crashed, lines, evaluation.first_crash));
  return held;
}

struct EvaluateArguments : Common {
  std::string implementation = "reference";
  unsigned digits = 17;
  InputPath cases;
};

int run_evaluate(EvaluateArguments const& options) {
  Kernel const* kernel = kernel_or_complain("evaluate", options.kernel);
  if (kernel == nullptr) return bad_usage;
  std::string wrong;
  auto const implementation = find_implementation(*kernel, options.implementation, options.digits > 17, wrong);
  if (!implementation) return complain(bad_usage, "evaluate", wrong);
  InputFile in;
  if (!in.open_or_complain("evaluate", options.cases)) return bad_usage;

  Lines source(in);
  LineReader reader(*kernel);
  Output out;
  Evaluation evaluation{*kernel, *implementation, options.digits};
  Table cases(kernel->input);
  std::vector<CaseLine> lines;
  for (;;) {
    auto const& block = source.next_block();
    if (block.empty()) break;
    lines.clear();
    cases.clear(kernel->input);
    for (auto const& each : block) lines.push_back(read_case_line(*kernel, reader, each, cases));
    if (implementation->subject != nullptr) answer(*implementation->subject, *kernel, cases, evaluation.answers);
    for (auto const& line : lines) {
      if (stop_requested() && implementation->subject == nullptr) break;
      write_answer(evaluation, line, cases, out);
    }
    if (!out.flush()) return complain(broken, "evaluate", out.error());
  }
  if (source.error()) return complain(broken, "evaluate", *source.error());
  if (stop_requested()) return complain(failed, "evaluate", "stopped: printed results are partial");
  return conclusion(evaluation, source.count());
}

}  // namespace

Verb evaluate() {
  Verb verb{"evaluate", "answers cases: reads JSON lines and prints them with their output"};
  auto options = std::make_shared<EvaluateArguments>();
  verb.option("kernel", options->kernel, "the kernel").required();
  verb.option("--implementation", options->implementation,
              "formula@arithmetic or a subject: reference (correctly rounded), reference@mpfr:50, fast, "
              "documented@double, bullet, lib:PATH, pipe:COMMAND, ...")
      .shows_default();
  verb.option("--digits", options->digits,
              "significant digits; up to 17: the shortest number that reads back as the same double; above 17: decimal "
              "strings")
      .check(whole_number(1, 10000))
      .shows_default();
  verb.option("--cases", options->cases, "read this file instead of standard input");
  verb.example =
      "echo '{\"input\":{\"radius\":\"0.1\",\"shaft\":\"1/3\",\"density\":2600}}' | demeter evaluate "
      "capsule_mass_properties --digits 40";
  verb.run = [options] { return run_evaluate(*options); };
  return verb;
}

}  // namespace demeter::cli
