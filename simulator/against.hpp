// One step in two implementations from the same state, all along a run; and how far apart they run from the start.
#pragma once

#include "simulator/run.hpp"

namespace demeter::simulations {

/// The largest of a difference, and where it was.
struct Largest {
  double value = 0;
  std::uint64_t step = 0;
  std::string body;
};

struct Against {
  std::uint64_t steps = 0;
  bool is_complete = false;    ///< not stopped before the end of the scene
  Largest position, velocity;  ///< of steps with the same contacts and as many sweeps
  std::uint64_t other_contacts =
      0;                           ///< steps in which their contacts are of other pairs: a tie with the alert distance
  std::uint64_t other_sweeps = 0;  ///< steps with the same contacts and another number of sweeps: a tie of the residual
  Largest tied;                    ///< the largest difference of positions in these two
  /// Both from the start: how many steps they were within 1e-12, 1e-9 and 1e-6 m of each other.
  static constexpr std::array<double, 3> apart{1e-12, 1e-9, 1e-6};
  std::array<std::optional<std::uint64_t>, 3> within;
  // What holds in every step, of the first.
  bool nonsmooth = false;
  double given = 0;       ///< the largest energy that impulses gave in a step, J
  double overlapped = 0;  ///< by which the greatest overlap grew most in a step, m
  double residual = 0;
  std::uint64_t capped = 0;
};

/// Steps `manner` from the state of `reference`, rounded, in every step of that one's run. `stop` ends it.
std::optional<Failure> compare_steps(SceneFile const& file, Manner const& manner, Manner const& reference,
                                     Progress const& progress, std::atomic<bool> const& stop, Against& against);

}  // namespace demeter::simulations
