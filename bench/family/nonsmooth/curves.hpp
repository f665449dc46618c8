// The residual of every solver against sweeps and against time, on a step of a settled hourglass and on one of an open
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

/// The residuals that solvers are asked for, in g dt.
inline constexpr std::array tolerances{1e-2, 1e-4, 1e-6};

/// How the hourglass is brought to its two steps.
inline constexpr int steps_to_settle = 4000, steps_until_flow = 250;
inline constexpr double settled_to = 1e-3, flowing_to = 1e-6;  // residual, g dt

/// The names by which states and starts are told.
constexpr std::string_view state_name(bool flowing) { return flowing ? "flowing" : "static"; }
constexpr std::string_view start_name(bool warm) { return warm ? "warm" : "cold"; }
std::string_view name(fast::Method method);

/// How far a solver is followed.
struct Limits {
  std::int64_t sweeps = 50'000;
  double seconds = 0;  ///< of the processor, of one run; 0: as long as the sweeps take
};

struct Curve {
  bool flowing = false, warm = false;
  fast::Method method = fast::Method::nlgs;
  std::int64_t asked = 0;                         ///< sweeps, at most
  std::vector<Reached> points;                    ///< after 1, 2, 4, ... sweeps
  std::vector<std::optional<Reached>> reached{};  ///< one a tolerance; nothing: not in the sweeps that were asked
};

/// One solver on one step. Its own residual decides what is reached: of the documented ones it is not the natural one.
Curve curve(Frozen const& problem, bool flowing, fast::Method method, bool warm, Limits const& limits);

struct Study {
  std::size_t discs = 0;
  std::array<std::size_t, 2> contacts{0, 0};  ///< static, flowing
  std::vector<Curve> curves;
};

/// Settles `discs`, opens the gate, and follows every solver, cold and, if it can start warm, warm. Without the curves
/// that are left when `stop` is set.
Study study(std::size_t discs, int steps_to_settle, int steps_until_flow, Limits const& limits,
            std::atomic<bool> const* stop = nullptr);

}  // namespace demeter::nonsmooth::bench
