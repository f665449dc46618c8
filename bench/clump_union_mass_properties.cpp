// Routines timed beside the subjects of clump_union_mass_properties.
#include "bench/core/baseline.hpp"

#include <cmath>
#include <cstddef>
#include <span>

namespace demeter::clump_union_mass_properties::bench {
namespace {

/// Columns as in the C ABI: density, offsets, centre, radius in; volume, surface and mass first of what comes out. The
/// balls one by one, overlaps counted as often as balls overlap: what must be read, and what is cheap.
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
    {"additive_floor", "scalar", "volume, surface and mass of the balls one by one: a floor", additive,
     "volume,surface_area,mass"},
};

// The oracle's slices are the fastest other way to 1e-14 that stands here. Ratios of one run, since nanoseconds are a
// machine's: typical clumps take 1.5 us or so, eight loose balls 4 us.
using demeter::bench::Timed;
constexpr Timed of(std::string_view subject, std::string_view regime) { return {subject, "cache", regime, "all"}; }
constexpr demeter::bench::Promise kept[] = {
    {"at least 200 times faster than the certified truth on typical clumps", of("oracle", "typical"),
     of("fast@scalar", "typical"), true, 200},
    {"at least 200 times faster than the certified truth on chains", of("oracle", "chain"), of("fast@scalar", "chain"),
     true, 200},
    {"at least 200 times faster than the certified truth on loose heaps of 8 or 20", of("oracle", "twenty"),
     of("fast@scalar", "twenty"), true, 200},
};

}  // namespace

std::span<demeter::bench::Baseline const> baselines() { return all; }

std::span<demeter::bench::Promise const> promises() { return kept; }

}  // namespace demeter::clump_union_mass_properties::bench
