#include "reports/site/plots.hpp"

#include "reports/site/html.hpp"

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
#include <fstream>
#include <thread>

extern char** environ;

namespace demeter::report {
namespace {

namespace fs = std::filesystem;

// Okabe and Ito's colours, which stay apart for the colour-blind.
struct Look {
  Origin origin;
  std::string_view colour, title;
  int type;
  double size;
};
constexpr std::array<Look, 4> looks{{{Origin::own, "#0072B2", "Demeter", 7, 1.1},
                                     {Origin::formula, "#CC79A7", "formulas", 5, 1.0},
                                     {Origin::method, "#E69F00", "sampling", 11, 1.25},
                                     {Origin::peer, "#D55E00", "other codes", 9, 1.35}}};

struct Box {
  double left, bottom, right, top;
};

double overlap(Box const& a, Box const& b) {
  double const width = std::min(a.right, b.right) - std::max(a.left, b.left);
  double const height = std::min(a.top, b.top) - std::max(a.bottom, b.bottom);
  return width > 0 && height > 0 ? width * height : 0;
}

/// Characters, not bytes: continuation bytes of UTF-8 take no room.
double text_width(std::string_view text, double per_character) {
  auto const characters =
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; });
  return static_cast<double>(characters) * per_character;
}

std::string stem_of(Kernel const& kernel, std::string_view kind, std::string_view output) {
  std::string stem = fmt::format("{}-{}-", kernel.slug, kind);
  for (char const c : output.substr(0, 60)) {
    bool const plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    stem += plain ? c : '-';
  }
  return stem;
}

/// `plot` drawn as SVG and, where this gnuplot can, as PDF. The frame stands at known pixels, so that labels can be
/// placed before gnuplot sees them.
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
  // 96 pixels an inch; pdfcairo draws a font of size 1 at 4/3 points, so 9/16 makes a pixel's worth of it 3/4 points.
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

/// Blocks of rows in a data file, addressed by gnuplot's `index`.
struct Blocks {
  std::string data;
  int count = 0;
  int append(std::string const& rows) {
    if (count > 0) data += "\n\n";
    data += rows;
    return count++;
  }
};

/// "0.01", "1", "10⁸": a power of ten for an axis.
std::string power_text(int power) {
  if (power >= -2 && power <= 3) return fmt::format("{:.{}f}", std::pow(10.0, power), std::max(0, -power));
  std::string const text = readable(std::pow(10.0, power), 1);
  return text.substr(text.find("10"));
}

// ---- accuracy against speed -------------------------------------------------------------------------------------

struct Point {
  std::string name;
  double nanoseconds;
  double level;  ///< on the axis: log10 of the error over the budget, or where "exact" and "not finite" stand
  Origin origin;
  double x = 0, y = 0;  ///< pixels
};

