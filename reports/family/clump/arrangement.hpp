// The arrangement of a clump's balls: the redundant balls, and the parts that are connected.
#pragma once

#include "reports/family/clump/balls.hpp"

namespace demeter::clump_file {

struct Arrangement {
  std::size_t duplicates = 0;  ///< number of balls that are equal to an earlier ball
  std::size_t contained = 0;   ///< number of balls inside another ball, without duplicates
  std::size_t parts = 0;       ///< number of connected parts; balls that overlap or touch are connected
  std::size_t largest = 0;     ///< number of balls in the largest part, without duplicates
  std::vector<bool> hidden;    ///< for each ball: whether it is a duplicate or contained in another ball
};

/// Returns the arrangement. Takes n log n steps for n balls, unless most of them overlap each other.
Arrangement arrangement(std::vector<Ball> const& balls);

}  // namespace demeter::clump_file
