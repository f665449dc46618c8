// Comparison routines for the timings of capsule_endpoints.
#include "kernels/baseline.hpp"

#include <cmath>
#include <cstddef>
#include <span>

namespace demeter::capsule_endpoints::bench {
namespace {

/// Computes ends, box and sphere of row i from the global direction of the capsule's axis.
void put_row(double const* const in[], double* const out[], std::size_t i, double const (&axis)[3]) {
  double const radius = in[7][i], reach = in[8][i] / 2;
  for (std::size_t k = 0; k < 3; ++k) {
    double const position = in[k][i], half = axis[k] * reach, extent = std::fabs(half) + radius;
    out[k][i] = half;
    out[3 + k][i] = position - half;
    out[6 + k][i] = position + half;
    out[9 + k][i] = position - extent;
    out[12 + k][i] = position + extent;
  }
  out[15][i] = radius + reach;
}

/// Computes one capsule after the other. The axis is the first column of the textbook's rotation matrix. The quaternion
/// is not normalised.
void matrix_by_rows(std::size_t n, double const* const in[], double* const out[]) {
  for (std::size_t i = 0; i < n; ++i) {
    double const w = in[3][i], x = in[4][i], y = in[5][i], z = in[6][i];
    put_row(in, out, i, {1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)});
  }
}

/// Does the same as matrix_by_rows(), but divides the quaternion by its length first.
void normalised_by_rows(std::size_t n, double const* const in[], double* const out[]) {
  for (std::size_t i = 0; i < n; ++i) {
    double const length =
        std::sqrt(in[3][i] * in[3][i] + in[4][i] * in[4][i] + in[5][i] * in[5][i] + in[6][i] * in[6][i]);
    double const w = in[3][i] / length, x = in[4][i] / length, y = in[5][i] / length, z = in[6][i] / length;
    put_row(in, out, i, {1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)});
  }
}

}  // namespace

std::span<demeter::bench::Baseline const> baselines() {
  static constexpr demeter::bench::Baseline list[] = {
      {.name = "matrix_by_rows",
       .level = "scalar",
       .doc = "the textbook's matrix in plain double, one capsule after the other, not normalised",
       .run = &matrix_by_rows,
       .judged_as = "matrix@double"},
      {.name = "normalised_by_rows",
       .level = "scalar",
       .doc = "the same with the quaternion divided by its length",
       .run = &normalised_by_rows,
       .judged_as = "normalised@double"},
  };
  return list;
}

}  // namespace demeter::capsule_endpoints::bench
