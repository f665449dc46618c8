// The residual of every solver against sweeps and time, for one step of a settled hourglass and one step of an open
// one.
#pragma once

#include "bench/family/nonsmooth/hourglass.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace demeter::nonsmooth::bench {

/// The residuals to which solvers must converge, in g dt.
inline constexpr std::array tolerances{1e-2, 1e-4, 1e-6};

/// Numbers of steps before the two measured steps.
inline constexpr int steps_to_settle = 4000, steps_until_flow = 250;
inline constexpr double settled_to = 1e-3, flowing_to = 1e-6;  // residual, g dt

/// The names of states and starts in files and reports.
constexpr std::string_view state_name(bool flowing) { return flowing ? "flowing" : "static"; }
constexpr std::string_view start_name(bool warm) { return warm ? "warm" : "cold"; }
std::string_view name(fast::Method method);

/// Limits of the measurement of a solver.
struct Limits {
  std::int64_t sweeps = 50'000;
  double seconds = 0;  ///< limit of the processor time per run; 0: no limit
};

struct Curve {
  bool flowing = false, warm = false;
  fast::Method method = fast::Method::nlgs;
  std::int64_t asked = 0;                         ///< maximum number of sweeps
  std::vector<Reached> points;                    ///< states after 1, 2, 4, ... sweeps
  std::vector<std::optional<Reached>> reached{};  ///< state at each tolerance; empty: not reached within the sweeps
};

/// Measures one solver on one step. The solver's own residual decides when a tolerance is reached. For the documented
/// solvers it is not the natural residual.
Curve curve(Frozen const& problem, bool flowing, fast::Method method, bool warm, Limits const& limits);

struct Study {
  std::size_t discs = 0;
  std::array<std::size_t, 2> contacts{0, 0};  ///< static, flowing
  std::vector<Curve> curves;
};

/// Settles `discs`, opens the gate, and measures every solver with a cold start and, where possible, a warm start.
/// Skips the remaining curves when `stop` is set.
Study study(std::size_t discs, int steps_to_settle, int steps_until_flow, Limits const& limits,
            std::atomic<bool> const* stop = nullptr);

}  // namespace demeter::nonsmooth::bench
