// Comparison routines for the timings of superquadric_kinematics: none.
#include "kernels/baseline.hpp"

#include <span>

namespace demeter::superquadric_kinematics::bench {

std::span<demeter::bench::Baseline const> baselines() { return {}; }

}  // namespace demeter::superquadric_kinematics::bench
