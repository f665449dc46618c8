// What the timings of superquadric_kinematics are held against.
#include "kernels/baseline.hpp"

#include <span>

namespace demeter::superquadric_kinematics::bench {

std::span<demeter::bench::Baseline const> baselines() { return {}; }

std::span<demeter::bench::Promise const> promises() {
  static constexpr demeter::bench::Timed avx2{"fast@avx2", "cache", "typical", "all"},
      scalar{"fast@scalar", "cache", "typical", "all"}, truth{"oracle", "cache", "typical", "all"};
  static constexpr demeter::bench::Promise list[] = {
      {"AVX2 at least 2.2 times as fast as the scalar form", scalar, avx2, true, 2.2},
      {"a certified truth in at most 3 ms", truth, {}, false, 3e6},
  };
  return list;
}

}  // namespace demeter::superquadric_kinematics::bench
