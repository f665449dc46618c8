// Measures the time per step of a scene in each arithmetic, in alternating turns.
#pragma once

#include "simulator/run.hpp"

namespace demeter::simulations {

struct Timed {
  std::string implementation;
  double seconds = 0;  ///< per step, the median of the turns
  std::size_t turns = 0;
};

/// Number of turns of each arithmetic, unless `stop` ends the timing.
constexpr std::size_t turns_of_timing = 9;

/// Times steps in double, long double, 50 and 100 digits, in alternating turns. Repeats the scene when it ends.
std::optional<Failure> time_steps(SceneFile const& file, std::atomic<bool> const& stop, std::vector<Timed>& timed);

}  // namespace demeter::simulations
