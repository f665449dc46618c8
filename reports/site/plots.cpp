#include "reports/site/plots.hpp"

#include "base/files.hpp"
#include "check/threads.hpp"
#include "reports/site/html.hpp"
#include "reports/site/placing.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <limits>
#include <thread>
#include <utility>

extern char** environ;

namespace demeter::report {
namespace {

namespace fs = std::filesystem;

// Colours of Okabe and Ito, which colour-blind readers can distinguish.
struct Look {
  Origin origin;
  std::string_view colour, title;
  int type;  ///< gnuplot's number of the filled symbol; type - 1 is the open symbol
  double size;
};
constexpr std::array<Look, 4> looks{{{Origin::own, "#0072B2", "Demeter", 7, 1.1},
                                     {Origin::formula, "#CC79A7", "formulas", 5, 1.0},
                                     {Origin::method, "#E69F00", "sampling", 11, 1.25},
                                     {Origin::peer, "#D55E00", "other codes", 9, 1.35}}};

std::string stem_of(Kernel const& kernel, std::string_view kind, std::string_view output) {
  std::string stem = fmt::format("{}-{}-", kernel.slug, kind);
  for (char const c : output.substr(0, 60)) {
    bool const plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    stem += plain ? c : '-';
  }
  return stem;
}

/// Returns a script that draws `plot` as SVG and, if this gnuplot supports PDF, as PDF. The frame has fixed pixels, so
/// that the labels can be placed before gnuplot runs.
std::string script_of(std::string_view stem, double width, double height, Box const& frame, std::string_view settings,
                      std::string_view plot) {
  std::string script;
  add(script, "# Drawn by Demeter; names are in {0}.dat. Redraw: gnuplot -d {0}.gp\n", stem);
  script +=
      "set encoding utf8\nset datafile separator '\\t'\nset datafile commentschars ''\nset datafile missing '?'\n";
  add(script, "set lmargin at screen {:.6f}\nset rmargin at screen {:.6f}\n", frame.left / width, frame.right / width);
  add(script, "set bmargin at screen {:.6f}\nset tmargin at screen {:.6f}\n", frame.bottom / height,
      frame.top / height);
  script += settings;
  // 96 pixels per inch: one pixel is 3/4 points. pdfcairo draws a font of size 1 with 4/3 points, so the scale is 9/16.
  add(script, "set terminal svg noenhanced size {:.0f},{:.0f} font 'sans-serif,13' background '#ffffff'\n", width,
      height);
  add(script, "set output '{}.svg'\n{}\nunset output\n", stem, plot);
  add(script,
      "if (strstrt(GPVAL_TERMINALS, 'pdfcairo') > 0) {{\n"
      "set terminal pdfcairo noenhanced size {:.3f}in,{:.3f}in font 'sans,13' fontscale 0.5625\n"
      "set output '{}.pdf'\n{}\nunset output\n}}\n",
      width / 96, height / 96, stem, plot);
  return script;
}

/// A data file with blocks of rows, which gnuplot addresses by `index`.
struct Blocks {
  std::string data;
  int count = 0;
  int append(std::string const& rows) {
    if (count > 0) data += "\n\n";
    data += rows;
    return count++;
  }
};

/// Returns a power of ten as text for an axis: "0.01", "1", "10⁸".
std::string power_text(int power) {
  if (power >= -2 && power <= 3) return fmt::format("{:.{}f}", std::pow(10.0, power), std::max(0, -power));
  std::string const text = readable(std::pow(10.0, power), 1);
  return text.substr(text.find("10"));
}

// ---- accuracy against speed -------------------------------------------------------------------------------------

/// Converts an error in the contender's own unit u to log10 of the error in u = 2^-53.
double level_of(double error, Contender const& contender) {
  if (!std::isfinite(error)) return HUGE_VAL;
  return error == 0 ? -HUGE_VAL : std::log10(error * unit_of(contender) * 0x1p53);
}

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
    if (worst && time) points.push_back({contender.name, *time, level_of(*worst, contender), contender.origin, passes});
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

/// The clauses of a plot command. Each clause has a block of rows in the data file.
struct Clauses {
  std::string file;
  Blocks blocks{};
  std::string plot = "plot ";

