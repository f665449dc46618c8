// What the timings of superquadric_depth are held against.
#include "kernels/baseline.hpp"

#include <span>

namespace demeter::superquadric_depth::bench {

std::span<demeter::bench::Baseline const> baselines() { return {}; }

std::span<demeter::bench::Promise const> promises() {
  static constexpr demeter::bench::Timed exact{"reference@mpfr:50", "cache", "typical", "all"};
  static constexpr demeter::bench::Promise list[] = {
      {"50 digits in at most 500 ms", exact, {}, false, 5e8},
  };
  return list;
}

}  // namespace demeter::superquadric_depth::bench
