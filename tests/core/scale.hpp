// Defines the multiplier for the numbers of cases in tests: the environment variable DEMETER_TEST_SCALE, or 1. The
// preset with sanitizers sets 0.1, a nightly run sets 10.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace demeter::testing_kernels {

/// Returns the multiplier. Ends the program with exit code 2 if the variable is not a number above 0.
inline double test_scale() {
  static double const scale = [] {
    char const* const text = std::getenv("DEMETER_TEST_SCALE");
    if (text == nullptr || *text == '\0') return 1.0;
    char* end = nullptr;
    double const value = std::strtod(text, &end);
    if (*end == '\0' && value > 0 && value <= 1e6) return value;
    std::fprintf(stderr, "DEMETER_TEST_SCALE: got \"%s\", expected a number above 0, at most 1e6\n", text);
    std::exit(2);
  }();
  return scale;
}

/// Returns the number of cases for a loop that has `count` cases at scale 1. Returns at least 1, but 0 if `count` is 0.
inline std::uint64_t cases(std::uint64_t count) {
  if (count == 0) return 0;
  return static_cast<std::uint64_t>(std::max(1.0, std::round(static_cast<double>(count) * test_scale())));
}

}  // namespace demeter::testing_kernels