std::optional<Figure> speed_figure(Kernel const& kernel, std::vector<std::string> const& outputs) {
  std::string const regime = quoted_regime(kernel);
  std::vector<Point> points;
  double lowest = -1, highest = 1;
  bool exact_seen = false, infinite_seen = false;
  for (Contender const& contender : kernel.subjects) {
    Tally const sum = tally(contender, outputs.front());
    Number const time = nanoseconds(kernel, contender.name, "cache", regime, outputs.front());
    if (!sum.ratio || !time) continue;
    double const ratio = *sum.ratio;
    // Whoever crashed or hung somewhere has no finite worst error.
    bool const finite = std::isfinite(ratio) && sum.crash + sum.timeout == 0;
    Point point{contender.name, *time, 0, contender.origin};
    if (!finite) {
      infinite_seen = true;
      point.level = HUGE_VAL;
    } else if (ratio == 0) {
      exact_seen = true;
      point.level = -HUGE_VAL;
    } else {
      point.level = std::max(-6.0, std::log10(ratio));
      lowest = std::min(lowest, point.level);
      highest = std::max(highest, point.level);
    }
    points.push_back(point);
  }
  if (points.empty()) return std::nullopt;

  // Errors reach 10^20 budgets, and the contest is between .1 and 10: beyond 10 the axis is compressed where needed.
  constexpr double knee = 1, room = 2.2;
  double const compression = highest > knee + room ? room / (highest - knee) : 1;
  auto const on_axis = [&](double level) { return level <= knee ? level : knee + (level - knee) * compression; };
  double const top = on_axis(highest), span = top - lowest;
  for (Point& point : points) point.level = on_axis(point.level);
  double const exact_level = lowest - .08 * span, infinite_level = top + .1 * span;
  double const low = exact_seen ? exact_level - .06 * span : lowest - .06 * span;
  double const high = infinite_seen ? infinite_level + .07 * span : top + .12 * span;

  struct Line {
    std::string name;
    double nanoseconds;
  };
  std::vector<Line> baselines;
  for (Timing const& timing : kernel.speed.timings) {
    if (timing.kind != "baseline" || timing.setting != "cache" || timing.regime != regime) continue;
    if (timing.nanoseconds && std::isfinite(*timing.nanoseconds) && *timing.nanoseconds > 0) {
      baselines.push_back({timing.subject, *timing.nanoseconds});
    }
  }
  double fastest = points.front().nanoseconds, slowest = fastest;
  for (Point const& point : points) {
    fastest = std::min(fastest, point.nanoseconds);
    slowest = std::max(slowest, point.nanoseconds);
  }
  for (Line const& line : baselines) {
    fastest = std::min(fastest, line.nanoseconds);
    slowest = std::max(slowest, line.nanoseconds);
  }
  double const left = std::log10(fastest) - .2, right = std::log10(slowest) + .3;

  constexpr double width = 880, height = 540;
  constexpr Box frame{92, 66, 862, 496};
  auto const to_x = [&](double level) {
    return frame.left + (level - left) / (right - left) * (frame.right - frame.left);
  };
  auto const to_y = [&](double level) {
    return frame.bottom + (level - low) / (high - low) * (frame.top - frame.bottom);
  };
  auto const from_x = [&](double x) { return left + (x - frame.left) / (frame.right - frame.left) * (right - left); };
  auto const from_y = [&](double y) { return low + (y - frame.bottom) / (frame.top - frame.bottom) * (high - low); };
  std::vector<Box> taken;
  for (Point& point : points) {
    if (std::isinf(point.level)) point.level = point.level > 0 ? infinite_level : exact_level;
    point.x = to_x(std::log10(point.nanoseconds));
    point.y = to_y(point.level);
    taken.push_back({point.x - 7, point.y - 7, point.x + 7, point.y + 7});
  }

  Blocks blocks;
  std::string plot = "plot ";
  auto const data = fmt::format("'{}.dat'", stem_of(kernel, "speed", outputs.front()));
  auto const clause = [&](std::string const& rows, std::string_view with) {
    if (rows.empty()) return;
    int const index = blocks.append(rows);
    add(plot, "{}{} index {} {}", blocks.count > 1 ? ", \\\n  " : "", data, index, with);
  };

  // Baselines: what moving the data alone costs. Names at the top, beside their lines.
  std::string lines, line_names;
  std::sort(baselines.begin(), baselines.end(),
            [](Line const& a, Line const& b) { return a.nanoseconds < b.nanoseconds; });
  for (Line const& line : baselines) {
    double const level = std::log10(line.nanoseconds), x = to_x(level);
    std::string const name = plot_field(line.name, 28);
    double const length = text_width(name, 6.3);
    // Beside the line, on the left or on the right, lowered until the place is free.
    Box box{};
    for (double lowered = 0; lowered < (frame.top - frame.bottom) * .8; lowered += 12) {
      bool free = false;
      for (double const side : {-15.0, 2.0}) {
        if (free) break;
        box = {x + side, frame.top - 8 - length - lowered, x + side + 13, frame.top - 4 - lowered};
        free = box.left >= frame.left &&
               std::none_of(taken.begin(), taken.end(), [&](Box const& other) { return overlap(box, other) > 0; });
      }
      if (free) break;
    }
    taken.push_back(box);
    add(lines, "{}\t{}\t0\t{}\n", level, low, high - low);
    add(line_names, "{}\t{}\t{}\n", from_x((box.left + box.right) / 2), from_y(box.top), name);
  }
  clause(lines, "using 1:2:3:4 with vectors nohead dashtype 3 linewidth 1 linecolor rgb '#7a7a7a' notitle");
  clause(line_names,
         "using 1:2:(stringcolumn(3)) with labels right rotate by 90 font ',10' textcolor rgb '#5a5a5a' notitle");

  // The Pareto frontier: nobody to the left is as accurate.
  std::vector<Point const*> ordered;
  for (Point const& point : points) ordered.push_back(&point);
  std::sort(ordered.begin(), ordered.end(), [](auto a, auto b) {
    return a->nanoseconds != b->nanoseconds ? a->nanoseconds < b->nanoseconds : a->level < b->level;
  });
  std::string frontier;
  double best = HUGE_VAL, reached = 0;
  std::vector<Box> strokes{{frame.left, to_y(0) - 1, frame.right, to_y(0) + 1}};
  for (Point const* point : ordered) {
    if (point->level >= best || point->level >= infinite_level) continue;
    if (frontier.empty()) {
      add(frontier, "{}\t{}\n", std::log10(point->nanoseconds), high);
      strokes.push_back({point->x - 1, point->y, point->x + 1, frame.top});
    } else {
      strokes.push_back({reached, to_y(best) - 1, point->x, to_y(best) + 1});
      strokes.push_back({point->x - 1, point->y, point->x + 1, to_y(best)});
    }
    best = point->level;
    reached = point->x;
    add(frontier, "{}\t{}\n", std::log10(point->nanoseconds), best);
  }
  if (!frontier.empty()) {
    add(frontier, "{}\t{}\n", right, best);
    strokes.push_back({reached, to_y(best) - 1, frame.right, to_y(best) + 1});
  }
  clause(frontier, "using 1:2 with steps linewidth 2 linecolor rgb '#009E73' title 'Pareto frontier'");
  clause(fmt::format("{}\t0\n{}\t0\n", left, right),
         "using 1:2 with lines linewidth 2 dashtype 2 linecolor rgb '#000000' title 'budget'");

  for (Look const& look : looks) {
    std::string rows;
    for (Point const& point : points) {
      if (point.origin == look.origin) add(rows, "{}\t{}\n", std::log10(point.nanoseconds), point.level);
    }
    clause(rows, fmt::format("using 1:2 with points pointtype {} pointsize {} linecolor rgb '{}' title '{}'", look.type,
                             look.size, look.colour, look.title));
  }

  // A label goes to the first free place around its point, further out with a thin leader.
  std::array<std::string, 3> labels;  // left-, right-justified, centred
  std::string leaders;
  for (Point const* point : ordered) {
    std::string const name = plot_field(point->name);
    double const length = text_width(name, 7.3);
    double least = HUGE_VAL;
    Box chosen{};
    std::size_t chosen_side = 0;
    double chosen_x = 0, chosen_y = 0, chosen_distance = 0;
    for (double const distance : {13.0, 21.0, 32.0, 46.0, 62.0, 80.0}) {
      for (auto const& [side, dx, dy] : {std::tuple{0U, 1.0, 0.0},
                                         {1U, -1.0, 0.0},
                                         {0U, .7, .7},
                                         {0U, .7, -.7},
                                         {1U, -.7, .7},
                                         {1U, -.7, -.7},
                                         {2U, 0.0, 1.0},
                                         {2U, 0.0, -1.0}}) {
        double const x = point->x + dx * distance, y = point->y + dy * distance;
        double const begin = side == 0 ? x : side == 1 ? x - length : x - length / 2;
        Box const box{begin, y - 8, begin + length, y + 8};
        double cost = distance / 100;
        for (Box const& other : taken) cost += overlap(box, other);
        Box const inner{frame.left + 8, frame.bottom + 2, frame.right - 2, frame.top - 2};
        cost += (length * 16 - overlap(box, inner)) * 4;
        // Lines may run under a label, but rather not.
        for (Box const& line : strokes) cost += overlap(box, line) * .2;
        if (cost < least - 1e-9) {
          least = cost;
          chosen = box;
          chosen_side = side;
          chosen_x = x;
          chosen_y = y;
          chosen_distance = distance;
        }
      }
    }
    taken.push_back(chosen);
    add(labels[chosen_side], "{}\t{}\t{}\n", from_x(chosen_x), from_y(chosen_y), name);
    if (chosen_distance > 22) {
      double const x = std::log10(point->nanoseconds);
      add(leaders, "{}\t{}\t{}\t{}\n", x, point->level, from_x(chosen_x) - x, from_y(chosen_y) - point->level);
    }
  }
  clause(leaders, "using 1:2:3:4 with vectors nohead linewidth 0.7 linecolor rgb '#888888' notitle");
  static constexpr std::array<std::string_view, 3> sides{"left", "right", "center"};
  for (std::size_t side = 0; side < 3; ++side) {
    clause(labels[side], fmt::format("using 1:2:(stringcolumn(3)) with labels {} notitle", sides[side]));
  }

  std::string settings;
  add(settings, "set xrange [{}:{}]\nset yrange [{}:{}]\n", left, right, low, high);
  settings += "set xlabel 'time a case in cache, ns'\nset ylabel 'worst error / budget'\n";
  settings += "set border 3 linecolor rgb '#555555'\nset tics nomirror out\nset grid linecolor rgb '#e2e2e2'\n";
  settings += "set key at graph 0.5, screen 0.965 center center horizontal maxrows 1 samplen 1.5 width -3\n";
  add(settings,
      "set object 1 rectangle from graph 0, first {} to graph 1, first 0 fillcolor rgb '#edf5fb' "
      "fillstyle solid noborder behind\n",
      low);
  settings += "set xtics (";
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
  settings += tics + ")\nset ytics (";
  tics.clear();
  std::string settings_end;
  for (int power = static_cast<int>(std::floor(lowest)); power <= 0; ++power) {
    for (int const digit : {1, 2, 5}) {
      double const level = power + std::log10(digit);
      if (level < lowest || (lowest < -2 && digit != 1)) continue;
      add(tics, "'{}' {}, ",
          digit == 1 ? power_text(power) : fmt::format("{:.{}f}", digit * std::pow(10.0, power), -power), level);
    }
  }
  int const step = compression < 1 ? static_cast<int>(std::ceil((highest - knee) / 6)) : 1;
  for (int power = 1; power <= highest; power += step) add(tics, "'{}' {}, ", power_text(power), on_axis(power));
  if (compression < 1) {
    add(settings_end,
        "set arrow 1 from graph 0, first {0} to graph 1, first {0} nohead linewidth 0.8 linecolor rgb '#b0b0b0'\n"
        "set label 1 'scale compressed above' at graph 0.995, first {0} right offset 0, 0.55 font ',10' textcolor rgb "
        "'#6a6a6a'\n",
        knee);
  }
  if (exact_seen) add(tics, "'exact' {}, ", exact_level);
  if (infinite_seen) add(tics, "'not finite' {}, ", infinite_level);
  settings += tics.substr(0, tics.size() - 2) + ")\n" + settings_end;

  std::string const stem = stem_of(kernel, "speed", outputs.front());
  return Figure{Figure::Kind::speed,
                outputs,
                stem,
                static_cast<int>(width),
                script_of(stem, width, height, frame, settings, plot),
                blocks.data};
}

