// The hourglass at full size: settles it, draws the curves of all solvers standing and flowing, and runs it on.
#include "bench/family/nonsmooth/curves.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/os.h>
#include <sys/resource.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <ctime>
#include <fstream>
#include <numbers>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace demeter {
std::string_view commit();  // generated at every build
}

namespace demeter::nonsmooth::bench {
namespace {

using fast::Method;
using simulator::fast::Boundary;
using simulator::fast::Settings;
using simulator::fast::State;
using simulator::fast::StepReport;

constexpr std::string_view usage =
    "usage: bench_hourglass DISCS [FOLDER]\n"
    "       bench_hourglass --memory DISCS\n"
    "\n"
    "Settles DISCS (5000: four minutes), measures every solver on a step before and 250 steps after the gate is "
    "opened,\n"
    "and runs on to 0.25 s. FOLDER gets curves_DISCS.csv, solvers_DISCS.csv and flow_DISCS.csv.\n"
    "Times are those of the processor.\n"
    "--memory: contacts of DISCS as they are filled in, 100 sweeps, and the memory that this took.\n";

constexpr int steps_of_window = 250, windows = 5;
constexpr std::int64_t most_sweeps = 50'000;

template <class... Values>
void print(fmt::format_string<Values...> format, Values&&... values) {
  fmt::print(format, std::forward<Values>(values)...);
  std::fflush(stdout);
}

/// The first lines of every file: which program, when, and on what.
std::string provenance() {
  std::string cpu = "unknown";
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    if (line.rfind("model name", 0) != 0) continue;
    cpu = line.substr(std::min(line.find(": ") + 2, line.size()));
    break;
  }
  return fmt::format("# commit: {}\n# created: {:%Y-%m-%dT%H:%M:%SZ}\n# cpu: {}\n# level: {}\n", commit(),
                     fmt::gmtime(std::time(nullptr)), cpu, labels(Level{})[static_cast<std::size_t>(best_level())]);
}

/// A file of a folder, if one is wanted.
class Table {
  std::optional<fmt::ostream> file_;

