// Measures the residual of every solver as a function of sweeps and of time, for two steps of an hourglass: one after
// the discs have settled, and one after the gate has been opened.
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

/// Number of steps until the discs have settled, and from the opening of the gate to the second measured step.
inline constexpr int steps_to_settle = 4000, steps_until_flow = 250;
inline constexpr double settled_to = 1e-3, flowing_to = 1e-6;  // tolerances of these steps, in g dt

/// The names in files and reports: of the state, and of the start of a solver.
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
  std::vector<std::optional<Reached>> reached{};  ///< state at each tolerance; empty: not reached in `asked` sweeps
};

/// Measures one solver on one step. The solver's own residual decides when a tolerance is reached. For the documented
/// solvers, this residual is not the natural residual.
Curve curve(Frozen const& problem, bool flowing, fast::Method method, bool warm, Limits const& limits);

struct Study {
  std::size_t discs = 0;
  std::array<std::size_t, 2> contacts{0, 0};  ///< number of contacts in the static and in the flowing state
  std::vector<Curve> curves;
};

/// Settles `discs` discs and measures every solver. Then opens the gate, continues the simulation, and measures every
/// solver again. Each solver is measured with a cold start and, where possible, with a warm start. Skips the remaining
/// curves when `stop` is set.
Study study(std::size_t discs, int steps_to_settle, int steps_until_flow, Limits const& limits,
            std::atomic<bool> const* stop = nullptr);

}  // namespace demeter::nonsmooth::bench