  void add_clause(std::string const& rows, std::string_view with) {
    if (rows.empty()) return;
    int const index = blocks.append(rows);
    add(plot, "{}'{}' index {} {}", blocks.count > 1 ? ", \\\n  " : "", file, index, with);
  }
};

/// Adds a vertical line per comparison routine, with its name beside it. Appends the boxes of the names to `taken`.
void add_baselines(Clauses& clauses, std::vector<BaselineTime> const& baselines, Scale const& across,
                   Scale const& upwards, Box const& frame, std::vector<Box>& taken) {
  std::string lines, names;
  for (BaselineTime const& line : baselines) {
    double const level = std::log10(line.nanoseconds);
    std::string const name = plot_field(line.name, 28);
    Box const box = place_beside_line(across.pixel(level), text_width(name, 6.3), taken, frame);
    taken.push_back(box);
    add(lines, "{}\t{}\t0\t{}\n", level, upwards.low, upwards.high - upwards.low);
    add(names, "{}\t{}\t{}\n", across.value((box.left + box.right) / 2), upwards.value(box.top), name);
  }
  clauses.add_clause(lines, "using 1:2:3:4 with vectors nohead dashtype 3 linewidth 1 linecolor rgb '#7a7a7a' notitle");
  clauses.add_clause(
      names, "using 1:2:(stringcolumn(3)) with labels right rotate by 90 font ',10' textcolor rgb '#5a5a5a' notitle");
}

void add_frontier(Clauses& clauses, std::vector<Point const*> const& best, Scale const& across, Scale const& upwards) {
  std::string rows;
  if (!best.empty()) add(rows, "{}\t{}\n", std::log10(best.front()->nanoseconds), upwards.high);
  for (Point const* point : best) add(rows, "{}\t{}\n", std::log10(point->nanoseconds), point->place);
  if (!best.empty()) add(rows, "{}\t{}\n", across.high, best.back()->place);
  clauses.add_clause(rows, "using 1:2 with steps linewidth 2 linecolor rgb '#009E73' title 'Pareto frontier'");
}

void add_points(Clauses& clauses, std::vector<Point> const& points) {
  for (Look const& look : looks) {
    for (bool const passes : {true, false}) {
      std::string rows;
      for (Point const& point : points)
        if (point.origin == look.origin && point.passes == passes)
          add(rows, "{}\t{}\n", std::log10(point.nanoseconds), point.place);
      clauses.add_clause(
          rows,
          fmt::format("using 1:2 with points pointtype {} pointsize {} linewidth 1.6 linecolor rgb '{}' title '{}{}'",
                      passes ? look.type : look.type - 1, look.size, look.colour, look.title,
                      passes ? "" : " that fail"));
    }
  }
}

/// Adds the names of the points. A name far from its point is connected to the point by a thin line.
void add_labels(Clauses& clauses, std::vector<Point const*> const& points, std::vector<Box> const& taken,
                std::vector<Box> const& strokes, Scale const& across, Scale const& upwards, Box const& frame) {
  std::vector<std::string> names;
  std::vector<double> widths;
  for (Point const* point : points) {
    names.push_back(plot_field(point->name));
    widths.push_back(text_width(names.back(), 7.3));
  }
  std::vector<Label> const labels = place_labels(points, widths, taken, strokes, frame);
  std::array<std::string, 3> rows;  // by side
  std::string leaders;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    double const x = across.value(labels[i].x), y = upwards.value(labels[i].y);
    add(rows[static_cast<std::size_t>(labels[i].side)], "{}\t{}\t{}\n", x, y, names[i]);
    double const from = std::log10(points[i]->nanoseconds);
    if (labels[i].distance > 22)
      add(leaders, "{}\t{}\t{}\t{}\n", from, points[i]->place, x - from, y - points[i]->place);
  }
  clauses.add_clause(leaders, "using 1:2:3:4 with vectors nohead linewidth 0.7 linecolor rgb '#888888' notitle");
  static constexpr std::array<std::string_view, 3> justified{"left", "right", "center"};  // of a label on this side
  for (std::size_t side = 0; side < 3; ++side)
    clauses.add_clause(rows[side], fmt::format("using 1:2:(stringcolumn(3)) with labels {} notitle", justified[side]));
}

std::string time_tics(Scale const& across) {
  double const left = across.low, right = across.high;
  std::string tics;
  int const stride = static_cast<int>(std::ceil((right - left) / 12));
  for (int power = static_cast<int>(std::floor(left)); power <= static_cast<int>(std::ceil(right)); power += stride) {
    for (int const digit : {1, 2, 5}) {
      double const value = digit * std::pow(10.0, power), level = std::log10(value);
      if (level < left || level > right || (right - left > 3.2 && digit != 1)) continue;
      add(tics, "{}'{}' {}", tics.empty() ? "" : ", ",
          value < 1 ? fmt::format("{:.{}f}", value, -power) : readable(value, value < 1e4 ? std::max(1, power + 1) : 1),
          level);
    }
  }
  return tics;
}

/// Returns the tics of the errors: every decade, or every second or third, and "exact" and "not finite".
std::string error_tics(ErrorAxis const& axis) {
  std::string tics;
  int const step = static_cast<int>(std::ceil((axis.highest - axis.lowest) / 9));
  for (int power = static_cast<int>(std::ceil(axis.lowest)); power <= axis.highest; power += step)
    add(tics, "'{}' {}, ", power_text(power), power);
  if (axis.exact_seen) add(tics, "'exact' {}, ", axis.exact);
  if (axis.infinite_seen) add(tics, "'not finite' {}, ", axis.infinite);
  return tics.substr(0, tics.size() - 2);
}

/// Returns the tics of the right axis: correct digits, at the heights of the corresponding errors.
std::string digit_tics(ErrorAxis const& axis) {
  std::string tics;
  int const step = static_cast<int>(std::ceil((axis.highest - axis.lowest) / 9));
  for (int digits = 16; digits >= 0; digits -= step) {
    double const level = ErrorAxis::no_digit - digits;
    if (level >= axis.lowest && level <= axis.highest)
      add(tics, "'{}' {}, ", digits == 0 ? "none" : std::to_string(digits), level);
  }
  return tics.empty() ? tics : tics.substr(0, tics.size() - 2);
}

std::string speed_settings(Scale const& across, ErrorAxis const& axis, std::vector<Bound> const& bounds,
                           std::string_view profile, std::string_view unit) {
  std::string settings;
  add(settings, "set xrange [{}:{}]\nset yrange [{}:{}]\nset y2range [{}:{}]\n", across.low, across.high, axis.low,
      axis.high, axis.low, axis.high);
  // The label of the y axis is placed explicitly, because gnuplot moves its own out of the picture beside wide tics.
  add(settings,
      "set xlabel 'time per case in cache, ns'\nset label 2 'worst error, {}, {}' at screen 0.018, graph 0.5 center "
      "rotate by 90\nset label 3 'correct digits' at screen 0.985, graph 0.5 center rotate by 90\n",
      unit, profile_name(profile));
  settings += "set border 11 linecolor rgb '#555555'\nset tics nomirror out\nset grid linecolor rgb '#e2e2e2'\n";
  settings += "set key at graph 0.5, screen 0.965 center center horizontal maxrows 2 samplen 1.5 width -3\n";
  add(settings, "set xtics ({})\nset ytics ({})\nset y2tics ({})\n", time_tics(across), error_tics(axis),
      digit_tics(axis));
  for (std::size_t i = 0; i < bounds.size(); ++i)
    add(settings, "set label {} '{}' at graph 0.995, first {} right offset 0, 0.5 font ',11' textcolor rgb '#333333'\n",
        i + 10, bounds[i].name, bounds[i].level);
  return settings;
}

std::optional<Figure> speed_figure(Kernel const& kernel, std::vector<std::string> const& outputs,
                                   std::string_view profile) {
  std::string const regime = quoted_regime(kernel);
  std::vector<Point> points = points_of(kernel, outputs.front(), profile, regime);
  if (points.empty()) return std::nullopt;
  auto const baselines = baselines_of(kernel, regime);

  std::vector<double> levels, times;
  for (Point const& point : points) levels.push_back(point.level), times.push_back(point.nanoseconds);
  auto const bounds = bounds_of(kernel, outputs.front(), points);
  for (Bound const& bound : bounds) levels.push_back(bound.level);
  for (BaselineTime const& line : baselines) times.push_back(line.nanoseconds);
  auto const [fastest, slowest] = std::minmax_element(times.begin(), times.end());
  constexpr double width = 880, height = 540;
  constexpr Box frame{92, 66, 806, 486};
  ErrorAxis const axis = error_axis(levels);
  Scale const across{std::log10(*fastest) - .2, std::log10(*slowest) + .3, frame.left, frame.right};
  Scale const upwards{axis.low, axis.high, frame.bottom, frame.top};
  std::vector<Box> taken;
  for (Point& point : points) {
    point.place = axis.at(point.level);
    point.x = across.pixel(std::log10(point.nanoseconds));
    point.y = upwards.pixel(point.place);
    taken.push_back({point.x - 7, point.y - 7, point.x + 7, point.y + 7});
  }

  std::string const stem =
      stem_of(kernel, profile.empty() ? "speed" : fmt::format("speed-{}", profile), outputs.front());
  Clauses clauses{stem + ".dat"};
  add_baselines(clauses, baselines, across, upwards, frame, taken);
  auto const best = frontier(points);
  add_frontier(clauses, best, across, upwards);
  std::string lines;
  for (Bound const& bound : bounds)
    add(lines, "{}{}\t{}\n{}\t{}\n", lines.empty() ? "" : "\n", across.low, axis.at(bound.level), across.high,
        axis.at(bound.level));
  clauses.add_clause(lines, "using 1:2 with lines linewidth 1.5 dashtype 2 linecolor rgb '#000000' notitle");
  add_points(clauses, points);
  std::vector<Box> strokes;
  for (Bound const& bound : bounds) {
    double const y = upwards.pixel(axis.at(bound.level));
    strokes.push_back({frame.left, y - 1, frame.right, y + 1});
    taken.push_back({frame.right - text_width(bound.name, 6.3), y, frame.right, y + 14});
  }
  for (Box const& stroke : strokes_of(best, frame)) strokes.push_back(stroke);
  add_labels(clauses, by_time(points), taken, strokes, across, upwards, frame);
  return Figure{
      Figure::Kind::speed,
      outputs,
      profile,
      stem,
      static_cast<int>(width),
      script_of(stem, width, height, frame,
                speed_settings(across, axis, bounds, profile, measure_unit(budget_of(kernel, outputs.front()).measure)),
                clauses.plot),
      clauses.blocks.data};
}

// ---- error by regime --------------------------------------------------------------------------------------------

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

/// Adds the legend at the bottom of the picture: colours of `heat` with their meaning. `at_x` and `at_y` convert pixels
/// to coordinates of the axes.
template <class X, class Y>
void add_legend(std::string& settings, std::string const& unit, X const& at_x, Y const& at_y) {
  struct Swatch {
    int colour;
    std::string text;
  };
  double left = 8;
  int number = 1;
  for (auto const& [colour, text] : {Swatch{heat(0, Standing::held, false), "passes, 1 " + unit},
                                     {heat(3, Standing::held, false), "passes, 1000"},
                                     {heat(0, Standing::exceeded, false), "fails, 1"},
                                     {heat(8, Standing::exceeded, false), "fails, 10⁸"},
                                     {heat(16, Standing::exceeded, false), "fails, no digit"},
                                     {heat(0, Standing::held, true), "few cases"}}) {
    add(settings, "set object {} rectangle from {},{} to {},{} fillcolor rgb {} fillstyle solid noborder\n", number,
        at_x(left), at_y(10), at_x(left + 20), at_y(26), colour);
    add(settings, "set label {} '{}' at {},{} left font ',11'\n", number++, text, at_x(left + 25), at_y(18));
    left += 37 + text_width(text, 6.6);
  }
}

std::optional<Figure> regimes_figure(Kernel const& kernel, std::vector<std::string> const& outputs) {
  std::vector<Line> columns = lines(kernel);
  std::erase_if(columns,
                [&](Line const& line) { return accuracy_tally(*line.who.front(), outputs.front()).judged == 0; });
  if (columns.empty() || kernel.regimes.empty()) return std::nullopt;

  double row_names = 40, column_names = 40;
  for (RegimeTerm const& regime : kernel.regimes)
    row_names = std::max(row_names, text_width(plot_field(regime.name), 7.4));
  for (Line const& column : columns)
    column_names = std::max(column_names, text_width(plot_field(column.name, 30), 7.4));
  constexpr double cell_width = 84, cell_height = 25, tilt = .5;  // sine of 30 degrees
  auto const rows = static_cast<double>(kernel.regimes.size()), across = static_cast<double>(columns.size());
  Box cells_at{row_names + 18 + 86, 40, 0, 0};  // right of the names of profiles and regimes, above the legend
  cells_at.right = cells_at.left + cell_width * across;
  cells_at.top = cells_at.bottom + cell_height * rows;
  double const width = std::max(680.0, cells_at.right + std::max(16.0, column_names * .87 - cell_width / 2 + 8));
  double const height = cells_at.top + column_names * tilt + 26;
  // The frame is the whole picture, because gnuplot drops labels outside the frame.
  auto const at_x = [&](double x) { return (x - cells_at.left) / cell_width - .5; };
  auto const at_y = [&](double y) { return (y - cells_at.bottom) / cell_height - .5; };
  Box const frame{0, 0, width, height};

  std::string cells, row_labels, column_labels;
  std::vector<RegimeTerm const*> ordered;  // by profile; its name is left of its first regime
  std::string profile_labels;
  for (std::string_view const profile : profiles_of(kernel)) {
    bool first = true;
    for (RegimeTerm const& regime : kernel.regimes) {
      if (!is_of(regime, profile)) continue;
      if (std::exchange(first, false) && !profile.empty())
        add(profile_labels, "{}\t{}\t{}\n", at_x(4), rows - 1 - static_cast<double>(ordered.size()), profile);
      ordered.push_back(&regime);
    }
  }
  for (std::size_t row = 0; row < ordered.size(); ++row) {
    double const y = rows - 1 - static_cast<double>(row);
    std::string const& name = ordered[row]->name;
    add(row_labels, "-0.58\t{}\t{}\n", y, plot_field(name));
    for (std::size_t column = 0; column < columns.size(); ++column) {
      Accuracy const* const accuracy = find_accuracy(*columns[column].who.front(), name, outputs.front());
      Standing const held = accuracy ? standing(*accuracy) : Standing::none;
      bool const ended = accuracy && accuracy->lost() > 0, judged = accuracy && held != Standing::none && !ended;
      double const level =
          judged && accuracy->max_error ? level_of(*accuracy->max_error, *columns[column].who.front()) : HUGE_VAL;
      std::string const error =
          judged && accuracy->max_error ? readable(level == -HUGE_VAL ? 0 : std::pow(10, level), 2) : "–";
      add(cells, "{}\t{}\t{}\t{}\n", column, y, heat(level, held, accuracy && is_few(kernel, *accuracy)),
          ended                         ? std::string(accuracy->crash > 0 ? "crash" : "none")
          : held == Standing::undecided ? error + " ?"
                                        : error);
    }
  }
  for (std::size_t column = 0; column < columns.size(); ++column) {
    add(column_labels, "{}\t{}\t{}\n", static_cast<double>(column) - .1, rows - .5 + 10 / cell_height,
        plot_field(columns[column].name, 30));
  }

  std::string const stem = stem_of(kernel, "regimes", outputs.front());
  Blocks blocks;
  blocks.append(cells);
  blocks.append(row_labels);
  blocks.append(column_labels);
  blocks.append(profile_labels);
  std::string settings, plot;
  add(settings, "set xrange [{}:{}]\nset yrange [{}:{}]\nunset key\nunset border\nunset tics\n", at_x(0), at_x(width),
      at_y(0), at_y(height));
  add_legend(settings, measure_unit(budget_of(kernel, outputs.front()).measure), at_x, at_y);
  add(plot,
      "plot '{0}.dat' index 0 using 1:2:($1-.49):($1+.49):($2-.47):($2+.47):3 with boxxyerror fillstyle solid noborder "
      "linecolor rgb variable, \\\n"
      "  '{0}.dat' index 0 using 1:2:(stringcolumn(4)) with labels center font ',12', \\\n"
      "  '{0}.dat' index 1 using 1:2:(stringcolumn(3)) with labels right, \\\n"
      "  '{0}.dat' index 2 using 1:2:(stringcolumn(3)) with labels left rotate by 30",
      stem);
  if (!profile_labels.empty())
    add(plot, ", \\\n  '{}.dat' index 3 using 1:2:(stringcolumn(3)) with labels left textcolor rgb '#6a6a6a'", stem);
  return Figure{Figure::Kind::regimes,
                outputs,
                "",
                stem,
                static_cast<int>(width),
                script_of(stem, width, height, frame, settings, plot),
                blocks.data};
}

// ---- gnuplot ----------------------------------------------------------------------------------------------------

bool on_path(std::string_view program) {
  char const* const path = std::getenv("PATH");
  std::string_view rest = path ? path : "";
  while (!rest.empty()) {
    std::size_t const colon = rest.find(':');
    std::string const candidate = fmt::format("{}/{}", rest.substr(0, colon), program);
    if (fs::is_regular_file(fs::path(candidate)) && access(candidate.c_str(), X_OK) == 0) return true;
    if (colon == std::string_view::npos) break;
    rest.remove_prefix(colon + 1);
  }
  return false;
}

/// Runs gnuplot in `folder` with its output in a log file. Returns its exit code, or nothing if gnuplot could not be
/// started, was ended by a signal, or ran longer than 60 s.
std::optional<int> run_gnuplot(fs::path const& folder, std::string const& script, std::string const& log) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  std::string program = "gnuplot", defaults = "-d", file = script;  // -d: ignores the user's initialisation file
  std::array<char*, 4> arguments{program.data(), defaults.data(), file.data(), nullptr};
  // Nor fonts of the user's: the home folder is the one in which the program runs.
  std::string home = "HOME=.";
  std::vector<char*> environment{home.data()};
  for (char** each = environ; *each != nullptr; ++each)
    if (std::string_view const variable = *each; !variable.starts_with("HOME=") && !variable.starts_with("XDG_"))
      environment.push_back(*each);
  environment.push_back(nullptr);
  pid_t child = 0;
  int const failure = posix_spawnp(&child, "gnuplot", &actions, nullptr, arguments.data(), environment.data());
  posix_spawn_file_actions_destroy(&actions);
  if (failure != 0) return std::nullopt;

