#include "bench/family/nonsmooth/hourglass.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>
#include <numbers>
#include <random>

namespace demeter::nonsmooth::bench {
namespace {

constexpr double gravity = 9.81, dt = 2e-4, alert = 7e-4;
constexpr double half_width = 0.06, half_neck = 0.006, slope = 0.9, height = 0.3;

}  // namespace

simulator::fast::State filled(std::size_t discs, std::uint64_t seed) {
  constexpr double first_row = 3e-3, row_pitch = 2.42e-3, pitch = 2.45e-3, from_wall = 2.6e-3;
  std::mt19937_64 engine(seed);
  auto const uniform = [&engine] { return static_cast<double>(engine() >> 11) * 0x1p-53; };
  simulator::fast::State state;
  for (std::size_t row = 0; state.x.size() < discs; ++row) {
    double const y = first_row + row_pitch * static_cast<double>(row);
    double const half = std::min(half_width, half_neck + slope * y) - from_wall;
    if (half <= 0) continue;
    double const gaps = std::floor(2 * half / pitch);
    double const first = -half + (2 * half - gaps * pitch) / 2 + (row % 2 == 1 ? pitch / 2 : 0) - pitch / 4;
    for (double k = 0; k <= gaps && state.x.size() < discs; ++k) {
      double const along = uniform(), up = uniform(), size = uniform();
      double const radius = 1e-3 * (0.8 + 0.4 * size);
      state.x.push_back(first + pitch * k + 1e-5 * (along - 0.5));
      state.y.push_back(y + 1e-5 * (up - 0.5));
      state.radius.push_back(radius);
      state.inverse_mass.push_back(1 / (1000 * std::numbers::pi * radius * radius));
    }
  }
  state.velocity_x.assign(state.x.size(), 0.0);
  state.velocity_y.assign(state.x.size(), 0.0);
  return state;
}

simulator::fast::Boundary walls(bool closed) {
  return {{{-half_width, height},
           {-half_width, half_width},
           {-half_neck, 0},
           {-half_width, -half_width},
           {-half_width, -height},
           {half_width, -height},
           {half_width, -half_width},
           {half_neck, 0},
           {half_width, half_width},
           {half_width, height}},
          {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 6}, {6, 7}, {7, 8}, {8, 9}, {2, 7, closed}}};
}

simulator::fast::Settings settings(double tolerance) {
  simulator::fast::Settings made;
  made.tolerance = tolerance * unit_of_residual();
  made.dt = dt;
  made.alert = alert;
  made.gravity = {0, -gravity};
  return made;
}

double unit_of_residual() { return gravity * dt; }

bool is_outside(simulator::fast::State const& state, std::size_t disc) {
  double const x = std::abs(state.x[disc]), y = state.y[disc];
  return !(x <= std::min(half_width, half_neck + slope * std::abs(y)) && y >= -height);
}

Frozen frozen(simulator::fast::State const& state, simulator::fast::Boundary const& boundary) {
  simulator::fast::Workspace workspace;
  std::vector<simulator::fast::Contact> contacts;
  detect(state, boundary, alert, true, contacts, workspace);
  remember(state.contacts, contacts);
  Frozen made;
  made.inverse_mass = state.inverse_mass;
  made.velocity_x = state.velocity_x;
  made.velocity_y = state.velocity_y;
  for (auto& velocity : made.velocity_y) velocity -= dt * gravity;
  auto const wall = static_cast<std::int32_t>(state.x.size());
  for (auto* column : {&made.inverse_mass, &made.velocity_x, &made.velocity_y}) column->push_back(0);
  for (auto const& contact : contacts) {
    made.i.push_back(contact.disc);
    made.j.push_back(contact.partner == simulator::fast::Partner::disc ? contact.other : wall);
    made.normal_x.push_back(contact.normal_x);
    made.normal_y.push_back(contact.normal_y);
    made.meeting.push_back(std::max(0.0, contact.gap) / dt);
    made.impulses.push_back(contact.impulse);
  }
  return made;
}

std::int64_t processor_time() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return std::int64_t{1'000'000'000} * time.tv_sec + time.tv_nsec;
}

double seconds_since(std::int64_t before) { return static_cast<double>(processor_time() - before) / 1e9; }

Reached reach(Frozen const& frozen, fast::Method method, bool warm, double tolerance, std::int64_t sweeps, int runs,
              Level level) {
  fast::Workspace workspace;
  auto const problem = frozen.problem();
  std::vector<double> impulses, x(frozen.velocity_x.size()), y(frozen.velocity_y.size());
  Reached reached;
  reached.seconds = std::numeric_limits<double>::infinity();
  for (int run = 0; run < runs; ++run) {
    impulses = frozen.impulses;
    if (!warm) std::fill(impulses.begin(), impulses.end(), 0.0);
    auto const start = processor_time();
    reached.outcome =
        solve(level, method, problem, {tolerance * unit_of_residual(), sweeps}, impulses, x, y, workspace);
    reached.seconds = std::min(reached.seconds, seconds_since(start));
  }
  reached.residual = natural_residual(problem, impulses, x, y) / unit_of_residual();
  return reached;
}

}  // namespace demeter::nonsmooth::bench
