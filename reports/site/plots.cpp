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

/// Accuracy and time of everyone who has both.
std::vector<Point> points_of(Kernel const& kernel, std::string const& output, std::string_view profile,
                             std::string const& regime) {
  std::vector<Point> points;
  for (Contender const& contender : kernel.subjects) {
    Number worst;
    for (Accuracy const& row : contender.accuracy) {
      RegimeTerm const* const of = find_regime(kernel, row.regime);
      if (row.output != output || of == nullptr || !is_of(*of, profile) || standing(row) == Standing::none) continue;
      // Whoever crashed or hung somewhere has no finite worst error.
      Number const ratio = row.lost() > 0 ? Number(std::numeric_limits<double>::infinity()) : over_budget(row);
      if (ratio && (!worst || worse(ratio, worst))) worst = ratio;
    }
    Number const time = nanoseconds(kernel, contender.name, "cache", regime, output);
    if (!worst || !time) continue;
    double const level = !std::isfinite(*worst) ? HUGE_VAL
                         : *worst == 0          ? -HUGE_VAL
                                                : std::max(-6.0, std::log10(*worst));
    points.push_back({contender.name, *time, level, contender.origin});
  }
  return points;
}

struct BaselineTime {
  std::string name;
  double nanoseconds;
};

/// What moving the data alone costs, the fastest first.
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

/// The clauses of a plot command, each with its rows in the data file.
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

/// Lines with their names beside them, which are added to what is taken.
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
    std::string rows;
    for (Point const& point : points)
      if (point.origin == look.origin) add(rows, "{}\t{}\n", std::log10(point.nanoseconds), point.place);
    clauses.add_clause(
        rows, fmt::format("using 1:2 with points pointtype {} pointsize {} linecolor rgb '{}' title '{}'", look.type,
                          look.size, look.colour, look.title));
  }
}

/// Names of points; those far from their point have a thin leader.
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

std::string error_tics(ErrorAxis const& axis) {
  std::string tics;
  for (int power = static_cast<int>(std::floor(axis.lowest)); power <= 0; ++power) {
    for (int const digit : {1, 2, 5}) {
      double const level = power + std::log10(digit);
      if (level < axis.lowest || (axis.lowest < -2 && digit != 1)) continue;
      add(tics, "'{}' {}, ",
          digit == 1 ? power_text(power) : fmt::format("{:.{}f}", digit * std::pow(10.0, power), -power), level);
    }
  }
  int const step = axis.compression < 1 ? static_cast<int>(std::ceil((axis.highest - ErrorAxis::knee) / 6)) : 1;
  for (int power = 1; power <= axis.highest; power += step) add(tics, "'{}' {}, ", power_text(power), axis.at(power));
  if (axis.exact_seen) add(tics, "'exact' {}, ", axis.exact);
  if (axis.infinite_seen) add(tics, "'not finite' {}, ", axis.infinite);
  return tics.substr(0, tics.size() - 2);
}

std::string speed_settings(Scale const& across, ErrorAxis const& axis, std::string_view profile) {
  std::string settings;
  add(settings, "set xrange [{}:{}]\nset yrange [{}:{}]\n", across.low, across.high, axis.low, axis.high);
  // The label of the y axis is placed by hand: gnuplot moves its own out of the picture where tics are wide.
  add(settings,
      "set xlabel 'time a case in cache, ns'\nset label 2 'worst error / budget, {}' at screen 0.018, graph 0.5 center "
      "rotate by 90\n",
      profile_name(profile));
  settings += "set border 3 linecolor rgb '#555555'\nset tics nomirror out\nset grid linecolor rgb '#e2e2e2'\n";
  settings += "set key at graph 0.5, screen 0.965 center center horizontal maxrows 1 samplen 1.5 width -3\n";
  add(settings,
      "set object 1 rectangle from graph 0, first {} to graph 1, first 0 fillcolor rgb '#edf5fb' "
      "fillstyle solid noborder behind\n",
      axis.low);
  add(settings, "set xtics ({})\nset ytics ({})\n", time_tics(across), error_tics(axis));
  if (axis.compression < 1)
    add(settings,
        "set arrow 1 from graph 0, first {0} to graph 1, first {0} nohead linewidth 0.8 linecolor rgb '#b0b0b0'\n"
        "set label 1 'scale compressed above' at graph 0.995, first {0} right offset 0, 0.55 font ',10' textcolor rgb "
        "'#6a6a6a'\n",
        ErrorAxis::knee);
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
  for (BaselineTime const& line : baselines) times.push_back(line.nanoseconds);
  auto const [fastest, slowest] = std::minmax_element(times.begin(), times.end());
  constexpr double width = 880, height = 540;
  constexpr Box frame{92, 66, 862, 496};
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
  clauses.add_clause(fmt::format("{}\t0\n{}\t0\n", across.low, across.high),
                     "using 1:2 with lines linewidth 2 dashtype 2 linecolor rgb '#000000' title 'budget'");
  add_points(clauses, points);
  std::vector<Box> strokes{{frame.left, upwards.pixel(0) - 1, frame.right, upwards.pixel(0) + 1}};  // the budget
  for (Box const& stroke : strokes_of(best, frame)) strokes.push_back(stroke);
  add_labels(clauses, by_time(points), taken, strokes, across, upwards, frame);
  return Figure{Figure::Kind::speed,
                outputs,
                profile,
                stem,
                static_cast<int>(width),
                script_of(stem, width, height, frame, speed_settings(across, axis, profile), clauses.plot),
                clauses.blocks.data};
}