 public:
  Table(std::string const& folder, std::string const& file, std::string_view head) {
    if (folder.empty()) return;
    file_.emplace(fmt::output_file(folder + "/" + file));
    file_->print("{}\n", head);
  }
  template <class... Values>
  void row(fmt::format_string<Values...> format, Values&&... values) {
    if (file_) file_->print(format, std::forward<Values>(values)...);
  }
};

// ------------------------------------------------------------------------------------------------------------- running

/// What many steps came to.
struct Window {
  double seconds = 0, overlap_before = 0, overlap = 0, residual = 0;
  std::int64_t sweeps = 0, most = 0;
  std::size_t contacts = 0, most_contacts = 0, discs = 0, outside = 0, unforeseen = 0, without_normal = 0;
  int steps = 0, capped = 0;
  double fastest = 0;
  double area = 0;
  std::array<double, 2> wall_impulse{0, 0};
  StepReport last;
};

Window run(State& state, Boundary const& boundary, Settings const& settings, int steps,
           simulator::fast::Workspace& workspace) {
  Window window;
  window.steps = steps;
  std::vector<double> const before = state.y;
  auto const start = processor_time();
  for (int step = 0; step < steps; ++step) {
    auto const& report = window.last = advance(state, boundary, settings, workspace);
    if (step == 0) window.overlap_before = report.greatest_overlap;
    window.overlap = std::max(window.overlap, report.greatest_overlap);
    window.residual = std::max(window.residual, report.residual);
    window.sweeps += report.sweeps;
    window.most = std::max(window.most, report.sweeps);
    window.contacts += report.contacts;
    window.most_contacts = std::max(window.most_contacts, report.contacts);
    window.capped += report.capped ? 1 : 0;
    window.fastest = std::max(window.fastest, report.greatest_speed);
    window.unforeseen += report.unforeseen;
    window.without_normal += report.without_normal;
    for (std::size_t axis : {0U, 1U}) window.wall_impulse[axis] += report.wall_impulse[axis];
    for (std::size_t disc = 0; disc < state.x.size(); ++disc)
      if (is_outside(state, disc)) ++window.outside;
  }
  window.seconds = seconds_since(start);
  for (std::size_t disc = 0; disc < state.y.size(); ++disc) {
    if (!(before[disc] >= 0 && state.y[disc] < 0)) continue;
    ++window.discs;
    window.area += std::numbers::pi * state.radius[disc] * state.radius[disc];
  }
  return window;
}

void print_window(std::string_view what, Window const& window, Settings const& settings) {
  print(
      "{}: {:.1f} s for {} steps, {:.1f} ms a step; {:.0f} contacts a step; sweeps {:.0f} a step, {} at most; {} "
      "capped\n",
      what, window.seconds, window.steps, 1e3 * window.seconds / window.steps,
      static_cast<double>(window.contacts) / window.steps, static_cast<double>(window.sweeps) / window.steps,
      window.most, window.capped);
  print(
      "  residual at most {:.3g} g dt; overlap from {:.3g} to {:.3g} m, may grow by {:.3g}; {:.3g} m/s at most, {} "
      "allowed by "
      "the alert distance\n  {} discs outside, {} overlaps not foreseen, {} contacts without normal\n",
      window.residual / unit_of_residual(), window.overlap_before, window.overlap,
      window.steps * settings.tolerance * settings.dt, window.fastest, settings.alert / settings.dt, window.outside,
      window.unforeseen, window.without_normal);
}

// ------------------------------------------------------------------------------------------------------------- solvers

void draw_curves(bool flowing, Frozen const& problem, Table& curves, Table& solvers) {
  print("\n{}: {} contacts; sweeps (ms) until the residual is at most\n{:<22} {:<5} {:>17} {:>17} {:>17} {:>10}\n",
        state_name(flowing), problem.i.size(), "", "", "1e-2 g dt", "1e-4 g dt", "1e-6 g dt", "us/sweep");
  for (Method const method : fast::methods) {
    for (bool const warm : {false, true}) {
      if (warm && !solves(method)) continue;
      auto const drawn = curve(problem, flowing, method, warm, {most_sweeps, 0});
      std::string const which =
          fmt::format("{},{},{},{}", state_name(flowing), problem.i.size(), start_name(warm), name(method));
      for (auto const& point : drawn.points)
        curves.row("{},{},{},{}\n", which, point.outcome.sweeps, point.seconds, point.residual);
      print("{:<22} {:<5}", name(method), start_name(warm));
      for (std::size_t k = 0; k < tolerances.size(); ++k) {
        auto const& reached = drawn.reached[k];
        std::string const text =
            reached ? fmt::format("{} ({:.1f})", reached->outcome.sweeps, 1e3 * reached->seconds) : std::string("-");
        print(" {:>17}", text);
        if (reached)
          solvers.row("{},{},{},{},{},{}\n", which, drawn.asked, tolerances[k], reached->outcome.sweeps,
                      reached->seconds, reached->residual);
        else
          solvers.row("{},{},{},,,\n", which, drawn.asked, tolerances[k]);
      }
      auto const& last = drawn.points.back();
      print(" {:>10.1f}\n", 1e6 * last.seconds / static_cast<double>(std::max<std::int64_t>(last.outcome.sweeps, 1)));
    }
  }
  print(
      "(of the documented ones the greatest correction of the last sweep; their velocities need not be the "
      "solution's)\n");
}

void compare(Frozen const& problem) {
  print("\nus a sweep, least of 9 runs of 200 sweeps\n{:<22} {:>8} {:>8} {:>8}\n", "", "scalar", "avx2", "avx512");
  double sequential = 0, coloured = 0;
  for (Method const method : fast::methods) {
    print("{:<22}", name(method));
    for (Level const level : {Level::scalar, Level::avx2, Level::avx512}) {
      if (!available(level)) continue;
      double const each = 1e6 * reach(problem, method, false, 0, 200, 9, level).seconds / 200;
      if (method == Method::nlgs) sequential = each;
      if (method == Method::coloured) coloured = each;
      print(" {:>8.1f}", each);
    }
    print("\n");
  }
  auto const accelerated = reach(problem, Method::apgd, false, 1e-6, most_sweeps);
  auto const gauss_seidel = reach(problem, Method::nlgs, true, 1e-6, 4 * most_sweeps);
  print(
      "to 1e-6 g dt: apgd cold {} sweeps, {:.1f} ms (at most 2500); nlgs warm {} sweeps, {:.1f} ms: {:.1f} times as "
      "long (at "
      "least 10)\na sequential sweep takes {:.2f} times as long as a coloured one at the best level (at least 1.8)\n\n",
      accelerated.outcome.sweeps, 1e3 * accelerated.seconds, gauss_seidel.outcome.sweeps, 1e3 * gauss_seidel.seconds,
      gauss_seidel.seconds / accelerated.seconds, sequential / coloured);
}

void measure(std::size_t discs, std::string const& folder) {
  State state = filled(discs);
  simulator::fast::Workspace workspace;
  auto const coarse = settings(settled_to), fine = settings(flowing_to);
  print_window("settled", run(state, walls(true), coarse, steps_to_settle, workspace), coarse);
  std::string const by = provenance();
  Table curves(folder, fmt::format("curves_{}.csv", discs),
               by + "state,contacts,start,method,sweeps,seconds,residual_over_g_dt");
  Table solvers(folder, fmt::format("solvers_{}.csv", discs),
                by + "state,contacts,start,method,sweeps_asked,tolerance_over_g_dt,sweeps,seconds,residual_over_g_dt");
  Table flow(folder, fmt::format("flow_{}.csv", discs),
             by + "from,to,discs,area,kinetic_energy,greatest_overlap,contacts_a_step,sweeps_a_step,most_sweeps,"
                  "capped_steps,residual_over_g_dt,wall_impulse_x,wall_impulse_y,seconds");
  draw_curves(false, frozen(state, walls(true)), curves, solvers);
  print("\n");

  auto const open = walls(false);
  double seconds = 0;
  for (int each = 0; each < windows; ++each) {
    auto const window = run(state, open, fine, steps_of_window, workspace);
    double const from = each * steps_of_window * fine.dt, to = (each + 1) * steps_of_window * fine.dt;
    seconds += window.seconds;
    print_window(fmt::format("{:.2f} to {:.2f} s, {} discs, {:.4g} m^2 through", from, to, window.discs, window.area),
                 window, fine);
    flow.row("{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", from, to, window.discs, window.area,
             window.last.kinetic_energy, window.overlap, static_cast<double>(window.contacts) / window.steps,
             static_cast<double>(window.sweeps) / window.steps, window.most, window.capped,
             window.residual / unit_of_residual(), window.wall_impulse[0], window.wall_impulse[1], window.seconds);
    if ((each + 1) * steps_of_window != steps_until_flow) continue;
    auto const flowing = frozen(state, open);
    draw_curves(true, flowing, curves, solvers);
    compare(flowing);
  }
  print("open for {:.2f} s: {:.1f} s\n", windows * steps_of_window * fine.dt, seconds);
}

void measure_memory(std::size_t discs) {
  State state = filled(discs);
  simulator::fast::Workspace workspace;
  auto one_step = settings(-1);  // discs that do not meet within the step have no residual
  one_step.sweeps = 100;
  auto const window = run(state, walls(true), one_step, 1, workspace);
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  print("{} discs, {} contacts, {} sweeps: {:.3f} s, {:.1f} MB at most (at most 1000)\n", discs, window.last.contacts,
        window.last.sweeps, window.seconds, static_cast<double>(usage.ru_maxrss) * 1024 / 1e6);
}

std::optional<std::size_t> number_of_discs(std::string_view text) {
  std::size_t discs = 0;
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), discs);
  if (error != std::errc() || end != text.data() + text.size() || discs == 0 || discs > 10'000'000) return std::nullopt;
  return discs;
}

}  // namespace
}  // namespace demeter::nonsmooth::bench

int main(int count, char** words) {
  using namespace demeter::nonsmooth::bench;
  bool const memory = count == 3 && std::string_view(words[1]) == "--memory";
  auto const discs = count == 2 || count == 3 ? number_of_discs(words[memory ? 2 : 1]) : std::nullopt;
  if (!discs) {
    fmt::print(stderr, "{}", usage);
    return 2;
  }
  try {
    if (memory) {
      measure_memory(*discs);
    } else {
      measure(*discs, count == 3 ? words[2] : "");
    }
  } catch (std::exception const& error) {
    fmt::print(stderr, "bench_hourglass: {}\n", error.what());
    return 4;
  }
}
