// Comparison routines for the timings of superquadric_depth: none.
#include "kernels/baseline.hpp"

#include <span>

namespace demeter::superquadric_depth::bench {

std::span<demeter::bench::Baseline const> baselines() { return {}; }

}  // namespace demeter::superquadric_depth::bench
