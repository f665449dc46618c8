#include "reports/junit.hpp"

#include "base/files.hpp"
#include "check/tolerance.hpp"
#include "reports/format/describe.hpp"
#include "reports/format/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace demeter::junit {
namespace {

/// The code point at a position of a text, and its number of bytes. 0 bytes mean invalid UTF-8.
struct Decoded {
  unsigned point = 0;
  std::size_t bytes = 0;
};

Decoded decode(std::string_view text, std::size_t at) {
  auto const byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  unsigned const lead = byte(at);
  if (lead < 0x80) return {lead, 1};
  std::size_t const bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || at + bytes > text.size()) return {};
  unsigned point = lead & (bytes == 4 ? 0x07U : bytes == 3 ? 0x0FU : 0x1FU);
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(at + i) & 0xC0U) != 0x80U) return {};
    point = point << 6 | (byte(at + i) & 0x3FU);
  }
  bool const overlong = (bytes == 3 && point < 0x800) || (bytes == 4 && point < 0x10000);
  if (overlong || point > 0x10FFFF) return {};
  return {point, bytes};
}

bool allowed(unsigned point) {
  if (point < 0x20) return point == '\t' || point == '\n' || point == '\r';
  return !(point >= 0xD800 && point <= 0xDFFF) && point != 0xFFFE && point != 0xFFFF;
}

