// Comparison routines for the timings of clump_force_torque: the plain sums, in one pass over the members.
#include "kernels/baseline.hpp"

#include <cstddef>
#include <span>

namespace demeter::clump_force_torque::bench {
namespace {

void plain_sum(std::size_t n, double const* const in[], double* const out[]) {
  for (std::size_t row = 0; row < n; ++row) {
    double const cx = in[0][row], cy = in[1][row], cz = in[2][row];
    auto const first = static_cast<std::size_t>(in[3][row]), end = static_cast<std::size_t>(in[3][row + 1]);
    double total[6] = {};
    for (std::size_t i = first; i < end; ++i) {
      double const x = in[4][i] - cx, y = in[5][i] - cy, z = in[6][i] - cz;
      double const fx = in[7][i], fy = in[8][i], fz = in[9][i];
      total[0] += fx;
      total[1] += fy;
      total[2] += fz;
      total[3] += in[10][i] + (y * fz - z * fy);
      total[4] += in[11][i] + (z * fx - x * fz);
      total[5] += in[12][i] + (x * fy - y * fx);
    }
    for (std::size_t c = 0; c < 6; ++c) {
      if (out[c] != nullptr) out[c][row] = total[c];
    }
  }
}

constexpr demeter::bench::Baseline all[] = {
    {.name = "plain_sum",
     .level = "scalar",
     .doc = "one pass over the members in plain doubles, nothing compensated",
     .run = plain_sum,
     .judged_as = "documented@double"},
};

}  // namespace

/// Columns are in the order of the C ABI. In: centre, offsets, position, force, torque. Out: force, torque.
std::span<demeter::bench::Baseline const> baselines() { return all; }

}  // namespace demeter::clump_force_torque::bench
