// Comparison routines for the timings of disc_segment_contact.
#include "kernels/baseline.hpp"

#include <cmath>
#include <cstddef>
#include <limits>
#include <span>

namespace demeter::disc_segment_contact::bench {
namespace {

/// Plain contact detection, with branches for the three features of a segment: its interior and its two ends.
void plain_by_rows(std::size_t count, double const* const in[], double* const out[]) {
  for (std::size_t i = 0; i < count; ++i) {
    double const tx = in[5][i] - in[3][i], ty = in[6][i] - in[4][i], sx = in[0][i] - in[3][i], sy = in[1][i] - in[4][i];
    double const along = sx * tx + sy * ty, tt = tx * tx + ty * ty;
    double distance = 0, nx = 0, ny = 0, feature = 0;
    if (along > 0 && along < tt) {
      double const over = 1 / std::sqrt(tt), area = tx * sy - ty * sx, size = area < 0 ? -over : over;
      distance = std::fabs(area) * over, nx = -ty * size, ny = tx * size;
    } else {
      feature = along > 0 ? 2 : 1;
      double const x = along > 0 ? in[0][i] - in[5][i] : sx, y = along > 0 ? in[1][i] - in[6][i] : sy;
      distance = std::sqrt(x * x + y * y);
      nx = x / distance, ny = y / distance;
    }
    double const gap = distance - in[2][i];
    double const results[] = {gap, distance > 0 ? 1.0 : 0.0, nx, ny, feature, gap < in[7][i] ? 1.0 : 0.0};
    for (std::size_t k = 0; k < 6; ++k)
      if (out[k] != nullptr) out[k][i] = results[k];
  }
}

}  // namespace

std::span<demeter::bench::Baseline const> baselines() {
  static constexpr demeter::bench::Baseline list[] = {
      {.name = "plain_by_rows",
       .level = "scalar",
       .doc = "plain code: one pair after the other",
       .run = &plain_by_rows,
       .judged_as = "reference@double"},
  };
  return list;
}

}  // namespace demeter::disc_segment_contact::bench
