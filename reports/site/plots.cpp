// The plots of accuracy against speed, and code that all figures share.
#include "reports/site/plots.hpp"

#include "reports/format/codes.hpp"
#include "reports/site/html.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace demeter::report {
namespace {

// Colours of Okabe and Ito, which colour-blind readers can distinguish.
struct Look {
  Origin origin;
  std::string_view colour, title;
  Symbol symbol;
  double radius;
};
constexpr std::array<Look, 4> looks{{{Origin::own, "#0072B2", "Demeter", Symbol::circle, 5.2},
                                     {Origin::formula, "#CC79A7", "formulas", Symbol::square, 5},
                                     {Origin::method, "#E69F00", "sampling", Symbol::down, 5.5},
                                     {Origin::peer, "#D55E00", "other codes", Symbol::triangle, 5.5}}};

/// Returns accuracy and time of all contenders that have both.
std::vector<Point> points_of(Kernel const& kernel, std::string const& output, std::string_view profile,
                             std::string const& regime) {
  std::vector<Point> points;
  for (Contender const& contender : kernel.subjects) {
    Number worst;
    bool passes = true;
    for (Accuracy const& row : contender.accuracy) {
      RegimeTerm const* const of = find_regime(kernel, row.regime);
      if (of == nullptr || !is_of(*of, profile) || standing(row) == Standing::none) continue;
      passes = passes && standing(row) == Standing::held;
      if (row.output != output) continue;
      // After a crash or timeout the worst error is infinite.
      Number const error = row.lost() > 0 ? Number(std::numeric_limits<double>::infinity()) : row.max_error;
      if (error && (!worst || worse(error, worst))) worst = error;
    }
    Number const time = nanoseconds(kernel, contender.name, "cache", regime, output);
    if (worst && time)
      points.push_back({contender.name, *time, level_of(*worst, contender), contender.origin, passes,
                        !timed_under_load(kernel, contender.name, "cache", regime)});
  }
  return points;
}

/// Returns accuracy and time of all codes and formulas. Equal levels of one implementation are one point, at the time
/// of the fastest level.
std::vector<Point> points_of_codes(Kernel const& kernel, std::string_view profile, std::string const& regime) {
  std::vector<Point> points;
  bool has_single = false;
  for (Line const& line : lines(kernel)) {
    Contender const& contender = *line.who.front();
    if (contender.origin == Origin::method || is_exercise(contender.name)) continue;
    ProfileTally const sum = profile_tally(kernel, contender, profile);
    if (sum.standing == Standing::none || !sum.error) continue;
    double time = HUGE_VAL;
    bool ranked = true;
    for (Contender const* const each : line.who) {
      time = std::min(time, nanoseconds(kernel, each->name, "cache", regime).value_or(HUGE_VAL));
      ranked = ranked && !timed_under_load(kernel, each->name, "cache", regime);
    }
    double const level = level_of_relative(*sum.error);
    points.push_back({line.name, time, level, contender.origin, sum.standing == Standing::held, ranked});
    // The fast form gets a second point, called with one case per call. Only this point is comparable with codes that
    // have no batch form.
    constexpr std::string_view single = "fast@single";
    Number const of_single = nanoseconds(kernel, single, "cache", regime);
    if (contender.origin != Origin::own || !of_single || std::exchange(has_single, true)) continue;
    points.push_back({"fast, single calls", *of_single, level, contender.origin, sum.standing == Standing::held,
                      !timed_under_load(kernel, single, "cache", regime)});
  }
  return points;
}

/// A limit for the errors of an output: the budget of the contract, or the tolerance of other codes.
struct Bound {
  double level;  ///< log10 of the number of u
  std::string name;
};

std::vector<Bound> bounds_of(Kernel const& kernel, std::string const& output, std::vector<Point> const& points) {
  auto const contract = std::ranges::find(kernel.budgets, output, &OutputBudget::output);
  std::vector<Bound> bounds;
  for (Contender const& contender : kernel.subjects) {
    if (std::ranges::find(points, contender.name, &Point::name) == points.end()) continue;
    for (Accuracy const& row : contender.accuracy) {
      if (row.output != output || !row.budget || !(*row.budget > 0)) continue;
      double const level = level_of(*row.budget, contender);
      if (std::ranges::find(bounds, level, &Bound::level) != bounds.end()) continue;
      bool const ours = contract != kernel.budgets.end() && contract->units == row.budget && !contender.binary32;
      bounds.push_back({level, fmt::format("{} {} u", ours ? "budget" : "tolerance", exact(row.budget))});
    }
  }
  return bounds;
}

struct BaselineTime {
  std::string name;
  double nanoseconds;
};

/// Returns the times of the comparison routines in cache, the fastest first.
std::vector<BaselineTime> baselines_of(Kernel const& kernel, std::string const& regime) {
  std::vector<BaselineTime> baselines;
  for (Timing const& timing : kernel.speed.timings) {
    if (timing.kind != "baseline" || timing.setting != "cache" || timing.regime != regime) continue;
    if (timing.nanoseconds && std::isfinite(*timing.nanoseconds) && *timing.nanoseconds > 0)
      baselines.push_back({timing.subject, *timing.nanoseconds});
  }
  std::sort(baselines.begin(), baselines.end(),
            [](BaselineTime const& a, BaselineTime const& b) { return a.nanoseconds < b.nanoseconds; });
  return baselines;
}

/// A plot while it is drawn: its scales, and the places that labels must not cover.
struct SpeedPlot {
  Sheet sheet;
  Drawing drawing;
  Box frame;
  ErrorAxis axis;
  Scale across, upwards;
  std::vector<Box> taken{}, strokes{};
};

/// Draws a vertical line per comparison routine, with its name beside it.
void draw_baselines(SpeedPlot& plot, std::vector<BaselineTime> const& baselines) {
  double const size = plot.sheet.small();
  for (BaselineTime const& line : baselines) {
    double const x = plot.across.pixel(std::log10(line.nanoseconds));
    std::string const name = plot_field(line.name, 28);
    Box const box = place_beside_line(x, text_width(name, .57 * size), plot.taken, plot.frame);
    plot.taken.push_back(box);
    plot.drawing.line({"#7a7a7a", 1, true}, {{x, plot.frame.bottom}, {x, plot.frame.top}});
    plot.drawing.text({Justified::right, size, 90, "#5a5a5a"}, {(box.left + box.right) / 2, box.top}, name);
  }
}

void draw_frontier(SpeedPlot& plot, std::vector<Point const*> const& best) {
  if (best.empty()) return;
  std::vector<Place> steps{{best.front()->x, plot.frame.top}};
  for (Point const* point : best) {
    steps.push_back({point->x, steps.back().y});
    steps.push_back({point->x, point->y});
  }
  steps.push_back({plot.frame.right, steps.back().y});
  plot.drawing.line(frontier_stroke, std::move(steps));
}

/// Draws the names of the points. A name far from its point is connected to the point by a thin line.
void draw_labels(SpeedPlot& plot, std::vector<Point const*> const& points) {
  std::vector<std::string> names;
  std::vector<double> widths;
  for (Point const* point : points) {
    names.push_back(plot_field(point->name));
    widths.push_back(text_width(names.back(), 7.3));
  }
  std::vector<Label> const labels = place_labels(points, widths, plot.taken, plot.strokes, plot.frame);
  static constexpr std::array sides{Justified::left, Justified::right, Justified::centre};
  for (std::size_t i = 0; i < labels.size(); ++i) {
    Label const& label = labels[i];
    if (label.distance > 22) plot.drawing.line({"#888888", .7}, {{points[i]->x, points[i]->y}, {label.x, label.y}});
    plot.drawing.text({.justified = sides[static_cast<std::size_t>(label.side)]}, {label.x, label.y}, names[i]);
  }
}

/// Returns the tics of the times: 1, 2 and 5 of each decade if there is space, otherwise decades.
std::vector<Tic> time_tics(double left, double right, double width) {
  std::vector<Tic> tics;
  bool const decades_only = width / (right - left) < 150;
  int const stride = static_cast<int>(std::ceil((right - left) * 55 / width));
  for (int power = static_cast<int>(std::floor(left)); power <= static_cast<int>(std::ceil(right)); power += stride) {
    for (int const digit : {1, 2, 5}) {
      double const value = digit * std::pow(10.0, power), level = std::log10(value);
      if (level < left || level > right || (decades_only && digit != 1)) continue;
      tics.push_back({level, value < 1 ? fmt::format("{:.{}f}", value, -power)
                                       : readable(value, value < 1e4 ? std::max(1, power + 1) : 1)});
    }
  }
  return tics;
}

/// Returns the tics of the errors: every decade, or every second or third, and "exact" and "not finite".
std::vector<Tic> error_tics(ErrorAxis const& axis) {
  std::vector<Tic> tics;
  int const step = static_cast<int>(std::ceil((axis.highest - axis.lowest) / 9));
  for (int power = static_cast<int>(std::ceil(axis.lowest)); power <= axis.highest; power += step)
    tics.push_back({static_cast<double>(power), power_text(power)});
  if (axis.exact_seen) tics.push_back({axis.exact, "exact"});
  if (axis.infinite_seen) tics.push_back({axis.infinite, "not finite"});
  return tics;
}

/// Returns the tics of the right axis: correct digits, at the heights of the corresponding errors.
std::vector<Tic> digit_tics(ErrorAxis const& axis) {
  std::vector<Tic> tics;
  int const step = static_cast<int>(std::ceil((axis.highest - axis.lowest) / 9));
  for (int digits = 16; digits >= 0; digits -= step) {
    double const level = ErrorAxis::no_digit - digits;
    if (level >= axis.lowest && level <= axis.highest)
      tics.push_back({level, digits == 0 ? "none" : std::to_string(digits)});
  }
  return tics;
}

/// Returns the legend: only symbols that are in the plot.
std::vector<Entry> legend_of(std::vector<Point> const& points, bool frontier, Sheet const& sheet) {
  std::vector<Entry> entries;
  if (frontier) entries.push_back({.text = "Pareto frontier", .stroke = frontier_stroke});
  for (Look const& look : looks)
    for (bool const passes : {true, false})
      if (std::ranges::any_of(
              points, [&](Point const& point) { return point.origin == look.origin && point.passes == passes; }))
        entries.push_back(
            {.text = std::string(look.title) + (passes ? "" : " (fail)"), .mark = mark_of(look.origin, passes, sheet)});
  return entries;
}

/// The width of the strip at the right edge for points without a time.
constexpr double width_of_strip = 84;

/// Returns the empty plot with axes and legend.
SpeedPlot draw_axes(Sheet const& sheet, std::vector<Point> const& points, std::vector<Bound> const& bounds,
                    std::vector<BaselineTime> const& baselines, std::string_view title) {
  std::vector<double> levels, times;
  bool strip = false;
  for (Point const& point : points) {
    levels.push_back(point.level);
    std::isinf(point.nanoseconds) ? void(strip = true) : times.push_back(point.nanoseconds);
  }
  for (Bound const& bound : bounds) levels.push_back(bound.level);
  for (BaselineTime const& line : baselines) times.push_back(line.nanoseconds);
  if (times.empty()) times = {1, 1000};
  auto const [fastest, slowest] = std::minmax_element(times.begin(), times.end());
  ErrorAxes const axes = error_axes(levels);

  double const width = sheet.width(880), height = width < 500 ? 460 : 540;
  auto const entries = legend_of(points, !frontier(points).empty(), sheet);
  Box const frame{widest(axes.errors) + 42, 54, width - widest(axes.digits) - 42,
                  height - 14 - legend_height(entries, width - 16)};
  double const right = frame.right - (strip ? width_of_strip : 0);
  SpeedPlot plot{.sheet = sheet,
                 .drawing = {width, height},
                 .frame = frame,
                 .axis = axes.axis,
                 .across = {std::log10(*fastest) - .2, std::log10(*slowest) + .3, frame.left, right},
                 .upwards = {}};
  draw_across(plot.drawing, frame, plot.across, time_tics(plot.across.low, plot.across.high, right - frame.left));
  plot.upwards = draw_error_axes(plot.drawing, frame, axes, title);
  draw_legend(plot.drawing, entries, 8, width - 8, height - 4);
  plot.drawing.text({.justified = Justified::centre}, {(frame.left + right) / 2, 14}, "time per case in cache, ns");
  if (strip) {
    plot.drawing.line({"#7a7a7a", 1}, {{right, frame.bottom}, {right, frame.top}});
    plot.drawing.text({.justified = Justified::centre}, {(right + frame.right) / 2, frame.bottom - 14}, "not timed");
  }
  return plot;
}

/// Sets the place of each point. Points without a time are in the middle of the strip at the right edge.
void place_points(SpeedPlot& plot, std::vector<Point>& points) {
  for (Point& point : points) {
    point.place = plot.axis.at(point.level);
    point.x = std::isinf(point.nanoseconds) ? plot.frame.right - width_of_strip / 2
                                            : plot.across.pixel(std::log10(point.nanoseconds));
    point.y = plot.upwards.pixel(point.place);
    plot.taken.push_back({point.x - 7, point.y - 7, point.x + 7, point.y + 7});
  }
}

/// Draws the frontier, the points and their names.
void draw_points(SpeedPlot& plot, std::vector<Point> const& points) {
  auto const best = frontier(points);
  draw_frontier(plot, best);
  for (Point const& point : points)
    plot.drawing.mark(mark_of(point.origin, point.passes, plot.sheet), {point.x, point.y});
  for (Box const& stroke : strokes_of(best, plot.frame)) plot.strokes.push_back(stroke);
  draw_labels(plot, by_time(points));
}

std::optional<Figure> speed_figure(Kernel const& kernel, std::vector<std::string> const& outputs,
                                   std::string_view profile, Sheet const& sheet) {
  std::string const regime = quoted_regime(kernel), &output = outputs.front();
  std::vector<Point> points = points_of(kernel, output, profile, regime);
  if (points.empty()) return std::nullopt;
  auto const bounds = bounds_of(kernel, output, points);
  // One column of a paper has no space for the names of comparison routines, which are not judged.
  auto const baselines =
      sheet.is_paper() && sheet.points < 300 ? std::vector<BaselineTime>() : baselines_of(kernel, regime);
  SpeedPlot plot = draw_axes(
      sheet, points, bounds, baselines,
      fmt::format("worst error, {}, {}", measure_unit(budget_of(kernel, output).measure), profile_name(profile)));
  place_points(plot, points);
  draw_baselines(plot, baselines);
  Box const& frame = plot.frame;
  for (Bound const& bound : bounds) {
    double const y = plot.upwards.pixel(plot.axis.at(bound.level)), size = sheet.small();
    plot.drawing.line({"#000000", 1.5, true}, {{frame.left, y}, {frame.right, y}});
    plot.drawing.text({Justified::right, size, 0, "#333333"}, {frame.right - 3, y + .65 * size}, bound.name);
    plot.strokes.push_back({frame.left, y - 1, frame.right, y + 1});
    plot.taken.push_back({frame.right - text_width(bound.name, .57 * size) - 3, y, frame.right, y + 1.2 * size});
  }
  draw_points(plot, points);
  std::string const stem =
      stem_of(kernel, profile.empty() ? "speed" : fmt::format("speed-{}", profile), outputs.front());
  return Figure{.kind = Figure::Kind::speed,
                .outputs = outputs,
                .profile = profile,
                .stem = stem,
                .drawing = std::move(plot.drawing),
                .file = paper_file(stem, sheet)};
}

}  // namespace

