// The tables of the report for a paper, in LaTeX.
#include "reports/format/verdict.hpp"
#include "reports/site/html.hpp"
#include "reports/site/tables.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace demeter::report {
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
constexpr double text_width_points = 345, gap_points = 5, name_points = 70, budget_points = 40, error_points = 40;
constexpr auto regimes_per_part = static_cast<std::size_t>(
    (text_width_points - name_points - budget_points - 2 * gap_points) / (error_points + gap_points));

/// The tables use the rules of booktabs if it is loaded, and plain lines otherwise.
constexpr std::string_view preamble =
    "% Written by Demeter. \\input this file; \\usepackage{booktabs} improves the rules.\n"
    "\\providecommand{\\toprule}{\\hline}\\providecommand{\\midrule}{\\hline}\\providecommand{\\bottomrule}{\\hline}"
    "\n";

/// Returns the budget of a row in u: "8", or "2--50" if it differs between outputs or regimes.
std::string budget_text(std::vector<Accuracy const*> const& rows) {
  Number least, most;
  for (Accuracy const* row : rows) {
    if (!row->budget) continue;
    if (!least || *row->budget < *least) least = row->budget;
    if (!most || *row->budget > *most) most = row->budget;
  }
  if (!least) return "none";
  return exact(least) + (*least < *most ? "--" + exact(most) : "");
}

/// A table of one output: the implementations, and the regimes of one part.
struct LatexPart {
  Kernel const& kernel;
  std::string const& output;
  std::vector<Line> const& rows;
  std::vector<RegimeTerm const*> regimes;

  /// Returns the largest number of cases of a regime that an implementation was judged on.
  std::int64_t cases(std::size_t at) const {
    std::int64_t most = 0;
    for (Line const& line : rows)
      if (Accuracy const* const row = find(line, at)) most = std::max(most, row->judged);
    return most;
  }
  Accuracy const* find(Line const& line, std::size_t at) const {
    return find_accuracy(*line.who.front(), regimes[at]->name, output);
  }
};

void add_latex_rows(std::string& latex, LatexPart const& part) {
  for (Line const& line : part.rows) {
    std::vector<Accuracy const*> found;
    std::string cells;
    for (std::size_t i = 0; i < part.regimes.size(); ++i) {
      Accuracy const* const row = part.find(line, i);
      if (row != nullptr) found.push_back(row);
      bool const judged = row != nullptr && row->judged > 0;
      std::string const number = judged ? latex_number(row->max_error) : "--";
      bool const bold = row != nullptr && standing(*row) == Standing::exceeded;
      cells += bold ? fmt::format(" & {{\\boldmath\\textbf{{{}}}}}", number) : " & " + number;
      if (judged && row->judged != part.cases(i)) add(cells, "\\newline {{\\tiny $n={}$}}", row->judged);
    }
    add(latex, "{} & {}{} \\\\\n", latex_name(line.name), budget_text(found), cells);
  }
}

void add_latex_head(std::string& latex, LatexPart const& part) {
  add(latex, "\\begin{{tabular}}{{p{{{}pt}}p{{{}pt}}*{{{}}}{{p{{{}pt}}}}}}\n\\toprule\nimplementation & budget",
      name_points, budget_points, part.regimes.size(), error_points);
  for (RegimeTerm const* regime : part.regimes) latex += " & " + latex_name(regime->name);
  latex += " \\\\\n$n$ &";
  for (std::size_t i = 0; i < part.regimes.size(); ++i) add(latex, " & {}", part.cases(i));
  latex += " \\\\\n\\midrule\n";
}

std::string latex_label(std::string_view text) {
  std::string label;
  for (char const c : text)
    label += (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ? c : '-';
  return label;
}

/// Adds the tables of one output and profile.
void add_latex_profile(std::string& latex, Kernel const& kernel, std::vector<std::string> const& group,
                       std::string_view profile, std::vector<Line> const& rows, Provenance const& of) {
  std::string const& output = group.front();
  std::vector<RegimeTerm const*> regimes;
  for (RegimeTerm const& regime : kernel.regimes)
    if (is_of(regime, profile)) regimes.push_back(&regime);
  std::string outputs;
  for (std::string const& name : group) outputs += (outputs.empty() ? "" : ", ") + latex_name(name);
  std::size_t const parts = (regimes.size() + regimes_per_part - 1) / regimes_per_part;
  for (std::size_t i = 0; i < parts; ++i) {
    auto const begin = regimes.begin() + static_cast<std::ptrdiff_t>(i * regimes_per_part);
    auto const end =
        regimes.begin() + static_cast<std::ptrdiff_t>(std::min((i + 1) * regimes_per_part, regimes.size()));
    LatexPart const part{kernel, output, rows, {begin, end}};
    latex += "\n\\begin{table}\n\\centering\\scriptsize\\setlength{\\tabcolsep}{2.5pt}\n";
    add(latex,
        "\\caption{{Largest error of {} ({}, {}{}) over $n$ cases, measure {}, in units of $2^{{-53}}$. Bold: "
        "exceeds the budget of its row. Seed {}, commit {}.}}\n",
        outputs, latex_escaped(kernel.name), profile_name(profile),
        parts > 1 ? fmt::format(", part {} of {}", i + 1, parts) : "", latex_escaped(budget_of(kernel, output).measure),
        latex_escaped(of.seed), latex_escaped(shortened(of.commit, 12)));
    add(latex, "\\label{{tab:{}-{}{}{}{}}}\n", kernel.slug, latex_label(output), profile.empty() ? "" : "-", profile,
        i > 0 ? fmt::format("-{}", i + 1) : "");
    add_latex_head(latex, part);
    add_latex_rows(latex, part);
    latex += "\\bottomrule\n\\end{tabular}\n\\end{table}\n";
  }
}

}  // namespace

