// The figure of the worst error by grain size.
#include "reports/format/codes.hpp"
#include "reports/site/html.hpp"
#include "reports/site/plots.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace demeter::report {
namespace {

/// The errors of a code by grain size: log10 of the size in metres, and of the error in u.
struct Curve {
  std::string name;
  Origin origin = Origin::peer;
  std::vector<std::pair<double, double>> errors{};
  bool fails = false;
};

/// Returns the everyday errors by size. A bin is a factor of two wide, and its size is its geometric mean.
Curve curve_of(Line const& line) {
  Contender const& contender = *line.who.front();
  Curve curve{line.name, contender.origin};
  for (SizeBin const& bin : contender.sizes) {
    if (bin.profile != "everyday" || !bin.up_to || !std::isfinite(*bin.up_to) || !bin.max_error) continue;
    curve.errors.emplace_back(std::log10(*bin.up_to / std::sqrt(2.0)), level_of(*bin.max_error, contender));
    curve.fails = curve.fails || bin.failed > 0;
  }
  std::ranges::sort(curve.errors);
  return curve;
}

/// Returns the curves of other codes, of Demeter's fast form, and of formulas. Returns at most ten curves, because
/// there are ten combinations of colours and dashes.
std::vector<Curve> curves(Kernel const& kernel) {
  std::vector<Curve> all;
  for (Origin const origin : {Origin::peer, Origin::own, Origin::formula})
    for (Line const& line : lines(kernel)) {
      Contender const& contender = *line.who.front();
      if (contender.origin != origin || is_exercise(contender.name) || all.size() == 10) continue;
      Curve curve = curve_of(line);
      if (curve.errors.size() > 1) all.push_back(std::move(curve));
    }
  return all;
}

/// Five colours of Okabe and Ito. The second five curves are dashed.
Drawing::Stroke stroke_of(std::size_t curve) {
  static constexpr std::array<std::string_view, 5> colours{"#D55E00", "#0072B2", "#009E73", "#CC79A7", "#E69F00"};
  return {colours[curve % colours.size()], 1.8, curve >= colours.size()};
}

/// Returns a decade of metres as a length: "0.01 mm", "1 cm", "10 m".
std::string length_text(int power) {
  if (power < -6) return power_text(power) + " m";
  if (power < -2) return power_text(power + 3) + " mm";
  if (power < 0) return power_text(power + 2) + " cm";
  return power_text(power) + " m";
}

}  // namespace

std::optional<Figure> sizes_figure(Kernel const& kernel, Sheet const& sheet) {
  std::vector<Curve> const all = curves(kernel);
  if (all.empty()) return std::nullopt;
  std::vector<double> levels;
  double low = HUGE_VAL, high = -HUGE_VAL;
  std::vector<Entry> entries;
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (auto const& [size, level] : all[i].errors) {
      levels.push_back(level);
      low = std::min(low, size);
      high = std::max(high, size);
    }
    entries.push_back({.text = plot_field(all[i].name) + (all[i].fails ? " (fails)" : ""), .stroke = stroke_of(i)});
  }
  ErrorAxes const axes = error_axes(levels);
  double const width = sheet.width(880), height = (width < 500 ? 400 : 440) + legend_height(entries, width - 16);
  Box const frame{widest(axes.errors) + 42, 54, width - widest(axes.digits) - 42,
                  height - 14 - legend_height(entries, width - 16)};
  Drawing drawing(width, height);
  Scale const across{low - .1, high + .1, frame.left, frame.right};
  int const step = static_cast<int>(std::ceil((high - low) * 60 / (frame.right - frame.left)));
  std::vector<Tic> tics;
  for (int power = static_cast<int>(std::ceil(low)); power <= high; power += step)
    tics.push_back({static_cast<double>(power), length_text(power)});
  draw_across(drawing, frame, across, tics);
  Scale const upwards = draw_error_axes(drawing, frame, axes, "worst everyday error of any output, u");
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::vector<Place> line;
    for (auto const& [size, level] : all[i].errors)
      line.push_back({across.pixel(size), upwards.pixel(axes.axis.at(level))});
    drawing.line(stroke_of(i), std::move(line));
  }
  drawing.text({.justified = Justified::centre}, {(frame.left + frame.right) / 2, 14}, "size of the grains");
  draw_legend(drawing, entries, 8, width - 8, height - 4);
  std::string const stem = kernel.slug + "-sizes";
  return Figure{.kind = Figure::Kind::sizes,
                .outputs = {},
                .profile = "everyday",
                .stem = stem,
                .drawing = std::move(drawing),
                .file = paper_file(stem, sheet)};
}

}  // namespace demeter::report
