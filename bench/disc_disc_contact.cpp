// Comparison routines for the timings of disc_disc_contact.
#include "kernels/baseline.hpp"

#include <cmath>
#include <cstddef>
#include <limits>
#include <span>

namespace demeter::disc_disc_contact::bench {
namespace {

/// Plain contact detection: compares the squared distance of the centres with the square of the largest distance at
/// which two discs count as a contact.
void plain_by_rows(std::size_t count, double const* const in[], double* const out[]) {
  for (std::size_t i = 0; i < count; ++i) {
    double const x = in[0][i] - in[3][i], y = in[1][i] - in[4][i], radii = in[2][i] + in[5][i], square = x * x + y * y;
    double const distance = std::sqrt(square), over = 1 / distance;
    double const results[] = {distance - radii, square > 0 ? 1.0 : 0.0, x * over, y * over,
                              square < (radii + in[6][i]) * (radii + in[6][i]) ? 1.0 : 0.0};
    for (std::size_t k = 0; k < 5; ++k)
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

}  // namespace demeter::disc_disc_contact::bench
