// sphere_sphere_overlap has no comparison routines: only the subjects are timed.
#include "kernels/baseline.hpp"

#include <span>

namespace demeter::sphere_sphere_overlap::bench {

std::span<demeter::bench::Baseline const> baselines() { return {}; }

}  // namespace demeter::sphere_sphere_overlap::bench
