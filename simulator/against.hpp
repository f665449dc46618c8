// Compares two implementations in two ways: each single step from the same state, and both whole runs from the start.
#pragma once

#include "simulator/run.hpp"

namespace demeter::simulations {

/// The largest difference, and where it occurred.
struct Largest {
  double value = 0;
  std::uint64_t step = 0;
  std::string body;
};

struct Against {
  std::uint64_t steps = 0;
  bool is_complete = false;          ///< the scene was run to its end
  Largest position, velocity;        ///< of steps with the same contacts and the same number of sweeps
  std::uint64_t other_contacts = 0;  ///< steps in which the implementations find contacts of different pairs: a tie
                                     ///< with the alert distance
  std::uint64_t other_sweeps = 0;  ///< steps with the same contacts but another number of sweeps: a tie of the residual
  Largest tied;                    ///< the largest difference of positions in these two kinds of steps
  /// Both runs from the start: the number of steps in which they agree within 1e-12, 1e-9 and 1e-6 m.
  static constexpr std::array<double, 3> apart{1e-12, 1e-9, 1e-6};
  std::array<std::optional<std::uint64_t>, 3> within;
  // Properties of every step of the first implementation.
  bool nonsmooth = false;
  double given = 0;       ///< the largest energy that the impulses of a step added, J
  double overlapped = 0;  ///< the largest growth of the greatest overlap in a step, m
  double residual = 0;
  std::uint64_t capped = 0;
};

/// Runs the scene with `reference`. For each step, `manner` does the same step from the rounded state of the reference.
/// `stop` ends the comparison.
std::optional<Failure> compare_steps(SceneFile const& file, Manner const& manner, Manner const& reference,
                                     Progress const& progress, std::atomic<bool> const& stop, Against& against);

}  // namespace demeter::simulations
