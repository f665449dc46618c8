// Comparison routines for the timings of clump_union_mass_properties.
#include "kernels/baseline.hpp"

#include <cmath>
#include <cstddef>
#include <span>

namespace demeter::clump_union_mass_properties::bench {
namespace {

/// Sums the balls one by one, without a correction for overlaps. Reads the whole input and computes little.
///
/// Columns are in the order of the C ABI. In: density, offsets, centre, radius. Out: volume, surface and mass are the
/// first columns.
void additive(std::size_t n, double const* const in[], double* const out[]) {
  constexpr double pi = 3.14159265358979323846;
  for (std::size_t row = 0; row < n; ++row) {
    auto const first = static_cast<std::size_t>(in[1][row]), end = static_cast<std::size_t>(in[1][row + 1]);
    double cubes = 0, squares = 0;
    for (std::size_t i = first; i < end; ++i) {
      double const r = in[5][i];
      squares += r * r;
      cubes += r * r * r;
    }
    double const volume = 4 * pi / 3 * cubes;
    if (out[0] != nullptr) out[0][row] = volume;
    if (out[1] != nullptr) out[1][row] = 4 * pi * squares;
    if (out[2] != nullptr) out[2][row] = in[0][row] * volume;
  }
}

constexpr demeter::bench::Baseline all[] = {
    {.name = "additive_floor",
     .level = "scalar",
     .doc = "volume, surface and mass of the balls one by one: a floor",
     .run = additive,
     .outputs = "volume,surface_area,mass",
     .judged_as = "additive@double",
     .leaves_out = "without centroid and inertia"},
};

}  // namespace

std::span<demeter::bench::Baseline const> baselines() { return all; }

}  // namespace demeter::clump_union_mass_properties::bench
