// The figures of a kernel's continuity: the answers of all implementations along the smallest paths with a jump.
#include "reports/site/html.hpp"
#include "reports/site/plots.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace demeter::report {
namespace {

/// The panels of one implementation: for each quantity one line per component.
struct Column {
  std::string name;
  std::array<std::vector<std::vector<Number>>, 3> rows;
};

/// Returns at most eight columns. The fast form is omitted: its lines look like the lines of its formula.
std::vector<Column> columns_of(Plot const& plot, std::vector<Quantity> const& drawn) {
  std::vector<Column> columns;
  for (PlotLines const& subject : plot.subjects) {
    std::string const& name = subject.subject;
    if (name.starts_with("fast@") || name.starts_with("documented_raw") || columns.size() == 8) continue;
    Column column{name, {}};
    for (std::size_t row = 0; row < drawn.size(); ++row) {
      auto const* const lines = subject.lines.find(drawn[row].name);
      if (lines == nullptr) continue;
      column.rows[row] = *lines;
      for (auto& line : column.rows[row]) line.resize(plot.parameters.size());
    }
    columns.push_back(std::move(column));
  }
  return columns;
}

/// Returns the ends of the vertical axis of a row. All panels of a row share them, so that columns can be compared.
std::pair<double, double> limits_of(std::vector<Column> const& columns, std::size_t row) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (auto const& column : columns)
    for (auto const& line : column.rows[row])
      for (Number const& value : line)
        if (value && std::isfinite(*value)) low = std::min(low, *value), high = std::max(high, *value);
  if (!(low <= high)) low = 0, high = 1;
  double const margin = std::max(0.06 * (high - low), 1e-3);
  return {low - margin, high + margin};
}

/// Draws the lines of a panel. A line ends where a value is missing.
void draw_components(Drawing& drawing, Column const& column, std::size_t row, std::size_t count,
                     std::vector<Number> const& parameters, Scale const& across, Scale const& upwards) {
  static constexpr std::array<std::string_view, 3> colours{"#0072B2", "#D55E00", "#009E73"};
  for (std::size_t k = 0; k < std::min(count, column.rows[row].size()); ++k) {
    Drawing::Stroke const stroke{count == 1 ? "#333333" : colours[k], 1.6};
    std::vector<Place> line;
    auto const end_line = [&] {
      if (!line.empty()) drawing.line(stroke, std::exchange(line, {}));
    };
    auto const& values = column.rows[row][k];
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      if (parameters[i] && values[i] && std::isfinite(*parameters[i]) && std::isfinite(*values[i]))
        line.push_back({across.pixel(*parameters[i]), upwards.pixel(*values[i])});
      else
        end_line();
    }
    end_line();
  }
}

/// Returns the number of lines drawn for a quantity: one per component, at most three.
std::size_t lines_of(Quantity const& quantity) {
  return static_cast<std::size_t>(std::clamp<std::int64_t>(quantity.components, 1, 3));
}

std::vector<Tic> without_text(std::vector<Tic> tics) {
  for (Tic& tic : tics) tic.text.clear();
  return tics;
}

/// The sizes of the panels of a figure, in pixels.
struct PanelGrid {
  double left = 92, gap = 10, bottom = 46, tall = 130, head = 26, panel = 168, width = 0;
};

PanelGrid panel_grid(std::size_t columns, Sheet const& sheet) {
  PanelGrid grid;
  auto const count = static_cast<double>(columns);
  if (sheet.is_paper()) grid.panel = std::min(grid.panel, (sheet.width(0) - grid.left - 8) / count - grid.gap);
  grid.width = sheet.width(grid.left + count * (grid.panel + grid.gap) + 8);
  return grid;
}

