// The heat maps of the errors by regime.
#include "reports/site/html.hpp"
#include "reports/site/plots.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace demeter::report {
namespace {

/// Returns the colour of a cell. Blue: passes on enough cases, darker for smaller errors. Grey: passes on few cases.
/// Yellow to red: fails, redder for larger errors. `level` is log10 of the error in u.
int heat(double level, Standing standing, bool few) {
  if (standing == Standing::none) return 0xF3F3F3;
  if (standing == Standing::held && few) return 0xE6E6E6;
  if (standing == Standing::undecided) return 0xDCD3EC;
  auto const mix = [](std::array<int, 3> const& from, std::array<int, 3> const& to, double share) {
    int colour = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      colour = colour * 256 + static_cast<int>(std::lround(from[i] + (to[i] - from[i]) * share));
    }
    return colour;
  };
  double const share = std::clamp(level / ErrorAxis::no_digit, 0.0, 1.0);
  if (standing == Standing::held) return mix({0x9A, 0xC6, 0xE5}, {0xE9, 0xF4, 0xFB}, std::min(1.0, 3 * share));
  return share < .35 ? mix({0xFD, 0xED, 0xC4}, {0xF7, 0xC2, 0x78}, share / .35)
                     : mix({0xF7, 0xC2, 0x78}, {0xE0, 0x7B, 0x4A}, (share - .35) / .65);
}

std::vector<Entry> heat_legend(std::string const& unit) {
  auto const entry = [](std::string text, int fill) { return Entry{.text = std::move(text), .fill = fill}; };
  return {entry("passes, 1 " + unit, heat(0, Standing::held, false)),
          entry("passes, 1000", heat(3, Standing::held, false)),
          entry("fails, 1", heat(0, Standing::exceeded, false)),
          entry("fails, 10⁸", heat(8, Standing::exceeded, false)),
          entry("fails, no digit", heat(16, Standing::exceeded, false)),
          entry("few cases", heat(0, Standing::held, true))};
}

/// A row of a heat map: a regime, or the name of a profile above its regimes. The name of a profile has no `regime`.
struct HeatRow {
  RegimeTerm const* regime = nullptr;
  std::string_view profile{};
};

std::vector<HeatRow> heat_rows(Kernel const& kernel) {
  std::vector<HeatRow> rows;
  for (std::string_view const profile : profiles_of(kernel)) {
    if (!profile.empty()) rows.push_back({nullptr, profile});
    for (RegimeTerm const& regime : kernel.regimes)
      if (is_of(regime, profile)) rows.push_back({&regime, profile});
  }
  return rows;
}

/// The layout of a heat map. The names of the columns are tilted on the screen and vertical on paper.
struct HeatLayout {
  double width = 0, height = 0, left = 0, bottom = 0, cell_width = 84, cell_height = 25;
  int degrees = 30;
};

/// Returns the width of the names of the regimes and profiles.
double row_names_width(Kernel const& kernel) {
  double wide = 70;
  for (RegimeTerm const& regime : kernel.regimes) wide = std::max(wide, text_width(plot_field(regime.name, 24), 7.3));
  return wide + 16;
}

constexpr double paper_cell = 56;

HeatLayout heat_layout(Kernel const& kernel, std::vector<Line> const& columns, std::size_t rows,
                       std::vector<Entry> const& legend, Sheet const& sheet) {
  double names = 40;
  for (Line const& column : columns) names = std::max(names, text_width(plot_field(column.name, 30), 7.3));
  HeatLayout layout;
  layout.left = row_names_width(kernel);
  auto const across = static_cast<double>(columns.size());
  if (sheet.is_paper()) {
    layout.degrees = 90;
    layout.width = sheet.width(0);
    layout.cell_width = std::min(84.0, (layout.width - layout.left - 2) / across);
    layout.cell_height = 20;
  } else {
    double const overhang = std::max(16.0, names * .87 - layout.cell_width / 2 + 8);
    layout.width = std::max(680.0, layout.left + layout.cell_width * across + overhang);
  }
  layout.bottom = legend_height(legend, layout.width - 16) + 10;
  layout.height =
      layout.bottom + layout.cell_height * static_cast<double>(rows) + names * (sheet.is_paper() ? 1 : .5) + 18;
  return layout;
}

