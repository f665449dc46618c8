// The arrangement of a clump's balls: which balls are redundant, and how the others are connected.
#pragma once

#include "reports/family/clump/balls.hpp"

namespace demeter::clump_file {

struct Arrangement {
  std::size_t duplicates = 0;  ///< balls that occurred before
  std::size_t contained = 0;   ///< balls inside another one, without duplicates
  std::size_t parts = 0;       ///< connected parts: balls that overlap or touch
  std::size_t largest = 0;     ///< balls of the largest part, without duplicates
  std::vector<bool> hidden;    ///< for each ball: whether it is a duplicate or contained in another ball
};

/// Returns the arrangement. Takes n log n steps for n balls, unless most of them overlap each other.
Arrangement arrangement(std::vector<Ball> const& balls);

}  // namespace demeter::clump_file