std::string one_line(std::string_view text) {
  std::string line(text);
  std::replace_if(
      line.begin(), line.end(), [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
  return line;
}

std::size_t count(Suite const& suite, Case::Outcome outcome) {
  return static_cast<std::size_t>(
      std::count_if(suite.cases.begin(), suite.cases.end(), [&](Case const& each) { return each.outcome == outcome; }));
}

std::string brief(double value) { return std::isinf(value) ? "inf" : fmt::format("{:.3g}", value); }

std::string example_detail(Kernel const& kernel, Subject const& subject, Example const& example, char const* title,
                           std::optional<Held> const& held) {
  return fmt::format("{}: {}\nanswer: {}\n{}\n", title, record_json(kernel.input, example.input, 0).dump(),
                     record_json(kernel.output, example.answer, 0).dump(),
                     explain_command(kernel, example.input, 0, subject, held));
}

/// Changes a failure that does not decide the verdict into a skipped case with a message. The verdict of the suite must
/// agree with the exit code.
void let_pass(Case& result) {
  if (result.outcome != Case::Outcome::failed && result.outcome != Case::Outcome::error) return;
  result.outcome = Case::Outcome::skipped;
  result.message = "does not decide the verdict: " + result.message;
}

Case accuracy_case(Kernel const& kernel, Subject const& subject, SubjectCheck const& check, CheckOptions const& options,
                   bool allow_undecided, AccuracyCell const& cell) {
  Case result;
  Budget const budget = tolerated(kernel, cell.budget, tolerance_of(kernel, subject, options.held));
  result.name = fmt::format("{} {}", kernel.regimes[cell.regime].name, budget.output);
  std::string const largest = fmt::format("max {} u, budget {}", brief(cell.max_error), budget_text(budget));
  auto const bad = cell.wrong();
  if (bad > 0) {
    result.outcome = Case::Outcome::failed;
    result.message = fmt::format("{} of {} failed", cell.failed, cell.judged);
    if (cell.lost() > 0) result.message += ", " + report::lost_in_words(cell);
    if (cell.not_asked > 0) result.message += fmt::format(", {} not asked", cell.not_asked);
    result.message += ": " + largest;
    for (auto const& failure : check.failures)
      if (failure.example.regime == cell.regime && failure.budget == cell.budget)
        result.detail +=
            example_detail(kernel, subject, failure.example, "a small case similar to the worst", options.held);
    if (result.detail.empty() && cell.worst_failure)
      result.detail += example_detail(kernel, subject, *cell.worst_failure, "the worst case", options.held);
  } else if (cell.undecided > 0 && !allow_undecided) {
    result.outcome = Case::Outcome::error;
    result.message = fmt::format("{} of {} undecided: {}", cell.undecided, cell.judged, largest);
  } else if (cell.judged == 0 && cell.known == 0) {
    result.outcome = Case::Outcome::skipped;
    result.message = report::not_judged_in_words(cell);
  } else {
    result.detail = fmt::format("{} judged: {}\n", cell.judged, largest);
  }
  if (cell.known > 0) result.detail += fmt::format("{} accepted as known failures\n", cell.known);
  if (!cell.decides) let_pass(result);
  return result;
}

Case law_case(Kernel const& kernel, Subject const& subject, LawCheck const& law, CheckOptions const& options) {
  Case result;
  LawInfo const& info = kernel.laws[law.law];
  result.name = "law " + info.name;
  if (law.broken > 0) {
    result.outcome = Case::Outcome::failed;
    result.message = fmt::format("broken in {} of {} cases (worst: {} tolerances; tolerance: {})", law.broken,
                                 law.applicable, brief(law.worst), info.tolerance);
    if (law.counterexample) {
      result.detail +=
          fmt::format("a small case: {}\n{}\n", record_json(kernel.input, law.counterexample->inputs, 0).dump(),
                      explain_command(kernel, law.counterexample->inputs, 0, subject, options.held, info.name,
                                      law.counterexample->salt));
    }
  } else {
    result.detail =
        fmt::format("passed in {} cases, at most {} of the tolerance\n", law.applicable - law.known, brief(law.worst));
  }
  if (law.known > 0) result.detail += fmt::format("{} accepted as known failures\n", law.known);
  if (law.by_formula > 0)
    result.detail += fmt::format("{} cases not counted: the formula breaks the law too\n", law.by_formula);
  if (!law.broken_where_it_decides()) let_pass(result);
  return result;
}

/// Returns one case for each call pattern that was tried or should have been tried.
std::vector<Case> call_cases(Kernel const& kernel, CallCheck const& calls) {
  constexpr std::size_t few = 65;
  std::vector<Case> cases;
  auto const add = [&](Way way) -> Case& {
    Case& result = cases.emplace_back();
    result.name = fmt::format("call {}", way_name(way));
    return result;
  };
  for (Way const way : calls.tried) {
    Case& result = add(way);
    if (std::find(calls.known.begin(), calls.known.end(), way) != calls.known.end())
      result.detail = "accepted as a known failure\n";
    for (CallFinding const& finding : calls.findings) {
      if (finding.way != way) continue;
      result.outcome = Case::Outcome::failed;
      result.message = finding.text;
      for (std::size_t row = 0; finding.inputs.rows <= few && row < finding.inputs.rows; ++row)
        result.detail += record_json(kernel.input, finding.inputs, row).dump() + "\n";
    }
  }
  for (Way const way : calls.not_tried) {
    Case& result = add(way);
    result.outcome = Case::Outcome::skipped;
    result.message = "not tried: no time, or no single case is answered";
  }
  return cases;
}

/// Returns cases about the whole check: lines that are not answers, and conditions of a verdict that are not met.
std::vector<Case> whole_cases(SubjectCheck const& check) {
  std::vector<Case> cases;
  auto const add = [&](char const* name, std::string message) {
    cases.push_back({name, Case::Outcome::failed, std::move(message), ""});
  };
  if (check.strays > 0)
    add("only answers", fmt::format("{} lines that answer no case; the first: {}", check.strays, check.first_stray));
  if (check.passed() && !check.not_a_verdict.empty()) add("enough cases", check.not_a_verdict);
  return cases;
}

Case recorded_case(Kernel const& kernel, Subject const& subject, SubjectCheck const& check,
                   CheckOptions const& options) {
  Case result;
  result.name = "recorded failures";
  if (check.still_failing.empty()) {
    result.detail = fmt::format("0 of {} fail again\n", check.recorded);
    return result;
  }
  result.outcome = Case::Outcome::failed;
  result.message = fmt::format("{} of {} fail again", check.still_failing.size(), check.recorded);
  for (auto const& failure : check.still_failing)
    result.detail += command_again(kernel, failure, subject, options.held) + "\n";
  if (!check.recorded_decide) let_pass(result);
  return result;
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    Decoded const decoded = decode(text, at);
    if (decoded.bytes == 0 || !allowed(decoded.point)) {
      result += "\xEF\xBF\xBD";
    } else if (auto const written = report::entity(static_cast<char>(decoded.point));
               decoded.bytes == 1 && !written.empty()) {
      result += written;
    } else if (decoded.point == '\r') {
      result += "&#13;";
    } else {
      result += text.substr(at, decoded.bytes);
    }
    at += std::max<std::size_t>(decoded.bytes, 1);
  }
  return result;
}

std::string xml(std::vector<Suite> const& suites) {
  std::size_t tests = 0, failures = 0, errors = 0, skipped = 0;
  std::string body;
  for (auto const& suite : suites) {
    std::size_t const failed = count(suite, Case::Outcome::failed), broken = count(suite, Case::Outcome::error),
                      left = count(suite, Case::Outcome::skipped);
    tests += suite.cases.size();
    failures += failed;
    errors += broken;
    skipped += left;
    body += fmt::format("  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\">\n",
                        escaped(one_line(suite.name)), suite.cases.size(), failed, broken, left);
    for (auto const& each : suite.cases) {
      body += fmt::format("    <testcase classname=\"{}\" name=\"{}\"", escaped(one_line(suite.group)),
                          escaped(one_line(each.name)));
      std::string const message = escaped(one_line(each.message)), detail = escaped(each.detail);
      switch (each.outcome) {
        case Case::Outcome::passed:
          body +=
              detail.empty() ? "/>\n" : fmt::format(">\n      <system-out>{}</system-out>\n    </testcase>\n", detail);
          break;
        case Case::Outcome::failed:
          body += fmt::format(">\n      <failure type=\"fail\" message=\"{0}\">{0}\n{1}</failure>\n    </testcase>\n",
                              message, detail);
          break;
        case Case::Outcome::error:
          body += fmt::format(">\n      <error type=\"undecided\" message=\"{0}\">{0}\n{1}</error>\n    </testcase>\n",
                              message, detail);
          break;
        case Case::Outcome::skipped:
          body += fmt::format(">\n      <skipped message=\"{}\"/>\n    </testcase>\n", message);
          break;
      }
    }
    body += "  </testsuite>\n";
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- {} -->\n<testsuites name=\"demeter\" tests=\"{}\" "
      "failures=\"{}\" errors=\"{}\" skipped=\"{}\">\n{}</testsuites>\n",
      output_mark, tests, failures, errors, skipped, body);
}

std::optional<std::string> write(std::string const& path, std::vector<Suite> const& suites) {
  return write_whole(path, xml(suites));
}

Suite suite(Kernel const& kernel, Subject const& subject, SubjectCheck const& check, CheckOptions const& options,
            bool allow_undecided) {
  Suite result{kernel.name + " x " + subject.name, kernel.name + "." + subject.name, {}};
  for (auto const& cell : check.accuracy)
    if (cell.any()) result.cases.push_back(accuracy_case(kernel, subject, check, options, allow_undecided, cell));
  if (check.recorded > 0) result.cases.push_back(recorded_case(kernel, subject, check, options));
  for (auto const& law : check.laws)
    if (law.applicable > 0) result.cases.push_back(law_case(kernel, subject, law, options));
  for (Case& each : call_cases(kernel, check.calls)) result.cases.push_back(std::move(each));
  for (Case& each : whole_cases(check)) result.cases.push_back(std::move(each));
  return result;
}

}  // namespace demeter::junit
