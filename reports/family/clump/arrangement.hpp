// How the balls of a clump lie: which of them change nothing, and how the others hang together.
#pragma once

#include "reports/family/clump/balls.hpp"

namespace demeter::clump_file {

struct Arrangement {
  std::size_t duplicates = 0;  ///< balls that were given before
  std::size_t contained = 0;   ///< balls inside another one, duplicates not counted
  std::size_t parts = 0;       ///< connected ones: of balls that overlap or touch
  std::size_t largest = 0;     ///< balls of the largest part, duplicates not counted
  std::vector<bool> hidden;    ///< one a ball: it is a duplicate or contained
};

/// In n log n steps for n balls, unless most of them overlap each other.
Arrangement arrangement(std::vector<Ball> const& balls);

}  // namespace demeter::clump_file
