// Comparison routines for the timings of clump_mass_properties.
#include "kernels/baseline.hpp"

#include <Eigen/Eigenvalues>

#include <cmath>
#include <cstddef>
#include <span>

namespace demeter::clump_mass_properties::bench {
namespace {

using Matrix = Eigen::Matrix3d;
using Vector = Eigen::Vector3d;

/// Sums the members in two plain passes. With `diagonalise`, also computes principal moments and axes.
///
/// Columns are in the order of the C ABI. In: offsets, position, orientation, mass, inertia. Out: mass, centroid,
/// inertia, principal, orientation.
template <bool diagonalise>
void plain(std::size_t n, double const* const in[], double* const out[]) {
  for (std::size_t row = 0; row < n; ++row) {
    auto const first = static_cast<std::size_t>(in[0][row]), end = static_cast<std::size_t>(in[0][row + 1]);
    double mass = 0;
    Vector moment = Vector::Zero();
    for (std::size_t i = first; i < end; ++i) {
      mass += in[8][i];
      moment += in[8][i] * Vector(in[1][i], in[2][i], in[3][i]);
    }
    Vector const centroid = moment / mass;
    Matrix inertia = Matrix::Zero();
    for (std::size_t i = first; i < end; ++i) {
      Vector const arm = Vector(in[1][i], in[2][i], in[3][i]) - centroid;
      Matrix const R = Eigen::Quaterniond(in[4][i], in[5][i], in[6][i], in[7][i]).normalized().toRotationMatrix();
      inertia += R * Vector(in[9][i], in[10][i], in[11][i]).asDiagonal() * R.transpose();
      inertia += in[8][i] * (arm.squaredNorm() * Matrix::Identity() - arm * arm.transpose());
    }
    double result[17] = {mass,          centroid[0],   centroid[1],   centroid[2],   inertia(0, 0),
                         inertia(1, 1), inertia(2, 2), inertia(0, 1), inertia(0, 2), inertia(1, 2)};
    if constexpr (diagonalise) {
      Eigen::SelfAdjointEigenSolver<Matrix> const solver(inertia);
      Matrix axes = solver.eigenvectors();
      if (axes.determinant() < 0) axes.col(2) = -axes.col(2);
      Eigen::Quaterniond const q(axes);
      for (Eigen::Index k = 0; k < 3; ++k) result[10 + k] = solver.eigenvalues()[k];
      result[13] = q.w(), result[14] = q.x(), result[15] = q.y(), result[16] = q.z();
    }
    for (std::size_t k = 0; k < (diagonalise ? 17 : 10); ++k)
      if (out[k] != nullptr) out[k][row] = result[k];
  }
}

constexpr demeter::bench::Baseline all[] = {
    {.name = "plain",
     .level = "scalar",
     .doc = "two plain passes in Eigen, moments and axes by SelfAdjointEigenSolver",
     .run = plain<true>,
     .judged_as = "reference@double"},
    {.name = "plain_tensor",
     .level = "scalar",
     .doc = "two plain passes in Eigen, no moments and no axes",
     .run = plain<false>,
     .judged_as = "reference@double",
     .leaves_out = "without the principal moments and axes"},
};

}  // namespace

std::span<demeter::bench::Baseline const> baselines() { return all; }

}  // namespace demeter::clump_mass_properties::bench