Drawing continuity_drawing(Plot const& plot, std::vector<Quantity> const& drawn, std::vector<Column> const& all,
                           std::vector<Column> const& columns, Sheet const& sheet) {
  PanelGrid const grid = panel_grid(columns.size(), sheet);
  std::vector<Entry> legend;
  if (std::ranges::any_of(drawn, [](Quantity const& each) { return lines_of(each) > 1; }))
    legend = {{.text = "x", .stroke = {"#0072B2", 1.6}},
              {.text = "y", .stroke = {"#D55E00", 1.6}},
              {.text = "z", .stroke = {"#009E73", 1.6}}};
  double const below = grid.bottom + legend_height(legend, grid.width);
  double const height = below + 3 * (grid.tall + grid.gap) + grid.head;
  Drawing drawing(grid.width, height);
  double const begin = plot.parameters.front().value_or(0), end = plot.parameters.back().value_or(1);
  for (std::size_t row = 0; row < drawn.size(); ++row) {
    auto const [low, high] = limits_of(all, row);
    double const y = below + static_cast<double>(2 - row) * (grid.tall + grid.gap);
    for (std::size_t c = 0; c < columns.size(); ++c) {
      double const x = grid.left + static_cast<double>(c) * (grid.panel + grid.gap);
      Box const frame{x, y, x + grid.panel, y + grid.tall};
      Scale const across{begin, end > begin ? end : begin + 1, frame.left, frame.right};
      Scale const upwards{low, high, frame.bottom, frame.top};
      auto const times = round_tics(across.low, across.high, grid.panel > 120 ? 4 : 2);
      auto const values = round_tics(low, high, 4);
      draw_across(drawing, frame, across, row == 2 ? times : without_text(times));
      draw_upwards(drawing, frame, upwards, c == 0 ? values : without_text(values));
      draw_components(drawing, columns[c], row, lines_of(drawn[row]), plot.parameters, across, upwards);
      if (row == 0)
        drawing.text({.justified = Justified::centre}, {x + grid.panel / 2, frame.top + 14},
                     plot_field(columns[c].name, static_cast<std::size_t>(grid.panel / 7.6)));
      if (row == 2) drawing.text({.justified = Justified::centre}, {x + grid.panel / 2, y - 34}, "t");
    }
    bool const plain = drawn[row].unit.empty() || drawn[row].unit == "rad";
    drawing.text({.justified = Justified::centre, .degrees = 90}, {12, y + grid.tall / 2},
                 plot_field(drawn[row].name + (plain ? "" : " / " + drawn[row].unit), 20));
  }
  if (!legend.empty()) draw_legend(drawing, legend, grid.left, grid.width - 8, below - grid.bottom);
  return drawing;
}

}  // namespace

std::vector<Quantity> drawn_quantities(Continuity const& continuity) {
  std::vector<Quantity> drawn;
  for (auto const& quantity : continuity.quantities)
    if (drawn.size() < 3) drawn.push_back(quantity);
  return drawn;
}

std::vector<Figure> continuity_figures(Kernel const& kernel, Sheet const& sheet) {
  std::vector<Figure> all;
  std::size_t number = 0;
  for (Plot const& plot : kernel.continuity.plots) {
    auto const drawn = drawn_quantities(kernel.continuity);
    if (drawn.size() < 3) continue;
    auto const columns = columns_of(plot, drawn);
    if (columns.empty() || plot.parameters.empty()) continue;
    std::string const stem = fmt::format("{}-continuity-{}", kernel.slug, ++number);
    std::size_t const most = !sheet.is_paper() ? 8 : sheet.points < 300 ? 3 : 6;
    std::size_t const parts = (columns.size() + most - 1) / most;
    for (std::size_t part = 0; part < parts; ++part) {
      std::vector<Column> const shown(
          columns.begin() + static_cast<std::ptrdiff_t>(part * columns.size() / parts),
          columns.begin() + static_cast<std::ptrdiff_t>((part + 1) * columns.size() / parts));
      all.push_back({.kind = Figure::Kind::continuity,
                     .outputs = {},
                     .stem = stem,
                     .drawing = continuity_drawing(plot, drawn, columns, shown, sheet),
                     .file = paper_file(stem, sheet, part, parts)});
    }
  }
  return all;
}

}  // namespace demeter::report