void draw_heat_cell(Drawing& drawing, Box const& cell, Kernel const& kernel, Contender const& who,
                    Accuracy const* accuracy) {
  Standing const held = accuracy ? standing(*accuracy) : Standing::none;
  bool const ended = accuracy && accuracy->lost() > 0;
  bool const judged = accuracy && held != Standing::none && !ended && accuracy->max_error;
  double const level = judged ? level_of(*accuracy->max_error, who) : HUGE_VAL;
  std::string const error = judged ? readable(level == -HUGE_VAL ? 0 : std::pow(10, level), 2) : "–";
  drawing.fill({cell.left + .8, cell.bottom + .7, cell.right - .8, cell.top - .7},
               heat(level, held, accuracy && is_few(kernel, *accuracy)));
  drawing.text({.justified = Justified::centre}, {(cell.left + cell.right) / 2, (cell.bottom + cell.top) / 2},
               ended                         ? std::string(accuracy->crash > 0 ? "crash" : "none")
               : held == Standing::undecided ? error + " ?"
                                             : error);
}

Drawing heat_drawing(Kernel const& kernel, std::string const& output, std::vector<Line> const& columns,
                     Sheet const& sheet) {
  auto const rows = heat_rows(kernel);
  auto const legend = heat_legend(measure_unit(budget_of(kernel, output).measure));
  HeatLayout const at = heat_layout(kernel, columns, rows.size(), legend, sheet);
  Drawing drawing(at.width, at.height);
  for (std::size_t row = 0; row < rows.size(); ++row) {
    double const bottom = at.bottom + at.cell_height * static_cast<double>(rows.size() - 1 - row),
                 middle = bottom + at.cell_height / 2;
    if (rows[row].regime == nullptr) {
      drawing.text({.colour = "#6a6a6a"}, {4, middle}, rows[row].profile);
      continue;
    }
    std::string const& name = rows[row].regime->name;
    drawing.text({.justified = Justified::right}, {at.left - 6, middle}, plot_field(name, 24));
    for (std::size_t i = 0; i < columns.size(); ++i) {
      double const left = at.left + at.cell_width * static_cast<double>(i);
      Contender const& who = *columns[i].who.front();
      draw_heat_cell(drawing, {left, bottom, left + at.cell_width, bottom + at.cell_height}, kernel, who,
                     find_accuracy(who, name, output));
    }
  }
  double const top = at.bottom + at.cell_height * static_cast<double>(rows.size());
  for (std::size_t i = 0; i < columns.size(); ++i)
    drawing.text({.justified = Justified::left, .degrees = at.degrees},
                 {at.left + at.cell_width * (static_cast<double>(i) + (at.degrees == 90 ? .5 : .4)), top + 8},
                 plot_field(columns[i].name, 30));
  draw_legend(drawing, legend, 8, at.width - 8, at.bottom - 6);
  return drawing;
}

}  // namespace

std::vector<Figure> regimes_figures(Kernel const& kernel, std::vector<std::string> const& outputs, Sheet const& sheet) {
  std::string const& output = outputs.front();
  std::vector<Line> columns = lines(kernel);
  std::erase_if(columns, [&](Line const& line) { return accuracy_tally(*line.who.front(), output).judged == 0; });
  if (columns.empty() || kernel.regimes.empty()) return {};
  std::size_t parts = 1;
  if (sheet.is_paper()) {
    double const fitting = std::floor((sheet.width(0) - row_names_width(kernel) - 2) / paper_cell);
    auto const most = static_cast<std::size_t>(std::max(1.0, fitting));
    parts = (columns.size() + most - 1) / most;
  }
  std::string const stem = stem_of(kernel, "regimes", output);
  std::vector<Figure> all;
  for (std::size_t part = 0; part < parts; ++part) {
    // Parts of equal length, up to one column.
    auto const begin = static_cast<std::ptrdiff_t>(part * columns.size() / parts),
               end = static_cast<std::ptrdiff_t>((part + 1) * columns.size() / parts);
    std::vector<Line> const shown(columns.begin() + begin, columns.begin() + end);
    all.push_back({.kind = Figure::Kind::regimes,
                   .outputs = outputs,
                   .stem = stem,
                   .drawing = heat_drawing(kernel, output, shown, sheet),
                   .file = paper_file(stem, sheet, part, parts)});
  }
  return all;
}

}  // namespace demeter::report
