// Compares two implementations of a scene in two ways. First, both do each single step from the same state. Second,
// both run the whole scene from the start.
#pragma once

#include "simulator/run.hpp"

namespace demeter::simulations {

/// The largest difference of a number between two implementations, with its step and its body.
struct Largest {
  double value = 0;
  std::uint64_t step = 0;
  std::string body;
};

struct Against {
  std::uint64_t steps = 0;
  bool is_complete = false;          ///< the scene was run to its end
  Largest position, velocity;        ///< largest differences in steps with the same contacts and the same number of
                                     ///< sweeps
  std::uint64_t other_contacts = 0;  ///< number of steps in which the implementations find different contact pairs; the
                                     ///< reason is a gap that equals the alert distance up to rounding
  std::uint64_t other_sweeps = 0;    ///< number of steps with the same contacts but different numbers of sweeps; the
                                     ///< reason is a residual that equals the tolerance up to rounding
  Largest tied;                      ///< largest difference of positions in the steps of `other_contacts` and
                                     ///< `other_sweeps`
  /// For the two runs from the start. `within[k]` is the number of steps before a position first differs by more than
  /// `apart[k]` (m). `within[k]` is empty if this never happens.
  static constexpr std::array<double, 3> apart{1e-12, 1e-9, 1e-6};
  std::array<std::optional<std::uint64_t>, 3> within;
  // Properties of the steps of the first implementation.
  bool nonsmooth = false;
  double given = 0;       ///< largest energy that the impulses of one step added, J
  double overlapped = 0;  ///< largest growth of the greatest overlap in one step, m
  double residual = 0;
  std::uint64_t capped = 0;
};

/// Runs the scene with `reference`. Before each step, rounds the state of `reference` and does the same step from this
/// state with `manner`. `stop` ends the comparison.
std::optional<Failure> compare_steps(SceneFile const& file, Manner const& manner, Manner const& reference,
                                     Progress const& progress, std::atomic<bool> const& stop, Against& against);

}  // namespace demeter::simulations