// ---- error by regime --------------------------------------------------------------------------------------------

/// Blue within the budget on enough cases, paling towards it, grey on few; from yellow to red beyond it, with the
/// decades lost.
int heat(Number ratio, Standing standing, bool few) {
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
    if (accuracy_tally(contender, outputs.front()).judged > 0) columns.push_back(&contender);
  }
  if (columns.empty() || kernel.regimes.empty()) return std::nullopt;

  double row_names = 40, column_names = 40;
  for (RegimeTerm const& regime : kernel.regimes)
    row_names = std::max(row_names, text_width(plot_field(regime.name), 7.4));
  for (Contender const* column : columns) {
    column_names = std::max(column_names, text_width(plot_field(column->name, 30), 7.4));
  }
  constexpr double cell_width = 84, cell_height = 25, tilt = .5;  // sine of 30 degrees
  auto const rows = static_cast<double>(kernel.regimes.size()), across = static_cast<double>(columns.size());
  Box cells_at{row_names + 18 + 86, 14, 0, 0};  // the profile and the regime
  cells_at.right = cells_at.left + cell_width * across;
  cells_at.top = cells_at.bottom + cell_height * rows;
  double const width = cells_at.right + std::max(16.0, column_names * .87 - cell_width / 2 + 8);
  double const height = cells_at.top + column_names * tilt + 26;
  // The frame is the whole picture: gnuplot drops labels that lie outside of it.
  auto const at_x = [&](double x) { return (x - cells_at.left) / cell_width - .5; };
  auto const at_y = [&](double y) { return (y - cells_at.bottom) / cell_height - .5; };
  Box const frame{0, 0, width, height};

  std::string cells, row_labels, column_labels;
  std::vector<RegimeTerm const*> ordered;  // by profile, whose name stands before that of its first regime
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
      Accuracy const* const accuracy = find_accuracy(*columns[column], name, outputs.front());
      Standing const held = accuracy ? standing(*accuracy) : Standing::none;
      Number const ratio = accuracy && held != Standing::none ? over_budget(*accuracy) : std::nullopt;
      bool const ended = accuracy && accuracy->lost() > 0;
      add(cells, "{}\t{}\t{}\t{}\n", column, y, heat(ratio, held, accuracy && is_few(kernel, *accuracy)),
          ended                         ? std::string(accuracy->crash > 0 ? "crash" : "none")
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
  blocks.append(profile_labels);
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
    for (std::string_view const profile : profiles_of(kernel))
      if (auto figure = speed_figure(kernel, group, profile)) all.push_back(std::move(*figure));
    if (auto figure = regimes_figure(kernel, group)) all.push_back(std::move(*figure));
  }
  return all;
}

namespace {

/// The moment of drawing, which gnuplot's library writes into a PDF and cannot be told, becomes one moment for all.
void forget_date(std::string& pdf) {
  for (std::string_view const key : {"/CreationDate (D:", "/ModDate (D:"}) {
    for (std::size_t at = pdf.find(key); at != std::string::npos; at = pdf.find(key, at + 1)) {
      static constexpr std::string_view moment = "19700101000000";
      if (at + key.size() + moment.size() > pdf.size()) break;
      pdf.replace(at + key.size(), moment.size(), moment);  // as long, so that nothing in the file moves
    }
  }
}

/// A folder within another that is gone with the object, for a program that writes where it likes.
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

/// What runs that were killed have left of them: older than any drawing takes.
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

/// Returns what went wrong.
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
  // Drawn aside and taken when it is whole: the picture of before stays until then, and links lead nowhere.
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