  auto const deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  int status = 0;
  while (true) {
    pid_t const ended = waitpid(child, &status, WNOHANG);
    if (ended == child) break;
    if (ended < 0 && errno != EINTR) return std::nullopt;
    if (std::chrono::steady_clock::now() > deadline) {
      kill(child, SIGKILL);
      waitpid(child, &status, 0);
      return std::nullopt;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  if (!WIFEXITED(status)) return std::nullopt;
  return WEXITSTATUS(status);
}

}  // namespace

std::string plot_field(std::string_view name, std::size_t length) {
  std::string field;
  for (char const c : shortened(name, length)) {
    auto const code = static_cast<unsigned char>(c);
    if (c == '"') {
      field += "”";
    } else if (c == '\\') {
      field += "＼";  // gnuplot interprets escapes such as "\n" in labels
    } else {
      field += code < 0x20 || code == 0x7f ? ' ' : c;
    }
  }
  // gnuplot would read a blank field, or "?", as a missing value.
  if (field.find_first_not_of(' ') == std::string::npos) return "(no name)";
  return field == "?" ? "(?)" : field;
}

std::vector<Figure> figures(Kernel const& kernel) {
  std::vector<Figure> all;
  for (auto const& group : output_groups(kernel)) {
    for (std::string_view const profile : profiles_of(kernel))
      if (auto figure = speed_figure(kernel, group, profile)) all.push_back(std::move(*figure));
    if (auto figure = regimes_figure(kernel, group)) all.push_back(std::move(*figure));
  }
  return all;
}

namespace {

/// Replaces the time of drawing in a PDF by a fixed time, so that equal figures have equal bytes. gnuplot has no option
/// for this time.
void forget_date(std::string& pdf) {
  for (std::string_view const key : {"/CreationDate (D:", "/ModDate (D:"}) {
    for (std::size_t at = pdf.find(key); at != std::string::npos; at = pdf.find(key, at + 1)) {
      static constexpr std::string_view moment = "19700101000000";
      if (at + key.size() + moment.size() > pdf.size()) break;
      pdf.replace(at + key.size(), moment.size(), moment);  // same length, so that the offsets in the file stay valid
    }
  }
}

/// A temporary subfolder for gnuplot's output, removed by the destructor.
class DrawingFolder {
 public:
  explicit DrawingFolder(fs::path const& within) {
    std::string pattern = (within / ".drawing-XXXXXX").string();
    if (::mkdtemp(pattern.data()) != nullptr) path_ = pattern;
  }
  ~DrawingFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  DrawingFolder(DrawingFolder const&) = delete;
  DrawingFolder& operator=(DrawingFolder const&) = delete;
  fs::path const& path() const { return path_; }

