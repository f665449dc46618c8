// Comparison routines for the timings of nscd_contact_update.
#include "kernels/baseline.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>

namespace demeter::nscd_contact_update::bench {
namespace {

/// Plain code: one contact after the other, with branches. A wall has the inverse mass 0.
void plain_by_rows(std::size_t count, double const* const in[], double* const out[]) {
  for (std::size_t i = 0; i < count; ++i) {
    double const wi = 1 / in[0][i], wj = 1 / in[1][i], nx = in[6][i], ny = in[7][i];
    double ix = in[2][i], iy = in[3][i], jx = in[4][i], jy = in[5][i];
    double const vn = (ix - jx) * nx + (iy - jy) * ny, wanting = -vn - std::max(0.0, in[8][i]) / in[9][i];
    double D = 0;
    if (wanting > 0) {
      D = wanting;
      double const p = D / (wi + wj);
      ix += p * wi * nx;
      iy += p * wi * ny;
      jx -= p * wj * nx;
      jy -= p * wj * ny;
    }
    double const results[] = {vn, D, ix, iy, jx, jy};
    for (std::size_t k = 0; k < 6; ++k)
      if (out[k] != nullptr) out[k][i] = results[k];
  }
}

}  // namespace

std::span<demeter::bench::Baseline const> baselines() {
  static constexpr demeter::bench::Baseline list[] = {
      {.name = "plain_by_rows",
       .level = "scalar",
       .doc = "plain code: inverse masses, one contact after the other",
       .run = &plain_by_rows,
       .judged_as = "reference@double"},
  };
  return list;
}

}  // namespace demeter::nscd_contact_update::bench
