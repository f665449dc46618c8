// The figures of the solvers of many contacts: the residual against sweeps and against time.
#include "reports/site/html.hpp"
#include "reports/site/plots.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>

namespace demeter::report {

std::vector<SolverCurve const*> curves_of(SolverStudy const& study, std::string_view state) {
  std::vector<SolverCurve const*> found;
  for (SolverCurve const& each : study.curves)
    if (each.state == state) found.push_back(&each);
  return found;
}

namespace {

/// Returns a logarithmic axis that contains the given values, between two limits.
Scale log_scale(std::vector<double> const& values, double least, double most) {
  Scale scale;
  if (values.empty()) return scale;
  auto const [smallest, largest] = std::minmax_element(values.begin(), values.end());
  double const low = std::clamp(0.7 * *smallest, least, 0.1 * most);
  scale.low = std::log10(low);
  scale.high = std::log10(std::clamp(1.4 * *largest, 2 * low, most));
  return scale;
}

std::vector<Tic> decades(Scale const& scale) {
  std::vector<Tic> tics;
  int const step = static_cast<int>(std::ceil((scale.high - scale.low) / 7));
  for (int power = static_cast<int>(std::ceil(scale.low)); power <= scale.high; power += std::max(1, step))
    tics.push_back({static_cast<double>(power), power_text(power)});
  return tics;
}

/// The logarithms of the points of a curve, and the index of its solver.
struct DrawnCurve {
  std::size_t method = 0;
  bool cold = true;
  std::vector<Place> by_sweeps{}, by_time{};
};

std::vector<DrawnCurve> drawn_curves(SolverStudy const& study, std::string_view state,
                                     std::vector<std::string>& methods) {
  std::vector<DrawnCurve> drawn;
  for (SolverCurve const* const curve : curves_of(study, state)) {
    DrawnCurve next{.cold = curve->start != "warm"};
    for (SolverPoint const& point : curve->points) {
      double const seconds = point.seconds.value_or(0), residual = point.residual.value_or(0);
      if (point.sweeps <= 0 || !(seconds > 0) || !(residual > 0) || !std::isfinite(seconds + residual)) continue;
      double const level = std::log10(residual);
      next.by_sweeps.push_back({std::log10(static_cast<double>(point.sweeps)), level});
      next.by_time.push_back({std::log10(1e3 * seconds), level});
    }
    if (next.by_sweeps.empty()) continue;
    auto const at = std::find(methods.begin(), methods.end(), curve->method);
    next.method = static_cast<std::size_t>(at - methods.begin());
    if (at == methods.end()) methods.push_back(curve->method);
    drawn.push_back(std::move(next));
  }
  return drawn;
}

// Colours of Okabe and Ito, which colour-blind readers can distinguish, and a grey. The symbols differ too.
constexpr std::array<std::string_view, 8> solver_colours{"#0072B2", "#56B4E9", "#E69F00", "#CC79A7",
                                                         "#D55E00", "#000000", "#8a8a8a", "#009E73"};
constexpr std::array<std::pair<Symbol, bool>, 8> solver_symbols{{{Symbol::circle, true},
                                                                 {Symbol::circle, false},
                                                                 {Symbol::square, true},
                                                                 {Symbol::square, false},
                                                                 {Symbol::triangle, true},
                                                                 {Symbol::down, true},
                                                                 {Symbol::down, false},
                                                                 {Symbol::diamond, true}}};

Entry entry_of(std::string_view name, std::size_t method, bool cold) {
  std::size_t const look = method % solver_colours.size();
  auto const [symbol, filled] = solver_symbols[look];
  return {.text = plot_field(name, 28),
          .mark = {symbol, filled, solver_colours[look], cold ? 3.6 : 2.6},
          .stroke = {solver_colours[look], cold ? 1.8 : 1.2, !cold}};
}

void draw_panel(Drawing& drawing, Box const& frame, std::vector<DrawnCurve> const& curves, bool time,
                bool named_upwards) {
  std::vector<double> across_values, upward_values;
  for (DrawnCurve const& curve : curves)
    for (Place const& place : time ? curve.by_time : curve.by_sweeps) {
      across_values.push_back(std::pow(10, place.x));
      upward_values.push_back(std::pow(10, place.y));
    }
  Scale across = log_scale(across_values, 1e-9, 1e12), upwards = log_scale(upward_values, 1e-9, 1e4);
  across.first = frame.left, across.last = frame.right;
  upwards.first = frame.bottom, upwards.last = frame.top;
  auto residuals = decades(upwards);
  if (!named_upwards)
    for (Tic& tic : residuals) tic.text.clear();
  draw_across(drawing, frame, across, decades(across));
  draw_upwards(drawing, frame, upwards, residuals);
  drawing.text({.justified = Justified::centre}, {(frame.left + frame.right) / 2, frame.bottom - 34},
               time ? "processor time, ms" : "sweeps");
  if (named_upwards)
    drawing.text({.justified = Justified::centre, .degrees = 90}, {12, (frame.bottom + frame.top) / 2},
                 "natural residual / (g dt)");
  for (DrawnCurve const& curve : curves) {
    Entry const look = entry_of("", curve.method, curve.cold);
    std::vector<Place> line;
    for (Place const& place : time ? curve.by_time : curve.by_sweeps) {
      // Values beyond the limits of the axis are drawn at its end.
      Place const at{std::clamp(across.pixel(place.x), frame.left, frame.right),
                     std::clamp(upwards.pixel(place.y), frame.bottom, frame.top)};
      line.push_back(at);
      drawing.mark(look.mark, at);
    }
    drawing.line(look.stroke, std::move(line));
  }
}

/// Draws two panels: beside each other or, on a narrow sheet, one above the other.
Drawing solver_drawing(SolverStudy const& study, std::string_view state, Sheet const& sheet) {
  std::vector<std::string> methods;
  auto const curves = drawn_curves(study, state, methods);
  std::vector<Entry> legend;
  for (std::size_t i = 0; i < methods.size(); ++i) legend.push_back(entry_of(methods[i], i, true));
  legend.push_back({.text = "cold", .stroke = {"#59636d", 1.8}});
  legend.push_back({.text = "warm", .stroke = {"#59636d", 1.2, true}});

  double const width = sheet.width(1000);
  bool const stacked = width < 500;
  constexpr double left = 78, gap = 26, below = 46, tall = 340;
  double const head = legend_height(legend, width - 16) + 16;
  double const panels = stacked ? 2 * (tall + below) : tall + below, height = panels + head;
  double const across = stacked ? width - left - 12 : (width - left - gap - 12) / 2;
  Drawing drawing(width, height);
  for (bool const time : {false, true}) {
    double const x = left + (time && !stacked ? across + gap : 0), y = below + (!time && stacked ? tall + below : 0);
    draw_panel(drawing, {x, y, x + across, y + tall}, curves, time, stacked || !time);
  }
  draw_legend(drawing, legend, 8, width - 8, height - 4);
  return drawing;
}

}  // namespace

std::vector<Figure> solver_figures(Results const& results, Sheet const& sheet) {
  std::vector<Figure> all;
  std::set<std::string> taken;
  for (SolverStudy const& study : results.solvers)
    for (std::string_view const state : solver_states) {
      if (curves_of(study, state).empty()) continue;
      std::string const stem = fmt::format("solvers-{}-{}", study.discs, state);
      std::string unique = stem;
      for (int i = 2; !taken.insert(unique).second; ++i) unique = fmt::format("{}-{}", stem, i);
      all.push_back({.kind = Figure::Kind::solvers,
                     .outputs = {},
                     .stem = unique,
                     .drawing = solver_drawing(study, state, sheet),
                     .file = paper_file(unique, sheet)});
    }
  return all;
}

}  // namespace demeter::report