 private:
  fs::path path_;
};

/// Removes temporary folders that killed runs have left: those older than one hour, longer than any drawing takes.
void sweep_drawings(fs::path const& folder) {
  std::error_code ignored;
  std::vector<fs::path> old;
  for (auto const& entry : fs::directory_iterator(folder, ignored)) {
    if (entry.path().filename().string().rfind(".drawing-", 0) != 0 || entry.is_symlink(ignored)) continue;
    if (fs::file_time_type::clock::now() - entry.last_write_time(ignored) > std::chrono::hours(1))
      old.push_back(entry.path());
  }
  for (auto const& each : old) fs::remove_all(each, ignored);
}

/// Draws one figure in `scratch` and moves the pictures to `folder`. Returns what went wrong.
std::optional<std::string> draw_one(Figure& figure, fs::path const& folder, fs::path const& scratch) {
  std::optional<std::string> note;
  auto const put = [&](std::string const& name, std::string const& text) -> bool {
    auto const wrong = write_whole(folder / name, text, Links::replaced);
    if (wrong && !note) note = *wrong;
    return !wrong;
  };
  std::string const log = figure.stem + ".log", script = figure.stem + ".gp", data = figure.stem + ".dat";
  std::error_code ignored;
  auto wrong = write_whole(scratch / script, figure.script, Links::replaced);
  if (!wrong) wrong = write_whole(scratch / data, figure.data, Links::replaced);
  if (wrong) note = wrong;
  std::optional<int> const code = wrong ? std::nullopt : run_gnuplot(scratch, script, log);
  // A picture replaces the previous one only when it is complete. Symbolic links in `folder` are not followed.
  auto const take = [&](std::string const& extension, std::string_view end) {
    auto text = code == 0 ? read_whole(scratch / (figure.stem + extension)) : std::nullopt;
    if (text && text->find(end, text->size() - std::min<std::size_t>(text->size(), 16)) != std::string::npos) {
      if (extension == ".pdf") forget_date(*text);
      return put(figure.stem + extension, *text);
    }
    if (!wrong) fs::remove(folder / (figure.stem + extension), ignored);
    return false;
  };
  figure.svg = take(".svg", "</svg>");
  figure.pdf = take(".pdf", "%%EOF");
  if (figure.svg) {
    fs::remove(folder / log, ignored);
  } else {
    if (auto const said = read_whole(scratch / log)) put(log, *said);
    if (!note)
      note = fmt::format("figures/{}.gp was not drawn: {}", figure.stem,
                         code ? fmt::format("gnuplot exited with {}, see figures/{}", *code, log)
                              : std::string("gnuplot did not end within 60 s, or not by itself"));
  }
  for (char const* extension : {".gp", ".dat", ".log", ".svg", ".pdf"})
    fs::remove(scratch / (figure.stem + extension), ignored);
  return note;
}

}  // namespace

std::optional<std::string> draw(std::vector<Figure*> const& figures, fs::path const& folder) {
  if (figures.empty()) return std::nullopt;
  if (!on_path("gnuplot")) {
    return "figures are not drawn: gnuplot is not installed (apt-get install gnuplot-nox); their scripts and data are "
           "in figures/";
  }
  sweep_drawings(folder);
  DrawingFolder const scratch(folder);
  if (scratch.path().empty()) return fmt::format("figures are not drawn: {}: {}", folder.string(), reason_of(errno));
  std::vector<std::optional<std::string>> notes(figures.size());
  for_each_in_threads(std::max(1U, std::thread::hardware_concurrency()), figures.size(), nullptr,
                      [&](std::size_t i) { notes[i] = draw_one(*figures[i], folder, scratch.path()); });
  auto const first = std::ranges::find_if(notes, [](auto const& note) { return note.has_value(); });
  return first == notes.end() ? std::nullopt : *first;
}

}  // namespace demeter::report