// ---- error by regime --------------------------------------------------------------------------------------------

/// Blue within the budget, paling towards it; from yellow to red beyond it, with the decades lost.
int heat(Number ratio, Standing standing) {
  if (standing == Standing::none) return 0xF3F3F3;
  if (standing == Standing::undecided) return 0xDCD3EC;
  auto const mix = [](std::array<int, 3> const& from, std::array<int, 3> const& to, double share) {
    int colour = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      colour = colour * 256 + static_cast<int>(std::lround(from[i] + (to[i] - from[i]) * share));
    }
    return colour;
  };
  if (standing == Standing::held) {
    double const share = ratio && *ratio > 0 ? std::clamp(1 + std::log10(*ratio) / 2, 0.0, 1.0) : 0.0;
    return mix({0xA6, 0xCD, 0xE8}, {0xE4, 0xF1, 0xF9}, share);
  }
  double const share =
      ratio && *ratio > 0 && std::isfinite(*ratio) ? std::clamp(std::log10(*ratio) / 15, 0.0, 1.0) : 1.0;
  return share < .35 ? mix({0xFD, 0xED, 0xC4}, {0xF7, 0xC2, 0x78}, share / .35)
                     : mix({0xF7, 0xC2, 0x78}, {0xE0, 0x7B, 0x4A}, (share - .35) / .65);
}

