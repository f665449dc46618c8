// Comparison routines for the timings of superquadric_box_test.
#include "kernels/baseline.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>

namespace demeter::superquadric_box_test::bench {
namespace {

/// Computes the rotation matrix R from the quaternion in four columns. The columns of R are the axes of the body.
void rotate(double const* const q[], std::size_t i, double (&R)[3][3]) {
  double const w = q[0][i], x = q[1][i], y = q[2][i], z = q[3][i], f = 2 / (w * w + x * x + y * y + z * z);
  R[0][0] = 1 - f * (y * y + z * z), R[0][1] = f * (x * y - w * z), R[0][2] = f * (x * z + w * y);
  R[1][0] = f * (x * y + w * z), R[1][1] = 1 - f * (x * x + z * z), R[1][2] = f * (y * z - w * x);
  R[2][0] = f * (x * z - w * y), R[2][1] = f * (y * z + w * x), R[2][2] = 1 - f * (x * x + y * y);
}

/// Tests the textbook's 15 axes with the entries of the relative rotation, in plain double, one pair after the other.
/// Skips a cross product of two edges if it is shorter than `threshold`.
void plain_by_rows(std::size_t n, double const* const in[], double* const out[]) {
  constexpr double threshold = 1e-9;
  for (std::size_t i = 0; i < n; ++i) {
    double Ri[3][3], Rj[3][3], R[3][3], Q[3][3], t[3];
    rotate(in + 3, i, Ri);
    rotate(in + 15, i, Rj);
    double const d[3] = {in[12][i] - in[0][i], in[13][i] - in[1][i], in[14][i] - in[2][i]};
    double const a[3] = {in[7][i], in[8][i], in[9][i]}, b[3] = {in[19][i], in[20][i], in[21][i]};
    for (std::size_t k = 0; k < 3; ++k) {
      t[k] = Ri[0][k] * d[0] + Ri[1][k] * d[1] + Ri[2][k] * d[2];
      for (std::size_t l = 0; l < 3; ++l) {
        R[k][l] = Ri[0][k] * Rj[0][l] + Ri[1][k] * Rj[1][l] + Ri[2][k] * Rj[2][l];
        Q[k][l] = std::fabs(R[k][l]);
      }
    }
    double sigma = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      double const along = t[0] * R[0][k] + t[1] * R[1][k] + t[2] * R[2][k];
      sigma = std::max(sigma, std::fabs(t[k]) / (a[k] + Q[k][0] * b[0] + Q[k][1] * b[1] + Q[k][2] * b[2]));
      sigma = std::max(sigma, std::fabs(along) / (b[k] + Q[0][k] * a[0] + Q[1][k] * a[1] + Q[2][k] * a[2]));
    }
    for (std::size_t k = 0; k < 3; ++k)
      for (std::size_t l = 0; l < 3; ++l) {
        std::size_t const k1 = (k + 1) % 3, k2 = (k + 2) % 3, l1 = (l + 1) % 3, l2 = (l + 2) % 3;
        if (Q[k1][l] + Q[k2][l] < threshold) continue;
        double const reach = a[k1] * Q[k2][l] + a[k2] * Q[k1][l] + b[l1] * Q[k][l2] + b[l2] * Q[k][l1];
        sigma = std::max(sigma, std::fabs(t[k2] * R[k1][l] - t[k1] * R[k2][l]) / reach);
      }
    if (out[0] != nullptr) out[0][i] = sigma;
    if (out[1] != nullptr) out[1][i] = sigma > 1 ? 1 : 0;
  }
}

}  // namespace

std::span<demeter::bench::Baseline const> baselines() {
  static constexpr demeter::bench::Baseline list[] = {
      {.name = "plain_by_rows",
       .level = "scalar",
       .doc = "the textbook's 15 axes in plain double, one pair after the other",
       .run = &plain_by_rows,
       .judged_as = "threshold@double"},
  };
  return list;
}

}  // namespace demeter::superquadric_box_test::bench