double widest(std::vector<Tic> const& tics) {
  double wide = 0;
  for (Tic const& tic : tics) wide = std::max(wide, text_width(tic.text, 7.3));
  return wide;
}

ErrorAxes error_axes(std::vector<double> const& levels) {
  ErrorAxis const axis = error_axis(levels);
  return {axis, error_tics(axis), digit_tics(axis)};
}

Scale draw_error_axes(Drawing& drawing, Box const& frame, ErrorAxes const& axes, std::string_view title) {
  Scale const upwards{axes.axis.low, axes.axis.high, frame.bottom, frame.top};
  draw_upwards(drawing, frame, upwards, axes.errors);
  draw_right(drawing, frame, upwards, axes.digits);
  double const middle = (frame.bottom + frame.top) / 2;
  drawing.text({.justified = Justified::centre, .degrees = 90}, {12, middle}, title);
  drawing.text({.justified = Justified::centre, .degrees = 90}, {drawing.width() - 12, middle}, "correct digits");
  return upwards;
}

std::optional<Figure> codes_figure(Kernel const& kernel, Sheet const& sheet) {
  auto const profiles = profiles_of(kernel);
  std::string_view const profile = profiles.empty() ? std::string_view() : profiles.front();
  std::vector<Point> points = points_of_codes(kernel, profile, quoted_regime(kernel));
  if (points.empty()) return std::nullopt;
  SpeedPlot plot =
      draw_axes(sheet, points, {}, {}, fmt::format("worst error of any output, u, {}", profile_name(profile)));
  place_points(plot, points);
  draw_points(plot, points);
  std::string const stem = kernel.slug + "-codes";
  return Figure{.kind = Figure::Kind::codes,
                .outputs = {},
                .profile = profile,
                .stem = stem,
                .drawing = std::move(plot.drawing),
                .file = paper_file(stem, sheet)};
}

