// The hourglass as it is measured: its fill and walls, and the residual of every solver against sweeps and time.
#pragma once

#include "simulator/fast/hourglass.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace demeter::nonsmooth::bench {

/// Discs of 0.8 to 1.2 mm and 1000 kg/m^2 at rest in rows above the neck, each a little off its place.
simulator::fast::State filled(std::size_t discs, std::uint64_t seed = 2024);

/// Two bins of 0.12 m by 0.3 m, a neck of 0.012 m between them at y = 0, and in it the gate, the last segment.
simulator::fast::Boundary walls(bool closed);

/// Steps of 0.2 ms, an alert distance of 0.7 mm, and a residual of `tolerance` g dt by the accelerated projected
/// gradient.
simulator::fast::Settings settings(double tolerance);

/// The speed in which residuals are told, g dt.
double unit_of_residual();

/// Whether a disc's centre is beyond the walls.
bool is_outside(simulator::fast::State const& state, std::size_t disc);

/// The problem of the next step, and what it starts from.
struct Frozen {
  std::vector<double> inverse_mass, velocity_x, velocity_y, normal_x, normal_y, meeting, impulses;
  std::vector<std::int32_t> i, j;

  fast::Problem problem() const { return {inverse_mass, velocity_x, velocity_y, i, j, normal_x, normal_y, meeting}; }
};

Frozen frozen(simulator::fast::State const& state, simulator::fast::Boundary const& boundary);

/// Nanoseconds of the processor that this process has had: what others do on the machine is not in them.
std::int64_t processor_time();

/// What has passed since, in seconds.
double seconds_since(std::int64_t processor_time);

/// A solver after some sweeps from the start: the processor's seconds, and the natural residual in g dt.
struct Reached {
  fast::Outcome outcome;
  double seconds = 0, residual = 0;
};

/// Sweeps until the solver's own residual is at most `tolerance` g dt. The least time of `runs`.
Reached reach(Frozen const& frozen, fast::Method method, bool warm, double tolerance, std::int64_t sweeps, int runs = 1,
              Level level = best_level());

}  // namespace demeter::nonsmooth::bench
