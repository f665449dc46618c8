// The hourglass of the solver measurements: its discs and walls, and one run of a solver on one of its steps.
#pragma once

#include "simulator/fast/hourglass.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace demeter::nonsmooth::bench {

/// Returns discs with radii of 0.8 to 1.2 mm and 1000 kg/m^2, at rest in rows above the neck, each slightly displaced.
simulator::fast::State filled(std::size_t discs, std::uint64_t seed = 2024);

/// Returns two bins of 0.12 m by 0.3 m with a neck of 0.012 m between them at y = 0. The gate in the neck is the last
/// segment.
simulator::fast::Boundary walls(bool closed);

/// Returns settings with steps of 0.2 ms, an alert distance of 0.7 mm, and a tolerance of `tolerance` g dt for the
/// accelerated projected gradient.
simulator::fast::Settings settings(double tolerance);

/// Returns g dt, the unit of reported residuals (m/s).
double unit_of_residual();

/// Returns true if the centre of a disc is outside the walls.
bool is_outside(simulator::fast::State const& state, std::size_t disc);

/// The contact problem of the next step, and the impulses of a warm start.
struct Frozen {
  std::vector<double> inverse_mass, velocity_x, velocity_y, normal_x, normal_y, meeting, impulses;
  std::vector<std::int32_t> i, j;

  fast::Problem problem() const { return {inverse_mass, velocity_x, velocity_y, i, j, normal_x, normal_y, meeting}; }
};

Frozen frozen(simulator::fast::State const& state, simulator::fast::Boundary const& boundary);

/// Returns the processor time of this process in nanoseconds. Other programs on the machine do not count.
std::int64_t processor_time();

/// Returns the processor time since `processor_time` in seconds.
double seconds_since(std::int64_t processor_time);

/// State of a solver after some sweeps: processor time in seconds since the start, and natural residual in g dt.
struct Reached {
  fast::Outcome outcome;
  double seconds = 0, residual = 0;
};

/// Runs a solver until its own residual is at most `tolerance` g dt, but for at most `sweeps` sweeps. Repeats this
/// `runs` times and returns the smallest time.
Reached reach(Frozen const& frozen, fast::Method method, bool warm, double tolerance, std::int64_t sweeps, int runs = 1,
              Level level = best_level());

}  // namespace demeter::nonsmooth::bench
