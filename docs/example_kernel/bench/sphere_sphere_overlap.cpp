// Nothing is timed beside sphere_sphere_overlap, and nothing promised.
#include "kernels/baseline.hpp"

#include <span>

namespace demeter::sphere_sphere_overlap::bench {

std::span<demeter::bench::Baseline const> baselines() { return {}; }
std::span<demeter::bench::Promise const> promises() { return {}; }

}  // namespace demeter::sphere_sphere_overlap::bench
