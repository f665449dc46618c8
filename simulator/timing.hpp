// What a step of a scene takes in each arithmetic, by turns.
#pragma once

#include "simulator/run.hpp"

namespace demeter::simulations {

struct Timed {
  std::string implementation;
  double seconds = 0;  ///< a step, the median of its turns
  std::size_t turns = 0;
};

/// How many turns each arithmetic has unless `stop` ends the timing.
constexpr std::size_t turns_of_timing = 9;

/// In double, long double, 50 and 100 digits, by turns over the whole scene again and again.
std::optional<Failure> time_steps(SceneFile const& file, std::atomic<bool> const& stop, std::vector<Timed>& timed);

}  // namespace demeter::simulations
