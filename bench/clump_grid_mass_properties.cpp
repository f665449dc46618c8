// Comparison routines for the timings of clump_grid_mass_properties.
#include "kernels/baseline.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>

namespace demeter::clump_grid_mass_properties::bench {
namespace {

/// Tests all cells in a plain loop in double, for every method. The fast form computes whole rows of cells. The
/// difference of the times shows how much time this saves.
///
/// Columns are in the order of the C ABI. In: density, cells, method, offsets, centre, radius. Out: volume, mass,
/// centroid, inertia.
void cell_by_cell(std::size_t n, double const* const in[], double* const out[]) {
  for (std::size_t row = 0; row < n; ++row) {
    auto const first = static_cast<std::size_t>(in[3][row]), end = static_cast<std::size_t>(in[3][row + 1]);
    double const *x = in[4], *y = in[5], *z = in[6], *r = in[7];
    double low[3] = {x[first] - r[first], y[first] - r[first], z[first] - r[first]}, high[3], least = r[first];
    for (std::size_t k = 0; k < 3; ++k) high[k] = in[4 + k][first] + r[first];
    for (std::size_t i = first; i < end; ++i) {
      least = std::min(least, r[i]);
      for (std::size_t k = 0; k < 3; ++k) {
        low[k] = std::min(low[k], in[4 + k][i] - r[i]);
        high[k] = std::max(high[k], in[4 + k][i] + r[i]);
      }
    }
    double const h = least / in[1][row], cell = h * h * h;
    double sums[10] = {};
    for (double px = low[0] + h / 2; px < high[0]; px += h)
      for (double py = low[1] + h / 2; py < high[1]; py += h)
        for (double pz = low[2] + h / 2; pz < high[2]; pz += h)
          for (std::size_t i = first; i < end; ++i) {
            double const dx = px - x[i], dy = py - y[i], dz = pz - z[i];
            if (!(dx * dx + dy * dy + dz * dz < r[i] * r[i])) continue;
            double const terms[10] = {1, px, py, pz, px * px, py * py, pz * pz, px * py, px * pz, py * pz};
            for (std::size_t k = 0; k < 10; ++k) sums[k] += terms[k];
            break;
          }
    double const volume = cell * sums[0], mass = in[0][row] * volume, unit = in[0][row] * cell;
    double const cx = sums[1] / sums[0], cy = sums[2] / sums[0], cz = sums[3] / sums[0];
    double const xx = sums[4] - sums[1] * cx, yy = sums[5] - sums[2] * cy, zz = sums[6] - sums[3] * cz;
    double const result[11] = {volume,
                               mass,
                               cx,
                               cy,
                               cz,
                               unit * (yy + zz),
                               unit * (xx + zz),
                               unit * (xx + yy),
                               -unit * (sums[7] - sums[1] * cy),
                               -unit * (sums[8] - sums[1] * cz),
                               -unit * (sums[9] - sums[2] * cz)};
    for (std::size_t k = 0; k < 11; ++k)
      if (out[k] != nullptr) out[k][row] = result[k];
  }
}

constexpr demeter::bench::Baseline all[] = {
    {.name = "cell_by_cell",
     .level = "scalar",
     .doc = "the loop over the cells in double, centres only",
     .run = cell_by_cell,
     .leaves_out = "without the cells' own moments"},
};

}  // namespace

std::span<demeter::bench::Baseline const> baselines() { return all; }

}  // namespace demeter::clump_grid_mass_properties::bench