std::string latex_tables(Kernel const& kernel, Provenance const& of) {
  std::string latex(preamble);
  for (auto const& group : output_groups(kernel)) {
    std::vector<Line> rows = lines(kernel);
    std::erase_if(rows, [&](Line const& line) { return accuracy_tally(*line.who.front(), group.front()).cases == 0; });
    if (rows.empty()) continue;
    for (std::string_view const profile : profiles_of(kernel))
      add_latex_profile(latex, kernel, group, profile, rows, of);
  }
  return latex;
}

namespace {

/// A row of the overview: an implementation of one kernel.
struct OverviewRow {
  Kernel const* kernel;
  Line line;
};

/// The rows of one code.
struct OverviewCode {
  std::string name;
  std::vector<OverviewRow> rows;
};

/// Returns the codes with their kernels: other codes first, then Demeter's own.
std::vector<OverviewCode> overview_codes(Results const& results) {
  std::vector<OverviewCode> codes;
  for (Origin const origin : {Origin::peer, Origin::own})
    for (Kernel const& kernel : results.kernels)
      for (Line& line : lines(kernel)) {
        if (line.who.front()->origin != origin) continue;
        auto found = std::ranges::find(codes, line.name, &OverviewCode::name);
        if (found == codes.end()) found = codes.insert(codes.end(), {line.name, {}});
        found->rows.push_back({&kernel, std::move(line)});
      }
  return codes;
}

std::string version_of(Results const& results, Contender const& contender) {
  if (contender.origin == Origin::own) return results.run.version;
  Subject const* const subject = find_named(results.subjects, contender.name);
  return subject == nullptr ? "" : subject->version;
}

std::string_view latex_mark(Standing standing) {
  switch (standing) {
    case Standing::held:
      return "$\\surd$";
    case Standing::exceeded:
      return "$\\times$";
    case Standing::undecided:
      return "?";
    case Standing::none:
      break;
  }
  return "--";
}

/// Returns the mark of a verdict: "$\times$ extreme" if only extreme cases, which have no column, fail.
std::string verdict_cell(Kernel const& kernel, Contender const& contender) {
  if (fails(kernel, contender)) return std::string(latex_mark(Standing::exceeded));
  if (has_failed(contender)) return fmt::format("{} extreme", latex_mark(Standing::exceeded));
  return std::string(latex_mark(contender.verdict == "undecided" ? Standing::undecided
                                : contender.verdict == "pass"    ? Standing::held
                                                                 : Standing::none));
}

/// Returns the digits of a profile and its mark: "15.1 $\surd$", "1.2 $\times$ (8 of 12)", or the number of cases if
/// too few were judged.
std::string digits_cell(Kernel const& kernel, Contender const& contender, std::string_view profile) {
  ProfileTally const sum = profile_tally(kernel, contender, profile);
  if (sum.standing == Standing::none || !sum.error) return "--";
  double const digits = std::isfinite(*sum.error) ? std::floor(digits_of(*sum.error) * 10) / 10 : 0;
  bool const few = sum.standing == Standing::held && sum.fewest > 0;
  std::string cell = fmt::format("{:.1f} {}", digits, few ? "$\\circ$" : latex_mark(sum.standing));
  if (few) add(cell, " ($n={}$)", sum.fewest);
  if (sum.held < sum.regimes) add(cell, " ({} of {})", sum.held, sum.regimes);
  return cell;
}

}  // namespace

std::string latex_overview(Results const& results) {
  Provenance const of = provenance_of(results);
  std::string latex(preamble);
  latex += "\n\\begin{table}\n\\centering\\scriptsize\\setlength{\\tabcolsep}{2.5pt}\n";
  add(latex,
      "\\caption{{Codes by kernels: correct digits of the worst answer in everyday and in degenerate cases. "
      "$\\surd$: passes, $\\circ$: passes on few cases, $\\times$: fails (in brackets: regimes that pass), ?: "
      "undecided. Budget: largest allowed error, in units of $2^{{-53}}$. Demeter {}, seed {}, commit {}.}}\n"
      "\\label{{tab:overview}}\n",
      latex_escaped(results.run.version), latex_escaped(of.seed), latex_escaped(shortened(of.commit, 12)));
  latex +=
      "\\begin{tabular}{p{100pt}p{45pt}p{67pt}p{67pt}p{41pt}}\n\\toprule\nkernel & budget & everyday & degenerate & "
      "verdict "
      "\\\\\n";
  for (OverviewCode const& code : overview_codes(results)) {
    Contender const& first = *code.rows.front().line.who.front();
    std::string const version = version_of(results, first);
    add(latex, "\\midrule\n\\multicolumn{{5}}{{@{{}}l}}{{\\textbf{{{}}}{}{}}} \\\\\n", latex_escaped(code.name),
        version.empty() ? "" : ", ", latex_escaped(shortened(version, 40)));
    for (auto const& [kernel, line] : code.rows) {
      Contender const& contender = *line.who.front();
      std::vector<Accuracy const*> rows;
      for (Accuracy const& row : contender.accuracy) rows.push_back(&row);
      add(latex, "{} & {} & {} & {} & {} \\\\\n", latex_name(kernel->name), budget_text(rows),
          digits_cell(*kernel, contender, "everyday"), digits_cell(*kernel, contender, "degenerate"),
          verdict_cell(*kernel, contender));
    }
  }
  return latex + "\\bottomrule\n\\end{tabular}\n\\end{table}\n";
}

}  // namespace demeter::report
