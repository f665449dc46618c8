// What the timings of superquadric_depth are held against.
#include "kernels/baseline.hpp"

#include <span>

namespace demeter::superquadric_depth::bench {

std::span<demeter::bench::Baseline const> baselines() { return {}; }

}  // namespace demeter::superquadric_depth::bench
