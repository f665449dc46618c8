// Measures the time per step of a scene in each arithmetic. The arithmetics take turns.
#pragma once

#include "simulator/run.hpp"

namespace demeter::simulations {

struct Timed {
  std::string implementation;
  double seconds = 0;  ///< time per step: the median of the turns, s
  std::size_t turns = 0;
};

/// Number of turns that each arithmetic has, unless `stop` ends the timing earlier.
constexpr std::size_t turns_of_timing = 9;

/// Times the steps in double, in long double, and in 50 and 100 digits. The arithmetics take turns. The scene starts
/// again when it ends.
std::optional<Failure> time_steps(SceneFile const& file, std::atomic<bool> const& stop, std::vector<Timed>& timed);

}  // namespace demeter::simulations