std::optional<Figure> regimes_figure(Kernel const& kernel, std::vector<std::string> const& outputs) {
  std::vector<Contender const*> columns;
  for (Contender const& contender : kernel.subjects) {
    if (tally(contender, outputs.front()).judged > 0) columns.push_back(&contender);
  }
  if (columns.empty() || kernel.regimes.empty()) return std::nullopt;

  double row_names = 40, column_names = 40;
  for (Term const& regime : kernel.regimes) row_names = std::max(row_names, text_width(plot_field(regime.name), 7.4));
  for (Contender const* column : columns) {
    column_names = std::max(column_names, text_width(plot_field(column->name, 30), 7.4));
  }
  constexpr double cell_width = 84, cell_height = 25, tilt = .5;  // sine of 30 degrees
  auto const rows = static_cast<double>(kernel.regimes.size()), across = static_cast<double>(columns.size());
  Box cells_at{row_names + 18, 14, 0, 0};
  cells_at.right = cells_at.left + cell_width * across;
  cells_at.top = cells_at.bottom + cell_height * rows;
  double const width = cells_at.right + std::max(16.0, column_names * .87 - cell_width / 2 + 8);
  double const height = cells_at.top + column_names * tilt + 26;
  // The frame is the whole picture: gnuplot drops labels that lie outside of it.
  auto const at_x = [&](double x) { return (x - cells_at.left) / cell_width - .5; };
  auto const at_y = [&](double y) { return (y - cells_at.bottom) / cell_height - .5; };
  Box const frame{0, 0, width, height};

  std::string cells, row_labels, column_labels;
  for (std::size_t row = 0; row < kernel.regimes.size(); ++row) {
    double const y = rows - 1 - static_cast<double>(row);
    add(row_labels, "-0.58\t{}\t{}\n", y, plot_field(kernel.regimes[row].name));
    for (std::size_t column = 0; column < columns.size(); ++column) {
      Accuracy const* const accuracy = find_accuracy(*columns[column], kernel.regimes[row].name, outputs.front());
      Standing const held = accuracy ? standing(*accuracy) : Standing::none;
      Number const ratio = accuracy && held != Standing::none ? over_budget(*accuracy) : std::nullopt;
      bool const ended = accuracy && accuracy->crash + accuracy->timeout > 0;
      add(cells, "{}\t{}\t{}\t{}\n", column, y, heat(ratio, held),
          ended                         ? std::string("crash")
          : held == Standing::none      ? std::string("–")
          : held == Standing::undecided ? readable(ratio, 2) + " ?"
                                        : readable(ratio, 2));
    }
  }
  for (std::size_t column = 0; column < columns.size(); ++column) {
    add(column_labels, "{}\t{}\t{}\n", static_cast<double>(column) - .1, rows - .5 + 10 / cell_height,
        plot_field(columns[column]->name, 30));
  }

  std::string const stem = stem_of(kernel, "regimes", outputs.front());
  Blocks blocks;
  blocks.append(cells);
  blocks.append(row_labels);
  blocks.append(column_labels);
  std::string settings, plot;
  add(settings, "set xrange [{}:{}]\nset yrange [{}:{}]\nunset key\nunset border\nunset tics\n", at_x(0), at_x(width),
      at_y(0), at_y(height));
  add(plot,
      "plot '{0}.dat' index 0 using 1:2:($1-.49):($1+.49):($2-.47):($2+.47):3 with boxxyerror fillstyle solid noborder "
      "linecolor rgb variable, \\\n"
      "  '{0}.dat' index 0 using 1:2:(stringcolumn(4)) with labels center font ',12', \\\n"
      "  '{0}.dat' index 1 using 1:2:(stringcolumn(3)) with labels right, \\\n"
      "  '{0}.dat' index 2 using 1:2:(stringcolumn(3)) with labels left rotate by 30",
      stem);
  return Figure{Figure::Kind::regimes,
                outputs,
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

/// Runs gnuplot in `folder`, what it says into a log file. Returns its exit code, or nothing if it did not end well.
std::optional<int> run_gnuplot(fs::path const& folder, std::string const& script, std::string const& log) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  std::string program = "gnuplot", defaults = "-d", file = script;  // -d: no initialisation file of the user's
  std::array<char*, 4> arguments{program.data(), defaults.data(), file.data(), nullptr};
  pid_t child = 0;
  int const failure = posix_spawnp(&child, "gnuplot", &actions, nullptr, arguments.data(), environ);
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
      field += "＼";  // gnuplot reads "\n" and the like in labels
    } else {
      field += code < 0x20 || code == 0x7f ? ' ' : c;
    }
  }
  // A field of blanks, or "?", would be a missing value.
  if (field.find_first_not_of(' ') == std::string::npos) return "(no name)";
  return field == "?" ? "(?)" : field;
}

