// Routines timed beside the subjects of clump_union_mass_properties.
#include "kernels/baseline.hpp"

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
    {.name = "additive_floor",
     .level = "scalar",
     .doc = "volume, surface and mass of the balls one by one: a floor",
     .run = additive,
     .outputs = "volume,surface_area,mass",
     .judged_as = "additive@double",
     .leaves_out = "without centroid and inertia"},
};

// Sampling never gets to the accuracy of the closed form: it is compared at its finest here, where it is some 1e10
// times less accurate. The certified truth is the fastest other way to 1e-14.
using demeter::bench::Timed;
constexpr Timed of(std::string_view subject, std::string_view regime) { return {subject, "cache", regime, "all"}; }
constexpr Timed workload(std::string_view subject, std::string_view name) { return {subject, "workload", name, "all"}; }
constexpr demeter::bench::Promise kept[] = {
    {"at least 1000 times faster than exact columns of 80 cells in a radius, on typical clumps",
     of("grid_columns@80", "typical"), of("fast@scalar", "typical"), true, 1000},
    {"at least 1000 times faster than 1e6 random points, on typical clumps", of("monte_carlo@1e6", "typical"),
     of("fast@scalar", "typical"), true, 1000},
    {"at least 200 times faster than the certified truth, on typical clumps", of("oracle", "typical"),
     of("fast@scalar", "typical"), true, 200},
    {"a typical clump of 3 to 8 balls in at most 1,500 ns", of("fast@scalar", "typical"), {}, false, 1500},
    {"20 balls, each overlapping four others, in at most 20,000 ns",
     workload("fast@scalar", "twenty_loose"),
     {},
     false,
     20000},
    {"20 balls, each overlapping nine others, in at most 20,000 ns",
     workload("fast@avx2", "twenty_dense"),
     {},
     false,
     20000},
    {"a chain of 1,000 balls in at most 3,000,000 ns", workload("fast@scalar", "chain_of_1000"), {}, false, 3000000},
    {"20 balls, each overlapping four others, to 50 digits by the reference in at most 20,000,000 ns",
     workload("reference@mpfr:50", "twenty_loose"),
     {},
     false,
     20000000},
    {"20 balls, each overlapping nine others, to 50 digits by the reference in at most 20,000,000 ns",
     workload("reference@mpfr:50", "twenty_dense"),
     {},
     false,
     20000000},
};

}  // namespace

std::span<demeter::bench::Baseline const> baselines() { return all; }

std::span<demeter::bench::Promise const> promises() { return kept; }

}  // namespace demeter::clump_union_mass_properties::bench
