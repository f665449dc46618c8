#include "reports/site/tables.hpp"

#include "reports/site/html.hpp"

#include <cmath>
#include <cstdlib>
#include <initializer_list>

namespace demeter::report {
namespace {

/// RFC 4180: quoted if need be, quotes doubled.
std::string csv_field(std::string_view text) {
  if (text.find_first_of("\",\r\n") == std::string_view::npos) return std::string(text);
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
        latex += "-{}";  // no dashes out of hyphens
        continue;
      case '[':
      case ']':
      case '*':
        latex += fmt::format("{{{}}}", c);  // after a line's \\ these would be read as its argument
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

std::string accuracy_csv(Kernel const& kernel) {
  std::string csv =
      "kernel,subject,regime,output,measure,budget,cases,judged,unsupported,not_representable,not_asked,missing,"
      "malformed,crash,timeout,failed,not_a_number,not_finite,"
      "undecided,max_error,"
      "mean_error,median_error,p99_error,max_relative,max_condition,worst_id,command\n";
  for (Contender const& contender : kernel.subjects) {
    for (Accuracy const& row : contender.accuracy) {
      csv_row(csv, {kernel.name,
                    contender.name,
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

std::string laws_csv(Kernel const& kernel) {
  std::string csv = "kernel,subject,law,regime,cases,applicable,broken,worst,command\n";
  for (Contender const& contender : kernel.subjects) {
    for (LawResult const& row : contender.laws) {
      csv_row(csv,
              {kernel.name, contender.name, row.law, "all", std::to_string(row.cases), std::to_string(row.applicable),
               std::to_string(row.broken), exact(row.worst), row.counterexample ? row.counterexample->command : ""});
      for (LawRegime const& regime : row.regimes) {
        csv_row(csv, {kernel.name, contender.name, row.law, regime.regime, "", "", std::to_string(regime.broken),
                      exact(regime.worst), ""});
      }
    }
  }
  return csv;
}

std::string speed_csv(Kernel const& kernel) {
  std::string csv = "kernel,subject,kind,setting,regime,outputs,nanoseconds,count,samples\n";
  for (Timing const& row : kernel.speed.timings) {
    std::string samples;
    for (double const sample : row.samples) samples += (samples.empty() ? "" : ";") + exact(sample);
    csv_row(csv, {kernel.name, row.subject, row.kind, row.setting, row.regime, row.outputs, exact(row.nanoseconds),
                  std::to_string(row.count), samples});
  }
  return csv;
}

std::string mutants_csv(Kernel const& kernel) {
  std::string csv = "kernel,mutant,change,source,killed,by,cases,laws\n";
  for (Mutant const& row : kernel.mutation.mutants) {
    std::string laws;
    for (std::string const& law : row.laws) laws += (laws.empty() ? "" : ";") + law;
    csv_row(csv, {kernel.name, row.name, row.change, row.source, row.killed ? "yes" : "no", row.by,
                  std::to_string(row.cases), laws});
  }
  return csv;
}

std::string latex_tables(Kernel const& kernel) {
  // Rules of booktabs where it is loaded, plain lines where it is not.
  std::string latex =
      "% Written by Demeter. \\input this file; \\usepackage{booktabs} improves the rules.\n"
      "\\providecommand{\\toprule}{\\hline}\\providecommand{\\midrule}{\\hline}\\providecommand{\\bottomrule}{\\hline}"
      "\n";
  for (auto const& group : output_groups(kernel)) {
    std::string const& output = group.front();
    std::vector<Contender const*> columns;
    std::string measure;
    Number budget;
    for (Contender const& contender : kernel.subjects) {
      if (tally(contender, output).cases == 0) continue;
      columns.push_back(&contender);
      for (Accuracy const& row : contender.accuracy) {
        if (row.output != output) continue;
        measure = row.measure;
        budget = row.budget;
      }
    }
    if (columns.empty()) continue;

    std::string outputs;
    for (std::string const& name : group) outputs += (outputs.empty() ? "" : ", ") + latex_escaped(name);
    add(latex, "\n\\begin{{table}}\n\\centering\\footnotesize\n");
    add(latex,
        "\\caption{{Largest error of {} ({}), measure {}, in units of $2^{{-53}}$; budget {}. Bold: exceeded.}}\n",
        outputs, latex_escaped(kernel.name), latex_escaped(measure), budget ? exact(budget) : "none");
    add(latex, "\\label{{tab:{}-", kernel.slug);
    for (char const c : output)
      latex += (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ? c : '-';
    add(latex, "}}\n\\begin{{tabular}}{{l*{{{}}}{{r}}}}\n\\toprule\nregime", columns.size());
    for (Contender const* column : columns) latex += " & " + latex_escaped(column->name);
    latex += " \\\\\n\\midrule\n";
    for (Term const& regime : kernel.regimes) {
      latex += latex_escaped(regime.name);
      for (Contender const* column : columns) {
        Accuracy const* const row = find_accuracy(*column, regime.name, output);
        std::string const number = row ? latex_number(row->max_error) : "--";
        bool const bold = row && standing(*row) == Standing::exceeded;
        latex += bold ? fmt::format(" & {{\\boldmath\\textbf{{{}}}}}", number) : " & " + number;
      }
      latex += " \\\\\n";
    }
    latex += "\\bottomrule\n\\end{tabular}\n\\end{table}\n";
  }
  return latex;
}

}  // namespace demeter::report
