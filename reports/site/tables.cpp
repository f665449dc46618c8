#include "reports/site/tables.hpp"

#include "reports/site/html.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <initializer_list>

namespace demeter::report {
namespace {

/// Returns a CSV field (RFC 4180): quoted if necessary, with quotes doubled. An apostrophe precedes text that is not a
/// number and that a spreadsheet would read as a formula.
std::string csv_field(std::string_view given) {
  double number = 0;
  std::string_view const digits = given.starts_with('+') ? given.substr(1) : given;
  auto const [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  bool const is_number = !digits.empty() && end == digits.data() + digits.size();
  bool const formula = !given.empty() && std::string_view("=+-@\t\r").find(given.front()) != std::string_view::npos;
  std::string const text = (formula && !is_number ? "'" : "") + std::string(given);
  if (text.find_first_of("\",\r\n") == std::string::npos) return text;
  std::string field = "\"";
  for (char const c : text) field += c == '"' ? "\"\"" : std::string(1, c);
  return field + "\"";
}

}  // namespace

void csv_row(std::string& csv, std::vector<std::string> const& fields) {
  bool first = true;
  for (std::string const& field : fields) {
    csv += (first ? "" : ",") + csv_field(field);
    first = false;
  }
  csv += '\n';
}

namespace {

std::string latex_number(Number value) {
  if (!value) return "--";
  double const x = *value;
  if (std::isnan(x)) return "NaN";
  if (std::isinf(x)) return x > 0 ? "$\\infty$" : "$-\\infty$";
  std::string const written = fmt::format("{:.1e}", x);
  std::size_t const e = written.find('e');
  int const exponent = std::atoi(written.c_str() + e + 1);
  if (x == 0) return "$0$";
  if (exponent >= -2 && exponent <= 3) return fmt::format("${:.{}f}$", x, exponent >= 1 ? 0 : 1 - exponent);
  return fmt::format("${}\\times 10^{{{}}}$", written.substr(0, e), exponent);
}

}  // namespace

std::string latex_escaped(std::string_view text) {
  std::string latex;
  for (std::size_t i = 0; i < text.size(); ++i) {
    char const c = text[i];
    auto const code = static_cast<unsigned char>(c);
    switch (c) {
      case '\\':
        latex += "\\textbackslash{}";
        continue;
      case '~':
        latex += "\\textasciitilde{}";
        continue;
      case '^':
        latex += "\\textasciicircum{}";
        continue;
      case '<':
        latex += "\\textless{}";
        continue;
      case '>':
        latex += "\\textgreater{}";
        continue;
      case '|':
        latex += "\\textbar{}";
        continue;
      case '"':
        latex += "\\char34{}";
        continue;
      case '`':
        latex += "\\char96{}";
        continue;
      case '\'':
        latex += "\\char39{}";
        continue;
      case '-':
        latex += "-{}";  // prevents ligatures of hyphens to dashes
        continue;
      case '[':
      case ']':
      case '*':
        latex += fmt::format("{{{}}}", c);  // after \\ LaTeX would read these as its argument
        continue;
      case '&':
      case '%':
      case '$':
      case '#':
      case '_':
      case '{':
      case '}':
        latex += '\\';
        latex += c;
        continue;
      default:
        break;
    }
    if (code < 0x20 || code == 0x7f) {
      latex += ' ';
    } else if (code < 0x80) {
      latex += c;
    } else {
      int const more = code >= 0xF0 ? 3 : code >= 0xE0 ? 2 : code >= 0xC0 ? 1 : 0;
      unsigned point = more == 3 ? code & 0x07U : more == 2 ? code & 0x0FU : code & 0x1FU;
      for (int k = 0; k < more && i + 1 < text.size(); ++k) {
        point = point << 6 | (static_cast<unsigned char>(text[++i]) & 0x3FU);
      }
      latex += fmt::format("{{[}}U+{:04X}{{]}}", point);
    }
  }
  return latex;
}

Provenance provenance_of(Results const& results) {
  return {results.run.seed ? std::to_string(*results.run.seed) : "", results.run.commit};
}

std::string accuracy_csv(Kernel const& kernel, Provenance const& of) {
  std::string csv =
      "seed,commit,kernel,subject,profile,regime,output,measure,budget,cases,n,unsupported,not_representable,not_asked,"
      "missing,malformed,crash,timeout,failed,not_a_number,not_finite,undecided,max_error,mean_error,median_error,"
      "p99_error,max_relative,max_condition,worst_id,command\n";
  for (Contender const& contender : kernel.subjects) {
    for (Accuracy const& row : contender.accuracy) {
      csv_row(csv, {of.seed,
                    of.commit,
                    kernel.name,
                    contender.name,
                    std::string(profile_of(kernel, row.regime)),
                    row.regime,
                    row.output,
                    row.measure,
                    exact(row.budget),
                    std::to_string(row.cases),
                    std::to_string(row.judged),
                    std::to_string(row.unsupported),
                    std::to_string(row.not_representable),
                    std::to_string(row.not_asked),
                    std::to_string(row.missing),
                    std::to_string(row.malformed),
                    std::to_string(row.crash),
                    std::to_string(row.timeout),
                    std::to_string(row.failed),
                    std::to_string(row.not_a_number),
                    std::to_string(row.not_finite),
                    std::to_string(row.undecided),
                    exact(row.max_error),
                    exact(row.mean_error),
                    exact(row.median_error),
                    exact(row.p99_error),
                    exact(row.max_relative),
                    exact(row.max_condition),
                    row.worst ? std::to_string(row.worst->id) : "",
                    row.worst ? row.worst->command : ""});
    }
  }
  return csv;
}

std::string laws_csv(Kernel const& kernel, Provenance const& of) {
  std::string csv = "seed,commit,kernel,subject,law,profile,regime,cases,n,broken,worst,command\n";
  for (Contender const& contender : kernel.subjects) {
    for (LawResult const& row : contender.laws) {
      csv_row(csv, {of.seed, of.commit, kernel.name, contender.name, row.law, "all", "all", std::to_string(row.cases),
                    std::to_string(row.applicable), std::to_string(row.broken), exact(row.worst),
                    row.counterexample ? row.counterexample->command : ""});
      for (LawRegime const& regime : row.regimes) {
        csv_row(csv, {of.seed, of.commit, kernel.name, contender.name, row.law,
                      std::string(profile_of(kernel, regime.regime)), regime.regime, "", "",
                      std::to_string(regime.broken), exact(regime.worst), ""});
      }
    }
  }
  return csv;
}

std::string speed_csv(Kernel const& kernel, Provenance const& of) {
  std::string csv = "seed,commit,kernel,subject,kind,setting,profile,regime,outputs,nanoseconds,low,high,n,samples\n";
  for (Timing const& row : kernel.speed.timings) {
    std::string samples;
    for (double const sample : row.samples) samples += (samples.empty() ? "" : ";") + exact(sample);
    auto const interval = median_interval(row.samples);
    csv_row(csv, {of.seed, of.commit, kernel.name, row.subject, row.kind, row.setting,
                  std::string(profile_of(kernel, row.regime)), row.regime, row.outputs, exact(row.nanoseconds),
                  interval ? exact(interval->low) : "", interval ? exact(interval->high) : "",
                  std::to_string(row.count), samples});
  }
  return csv;
}

std::string mutants_csv(Kernel const& kernel, Provenance const& of) {
  std::string csv = "seed,commit,kernel,mutant,change,source,killed,by,profile,regime,n,laws\n";
  for (Mutant const& row : kernel.mutation.mutants) {
    std::string laws;
    for (std::string const& law : row.laws) laws += (laws.empty() ? "" : ";") + law;
    csv_row(csv,
            {of.seed, of.commit, kernel.name, row.name, row.change, row.source, row.killed ? "yes" : "no",
             row.found_by(), std::string(profile_of(kernel, row.regime)), row.regime, std::to_string(row.cases), laws});
  }
  return csv;
}

namespace {

/// Returns a name that may be broken after underscores and before "@". The leading \hspace permits hyphenation, because
/// TeX does not hyphenate the first word of a paragraph.
std::string latex_name(std::string_view name) {
  std::string result = "\\hspace{0pt}", piece;
  auto const flush = [&] {
    result += latex_escaped(piece);
    piece.clear();
  };
  for (char const c : name) {
    if (c == '@') flush(), result += "\\hspace{0pt}";
    piece += c;
    if (c == '_') flush(), result += "\\hspace{0pt}";
  }
  flush();
  return result;
}

// Widths in points. The text is 345 points wide, as in the standard classes of LaTeX on A4 and letter paper. Each
// column has a margin of 2.5 points on both sides.
constexpr double text_width_points = 345, gap_points = 5, regime_points = 70, cases_points = 28, error_points = 40;
constexpr auto columns_a_part = static_cast<std::size_t>(
    (text_width_points - regime_points - cases_points - 2 * gap_points) / (error_points + gap_points));

/// Returns the largest number of cases of a regime that a column was judged on.
std::int64_t cases_of(std::vector<Line> const& columns, std::string const& regime, std::string const& output) {
  std::int64_t most = 0;
  for (Line const& column : columns)
    if (Accuracy const* const row = find_accuracy(*column.who.front(), regime, output))
      most = std::max(most, row->judged);
  return most;
}

/// Returns the budget, in u, for an output of a contender, or nothing without a budget.
Number budget_of_contender(Contender const& contender, std::string const& output) {
  auto const row = std::ranges::find(contender.accuracy, output, &Accuracy::output);
  return row == contender.accuracy.end() ? Number() : row->budget;
}

void add_latex_rows(std::string& latex, Kernel const& kernel, std::vector<Line> const& columns,
                    std::vector<Line> const& part, std::string const& output) {
  latex += "budget & ";
  for (Line const& column : part) {
    Number const budget = budget_of_contender(*column.who.front(), output);
    latex += " & " + (budget ? latex_number(budget) : "--");
  }
  latex += " \\\\\n\\midrule\n";
  for (std::string_view const profile : profiles_of(kernel)) {
    if (!profile.empty())
      add(latex, "\\multicolumn{{{}}}{{@{{}}l}}{{\\textit{{{}}}}} \\\\\n", part.size() + 2, profile);
    for (RegimeTerm const& regime : kernel.regimes) {
      if (!is_of(regime, profile)) continue;
      std::int64_t const cases = cases_of(columns, regime.name, output);
      add(latex, "{} & {}", latex_name(regime.name), cases);
      for (Line const& column : part) {
        Accuracy const* const row = find_accuracy(*column.who.front(), regime.name, output);
        std::string const number = row && row->judged > 0 ? latex_number(row->max_error) : "--";
        bool const bold = row && standing(*row) == Standing::exceeded;
        latex += bold ? fmt::format(" & {{\\boldmath\\textbf{{{}}}}}", number) : " & " + number;
        if (row && row->judged > 0 && row->judged != cases) add(latex, "\\newline {{\\tiny $n={}$}}", row->judged);
      }
      latex += " \\\\\n";
    }
  }
}

}  // namespace

std::string latex_tables(Kernel const& kernel, Provenance const& of) {
  // The tables use the rules of booktabs if it is loaded, and plain lines otherwise.
  std::string latex =
      "% Written by Demeter. \\input this file; \\usepackage{booktabs} improves the rules.\n"
      "\\providecommand{\\toprule}{\\hline}\\providecommand{\\midrule}{\\hline}\\providecommand{\\bottomrule}{\\hline}"
      "\n";
  for (auto const& group : output_groups(kernel)) {
    std::string const& output = group.front();
    std::vector<Line> columns = lines(kernel);
    std::erase_if(columns, [&](Line const& line) { return accuracy_tally(*line.who.front(), output).cases == 0; });
    std::string const measure = budget_of(kernel, output).measure;
    std::string outputs;
    for (std::string const& name : group) outputs += (outputs.empty() ? "" : ", ") + latex_name(name);
    std::size_t const parts = (columns.size() + columns_a_part - 1) / columns_a_part;
    for (std::size_t i = 0; i < parts; ++i) {
      std::vector<Line> const part(
          columns.begin() + static_cast<std::ptrdiff_t>(i * columns_a_part),
          columns.begin() + static_cast<std::ptrdiff_t>(std::min((i + 1) * columns_a_part, columns.size())));
      latex += "\n\\begin{table}\n\\centering\\scriptsize\\setlength{\\tabcolsep}{2.5pt}\n";
      add(latex,
          "\\caption{{Largest error of {} ({}{}) over $n$ cases, measure {}, in units of $2^{{-53}}$. Bold: over the "
          "budget of its column. Seed {}, commit {}.}}\n",
          outputs, latex_escaped(kernel.name), parts > 1 ? fmt::format(", part {} of {}", i + 1, parts) : "",
          latex_escaped(measure), latex_escaped(of.seed), latex_escaped(shortened(of.commit, 12)));
      add(latex, "\\label{{tab:{}-", kernel.slug);
      for (char const c : output)
        latex += (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ? c : '-';
      if (i > 0) add(latex, "-{}", i + 1);
      add(latex, "}}\n\\begin{{tabular}}{{p{{{}pt}}r*{{{}}}{{p{{{}pt}}}}}}\n\\toprule\nregime & $n$", regime_points,
          part.size(), error_points);
      for (Line const& column : part) latex += " & " + latex_name(column.name);
      latex += " \\\\\n\\midrule\n";
      add_latex_rows(latex, kernel, columns, part, output);
      latex += "\\bottomrule\n\\end{tabular}\n\\end{table}\n";
    }
  }
  return latex;
}

}  // namespace demeter::report