double level_of_relative(double error) {
  if (!std::isfinite(error)) return HUGE_VAL;
  return error == 0 ? -HUGE_VAL : std::log10(error * 0x1p53);
}

double level_of(double error, Contender const& contender) { return level_of_relative(error * unit_of(contender)); }

std::string stem_of(Kernel const& kernel, std::string_view kind, std::string_view output) {
  std::string stem = fmt::format("{}-{}-", kernel.slug, kind);
  for (char const c : output.substr(0, 60)) {
    bool const plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    stem += plain ? c : '-';
  }
  return stem;
}

std::string paper_file(std::string_view stem, Sheet const& sheet, std::size_t part, std::size_t parts) {
  if (!sheet.is_paper()) return "";
  return fmt::format("{}-{}pt{}", stem, sheet.points, parts > 1 ? fmt::format("-{}", part + 1) : "");
}

Drawing::Mark mark_of(Origin origin, bool passes, Sheet const& sheet) {
  auto const look = std::ranges::find(looks, origin, &Look::origin);
  return {look->symbol, passes, look->colour, (sheet.is_paper() ? .8 : 1) * look->radius};
}

std::string figure_html(Figure const& figure, std::string_view alternative, std::string_view caption) {
  std::string html;
  add(html, "<figure><div class=\"sheet\">{}</div>\n<figcaption>{}", figure.drawing.svg(alternative), caption);
  for (std::string const& pdf : figure.pdfs)
    add(html, "{}<a href=\"figures/{}.pdf\">{}</a>", &pdf == &figure.pdfs.front() ? " PDF: " : ", ", pdf,
        pdf.substr(std::min(figure.stem.size() + 1, pdf.size())));
  return html + "</figcaption></figure>\n";
}

std::vector<Figure> figures(Kernel const& kernel, Sheet const& sheet) {
  std::vector<Figure> all;
  for (auto&& figure : {codes_figure(kernel, sheet), sizes_figure(kernel, sheet)})
    if (figure) all.push_back(*figure);
  for (auto const& group : output_groups(kernel)) {
    for (std::string_view const profile : profiles_of(kernel))
      if (auto figure = speed_figure(kernel, group, profile, sheet)) all.push_back(std::move(*figure));
    for (auto& figure : regimes_figures(kernel, group, sheet)) all.push_back(std::move(figure));
  }
  return all;
}

}  // namespace demeter::report