std::vector<Figure> figures(Kernel const& kernel) {
  std::vector<Figure> all;
  for (auto const& group : output_groups(kernel)) {
    if (auto figure = speed_figure(kernel, group)) all.push_back(std::move(*figure));
    if (auto figure = regimes_figure(kernel, group)) all.push_back(std::move(*figure));
  }
  return all;
}

std::optional<std::string> draw(std::vector<Figure*> const& figures, fs::path const& folder) {
  if (figures.empty()) return std::nullopt;
  if (!on_path("gnuplot")) {
    return "figures are not drawn: gnuplot is not installed (apt-get install gnuplot-nox); their scripts and data are "
           "in figures/";
  }
  std::optional<std::string> note;
  for (Figure* const figure : figures) {
    std::string const log = figure->stem + ".log";
    std::error_code ignored;
    fs::remove(folder / (figure->stem + ".svg"), ignored);
    fs::remove(folder / (figure->stem + ".pdf"), ignored);
    std::optional<int> const code = run_gnuplot(folder, figure->stem + ".gp", log);
    auto const drawn = [&](char const* extension) {
      std::error_code none;
      auto const size = fs::file_size(folder / (figure->stem + extension), none);
      return code == 0 && !none && size > 0;
    };
    figure->svg = drawn(".svg");
    figure->pdf = drawn(".pdf");
    if (figure->svg) {
      fs::remove(folder / log, ignored);
    } else if (!note) {
      note = fmt::format("figures/{}.gp was not drawn: {}", figure->stem,
                         code ? fmt::format("gnuplot exited with {}, see figures/{}", *code, log)
                              : std::string("gnuplot did not end within 60 s, or not by itself"));
    }
  }
  return note;
}

}  // namespace demeter::report
